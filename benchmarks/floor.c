/* The floor: what a plain C program needs for the same merge list, with no history, no evidence and no way back.

     floor gpt2|document CLASSES FILE VOCABULARY MERGES

   CLASSES holds one byte per code point: 1 letter, 2 number, 3 white space, 0 other. MERGES gets "left right" a line.
   Every adjacent window counts, ties go to the smallest (left, right), a count under 2 ends it. A pair's positions are
   written once, in the step that makes its newer token. No limit is checked: it is for the benchmark's corpora only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;
#define WALL 0xFFFFFFFFu
#define GONE 0xFFFFFFFEu
#define NONE (~0ull)

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static u8 *read_file(const char *path, u64 *size) {
    FILE *f = fopen(path, "rb");
    if (!f) exit(2);
    fseek(f, 0, SEEK_END);
    *size = ftell(f);
    rewind(f);
    u8 *data = malloc(*size + 64);
    if (fread(data, 1, *size, f) != *size) exit(2);
    memset(data + *size, 0, 64);
    fclose(f);
    return data;
}

/* Cutting by GPT-2's pattern */

static u8 *classes;

static inline int class_at(const u8 *p, int *length) {
    u32 c = *p;
    if (c < 0x80) *length = 1;
    else if (c < 0xE0) *length = 2, c = (c & 31) << 6 | (p[1] & 63);
    else if (c < 0xF0) *length = 3, c = (c & 15) << 12 | (p[1] & 63) << 6 | (p[2] & 63);
    else *length = 4, c = (c & 7) << 18 | (p[1] & 63) << 12 | (p[2] & 63) << 6 | (p[3] & 63);
    return classes[c];
}

static inline const u8 *piece_end(const u8 *p, const u8 *end) {
    if (*p == '\'') {
        u8 a = p[1], b = p[2];
        if (a == 's' || a == 'd' || a == 'm' || a == 't') return p + 2;
        if ((a == 'l' && b == 'l') || (a == 'v' && b == 'e') || (a == 'r' && b == 'e')) return p + 3;
    }
    const u8 *q = p;
    int length, kind = class_at(q, &length), space = *q == ' ' && q + 1 < end;
    if (space && (kind = class_at(q + 1, &length)) != 3) q++;
    if (kind != 3) {
        for (q += length; q < end && class_at(q, &length) == kind;) q += length;
        return q;
    }
    class_at(q, &length);
    const u8 *last = q;
    for (q += length; q < end && class_at(q, &length) == 3; q += length) last = q;
    return q < end && last > p ? last : q; /* a run of spaces leaves its last one to the next piece */
}

typedef struct { u64 hash; u32 length, count; const u8 *at; } Piece;
static Piece *pieces;
static u64 piece_room = 1 << 14, piece_count;

static inline u64 load(const u8 *p) { u64 v; memcpy(&v, p, 8); return v; }
static inline u64 mix(u64 a, u64 b) { __uint128_t r = (__uint128_t)a * b; return (u64)r ^ (u64)(r >> 64); }
static inline u64 hash_of(const u8 *p, u32 length) {
    u64 h = length * 0x9E3779B97F4A7C15ull;
    for (; length > 8; p += 8, length -= 8) h = mix(h ^ load(p), 0xa0761d6478bd642full);
    u64 v = load(p);
    if (length < 8) v &= (1ull << (length * 8)) - 1;
    return mix(h ^ v, 0xe7037ed1a0b428dbull) | 1;
}

static void grow_pieces(void) {
    Piece *old = pieces;
    u64 n = piece_room;
    pieces = calloc(piece_room *= 2, sizeof *pieces);
    for (u64 i = 0; i < n; i++)
        if (old[i].hash) {
            u64 j = old[i].hash >> 20 & (piece_room - 1);
            while (pieces[j].hash) j = (j + 1) & (piece_room - 1);
            pieces[j] = old[i];
        }
    free(old);
}

static inline void count_piece(const u8 *p, u32 length) {
    u64 h = hash_of(p, length), j = h >> 20 & (piece_room - 1);
    for (;; j = (j + 1) & (piece_room - 1)) {
        Piece *found = pieces + j;
        if (!found->hash) {
            *found = (Piece){h, length, 1, p};
            if (++piece_count * 2 > piece_room) grow_pieces();
            return;
        }
        if (found->hash == h && found->length == length && !memcmp(found->at, p, length)) {
            found->count++;
            return;
        }
    }
}

/* Pairs */

typedef struct { u64 key; i64 count; u64 start; u32 length; } Pair; /* the key is the pair + 1; 0 is an empty slot */
static Pair *pairs;
static u64 pair_room = 1 << 18, pair_count;

static inline u64 slot(u64 key) { key *= 0x9E3779B97F4A7C15ull; return (key ^ key >> 32) & (pair_room - 1); }
static void grow_pairs(void) {
    Pair *old = pairs;
    u64 n = pair_room;
    pairs = calloc(pair_room *= 2, sizeof *pairs);
    pair_count = 0;
    for (u64 i = 0; i < n; i++)
        if (old[i].key && old[i].count > 0) {
            u64 j = slot(old[i].key);
            while (pairs[j].key) j = (j + 1) & (pair_room - 1);
            pairs[j] = old[i];
            pair_count++;
        }
    free(old);
}
static inline Pair *find(u64 pair) {
    for (u64 j = slot(pair + 1); pairs[j].key; j = (j + 1) & (pair_room - 1))
        if (pairs[j].key == pair + 1) return pairs + j;
    return NULL;
}
static inline Pair *insert(u64 pair) {
    if (pair_count * 2 > pair_room) grow_pairs();
    u64 j = slot(pair + 1);
    while (pairs[j].key) j = (j + 1) & (pair_room - 1);
    pairs[j].key = pair + 1;
    pair_count++;
    return pairs + j;
}

typedef struct { i64 count; u64 pair; } Item;
static Item *queue;
static u64 queued, queue_room = 1 << 16;

static inline int before(Item a, Item b) { return a.count > b.count || (a.count == b.count && a.pair < b.pair); }
static void push(i64 count, u64 pair) {
    if (queued == queue_room) queue = realloc(queue, (queue_room *= 2) * sizeof *queue);
    u64 i = queued++;
    Item item = {count, pair};
    for (; i && before(item, queue[(i - 1) / 2]); i = (i - 1) / 2) queue[i] = queue[(i - 1) / 2];
    queue[i] = item;
}
static Item pop(void) {
    Item top = queue[0], item = queue[--queued];
    u64 i = 0;
    for (u64 child; (child = 2 * i + 1) < queued; i = child) {
        if (child + 1 < queued && before(queue[child + 1], queue[child])) child++;
        if (!before(queue[child], item)) break;
        queue[i] = queue[child];
    }
    queue[i] = item;
    return top;
}

static u32 *places;
static u64 place_count, place_room;
static u64 take(u64 n) {
    while (place_count + n > place_room) places = realloc(places, (place_room += place_room / 2) * sizeof *places);
    place_count += n;
    return place_count - n;
}

/* Symbols: units one after another, walls around them */

static u32 *symbols, *weights;
static u64 size;

static void add_unit(const u8 *p, u64 length, u32 weight) {
    if (!size) symbols[size++] = WALL;
    for (u64 i = 0; i < length; i++) {
        weights[size] = weight;
        symbols[size++] = p[i];
    }
    symbols[size++] = WALL;
}

static void count_base_pairs(void) {
    u64 *seen = calloc(65536, 8), *sums = calloc(65536, 8), *at = malloc(65536 * 8);
    for (u64 i = 0; i + 1 < size; i++)
        if (symbols[i] < 256 && symbols[i + 1] < 256) {
            u32 k = symbols[i] << 8 | symbols[i + 1];
            seen[k]++;
            sums[k] += weights[i];
        }
    for (u32 k = 0; k < 65536; k++)
        if (seen[k]) {
            u64 pair = (u64)(k >> 8) << 32 | (k & 255);
            Pair *made = insert(pair);
            made->count = sums[k];
            made->length = seen[k];
            made->start = at[k] = take(seen[k]);
            push(sums[k], pair);
        }
    for (u64 i = 0; i + 1 < size; i++)
        if (symbols[i] < 256 && symbols[i + 1] < 256) places[at[symbols[i] << 8 | symbols[i + 1]]++] = i;
    free(seen), free(sums), free(at);
}

static u32 merge_all(u32 vocabulary, u64 *merges) {
    u32 *next = malloc(size * 4), *previous = malloc(size * 4);
    for (u64 i = 0; i < size; i++) next[i] = i + 1, previous[i] = (u32)i - 1;
    u64 *sum = calloc(vocabulary + 1, 8), *offset = calloc(vocabulary + 1, 8);
    u32 *number = calloc(vocabulary + 1, 4), *kinds = malloc((vocabulary + 1) * 4);
    u32 *where = malloc(size * 4), *left_at = malloc(size * 4), *lefts = malloc(size * 4), *rights = malloc(size * 4);
    u32 id = 256;
    while (id < vocabulary && queued) {
        Item top = pop();
        Pair *pair = find(top.pair);
        if (!pair || pair->count != top.count) {
            if (pair && pair->count > 1) push(pair->count, top.pair);
            continue;
        }
        if (top.count < 2) break;
        u32 left = top.pair >> 32, right = (u32)top.pair, m = 0, length = pair->length;
        u64 start = pair->start;
        pair->count = 0;
        merges[id] = top.pair;
        for (u32 i = 0; i < length; i++) {
            u32 p = places[start + i];
            if (symbols[p] != left) continue;
            u32 q = next[p];
            if (symbols[q] != right) continue;
            u32 l = previous[p], r = next[q];
            lefts[m] = symbols[l]; /* the new token, if the match before touches this one */
            rights[m] = symbols[r];
            symbols[p] = id;
            symbols[q] = GONE;
            next[p] = r;
            previous[r] = p;
            where[m] = p;
            left_at[m++] = l;
        }
        for (int side = 0; side < 2; side++) {
            u32 *neighbours = side ? rights : lefts, *position = side ? where : left_at, kind_count = 0;
            for (u32 i = 0; i < m; i++) {
                /* a window between two matches is counted once, as the second one's left */
                if (side && i + 1 < m && lefts[i + 1] == id) neighbours[i] = WALL;
                u32 s = neighbours[i];
                if (s == WALL) continue;
                if (!number[s]++) kinds[kind_count++] = s;
                sum[s] += weights[where[i]];
            }
            for (u32 t = 0; t < kind_count; t++) {
                u32 s = kinds[t];
                u64 lost = side ? (u64)right << 32 | s : (u64)(s == id ? right : s) << 32 | left;
                if (lost != top.pair) find(lost)->count -= sum[s];
                u64 new = side ? (u64)id << 32 | s : (u64)s << 32 | id;
                Pair *made = insert(new);
                made->count = sum[s];
                offset[s] = NONE;
                if (sum[s] > 1) {
                    made->length = number[s];
                    made->start = offset[s] = take(number[s]);
                    push(sum[s], new);
                }
            }
            for (u32 i = 0; i < m; i++)
                if (neighbours[i] != WALL && offset[neighbours[i]] != NONE)
                    places[offset[neighbours[i]]++] = position[i];
            for (u32 t = 0; t < kind_count; t++) number[kinds[t]] = 0, sum[kinds[t]] = 0;
        }
        id++;
    }
    return id;
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    u32 vocabulary = atoi(argv[4]);
    u64 bytes, ignored;
    classes = read_file(argv[2], &ignored);
    double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    const u8 *text = read_file(argv[3], &bytes), *end = text + bytes;
    pairs = calloc(pair_room, sizeof *pairs);
    queue = malloc(queue_room * sizeof *queue);
    u64 room = bytes + 2;
    if (argv[1][0] == 'g') {
        pieces = calloc(piece_room, sizeof *pieces);
        for (const u8 *p = text, *q; p < end; p = q) count_piece(p, (q = piece_end(p, end)) - p);
        room = piece_count + 2;
        for (u64 i = 0; i < piece_room; i++) room += pieces[i].length;
    }
    symbols = malloc(room * 4);
    weights = calloc(room, 4);
    if (argv[1][0] == 'g') {
        for (u64 i = 0; i < piece_room; i++)
            if (pieces[i].hash) add_unit(pieces[i].at, pieces[i].length, pieces[i].count);
    } else {
        add_unit(text, bytes, 1);
    }
    places = malloc((place_room = room + 1024) * sizeof *places);
    count_base_pairs();
    u64 *merges = calloc(vocabulary + 1, 8);
    u32 made = merge_all(vocabulary, merges);
    wall = now(CLOCK_MONOTONIC) - wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    FILE *out = fopen(argv[5], "w");
    for (u32 id = 256; id < made; id++) fprintf(out, "%u %u\n", (u32)(merges[id] >> 32), (u32)merges[id]);
    fclose(out);
    long peak = 0;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &peak);
    printf("{\"wall_s\": %.6f, \"cpu_s\": %.6f, \"peak_mb\": %.1f}\n", wall, cpu, peak * 1024 / 1e6);
}
