// The arena kernel: exact counts by local updates over one array, reversible at every rank. engine/kernel/arena.py is the
// same in Python and says how it works; the two are held equal by the tests.
#pragma once

#include <chrono>
#include <stdexcept>
#include <vector>

#include "order.hpp"

namespace bpe {

constexpr u32 WALL = 0xFFFFFFFFu;   // before, between and after units
constexpr u32 INNER = 0xFFFFFFFEu;  // inside a token, between its first and its last position
constexpr u32 CHAINED = WALL - 2;   // a neighbour that is the same merge's next or last match

struct Rules {
    Tie tie;
    bool half_runs;   // a run of n equal tokens counts n / 2
    i64 min_count;
    u64 bound;        // longest new token, 0 for none
    bool exclusive;   // the bound itself is too long, and pairs of base tokens are exempt
    bool characters;  // the bound counts base symbols, not bytes, and symbols compare as text
    bool filtered;    // pairs that are no piece by their kinds are not merged
};

struct Limits {
    u64 pair_types, heap_entries, token_bytes, vocabulary_bytes;
};

struct Evidence {
    u32 left, right;
    i64 count, replacements;
    u64 tie_size;
    u32 next_left, next_right;  // the runner-up; only where next_count is not 0
    i64 next_count;
};

enum class Outcome { done, out_of_time, exhausted, pair_types, heap_entries, token_bytes, vocabulary_bytes, ids };

// Once it has started, whatever fails (a failed allocation above all) fails before it has changed anything.
class Arena {
  public:
    Arena(Rules rules, Limits limits) : rules_(rules), limits_(limits), contents_(rules.tie, rules.characters) {}

    // Setting up: base tokens, then units, then `start`.

    void add_token(const char* data, std::size_t size, bool ends_word, u32 kind) {
        contents_.add(std::string(data, size), ends_word, 1, kind);
        vocabulary_bytes_ += size;
        base_ = contents_.size();
    }

    void reserve(std::size_t symbols, std::size_t units, bool weighted) {
        symbols_.reserve(symbols + units + 1);
        unit_starts_.reserve(units + 1);
        symbols_.push(WALL);
        weighted_ = weighted;
        if (weighted) {
            weights_.reserve(symbols + units + 1);
            weights_.push(0);
        }
    }

    // A unit of base ids, one byte each where `ids` is null.
    void add_unit(const unsigned char* bytes, const u32* ids, std::size_t size, u64 weight) {
        unit_starts_.push(symbols_.size());
        std::size_t at = symbols_.take(size + 1);
        u32 most = 0;
        for (std::size_t i = 0; i < size; i++) {
            u32 id = ids != nullptr ? ids[i] : bytes[i];
            symbols_[at + i] = id;
            most = std::max(most, id);
        }
        symbols_[at + size] = WALL;
        if (most >= base_ || weight == 0) throw std::invalid_argument("a unit of unknown tokens, or of weight 0");
        if (weighted_) weights_.resize(symbols_.size(), weight);
        tokens_ += static_cast<i64>(size * weight);
    }

    // Merges to apply first, in order, whatever the rules would choose.
    void give(const std::vector<std::pair<u32, u32>>& pairs) {
        if (learned()) throw std::invalid_argument("merges are given before any is learned");
        for (std::size_t i = 0; i < pairs.size(); i++)
            if (std::max(pairs[i].first, pairs[i].second) >= base_ + given_.size() + i)
                throw std::invalid_argument("a given merge joins a token that none before it makes");
        given_.ensure(given_.size() + pairs.size());
        for (auto pair : pairs) given_.push(pair);
    }

    void start() {
        unit_starts_.push(symbols_.size());
        frequencies_.resize(base_, 0);
        match_starts_.push(0);
        scratch_for(base_);
        count_everything();
    }

    // Moving

    // Towards a rank, learning past the last known one, until it is reached or the time is used.
    Outcome travel(u64 rank, double budget_s) {
        auto began = std::chrono::steady_clock::now();
        while (rank_ != rank) {
            if (rank_ > rank) {
                back();
            } else if (rank_ < evidence_.size()) {
                forward();
            } else if (Outcome outcome = learn(); outcome != Outcome::done) {
                return outcome;
            }
            if (budget_s >= 0 && rank_ != rank) {
                std::chrono::duration<double> used = std::chrono::steady_clock::now() - began;
                if (used.count() >= budget_s) return Outcome::out_of_time;
            }
        }
        return Outcome::done;
    }

    Outcome learn() {
        if (pairs_.live() > limits_.pair_types) return Outcome::pair_types;
        if (heap_.size() > limits_.heap_entries) return Outcome::heap_entries;
        u32 best = peek(), winner = best;
        if (learned() < given_.size()) winner = given(learned());
        if (winner == NO_PAIR) return Outcome::exhausted;
        u32 left = pairs_[winner].left, right = pairs_[winner].right;
        need_ = contents_.length(left) + contents_.length(right);
        if (need_ > limits_.token_bytes) return Outcome::token_bytes;
        if (vocabulary_bytes_ + need_ > limits_.vocabulary_bytes) return Outcome::vocabulary_bytes;
        if (contents_.size() > CHAINED - 1) return Outcome::ids;
        make_room(pairs_[winner]);
        contents_.add_joined(left, right);  // the last that can fail
        if (winner == best) pop();
        u32 second = peek();
        Evidence evidence{left, right, pairs_[winner].count, 0, tied(pairs_[winner].count), 0, 0, 0};
        if (second != NO_PAIR) {
            evidence.next_left = pairs_[second].left;
            evidence.next_right = pairs_[second].right;
            evidence.next_count = pairs_[second].count;
        }
        vocabulary_bytes_ += need_;
        frequencies_.push(0);
        evidence_.push(evidence);
        find_and_write(winner);
        evidence_.back().replacements = weight_of_matches();
        count_edges(winner, 1, true);
        account(1);
        rank_++;
        return Outcome::done;
    }

    void forward() {
        if (rank_ == learned()) throw std::out_of_range("no merge is known after the last one");
        make_room_for(matches_of(rank_), 0);
        load(rank_);
        write();
        count_edges(pairs_.find(left_, right_), 1, false);
        account(1);
        rank_++;
    }

    void back() {
        if (rank_ == 0) throw std::out_of_range("no merge is applied at rank 0");
        make_room_for(matches_of(rank_ - 1), evidence_[rank_ - 1].replacements);
        rank_--;
        load(rank_);
        restore();
        count_edges(pairs_.find(left_, right_), -1, false);
        account(-1);
    }

    // Questions

    u64 rank() const { return rank_; }
    u64 learned() const { return evidence_.size(); }
    i64 tokens() const { return tokens_; }
    u64 live() const { return pairs_.live(); }
    u64 queued() const { return heap_.size(); }
    u64 need() const { return need_; }
    u64 vocabulary_bytes() const { return vocabulary_bytes_; }
    i64 frequency(u32 token) const { return token < frequencies_.size() ? frequencies_[token] : 0; }
    const Evidence& evidence(u64 rank) const {
        if (rank >= learned()) throw std::out_of_range("no merge is known of that rank");
        return evidence_[rank];
    }
    const Contents& contents() const { return contents_; }

    i64 count(u32 left, u32 right) const {
        u32 index = pairs_.find(left, right);
        return index == NO_PAIR ? 0 : pairs_[index].count;
    }

    bool mergeable(u32 left, u32 right, i64 count) const {
        if (std::max(left, right) >= contents_.size()) throw std::out_of_range("no token has that id");
        return count >= rules_.min_count && allowed(left, right);
    }

    bool allowed(u32 left, u32 right) const {
        if (rules_.filtered && !contents_.valid(left, right)) return false;
        if (rules_.bound == 0) return true;
        u64 length = rules_.characters ? u64{contents_.span(left)} + contents_.span(right)
                                       : contents_.length(left) + contents_.length(right);
        if (rules_.exclusive) return length < rules_.bound || (left < base_ && right < base_);
        return length <= rules_.bound;
    }

    u64 tied(i64 count) const { return count < rules_.min_count ? 0 : pairs_.histogram().pairs_with(count); }

    // The `wanted` first live pairs from `offset` on, in the order in which they would be merged.
    std::vector<Pair> top(u64 wanted, u64 offset) const {
        u64 last = std::min(offset + wanted, pairs_.live());
        if (offset >= last) return {};
        i64 least = rules_.bound || rules_.filtered ? 1 : pairs_.histogram().reached_by(last);
        struct Ranked {
            const Pair* pair;
            u64 place;
        };
        std::vector<Ranked> found;
        for (u32 index = 0; index < pairs_.size(); index++) {
            const Pair& pair = pairs_[index];
            if (pair.count >= least)
                found.push_back({&pair, rules_.tie == Tie::first_seen ? first_live(pair) : 0});
        }
        auto order = [&](const Ranked& a, const Ranked& b) {
            if (a.pair->allowed != b.pair->allowed) return a.pair->allowed > b.pair->allowed;
            if (a.pair->count != b.pair->count) return a.pair->count > b.pair->count;
            if (rules_.tie == Tie::first_seen) return a.place < b.place;
            return contents_.before(*a.pair, *b.pair);
        };
        if (last < found.size()) std::nth_element(found.begin(), found.begin() + last, found.end(), order);
        std::sort(found.begin(), found.begin() + last, order);
        std::vector<Pair> pairs;
        for (u64 i = offset; i < last; i++) pairs.push_back(*found[i].pair);
        return pairs;
    }

    // (first position, token) of the tokens that cover positions from `start` to before `stop` of a unit.
    std::vector<std::pair<u64, u32>> unit_tokens(u64 unit, u64 start, u64 stop) const {
        if (unit >= unit_starts_.size() - 1) throw std::out_of_range("no unit has that number");
        u64 origin = unit_starts_[unit], end = unit_starts_[unit + 1] - 1;
        std::vector<std::pair<u64, u32>> found;
        stop = std::min(stop, end - origin);
        if (start >= stop) return found;
        for (u64 p = token_start(origin + start); p < origin + stop; p += contents_.span(symbols_[p]))
            found.emplace_back(p - origin, symbols_[p]);
        return found;
    }

    // (unit, position) of the first `limit` windows of a pair.
    std::vector<std::pair<u64, u64>> occurrences(u32 left, u32 right, u64 limit) const {
        std::vector<std::pair<u64, u64>> found;
        u32 index = pairs_.find(left, right);
        if (index == NO_PAIR) return found;
        const Pair& pair = pairs_[index];
        for (u32 i = 0; i < pair.length && found.size() < limit; i++) {
            u64 p = position(pair, i);
            if (!is_live(pair, p)) continue;
            u64 unit = std::upper_bound(unit_starts_.data(), unit_starts_.data() + unit_starts_.size(), p)
                       - unit_starts_.data() - 1;
            found.emplace_back(unit, p - unit_starts_[unit]);
        }
        return found;
    }

    u64 bytes() const {
        return symbols_.bytes() + weights_.bytes() + positions_.bytes() + matches_.bytes() + pairs_.bytes()
               + heap_.bytes() + evidence_.bytes();
    }

  private:
    struct Item {
        i64 count;
        u64 key;  // the tie key where it is a number; else the pairs' contents are compared
        u32 pair;
    };

    // Counting all base pairs: once for the sizes of their lists, once to fill them.

    void count_everything() {
        std::size_t size = symbols_.size();
        Block<u32> direct;  // the pair of two small base ids, by position in a square
        bool small = base_ <= 512;
        if (small) direct.resize(std::size_t{base_} * base_, NO_PAIR);
        auto pair_at = [&](u32 left, u32 right, bool add) -> u32 {
            if (small) {
                u32& index = direct[std::size_t{left} * base_ + right];
                if (index == NO_PAIR && add) index = pairs_.add(left, right, allowed(left, right));
                return index;
            }
            u32 index = pairs_.find(left, right);
            return index == NO_PAIR && add ? pairs_.add(left, right, allowed(left, right)) : index;
        };
        Block<i64> counts;
        bool in_run = false;  // whether the window before this one was counted and had the same two equal tokens
        for (std::size_t p = 1; p < size; p++) {
            u32 left = symbols_[p - 1], right = symbols_[p];
            if (right == WALL) continue;
            frequencies_[right] += weight(p);
            if (left == WALL) {
                in_run = false;
                continue;
            }
            u32 index = pair_at(left, right, true);
            counts.resize(pairs_.size(), 0);
            pairs_[index].length++;
            in_run = left == right && !(in_run && symbols_[p - 2] == left);
            if (!rules_.half_runs || left != right || in_run) counts[index] += weight(p);
        }
        for (u32 index = 0; index < pairs_.size(); index++) {
            pairs_.change(index, counts[index]);
            if (pairs_[index].length > 1) pairs_[index].start = positions_.take(pairs_[index].length);
        }
        Block<u32> filled;
        filled.resize(pairs_.size(), 0);
        for (std::size_t p = 1; p < size; p++) {
            u32 left = symbols_[p - 1], right = symbols_[p];
            if (left == WALL || right == WALL) continue;
            u32 index = pair_at(left, right, false);
            Pair& pair = pairs_[index];
            if (pair.length == 1) pair.start = p - 1;
            else positions_[pair.start + filled[index]++] = static_cast<u32>(p - 1);
        }
        for (u32 index = 0; index < pairs_.size(); index++) push(index);
    }

    // The pair of a given merge; one that never had a count is made, with no positions.
    u32 given(u64 rank) {
        auto [left, right] = given_[rank];
        u32 index = pairs_.find(left, right);
        return index == NO_PAIR ? pairs_.add(left, right, allowed(left, right)) : index;
    }

    u64 position(const Pair& pair, u32 i) const { return pair.length == 1 ? pair.start : positions_[pair.start + i]; }

    bool is_live(const Pair& pair, u64 p) const {
        return symbols_[p] == pair.left && symbols_[p + contents_.span(pair.left)] == pair.right;
    }

    i64 weight(u64 p) const { return weighted_ ? static_cast<i64>(weights_[p]) : 1; }

    u64 first_live(const Pair& pair) const {
        for (u32 i = 0; i < pair.length; i++)
            if (u64 p = position(pair, i); is_live(pair, p)) return p;
        return ~0ull;
    }

    // The queue: a binary heap whose entries keep the count of when they were pushed. Counts only fall after the round that
    // creates a pair, so a stale entry is pushed down with its present count, and one that is right wins.

    bool precedes(const Item& a, const Item& b) const {
        if (a.count != b.count) return a.count > b.count;
        if (rules_.tie == Tie::smallest_ids || rules_.tie == Tie::first_seen) return a.key < b.key;
        return contents_.before(pairs_[a.pair], pairs_[b.pair]);
    }

    u64 key_of(const Pair& pair) const {
        if (rules_.tie == Tie::smallest_ids) return u64{pair.left} << 32 | pair.right;
        return rules_.tie == Tie::first_seen ? first_live(pair) : 0;
    }

    void push(u32 index) {
        const Pair& pair = pairs_[index];
        if (pair.count < rules_.min_count || !pair.allowed) return;
        heap_.push(Item{pair.count, key_of(pair), index});
        std::size_t at = heap_.size() - 1;
        Item item = heap_[at];
        for (; at && precedes(item, heap_[(at - 1) / 2]); at = (at - 1) / 2) heap_[at] = heap_[(at - 1) / 2];
        heap_[at] = item;
    }

    [[gnu::noinline]] void sink(Item item) {
        std::size_t at = 0, size = heap_.size();
        for (std::size_t child; (child = 2 * at + 1) < size; at = child) {
            if (child + 1 < size && precedes(heap_[child + 1], heap_[child])) child++;
            if (!precedes(heap_[child], item)) break;
            heap_[at] = heap_[child];
        }
        heap_[at] = item;
    }

    void pop() {
        Item last = heap_.back();
        heap_.cut(heap_.size() - 1);
        if (heap_.size()) sink(last);
    }

    u32 peek() {
        while (heap_.size()) {
            Item item = heap_[0];
            const Pair& pair = pairs_[item.pair];
            if (pair.count < rules_.min_count) {
                pop();
                continue;
            }
            u64 key = rules_.tie == Tie::first_seen ? first_live(pair) : item.key;
            if (pair.count == item.count && key == item.key) return item.pair;
            sink(Item{pair.count, key, item.pair});
        }
        return NO_PAIR;
    }

    void rebuild_queue() {
        heap_.cut(0);
        for (u32 index = 0; index < pairs_.size(); index++) push(index);
    }

    // A merge has all the room that it can need before it changes anything, and then cannot fail.

    [[gnu::noinline]] void make_room(const Pair& pair) {
        u64 matches = std::min<u64>(pair.length, pair.count), tokens = contents_.size() + 1;
        u64 made = 2 * std::min(matches, tokens) + 1;  // pairs of the new token
        scratch_for(tokens);
        make_room_for(matches, 0);
        matches_.ensure(matches_.size() + matches);
        match_starts_.ensure(match_starts_.size() + 1);
        positions_.ensure(positions_.size() + 2 * matches);
        frequencies_.ensure(tokens);
        evidence_.ensure(evidence_.size() + 1);
        pairs_.ensure(made);
        made_.ensure(made);
        heap_.ensure(heap_.size() + made);
    }

    // For a known merge, which makes no pairs: `regained` tokens come back with it.
    void make_room_for(u64 matches, u64 regained) {
        u64 kinds = std::min<u64>(matches, contents_.size() + 1);
        befores_.ensure(matches);
        afters_.ensure(matches);
        kinds_.ensure(kinds);
        // Each neighbour has an old and a new pair on each side, and the pair between two matches may be among both sides' old
        // ones. With that one counted three times the old pairs' windows are no more than three times the tokens, and the
        // new token's no more than the tokens.
        u64 tokens = static_cast<u64>(tokens_) + regained;
        pairs_.ensure_counts(4 * kinds + 3, 4 * std::min<u64>(tokens, ~u64{0} / 4));
    }

    u64 matches_of(u64 rank) const { return match_starts_[rank + 1] - match_starts_[rank]; }

    // One merge: its matches are m_[0..n), each with its left and right neighbour as it is before the merge.

    void scratch_for(u32 tokens) {
        sums_.resize(tokens, 0);
        places_.resize(tokens, 0);
        created_.resize(tokens, NO_PAIR);
    }

    void open(u32 left, u32 right, std::size_t first) {
        left_ = left;
        right_ = right;
        step_ = contents_.span(left);
        span_ = step_ + contents_.span(right);
        first_ = first;
        befores_.cut(0);
        afters_.cut(0);
        lost_before_ = lost_after_ = gained_chain_ = 0;
    }

    void load(u64 rank) {
        const Evidence& known = evidence_[rank];
        open(known.left, known.right, match_starts_[rank]);
        matches_end_ = match_starts_[rank + 1];
        token_ = base_ + static_cast<u32>(rank);
        befores_.resize(matches_end_ - first_, CHAINED);
        afters_.resize(matches_end_ - first_, CHAINED);
    }

    void put(u64 p) {
        u32* s = symbols_.data();
        s[p + step_ - 1] = s[p + step_] = INNER;
        s[p] = s[p + span_ - 1] = token_;
    }

    // Looks at the neighbours of the match at p; `end` is where the last match ended.
    void note(u64 p, bool chained, u32 right) {
        if (chained) {
            afters_.back() = CHAINED;
            befores_.push(CHAINED);
        } else {
            befores_.push(symbols_[p - 1]);
        }
        afters_.push(right);
    }

    void find_and_write(u32 winner) {
        Pair pair = pairs_[winner];
        open(pair.left, pair.right, matches_.size());
        token_ = base_ + static_cast<u32>(rank_);
        u64 end = 0;
        const u32* s = symbols_.data();
        for (u32 i = 0; i < pair.length; i++) {
            u64 p = position(pair, i);
            if (s[p] != left_ || s[p + step_] != right_) continue;
            note(p, p == end, s[p + span_]);
            if (rules_.half_runs) note_runs(p);
            put(p);
            matches_.push(static_cast<u32>(p));
            end = p + span_;
        }
        matches_end_ = matches_.size();
        match_starts_.push(matches_end_);
        chain_runs();
    }

    void write() {
        u64 end = 0;
        befores_.cut(0);
        afters_.cut(0);
        for (std::size_t i = first_; i < matches_end_; i++) {
            u64 p = matches_[i];
            note(p, p == end, symbols_[p + span_]);
            if (rules_.half_runs) note_runs(p);
            put(p);
            end = p + span_;
        }
        chain_runs();
    }

    void restore() {
        u32* s = symbols_.data();
        for (std::size_t i = matches_end_; i-- > first_;) {
            u64 p = matches_[i];
            s[p] = s[p + step_ - 1] = left_;
            s[p + step_] = s[p + span_ - 1] = right_;
            bool to_next = i + 1 < matches_end_ && matches_[i + 1] == p + span_;
            bool to_last = i > first_ && matches_[i - 1] + span_ == p;
            afters_[i - first_] = to_next ? CHAINED : s[p + span_];
            befores_[i - first_] = to_last ? CHAINED : s[p - 1];
            if (rules_.half_runs) note_runs(p);
        }
        chain_runs();
    }

    // Of a run of n equal tokens only n / 2 windows count, so a run that gets one shorter loses a count only when n was
    // even, and a chain of new tokens gains one at each even length.

    void note_runs(u64 p) {
        if (left_ == right_) return;
        if (symbols_[p - 1] == left_) {
            u64 length = 1;
            for (u64 at = p; symbols_[at - 1] == left_; at -= step_) length++;
            if (length % 2 == 0) lost_before_ += weight(p);
        }
        u32 span = span_ - step_;
        if (symbols_[p + span_] == right_) {
            u64 length = 1;
            for (u64 at = p + span_; symbols_[at] == right_; at += span) length++;
            if (length % 2 == 0) lost_after_ += weight(p);
        }
    }

    void chain_runs() {
        u64 run = 0;
        for (std::size_t i = first_; i < matches_end_; i++) {
            run = befores_[i - first_] == CHAINED ? run + 1 : 1;
            if (run > 1 && (!rules_.half_runs || run % 2 == 0)) gained_chain_ += weight(matches_[i]);
        }
    }

    i64 weight_of_matches() const {
        if (!weighted_) return static_cast<i64>(matches_end_ - first_);
        i64 sum = 0;
        for (std::size_t i = first_; i < matches_end_; i++) sum += weight(matches_[i]);
        return sum;
    }

    void account(i64 sign) {
        i64 replaced = sign * evidence_[token_ - base_].replacements;
        frequencies_[token_] += replaced;
        frequencies_[left_] -= replaced;
        frequencies_[right_] -= replaced;
        tokens_ -= replaced;
    }

    // Moves the counts of all edges from the merged pair's tokens to the new token (sign 1), or back (sign -1).
    void count_edges(u32 merged, i64 sign, bool learning) {
        made_.cut(0);
        pairs_.change(merged, -sign * evidence_[token_ - base_].count);
        count_side(merged, sign, learning, befores_.data(), true);
        count_side(merged, sign, learning, afters_.data(), false);
        count_chain(sign, learning);
        for (std::size_t i = 0; i < made_.size(); i++) push(made_[i]);
        if (learning && heap_.size() > limits_.heap_entries) rebuild_queue();
    }

    void count_side(u32 merged, i64 sign, bool learning, const u32* neighbours, bool before) {
        std::size_t size = matches_end_ - first_;
        kinds_.cut(0);
        for (std::size_t i = 0; i < size; i++) {
            u32 neighbour = neighbours[i];
            if (neighbour >= CHAINED) continue;
            if (places_[neighbour]++ == 0) kinds_.push(neighbour);
            sums_[neighbour] += weight(matches_[first_ + i]);
        }
        for (std::size_t i = 0; i < kinds_.size(); i++) {
            u32 kind = kinds_[i];
            i64 gained = sums_[kind], lost = gained;
            if (rules_.half_runs && before && kind == left_) lost = lost_before_;
            if (rules_.half_runs && !before && kind == right_) lost = lost_after_;
            u32 old = before ? pairs_.find(kind, left_) : pairs_.find(right_, kind);
            if (old != merged) pairs_.change(old, -sign * lost);
            created_[kind] = gain(before ? kind : token_, before ? token_ : kind, sign * gained, places_[kind], learning);
            sums_[kind] = 0;
            places_[kind] = 0;
        }
        if (!learning) return;
        for (std::size_t i = 0; i < size; i++) {
            u32 neighbour = neighbours[i];
            if (neighbour >= CHAINED) continue;
            u64 p = matches_[first_ + i];
            fill(created_[neighbour], before ? p - contents_.span(neighbour) : p, places_[neighbour]++);
        }
        for (std::size_t i = 0; i < kinds_.size(); i++) places_[kinds_[i]] = 0;
    }

    void count_chain(i64 sign, bool learning) {
        u32 chained = 0;
        i64 lost = 0;
        for (std::size_t i = 1; i < matches_end_ - first_; i++)
            if (befores_[i] == CHAINED) {
                chained++;
                lost += weight(matches_[first_ + i]);
            }
        if (!chained) return;
        if (left_ != right_) pairs_.change(pairs_.find(right_, left_), -sign * lost);
        u32 made = gain(token_, token_, sign * gained_chain_, chained, learning);
        if (!learning) return;
        u32 at = 0;
        for (std::size_t i = 1; i < matches_end_ - first_; i++)
            if (befores_[i] == CHAINED) fill(made, matches_[first_ + i - 1], at++);
    }

    // The pair that an edge to the new token is, with its count changed; made and given a list while learning.
    u32 gain(u32 left, u32 right, i64 delta, u32 length, bool learning) {
        u32 index;
        if (learning) {
            index = pairs_.add(left, right, allowed(left, right));
            pairs_[index].length = length;
            if (length > 1) pairs_[index].start = positions_.take(length);
            made_.push(index);
        } else {
            index = pairs_.find(left, right);
        }
        pairs_.change(index, delta);
        return index;
    }

    void fill(u32 index, u64 p, u32 at) {
        Pair& pair = pairs_[index];
        if (pair.length == 1) pair.start = p;
        else positions_[pair.start + at] = static_cast<u32>(p);
    }

    u64 token_start(u64 p) const {
        u32 token = symbols_[p];
        if (token == INNER) {
            while (symbols_[p] == INNER) p--;
            return p;
        }
        u32 span = contents_.span(token);
        if (span == 2) {
            u64 run = p;
            while (symbols_[run - 1] == token) run--;
            return p - (p - run) % 2;
        }
        return span == 1 || symbols_[p + 1] == INNER ? p : p - span + 1;
    }

    Rules rules_;
    Limits limits_;
    Contents contents_;
    u32 base_ = 0;
    u64 rank_ = 0;
    i64 tokens_ = 0;
    u64 vocabulary_bytes_ = 0;
    u64 need_ = 0;
    bool weighted_ = false;

    Block<u32> symbols_;
    Block<u64> weights_;
    Block<u64> unit_starts_;
    Block<i64> frequencies_;
    Block<u32> positions_;     // the lists of all pairs
    Block<u32> matches_;       // of all ranks, one after another
    Block<u64> match_starts_;  // rank r's matches are those from [r] to before [r + 1]
    Block<Evidence> evidence_;
    Block<std::pair<u32, u32>> given_;
    PairTable pairs_;
    Block<Item> heap_;

    u32 left_ = 0, right_ = 0, token_ = 0, step_ = 0, span_ = 0;
    std::size_t first_ = 0, matches_end_ = 0;
    i64 lost_before_ = 0, lost_after_ = 0, gained_chain_ = 0;
    Block<u32> befores_, afters_, kinds_, places_, created_, made_;
    Block<i64> sums_;
};

}  // namespace bpe
