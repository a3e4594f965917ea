/* Requests in a better order: Jia, Shaw and Martonosi, "MRPB: Memory request prioritization for
 * massively parallel processors", HPCA 2014.
 *
 * In front of the L1D are queues, first in first out, and a signature of a request (its warp)
 * chooses one. One of those that hold requests goes on, the first by default, so that the warps of
 * one queue have the L1D for a while (less contention between warps). A miss that would stall,
 * because every line of its set is reserved (contention within a warp), bypasses.
 *
 * The paper's text was not at hand. Fixed priority, queues by warp, and the bypass on associativity
 * stalls are as Aamodt, Fung and Rogers report its best design ("General-purpose graphics processor
 * architectures", 2018, 4.4.3); the other signatures, orders and the bypass on all stalls stand for
 * what the paper compares, from memory, as does the flush of the queues before a store. Its sizes
 * are not known: 48 queues of eight are those of a public rebuilding (adarsh-kulkarni/
 * GPU-Warp-Scheduling-Algorithms). What was chosen: as many requests as the L1D has banks enter the
 * queues in a cycle, and leave them, at the earliest in the next one. Bypassed requests of the
 * paper take no MSHR: that is l1d.bypass.mshr: no. */
#include "model/bypass/bypass_member.h"

struct mrpb {
    struct bypass base;
    uint32_t last;             /* queue that went on */
    uint64_t failed[SM_WARPS]; /* 1 + the line for which no MSHR was; 0: none */
};

static enum bypass_verdict mrpb_ask(struct bypass *bypass, const struct bypass_access *access,
                                    struct bypass_choice *choice)
{
    const struct mrpb *mrpb = (const struct mrpb *)bypass;
    if (mrpb->failed[access->warp] == 1 + access->line)
        return BYPASS_PASS;
    return choice->way == BYPASS_NO_LINE ? BYPASS_PASS : BYPASS_ALLOCATE;
}

static void failed(struct bypass *bypass, const struct bypass_access *access,
                   enum bypass_fail reason)
{
    uint64_t *noted = &((struct mrpb *)bypass)->failed[access->warp];
    if (bypass->config->stalls == BYPASS_STALLS_LINE || *noted == 1 + access->line ||
        (reason != BYPASS_FAIL_MSHR && reason != BYPASS_FAIL_MERGE))
        return;
    *noted = 1 + access->line;
    bypass->wake = access->now + 1; /* the next try is another one */
}

static void mrpb_accepted(struct bypass *bypass, const struct bypass_access *access, uint32_t line)
{
    (void)line;
    ((struct mrpb *)bypass)->failed[access->warp] = 0;
}

static void mrpb_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                     bool pending)
{
    (void)pending;
    mrpb_accepted(bypass, access, line);
}

static uint32_t queue(const struct bypass *bypass, uint32_t warp, uint32_t pc)
{
    const struct bypass_config *config = bypass->config;
    const uint64_t key = bypass_key(bypass, pc) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    const uint64_t by = config->signature == BYPASS_BY_WARP    ? warp
                        : config->signature == BYPASS_BY_BLOCK ? bypass->blocks[warp]
                                                               : key;
    return (uint32_t)(by % config->queues);
}

static uint32_t longest(const struct bypass *bypass, const uint32_t *counts)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < bypass->config->queues; i++)
        best = counts[i] > counts[best] ? i : best;
    return best;
}

static uint32_t drain(const struct bypass *bypass, const uint32_t *counts)
{
    const uint32_t last = ((const struct mrpb *)bypass)->last;
    const uint32_t queues = (uint32_t)bypass->config->queues;
    const int policy = bypass->config->drain;
    if (policy == BYPASS_DRAIN_LONGEST)
        return longest(bypass, counts);
    if (policy == BYPASS_DRAIN_GREEDY && counts[last])
        return last;
    uint32_t at = policy == BYPASS_DRAIN_ROUND ? (last + 1) % queues : 0;
    while (!counts[at])
        at = (at + 1) % queues;
    return at;
}

static void drained(struct bypass *bypass, uint32_t queue)
{
    ((struct mrpb *)bypass)->last = queue;
}

/* Requests: an address, the bytes of a line that they touch, and a warp. */
static size_t mrpb_arrays(const struct machine *machine, uint64_t lines,
                          struct memory_array *arrays)
{
    enum { ADDRESS = 48, TOUCHED = 32 };
    const struct bypass_config *config = &machine->l1d.bypass;
    const uint64_t warps = machine->gpu.max_threads / WARP_SIZE;
    (void)lines;
    arrays[0] = memory_array_ram("places in queues", config->queues * config->queue_entries,
                                 ADDRESS + TOUCHED + log2_ceil(warps));
    return 1;
}

const struct bypass_kind bypass_mrpb = {.name = "mrpb",
                                        .size = sizeof(struct mrpb),
                                        .arrays = mrpb_arrays,
                                        .ask = mrpb_ask,
                                        .accepted = mrpb_accepted,
                                        .hit = mrpb_hit,
                                        .failed = failed,
                                        .queue = queue,
                                        .drain = drain,
                                        .drained = drained};
