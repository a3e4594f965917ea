/* The slow twin of a generated kernel: what one thread accesses, written straight from the source
 * of the suite in PTX order. */
#pragma once

#include "trace/stream.h"

struct sizes {
    int64_t i, j, k, l, m;
};

/* One thread of the twin: where it is, its planes one below the other, and a hash of what it has
 * accessed. */
struct thread {
    const struct trace_source *source;
    struct sizes n;
    uint32_t launch;
    int64_t x, y;
    uint64_t hash;
};

/* Accesses to an address of any space; to an array of the program by offset in bytes, or by index
 * of 4-byte elements. */
void touch_bytes(struct thread *thread, enum memory_op op, const char *array, uint64_t offset,
                 unsigned bytes);
void touch_space(struct thread *thread, enum memory_op op, enum memory_space space, unsigned bytes,
                 uint64_t address);
void touch(struct thread *thread, enum memory_op op, const char *array, int64_t index);
void load(struct thread *thread, const char *array, int64_t index);
void store(struct thread *thread, const char *array, int64_t index);

/* Every thread of every launch of the source makes exactly the twin's accesses, in its order. */
void check_twin(const struct trace_source *source, struct sizes n, void (*run)(struct thread *));
