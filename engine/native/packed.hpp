// Packed pieces, as engine/packed.py keeps them: all bytes one behind another, and where each piece ends in them.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace bpe {

// Whoever reads packed pieces checks them first, since they may have been put together by hand.
inline void check_ends(const std::uint64_t* ends, std::uint64_t pieces, std::uint64_t bytes) {
    std::uint64_t start = 0;
    for (std::uint64_t i = 0; i < pieces; start = ends[i++])
        if (ends[i] < start || ends[i] > bytes) throw std::invalid_argument("packed pieces end in order and within their bytes");
}

}  // namespace bpe
