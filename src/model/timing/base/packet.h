/* What travels between SMs, slices and DRAM channels in the timing depth: packets, and the queues
 * that they wait in.
 *
 * Packets are values. Their owner is whichever queue holds them, so SMs and memory channels can be
 * simulated by different threads without shared objects. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/must_check.h"
#include "base/status.h"

enum packet_kind {
    PACKET_READ,
    PACKET_WRITE,     /* acknowledged once per sector */
    PACKET_ATOMIC,    /* performed at the L2; its reply carries data */
    PACKET_WRITEBACK, /* nobody waits for it */
    PACKET_FETCH      /* instructions */
};

enum packet_flags {
    PACKET_LOCAL = 1 << 2,    /* accesses local memory */
    PACKET_PASSED = 1 << 0,   /* passed the L1D by, so no L1D waits for its reply */
    PACKET_WALK = 1 << 3,     /* a page-table walker reads it */
    PACKET_FLOAT = 1 << 4,    /* an atomic on floating-point numbers */
    PACKET_WAITS = 1 << 5,    /* enters an L1D no earlier than a cycle behind the one before it */
    PACKET_CROSSED = 1 << 6,  /* the other half of the L2 reads it */
    PACKET_UNKEPT = 1 << 7,   /* ... from DRAM, without a line of the L2 */
    PACKET_ALLOCATE = 1 << 1, /* a cache reads it for a store; nobody above waits */
};

struct packet {
    uint64_t address; /* of its first byte */
    uint64_t ready;   /* the step or cycle from which the next station may take it */
    uint64_t line;    /* L2: the line's number within its slice */
    uint64_t issued;  /* core cycle in which the SM made it */
    uint32_t touched; /* which 32nds of its bytes are written */
    uint32_t id;      /* the SM's own number for what waits for it */
    uint32_t pc;
    /* Replies: cycles spent in the L2 and its queues, and in the DRAM and its queues. Requests:
     * `l2` is the cycle in which the slice took it, modulo 2^32. */
    uint32_t l2, dram;
    uint16_t bytes; /* of data */
    uint16_t sm, slice;
    /* In front of an L1D: the warp's slot, the accesses of its instruction, where it enters. In a
     * router: `parts` are its flits. */
    uint16_t warp, parts, bank;
    uint8_t kind;  /* enum packet_kind */
    uint8_t flags; /* enum packet_flags */
};

/* Bytes in the network: a header, and the data that go in this direction. */
enum { PACKET_HEADER = 8 };
static inline unsigned packet_request_bytes(const struct packet *packet)
{
    bool carries = packet->kind != PACKET_READ && packet->kind != PACKET_FETCH;
    return PACKET_HEADER + (carries ? packet->bytes : 0u);
}
static inline unsigned packet_reply_bytes(const struct packet *packet)
{
    bool carries = packet->kind != PACKET_WRITE;
    return PACKET_HEADER + (carries ? packet->bytes : 0u);
}

/* A first-in first-out queue that grows as needed; whoever appends checks its limit. Zeroed memory
 * is an empty queue. */
struct packet_queue {
    struct packet *items;
    uint32_t capacity; /* a power of two */
    uint32_t first, count;
};

static inline struct packet *packet_queue_at(const struct packet_queue *queue, uint32_t index)
{
    return &queue->items[(queue->first + index) & (queue->capacity - 1)];
}

static inline struct packet *packet_queue_head(const struct packet_queue *queue)
{
    return &queue->items[queue->first];
}

/* Whether there is a packet that the next station may take at `now`. */
static inline bool packet_queue_due(const struct packet_queue *queue, uint64_t now)
{
    return queue->count && packet_queue_head(queue)->ready <= now;
}

/* An empty queue begins anew, so that short queues stay in few lines of the host's caches. */
static inline void packet_queue_pop(struct packet_queue *queue)
{
    const uint32_t next = (queue->first + 1) & (queue->capacity - 1);
    queue->first = --queue->count ? next : 0;
}

/* Makes room for one more packet. */
MUST_CHECK bool packet_queue_grow(struct packet_queue *queue);

/* Appends a packet; false if there is no memory. */
MUST_CHECK static inline bool packet_queue_push(struct packet_queue *queue,
                                                const struct packet *packet)
{
    if (queue->count == queue->capacity && !packet_queue_grow(queue))
        return false;
    *packet_queue_at(queue, queue->count++) = *packet;
    return true;
}

/* Inserts a packet by `ready`, behind those of the same. */
MUST_CHECK bool packet_queue_insert(struct packet_queue *queue, const struct packet *packet);
/* Moves all packets of a queue so. False if there is no memory. */
MUST_CHECK bool packet_queue_insert_all(struct packet_queue *from, struct packet_queue *to);

static inline void packet_queue_free(struct packet_queue *queue)
{
    free(queue->items);
    *queue = (struct packet_queue){0};
}
