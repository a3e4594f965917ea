/* The slow twin of a generated kernel: a C function that makes the accesses of one thread, written
 * directly from the source of the benchmark suite in the order of its PTX. check_twin compares it
 * with the generated kernel, thread by thread. */
#pragma once

#include "trace/stream.h"

struct sizes {
    int64_t i, j, k, l, m;
};

/* One thread of the twin: its position, with the planes (z) one below the other, and the hash of
 * its accesses. */
struct thread {
    const struct trace_source *source;
    struct sizes n;
    uint32_t launch;
    int64_t x, y;
    uint64_t hash;
};

/* Make an access: to an address in any space, to an array of the program by byte offset, or by
 * index of 4-byte elements. */
void touch_bytes(struct thread *thread, enum memory_op op, const char *array, uint64_t offset,
                 unsigned bytes);
void touch_space(struct thread *thread, enum memory_op op, enum memory_space space, unsigned bytes,
                 uint64_t address);
void touch(struct thread *thread, enum memory_op op, const char *array, int64_t index);
void load(struct thread *thread, const char *array, int64_t index);
void store(struct thread *thread, const char *array, int64_t index);

/* Checks that every thread of every launch makes exactly the accesses of the twin, in the same
 * order. */
void check_twin(const struct trace_source *source, struct sizes n, void (*run)(struct thread *));
