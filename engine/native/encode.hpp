// Encoding texts: cut at the boundary, look each piece up among those met lately, merge what is new.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "memo.hpp"
#include "merge.hpp"
#include "scan.hpp"

namespace bpe {

using Ids = Block<u32>;

enum class Cut { document, line, spaces, ascii_whitespace, whitespace, gpt2, cl100k, o200k };

// How a text is cut, and which merges exist.
struct Task {
    Cut cut;
    bool kept;  // whether the white space between pieces is a piece as well
    u32 limit;  // ranks from here on do not exist
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
        const Byte* p = text.data;
        const Byte* end = p + text.size;
        switch (task.cut) {
            case Cut::document: return p < end ? piece(p, end, end, out) : void();
            case Cut::line: return all(p, end, out, line);
            case Cut::spaces: return some(p, end, out, task.kept, [](Byte c) { return c == ' '; });
            case Cut::ascii_whitespace:
                return some(p, end, out, task.kept, [](Byte c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
            case Cut::whitespace: return words(p, end, out, task.kept);
            case Cut::gpt2: return all(p, end, out, scan<Boundary::gpt2>);
            case Cut::cl100k: return all(p, end, out, scan<Boundary::cl100k>);
            case Cut::o200k: return all(p, end, out, scan<Boundary::o200k>);
        }
    }

    std::size_t merge(u32* ids, std::size_t size, u32 limit) { return merger_.merge(ids, size, limit); }

  private:
    template <Boundary boundary>
    static const Byte* scan(const Byte* p, const Byte* end) {
        return Scanner::next(boundary, p, end);
    }

    static const Byte* line(const Byte* p, const Byte* end) {
        const void* found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
        return found ? static_cast<const Byte*>(found) + 1 : end;
    }

    template <class Next>
    void all(const Byte* p, const Byte* end, Ids& out, Next next) {
        while (p < end) {
            const Byte* q = next(p, end);
            piece(p, q, end, out);
            p = q;
        }
    }

    // Runs of bytes that are no space, and runs of spaces between them.
    template <class Space>
    void some(const Byte* p, const Byte* end, Ids& out, bool kept, Space space) {
        while (p < end) {
            bool between = space(*p);
            const Byte* q = p + 1;
            while (q < end && space(*q) == between) q++;
            if (kept || !between) piece(p, q, end, out);
            p = q;
        }
    }

    void words(const Byte* p, const Byte* end, Ids& out, bool kept) {
        while (p < end) {
            const Byte* q = scan<Boundary::whitespace>(p, end);
            if (kept || Scanner::at(p, end).kind != Scanner::SPACE) piece(p, q, end, out);
            p = q;
        }
    }

    void piece(const Byte* p, const Byte* q, const Byte* end, Ids& out) {
        if (static_cast<std::size_t>(q - p) > PieceMemo::LONGEST) return fresh(p, q, out);
        u32 size = static_cast<u32>(q - p);
        PieceKey key = PieceKey::of(p, size, end);
        if (const PieceMemo::Slot* slot = memo_.find(key, p, size)) return memo_.append(*slot, out);
        std::size_t at = out.size();
        fresh(p, q, out);
        memo_.keep(key, p, size, &out[at], static_cast<u32>(out.size() - at));
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

    // Each text into the ids of the same number, by this thread and threads - 1 others.
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
        try {
            for (unsigned i = 1; i < threads && i < texts.size(); i++) others.emplace_back(work);
        } catch (const std::system_error&) {
            // No more threads to be had: those there are do the work.
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
            encoder_.idle_.push_back(std::move(worker_));
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
