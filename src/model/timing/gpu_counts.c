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

void gpu_add_counts(struct gpu *gpu, bool ended, struct gpu_counts *counts)
{
    *counts = (struct gpu_counts){.cycles = gpu->total_cycles, .reply_bytes = gpu->reply_bytes};
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
        struct dram_counts own =
            ended ? dram_counts_before(dram, end_tick(gpu, dram)) : dram->counts;
        ADD(&counts->dram, &own);
        ADD(&counts->channels, &gpu->channels[i].counts);
        for (uint32_t s = 0; s < gpu->channels[i].slice_count; s++)
            ADD(&counts->l2, &gpu->channels[i].slices[s].cache.counts);
    }
    counts->mmu = gpu->mmu.counts;
    if (gpu->mmu.pwc)
        pwc_read_counts(gpu->mmu.pwc, &counts->walks);
    counts->bypassed_pcs = bypassed_pcs(gpu);
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
    gpu_add_counts(gpu, false, &counts);
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
