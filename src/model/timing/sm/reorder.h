/* The queues in front of an L1D in which a bypass policy puts requests in another order
 * (bypass_mrpb.c). Requests of one queue stay in order. Zeroed: there are none. */
#pragma once

#include "model/bypass/bypass.h"
#include "model/timing/base/packet.h"

struct reorder {
    struct packet_pool packets;
    struct packet_queue *queues;
    uint32_t *counts; /* requests in each */
    uint32_t count;   /* queues; 0: requests go to the L1D as they come */
    uint32_t entries; /* that each has */
    uint32_t total;   /* requests */
    struct arrays arrays;
};

/* Makes the queues of a policy, if it has any. STATUS_MEMORY. */
enum status reorder_init(struct reorder *reorder, const struct bypass *bypass);
void reorder_free(struct reorder *reorder);
/* The queues are a copy of the bytes of others, and get memory of their own (base/arrays.h). */
MUST_CHECK bool reorder_copy(struct reorder *reorder);

/* Whether a request passes the queues by, once they are empty. */
static inline bool reorder_passes(const struct reorder *reorder, const struct bypass *bypass,
                                  const struct packet *request)
{
    return reorder->count && bypass->config->stores == BYPASS_STORES_FLUSH &&
           request->kind == PACKET_WRITE;
}

/* Returns false if its queue is full. */
MUST_CHECK bool reorder_push(struct reorder *reorder, struct bypass *bypass,
                             const struct packet *request);
/* The queue that goes on, if any holds requests. */
static inline uint32_t reorder_next(const struct reorder *reorder, const struct bypass *bypass)
{
    return bypass->kind->drain(bypass, reorder->counts);
}
/* The head of a queue went on. */
void reorder_pop(struct reorder *reorder, struct bypass *bypass, uint32_t queue);
