// Encoding texts: cut at the boundary, look each piece up among those met lately, merge what is new.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "memo.hpp"
#include "merge.hpp"
#include "scan.hpp"

namespace bpe {

using Ids = Block<u32>;

// How a text is cut, and which merges exist.
struct Task {
    bool whole;         // not at all
    Boundary boundary;  // unless whole
    bool dropped;       // whether text between matches is left out
    u32 limit;          // ranks from here on do not exist
};

struct Text {
    const unsigned char* data;
    std::size_t size;
};

// One thread's scratch and memory; the memory holds for one limit at a time.
class EncodeWorker {
  public:
    using Byte = unsigned char;

    EncodeWorker(const RankTable& ranks, const u32* base_ids, u64 bound)
        : merger_(ranks), memo_(bound), base_ids_(base_ids) {}

    void encode(Text text, Task task, Ids& out) {
        if (task.limit != limit_) memo_.forget();
        limit_ = task.limit;
        cut(text.data, text.data + text.size, task, out);
        flush(out);
    }

    std::size_t merge(u32* ids, std::size_t size, u32 limit) { return merger_.merge(ids, size, limit); }

  private:
    static constexpr u32 AHEAD = 32;

    struct Waiting {
        const Byte* begin;
        const Byte* end;
        PieceKey key;
        u64 hash;

        bool short_enough() const { return static_cast<std::size_t>(end - begin) <= PieceMemo::LONGEST; }
        u32 size() const { return static_cast<u32>(end - begin); }
    };

    void cut(const Byte* p, const Byte* end, Task task, Ids& out) {
        if (task.whole) return p < end ? piece(p, end, end, out) : void();
        switch (task.boundary) {
            case Boundary::gpt2: return scan<Boundary::gpt2>(p, end, task.dropped, out);
            case Boundary::cl100k: return scan<Boundary::cl100k>(p, end, task.dropped, out);
            case Boundary::o200k: return scan<Boundary::o200k>(p, end, task.dropped, out);
            case Boundary::gpt2_by_line: return scan<Boundary::gpt2_by_line>(p, end, task.dropped, out);
            case Boundary::cl100k_by_line: return scan<Boundary::cl100k_by_line>(p, end, task.dropped, out);
            case Boundary::o200k_by_line: return scan<Boundary::o200k_by_line>(p, end, task.dropped, out);
            case Boundary::whitespace: return scan<Boundary::whitespace>(p, end, task.dropped, out);
            case Boundary::line: return scan<Boundary::line>(p, end, task.dropped, out);
            case Boundary::spaces: return scan<Boundary::spaces>(p, end, task.dropped, out);
            case Boundary::ascii_whitespace: return scan<Boundary::ascii_whitespace>(p, end, task.dropped, out);
        }
    }

    template <Boundary boundary>
    void scan(const Byte* p, const Byte* end, bool dropped, Ids& out) {
        while (p < end) {
            const Byte* q = Scanner::next(boundary, p, end);
            if (!dropped || !Scanner::separates(boundary, p, end)) piece(p, q, end, out);
            p = q;
        }
    }

    // Pieces wait until a few are known, so that their slots are on the way from memory before the first is looked at.
    void piece(const Byte* p, const Byte* q, const Byte* end, Ids& out) {
        Waiting& last = waiting_[count_++];
        last = Waiting{p, q, {}, 0};
        if (last.short_enough()) {
            last.key = PieceKey::of(p, last.size(), end);
            last.hash = last.key.hash();
            memo_.fetch(last.hash);
        }
        if (count_ == AHEAD) flush(out);
    }

    void flush(Ids& out) {
        for (u32 i = 0; i < count_; i++) encode(waiting_[i], out);
        count_ = 0;
    }

    void encode(const Waiting& piece, Ids& out) {
        if (!piece.short_enough()) return fresh(piece.begin, piece.end, out);
        u32 size = piece.size();
        const PieceMemo::Slot* slot = memo_.find(piece.key, piece.hash, piece.begin);
        if (slot) return memo_.append(*slot, out);
        std::size_t at = out.size();
        fresh(piece.begin, piece.end, out);
        memo_.keep(piece.key, piece.begin, size, &out[at], static_cast<u32>(out.size() - at));
    }

    void fresh(const Byte* p, const Byte* q, Ids& out) {
        std::size_t size = static_cast<std::size_t>(q - p), at = out.take(size);
        for (std::size_t i = 0; i < size; i++) out[at + i] = base_ids_[p[i]];
        out.cut(at + merger_.merge(&out[at], size, limit_));
    }

    Merger merger_;
    PieceMemo memo_;
    const u32* base_ids_;
    u32 limit_ = 0;
    Waiting waiting_[AHEAD];
    u32 count_ = 0;
};

// Many threads may encode at once; a merge is added when none does.
class Encoder {
  public:
    // `base` tokens before the merges; `base_ids` of the 256 bytes, all 0 where texts are not bytes; `bound` of each thread's
    // memory in bytes.
    Encoder(u32 base, const unsigned char* base_ids, u64 bound) : ranks_(base), bound_(bound) {
        for (int byte = 0; byte < 256; byte++) base_ids_[byte] = base_ids[byte];
    }

    void add(u32 left, u32 right) {
        std::unique_lock<std::shared_mutex> alone(access_);
        ranks_.add(left, right);
    }

    u32 merges() const { return ranks_.size(); }

    void encode(Text text, Task task, Ids& out) {
        std::shared_lock<std::shared_mutex> access(access_);
        task.limit = within(task.limit);
        Lease worker(*this);
        worker->encode(text, task, out);
    }

    // Merges base ids in place; how many tokens are left.
    std::size_t merge(u32* ids, std::size_t size, u32 limit) {
        std::shared_lock<std::shared_mutex> access(access_);
        Lease worker(*this);
        return worker->merge(ids, size, within(limit));
    }

    // Each text into the ids of the same number, by this thread and threads - 1 others, or as many as can be started.
    void encode_batch(const std::vector<Text>& texts, Task task, unsigned threads, Ids* out) {
        std::shared_lock<std::shared_mutex> access(access_);
        task.limit = within(task.limit);
        std::atomic<std::size_t> next{0};
        std::exception_ptr failure;
        auto work = [&] {
            try {
                Lease worker(*this);
                for (std::size_t i; (i = next++) < texts.size();) worker->encode(texts[i], task, out[i]);
            } catch (...) {
                std::lock_guard<std::mutex> alone(idle_access_);
                failure = std::current_exception();
                next = texts.size();
            }
        };
        std::vector<std::thread> others;
        std::size_t wanted = std::min<std::size_t>(threads, texts.size());
        others.reserve(wanted);
        try {
            while (others.size() + 1 < wanted) others.emplace_back(work);
        } catch (const std::exception&) {
            // No more threads, or no memory for them: those there are do the work.
        }
        work();
        for (std::thread& other : others) other.join();
        if (failure) std::rethrow_exception(failure);
    }

  private:
    u32 within(u32 limit) const { return std::min(limit, ranks_.size()); }

    // A worker for as long as one call needs it.
    class Lease {
      public:
        explicit Lease(Encoder& encoder) : encoder_(encoder) {
            std::lock_guard<std::mutex> alone(encoder_.idle_access_);
            if (encoder_.idle_.empty()) {
                worker_.reset(new EncodeWorker(encoder_.ranks_, encoder_.base_ids_, encoder_.bound_));
            } else {
                worker_ = std::move(encoder_.idle_.back());
                encoder_.idle_.pop_back();
            }
        }

        // After a failure its scratch is in no good state.
        ~Lease() {
            if (std::uncaught_exceptions() > 0) return;
            std::lock_guard<std::mutex> alone(encoder_.idle_access_);
            try {
                encoder_.idle_.push_back(std::move(worker_));
            } catch (const std::bad_alloc&) {
                // No room to keep it: the next call makes another.
            }
        }

        EncodeWorker* operator->() { return worker_.get(); }

      private:
        Encoder& encoder_;
        std::unique_ptr<EncodeWorker> worker_;
    };

    RankTable ranks_;
    u32 base_ids_[256];
    u64 bound_;
    std::shared_mutex access_;
    std::mutex idle_access_;
    std::vector<std::unique_ptr<EncodeWorker>> idle_;
};

}  // namespace bpe
