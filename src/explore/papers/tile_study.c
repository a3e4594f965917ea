#include "explore/papers/tile_study.h"

#include <stdlib.h>

#include "workload/workload.h"

const struct paper_subject tile_subjects[] = {
    {"effect2d", "glmark2", "raster-effect2d", "raster-effect2d:frames=8", 0},
    {"shadow", "glmark2", "raster-shadow", "raster-shadow:frames=8", 0},
    {"refract", "glmark2", "raster-refract", "raster-refract:frames=8", 0},
    {"jellyfish", "glmark2", "raster-jellyfish", "raster-jellyfish:frames=8", 0},
    {.name = NULL},
};

const struct tile_design tile_designs[TILE_DESIGNS] = {
    {"linked lists (paper)", "", true},
    {"without chains", "tile.queue.kind=unlinked", false},
    {"conventional, 2R2W", "tile.queue.kind=mshr", false},
    {"in order", "tile.queue.kind=blocking", false},
    {"one bank", "tile.banks=1", false},
    {"one bank, 4 x entries", "tile.banks=1 tile.queue.entries=64 tile.fifo=32", false},
    {"blocks of 16 x 16", "tile.queue.kind=binned", false},
    {"blocks, eliminated", "tile.queue.kind=binned tile.bin.eliminate=yes", false},
    {"x+2y", "tile.partition=x+2y", true},
    {"2x+y", "tile.partition=2x+y", true},
    {"x+y", "tile.partition=x+y", true},
    {"row", "tile.partition=row", true},
    {"quadrant", "tile.partition=quadrant", true},
    {"hashed", "tile.partition=hashed", true},
};

struct runs {
    struct tile_study *study;
    const struct evaluate_options *options;
};

static enum status run_source(const struct runs *runs, const struct trace_source *source,
                              struct tile_result *result, struct diagnostics *diagnostics)
{
    const struct evaluate_options timed = {.depth = DEPTH_TIMING, .cancel = runs->options->cancel},
                                  counted = {.cancel = runs->options->cancel};
    enum status status =
        evaluate(&runs->study->machines[0], source, &counted, &result->counts, diagnostics);
    for (size_t i = 0; i < TILE_DESIGNS && !status; i++)
        status =
            evaluate(&runs->study->machines[i], source, &timed, &result->metrics[i], diagnostics);
    return status;
}

static enum status run_one(void *argument, size_t index)
{
    struct runs *runs = argument;
    const struct paper_subject *subject = runs->study->names[index];
    struct tile_result *result = &runs->study->results[index];
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    enum status status =
        workload_open(runs->study->full ? subject->full : subject->quick, &source, &found);
    if (!status)
        status = run_source(runs, source, result, &found);
    trace_source_free(source);
    result->status = status;
    return paper_job_end(status, &found, &result->why);
}

enum status tile_study_machines(struct tile_study *study, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < TILE_DESIGNS && !status; i++) {
        status = paper_machine("tile-gpu", tile_designs[i].sets, &study->machines[i], diagnostics);
        if (!status)
            status = paper_machine_check("tile-gpu", tile_designs[i].sets, &study->machines[i],
                                         diagnostics);
    }
    return status;
}

enum status tile_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct tile_study *study,
                           struct diagnostics *diagnostics)
{
    struct runs runs = {study, options};
    study->full = full;
    enum status status =
        paper_subjects_choose(tile_subjects, only, &study->names, &study->subjects, diagnostics);
    if (!status) {
        study->results = calloc(study->subjects, sizeof *study->results);
        status = study->results ? STATUS_OK : STATUS_MEMORY;
    }
    if (!status)
        status = paper_jobs_run(study->subjects, threads, options, run_one, &runs);
    if (status)
        tile_study_free(study);
    return status;
}

void tile_study_free(struct tile_study *study)
{
    for (size_t i = 0; study->results && i < study->subjects; i++)
        free(study->results[i].why);
    free(study->results);
    free(study->names);
    study->results = NULL;
    study->names = NULL;
    study->subjects = 0;
}
