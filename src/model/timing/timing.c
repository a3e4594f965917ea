#include "model/timing/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/area/area.h"
#include "model/gpu/extent.h"
#include "model/gpu/occupancy.h"
#include "model/tile/tile.h"
#include "model/timing/base/timing_log.h"
#include "model/timing/gpu.h"
#include "model/timing/run_proof.h"
#include "model/timing/sm/sm.h"
#include "model/timing/snapshots.h"
#include "model/timing/timing_check.h"
#include "model/translation/pwc_rates.h"

enum { SAMPLES_PER_INTERVAL = 16 };

static double total(const uint64_t *counts, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += (double)counts[i];
    return sum;
}

/* The metrics that an L1D and an L2 share. */
struct cache_answers {
    double accesses, misses, pending, reads, read_misses, writes, write_misses, sector_misses;
};

static struct cache_answers cache_answers(const struct cache_unit_counts *counts)
{
    const uint64_t *reads = counts->reads, *writes = counts->writes;
    struct cache_answers answers = {
        .reads = total(reads, UNIT_OUTCOMES),
        .writes = total(writes, UNIT_OUTCOMES),
        .read_misses = (double)(reads[UNIT_MISS] + reads[UNIT_SECTOR_MISS]),
        .write_misses = (double)(writes[UNIT_MISS] + writes[UNIT_SECTOR_MISS]),
        .sector_misses = (double)(reads[UNIT_SECTOR_MISS] + writes[UNIT_SECTOR_MISS]),
        .pending = (double)(reads[UNIT_PENDING] + writes[UNIT_PENDING]),
    };
    answers.accesses = answers.reads + answers.writes;
    answers.misses = answers.read_misses + answers.write_misses;
    return answers;
}

/* Whether somebody asked for the classes: they add up to the misses. */
static bool is_classified(const struct cache_unit_counts *counts, double misses)
{
    return total(counts->classes, MISS_CLASSES) == misses;
}

#define PUT_CLASSES(metrics, f, counts)                                                            \
    do {                                                                                           \
        (metrics)->f##_miss_compulsory = (double)(counts)->classes[MISS_COMPULSORY];               \
        (metrics)->f##_miss_flush = (double)(counts)->classes[MISS_FLUSH];                         \
        (metrics)->f##_miss_store = (double)(counts)->classes[MISS_STORE];                         \
        (metrics)->f##_miss_capacity = (double)(counts)->classes[MISS_CAPACITY];                   \
        (metrics)->f##_miss_conflict = (double)(counts)->classes[MISS_ASSOCIATIVITY];              \
    } while (0)

#define PUT_CACHE(metrics, f, counts, tries, ports)                                                \
    do {                                                                                           \
        const struct cache_answers answers = cache_answers(counts);                                \
        (metrics)->f##_accesses = answers.accesses;                                                \
        (metrics)->f##_misses = answers.misses;                                                    \
        (metrics)->f##_pending_hits = answers.pending;                                             \
        (metrics)->f##_reads = answers.reads;                                                      \
        (metrics)->f##_read_misses = answers.read_misses;                                          \
        (metrics)->f##_writes = answers.writes;                                                    \
        (metrics)->f##_write_misses = answers.write_misses;                                        \
        (metrics)->f##_sector_misses = answers.sector_misses;                                      \
        (metrics)->f##_writebacks = (double)(counts)->writebacks;                                  \
        (metrics)->f##_read_bytes = (double)(counts)->read_bytes;                                  \
        (metrics)->f##_write_bytes = (double)(counts)->write_bytes;                                \
        (metrics)->f##_bytes = (double)(counts)->bytes;                                            \
        (metrics)->f##_fails = total(tries, UNIT_RESULTS - UNIT_FAIL);                             \
        (metrics)->f##_fail_line = (double)(tries)[UNIT_FAIL_LINE - UNIT_FAIL];                    \
        (metrics)->f##_fail_miss_queue = (double)(tries)[UNIT_FAIL_MISS_QUEUE - UNIT_FAIL];        \
        (metrics)->f##_fail_mshr_entry = (double)(tries)[UNIT_FAIL_MSHR - UNIT_FAIL];              \
        (metrics)->f##_fail_mshr_merge = (double)(tries)[UNIT_FAIL_MERGE - UNIT_FAIL];             \
        (metrics)->f##_fail_write = (double)(tries)[UNIT_FAIL_WRITE - UNIT_FAIL];                  \
        (metrics)->f##_fail_port = (double)(ports);                                                \
        if (is_classified(counts, answers.misses))                                                 \
            PUT_CLASSES(metrics, f, counts);                                                       \
    } while (0)

/* The latency that a share of the loads does not exceed. */
static double percentile(const uint64_t latencies[LATENCY_BUCKETS], double share)
{
    uint64_t all = 0, sum = 0;
    for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
        all += latencies[i];
    for (uint32_t i = 0; i < LATENCY_BUCKETS; i++) {
        sum += latencies[i];
        if (all && (double)sum >= share * (double)all)
            return latency_of_bucket(i);
    }
    return NAN;
}

static void put_slots(struct metrics *metrics, const struct sm_counts *sm)
{
    const double slots = total(sm->slots, SLOT_COUNT);
#define PUT_SLOT(X, field, name, what)                                                             \
    metrics->core_slots_##field = (double)sm->slots[SLOT_##field] / slots;
#define PUT_MEMORY_SLOT(X, field, name, what)                                                      \
    metrics->core_memory_##field = (double)(int64_t)sm->memory_slots[MEMORY_SLOT_##field] / slots;
    SLOT_LIST(PUT_SLOT, )
    MEMORY_SLOT_LIST(PUT_MEMORY_SLOT, )
#undef PUT_SLOT
#undef PUT_MEMORY_SLOT
}

static void put_core(struct metrics *metrics, const struct machine *machine,
                     const struct gpu_counts *counts)
{
    const struct sm_counts *sm = &counts->sm;
    metrics->core_cycles = (double)counts->cycles;
    metrics->core_time = (double)counts->cycles / (double)machine->gpu.clock;
    metrics->core_thread_instructions = (double)sm->thread_instructions;
    metrics->stream_warp_instructions = (double)sm->instructions;
    metrics->stream_memory_instructions = (double)sm->memory_instructions;
    metrics_put_spaces(metrics, sm->spaces);
    metrics->stream_loads_global = (double)sm->global[OP_LOAD];
    metrics->stream_stores_global = (double)sm->global[OP_STORE];
    metrics->stream_thread_accesses = (double)sm->thread_accesses;
    metrics->stream_transactions = (double)sm->transactions;
    metrics->stream_past_l1 = (double)sm->past_l1;
    metrics->occupancy_achieved = (double)sm->warp_cycles / (double)sm->cycles /
                                  ((double)machine->gpu.max_threads / WARP_SIZE);
    put_slots(metrics, sm);
    metrics->memory_latency_mean = (double)sm->load_cycles / (double)sm->loads;
    metrics->shared_conflicts = (double)sm->shared_conflicts;
    metrics->network_bytes = (double)(sm->sent_bytes + counts->reply_bytes);
}

/* Fetches that join a line in flight miss in the caches' own counts, too. */
static void put_l1i(struct metrics *metrics, const struct instruction_cache_config *config,
                    const struct gpu_counts *counts)
{
    const struct cache_answers l1i = cache_answers(&counts->l1i), l0 = cache_answers(&counts->l0);
    metrics->l1i_accesses = l1i.accesses;
    metrics->l1i_misses = (double)counts->l1i.read_bytes / (double)config->line;
    metrics->l1i_pending_hits = l1i.misses - metrics->l1i_misses;
    metrics->l1i_tag_reads = l1i.accesses - (double)counts->l1i.repeated;
    metrics->l1i_fails = total(counts->l1i.fails, UNIT_RESULTS - UNIT_FAIL);
    if (config->buffer) {
        metrics->l1i_buffer_hits = (double)counts->stream.hits;
        metrics->l1i_prefetches = (double)counts->stream.prefetches;
    }
    if (config->l0.size) {
        metrics->l1i_l0_accesses = l0.accesses;
        metrics->l1i_l0_misses = (double)counts->l0.read_bytes / (double)config->line;
        metrics->l1i_l0_pending_hits = l0.misses - metrics->l1i_l0_misses;
    }
}

static void put_dram(struct metrics *metrics, const struct machine *machine,
                     const struct gpu_counts *counts)
{
    const struct dram_counts *dram = &counts->dram;
    metrics->dram_reads = (double)dram->reads;
    metrics->dram_writes = (double)dram->writes;
    metrics->dram_activates = (double)dram->activates;
    metrics->dram_bytes =
        (double)((dram->reads + dram->writes) * machine->dram.bus * machine->dram.burst);
    metrics->dram_busy = (double)dram->busy / (double)counts->dram_ticks;
}

static void put_translation(struct metrics *metrics, const struct machine *machine,
                            const struct gpu_counts *counts)
{
    const struct cache_answers tlb = cache_answers(&counts->tlb);
    const struct pwc_counts *walks = &counts->walks;
    const double all = (double)walks->walks;
    metrics->tlb_accesses = tlb.accesses;
    metrics->tlb_misses =
        (double)counts->tlb.read_bytes / (double)MMU_LINE; /* others join one of them */
    if (machine->l2tlb.enabled) {
        metrics->l2tlb_accesses = (double)counts->mmu.shared_accesses;
        metrics->l2tlb_misses = (double)counts->mmu.shared_misses;
    }
    if (machine_couples(machine)) {
        metrics->l2_walk_accesses = (double)counts->channels.walk_accesses;
        metrics->l2_walk_misses = (double)counts->channels.walk_misses;
    }
    metrics->walk_count = all;
    metrics->walk_merged = (double)counts->mmu.merged;
    metrics->walk_memory_accesses = (double)walks->memory_accesses;
    metrics->walk_wait_mean = (double)counts->mmu.wait / all;
    metrics->walk_latency_mean = (double)counts->mmu.latency / (double)counts->mmu.requests;
    if (machine->pwc.organization == PWC_NONE)
        return;
    metrics->pwc_l4_hit_rate = pwc_hit_rate(walks, PWC_HIT_L4, machine->page.size);
    metrics->pwc_l3_hit_rate = pwc_hit_rate(walks, PWC_HIT_L3, machine->page.size);
    metrics->pwc_l2_hit_rate = pwc_hit_rate(walks, PWC_HIT_L2, machine->page.size);
}

static void put_l2(struct metrics *metrics, const struct machine *machine,
                   const struct gpu_counts *counts)
{
    PUT_CACHE(metrics, l2, &counts->l2, counts->l2.fails, 0);
    metrics->l2_crossings = (double)counts->channels.crossings;
    metrics->l2_crossing_misses = (double)counts->channels.crossing_misses;
    metrics->l2_busy = (metrics->l2_accesses + metrics->l2_crossings) / (double)counts->l2_cycles;
    if (machine->l2.port)
        metrics->l2_port_busy = (double)counts->channels.port_cycles / (double)counts->l2_cycles;
}

/* Nothing in use for no time is none. */
static double mean_of(const struct gpu_counts *counts, enum gauge_place place)
{
    const uint64_t time = counts->gauge_times[place];
    return time ? (double)counts->gauge_sums[place] / (double)time : 0;
}

static void put_gauges(struct metrics *metrics, const struct machine *machine,
                       const struct gpu_counts *counts, const struct gpu_totals *totals)
{
#define PUT_GAUGE(X, field, path, stage, what)                                                     \
    if (stage == STAGE_L1I ? machine->l1i.enabled : machine_has(machine, stage)) {                 \
        metrics->field##_mean = mean_of(counts, GAUGE_##field);                                    \
        metrics->field##_max = totals ? (double)totals->most[GAUGE_##field] : NAN;                 \
    }
    GAUGE_LIST(PUT_GAUGE, )
#undef PUT_GAUGE
    metrics->network_requests_busy = (double)counts->request_flits / (double)counts->request_peak;
    metrics->network_replies_busy = (double)counts->reply_flits / (double)counts->reply_peak;
}

/* `totals` may be NULL: what they tell is then left as it is. */
static void put_counts(struct metrics *metrics, const struct machine *machine,
                       const struct gpu_counts *counts, const struct gpu_totals *totals)
{
    put_core(metrics, machine, counts);
    if (totals) {
        metrics->memory_latency_p50 = percentile(totals->latencies, 0.5);
        metrics->memory_latency_p99 = percentile(totals->latencies, 0.99);
        metrics->core_bound = (double)totals->bound;
        metrics->core_imbalance = (double)(totals->bound * machine->gpu.sms *
                                           machine->scheduler.count * machine->scheduler.issue) /
                                  (double)counts->sm.instructions;
    }
    put_gauges(metrics, machine, counts, totals);
    put_dram(metrics, machine, counts);
    if (machine->l1d.enabled) {
        PUT_CACHE(metrics, l1d, &counts->l1d, counts->sm.fails, counts->sm.port_fails);
        metrics->l1d_busy = metrics->l1d_accesses / (double)counts->l1d_peak;
        metrics->l1d_bypass_accesses = (double)counts->l1d.bypassed;
        metrics->l1d_bypass_pcs = (double)counts->bypassed_pcs;
        metrics->l1d_hw_misses = metrics->l1d_read_misses + (double)counts->sm.tag_misses;
        if (machine->l1d.same_line)
            metrics->l1d_tag_reads = metrics->l1d_accesses - (double)counts->l1d.repeated;
    }
    if (machine->l1i.enabled)
        put_l1i(metrics, &machine->l1i, counts);
    if (machine->l2.enabled)
        put_l2(metrics, machine, counts);
    if (machine_has(machine, STAGE_TLB))
        put_translation(metrics, machine, counts);
}

void timing_metrics(const struct machine *machine, const struct trace_source *source,
                    const struct gpu_counts *counts, const struct gpu_totals *totals,
                    struct metrics *metrics)
{
    const struct occupancy_mean mean = occupancy_mean_of(machine, source);
    metrics_clear(metrics);
    metrics->occupancy_blocks = mean.blocks;
    metrics->occupancy_warps = mean.warps;
    put_counts(metrics, machine, counts, totals);
    area_evaluate(machine, metrics);
    metrics_derive(metrics);
}

struct watch { /* what is noted while a machine runs */
    const struct machine *machine;
    const struct evaluate_options *options;
    struct gpu_counts before; /* of the launches before the last one */
    struct snapshots samples;
    enum status status;
};

/* Appends the metrics of what happened between two counts. */
static void put_part(struct watch *watch, struct timing_parts *parts,
                     const struct gpu_counts *before, const struct gpu_counts *after)
{
    if (array_reserve(&parts->items, &parts->capacity, parts->count + 1)) {
        watch->status = STATUS_MEMORY;
        return;
    }
    struct timing_part *part = &parts->items[parts->count++];
    const struct gpu_counts counts = gpu_counts_between(before, after);
    *part = (struct timing_part){.begin = before->cycles, .end = after->cycles};
    metrics_clear(&part->metrics);
    put_counts(&part->metrics, watch->machine, &counts, NULL);
    metrics_derive(&part->metrics);
}

static void tell_launch(void *context, uint32_t launch, const struct gpu_counts *counts)
{
    struct watch *watch = context;
    const struct evaluate_options *options = watch->options;
    if (options->log && options->log->by_launch)
        put_part(watch, &options->log->launches, &watch->before, counts);
    watch->before = *counts;
    if (!options->launched)
        return;
    struct metrics metrics;
    metrics_clear(&metrics);
    put_counts(&metrics, watch->machine, counts, NULL);
    metrics_derive(&metrics);
    options->launched(options->launched_context, launch, &metrics);
}

static uint64_t take_sample(void *context, const struct gpu_counts *counts)
{
    struct watch *watch = context;
    return snapshots_add(&watch->samples, counts);
}

/* Makes intervals of the samples: each ends at the first one at or after its share of the run. */
static void put_intervals(struct watch *watch, const struct gpu_counts *end)
{
    struct timing_log *log = watch->options->log;
    const struct snapshots *samples = &watch->samples;
    struct gpu_counts before = {0};
    size_t at = 0;
    for (uint64_t i = 1; i < log->intervals; i++) {
        const double due = (double)end->cycles * (double)i / (double)log->intervals;
        while (at < samples->count && (double)samples->items[at].cycles < due)
            at++;
        if (at == samples->count || samples->items[at].cycles >= end->cycles)
            break;
        if (samples->items[at].cycles == before.cycles)
            continue; /* an interval shorter than a span is part of its neighbour */
        put_part(watch, &log->times, &before, &samples->items[at]);
        before = samples->items[at];
    }
    put_part(watch, &log->times, &before, end);
}

static enum status evaluate_one(const struct machine *machine, const struct trace_source *source,
                                const struct evaluate_options *options, struct metrics *metrics,
                                struct diagnostics *diagnostics)
{
    struct gpu_totals *totals = calloc(1, sizeof *totals);
    struct gpu_counts counts = {0};
    struct watch watch = {.machine = machine, .options = options};
    const struct timing_log *log = options->log;
    const bool samples = log && log->intervals;
    const struct gpu_options gpu = {.threads =
                                        options->threads > 1 ? (uint32_t)options->threads : 1,
                                    .classified = options->needs & STAGE_EVERY,
                                    .evaluate = options,
                                    .launched = options->launched || log ? tell_launch : NULL,
                                    .sampled = samples ? take_sample : NULL,
                                    .context = &watch,
                                    .proof = ideal_none(options->ideals) ? options->proofs : NULL,
                                    .pcs = options->pcs,
                                    .events = options->events,
                                    .warps = log && log->by_warp ? &options->log->warps : NULL};
    enum status status = totals ? STATUS_OK : STATUS_MEMORY;
    if (!status && samples)
        status = snapshots_init(&watch.samples, (size_t)log->intervals * SAMPLES_PER_INTERVAL);
    if (!status)
        status = gpu_run(machine, source, &gpu, &counts, totals, diagnostics);
    if (!status) {
        timing_metrics(machine, source, &counts, totals, metrics);
        if (samples)
            put_intervals(&watch, &counts);
        if (gpu.warps)
            timing_warps_sort(gpu.warps);
    }
    snapshots_free(&watch.samples);
    free(totals);
    return status ? status : watch.status;
}

/* Makes as many intervals as are wanted of the parts of time, or as there are. */
static enum status put_scene_intervals(const struct tile_parts *parts, uint32_t banks,
                                       uint64_t cycles, struct timing_log *log)
{
    const uint64_t used = parts->cycles ? (cycles - 1) / parts->cycles + 1 : 0;
    const uint64_t wanted = log->intervals < used ? log->intervals : used;
    struct timing_parts *times = &log->times;
    for (uint64_t i = 0; i < wanted; i++) {
        const uint64_t first = used * i / wanted, behind = used * (i + 1) / wanted;
        struct tile_part sum = {0};
        if (array_reserve(&times->items, &times->capacity, times->count + 1))
            return STATUS_MEMORY;
        struct timing_part *part = &times->items[times->count++];
        for (uint64_t k = first; k < behind; k++)
            tile_part_add(&sum, &parts->items[k]);
        part->begin = first * parts->cycles;
        part->end = i + 1 < wanted ? behind * parts->cycles : cycles;
        tile_put_part(&sum, banks, part->end - part->begin, &part->metrics);
    }
    return STATUS_OK;
}

/* A scene is drawn, not executed: its requests meet the tile cache alone. */
static enum status evaluate_scene(const struct machine *machine, const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    metrics_clear(metrics);
    if (!machine_has(machine, STAGE_TILE))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s is a scene: to time it a machine needs a tile cache "
                                 "(machine.kind: graphics, tile.enabled: yes)",
                                 source->name);
    struct timing_log *log = options->log && options->log->intervals ? options->log : NULL;
    struct tile_parts *parts = log ? calloc(1, sizeof *parts) : NULL;
    enum status status = log && !parts ? STATUS_MEMORY : STATUS_OK;
    if (!status)
        status = tile_time(machine, source->tiles, options, parts, metrics, diagnostics);
    if (!status && parts)
        status = put_scene_intervals(parts, (uint32_t)machine->tile.cache.slices,
                                     (uint64_t)metrics->tile_cycles, log);
    free(parts);
    metrics->core_cycles = metrics->tile_cycles;
    metrics->core_time = metrics->tile_cycles / (double)machine->gpu.clock;
    area_evaluate(machine, metrics);
    metrics_derive(metrics);
    return status;
}

/* Machines run one after another, so each is an equal part of the progress. */
struct machines_progress {
    const struct evaluate_options *outer;
    size_t done, count;
};

static void report_machine(void *argument, double share)
{
    const struct machines_progress *progress = argument;
    progress->outer->progress(progress->outer->argument,
                              ((double)progress->done + share) / (double)progress->count);
}

enum status timing_evaluate(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, struct metrics *metrics,
                            struct diagnostics *diagnostics)
{
    struct machines_progress progress = {options, 0, count};
    struct evaluate_options inner = *options;
    enum status status = STATUS_OK;
    inner.progress = options->progress ? report_machine : NULL;
    inner.argument = &progress;
    for (size_t i = 0; options->proofs && i < count; i++)
        options->proofs[i].holds = false;
    /* Blocks that run for long say nothing of how far they are. */
    struct extent extent = {0};
    if (options->progress && !(options->extent && options->extent->source == source) && count) {
        status = extent_measure(source, machines[0]->coalescer.arch, options->cancel, &extent);
        inner.extent = &extent;
    }
    for (; !status && progress.done < count; progress.done++) {
        status = timing_check(machines[progress.done], diagnostics);
        if (!status && source->tiles)
            status = evaluate_scene(machines[progress.done], source, &inner,
                                    &metrics[progress.done], diagnostics);
        else if (!status)
            status = evaluate_one(machines[progress.done], source, &inner, &metrics[progress.done],
                                  diagnostics);
        inner.proofs += inner.proofs != NULL;
        inner.record_placement = NULL;
        inner.launched = NULL; /* extra results are of the first machine */
        inner.log = NULL;
        inner.pcs = NULL;
        inner.events = NULL;
    }
    extent_free(&extent);
    return status;
}

bool timing_slow(const struct machine *machine, enum depth depth, char text[TIMING_SLOW])
{
    enum { WORTH_SAYING = 20 };
    const bool dram = machine->dram.clock > machine->network.clock;
    const double fastest = (double)(dram ? machine->dram.clock : machine->network.clock);
    const double steps = fastest / (double)machine->gpu.clock;
    char clock[QUANTITY_TEXT], other[QUANTITY_TEXT];
    if (!depth_can(depth, DEPTH_TIMED) || machine_has(machine, STAGE_TILE) || steps < WORTH_SAYING)
        return false;
    snprintf(text, TIMING_SLOW,
             "gpu.clock is %s and %s.clock %s: each cycle of the SMs has %.0f steps, and a run may "
             "take as many times as long as one at equal clocks",
             quantity_print_real((double)machine->gpu.clock, UNIT_HERTZ, clock),
             dram ? "dram" : "network", quantity_print_real(fastest, UNIT_HERTZ, other), steps);
    return true;
}

size_t timing_notes(const struct machine *machine, const char *notes[])
{
    size_t count = 0;
    if (machine_has(machine, STAGE_TILE)) {
        notes[count++] = "a scene is timed by its tile cache alone: no shader, and nothing beyond "
                         "the bus, limits it";
        return count;
    }
    notes[count++] =
        "the rules are those of GPGPU-Sim 4.2 in trace mode; waits for data from outside an "
        "SM are shared out to network, l2 and dram by the time spent there, not by what made it "
        "long: warpscape explain and causes find that";
    if (machine_has(machine, STAGE_TLB))
        notes[count++] = "translation is not part of those rules: tlb.enabled=no leaves it out";
    return count;
}
