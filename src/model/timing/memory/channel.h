/* One memory channel: its slices of the L2 and its DRAM, with the queues between them.
 *
 * A channel is advanced alone, step by step, through a span of steps (channel_advance). Requests
 * come into `slice.arrived` with the cycle from which the L2 may see them, replies leave through
 * slice.replies with their step. Nothing that a channel does in a cycle depends on requests that
 * leave an SM in the last `l2.latency` cycles, which is what lets SMs and channels be simulated one
 * after another for many cycles (timing/gpu.h).
 *
 * Order within a step, as in GPGPU-Sim: replies to the network, DRAM, L2. */
#pragma once

#include "model/timing/cache/cache_unit.h"
#include "model/timing/memory/dram.h"
#include "schema/ideals.h"

enum { SPAN_CYCLES = 1024 }; /* of the L2, at most, in a span */

/* The queues of a slice that l2.queue limits. */
enum slice_queue { SLICE_IN, SLICE_OUT, SLICE_TO_DRAM, SLICE_FROM_DRAM, SLICE_QUEUES };

struct slice {
    struct packet_queue entering; /* its owner's, of its packets: on the way to `arrived` */
    struct packet_queue arrived;  /* on the way to the L2, with the cycle they are due */
    struct packet_queue incoming; /* wait for the tags */
    struct packet_queue to_dram, from_dram;
    /* Its owner's, of an L2 in halves: reads for the twin, and data that the twin asked for. */
    struct packet_queue asked, answered;
    /* Reads and data from the twin, with the cycle they are due. */
    struct packet_queue crossed, fetched;
    struct packet_queue outgoing; /* replies that wait for the network */
    struct packet_queue replies;  /* handed to the network, with their step */
    struct limit places;          /* in front of the network: l2 replies, or flits of a router */
    struct gauge gauges[SLICE_QUEUES];
    uint32_t held;      /* of these, taken when its owner looked or since */
    uint32_t sure;      /* so many are taken whatever the limit is */
    uint64_t port_free; /* the L2 cycle from which the data port is free */
    uint64_t fill_free;
    uint32_t private_credits, number;
    enum unit_outcome
        refused;    /* why the cache could not take the head of `incoming`, or UNIT_HIT */
    uint64_t tried; /* the changes that the cache had seen then */
    bool blocked;   /* no request may enter in the next cycle */
    struct cache_unit cache;
    /* Those L2 cycles of the span, and of the one before it, in which none may enter. */
    uint64_t blocked_cycles[SPAN_CYCLES / 64], blocked_before[SPAN_CYCLES / 64];
};

struct channel_counts {
    uint64_t full_cycles;                /* slices that let no request in */
    uint64_t port_cycles;                /* in which data ports of slices are taken */
    uint64_t reply_stalls;               /* replies that found no room in the network */
    uint64_t walk_accesses, walk_misses; /* of page-table walkers, as the L2's */
    uint64_t crossings, crossing_misses; /* reads from half to half; misses of these */
};

struct channel {
    const struct machine *machine;
    const struct address_map *map;
    /* How it steps: as it is, or with limits taken out: any number of requests at the L2 (`wide`),
     * or at the DRAM (`endless`). */
    void (*step_once)(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle);
    bool wide, endless;
    bool open_rows;             /* every access is to the open row of its bank: an ideal */
    uint64_t latency;           /* core cycles to the controller */
    uint64_t closed_row;        /* core cycles of a read of a closed row, of nothing else */
    struct packet_pool packets; /* of all its queues but `entering` and those of its DRAM */
    struct slice *slices;
    uint32_t slice_count;
    struct dram dram;
    struct packet_queue line; /* on the way to the controller, with the cycle they are due */
    uint32_t last_served, shared_credits;
    struct limit queue;   /* of each of its slices' queues */
    struct limit credits; /* of all its slices, one each for themselves */
    uint64_t ticks, l2_cycles;
    uint32_t span_cycle; /* L2 cycles since the span began; its owner resets it */
    /* Its owner's: the next step of the span; whether the channel waits in front of it for room in
     * the network; and the step in front of which slice.held is all that is taken. */
    uint32_t step, room_step;
    bool starved;
    struct channel_counts counts;
    uint64_t event_cycle; /* the core cycle of the step, if somebody watches */
    enum status status;
};

enum status channel_init(struct channel *channel, const struct machine *machine,
                         struct ideal_set ideals, const struct address_map *map, uint32_t number);
/* From now on the misses of its slices are classified (cache_classes.h). */
enum status channel_classify(struct channel *channel);
void channel_free(struct channel *channel);
/* The channel is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). */
MUST_CHECK bool channel_copy(struct channel *channel, const struct address_map *map);

/* One step with these edges (timing/base/clocks.h) in core cycle `cycle`. `step` is its number. */
static inline void channel_step(struct channel *channel, unsigned edges, uint64_t step,
                                uint64_t cycle)
{
    channel->step_once(channel, edges, step, cycle);
}
void channel_step_usual(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle);
void channel_step_ideal(struct channel *channel, unsigned edges, uint64_t step, uint64_t cycle);
/* What happens goes to `log` from now on; NULL: nobody watches. */
void channel_watch(struct channel *channel, uint32_t number, struct event_log *log);

/* Whether it could go on; else why not. */
enum status channel_status(const struct channel *channel);

/* Whether a slice has a reply for which there is no room. */
bool channel_full(const struct channel *channel);
/* The core cycle before which no step changes anything but the clocks; UINT64_MAX if nothing is
 * under way. */
uint64_t channel_due(const struct channel *channel);
/* Steps in which nothing changes: how many edges of the DRAM and of the L2 they have. */
void channel_skip(struct channel *channel, uint32_t ticks, uint32_t l2_cycles);
