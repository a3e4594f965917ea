/* A memory request: what one coalesced transaction of a warp instruction asks of a cache. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/stream.h"

enum request_flags {
    REQUEST_FIRST = 1 << 0,     /* first transaction of its warp instruction */
    REQUEST_BYPASS_L1 = 1 << 1, /* goes past the L1D */
    REQUEST_WRITEBACK = 1 << 2  /* a dirty line on its way down, not a program's store */
};

struct request {
    uint64_t address; /* of its first byte, aligned to `bytes` */
    uint32_t pc;
    uint32_t touched;  /* which 1/32 parts of [address, address + bytes) the threads use */
    uint16_t instance; /* the SM, and behind the L1D the slice */
    uint16_t bytes;    /* 32, 64 or 128 from a coalescer; any multiple of 16 behind a cache */
    uint8_t op;        /* enum memory_op; see request_writes */
    uint8_t space;     /* enum memory_space */
    uint8_t flags;
    uint8_t reserved;
};

/* Atomics are done at the L2: they read and write there, and pass an L1D. */
static inline int request_writes(const struct request *request)
{
    return request->op == OP_STORE || request->op == OP_ATOMIC;
}

struct request_buffer {
    struct request *items;
    size_t count, capacity;
};
