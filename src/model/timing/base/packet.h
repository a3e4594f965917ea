/* What travels between SMs, slices and DRAM channels in the timing depth: packets, and the queues
 * that they wait in.
 *
 * An SM, a channel, a direction of the network each have a pool of packets, and their queues are
 * lists of numbers in it: so threads share no packets, a packet moves from queue to queue without
 * being copied, and a pool with its queues can be copied as bytes. From owner to owner packets go
 * as values. */
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
    PACKET_HITS = 1 << 6,     /* in front of an L1D: finds its data there (ACCESS_HITS) */
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
    uint32_t next; /* in the list of its pool that it is in */
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

/* The packets of one owner, who alone uses them, and their places by number. Zeroed memory is an
 * empty pool; place 0 is never taken, so a number of 0 is none. Pointers into it hold until the
 * next packet comes. */
struct packet_pool {
    struct packet *items;
    uint32_t count, free; /* places; the first free one, in a list by `next` */
};

/* A first-in first-out queue of packets of a pool, in a list by `next`; whoever appends checks its
 * limit. Zeroed memory is an empty queue. */
struct packet_queue {
    uint32_t first, last, count;
};

static inline struct packet *packet_queue_head(const struct packet_pool *pool,
                                               const struct packet_queue *queue)
{
    return &pool->items[queue->first];
}

static inline struct packet *packet_queue_tail(const struct packet_pool *pool,
                                               const struct packet_queue *queue)
{
    return &pool->items[queue->last];
}

/* Whether there is a packet that the next station may take at `now`. */
static inline bool packet_queue_due(const struct packet_pool *pool,
                                    const struct packet_queue *queue, uint64_t now)
{
    return queue->count && packet_queue_head(pool, queue)->ready <= now;
}

/* As packet_pool_put where no place is free. */
MUST_CHECK uint32_t packet_pool_put_more(struct packet_pool *pool, const struct packet *packet);

/* Copies a packet, which may be one of the pool's, into it. Returns its number; 0: there is no
 * memory. */
MUST_CHECK static inline uint32_t packet_pool_put(struct packet_pool *pool,
                                                  const struct packet *packet)
{
    const uint32_t at = pool->free;
    if (!at)
        return packet_pool_put_more(pool, packet);
    struct packet *item = &pool->items[at];
    pool->free = item->next;
    *item = *packet;
    return at;
}

static inline void packet_queue_append(struct packet_pool *pool, struct packet_queue *queue,
                                       uint32_t at)
{
    if (queue->count++)
        pool->items[queue->last].next = at;
    else
        queue->first = at;
    queue->last = at;
}

/* Takes the head, which stays in the pool. */
static inline uint32_t packet_queue_take(const struct packet_pool *pool, struct packet_queue *queue)
{
    const uint32_t at = queue->first;
    queue->count--;
    queue->first = pool->items[at].next;
    return at;
}

static inline void packet_pool_drop(struct packet_pool *pool, uint32_t at)
{
    pool->items[at].next = pool->free;
    pool->free = at;
}

static inline void packet_queue_pop(struct packet_pool *pool, struct packet_queue *queue)
{
    packet_pool_drop(pool, packet_queue_take(pool, queue));
}

/* The head of one queue becomes the tail of another of the same pool. */
static inline void packet_queue_move(struct packet_pool *pool, struct packet_queue *from,
                                     struct packet_queue *to)
{
    packet_queue_append(pool, to, packet_queue_take(pool, from));
}

/* Appends a copy of a packet, which may be one of the pool's; false if there is no memory. */
MUST_CHECK static inline bool
packet_queue_push(struct packet_pool *pool, struct packet_queue *queue, const struct packet *packet)
{
    const uint32_t at = packet_pool_put(pool, packet);
    if (at)
        packet_queue_append(pool, queue, at);
    return at;
}

/* Inserts a packet by `ready`, after those of the same, into a queue in that order. */
MUST_CHECK bool packet_queue_insert(struct packet_pool *pool, struct packet_queue *queue,
                                    const struct packet *packet);
/* Moves all packets of a queue of `pool` so to one of `others`. False if there is no memory. */
MUST_CHECK bool packet_queue_insert_all(struct packet_pool *pool, struct packet_queue *from,
                                        struct packet_pool *others, struct packet_queue *to);

/* The pool is a copy of the bytes of another one, and gets places of its own (base/arrays.h). */
MUST_CHECK bool packet_pool_copy(struct packet_pool *pool);
static inline void packet_pool_free(struct packet_pool *pool)
{
    free(pool->items);
    *pool = (struct packet_pool){0};
}
