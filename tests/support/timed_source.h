/* A trace source held in memory that knows its instructions: small random programs with which tests
 * drive the timing depth. Registers are few, so that instructions wait for each other; masks,
 * barriers, exits and accesses are as random as the format allows. The seed alone decides the
 * contents. */
#pragma once

#include "support/roll_cache.h"
#include "trace/stream.h"

enum timed_content { /* what a program may have besides arithmetic */
                     TIMED_LOADS = 1 << 0,
                     TIMED_STORES = 1 << 1,
                     TIMED_ATOMICS = 1 << 2,
                     TIMED_SHARED = 1 << 3, /* loads, stores and atomics in shared memory */
                     TIMED_COPIES = 1 << 4, /* asynchronous copies and waits for them */
                     TIMED_FENCES = 1 << 5,
                     TIMED_BARRIERS = 1 << 6,
                     TIMED_EXITS = 1 << 7, /* threads that end before their warp does */
                     TIMED_ALL = (1 << 8) - 1,
                     TIMED_TEXTURES = 1 << 8, /* loads of textures */
                     TIMED_GAPS = 1 << 9, /* records know how many instructions come before them */
                     TIMED_FLOATS = 1 << 10 /* atomics on floating-point numbers */
};

/* As content: a program has this enum instruction_class, and of all others those that are named so,
 * too. */
#define TIMED_ONLY(class) (0x10000u << (class))

struct timed_shape {
    uint32_t launches, blocks, warps, instructions; /* most of them */
    uint64_t lines;                                 /* of 128 B that accesses go to */
    unsigned content;                               /* enum timed_content, perhaps TIMED_ONLY */
};

struct timed_warp {
    struct warp_instruction *issues;
    struct warp_access *records; /* affine only */
    uint32_t issue_count, record_count;
    uint32_t tail; /* instructions after the last record, with TIMED_GAPS */
};

struct timed_launch {
    uint32_t blocks, warps; /* warps per block */
    struct timed_warp *warp;
};

struct timed_source {
    struct trace_source base;
    struct timed_launch *lists;
};

/* Never NULL: aborts if memory is short. */
struct timed_source *timed_source_random(uint64_t seed, const struct timed_shape *shape);
