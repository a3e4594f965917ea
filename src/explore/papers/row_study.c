#include "explore/papers/row_study.h"

#include <math.h>
#include <stdlib.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/row_words.h"

const struct row_study_kind *const row_study_kinds[ROW_STUDIES] = {
#define ROW_STUDY_ROW(name) [ROW_STUDY_##name] = &row_study_##name,
    ROW_STUDY_LIST(ROW_STUDY_ROW)
#undef ROW_STUDY_ROW
};

enum status row_study_init(struct row_study *study, const struct row_study_kind *kind,
                           const char *only, struct diagnostics *diagnostics)
{
    struct study_row row;
    size_t all = 0;
    while (kind->row(all, &row))
        all++;
    *study = (struct row_study){.kind = kind, .rows = calloc(all, sizeof *study->rows)};
    if (!study->rows)
        return STATUS_MEMORY;
    for (size_t i = 0; i < all; i++) {
        kind->row(i, &row);
        row.ours = NAN;
        const char *const texts[] = {row.gpu, row.machine, row.what, row.source};
        if (row_has_words(only, texts, sizeof texts / sizeof *texts))
            study->rows[study->count++] = row;
    }
    if (study->count)
        return STATUS_OK;
    row_study_free(study);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "no row of %s has all the words of '%s'", kind->name, only);
}

void row_study_free(struct row_study *study)
{
    free(study->rows);
    *study = (struct row_study){0};
}

struct job {
    struct row_study *study;
    const struct evaluate_options *options;
};

static enum status run_one(void *argument, size_t i)
{
    const struct job *job = argument;
    const enum status status = job->study->kind->run(job->study, i, job->options);
    return paper_status_ends(status) ? status : STATUS_OK;
}

enum status row_study_run(struct row_study *study, int threads,
                          const struct evaluate_options *options)
{
    struct job job = {study, options};
    return paper_jobs_run(study->count, threads, options, run_one, &job);
}
