#include "model/ideal_machine.h"

#include "schema/parameters.h"

const struct ideal_setting ideal_settings[] = {
    {IDEAL_L1D_LATENCY, "l1d.latency", 1},
    {IDEAL_L1D_ENTRIES, "l1d.mshr.entries", SETTING_MOST},
    {IDEAL_L1D_ENTRIES, "l1d.mshr.tags", 0},
    {IDEAL_L1D_MERGE, "l1d.mshr.merge", SETTING_MOST},
    {IDEAL_L1D_MISS_QUEUE, "l1d.miss_queue", SETTING_MOST},
    {IDEAL_L2_LATENCY, "l2.latency", SETTING_LEAST},
    {IDEAL_L2_MSHR, "l2.mshr.entries", SETTING_MOST},
    {IDEAL_L2_MSHR, "l2.mshr.merge", SETTING_MOST},
    {IDEAL_L2_MSHR, "l2.miss_queue", SETTING_MOST},
    {IDEAL_TRANSLATION, "tlb.enabled", 0},
    /* Sets, because a fully associative TLB of so many entries takes long to search. */
    {IDEAL_TLB_CAPACITY, "tlb.entries", 65536},
    {IDEAL_TLB_CAPACITY, "tlb.ways", 64},
    {IDEAL_TLB_CAPACITY, "l2tlb.entries", 65536},
    {IDEAL_TLB_CAPACITY, "l2tlb.ways", 64},
    {IDEAL_WALKER_COUNT, "walker.count", SETTING_MOST},
    {IDEAL_WALKER_COUNT, "walker.queue", SETTING_MOST},
    {IDEAL_WALKER_LATENCY, "walker.latency", SETTING_LEAST},
    {IDEAL_WALKER_LATENCY, "walker.lookup", SETTING_LEAST},
    {IDEAL_WALKER_LATENCY, "walker.l2", 0},
    {IDEAL_FETCH, "core.decode", SETTING_MOST},
    {IDEAL_EXECUTION, "pipe.sp.latency", 1},
    {IDEAL_EXECUTION, "pipe.int.latency", 1},
    {IDEAL_EXECUTION, "pipe.dp.latency", 1},
    {IDEAL_EXECUTION, "pipe.sfu.latency", 1},
    {IDEAL_EXECUTION, "pipe.tensor.latency", 1},
    {IDEAL_EXECUTION, "pipe.branch.latency", 1},
    {IDEAL_EXECUTION, "pipe.texture.latency", 1},
    {IDEAL_EXECUTION, "pipe.uniform.latency", 1},
    {IDEAL_LAUNCH, "gpu.launch_latency", SETTING_LEAST},
    {IDEAL_LAUNCH, "gpu.block_latency", SETTING_LEAST},
};
const size_t ideal_setting_count = sizeof ideal_settings / sizeof *ideal_settings;

static void apply(struct machine *machine, const struct ideal_setting *setting)
{
    const struct parameter *parameter = parameter_find(setting->path);
    double number = setting->value;
    if (number == SETTING_LEAST)
        number = parameter->min;
    else if (number == SETTING_MOST)
        number = parameter->max;
    parameter_set(parameter, machine, (struct value){.uint = (uint64_t)number});
}

void ideal_machine(struct machine *machine, struct ideal_set ideals)
{
    for (size_t i = 0; i < ideal_setting_count; i++)
        if (ideal_has(ideals, ideal_settings[i].ideal))
            apply(machine, &ideal_settings[i]);
}
