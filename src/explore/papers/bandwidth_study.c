#include "explore/papers/bandwidth_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/rates.h"
#include "explore/papers/row_words.h"

static const struct {
    const char *name, *unit;
} levels[] = {
#define BANDWIDTH_ROW(id, name, unit) [BANDWIDTH_##id] = {name, unit},
    BANDWIDTH_LIST(BANDWIDTH_ROW)
#undef BANDWIDTH_ROW
};

const char *bandwidth_name(enum bandwidth_level level)
{
    return levels[level].name;
}

const char *bandwidth_unit(enum bandwidth_level level)
{
    return levels[level].unit;
}

enum status bandwidth_study_init(struct bandwidth_study *study, const char *only,
                                 struct diagnostics *diagnostics)
{
    size_t all = 0;
    while (bandwidth_rows[all].gpu)
        all++;
    *study = (struct bandwidth_study){.results = calloc(all, sizeof *study->results)};
    if (!study->results)
        return STATUS_MEMORY;
    for (const struct bandwidth_row *row = bandwidth_rows; row->gpu; row++) {
        const char *const places[] = {row->gpu, row->machine, bandwidth_name(row->level),
                                      row->source};
        if (row_has_words(only, places, sizeof places / sizeof *places))
            study->results[study->count++] = (struct bandwidth_result){row, NAN};
    }
    if (study->count)
        return STATUS_OK;
    bandwidth_study_free(study);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "no row of bandwidths has all the words of '%s'", only);
}

void bandwidth_study_free(struct bandwidth_study *study)
{
    free(study->results);
    *study = (struct bandwidth_study){0};
}

struct job {
    struct bandwidth_study *study;
    const struct evaluate_options *options;
};

static bool same_machine(const struct bandwidth_study *study, size_t a, size_t b)
{
    return !strcmp(study->results[a].row->machine, study->results[b].row->machine);
}

/* The first row of a machine answers for those that follow it. */
static enum status run_one(void *argument, size_t first)
{
    const struct job *job = argument;
    struct bandwidth_study *study = job->study;
    if (first && same_machine(study, first - 1, first))
        return STATUS_OK;
    const struct evaluate_options how = {.cancel = job->options ? job->options->cancel : NULL};
    struct machine machine;
    struct rates rates;
    enum status status = paper_machine(study->results[first].row->machine, "", &machine, NULL);
    if (!status)
        status = rates_machine(&machine, RATES_BANDWIDTHS, &how, &rates, NULL);
    if (status)
        return paper_status_ends(status) ? status : STATUS_OK;
    const double ours[] = {[BANDWIDTH_L1] = rates.l1.rate,
                           [BANDWIDTH_L2] = rates.l2.rate / 1e9,
                           [BANDWIDTH_DRAM] = rates.memory.rate / 1e9};
    for (size_t i = first; i < study->count && same_machine(study, first, i); i++)
        study->results[i].ours = ours[study->results[i].row->level];
    return STATUS_OK;
}

enum status bandwidth_study_run(struct bandwidth_study *study, int threads,
                                const struct evaluate_options *options)
{
    struct job job = {study, options};
    return paper_jobs_run(study->count, threads, options, run_one, &job);
}
