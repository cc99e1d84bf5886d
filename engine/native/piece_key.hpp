// A piece of text as a key of two words, so that most lookups read no bytes but the table's slot.
#pragma once

#include <cstdint>
#include <cstring>

#include "seed.hpp"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "keys hold a piece's bytes in order, which needs a little-endian machine; others go without the compiled parts"
#endif

namespace bpe {

// A piece's bytes and size where they fit, else a hash and the size.
struct PieceKey {
    using Byte = unsigned char;
    using Word = std::uint64_t;
    static constexpr std::size_t INLINE = 15;

    Word low, high;

    // `end` is where the text ends that the piece lies in: up to there bytes may be read.
    static PieceKey of(const Byte* p, std::size_t size, const Byte* end) {
        if (size > INLINE) return {digest(p, size), size | Word{1} << 63};
        PieceKey key{};
        if (end - p < 16) {
            std::memcpy(&key, p, size);
        } else {
            std::memcpy(&key, p, 16);
            key.low &= size < 8 ? (Word{1} << size * 8) - 1 : ~Word{0};
            key.high &= size < 8 ? 0 : (Word{1} << (size - 8) * 8) - 1;
        }
        key.high |= Word{size} << 56;
        return key;
    }

    bool whole() const { return high >> 63 == 0; }
    std::size_t size() const { return whole() ? high >> 56 : high & ~(Word{1} << 63); }
    bool operator==(const PieceKey& other) const { return low == other.low && high == other.high; }
    Word hash() const { return hashed(low, high); }

  private:
    static Word digest(const Byte* p, std::size_t size) {
        Word hash = hashed(size), word;
        for (; size >= 8; p += 8, size -= 8) {
            std::memcpy(&word, p, 8);
            hash = hashed(hash ^ word);
        }
        word = 0;
        std::memcpy(&word, p, size);
        return hashed(hash ^ word);
    }
};

}  // namespace bpe
