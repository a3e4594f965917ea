#include "explore/papers/latency_study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/row_words.h"

enum { STRIDE = 128, LOADS_LEAST = 64, LOADS_MOST = 2048 };

enum status latency_study_init(struct latency_study *study, const char *only,
                               struct diagnostics *diagnostics)
{
    size_t all = 0;
    while (latency_rows[all].gpu)
        all++;
    *study = (struct latency_study){.results = calloc(all, sizeof *study->results)};
    if (!study->results)
        return STATUS_MEMORY;
    for (size_t i = 0; i < all; i++) {
        const struct latency_row *row = &latency_rows[i];
        const char *const places[] = {row->gpu, row->machine, row->level, row->source};
        if (row_has_words(only, places, sizeof places / sizeof *places))
            study->results[study->count++] = (struct latency_result){row, NAN};
    }
    if (study->count)
        return STATUS_OK;
    latency_study_free(study);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "no row of latencies has all the words of '%s'", only);
}

void latency_study_free(struct latency_study *study)
{
    free(study->results);
    *study = (struct latency_study){0};
}

static enum status run_steps(const struct machine *machine, uint64_t bytes, uint64_t steps,
                             const struct evaluate_options *options, double *cycles)
{
    struct metrics metrics;
    const enum status status = paper_time(
        machine, options, &metrics, NULL,
        "CHASE:bytes=%" PRIu64 ",stride=%d,steps=%" PRIu64 ",order=1", bytes, STRIDE, steps);
    *cycles = status ? NAN : metrics.core_cycles;
    return status;
}

enum status latency_chase(const struct machine *machine, uint64_t bytes,
                          const struct evaluate_options *options, double *cycles)
{
    const uint64_t around = (bytes + STRIDE - 1) / STRIDE;
    const bool fits = bytes <= machine->l2.size + machine->l2.size / 4; /* else no round helps */
    const uint64_t loads = around < LOADS_LEAST  ? LOADS_LEAST
                           : around < LOADS_MOST ? around
                                                 : LOADS_MOST;
    const uint64_t before = fits ? around : loads;
    double once, more;
    enum status status = run_steps(machine, bytes, before, options, &once);
    if (!status)
        status = run_steps(machine, bytes, before + loads, options, &more);
    if (!status)
        *cycles = (more - once) / (double)loads;
    return status;
}

struct job {
    struct latency_study *study;
    const struct evaluate_options *options;
};

static enum status run_one(void *argument, size_t i)
{
    const struct job *job = argument;
    struct latency_result *result = &job->study->results[i];
    struct machine machine;
    enum status status = paper_machine(result->row->machine, "", &machine, NULL);
    if (status)
        return status;
    machine.tlb.enabled = false; /* as in silicon_study.c */
    status = latency_chase(&machine, result->row->bytes, job->options, &result->ours);
    return paper_status_ends(status) ? status : STATUS_OK;
}

enum status latency_study_run(struct latency_study *study, int threads,
                              const struct evaluate_options *options)
{
    struct job job = {study, options};
    return paper_jobs_run(study->count, threads, options, run_one, &job);
}
