// The pieces that were merged lately and what became of them, within a bound of bytes.
#pragma once

#include <cstring>
#include <vector>

#include "piece_key.hpp"
#include "ranks.hpp"

namespace bpe {

// Open addressing. A slot holds up to three ids itself; longer results, and the bytes of long pieces before them, lie in
// one store. When the bound is reached everything is forgotten and kept anew from there on.
class PieceMemo {
  public:
    using Byte = unsigned char;
    static constexpr u32 LONGEST = 256;  // longer pieces hardly come again

    struct Slot {
        PieceKey key;
        u32 count;  // 0 where the slot is free
        u32 ids[3]; // or where they lie in the store
    };

    explicit PieceMemo(u64 bound) : bound_(bound) { forget(); }

    void fetch(u64 hash) const { __builtin_prefetch(&slots_[hash & mask_]); }

    const Slot* find(const PieceKey& key, u64 hash, const Byte* p) const {
        for (u64 at = hash & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.count == 0) return nullptr;
            if (slot.key == key && (key.whole() || std::memcmp(&store_[slot.ids[0]], p, key.size()) == 0)) return &slot;
        }
    }

    void append(const Slot& slot, Block<u32>& out) const {
        if (in_slot(slot)) {
            std::size_t at = out.take(3);
            std::memcpy(&out[at], slot.ids, sizeof slot.ids);
            out.cut(at + slot.count);
            return;
        }
        std::size_t at = out.take(slot.count);
        std::memcpy(&out[at], &store_[slot.ids[0] + words(slot.key)], slot.count * sizeof(u32));
    }

    // Keeps a piece that is not there.
    void keep(const PieceKey& key, const Byte* p, u32 size, const u32* ids, u32 count) {
        if (!room_for(words(key) + count)) forget();
        Slot slot{key, count, {}};
        if (in_slot(slot)) {
            std::memcpy(slot.ids, ids, count * sizeof(u32));
        } else {
            std::size_t at = store_.take(words(key) + count);
            if (!key.whole()) std::memcpy(&store_[at], p, size);
            std::memcpy(&store_[at + words(key)], ids, count * sizeof(u32));
            slot.ids[0] = static_cast<u32>(at);
        }
        place(slot);
        kept_++;
    }

    void forget() {
        slots_.assign(LEAST, Slot{});
        store_.cut(0);
        mask_ = LEAST - 1;
        kept_ = 0;
    }

  private:
    static constexpr u64 LEAST = 1 << 12;

    static bool in_slot(const Slot& slot) { return slot.count <= 3 && slot.key.whole(); }
    static u32 words(const PieceKey& key) { return key.whole() ? 0 : static_cast<u32>(key.size() + 3) / 4; }

    // Makes room for one more piece; false where the bound does not allow it.
    bool room_for(u64 words) {
        u64 store = (store_.size() + words) * sizeof(u32);
        u64 slots = mask_ + 1;
        bool grows = (kept_ + 1) * 2 > slots;
        if (store + slots * sizeof(Slot) * (grows ? 2 : 1) > bound_) return false;
        if (grows) rehash();
        return true;
    }

    void rehash() {
        std::vector<Slot> old((mask_ + 1) * 2, Slot{});
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.count) place(slot);
    }

    void place(const Slot& slot) {
        u64 at = slot.key.hash() & mask_;
        while (slots_[at].count) at = (at + 1) & mask_;
        slots_[at] = slot;
    }

    u64 bound_, mask_ = 0, kept_ = 0;
    std::vector<Slot> slots_;
    Block<u32> store_;
};

}  // namespace bpe
