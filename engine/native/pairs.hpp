// The pairs of a run: every pair that ever had a count, found by its two tokens, and how many pairs have each count.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "block.hpp"

namespace bpe {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 NO_PAIR = 0xFFFFFFFFu;

struct Pair {
    u32 left, right;
    i64 count;    // weighted, by the policy's way of counting
    u64 start;    // where its list of positions begins; the position itself where there is only one
    u32 length;   // positions in its list, stale ones included
    u32 allowed;  // whether the length bound and the filter let it become a token
};

// How many pairs that may be merged have each count above zero.
class Histogram {
  public:
    Histogram() { small_.resize(SMALL, 0); }

    void move(i64 from, i64 to) {
        if (from) at(from) -= 1;
        if (to) at(to) += 1;
    }

    u64 pairs_with(i64 count) const {
        if (count <= 0) return 0;
        if (count < SMALL) return small_[count];
        auto found = large_.find(count);
        return found == large_.end() ? 0 : found->second;
    }

    // The greatest count that at least `wanted` pairs reach; 1 where there are fewer pairs.
    i64 reached_by(u64 wanted) const {
        Block<i64> counts;
        for (auto& entry : large_)
            if (entry.second) counts.push(entry.first);
        std::sort(counts.begin(), counts.end(), [](i64 a, i64 b) { return a > b; });
        u64 seen = 0;
        for (i64 count : counts)
            if ((seen += pairs_with(count)) >= wanted) return count;
        for (i64 count = SMALL - 1; count > 1; count--)
            if ((seen += small_[count]) >= wanted) return count;
        return 1;
    }

  private:
    static constexpr i64 SMALL = 1 << 14;
    u64& at(i64 count) { return count > 0 && count < SMALL ? small_[count] : large_[count]; }
    Block<u64> small_;
    std::unordered_map<i64, u64> large_;
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
        u64 hash = hashed(left, right), mask = slots_.size() - 1;
        for (u64 at = hash & mask;; at = (at + 1) & mask) {
            u64 slot = slots_[at];
            if (slot == 0) return NO_PAIR;
            if (slot >> 32 == hash >> 32) {
                u32 index = static_cast<u32>(slot) - 1;
                if (pairs_[index].left == left && pairs_[index].right == right) return index;
            }
        }
    }

    // Adds a pair that is not there, with count 0.
    u32 add(u32 left, u32 right, bool allowed) {
        if ((pairs_.size() + 1) * 10 > slots_.size() * 7) rehash();
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
    static u64 hashed(u32 left, u32 right) {
        u64 key = (static_cast<u64>(left) << 32 | right) * 0x9E3779B97F4A7C15ull;
        key ^= key >> 29;
        key *= 0xBF58476D1CE4E5B9ull;
        return key ^ key >> 32;
    }

    void place(u32 index) {
        u64 hash = hashed(pairs_[index].left, pairs_[index].right), mask = slots_.size() - 1, at = hash & mask;
        while (slots_[at]) at = (at + 1) & mask;
        slots_[at] = hash >> 32 << 32 | (index + 1);
    }

    void rehash() {
        std::size_t room = slots_.size() * 2;
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
