/* Lets rates.c measure one of our machines, and what the machine is configured to deliver. */
#include <inttypes.h>
#include <math.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/rates.h"
#include "model/gpu/occupancy.h"
#include "model/timing/base/packet.h"
#include "model/timing/network/network.h"
#include "workload/workload.h"

enum {
    LANES = 32,
    BLOCK = 256,       /* threads of a block, where all SMs read */
    BLOCK_MOST = 1024, /* the same where one reads */
    BATCH = 16,        /* bytes that a thread of READS loads at once */
    BATCHES = 4,       /* of a thread in a round, the most */
    ROUNDS_LEAST = 2,  /* of READS in the first run */
    LOADS_LEAST = 32,  /* of LANES, likewise */
    TIMES_MOST = 4096  /* of either */
};

#define SETTLED 0.01 /* times that differ by less are the same */

/* A run of READS: threads of one of `copies` rows read the same. */
struct reading {
    uint64_t bytes, blocks, block, copies;
};

struct rates_bench {
    struct machine machine;
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
    struct reading l1, l2, memory;
    uint64_t warps; /* of a block of LANES */
    uint32_t stride, offset;
};

static enum status run_reads(const struct rates_bench *bench, const struct reading *reading,
                             uint64_t times, uint64_t rounds, struct metrics *metrics)
{
    return paper_time(&bench->machine, bench->options, metrics, bench->diagnostics,
                      "READS:bytes=%" PRIu64 ",rounds=%" PRIu64 ",blocks=%" PRIu64
                      ",block_x=%" PRIu64 ",block_y=%" PRIu64,
                      times * reading->bytes, rounds, reading->blocks, reading->block,
                      reading->copies);
}

/* ---- what is done again and again ---- */

typedef enum status repeat_function(const struct rates_bench *bench, uint64_t times,
                                    struct metrics *metrics);

static enum status repeat_l1(const struct rates_bench *bench, uint64_t times,
                             struct metrics *metrics)
{
    return run_reads(bench, &bench->l1, 1, times, metrics);
}

static enum status repeat_l2(const struct rates_bench *bench, uint64_t times,
                             struct metrics *metrics)
{
    return run_reads(bench, &bench->l2, 1, times, metrics);
}

static enum status repeat_load(const struct rates_bench *bench, uint64_t times,
                               struct metrics *metrics)
{
    return paper_time(&bench->machine, bench->options, metrics, bench->diagnostics,
                      "LANES:stride=%" PRIu32 ",offset=%" PRIu32 ",loads=%" PRIu64
                      ",warps=%" PRIu64,
                      bench->stride, bench->offset, times, bench->warps);
}

/* Two runs, one of which repeats something twice as often: `times` more. */
struct pair {
    uint64_t times;
    struct metrics once, twice;
};

static double time_of(const struct pair *pair)
{
    return (pair->twice.core_cycles - pair->once.core_cycles) / (double)pair->times;
}

/* Repeats as often as it takes until twice as many times take twice as long: warps whose data come
 * first run ahead, and while a run is short, it is over before the others have theirs. */
static enum status settle(const struct rates_bench *bench, repeat_function *repeat, uint64_t least,
                          struct pair *pair)
{
    double before = NAN;
    pair->times = least;
    enum status status = repeat(bench, least, &pair->once);
    if (!status)
        status = repeat(bench, 2 * least, &pair->twice);
    while (!status && !(fabs(time_of(pair) / before - 1) < SETTLED) && pair->times < TIMES_MOST) {
        before = time_of(pair);
        pair->once = pair->twice;
        pair->times *= 2;
        status = repeat(bench, 2 * pair->times, &pair->twice);
    }
    return status;
}

/* ---- the lab ---- */

static enum status read_again(const struct rates_bench *bench, repeat_function *repeat,
                              const struct reading *reading, struct rate *rate)
{
    struct pair pair;
    const enum status status = settle(bench, repeat, ROUNDS_LEAST, &pair);
    if (status)
        return status;
    rate->cycles = time_of(&pair) * (double)pair.times;
    rate->rate = (double)(reading->bytes * reading->copies) / time_of(&pair);
    return STATUS_OK;
}

static enum status read_sm(void *context, uint64_t bytes, struct rate *rate)
{
    const struct rates_bench *bench = context;
    (void)bytes;
    return read_again(bench, repeat_l1, &bench->l1, rate);
}

static enum status read_l2(void *context, uint64_t bytes, struct rate *rate)
{
    struct rates_bench *bench = context;
    (void)bytes;
    bench->machine.l1d.skip = true;
    const enum status status = read_again(bench, repeat_l2, &bench->l2, rate);
    bench->machine.l1d.skip = false;
    rate->rate *= (double)bench->machine.gpu.clock;
    return status;
}

/* No cache holds what is read for the first time. */
static enum status read_memory(void *context, uint64_t bytes, struct rate *rate)
{
    enum { TIMES = 3 }; /* of the shorter run */
    struct rates_bench *bench = context;
    struct metrics once, more;
    (void)bytes;
    bench->machine.l1d.skip = true;
    enum status status = run_reads(bench, &bench->memory, 1, 1, &once);
    if (!status)
        status = run_reads(bench, &bench->memory, TIMES, 1, &more);
    bench->machine.l1d.skip = false;
    if (status)
        return status;
    rate->cycles = more.core_cycles - once.core_cycles;
    rate->rate = (double)((TIMES - 1) * bench->memory.bytes) / rate->cycles *
                 (double)bench->machine.gpu.clock;
    return STATUS_OK;
}

static enum status load(void *context, uint32_t stride, uint32_t offset, struct load_cost *cost)
{
    struct rates_bench *bench = context;
    struct pair pair;
    bench->stride = stride;
    bench->offset = offset;
    const enum status status = settle(bench, repeat_load, LOADS_LEAST, &pair);
    if (status)
        return status;
    const double warps = (double)bench->warps, loads = warps * (double)pair.times;
    cost->cycles = time_of(&pair) / warps;
    cost->sectors = (pair.twice.l1d_accesses - pair.once.l1d_accesses) / loads;
    cost->requests = (pair.twice.stream_transactions - pair.once.stream_transactions) / loads;
    return STATUS_OK;
}

/* The threads of READS that an SM holds at once. */
static enum status find_resident(const struct machine *machine, uint64_t *threads,
                                 struct diagnostics *diagnostics)
{
    struct trace_source *source;
    const enum status status = workload_open("READS", &source, diagnostics);
    if (status)
        return status;
    const struct occupancy fits = occupancy_of(machine, &source->launches[0]);
    trace_source_free(source);
    *threads = (uint64_t)fits.blocks * BLOCK;
    return fits.blocks
               ? STATUS_OK
               : diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "an SM of this machine holds no block of %d threads", BLOCK);
}

/* As many threads of `sms` SMs, up to `most` an SM, as `bytes` have batches of loads for, then more
 * batches of each. Threads that an SM has left read what others read. No bytes: not even a warp of
 * an SM has a batch. */
static struct reading fill(uint64_t bytes, uint64_t sms, uint64_t most, uint64_t block)
{
    uint64_t columns = bytes / (BATCH * sms) / LANES * LANES;
    columns = columns < most ? columns : most;
    if (!columns)
        return (struct reading){0, 0, 0, 0};
    block = columns < block ? columns : block;
    columns = columns / block * block * sms;
    const uint64_t batches = bytes / (BATCH * columns);
    uint64_t copies = most * sms / columns;
    copies = copies * block <= BLOCK_MOST ? copies : BLOCK_MOST / block;
    return (struct reading){(batches < BATCHES ? batches : BATCHES) * BATCH * columns,
                            columns / block, block, copies};
}

enum status rates_machine(const struct machine *machine, unsigned parts,
                          const struct evaluate_options *options, struct rates *rates,
                          struct diagnostics *diagnostics)
{
    const uint64_t sms = machine->gpu.sms;
    struct rates_bench bench = {.machine = *machine, options, diagnostics};
    bench.machine.tlb.enabled = false;
    uint64_t resident;
    enum status status = find_resident(machine, &resident, diagnostics);
    if (status)
        return status;
    const uint64_t block = resident < BLOCK_MOST ? resident : BLOCK_MOST;
    bench.warps = block / LANES;
    if (machine->l1d.enabled)
        bench.l1 = fill(machine->l1d.size / 2, 1, block, block);
    if (machine->l2.enabled)
        bench.l2 = fill(machine->l2.size / 2, sms, resident, BLOCK);
    bench.memory = fill(BATCHES * BATCH * resident * sms, sms, resident, BLOCK);
    const struct rates_lab lab = {.read_sm = read_sm,
                                  .read_l2 = read_l2,
                                  .read_memory = read_memory,
                                  .load = load,
                                  .context = &bench,
                                  .l1 = bench.l1.bytes,
                                  .l2 = bench.l2.bytes,
                                  .memory = bench.memory.bytes};
    return rates_run(&lab, parts, rates);
}

/* ---- what is configured ---- */

static void limit_to(struct rate_limit *limit, double rate, const char *name)
{
    if (!(limit->rate <= rate))
        *limit = (struct rate_limit){rate, name};
}

/* What all SMs can take from the network: replies with a sector each. */
static struct rate_limit network_limit(const struct machine *machine)
{
    enum { SECTOR = 32 };
    const double flits = packet_flits(&machine->network, PACKET_HEADER + SECTOR);
    const double each = SECTOR / flits * (double)machine->network.clock;
    const double taken = network_sectors(&machine->network);
    const uint64_t clusters = machine->gpu.sms / machine->gpu.cluster;
    const double ports = (double)clusters;
    struct rate_limit limit = {ports * taken * each, "replies into SMs"};
    if (machine->l2.enabled)
        limit_to(&limit, (double)machine->l2.slices * each, "replies out of slices");
    return limit;
}

/* Bytes a cycle that the load/store units of an SM ask for, a word a lane. */
static double units_limit(const struct machine *machine)
{
    return 4 * LANES / ceil(LANES / (double)machine->core.load_store_units);
}

struct rate_limits rates_limits(const struct machine *machine)
{
    const struct cache_config *l1d = &machine->l1d, *l2 = &machine->l2;
    const struct dram_config *dram = &machine->dram;
    const struct rate_limit none = {NAN, ""};
    struct rate_limits limits = {none, none, network_limit(machine)};
    if (l1d->enabled) {
        const double line = 4 * LANES,
                     asked = line / (double)(l1d->sector < line ? l1d->sector : line);
        const double turns = l1d->tags ? 1 : ceil(asked / (double)l1d->banks);
        limit_to(&limits.l1, line / (turns * (double)l1d->wavefront), "its banks");
        limit_to(&limits.l1, line / (double)l1d->load_cycles, "its port to the SM");
        limit_to(&limits.l1, units_limit(machine), "its load/store units");
    }
    if (l2->enabled) {
        limits.l2 = network_limit(machine);
        if (l2->port)
            limit_to(&limits.l2, (double)(l2->slices * l2->port) * (double)l2_clock(machine),
                     "ports of slices");
        limits.memory = limits.l2;
    }
    if (!dram->fixed) {
        const uint64_t channels = l2->enabled ? l2->slices / l2->slices_per_channel : 0;
        const double ticks = fmax((double)dram->burst / (double)dram->rate, (double)dram->ccd);
        if (channels)
            limit_to(&limits.memory,
                     (double)(channels * dram->bus * dram->burst) / ticks * (double)dram->clock,
                     "bus of the DRAM");
    }
    const double asked =
        units_limit(machine) * (double)machine->gpu.sms * (double)machine->gpu.clock;
    if (l2->enabled)
        limit_to(&limits.l2, asked, "load/store units");
    limit_to(&limits.memory, asked, "load/store units");
    return limits;
}
