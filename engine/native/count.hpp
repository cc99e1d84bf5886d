// Distinct pieces of texts and how often each occurs, in the order of first appearance.
#pragma once

#include "block.hpp"
#include "piece_key.hpp"
#include "scan.hpp"

namespace bpe {

// Open addressing; a slot holds a piece itself where it is short, so that a lookup touches one line of memory. Pieces are
// looked up in batches: their slots are on their way while the next pieces are still scanned.
class PieceTable {
  public:
    using Byte = unsigned char;
    using Word = std::uint64_t;

    PieceTable() { slots_.resize(1 << 12, Slot{}); }

    Word size() const { return size_; }
    Word bytes() const { return bytes_; }
    Word weighted_bytes() const { return weighted_bytes_; }

    // Counts the pieces that begin from `p` to before `stop`, which is where a piece begins or `end`; the text goes on to
    // `end`. Text between matches is left out where `dropped`.
    void scan(Boundary boundary, bool dropped, const Byte* p, const Byte* stop, const Byte* end, Word weight) {
        switch (boundary) {
            case Boundary::gpt2: return scan_as<Boundary::gpt2>(dropped, p, stop, end, weight);
            case Boundary::cl100k: return scan_as<Boundary::cl100k>(dropped, p, stop, end, weight);
            case Boundary::o200k: return scan_as<Boundary::o200k>(dropped, p, stop, end, weight);
            case Boundary::gpt2_by_line: return scan_as<Boundary::gpt2_by_line>(dropped, p, stop, end, weight);
            case Boundary::cl100k_by_line: return scan_as<Boundary::cl100k_by_line>(dropped, p, stop, end, weight);
            case Boundary::o200k_by_line: return scan_as<Boundary::o200k_by_line>(dropped, p, stop, end, weight);
            case Boundary::whitespace: return scan_as<Boundary::whitespace>(dropped, p, stop, end, weight);
            case Boundary::line: return scan_as<Boundary::line>(dropped, p, stop, end, weight);
            case Boundary::spaces: return scan_as<Boundary::spaces>(dropped, p, stop, end, weight);
            case Boundary::ascii_whitespace: return scan_as<Boundary::ascii_whitespace>(dropped, p, stop, end, weight);
        }
    }

    // Adds another table's pieces behind this one's.
    void merge(const PieceTable& other) {
        Block<Word> order;
        other.list(order);
        for (Word at : order) {
            const Slot& slot = other.slots_[at];
            add(slot.key, slot.key.hash(), other.bytes_of(slot), slot.count);
        }
    }

    // Writes all pieces one behind another, where each ends, and their counts.
    void pack(Byte* bytes, Word* ends, Word* counts) const {
        Block<Word> order;
        list(order);
        Word end = 0;
        for (Word i = 0; i < size_; i++) {
            const Slot& slot = slots_[order[i]];
            std::memcpy(bytes + end, bytes_of(slot), slot.key.size());
            ends[i] = end += slot.key.size();
            counts[i] = slot.count;
        }
    }

  private:
    struct Slot {
        PieceKey key;
        Word count;  // weighted; 0 where the slot is free
        std::uint32_t number;  // how many pieces were there before it
        std::uint32_t place;   // of a long piece: the number of its bytes among the long ones'
    };

    static constexpr int BATCH = 32;

    template <Boundary boundary>
    void scan_as(bool dropped, const Byte* p, const Byte* stop, const Byte* end, Word weight) {
        PieceKey keys[BATCH];
        Word hashes[BATCH];
        const Byte* starts[BATCH];
        while (p < stop) {
            int met = 0;
            while (met < BATCH && p < stop) {
                const Byte* q = Scanner::next(boundary, p, end);
                if (!dropped || !Scanner::separates(boundary, p, end)) {
                    keys[met] = PieceKey::of(p, static_cast<std::size_t>(q - p), end);
                    hashes[met] = keys[met].hash();
                    starts[met] = p;
                    __builtin_prefetch(&slots_[hashes[met] & (slots_.size() - 1)], 1);
                    met++;
                }
                p = q;
            }
            for (int i = 0; i < met; i++) add(keys[i], hashes[i], starts[i], weight);
        }
    }

    void add(const PieceKey& key, Word hash, const Byte* bytes, Word weight) {
        Word mask = slots_.size() - 1, at = hash & mask;
        weighted_bytes_ += key.size() * weight;
        for (; slots_[at].count; at = (at + 1) & mask) {
            Slot& slot = slots_[at];
            if (slot.key == key && (key.whole() || std::memcmp(bytes_of(slot), bytes, key.size()) == 0)) {
                slot.count += weight;
                return;
            }
        }
        insert(at, key, bytes, weight);
    }

    // By itself, so that counting a known piece again, which is most of the work, is inlined where pieces are scanned.
    [[gnu::noinline]] void insert(Word at, const PieceKey& key, const Byte* bytes, Word weight) {
        Slot& slot = slots_[at];
        slot = {key, weight, static_cast<std::uint32_t>(size_), 0};
        bytes_ += key.size();
        if (!key.whole()) {
            slot.place = static_cast<std::uint32_t>(places_.size());
            places_.push(long_.take(key.size()));
            std::memcpy(&long_[places_.back()], bytes, key.size());
        }
        if (++size_ * 5 > slots_.size() * 3) rehash();
    }

    const Byte* bytes_of(const Slot& slot) const {
        return slot.key.whole() ? reinterpret_cast<const Byte*>(&slot.key) : &long_[places_[slot.place]];
    }

    // The slots of all pieces, in order of first appearance.
    void list(Block<Word>& order) const {
        order.resize(size_, 0);
        for (Word at = 0; at < slots_.size(); at++)
            if (slots_[at].count) order[slots_[at].number] = at;
    }

    void rehash() {
        Block<Slot> old;
        old.swap(slots_);
        slots_.resize(old.size() * 2, Slot{});
        Word mask = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (!slot.count) continue;
            Word at = slot.key.hash() & mask;
            while (slots_[at].count) at = (at + 1) & mask;
            slots_[at] = slot;
        }
    }

    Block<Slot> slots_;
    Block<Byte> long_;
    Block<Word> places_;  // where the bytes of each long piece begin
    Word size_ = 0, bytes_ = 0, weighted_bytes_ = 0;
};

// The number of each packed piece: open addressing over bytes that somebody else keeps.
class PieceIndex {
  public:
    using Byte = unsigned char;
    using Word = std::uint64_t;

    PieceIndex(const Byte* bytes, const Word* ends, Word size) : bytes_(bytes), ends_(ends), size_(size) {
        Word room = 16;
        while (room < size * 2) room *= 2;
        slots_.resize(room, 0);
        for (Word i = 0; i < size; i++) {
            Word at = hashed(start(i), length(i)) & (room - 1);
            while (slots_[at]) at = (at + 1) & (room - 1);
            slots_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    // The piece's number, or the number of pieces where it is not there.
    Word find(const Byte* p, Word size) const {
        Word mask = slots_.size() - 1;
        for (Word at = hashed(p, size) & mask; slots_[at]; at = (at + 1) & mask) {
            Word i = slots_[at] - 1;
            if (length(i) == size && std::memcmp(start(i), p, size) == 0) return i;
        }
        return size_;
    }

  private:
    const Byte* start(Word i) const { return bytes_ + (i ? ends_[i - 1] : 0); }
    Word length(Word i) const { return ends_[i] - (i ? ends_[i - 1] : 0); }
    static Word hashed(const Byte* p, Word size) { return PieceKey::of(p, size, p + size).hash(); }

    const Byte* bytes_;
    const Word* ends_;
    Word size_;
    Block<std::uint32_t> slots_;
};

}  // namespace bpe
