// The one hash of all tables that meet input, seeded at random once a process: who writes a corpus or a tokenizer cannot choose words,
// pairs or counts that meet in one slot. No result depends on it.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <random>

namespace bpe {

struct Seed {
    std::uint64_t first, second;  // the second is odd, so that multiplying by it loses nothing

    Seed() {
        try {
            std::random_device source;
            first = std::uint64_t{source()} << 32 | source();
            second = std::uint64_t{source()} << 32 | source() | 1;
        } catch (const std::exception&) {  // no source of random numbers: chosen input may be slow, and nothing else
            first = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
            second = first * 0x9E3779B97F4A7C15ull | 1;
        }
    }
};

static const Seed SEED;  // drawn when the extension is loaded

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hashed(std::uint64_t a, std::uint64_t b = 0) { return mix(a ^ SEED.first, b ^ SEED.second); }

}  // namespace bpe
