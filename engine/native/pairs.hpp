// The pairs of a run: every pair that ever had a count, found by its two tokens, and how many pairs have each count.
#pragma once

#include <new>

#include "block.hpp"
#include "histogram.hpp"
#include "seed.hpp"

namespace bpe {

constexpr u32 NO_PAIR = 0xFFFFFFFFu;

struct Pair {
    u32 left, right;
    i64 count;    // weighted, by the policy's way of counting
    u64 start;    // where its list of positions begins; the position itself where there is only one
    u32 length;   // positions in its list, stale ones included
    u32 allowed;  // whether the length bound and the filter let it become a token
};

// Open addressing over a dense list: a slot holds a pair's index and part of its hash, so that most misses touch no pair.
class PairTable {
  public:
    PairTable() { slots_.resize(1 << 12, 0); }

    Pair& operator[](u32 index) { return pairs_[index]; }
    const Pair& operator[](u32 index) const { return pairs_[index]; }
    u32 size() const { return static_cast<u32>(pairs_.size()); }
    u64 live() const { return live_; }
    u64 bytes() const { return pairs_.bytes() + slots_.bytes(); }
    const Histogram& histogram() const { return histogram_; }

    u32 find(u32 left, u32 right) const {
        u64 hash = hash_of(left, right), mask = slots_.size() - 1;
        for (u64 at = hash & mask;; at = (at + 1) & mask) {
            u64 slot = slots_[at];
            if (slot == 0) return NO_PAIR;
            if (slot >> 32 == hash >> 32) {
                u32 index = static_cast<u32>(slot) - 1;
                if (pairs_[index].left == left && pairs_[index].right == right) return index;
            }
        }
    }

    // Room for so many more pairs; adding them then needs no memory.
    void ensure(std::size_t more) {
        std::size_t pairs = pairs_.size() + more, room = slots_.size();
        if (pairs >= NO_PAIR) throw std::bad_alloc();
        pairs_.ensure(pairs);
        while (pairs * 10 > room * 7) room *= 2;
        if (room > slots_.size()) rehash(room);
    }

    // Room to change counts; see `Histogram`.
    void ensure_counts(u64 changes, u64 windows) { histogram_.ensure(changes, windows); }

    // Adds a pair that is not there, with count 0.
    u32 add(u32 left, u32 right, bool allowed) {
        ensure(1);
        u32 index = static_cast<u32>(pairs_.size());
        pairs_.push(Pair{left, right, 0, 0, 0, allowed});
        place(index);
        return index;
    }

    void change(u32 index, i64 delta) {
        if (delta == 0) return;
        Pair& pair = pairs_[index];
        i64 before = pair.count, after = before + delta;
        pair.count = after;
        live_ += (after != 0) - (before != 0);
        if (pair.allowed) histogram_.move(before, after);
    }

  private:
    static u64 hash_of(u32 left, u32 right) { return hashed(u64{left} << 32 | right); }

    void place(u32 index) {
        u64 hash = hash_of(pairs_[index].left, pairs_[index].right), mask = slots_.size() - 1, at = hash & mask;
        while (slots_[at]) at = (at + 1) & mask;
        slots_[at] = hash >> 32 << 32 | (index + 1);
    }

    void rehash(std::size_t room) {
        slots_.ensure(room);  // which may fail, and so comes before the slots are emptied
        slots_.cut(0);
        slots_.resize(room, 0);
        for (u32 index = 0; index < pairs_.size(); index++) place(index);
    }

    Block<Pair> pairs_;
    Block<u64> slots_;
    Histogram histogram_;
    u64 live_ = 0;
};

}  // namespace bpe
