#include "model/ideal_machine.h"

#include "schema/parameters.h"

const struct ideal_setting ideal_settings[] = {
    {IDEAL_L1D_LATENCY, "l1d.latency", 1},
    {IDEAL_L1D_ENTRIES, "l1d.mshr.entries", SETTING_MOST},
    {IDEAL_L1D_ENTRIES, "l1d.mshr.tags", 0},
    {IDEAL_L1D_MERGE, "l1d.mshr.merge", SETTING_MOST},
    {IDEAL_L1D_MISS_QUEUE, "l1d.miss_queue", SETTING_MOST},
    {IDEAL_L1D_OPTIMUM, "l1d.replacement", REPLACEMENT_OPT},
    {IDEAL_L1D_FLUSH, "l1d.flush", 0},
    {IDEAL_L1D_STORES, "l1d.write", WRITE_BACK},
    {IDEAL_L1D_STORES, "l1d.write_allocate", WRITE_ALLOCATE_LAZY},
    {IDEAL_L1D_STORES, "l1d.allocate", ALLOCATE_ON_MISS},
    {IDEAL_L1D_PORTS, "l1d.port", 0},
    {IDEAL_L2_HITS, "l2.write", WRITE_BACK},
    {IDEAL_L2_LATENCY, "l2.latency", SETTING_LEAST},
    {IDEAL_L2_MSHR, "l2.mshr.entries", SETTING_MOST},
    {IDEAL_L2_MSHR, "l2.mshr.merge", SETTING_MOST},
    {IDEAL_L2_MSHR, "l2.miss_queue", SETTING_MOST},
    {IDEAL_L2_PORTS, "l2.port", 0},
    {IDEAL_L2_PORTS, "l2.queue", SETTING_MOST},
    {IDEAL_ATOMICS, "l2.atomic", 0},
    {IDEAL_ATOMICS, "l2.atomic_float", 0},
    {IDEAL_ATOMICS, "l2.partial", 0},
    {IDEAL_DRAM_LATENCY, "dram.latency", 0},
    {IDEAL_DRAM_LATENCY, "dram.rrd", 0},
    {IDEAL_DRAM_LATENCY, "dram.rcd", 0},
    {IDEAL_DRAM_LATENCY, "dram.ras", 0},
    {IDEAL_DRAM_LATENCY, "dram.rp", 0},
    {IDEAL_DRAM_LATENCY, "dram.rc", 0},
    {IDEAL_DRAM_LATENCY, "dram.cl", 0},
    {IDEAL_DRAM_LATENCY, "dram.wl", 0},
    {IDEAL_DRAM_LATENCY, "dram.cdlr", 0},
    {IDEAL_DRAM_LATENCY, "dram.wr", 0},
    {IDEAL_DRAM_LATENCY, "dram.rtpl", 0},
    {IDEAL_TRANSLATION, "tlb.enabled", 0},
    /* Sets, because a fully associative TLB of so many entries takes long to search. */
    {IDEAL_TLB_CAPACITY, "tlb.entries", 65536},
    {IDEAL_TLB_CAPACITY, "tlb.ways", 64},
    {IDEAL_TLB_CAPACITY, "tlb.replacement", REPLACEMENT_LRU}, /* which holds so many ways */
    {IDEAL_TLB_CAPACITY, "l2tlb.entries", 65536},
    {IDEAL_TLB_CAPACITY, "l2tlb.ways", 64},
    {IDEAL_TLB_CAPACITY, "l2tlb.replacement", REPLACEMENT_LRU},
    {IDEAL_WALKER_COUNT, "walker.count", SETTING_MOST},
    {IDEAL_WALKER_COUNT, "walker.queue", SETTING_MOST},
    {IDEAL_WALKER_LATENCY, "walker.latency", SETTING_LEAST},
    {IDEAL_WALKER_LATENCY, "walker.lookup", SETTING_LEAST},
    {IDEAL_WALKER_LATENCY, "walker.l2", 0},
    {IDEAL_FETCH, "core.decode", SETTING_MOST},
    {IDEAL_COLLECTORS, "core.collectors", SETTING_MOST},
    {IDEAL_COLLECTORS, "core.collector_ports", SETTING_MOST},
    {IDEAL_COLLECTORS, "core.banks", SETTING_MOST},
    /* More than units can give; an SM counts the results of a cycle in a byte. */
    {IDEAL_PIPES, "core.results", 200},
    {IDEAL_PIPES, "pipe.sp.interval", 1},
    {IDEAL_PIPES, "pipe.int.interval", 1},
    {IDEAL_PIPES, "pipe.dp.interval", 1},
    {IDEAL_PIPES, "pipe.sfu.interval", 1},
    {IDEAL_PIPES, "pipe.tensor.interval", 1},
    {IDEAL_PIPES, "pipe.branch.interval", 1},
    {IDEAL_PIPES, "pipe.texture.interval", 1},
    {IDEAL_PIPES, "pipe.uniform.interval", 1},
    {IDEAL_EXECUTION, "pipe.sp.latency", 1},
    {IDEAL_EXECUTION, "pipe.int.latency", 1},
    {IDEAL_EXECUTION, "pipe.dp.latency", 1},
    {IDEAL_EXECUTION, "pipe.sfu.latency", 1},
    {IDEAL_EXECUTION, "pipe.tensor.latency", 1},
    {IDEAL_EXECUTION, "pipe.branch.latency", 1},
    {IDEAL_EXECUTION, "pipe.texture.latency", 1},
    {IDEAL_EXECUTION, "pipe.uniform.latency", 1},
    {IDEAL_IMBALANCE, "gpu.max_blocks", SETTING_MOST}, /* of warps: their threads limit them */
    {IDEAL_LAUNCH, "gpu.launch_latency", SETTING_LEAST},
    {IDEAL_LAUNCH, "gpu.block_latency", SETTING_LEAST},
    {IDEAL_TILE_QUEUE, "tile.queue.entries", SETTING_MOST},
    {IDEAL_TILE_QUEUE, "tile.queue.merge", SETTING_MOST},
    {IDEAL_TILE_QUEUE, "tile.fifo", SETTING_MOST},
    {IDEAL_TILE_LATENCY, "tile.latency", SETTING_LEAST},
    {IDEAL_TILE_LATENCY, "tile.jitter", SETTING_LEAST},
    {IDEAL_TILE_LATENCY, "tile.l2.latency", SETTING_LEAST},
    {IDEAL_TILE_BUS, "tile.bandwidth", SETTING_MOST},
    {IDEAL_TILE_BUS, "tile.l2.port", SETTING_MOST},
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

/* More ways of the sets that there are. Where nothing is replaced, the policy does not matter. */
static void widen(struct cache_config *cache, uint64_t times)
{
    cache->ways *= times;
    cache->size *= times;
    cache->unified *= times;
    cache->replacement = REPLACEMENT_LRU;
    cache->reset = RESET_PAPER;
}

/* As many more ways as memory for lines bears: these are 2 million of them. */
static uint64_t more_ways(const struct cache_config *cache)
{
    enum { TIMES = 32, LINES = 1 << 21 };
    const uint64_t lines = cache->size / cache->line;
    uint64_t times = TIMES;
    while (times > 1 && times * lines > LINES)
        times /= 2;
    return times;
}

static void make_one_set(struct cache_config *cache)
{
    /* A unified L1D grows to what a launch's shared memory leaves of it. */
    const uint64_t most = cache->unified > cache->size ? cache->unified : cache->size;
    cache->ways = cache->size / cache->line;
    if (!replacement_holds(cache->replacement, most / cache->line)) {
        cache->replacement = REPLACEMENT_LRU;
        cache->reset = RESET_PAPER;
    }
    cache->index = INDEX_MODULO;
}

void ideal_machine(struct machine *machine, struct ideal_set ideals)
{
    if (ideal_has(ideals, IDEAL_L1D_ASSOCIATIVITY))
        make_one_set(&machine->l1d);
    if (ideal_has(ideals, IDEAL_L1D_CAPACITY))
        widen(&machine->l1d, more_ways(&machine->l1d));
    if (ideal_has(ideals, IDEAL_L2_CAPACITY))
        widen(&machine->l2, more_ways(&machine->l2));
    for (size_t i = 0; i < ideal_setting_count; i++)
        if (ideal_has(ideals, ideal_settings[i].ideal))
            apply(machine, &ideal_settings[i]);
}
