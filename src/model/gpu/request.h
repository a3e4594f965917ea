/* A memory request: one coalesced transaction of a warp instruction, or what a cache sends to the
 * next level. 24 bytes, so a batch of 4,096 stays in the host's L2. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/stream.h"

enum request_flags {
    REQUEST_FIRST = 1 << 0,     /* first transaction of its warp instruction */
    REQUEST_BYPASS_L1 = 1 << 1, /* passes the L1D without a look-up */
    REQUEST_WRITEBACK = 1 << 2, /* a dirty line being written back, not a program's store */
    REQUEST_ASIDE = 1 << 3,     /* its block is simulated but not counted (issue_sink) */
    REQUEST_WALK = 1 << 4,      /* a page walk reads it through the L2 */
    REQUEST_NEAR = 1 << 5       /* looks in the near half of an L2, and goes on to its home */
};

struct request {
    uint64_t address; /* first byte, aligned to `bytes` */
    uint32_t pc;
    uint32_t touched;  /* which 32nds of [address, address + bytes) the threads use; of a fetch see
                        * request_fetches */
    uint16_t instance; /* the SM; below the L1D the slice */
    uint16_t bytes; /* 32, 64 or 128 from a coalescer, 16 too of single accesses; any multiple of 16
                     * below a cache */
    uint8_t op;     /* enum memory_op; see request_writes */
    uint8_t space;  /* enum memory_space */
    uint8_t flags;
    uint8_t warp; /* of a fetch: the warp's place in its SM, modulo 256; else 0 */
};

/* Atomics are performed at the L2: they read and write there, and pass the L1D. */
static inline int request_writes(const struct request *request)
{
    return request->op == OP_STORE || request->op == OP_ATOMIC;
}

/* How many fetches of one line, one after another, a fetch stands for (issue_sink). */
static inline uint32_t request_fetches(const struct request *request)
{
    return request->touched;
}

/* Copies the requests to these spaces, in order; returns how many there are. */
static inline size_t requests_take(unsigned spaces, const struct request *requests, size_t count,
                                   struct request *out)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        if (spaces & space_bit(requests[i].space))
            out[taken++] = requests[i];
    return taken;
}

struct request_buffer {
    struct request *items;
    size_t count, capacity;
};
