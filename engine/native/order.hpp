// Tie rules: which of two pairs with equal counts is merged first.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "pairs.hpp"

namespace bpe {

enum class Tie { smallest_ids, first_seen, largest_bytes, largest_symbols, smallest_symbols, shortest_joined };

// A token's kind by sentencepiece's rule, and what joining makes of two: engine/kernel/validity.py says what they mean.
constexpr u32 INVALID = 0, ANY_SCRIPT = 1, MARKED = 1 << 16;

inline u32 joined_kind(u32 left, u32 right) {
    if (left == INVALID || right == INVALID || right & MARKED) return INVALID;
    u32 mark = left & MARKED, script = left & ~MARKED;
    if (script == ANY_SCRIPT || script == right) return right | mark;
    return right == ANY_SCRIPT ? left : INVALID;
}

// The tokens' contents, and their order where a tie rule compares contents. A token's place in that order is a label with
// gaps between neighbours; when a gap is used up all labels are dealt anew, which changes no comparison.
class Contents {
  public:
    Contents(Tie tie, bool characters) : tie_(tie), characters_(characters) {}

    // What can fail comes before anything is changed.
    void add(std::string data, bool ends_word, u32 span, u32 kind) {
        std::size_t tokens = data_.size() + 1, at = by_label() ? place_of(data, ends_word) : 0;
        if (tokens > data_.capacity()) data_.reserve(tokens * 2);
        ends_word_.ensure(tokens);
        spans_.ensure(tokens);
        kinds_.ensure(tokens);
        sorted_.ensure(tokens);
        labels_.ensure(tokens);
        data_.push_back(std::move(data));
        ends_word_.push(ends_word);
        spans_.push(span);
        kinds_.push(kind);
        if (by_label()) insert(static_cast<u32>(tokens - 1), at);
    }

    void add_joined(u32 left, u32 right) {
        u32 kind = joined_kind(kinds_[left], kinds_[right]);
        add(data_[left] + data_[right], ends_word_[right], spans_[left] + spans_[right], kind);
    }

    u32 size() const { return static_cast<u32>(data_.size()); }
    const std::string& data(u32 token) const { return data_[token]; }
    u32 span(u32 token) const { return spans_[token]; }
    bool valid(u32 left, u32 right) const { return joined_kind(kinds_[left], kinds_[right]) != INVALID; }
    u64 length(u32 token) const { return data_[token].size(); }

    // Whether pair a is merged before pair b when their counts are equal; not for first_seen, which needs places.
    bool before(const Pair& a, const Pair& b) const {
        switch (tie_) {
            case Tie::largest_bytes:
            case Tie::largest_symbols:
                if (a.left != b.left) return labels_[a.left] > labels_[b.left];
                return labels_[a.right] > labels_[b.right];
            case Tie::smallest_symbols:
                if (a.left != b.left) return labels_[a.left] < labels_[b.left];
                return labels_[a.right] < labels_[b.right];
            case Tie::shortest_joined:
                return joined_before(a, b);
            default:
                return a.left != b.left ? a.left < b.left : a.right < b.right;
        }
    }

  private:
    bool by_label() const {
        return tie_ == Tie::largest_bytes || tie_ == Tie::largest_symbols || tie_ == Tie::smallest_symbols;
    }

    bool joined_before(const Pair& a, const Pair& b) const {
        u32 spans = spans_[a.left] + spans_[a.right], others = spans_[b.left] + spans_[b.right];
        if (spans != others) return spans < others;
        return compare(joined(a), joined(b)) < 0;
    }

    // Texts that are compared as if their parts were one. The queue compares them while it moves its entries, so comparing
    // needs no memory.
    struct Parts {
        std::string_view part[3];
    };

    Parts joined(const Pair& pair) const {
        return {{data_[pair.left], data_[pair.right], mark(ends_word_[pair.right])}};
    }

    static int compare(Parts a, Parts b) {
        for (int i = 0, j = 0;;) {
            while (i < 3 && a.part[i].empty()) i++;
            while (j < 3 && b.part[j].empty()) j++;
            if (i == 3 || j == 3) return (i < 3) - (j < 3);
            std::size_t size = std::min(a.part[i].size(), b.part[j].size());
            if (int order = a.part[i].substr(0, size).compare(b.part[j].substr(0, size))) return order;
            a.part[i].remove_prefix(size);
            b.part[j].remove_prefix(size);
        }
    }

    static std::string_view mark(bool ends_word) { return ends_word ? "</w>" : ""; }

    // Where a new token belongs among the others by content.
    std::size_t place_of(const std::string& data, bool ends_word) const {
        if (tie_ == Tie::largest_bytes) return place_before([&](u32 token) {
            int order = data_[token].compare(data);
            return order ? order < 0 : ends_word_[token] < u32{ends_word};
        });
        std::string text = spelling(data, ends_word);
        return place_before([&](u32 token) { return spelling(data_[token], ends_word_[token]) < text; });
    }

    template <class Before>
    std::size_t place_before(Before before) const {
        return static_cast<std::size_t>(std::partition_point(sorted_.begin(), sorted_.end(), before) - sorted_.begin());
    }

    // The symbol's text with its mark, by code points; by bytes where those are the alphabet.
    std::string spelling(const std::string& data, bool ends_word) const {
        std::string text = characters_ ? by_code_points(data) : data;
        return text.append(mark(ends_word));
    }

    // UTF-8 in which a byte of no character stands for the code point DC00 + byte, so that byte order is code point order.
    static std::string by_code_points(const std::string& data) {
        std::string text;
        for (std::size_t at = 0; at < data.size();) {
            std::size_t length = character(data, at);
            if (length) {
                text.append(data, at, length);
                at += length;
            } else {
                unsigned code = 0xDC00 + static_cast<unsigned char>(data[at++]);
                text += static_cast<char>(0xED);
                text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
                text += static_cast<char>(0x80 | (code & 0x3F));
            }
        }
        return text;
    }

    // The length of the character at a place, 0 where there is none (Unicode 15, table 3-7).
    static std::size_t character(const std::string& data, std::size_t at) {
        auto byte = [&](std::size_t i) -> unsigned {
            return at + i < data.size() ? static_cast<unsigned char>(data[at + i]) : 0u;
        };
        auto inside = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
            return byte(i) >= low && byte(i) <= high;
        };
        unsigned lead = byte(0);
        if (lead < 0x80) return 1;
        if (lead >= 0xC2 && lead <= 0xDF) return inside(1) ? 2 : 0;
        if (lead >= 0xE0 && lead <= 0xEF) {
            unsigned low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
            return inside(1, low, high) && inside(2) ? 3 : 0;
        }
        if (lead >= 0xF0 && lead <= 0xF4) {
            unsigned low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
            return inside(1, low, high) && inside(2) && inside(3) ? 4 : 0;
        }
        return 0;
    }

    void insert(u32 token, std::size_t at) {
        sorted_.push(token);
        std::rotate(sorted_.begin() + at, sorted_.end() - 1, sorted_.end());
        labels_.resize(token + 1, 0);
        u64 low = at ? labels_[sorted_[at - 1]] : 0;
        u64 high = at + 1 < sorted_.size() ? labels_[sorted_[at + 1]] : ~0ull;
        if (high - low < 2) {
            u64 gap = ~0ull / (sorted_.size() + 1);
            for (std::size_t i = 0; i < sorted_.size(); i++) labels_[sorted_[i]] = (i + 1) * gap;
        } else {
            labels_[token] = low + (high - low) / 2;
        }
    }

    Tie tie_;
    bool characters_;
    std::vector<std::string> data_;
    Block<u32> ends_word_;
    Block<u32> spans_;
    Block<u32> kinds_;
    Block<u32> sorted_;  // tokens by content, for the rules that compare contents
    Block<u64> labels_;
};

}  // namespace bpe
