/* The front end of an SM: fetch and decode, the L1I with its L0s and its stream buffer, and warps
 * that retire. Fetches that hit and take more than a cycle (l1i.latency) are in a pipe; a warp has
 * at most one. */
#pragma once

#include "model/timing/cache/cache_unit.h"
#include "model/timing/sm/stream_buffer.h"
#include "model/timing/sm/warps.h"

struct fetch_pipe {
    struct fetch {
        uint64_t due;  /* the cycle in which it is decoded, or comes to its L0 */
        uint32_t warp; /* or whose it is of the L0s' (l0_miss_id) */
    } items[WARPS_MAX];
    uint32_t first, count;
};

struct fetch_stage {
    uint64_t fetchable[WARPS_MAX / 64], endable[WARPS_MAX / 64]; /* sets of warps */
    uint32_t fetched;                                            /* the warp served last */
    uint32_t buffer; /* the warp whose instructions come; NO_WARP */
    bool refused;    /* the L1I could not take a fetch in this cycle */
    struct fetch_pipe pipe;
    struct cache_unit l1i;
    struct stream_buffer stream; /* after it */
    struct cache_unit *l0s;      /* [l0_count], in front of it */
    uint32_t l0_count;           /* 0: there are none */
    uint32_t l0_asks, l0_gives;  /* whose turn it is to ask the L1I, and to give to decode */
    struct fetch_pipe l0_pipe;   /* on the way from the L1I to an L0 */
};

static inline void fetch_pipe_put(struct fetch_pipe *pipe, uint64_t due, uint32_t warp)
{
    pipe->items[(pipe->first + pipe->count++) % WARPS_MAX] = (struct fetch){due, warp};
}

/* Takes what is due: whose it is in *warp. False: nothing is. */
static inline bool fetch_pipe_take(struct fetch_pipe *pipe, uint64_t now, uint32_t *warp)
{
    if (!pipe->count || pipe->items[pipe->first].due > now)
        return false;
    *warp = pipe->items[pipe->first].warp;
    pipe->first = (pipe->first + 1) % WARPS_MAX;
    pipe->count--;
    return true;
}

/* Whether the front end has anything to do. */
static inline bool fetch_busy(const struct fetch_stage *front)
{
    return front->buffer != NO_WARP || !set_empty(front->fetchable) || !set_empty(front->endable) ||
           cache_unit_has_ready(&front->l1i) || front->l1i.misses.count || front->pipe.count ||
           front->l0_count || stream_buffer_next(&front->stream);
}

/* Its cycle, where it is busy or has taken lines ahead (stream.taken). */
void sm_fetch(struct sm *sm);
/* A reply with instructions came. */
void sm_take_instructions(struct sm *sm, const struct packet *reply, uint64_t now);
/* Whether the front end may do something in the next cycle that it did not do in the last one. */
bool sm_fetch_goes_on(const struct sm *sm);

/* fetch_l0.c: the L0s between the warps and the L1I. */
enum status sm_l0_init(struct sm *sm);
/* Looks up the line of a fetch in the L0 of its warp. */
enum unit_outcome sm_l0_look_up(struct sm *sm, struct packet *request, uint64_t line);
/* The L1I's cycle: what comes from it fills L0s, and one of their misses is looked up in it. */
void sm_l0_serve(struct sm *sm);
/* A warp whose instructions came to its L0; NO_WARP. */
uint32_t sm_l0_take(struct sm *sm);
/* Looks up a fetch in the L1I, and what that misses in the stream buffer (fetch.c). */
enum unit_outcome sm_l1i_look_up(struct sm *sm, const struct packet *request, uint64_t line);
