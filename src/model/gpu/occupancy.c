#include "model/gpu/occupancy.h"

#include <math.h>

static uint64_t padded_threads(const struct trace_launch *launch)
{
    return (uint64_t)launch_warps(launch) * WARP_SIZE;
}

/* What a block takes of what a limit limits; 0: nothing. */
static uint64_t block_needs(const struct machine *machine, const struct trace_launch *launch,
                            enum occupancy_limit limit)
{
    const uint64_t threads = padded_threads(launch);
    const uint64_t registers = launch_registers(launch, machine->coalescer.arch);
    const uint64_t needs[] = {[LIMIT_THREADS] = threads,
                              [LIMIT_BLOCKS] = 1,
                              [LIMIT_SHARED] = launch->shared_bytes,
                              [LIMIT_REGISTERS] = threads * ((registers + 3) & ~(uint64_t)3)};
    return needs[limit];
}

struct occupancy occupancy_of(const struct machine *machine, const struct trace_launch *launch)
{
    const struct gpu_config *gpu = &machine->gpu;
    uint64_t limits[] = {[LIMIT_THREADS] = gpu->max_threads,
                         [LIMIT_BLOCKS] = gpu->max_blocks,
                         [LIMIT_SHARED] = gpu->shared_memory,
                         [LIMIT_REGISTERS] = gpu->registers};
    enum occupancy_limit least = LIMIT_THREADS;
    for (int i = LIMIT_THREADS; i <= LIMIT_REGISTERS; i++) {
        const uint64_t need = block_needs(machine, launch, (enum occupancy_limit)i);
        limits[i] = need ? limits[i] / need : UINT64_MAX;
    }
    for (int i = LIMIT_BLOCKS; i <= LIMIT_REGISTERS; i++)
        if (limits[i] < limits[least])
            least = (enum occupancy_limit)i;
    uint32_t blocks = (uint32_t)limits[least];
    return (struct occupancy){blocks, blocks * launch_warps(launch), least};
}

void occupancy_keeps(const struct machine *machine, const struct trace_launch *launch,
                     enum occupancy_limit limit, uint64_t *least, uint64_t *most)
{
    const struct occupancy own = occupancy_of(machine, launch);
    const uint64_t need = block_needs(machine, launch, limit);
    *least = own.blocks * need;
    /* The others leave room for as many blocks or more, so one that may not is enough. */
    *most = own.limit == limit ? *least + need - 1 : UINT64_MAX;
}

struct occupancy occupancy_of_threads(const struct machine *machine,
                                      const struct trace_launch *launch)
{
    const uint32_t blocks = (uint32_t)(machine->gpu.max_threads / padded_threads(launch));
    return (struct occupancy){blocks, blocks * launch_warps(launch), LIMIT_THREADS};
}

struct occupancy_mean occupancy_mean_of(const struct machine *machine,
                                        const struct trace_source *source)
{
    struct occupancy_mean sum = {0};
    double all = 0;
    if (source->tiles) /* no SM executes a scene */
        return (struct occupancy_mean){NAN, NAN};
    for (uint32_t i = 0; i < source->launch_count; i++) {
        const struct occupancy occupancy = occupancy_of(machine, &source->launches[i]);
        const double blocks = (double)launch_blocks(&source->launches[i]);
        sum.blocks += blocks * (double)occupancy.blocks;
        sum.warps += blocks * (double)occupancy.warps;
        all += blocks;
    }
    return (struct occupancy_mean){sum.blocks / all, sum.warps / all}; /* no blocks: 0/0, NaN */
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
    static const char *const names[] = {[LIMIT_THREADS] = "threads",
                                        [LIMIT_BLOCKS] = "blocks",
                                        [LIMIT_SHARED] = "shared memory",
                                        [LIMIT_REGISTERS] = "registers"};
    return names[limit];
}

uint64_t occupancy_l1d_ways(const struct machine *machine, const struct trace_launch *launch)
{
    const struct cache_config *l1d = &machine->l1d;
    const struct sizes *options = &machine->gpu.shared_options;
    if (!l1d->unified || !options->count)
        return l1d->ways;
    uint64_t need = (uint64_t)occupancy_of(machine, launch).blocks * launch->shared_bytes;
    uint64_t carve_out = options->item[options->count - 1];
    for (uint32_t i = options->count; i-- > 0 && options->item[i] >= need;)
        carve_out = options->item[i];
    double most = (double)l1d->ways * ((double)l1d->unified / (double)l1d->size);
    double ways = round(most * (1 - (double)carve_out / (double)l1d->unified));
    return ways < 1 ? 1 : (uint64_t)ways;
}

uint64_t occupancy_l1d_ways_alone(const struct machine *machine)
{
    const struct trace_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    return occupancy_l1d_ways(machine, &launch);
}

bool occupancy_l1d_on_fill(const struct machine *machine, const struct trace_launch *launch)
{
    const struct cache_config *l1d = &machine->l1d;
    const bool whole = l1d->unified && !launch->shared_bytes;
    return l1d->allocate == ALLOCATE_ON_FILL || (l1d->allocate == ALLOCATE_STREAMING && !whole);
}
