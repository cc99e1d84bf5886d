// How many pairs that may be merged have each count above zero.
#pragma once

#include <algorithm>
#include <cstdint>

#include "block.hpp"
#include "seed.hpp"

namespace bpe {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

// Small counts stand by their value, large ones in a table with open addressing, where a count that no pair has any more
// stays until the table grows.
class Histogram {
  public:
    Histogram() {
        small_.resize(SMALL, 0);
        large_.resize(LEAST, Entry{});
    }

    // Room for so many changes to counts that add up to at most so many windows, so that few are large: making them then
    // needs no memory.
    void ensure(u64 changes, u64 windows) { make_room(std::min(changes, windows / SMALL)); }

    void move(i64 from, i64 to) {
        if (from) at(from) -= 1;
        if (to) at(to) += 1;
    }

    u64 pairs_with(i64 count) const {
        if (count <= 0) return 0;
        return count < SMALL ? small_[count] : large_[place(large_, count)].pairs;
    }

    // The greatest count that at least `wanted` pairs reach; 1 where there are fewer pairs.
    i64 reached_by(u64 wanted) const {
        Block<i64> counts;
        for (std::size_t i = 0; i < large_.size(); i++)
            if (large_[i].pairs) counts.push(large_[i].count);
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
    static constexpr std::size_t LEAST = 16;

    struct Entry {
        i64 count;  // 0 where the entry is free
        u64 pairs;
    };

    static std::size_t place(const Block<Entry>& entries, i64 count) {
        std::size_t mask = entries.size() - 1, at = hashed(static_cast<u64>(count)) & mask;
        while (entries[at].count && entries[at].count != count) at = (at + 1) & mask;
        return at;
    }

    u64& at(i64 count) {
        if (count < SMALL) return small_[count];
        std::size_t where = place(large_, count);
        if (large_[where].count == 0) {
            make_room(1);
            where = place(large_, count);
            large_[where].count = count;
            used_++;
        }
        return large_[where].pairs;
    }

    void make_room(u64 more) {
        if ((used_ + more) * 2 <= large_.size()) return;
        u64 living = 0;
        for (const Entry& entry : large_) living += entry.pairs != 0;
        std::size_t room = LEAST;
        while (room < (living + more) * 4) room *= 2;
        Block<Entry> entries;
        entries.resize(room, Entry{});
        for (const Entry& entry : large_)
            if (entry.pairs) entries[place(entries, entry.count)] = entry;
        large_.swap(entries);
        used_ = living;
    }

    Block<u64> small_;
    Block<Entry> large_;
    u64 used_ = 0;  // entries that are not free
};

}  // namespace bpe
