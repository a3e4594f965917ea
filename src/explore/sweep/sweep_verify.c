/* Checks a store against evaluating its points one by one (sweep_verify of explore/sweep/sweep.h).
 * It uses neither the planner nor the stage cache, so it tests them. Cost: one full evaluation per
 * checked row; memory for BATCH rows. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "explore/plan/sweep_setup.h"
#include "explore/sweep/sweep.h"

enum { BATCH = 256, REPORTED = 20 };

#define PROGRESS_SECONDS 0.25

struct verification {
    const struct sweep_setup *setup;
    const struct sweep_options *options;
    unsigned needs;
    uint64_t rows_left, wanted; /* rows still to read, and how many of those to draw */
    uint64_t drawn;             /* rows to draw in all */
    double start, last_report;
    uint64_t points[BATCH];
    double *values; /* of the batch, row after row */
    size_t count;
    struct sweep_verification *result;
    struct diagnostics *diagnostics;
};

/* Decides whether to check the next row, which has this point. Every set of `wanted` rows is
 * equally likely (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S). */
static bool verify_draw(struct verification *verification, uint64_t point)
{
    const uint64_t stream = 0x7665726966790000; /* random numbers that no search draws */
    uint64_t bits = random_at(verification->setup->space.study->seed ^ stream, point);
    bool drawn = random_below(bits, verification->rows_left--) < verification->wanted;
    verification->wanted -= drawn;
    return drawn;
}

/* Exact equality; any NaN equals any other, because the store keeps all of them as NULL. */
static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void report_difference(struct verification *verification, uint64_t point,
                              const struct metric *metric, double stored, double evaluated)
{
    if (verification->result->different++ < REPORTED)
        diagnostics_error(verification->diagnostics, STATUS_CONFLICT,
                          "point %" PRIu64 ": %s is %.17g in %s, evaluated alone %.17g", point,
                          metric->path, stored, verification->options->store, evaluated);
}

static void report_progress(struct verification *verification)
{
    const struct sweep_options *options = verification->options;
    const uint64_t checked = verification->result->checked;
    const double now = clock_seconds(), seconds = now - verification->start;
    const bool last = checked == verification->drawn;
    if (!options->progress || (!last && now - verification->last_report < PROGRESS_SECONDS))
        return;
    verification->last_report = now;
    struct sweep_progress progress = {.points = verification->drawn,
                                      .done = checked,
                                      .share = (double)checked / (double)verification->drawn,
                                      .seconds = seconds,
                                      .rate = seconds > 0 ? (double)checked / seconds : 0,
                                      .eta = NAN,
                                      .hypervolume = NAN,
                                      .best = UINT64_MAX};
    if (progress.rate > 0)
        progress.eta = (double)(verification->drawn - checked) / progress.rate;
    options->progress(options->argument, &progress);
}

static enum status check_point(struct verification *verification, size_t row)
{
    const struct sweep_setup *setup = verification->setup;
    uint64_t point = verification->points[row];
    const double *values = verification->values + row * setup->column_count;
    const struct evaluate_options options = {.depth = setup->space.study->depth,
                                             .needs = verification->needs,
                                             .cancel = verification->options->cancel};
    struct machine machine;
    struct metrics metrics;
    struct diagnostics found = DIAGNOSTICS_INIT;
    space_machine(&setup->space, point % setup->space.machines, &machine);
    enum status status = evaluate(&machine, setup->sources[point / setup->space.machines], &options,
                                  &metrics, &found);
#pragma omp critical(sweep_verify)
    {
        if (status && verification->diagnostics)
            diagnostics_move(verification->diagnostics, &found);
        for (size_t i = 0; i < setup->column_count && !status; i++) {
            double evaluated = metric_get(setup->columns[i], &metrics);
            if (!same_value(values[i], evaluated))
                report_difference(verification, point, setup->columns[i], values[i], evaluated);
        }
        verification->result->checked += !status;
        report_progress(verification);
    }
    diagnostics_free(&found);
    return status;
}

/* Evaluates the rows of the batch in parallel and stops at the first failure. */
static enum status check_batch(struct verification *verification)
{
    enum status status = STATUS_OK;
#pragma omp parallel for schedule(dynamic) num_threads(verification->setup->threads)
    for (size_t row = 0; row < verification->count; row++) {
        enum status before;
#pragma omp atomic read
        before = status;
        enum status checked = before ? before : check_point(verification, row);
        if (checked && !before) {
#pragma omp atomic write
            status = checked;
        }
    }
    verification->count = 0;
    return status;
}

static enum status verify_take_row(void *argument, const struct store_row *row)
{
    struct verification *verification = argument;
    size_t columns = verification->setup->column_count;
    if (!verify_draw(verification, row->point))
        return STATUS_OK;
    verification->points[verification->count] = row->point;
    memcpy(verification->values + verification->count * columns, row->values,
           columns * sizeof *row->values);
    return ++verification->count < BATCH ? STATUS_OK : check_batch(verification);
}

static enum status count_row(void *argument, const struct store_row *row)
{
    (void)row;
    ++*(uint64_t *)argument;
    return STATUS_OK;
}

uint64_t sweep_verify_rows(double share, uint64_t rows)
{
    /* Take a hair less: 0.07 x 100 is slightly above 7 in binary, but 7 % of 100 rows are 7. */
    return (uint64_t)ceil(share * (double)rows * (1 - 1e-12));
}

/* Reads the rows twice: drawing a share of them needs their number first. */
static enum status check_store(struct verification *verification, struct store *store, double share)
{
    const struct query everything = {0};
    uint64_t rows = 0; /* counted, because for a summary store_count includes points without rows */
    enum status status =
        store_query(store, &everything, count_row, &rows, verification->diagnostics);
    verification->wanted = sweep_verify_rows(share, rows);
    verification->drawn = verification->wanted;
    verification->rows_left = rows;
    if (!status)
        status = store_query(store, &everything, verify_take_row, verification,
                             verification->diagnostics);
    return status ? status : check_batch(verification);
}

enum status sweep_verify(const struct study *study, const struct sweep_options *options,
                         double share, struct sweep_verification *result,
                         struct diagnostics *diagnostics)
{
    struct sweep_setup setup;
    struct store *store = NULL;
    const struct study *kept;
    struct sweep_options plain = *options;
    plain.cache = NULL;
    plain.setup = NULL;
    *result = (struct sweep_verification){0};
    enum status status = sweep_setup_open(study, &plain, &setup, diagnostics);
    if (status)
        return status;
    struct verification verification = {.setup = &setup,
                                        .options = options,
                                        .result = result,
                                        .diagnostics = diagnostics,
                                        .start = clock_seconds()};
    verification.last_report = verification.start;
    for (size_t i = 0; i < setup.column_count; i++)
        verification.needs |= metric_needs(setup.columns[i]);
    verification.values = calloc(BATCH * setup.column_count + 1, sizeof *verification.values);
    status = verification.values ? store_open(options->store, &store, &kept, diagnostics)
                                 : STATUS_MEMORY;
    if (!status)
        status = store_matches(store, &setup.space, setup.digests, diagnostics);
    if (!status)
        status = check_store(&verification, store, share);
    if (!status && result->different)
        status = STATUS_CONFLICT;
    if (result->different > REPORTED)
        diagnostics_error(diagnostics, STATUS_CONFLICT,
                          "%" PRIu64 " values differ in all; the first %d are above",
                          result->different, REPORTED);
    free(verification.values);
    store_close(store);
    sweep_setup_close(&setup, NULL);
    return status;
}
