// Loaded before the C library this makes allocations fail: the one that `allocations_left` counts down to, or all from that
// one on. Nothing fails while it is 0.
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);

long allocations_left, allocations_failed;
int failure_lasts;

static int fails(void) {
    long left = __atomic_load_n(&allocations_left, __ATOMIC_RELAXED);
    if (left == 0) return 0;
    if (left > 1 || !failure_lasts) __atomic_sub_fetch(&allocations_left, 1, __ATOMIC_RELAXED);
    if (left > 1) return 0;
    __atomic_add_fetch(&allocations_failed, 1, __ATOMIC_RELAXED);
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *data, size_t size) { return fails() ? NULL : __libc_realloc(data, size); }
