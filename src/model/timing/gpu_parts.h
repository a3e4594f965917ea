/* The inside of a run: what gpu.c and the other gpu_*.c share, and what those sources read that
 * look at a run between two cycles (run_cursor.c, run_state.c, warp_wait.c). */
#pragma once

#include "model/gpu/extent.h"
#include "model/timing/base/clocks.h"
#include "model/timing/base/team.h"
#include "model/timing/gpu.h"
#include "model/timing/network/network.h"

enum { SPAN_MAX = 256, STEPS_MAX = SPAN_CYCLES, LINE_BYTES_MAX = 512 };
_Static_assert((int)STEPS_MAX <= (int)SPAN_TICKS, "a step has a tick at most");

/* Packets by the step from which the network may move them: lists of inputs. */
struct show {
    uint32_t input, next;
};
struct shows {
    struct show *items;
    size_t count, capacity;
    uint32_t heads[STEPS_MAX + 1];
};

/* Cycles that are simulated part by part, and the steps of the clocks in them. */
struct span {
    uint64_t cycle;         /* the first core cycle */
    uint32_t cycles, steps; /* core cycles and steps */
    uint8_t edges[STEPS_MAX + 1];
    uint64_t step_cycle[STEPS_MAX + 1]; /* core cycles before the step */
    uint16_t ticks_before[STEPS_MAX + 1], l2_before[STEPS_MAX + 1]; /* edges before the step */
    uint32_t core_step[SPAN_MAX + 1]; /* the step of each core cycle */
};

/* SMs that share a port of the network (gpu_clusters.c). */
struct cluster {
    uint32_t first, next; /* the SM whose cycle comes first, in this cycle and in the next one */
    uint32_t served;      /* the SM that got a block last */
};

struct gpu {
    const struct machine *machine;
    const struct trace_source *source;
    const struct gpu_options *options;
    struct diagnostics *diagnostics;
    struct sm_machine *shared; /* with copies of this run */
    struct sm *sms;
    struct channel *channels;
    uint32_t sm_count, channel_count, slice_count;
    uint32_t cluster_size, port_count; /* ports of the network on the side of the SMs */
    struct cluster *clusters;          /* [ports]; NULL: each SM has a port of its own */
    struct address_map map;
    struct network requests, replies;
    struct limit places;     /* network.queue, of the slices and of what SMs take in a span */
    uint32_t largest_packet; /* flits */
    uint32_t network_delay;  /* cycles that a packet takes besides its way: of an ideal network */
    uint32_t slice_entries;  /* requests that a slice takes in a cycle of the L2, at most */
    struct mmu mmu;
    struct packet_pool carried;     /* packets of these queues and of slice.entering: */
    struct packet_queue *at_slices; /* delivered, not yet popped by the slice */
    struct packet_queue *walks;     /* [slices]: reads of page-table walkers, likewise */
    uint32_t delivered;             /* how many packets those hold */
    struct shows request_shows, reply_shows;
    struct footprint *footprints; /* [SMs] of their L1Ds; NULL: nobody asked */
    uint32_t *late;               /* [SMs]: packets put, but not to be moved in this span */
    uint32_t *advanced;           /* [SMs + channels]: those SMs, or channels, that advance now */
    struct arrays arrays;
    struct bypass **bypasses; /* [SMs]; NULL: their L1Ds have no exchanges */
    uint64_t advance_end;
    struct event_log *logs;        /* of the run, its SMs and its channels; NULL: nobody watches */
    struct timing_event *happened; /* of all of them, in order; */
    size_t happened_capacity;
    struct team team;
    struct clocks clocks;
    uint64_t cycle; /* the first core cycle that no SM has been told to simulate */

    /* The span that runs, and the span before it, whose last requests may still be carried while
     * the channels advance through this one. */
    struct span spans[2];
    struct span *span, *requests_span;
    uint32_t replies_step;               /* up to which replies were carried */
    uint32_t requests_step, requests_l2; /* the same of requests, and its L2 cycle */

    /* The launch. */
    uint32_t launch, block_slots;
    uint64_t blocks, next_block, live_from; /* live_from: cycle from which blocks start */
    uint32_t last_served;                   /* the SM, or cluster, that got a block last */
    uint64_t begun, ended, total_cycles, reply_bytes;
    uint64_t bound;       /* of all launches that ended, as in struct gpu_totals */
    uint64_t first_block; /* of the launch, among those of all launches */
    struct held_blocks {  /* where a placement is held: what is left of an SM's blocks, by their */
        uint64_t next, end; /* numbers among those of all launches */
    } * held;               /* [SMs]; NULL: the next block goes to whoever has room */
    uint64_t delay;         /* cycles before the first launch began, which count for nothing */
    uint64_t next_sample;   /* the cycle from which the counts are wanted again */

    /* When anything happened last (watch_progress). */
    uint64_t work, work_cycle, work_ticks;
    uint64_t given, all_blocks; /* blocks of all launches */
    size_t marked;
    double reported; /* when progress was */
    bool measured;   /* the extent of the source is known */
    struct extent_walk walk;
    enum status status;
};

/* The channel of a slice, and the slice itself. */
static inline struct channel *channel_of(const struct gpu *gpu, uint32_t slice)
{
    return &gpu->channels[slice / (uint32_t)gpu->machine->l2.slices_per_channel];
}
static inline struct slice *slice_at(const struct gpu *gpu, uint32_t slice)
{
    return &channel_of(gpu, slice)->slices[slice % (uint32_t)gpu->machine->l2.slices_per_channel];
}

/* gpu_setup.c: makes the parts of the machine that `gpu` names. What was made is released even
 * where the rest was not. */
enum status gpu_init(struct gpu *gpu);
void gpu_release(struct gpu *gpu);

/* gpu_events.c: gives the parts their logs if the options say that somebody watches; tells of the
 * run itself; hands over what happened in a span. */
enum status gpu_watch(struct gpu *gpu);
void gpu_tell_launch(const struct gpu *gpu, enum event_kind kind, uint64_t cycle);
void gpu_hand_events(struct gpu *gpu);
void gpu_free_events(struct gpu *gpu);

/* gpu_counts.c: counts so far; `ended`: of SMs and DRAMs, up to the end of the launch that ended
 * last, while slices and the network have gone on to the end of the span. `most` (may be NULL): as
 * in struct gpu_totals. */
void gpu_add_counts(struct gpu *gpu, bool ended, struct gpu_counts *counts, uint32_t *most);
/* Adds the counts by instruction of the launch that runs. */
enum status gpu_report_pcs(const struct gpu *gpu, struct pc_table *table);
/* Hands the counts up to the end of the span to the options' `sampled`, also those of a launch that
 * has not ended. */
void gpu_sample(struct gpu *gpu);
/* How much work the SMs have done, by which progress is measured. */
double gpu_work_done(const struct gpu *gpu);
void gpu_report_progress(struct gpu *gpu);

/* Whether the launch has a block left that an SM may get. */
static inline bool gpu_is_hungry(const struct gpu *gpu, const struct sm *sm)
{
    return gpu->held ? gpu->held[sm->number].next < gpu->held[sm->number].end
                     : gpu->next_block < gpu->blocks;
}

/* Looks how much of an SM's requests the network takes in the cycle that it has come to. */
void gpu_look_for_room(const struct gpu *gpu, uint32_t index, uint64_t cycle);
/* Gives the next block of the launch to an SM, if there is one for it. Returns whether it did. */
bool gpu_give_block(struct gpu *gpu, struct sm *sm, uint64_t when);

/* Clusters of several SMs: replies come to the SMs of a cluster in a cycle, and the order of its
 * SMs for it; the SM whose turn is the n-th in that order; the end of a cycle, in which each
 * cluster with room gets a block; what its SMs have sent and the network has not taken yet. */
enum status gpu_init_clusters(struct gpu *gpu);
void gpu_begin_clusters(struct gpu *gpu);
uint32_t gpu_cluster_sm(const struct gpu *gpu, uint32_t cluster, uint32_t turn);
void gpu_give_to_clusters(struct gpu *gpu, uint64_t when);
uint64_t gpu_waiting_flits(const struct gpu *gpu, uint32_t cluster);

/* Chooses how long the next span is, and makes its steps. */
void gpu_make_steps(struct gpu *gpu);

/* Advances the channels to the end of the span, and carries their replies to the SMs. */
void gpu_advance_memory(struct gpu *gpu);

/* Carry the span's replies from the slices to the SMs, up to a step that no channel has begun. */
void gpu_begin_replies(struct gpu *gpu);
void gpu_carry_replies(struct gpu *gpu, uint32_t step);
/* Requests go on from where they are to core cycle `cycle`, which no SM has begun; the end of their
 * span includes all of its steps. They come to slice.entering, so that channels may run beside
 * this; gpu_take_requests hands them to the channels. */
void gpu_begin_requests(struct gpu *gpu);
void gpu_carry_requests(struct gpu *gpu, uint64_t cycle);
void gpu_take_requests(struct gpu *gpu);
/* Whether the channels do not see in this span what its SMs, or those of the span before, send. */
bool gpu_requests_come_later(const struct gpu *gpu);
/* What walkers do in the span, whose replies are there; then what the SMs' TLBs asked for in it. */
void gpu_run_mmu(struct gpu *gpu);
void gpu_ask_mmu(struct gpu *gpu);
