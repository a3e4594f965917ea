#include "model/timing/gpu_parts.h"
#include "model/timing/sm/code_counts.h"

/* What a run counts, and what it says while it goes on. */

double gpu_work_done(const struct gpu *gpu)
{
    double work = 0;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        work += (double)(gpu->sms[i].counts.transactions + gpu->sms[i].counts.memory_instructions);
    return work;
}

/* Instructions of which the L1D of any SM bypassed misses. */
static uint64_t bypassed_pcs(struct gpu *gpu)
{
    struct key_table all = {0};
    uint32_t number;
    for (uint32_t i = 0; i < gpu->sm_count && gpu->sms[i].load_store.l1d.bypass; i++) {
        const struct key_table *keys = &gpu->sms[i].load_store.l1d.bypass->passing;
        for (uint32_t k = 0; k < keys->count && !gpu->status; k++)
            gpu->status = key_table_number(&all, keys->keys[k], &number);
    }
    const uint64_t count = all.count;
    key_table_free(&all);
    return count;
}

/* The tick of the DRAMs with which the launch that ended last is over: the first one in a step
 * behind that of its last cycle. */
static uint64_t end_tick(const struct gpu *gpu, const struct dram *dram)
{
    const struct span *span = gpu->span;
    const uint64_t cycles = gpu->ended > span->cycle ? gpu->ended - span->cycle : 0;
    const uint32_t steps = cycles ? span->core_step[cycles - 1] + 1 : 0;
    return dram->span_tick + span->ticks_before[steps];
}

/* Where gauges are read. */
struct gauge_reader {
    struct gpu_counts *counts;
    uint32_t *most; /* may be NULL */
};

/* Adds a gauge that has been read at `now`, after so much time. */
static void read_gauge(const struct gauge_reader *reader, enum gauge_place place,
                       const struct gauge *gauge, uint64_t used, uint64_t now, uint64_t time)
{
    reader->counts->gauge_sums[place] += gauge_sum(gauge, used, now);
    reader->counts->gauge_times[place] += time;
    if (reader->most && reader->most[place] < gauge->most)
        reader->most[place] = gauge->most;
}

_Static_assert(GAUGE_l1d_mshr_merge == GAUGE_l1d_mshr_entries + 1 &&
                   GAUGE_l1d_miss_queue == GAUGE_l1d_mshr_entries + 2,
               "the gauges of a cache follow each other");

/* Lists of requests are there as long as their MSHRs are in use. */
static void read_cache(const struct gauge_reader *reader, enum gauge_place entries,
                       const struct cache_unit *unit, uint64_t now, uint64_t time)
{
    const uint64_t merged = cache_unit_waiting(unit);
    read_gauge(reader, entries, &unit->in_use, unit->mshrs_used, now, time);
    read_gauge(reader, entries + 1, &unit->merged, merged, now,
               gauge_sum(&unit->in_use, unit->mshrs_used, now));
    read_gauge(reader, entries + 2, &unit->queued, unit->misses.count, now, time);
}

static void read_sm(const struct gauge_reader *reader, const struct sm *sm, uint64_t now,
                    uint64_t time)
{
    read_gauge(reader, GAUGE_core_collectors, &sm->collect.in_use, sm->collect.collecting, now,
               time);
    read_gauge(reader, GAUGE_core_responses, &sm->port.answered, sm->port.responses.count, now,
               time);
    read_cache(reader, GAUGE_l1d_mshr_entries, &sm->load_store.l1d, now, time);
    read_cache(reader, GAUGE_l1i_mshr_entries, &sm->fetch.l1i, now, time);
}

static void read_channel(const struct gauge_reader *reader, const struct channel *channel)
{
    const struct dram *dram = &channel->dram;
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        const struct slice *slice = &channel->slices[i];
        const uint64_t now = channel->l2_cycles;
        read_cache(reader, GAUGE_l2_mshr_entries, &slice->cache, now, now);
        const struct packet_queue *queues[SLICE_QUEUES] = {&slice->incoming, &slice->outgoing,
                                                           &slice->to_dram, &slice->from_dram};
        for (unsigned k = 0; k < SLICE_QUEUES; k++)
            read_gauge(reader, GAUGE_l2_queue_in + k, &slice->gauges[k], queues[k]->count, now,
                       now);
    }
    read_gauge(reader, GAUGE_dram_queue, &dram->waiting, dram->queued + dram->input_count,
               channel->ticks, channel->ticks);
    read_gauge(reader, GAUGE_dram_returns, &dram->returned, dram->return_count, channel->ticks,
               channel->ticks);
}

static void read_network(const struct gauge_reader *reader, const struct network *network,
                         enum gauge_place place, uint64_t *flits, uint64_t *peak)
{
    const uint64_t rate = network->flits ? 1 : network->rate;
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < network->inputs; i++)
        waiting += network_visible(network, i);
    read_gauge(reader, place, &network->waits, waiting, network->steps + 1,
               network->steps * network->inputs);
    *flits = network->moved;
    *peak = network->steps * network->outputs * rate;
}

static void read_gauges(const struct gpu *gpu, bool ended, const struct gauge_reader *reader)
{
    struct gpu_counts *counts = reader->counts;
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        const uint64_t now = ended ? gpu->ended : gpu->sms[i].now;
        read_sm(reader, &gpu->sms[i], now, now - gpu->delay);
        counts->l1d_peak += (now - gpu->delay) * gpu->shared->l1_banks;
    }
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        read_channel(reader, &gpu->channels[i]);
    read_network(reader, &gpu->requests, GAUGE_network_requests, &counts->request_flits,
                 &counts->request_peak);
    read_network(reader, &gpu->replies, GAUGE_network_replies, &counts->reply_flits,
                 &counts->reply_peak);
    const uint64_t now = ended ? gpu->ended : gpu->cycle;
    read_gauge(reader, GAUGE_walker_count, &gpu->mmu.in_use, mmu_reading(&gpu->mmu), now,
               now - gpu->delay);
    read_gauge(reader, GAUGE_walker_queue, &gpu->mmu.queued, gpu->mmu.waiting_count, now,
               now - gpu->delay);
}

void gpu_add_counts(struct gpu *gpu, bool ended, struct gpu_counts *counts, uint32_t *most)
{
    *counts = (struct gpu_counts){.cycles = gpu->total_cycles, .reply_bytes = gpu->reply_bytes};
    if (ended) /* how far they have been carried depends on who looked for room last */
        gpu_carry_requests(gpu, gpu->ended);
    uint64_t *sum, *part;
#define ADD(to, from)                                                                              \
    for (sum = (uint64_t *)(to), part = (uint64_t *)(from);                                        \
         (size_t)(sum - (uint64_t *)(to)) < sizeof *(to) / sizeof(uint64_t);)                      \
    *sum++ += *part++
    for (uint32_t i = 0; i < gpu->sm_count; i++) {
        ADD(&counts->sm, &gpu->sms[i].counts);
        ADD(&counts->l1i, &gpu->sms[i].fetch.l1i.counts);
        ADD(&counts->stream, &gpu->sms[i].fetch.stream.counts);
        for (uint32_t k = 0; k < gpu->sms[i].fetch.l0_count; k++)
            ADD(&counts->l0, &gpu->sms[i].fetch.l0s[k].counts);
        ADD(&counts->l1d, &gpu->sms[i].load_store.l1d.counts);
        ADD(&counts->tlb, &gpu->sms[i].translate.tlb.counts);
    }
    for (uint32_t i = 0; i < gpu->channel_count; i++) {
        const struct dram *dram = &gpu->channels[i].dram;
        const uint64_t tick = ended ? end_tick(gpu, dram) : gpu->channels[i].ticks;
        struct dram_counts own = ended ? dram_counts_before(dram, tick) : dram->counts;
        counts->dram_ticks += tick;
        counts->l2_cycles += gpu->channels[i].l2_cycles * gpu->channels[i].slice_count;
        ADD(&counts->dram, &own);
        ADD(&counts->channels, &gpu->channels[i].counts);
        for (uint32_t s = 0; s < gpu->channels[i].slice_count; s++)
            ADD(&counts->l2, &gpu->channels[i].slices[s].cache.counts);
    }
    counts->mmu = gpu->mmu.counts;
    if (gpu->mmu.pwc)
        pwc_read_counts(gpu->mmu.pwc, &counts->walks);
    counts->bypassed_pcs = bypassed_pcs(gpu);
    read_gauges(gpu, ended, &(const struct gauge_reader){counts, most});
#undef ADD
}

enum status gpu_report_pcs(const struct gpu *gpu, struct pc_table *table)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; !status && i < gpu->sm_count; i++) {
        status = code_counts_report(&gpu->sms[i], table);
        if (!status && gpu->sms[i].load_store.l1d.bypass)
            status = bypass_report(gpu->sms[i].load_store.l1d.bypass, table);
    }
    return status;
}

void gpu_sample(struct gpu *gpu)
{
    struct gpu_counts counts;
    gpu_add_counts(gpu, false, &counts, NULL);
    counts.cycles = gpu->cycle > gpu->delay ? gpu->cycle - gpu->delay : 0;
    gpu->next_sample = gpu->options->sampled(gpu->options->context, &counts);
}

/* Shows the counts by instruction so far to whoever watches the run. */
static void show_pcs(struct gpu *gpu)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    struct pc_table so_far = {0};
    gpu->status = pc_table_add(&so_far, gpu->options->pcs);
    if (!gpu->status && gpu->launch < gpu->source->launch_count)
        gpu->status = gpu_report_pcs(gpu, &so_far);
    if (!gpu->status)
        evaluate->watched(evaluate->watched_context, &so_far);
    pc_table_free(&so_far);
}

void gpu_report_progress(struct gpu *gpu)
{
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    if (!evaluate || !evaluate_due(evaluate, &gpu->reported))
        return;
    evaluate->progress(evaluate->argument, gpu->measured
                                               ? extent_walk_share(&gpu->walk, gpu_work_done(gpu))
                                               : (double)gpu->given / (double)gpu->all_blocks);
    if (evaluate->watched && gpu->options->pcs && !gpu->status)
        show_pcs(gpu);
}
