/* Measures a tile cache in tile requests per second, on the scenes: drawing alone; on the requests
 * that the first run leaves behind (trace/kept_tiles.h) one cache and many at the functional depth,
 * and the miss queue in time. */
#include <stdlib.h>

#include "cli/bench/bench.h"
#include "cli/shared/options.h"
#include "config/machine_file.h"
#include "model/evaluate.h"
#include "workload/raster/scene_source.h"
#include "workload/workload.h"

enum { SIZES = 6, WAYS = 4, CACHES = SIZES * WAYS };

/* A scene and caches to draw it on. */
struct trial {
    const char *name;
    struct trace_source *source;
    const struct machine *machines[CACHES];
    struct metrics metrics[CACHES];
    size_t count;
    enum depth depth;
    enum pass_share share;
};

static enum status trial_draw(const struct trial *trial, uint64_t *requests,
                              struct diagnostics *diagnostics)
{
    const struct tile_stream *tiles = raster_source_drawing(trial->source);
    struct tile_batch batch;
    struct tile_reader *reader = NULL;
    enum status status = tile_batch_init(&batch, TILE_BATCH, false);
    if (!status)
        status = tiles->ops->open(tiles, false, &reader, diagnostics);
    while (!status && !batch.end) {
        status = tiles->ops->next(reader, &batch, diagnostics);
        *requests += batch.count;
    }
    tiles->ops->close(reader);
    tile_batch_free(&batch);
    return status;
}

static enum status run_once(struct trial *trial, uint64_t *requests,
                            struct diagnostics *diagnostics)
{
    const struct evaluate_options options = {
        .depth = trial->depth, .threads = 1, .share = trial->share, .cancel = interrupt_flag()};
    if (!trial->count)
        return trial_draw(trial, requests, diagnostics);
    const enum status status = evaluate_many(trial->machines, trial->count, trial->source, &options,
                                             trial->metrics, diagnostics);
    if (!status)
        *requests += (uint64_t)trial->metrics[0].tile_requests;
    return status;
}

static enum status trial_measure(struct bench *bench, struct trial *trial, const char *what,
                                 const char *how, struct diagnostics *diagnostics)
{
    struct stopwatch watch;
    uint64_t requests = 0;
    stopwatch_start(&watch);
    do {
        const enum status status = run_once(trial, &requests, diagnostics);
        if (status)
            return status;
    } while (stopwatch_seconds(&watch) < bench->seconds);
    char text[200];
    snprintf(text, sizeof text, "%s: %s", trial->name, how);
    const struct bench_result result = {.what = what,
                                        .how = text,
                                        .threads = 1,
                                        .count = (double)requests,
                                        .unit = "tile requests",
                                        .configurations = (double)trial->count};
    bench_row(bench, &result, &watch);
    return STATUS_OK;
}

static enum status measure_scene(struct bench *bench, const char *name,
                                 const struct machine machines[CACHES],
                                 struct diagnostics *diagnostics)
{
    struct trial trial = {.name = name, .depth = DEPTH_FUNCTIONAL};
    enum status status = workload_open(name, &trial.source, diagnostics);
    for (size_t i = 0; i < CACHES; i++)
        trial.machines[i] = &machines[i];
    if (!status)
        status = trial_measure(bench, &trial, "tile draw", "its requests alone", diagnostics);
    trial.count = 1;
    if (!status)
        status = trial_measure(bench, &trial, "tile", "through one cache", diagnostics);
    trial.count = CACHES;
    trial.share = SHARE_LOOKUPS;
    if (!status)
        status = trial_measure(bench, &trial, "tile sizes", "hits of 6 sizes of 4 numbers of ways",
                               diagnostics);
    trial.count = 1;
    trial.share = SHARE_NOTHING;
    trial.depth = DEPTH_TIMING;
    if (!status)
        status = trial_measure(bench, &trial, "tile in time", "with the miss queue", diagnostics);
    trace_source_free(trial.source);
    return status;
}

/* The first one is tile-gpu. */
static enum status make_machines(struct machine machines[CACHES], struct diagnostics *diagnostics)
{
    const enum status status = machine_load("tile-gpu", NULL, &machines[0], NULL, diagnostics);
    for (unsigned i = 1; !status && i < CACHES; i++) {
        machines[i] = machines[0];
        machines[i].tile.cache.size = UINT64_C(4096) << i % SIZES;
        machines[i].tile.cache.ways = UINT64_C(1) << i / SIZES;
    }
    return status;
}

enum status bench_tile(struct bench *bench, struct diagnostics *diagnostics)
{
    static const char *const scenes[] = {"raster-effect2d", "raster-shadow", "raster-refract",
                                         "raster-jellyfish"};
    struct machine *machines = calloc(CACHES, sizeof *machines);
    enum status status = machines ? make_machines(machines, diagnostics) : STATUS_MEMORY;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes && !status; i++)
        status = measure_scene(bench, scenes[i], machines, diagnostics);
    free(machines);
    return status;
}
