#include "model/reuse/reuse.h"

#include <stdlib.h>

#include "base/memory.h"

void reuse_configure(const struct machine *machine, struct reuse_config *config)
{
    const struct cache_config *l1d = &machine->l1d;
    const struct reuse_parameters *reuse = &l1d->reuse;
    *config = (struct reuse_config){
        .line = (uint32_t)l1d->line,
        .ways = (uint32_t)l1d->ways,
        .sets = cache_sets(l1d),
        .latency = reuse->model.latency ? reuse->latency : 0,
        .hit_latency = reuse->model.latency ? reuse->hit_latency : 0,
        .sigma = reuse->model.latency ? reuse->latency_sigma : 0,
        .mshrs = reuse->model.mshr ? l1d->mshr.entries : UINT64_MAX,
        .seed = machine->seed,
        .index = l1d->index,
        .max_threads = machine->gpu.max_threads,
        .max_blocks = machine->gpu.max_blocks,
        .hierarchy = reuse->model.hierarchy,
        .divergence = reuse->model.divergence,
    };
    if (!reuse->model.associativity)
        *config = reuse_run_config(config, RUN_ASSOCIATIVE);
}

struct reuse_config reuse_run_config(const struct reuse_config *config, enum reuse_runs run)
{
    struct reuse_config changed = *config;
    switch (run) {
    case RUN_ASSOCIATIVE:
        changed.ways = (uint32_t)(config->ways * config->sets);
        changed.sets = 1;
        changed.index = INDEX_LINEAR;
        break;
    case RUN_INSTANT:
        changed.latency = changed.hit_latency = 0;
        changed.sigma = 0;
        break;
    case RUN_UNLIMITED:
        changed.mshrs = UINT64_MAX;
        break;
    case RUN_MACHINE:
    case REUSE_RUNS:
        break;
    }
    return changed;
}

void reuse_histogram_free(struct reuse_histogram *histogram)
{
    free(histogram->counts);
    *histogram = (struct reuse_histogram){0};
}

enum status reuse_histogram_add(struct reuse_histogram *histogram, uint64_t distance)
{
    if (distance >= histogram->count) {
        if (array_reserve(&histogram->counts, &histogram->capacity, distance + 1))
            return STATUS_MEMORY;
        while (histogram->count <= distance)
            histogram->counts[histogram->count++] = 0;
    }
    histogram->counts[distance]++;
    return STATUS_OK;
}
