// Boundaries as scanners: where the next piece of a text ends. Each function follows its pattern alternative by
// alternative, with the backtracking that the pattern would do. None looks back, so a text may be scanned from any place
// where a piece begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "classes.hpp"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bytes are looked at eight at a time, in order, which needs a little-endian machine; others go without"
#endif

namespace bpe {

enum class Boundary {
    gpt2, cl100k, o200k, gpt2_by_line, cl100k_by_line, o200k_by_line, whitespace, line, spaces, ascii_whitespace
};

constexpr unsigned bit(unsigned kind) { return 1u << kind; }

class Scanner {
  public:
    using Byte = unsigned char;

    // One character of a text: its class and length in bytes. A byte that belongs to no character is one of class OTHER.
    struct Char {
        unsigned kind;
        unsigned length;
    };

    // The classes are those that the patterns tell apart.
    enum : unsigned { OTHER, UPPER, LOWER, LETTER, MARK, NUMBER, SPACE };

    static Char at(const Byte* p, const Byte* end) {
        unsigned c = *p;
        if (c < 0x80) return {ASCII[c], 1};
        unsigned length = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
        if (length == 0 || end - p < static_cast<std::ptrdiff_t>(length)) return {OTHER, 1};
        unsigned code = c & (0xFFu >> (length + 1));
        for (unsigned i = 1; i < length; i++) {
            if ((p[i] & 0xC0) != 0x80) return {OTHER, 1};
            code = code << 6 | (p[i] & 0x3Fu);
        }
        if ((length == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000)))
            || (length == 4 && (code < 0x10000 || code > 0x10FFFF)))
            return {OTHER, 1};
        return {CLASSES[CLASS_BLOCK[code >> 7] * 128u + (code & 127u)], length};
    }

    // The end of the piece that begins at p < end.
    static const Byte* next(Boundary boundary, const Byte* p, const Byte* end) {
        switch (boundary) {
            case Boundary::gpt2: return gpt2(p, end);
            case Boundary::cl100k: return cl100k(p, end);
            case Boundary::o200k: return o200k(p, end);
            case Boundary::gpt2_by_line: return in_line<gpt2>(p, end);
            case Boundary::cl100k_by_line: return in_line<cl100k>(p, end);
            case Boundary::o200k_by_line: return in_line<o200k>(p, end);
            case Boundary::whitespace: return run(p, end, separates(boundary, p, end) ? bit(SPACE) : ~bit(SPACE));
            case Boundary::line: return line(p, end);
            default: break;
        }
        bool between = separates(boundary, p, end);
        while (++p < end && separates(boundary, p, end) == between) {}
        return p;
    }

    // Whether the piece that begins at p < end is text between matches, which a policy may drop.
    static bool separates(Boundary boundary, const Byte* p, const Byte* end) {
        switch (boundary) {
            case Boundary::whitespace: return at(p, end).kind == SPACE;
            case Boundary::spaces: return *p == ' ';
            case Boundary::ascii_whitespace: return *p == ' ' || (*p >= '\t' && *p <= '\r');
            default: return false;
        }
    }

    // Whether a piece surely begins at p, whatever text stands before p[-1]; the character at p must lie before `end` as
    // a whole. False where that is not known. Why each rule holds:
    // * After a line end, where each line is cut by itself.
    // * After a line end, before a character that is neither white space nor a slash: only white space, and for o200k a
    //   slash, can follow a line end in one piece of gpt2, cl100k, o200k, whitespace and ascii-whitespace, since what they
    //   allow before letters, numbers and others is at most U+0020 (gpt2) or anything but a line end (cl100k, o200k).
    //   Only `spaces` may go on.
    // * Between an ASCII character that is no space and U+0020: no piece but a line holds a space behind anything else.
    // * Between an ASCII letter and an ASCII character that is neither letter nor apostrophe: in gpt2, cl100k and o200k
    //   letters and marks are followed by nothing but letters, marks and a contraction.
    static bool begins(Boundary boundary, const Byte* p, const Byte* end) {
        Byte before = p[-1];
        if (before == '\n' && by_line(boundary)) return true;
        if (before == '\n') return boundary != Boundary::spaces && *p != '/' && at(p, end).kind != SPACE;
        if (boundary == Boundary::line || before <= ' ' || before > '~') return false;
        if (*p == ' ') return true;
        return boundary <= Boundary::o200k_by_line && *p < 0x80 && *p != '\'' && (ASCII_BITS[before] & LETTERS) && !(ASCII_BITS[*p] & LETTERS);
    }

  private:
    static bool by_line(Boundary boundary) {
        return boundary == Boundary::line || (boundary >= Boundary::gpt2_by_line && boundary <= Boundary::o200k_by_line);
    }

    static constexpr unsigned LETTERS = bit(UPPER) | bit(LOWER) | bit(LETTER);
    static constexpr unsigned OTHERS = bit(OTHER) | bit(MARK);
    static constexpr unsigned HIGH = bit(UPPER) | bit(LETTER) | bit(MARK);
    static constexpr unsigned LOW = bit(LOWER) | bit(LETTER) | bit(MARK);

    static bool is(Char c, unsigned kinds) { return bit(c.kind) & kinds; }

    // The end of the run of ASCII characters from `first` to `last` that begins at p, or a place within it near the end
    // of the text; with `fold`, letters count as small ones.
    template <Byte first, Byte last, bool fold>
    static const Byte* skip(const Byte* p, const Byte* end) {
        // Eight bytes at once: the top bit of each byte says whether it is outside.
        constexpr std::uint64_t EACH = 0x0101010101010101u, TOP = 0x80 * EACH;
        while (end - p >= 8) {
            std::uint64_t bytes;
            std::memcpy(&bytes, p, 8);
            std::uint64_t low = (fold ? bytes | 0x20 * EACH : bytes) & ~TOP;
            std::uint64_t from_first = low + (0x80 - first) * EACH, past_last = low + (0x7F - last) * EACH;
            std::uint64_t outside = (~from_first | past_last | bytes) & TOP;
            if (outside) return p + (__builtin_ctzll(outside) >> 3);
            p += 8;
        }
        return p;
    }

    // The end of the run of these kinds that begins at p.
    static const Byte* run(const Byte* p, const Byte* end, unsigned kinds) {
        if (kinds == LETTERS) p = skip<'a', 'z', true>(p, end);
        if (kinds == LOW) p = skip<'a', 'z', false>(p, end);
        if (kinds == ~bit(SPACE)) p = skip<'!', '~', false>(p, end);
        while (p < end) {
            if (*p < 0x80) {
                if (!(ASCII_BITS[*p] & kinds)) break;
                p++;
                continue;
            }
            Char c = at(p, end);
            if (!is(c, kinds)) break;
            p += c.length;
        }
        return p;
    }

    static bool ascii(Byte c, unsigned kinds) { return c < 0x80 && ASCII_BITS[c & 0x7F] & kinds; }

    static bool newline(Byte c) { return c == '\n' || c == '\r'; }

    // Past one U+0020, unless it ends the text.
    static const Byte* after_space(const Byte* p, const Byte* end) { return p + (*p == ' ' && p + 1 < end); }

    // '(?:[sdmt]|ll|ve|re)
    static const Byte* contraction(const Byte* p, const Byte* end) {
        if (*p != '\'' || end - p < 2) return p;
        Byte a = p[1], b = end - p > 2 ? p[2] : 0;
        if (a == 's' || a == 'd' || a == 'm' || a == 't') return p + 2;
        return (a == 'l' && b == 'l') || ((a == 'v' || a == 'r') && b == 'e') ? p + 3 : p;
    }

    // '(?i:[sdmt]|ll|ve|re), where U+017F counts as an s
    static const Byte* any_contraction(const Byte* p, const Byte* end) {
        if (p == end || *p != '\'' || end - p < 2) return p;
        Byte a = p[1] | 0x20, b = end - p > 2 ? p[2] | 0x20 : 0;
        if (p[1] == 0xC5 && end - p > 2 && p[2] == 0xBF) return p + 3;
        if (a == 's' || a == 'd' || a == 'm' || a == 't') return p + 2;
        return (a == 'l' && b == 'l') || ((a == 'v' || a == 'r') && b == 'e') ? p + 3 : p;
    }

    // \s+(?!\S)|\s+ : white space gives its last character to the next piece, unless it has only one or ends the text.
    static const Byte* spaces(const Byte* p, const Byte* end) {
        const Byte* last = p;
        const Byte* q = p;
        while (q < end) {
            Char c = at(q, end);
            if (c.kind != SPACE) return last > p ? last : q;
            last = q;
            q += c.length;
        }
        return q;
    }

    // \s*[\r\n] : through the last line end of a run of white space; p where there is none.
    static const Byte* through_newline(const Byte* p, const Byte* end) {
        const Byte* last = p;
        for (const Byte* q = p; q < end;) {
            Char c = at(q, end);
            if (c.kind != SPACE) break;
            bool line_end = newline(*q);
            q += c.length;
            if (line_end) last = q;
        }
        return last;
    }

    // '(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
    static const Byte* gpt2(const Byte* p, const Byte* end) {
        const Byte* q = after_space(p, end);
        if (ascii(*q, LETTERS)) return run(q + 1, end, LETTERS);  // most pieces
        if (const Byte* r = contraction(p, end); r > p) return r;
        Char c = at(q, end);
        if (c.kind == SPACE) return spaces(p, end);
        return run(q + c.length, end, is(c, LETTERS) ? LETTERS : c.kind == NUMBER ? bit(NUMBER) : OTHERS);
    }

    // '(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s
    static const Byte* cl100k(const Byte* p, const Byte* end) {
        if (const Byte* q = after_space(p, end); ascii(*q, LETTERS)) return run(q + 1, end, LETTERS);  // most pieces
        if (const Byte* q = any_contraction(p, end); q > p) return q;
        Char c = at(p, end);
        if (is(c, LETTERS)) return run(p + c.length, end, LETTERS);
        if (c.kind == NUMBER) return numbers(p, end);
        if (!newline(*p) && p + c.length < end && is(at(p + c.length, end), LETTERS))
            return run(p + c.length, end, LETTERS);
        if (const Byte* q = others(p, end, false); q > p) return q;
        return white(p, end);
    }

    static const Byte* numbers(const Byte* p, const Byte* end) {
        for (int i = 0; i < 3 && p < end; i++) {
            Char c = at(p, end);
            if (c.kind != NUMBER) break;
            p += c.length;
        }
        return p;
    }

    //  ?[^\s\p{L}\p{N}]+[\r\n/]* , the slash for o200k only; p where it does not match
    static const Byte* others(const Byte* p, const Byte* end, bool slash) {
        const Byte* start = *p == ' ' ? p + 1 : p;
        const Byte* q = run(start, end, OTHERS);
        if (q == start) return p;
        while (q < end && (newline(*q) || (slash && *q == '/'))) q++;
        return q;
    }

    // \s++$|\s*[\r\n]|\s+(?!\S)|\s
    static const Byte* white(const Byte* p, const Byte* end) {
        if (run(p, end, bit(SPACE)) == end) return end;
        const Byte* q = through_newline(p, end);
        return q > p ? q : spaces(p, end);
    }

    // The two word patterns, then \p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
    static const Byte* o200k(const Byte* p, const Byte* end) {
        const Byte* q = after_space(p, end);
        if (ascii(*q, bit(UPPER)) && q + 1 < end) q++;
        if (ascii(*q, bit(LOWER))) return any_suffix(run(q + 1, end, LOW), end);  // most pieces: at most one capital first
        return o200k_other(p, end);
    }

    static const Byte* o200k_other(const Byte* p, const Byte* end) {
        Char c = at(p, end);
        bool prefix = !newline(*p) && !is(c, LETTERS) && c.kind != NUMBER;
        const Byte* after = p + c.length;
        if (prefix && after < end)
            if (const Byte* q = word(after, end); q > after) return any_suffix(q, end);
        if (const Byte* q = word(p, end); q > p) return any_suffix(q, end);
        if (prefix && after < end)
            if (const Byte* q = run(after, end, HIGH); q > after) return any_suffix(run(q, end, LOW), end);
        if (const Byte* q = run(p, end, HIGH); q > p) return any_suffix(run(q, end, LOW), end);
        if (c.kind == NUMBER) return numbers(p, end);
        if (const Byte* q = others(p, end, true); q > p) return q;
        const Byte* q = through_newline(p, end);
        return q > p ? q : spaces(p, end);
    }

    // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ : the second part takes from the first what it needs.
    static const Byte* word(const Byte* p, const Byte* end) {
        const Byte* q = p;
        const Byte* both_end = p;  // after the last character that either part may take
        while (q < end) {
            Char c = at(q, end);
            if (!is(c, HIGH)) break;
            q += c.length;
            if (is(c, LOW)) both_end = q;
        }
        if (q < end && is(at(q, end), LOW)) return run(q, end, LOW);
        return both_end;
    }

    // (?i:'s|'t|'re|'ve|'m|'ll|'d)?
    static const Byte* any_suffix(const Byte* p, const Byte* end) { return any_contraction(p, end); }

    // What another boundary does to a line by itself: white space goes on to its end, and nothing goes over it.
    template <const Byte* (*cut)(const Byte*, const Byte*)>
    static const Byte* in_line(const Byte* p, const Byte* end) {
        const Byte* q = p;
        while (q < end && *q != '\n') {
            Char c = at(q, end);
            if (c.kind != SPACE) return line(p, cut(p, end));
            q += c.length;
        }
        return q < end ? q + 1 : cut(p, end);
    }

    // [^\n]*\n|[^\n]+
    static const Byte* line(const Byte* p, const Byte* end) {
        const void* found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
        return found == nullptr ? end : static_cast<const Byte*>(found) + 1;
    }

    // clang-format off
    static constexpr Byte ASCII[128] = {
        0,0,0,0,0,0,0,0,0,6,6,6,6,6,0,0, 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
        6,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0, 5,5,5,5,5,5,5,5,5,5,0,0,0,0,0,0,
        0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1, 1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,
        0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2, 2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,
    };
    // The same as bits, for runs.
    static constexpr Byte ASCII_BITS[128] = {
        1,1,1,1,1,1,1,1,1,64,64,64,64,64,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
        64,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,32,32,32,32,32,32,32,32,32,32,1,1,1,1,1,1,
        1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,
        1,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,1,1,1,1,1,
    };
    // clang-format on
};

}  // namespace bpe
