// Loaded before the C library this makes allocations of a thread fail: the one that its `allocations_left` counts down to,
// or all from that one on. Nothing fails while it is 0.
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);

__thread long allocations_left, allocations_failed;
int failure_lasts;

static int fails(void) {
    if (allocations_left == 0) return 0;
    if (allocations_left > 1) return allocations_left--, 0;
    if (!failure_lasts) allocations_left = 0;
    allocations_failed++;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *data, size_t size) { return fails() ? NULL : __libc_realloc(data, size); }
