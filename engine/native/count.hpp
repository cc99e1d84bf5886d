// Distinct pieces of a text and how often each occurs, in the order of first appearance.
#pragma once

#include <cstring>

#include "pairs.hpp"
#include "scan.hpp"

namespace bpe {

struct Piece {
    u64 at;       // where its bytes begin in the table's own store
    u64 count;    // weighted
    u64 first;    // where it was first met
    u32 size;
    u32 hash;
};

class PieceTable {
  public:
    using Byte = unsigned char;

    PieceTable() { slots_.resize(1 << 12, 0); }

    u64 size() const { return pieces_.size(); }
    const Piece& operator[](u64 index) const { return pieces_[index]; }
    const Byte* bytes(const Piece& piece) const { return store_.data() + piece.at; }
    u64 stored() const { return store_.size(); }

    void add(const Byte* p, u32 size, u64 weight, u64 first) {
        u64 hash = hashed(p, size), mask = slots_.size() - 1;
        u64 at = hash & mask;
        for (; slots_[at]; at = (at + 1) & mask) {
            u64 slot = slots_[at];
            if (slot >> 32 != hash >> 32) continue;
            Piece& piece = pieces_[static_cast<u32>(slot) - 1];
            if (piece.size == size && equal(store_.data() + piece.at, p, size)) {
                piece.count += weight;
                if (first < piece.first) piece.first = first;
                return;
            }
        }
        u64 index = pieces_.size(), start = store_.take(size);
        std::memcpy(store_.data() + start, p, size);
        pieces_.push(Piece{start, weight, first, size, static_cast<u32>(hash >> 32)});
        slots_[at] = hash >> 32 << 32 | (index + 1);
        if (pieces_.size() * 2 > slots_.size()) rehash();
    }

    // Every piece of a text that begins at `offset` of the whole; white-space pieces may be left out.
    void scan(Boundary boundary, bool drop_spaces, const Byte* p, const Byte* end, u64 weight, u64 offset) {
        const Byte* begin = p;
        while (p < end) {
            const Byte* q = Scanner::next(boundary, p, end);
            if (!drop_spaces || Scanner::at(p, end).kind != Scanner::SPACE)
                add(p, static_cast<u32>(q - p), weight, offset + static_cast<u64>(p - begin));
            p = q;
        }
    }

    void merge(const PieceTable& other) {
        for (u64 i = 0; i < other.size(); i++) add(other.bytes(other[i]), other[i].size, other[i].count, other[i].first);
    }

    void order() {
        std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
    }

  private:
    static u64 mix(u64 a, u64 b) {
        unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
        return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
    }

    template <class T>
    static u64 read(const Byte* p) {
        T word;
        std::memcpy(&word, p, sizeof word);
        return word;
    }

    // Up to eight bytes as a number; different bytes of one size give different numbers.
    static u64 tail(const Byte* p, u32 size) {
        if (size >= 4) return read<u32>(p) | read<u32>(p + size - 4) << 32;
        if (size >= 2) return read<std::uint16_t>(p) | u64{p[size - 1]} << 16;
        return size ? p[0] : 0;
    }

    static u64 hashed(const Byte* p, u32 size) {
        u64 hash = 0x9E3779B97F4A7C15ull ^ size;
        for (; size > 8; p += 8, size -= 8) hash = mix(hash ^ read<u64>(p), 0xBF58476D1CE4E5B9ull);
        return mix(hash ^ tail(p, size), 0x94D049BB133111EBull);
    }

    static bool equal(const Byte* a, const Byte* b, u32 size) {
        return size <= 8 ? tail(a, size) == tail(b, size) : std::memcmp(a, b, size) == 0;
    }

    void rehash() {
        u64 room = slots_.size() * 2, mask = room - 1;
        slots_.cut(0);
        slots_.resize(room, 0);
        for (u64 i = 0; i < pieces_.size(); i++) {
            u64 hash = hashed(bytes(pieces_[i]), pieces_[i].size), at = hash & mask;
            while (slots_[at]) at = (at + 1) & mask;
            slots_[at] = hash >> 32 << 32 | (i + 1);
        }
    }

    Block<Piece> pieces_;
    Block<u64> slots_;
    Block<Byte> store_;
};

}  // namespace bpe
