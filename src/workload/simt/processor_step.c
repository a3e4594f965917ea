/* Which of the two ways steps are made, and why none follow (processor.h). */
#include "workload/simt/processor_parts.h"

bool simt_has_vectors(void)
{
#if defined __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

/* Why a block goes no further: all its warps have ended, or it is at its limit, or they wait for
 * each other. */
static enum simt_result why_none(struct simt_block *block)
{
    const uint64_t limit = block->program->setup.limit;
    if (block->ready) {
        simt_fault(block, "the block has issued %llu instructions, its limit",
                   (unsigned long long)limit);
        return SIMT_FAULT;
    }
    for (uint32_t i = 0; i < block->program->setup.warps; i++)
        if (block->warps[i].live) {
            simt_fault(block, "all warps that are left wait at barriers");
            return SIMT_FAULT;
        }
    return SIMT_ENDED;
}

static size_t run_any(struct simt_block *block, struct simt_step *steps, size_t count,
                      enum simt_result *result, bool in_turn)
{
    const size_t made = block->vectors ? simt_run_vectors(block, steps, count, result, in_turn)
                                       : simt_run_plain(block, steps, count, result, in_turn);
    if (*result == SIMT_RAN && made < count)
        *result = why_none(block);
    return made;
}

size_t simt_block_run(struct simt_block *block, struct simt_step *steps, size_t count,
                      enum simt_result *result)
{
    return run_any(block, steps, count, result, false);
}

enum simt_result simt_block_step(struct simt_block *block, struct simt_step *step)
{
    enum simt_result result;
    run_any(block, step, 1, &result, true);
    return result;
}
