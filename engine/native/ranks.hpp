// A merge list for encoding: the rank of a pair of tokens, and how many base symbols each token covers.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "block.hpp"
#include "seed.hpp"

namespace bpe {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 NO_RANK = 0xFFFFFFFFu;

// Open addressing over the list: a slot holds a rank and part of its pair's hash, so that most misses touch no pair. Pairs of
// the first 256 tokens, which every new piece asks for, are in a square table.
class RankTable {
  public:
    explicit RankTable(u32 base) : base_(base) {
        slots_.resize(1 << 10, 0);
        spans_.resize(base, 1);
        square_.resize(SQUARE * SQUARE, NO_RANK);
    }

    u32 base() const { return base_; }
    u32 size() const { return static_cast<u32>(pairs_.size()); }
    u32 span(u32 token) const { return spans_[token]; }
    u32 left(u32 rank) const { return static_cast<u32>(pairs_[rank] >> 32); }
    u32 right(u32 rank) const { return static_cast<u32>(pairs_[rank]); }

    // The rank of a pair, NO_RANK where it has none below the limit.
    u32 find(u32 left, u32 right, u32 limit) const {
        if ((left | right) < SQUARE) return below(square_[left * SQUARE + right], limit);
        u64 pair = joined(left, right), hash = hashed(pair), mask = slots_.size() - 1;
        for (u64 at = hash & mask;; at = (at + 1) & mask) {
            u64 slot = slots_[at];
            if (slot == 0) return NO_RANK;
            if (slot >> 32 == hash >> 32) {
                u32 rank = static_cast<u32>(slot) - 1;
                if (pairs_[rank] == pair) return below(rank, limit);
            }
        }
    }

    // Appends a pair that is not there, of tokens that are. What can fail comes first.
    void add(u32 left, u32 right) {
        if (left >= spans_.size() || right >= spans_.size() || spans_.size() >= NO_RANK)
            throw std::invalid_argument("no token is made yet for an operand of the merge");
        if (find(left, right, NO_RANK) != NO_RANK) throw std::invalid_argument("the pair of the merge is there already");
        spans_.ensure(spans_.size() + 1);
        pairs_.ensure(pairs_.size() + 1);
        if ((pairs_.size() + 1) * 2 > slots_.size()) rehash();
        if ((left | right) < SQUARE) square_[left * SQUARE + right] = size();
        u64 span = u64{spans_[left]} + spans_[right];
        spans_.push(span < NO_RANK ? static_cast<u32>(span) : NO_RANK);  // no text is that long
        pairs_.push(joined(left, right));
        place(size() - 1);
    }

  private:
    static constexpr u32 SQUARE = 256;

    static u32 below(u32 rank, u32 limit) { return rank < limit ? rank : NO_RANK; }
    static u64 joined(u32 left, u32 right) { return static_cast<u64>(left) << 32 | right; }

    void place(u32 rank) {
        u64 hash = hashed(pairs_[rank]), mask = slots_.size() - 1, at = hash & mask;
        while (slots_[at]) at = (at + 1) & mask;
        slots_[at] = hash >> 32 << 32 | (rank + 1);
    }

    void rehash() {
        std::size_t room = slots_.size() * 2;
        slots_.ensure(room);
        slots_.cut(0);
        slots_.resize(room, 0);
        for (u32 rank = 0; rank < size(); rank++) place(rank);
    }

    u32 base_;
    Block<u64> pairs_;
    Block<u64> slots_;
    Block<u32> spans_;
    Block<u32> square_;
};

}  // namespace bpe
