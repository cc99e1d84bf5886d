// Merging one piece: lowest rank first, then leftmost.
#pragma once

#include <functional>
#include <new>
#include <queue>
#include <vector>

#include "ranks.hpp"

namespace bpe {

constexpr u32 NOWHERE = 0xFFFFFFFFu;

// The places of one rank in order, as its first and its last chunk.
struct List {
    u32 head, tail;
};

// A long piece, rank by rank. A merge only makes pairs of higher ranks, since a pair's rank is above those of its tokens,
// and the places of a pair are found from left to right in the round that makes its younger token: each rank is looked at
// once, in order of place. A token stores its id at its first and last position, so that its neighbours are found by
// their spans; a position where no token begins any more holds NO_TOKEN or the id of one that never began there.
class LongMerge {
  public:
    LongMerge(const RankTable& ranks, u32 limit, List* lists) : ranks_(ranks), limit_(limit), lists_(lists) {}

    std::size_t run(u32* ids, std::size_t size) {
        if (size >= MOST) throw std::bad_alloc();
        for (std::size_t i = 0; i + 1 < size; i++) found(ids[i], ids[i + 1], static_cast<u32>(i));
        while (!waiting_.empty()) {
            u32 rank = waiting_.top();
            waiting_.pop();
            round(ids, static_cast<u32>(size), rank);
        }
        std::size_t kept = 0;
        for (std::size_t at = 0; at < size; at += ranks_.span(ids[kept++])) ids[kept] = ids[at];
        return kept;
    }

  private:
    static constexpr std::size_t MOST = 0xFFFFFFFFu;  // positions have 32 bits
    static constexpr u32 NO_TOKEN = 0xFFFFFFFFu;

    // Some places of one rank, as long as a line of the cache.
    struct Chunk {
        static constexpr u32 ROOM = 14;
        u32 next, count;
        u32 places[ROOM];
    };

    void round(u32* ids, u32 size, u32 rank) {
        u32 left = ranks_.left(rank), right = ranks_.right(rank), token = ranks_.base() + rank;
        u32 first = ranks_.span(left), both = ranks_.span(token);
        u32 next = lists_[rank].head;
        lists_[rank].head = NOWHERE;
        while (next != NOWHERE) {
            Chunk chunk = chunks_[next];  // a copy, since the chunk serves other ranks from here on
            chunks_[next].next = free_;
            free_ = next;
            next = chunk.next;
            if (next != NOWHERE) __builtin_prefetch(&chunks_[next]);
            for (u32 i = 0; i < chunk.count; i++) __builtin_prefetch(&ids[chunk.places[i]]);
            for (u32 i = 0; i < chunk.count; i++) {
                u32 at = chunk.places[i];
                if (ids[at] != left || size - at < both || ids[at + first] != right) continue;
                u32 end = at + both;
                ids[at + first] = NO_TOKEN;
                ids[at] = ids[end - 1] = token;
                if (end < size) found(token, ids[end], at);
                if (at > 0) found(ids[at - 1], token, at - ranks_.span(ids[at - 1]));
            }
        }
    }

    // Two neighbours, of which the left one begins at a position.
    void found(u32 left, u32 right, u32 at) {
        u32 rank = ranks_.find(left, right, limit_);
        if (rank == NO_RANK) return;
        List& list = lists_[rank];
        if (list.head == NOWHERE) {
            list.head = list.tail = chunk();
            waiting_.push(rank);
        } else if (chunks_[list.tail].count == Chunk::ROOM) {
            u32 added = chunk();
            chunks_[list.tail].next = added;
            list.tail = added;
        }
        Chunk& last = chunks_[list.tail];
        last.places[last.count++] = at;
    }

    // An empty chunk: one done with, or a new one.
    u32 chunk() {
        u32 taken = free_;
        if (taken == NOWHERE) {
            taken = static_cast<u32>(chunks_.take(1));
        } else {
            free_ = chunks_[taken].next;
        }
        chunks_[taken].next = NOWHERE;
        chunks_[taken].count = 0;
        return taken;
    }

    const RankTable& ranks_;
    u32 limit_;
    List* lists_;          // by rank
    Block<Chunk> chunks_;  // of all lists
    u32 free_ = NOWHERE;   // the chunks done with, chained
    std::priority_queue<u32, std::vector<u32>, std::greater<u32>> waiting_;  // ranks that have places
};

class Merger {
  public:
    explicit Merger(const RankTable& ranks) : ranks_(ranks) {}

    // Merges base ids in place by the ranks below `limit`, of which there are at least so many; how many tokens are left.
    std::size_t merge(u32* ids, std::size_t size, u32 limit) {
        if (size <= SHORT) return merge_short(ids, size, limit);
        if (lists_.size() < limit) lists_.resize(limit, List{NOWHERE, NOWHERE});
        return LongMerge(ranks_, limit, lists_.data()).run(ids, size);
    }

  private:
    static constexpr std::size_t SHORT = 48;

    // Finds the lowest rank anew for each merge: quadratic, and the fastest for words.
    std::size_t merge_short(u32* ids, std::size_t size, u32 limit) const {
        u32 ranks[SHORT];  // of the pair that begins at each token
        for (std::size_t i = 0; i + 1 < size; i++) ranks[i] = ranks_.find(ids[i], ids[i + 1], limit);
        while (size > 1) {
            std::size_t at = 0;
            for (std::size_t i = 1; i + 1 < size; i++)
                if (ranks[i] < ranks[at]) at = i;
            if (ranks[at] == NO_RANK) break;
            ids[at] = ranks_.base() + ranks[at];
            size--;
            for (std::size_t i = at + 1; i < size; i++) ids[i] = ids[i + 1];
            for (std::size_t i = at + 1; i + 1 < size; i++) ranks[i] = ranks[i + 1];
            if (at + 1 < size) ranks[at] = ranks_.find(ids[at], ids[at + 1], limit);
            if (at > 0) ranks[at - 1] = ranks_.find(ids[at - 1], ids[at], limit);
        }
        return size;
    }

    const RankTable& ranks_;
    Block<List> lists_;  // all empty between two calls
};

}  // namespace bpe
