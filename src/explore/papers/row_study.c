#include "explore/papers/row_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/rates.h"
#include "model/gpu/extent.h"
#include "model/launch_parts.h"
#include "schema/depths.h"
#include "workload/workload.h"

/* Requests and records that a run may have at each depth with an effort of 1: about half a minute
 * on one core. */
static const double work_max[DEPTH_COUNT] = {
    [DEPTH_FUNCTIONAL] = 2e7, [DEPTH_REUSE] = 5e6, [DEPTH_TIMING] = 4e6};

struct job {
    struct row_study *study;
    const struct row_effort *effort;
    const struct row_maker *maker;
    const struct evaluate_options *options;
};

/* ---- rows and runs ---- */

static double *place_of(const struct row_study *study, size_t row, size_t column, enum depth depth)
{
    return &study->ours[(row * study->rows.width + column) * DEPTH_COUNT + depth];
}

double row_ours(const struct row_study *study, size_t row, size_t column, enum depth depth)
{
    return *place_of(study, row, column, depth);
}

const struct row_run *row_run_of(const struct row_study *study, size_t row)
{
    size_t low = 0, high = study->run_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(study->runs[middle].first <= row ? &low : &high) = middle;
    }
    return &study->runs[low];
}

/* Whether one run answers both rows. Where rows name no machine, their GPU does. */
static bool is_same_run(const struct row_file *rows, size_t a, size_t b)
{
    static const enum row_text all[] = {ROW_MACHINE, ROW_SETTINGS, ROW_AGAINST,
                                        ROW_OPTIONS, ROW_WORKLOAD, ROW_BEFORE,
                                        ROW_PER,     ROW_LAUNCHES, ROW_WARM};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(row_cell(rows, a, all[i]), row_cell(rows, b, all[i])) != 0)
            return false;
    return *row_cell(rows, a, ROW_MACHINE) ||
           !strcmp(row_cell(rows, a, ROW_GPU), row_cell(rows, b, ROW_GPU));
}

static void choose_rows(struct row_file *rows, const char *only)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct row row = rows->items[i];
        if (row_is_chosen(rows, i, only)) {
            rows->items[count++] = row;
        } else {
            free(row.line);
            free(row.cells);
        }
    }
    rows->count = count;
}

static void divide_into_runs(struct row_study *study)
{
    for (size_t i = 0; i < study->rows.count; i++) {
        if (!i || !is_same_run(&study->rows, i - 1, i)) {
            struct row_run *run = &study->runs[study->run_count++];
            run->first = i;
            for (int depth = 0; depth < DEPTH_COUNT; depth++)
                metrics_clear(&run->whole[depth]);
        }
        study->runs[study->run_count - 1].count++;
    }
}

enum status row_study_init(struct row_study *study, struct row_file *rows, const char *only,
                           struct diagnostics *diagnostics)
{
    *study = (struct row_study){.rows = *rows};
    *rows = (struct row_file){0};
    choose_rows(&study->rows, only);
    const size_t count = study->rows.count, numbers = count * study->rows.width * DEPTH_COUNT;
    enum status status = STATUS_OK;
    if (!count)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "no row of %s has all the words of '%s'", study->rows.name,
                                   only ? only : "");
    study->runs = calloc(count + 1, sizeof *study->runs);
    study->ours = malloc((numbers + 1) * sizeof *study->ours);
    if (!study->runs || !study->ours)
        status = STATUS_MEMORY;
    if (status) {
        row_study_free(study);
        return status;
    }
    for (size_t i = 0; i < numbers; i++)
        study->ours[i] = NAN;
    divide_into_runs(study);
    return STATUS_OK;
}

void row_study_free(struct row_study *study)
{
    for (size_t i = 0; study->runs && i < study->run_count; i++)
        free(study->runs[i].why);
    free(study->runs);
    free(study->ours);
    row_file_free(&study->rows);
    *study = (struct row_study){0};
}

/* ---- machines and sources ---- */

/* The machine of a row, or the one that it is measured against. */
static enum status make_machine(const struct row_file *rows, size_t row, bool against,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    const char *name = row_cell(rows, row, ROW_MACHINE);
    char *sets;
    if (asprintf(&sets, "tlb.enabled=no %s %s", row_cell(rows, row, ROW_SETTINGS),
                 against ? row_cell(rows, row, ROW_AGAINST) : "") < 0)
        return STATUS_MEMORY;
    enum status status = paper_machine(name, sets, machine, diagnostics);
    if (!status)
        status = paper_machine_check(name, row_cell(rows, row, ROW_SETTINGS), machine, diagnostics);
    free(sets);
    return status;
}

enum status row_study_check(const struct row_study *study, struct diagnostics *diagnostics)
{
    const struct row_file *rows = &study->rows;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->run_count && status != STATUS_MEMORY; i++) {
        const size_t first = study->runs[i].first;
        const struct place place = {.file = rows->name, .line = rows->items[first].number};
        struct machine machine;
        struct diagnostics found = DIAGNOSTICS_INIT;
        enum status one = make_machine(rows, first, false, &machine, &found);
        if (!one)
            one = make_machine(rows, first, true, &machine, &found);
        diagnostics_locate(&found, &place);
        diagnostics_move(diagnostics, &found);
        diagnostics_free(&found);
        status = status && one != STATUS_MEMORY ? status : one;
    }
    return status;
}

/* The first `count` launches, `times` over. */
static enum status slice_launches(const struct trace_source *source, uint32_t count, uint32_t times,
                                  struct trace_source **part)
{
    struct trace_slice *slices = calloc((size_t)times * count, sizeof *slices);
    if (!slices)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < times * count; i++)
        slices[i] = (struct trace_slice){
            .launch = i % count, .first = 0, .count = launch_blocks(&source->launches[i % count])};
    const enum status status = trace_source_slice(source, slices, times * count, part);
    free(slices);
    return status;
}

/* ---- one depth ---- */

/* What adds up becomes (sum + sign x part) / per. */
static void combine(struct metrics *sum, const struct metrics *part, double sign, double per)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (metric_adds(metric))
            metric_set(metric, sum,
                       (metric_get(metric, sum) + sign * metric_get(metric, part)) / per);
    }
    sum->core_cycles = (sum->core_cycles + sign * part->core_cycles) / per;
    sum->core_time = (sum->core_time + sign * part->core_time) / per;
    metrics_derive(sum);
}

static enum status simulate(const struct job *job, const struct machine *machine,
                            const struct trace_source *source, enum depth depth,
                            struct timing_log *log, struct metrics *metrics,
                            struct diagnostics *found)
{
    const struct evaluate_options how = {
        .depth = depth, .cancel = job->options ? job->options->cancel : NULL, .log = log};
    return evaluate(machine, source, &how, metrics, found);
}

/* Over an L2 that the same launches filled before: those of the second half of twice as many. */
static enum status simulate_warm(const struct job *job, const struct machine *machine,
                                 const struct trace_source *source, struct metrics *metrics,
                                 struct diagnostics *found)
{
    struct trace_source *twice;
    struct timing_log log = {.by_launch = true};
    const uint32_t count = source->launch_count;
    enum status status = slice_launches(source, count, 2, &twice);
    if (status)
        return status;
    status = simulate(job, machine, twice, DEPTH_TIMING, &log, metrics, found);
    if (!status) {
        *metrics = log.launches.items[count].metrics;
        for (uint32_t i = 1; i < count; i++)
            combine(metrics, &log.launches.items[count + i].metrics, 1, 1);
    }
    timing_log_free(&log);
    trace_source_free(twice);
    return status;
}

/* Subtracts what the shorter workload of the row counts, and divides by what both are apart. */
static enum status leave_before(const struct job *job, size_t row, const struct machine *machine,
                                enum depth depth, struct metrics *metrics,
                                struct diagnostics *found)
{
    const struct row_file *rows = &job->study->rows;
    const char *before = row_cell(rows, row, ROW_BEFORE);
    const double per = row_number(rows, row, ROW_PER, 1);
    struct trace_source *source;
    struct metrics less = *metrics;
    if (!*before) {
        if (per > 1)
            combine(metrics, &less, 0, per);
        return STATUS_OK;
    }
    enum status status = workload_open(before, &source, found);
    if (status)
        return status;
    status = simulate(job, machine, source, depth, NULL, &less, found);
    if (!status)
        combine(metrics, &less, -1, per);
    trace_source_free(source);
    return status;
}

/* What a run counts on a machine; `log` may be NULL. */
static enum status count_run(const struct job *job, size_t row, const struct machine *machine,
                             const struct trace_source *source, enum depth depth,
                             struct timing_log *log, struct metrics *metrics,
                             struct diagnostics *found)
{
    enum status status;
    if (depth == DEPTH_TIMING && *row_cell(&job->study->rows, row, ROW_WARM))
        status = simulate_warm(job, machine, source, metrics, found);
    else
        status = simulate(job, machine, source, depth, log, metrics, found);
    return status ? status : leave_before(job, row, machine, depth, metrics, found);
}

/* ---- values ---- */

/* A machine and what it counted. */
struct answer {
    const struct machine *machine;
    const struct metrics *metrics;
};

/* An expression belongs to one thread at a time. */
static enum status take_value(const struct row_file *rows, size_t row, size_t column,
                              const struct answer *answer, double *value, struct diagnostics *found)
{
    const struct expression_values values = {.machine = answer->machine,
                                             .metrics = answer->metrics,
                                             .workload = row_cell(rows, row, ROW_WORKLOAD)};
    enum status status;
#pragma omp critical(row_values)
    status = expression_value(rows->columns[column].expression, &values, value, found);
    return status;
}

/* `against` (may be NULL): values are changes against its own, in percent. */
static enum status take_values(const struct job *job, size_t row, const struct answer *answer,
                               const struct answer *against, enum depth depth,
                               struct diagnostics *found)
{
    const struct row_file *rows = &job->study->rows;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < rows->width && !status; i++) {
        double *value = place_of(job->study, row, i, depth), base;
        if (!rows->columns[i].expression || isnan(row_measured(rows, row, i)))
            continue;
        status = take_value(rows, row, i, answer, value, found);
        if (status || !against)
            continue;
        status = take_value(rows, row, i, against, &base, found);
        *value = status || base == 0 ? NAN : 100 * (*value / base - 1);
    }
    return status;
}

/* Whether the depth answers a value that was measured. */
static bool is_asked(const struct row_study *study, const struct row_run *run, enum depth depth)
{
    for (size_t i = 0; i < study->rows.width; i++) {
        const struct expression_name *names;
        const struct expression *expression = study->rows.columns[i].expression;
        const size_t count = expression ? expression_names(expression, &names) : 0;
        bool measured = false, answered = false;
        for (size_t k = 0; k < count; k++)
            answered |= names[k].metric && metric_answered(names[k].metric, depth);
        for (size_t row = run->first; row < run->first + run->count; row++)
            measured |= !isnan(row_measured(&study->rows, row, i));
        if (measured && answered)
            return true;
    }
    return false;
}

static enum status take_launch(const struct job *job, size_t row, const struct machine *machine,
                               const struct timing_log *log, enum depth depth,
                               struct diagnostics *found)
{
    const double launch = row_number(&job->study->rows, row, ROW_LAUNCH, 0);
    if (launch > (double)log->launches.count)
        return diagnostics_error(found, STATUS_INVALID, "its trace has no kernel %.0f", launch);
    const struct answer answer = {machine, &log->launches.items[(size_t)launch - 1].metrics};
    return take_values(job, row, &answer, NULL, depth, found);
}

static bool has_launches(const struct row_file *rows, const struct row_run *run)
{
    for (size_t row = run->first; row < run->first + run->count; row++)
        if (*row_cell(rows, row, ROW_LAUNCH))
            return true;
    return false;
}

static enum status take_run(const struct job *job, const struct machine *machine,
                            const struct trace_source *source, enum depth depth,
                            struct row_run *run, struct diagnostics *found)
{
    const struct row_file *rows = &job->study->rows;
    struct timing_log log = {.by_launch =
                                 has_launches(rows, run) && depth_can(depth, DEPTH_LAUNCHES)};
    struct machine other;
    struct metrics metrics;
    const struct answer answer = {machine, &run->whole[depth]}, reference = {&other, &metrics};
    const bool against = *row_cell(rows, run->first, ROW_AGAINST);
    enum status status = count_run(job, run->first, machine, source, depth,
                                   log.by_launch ? &log : NULL, &run->whole[depth], found);
    if (!status && against)
        status = make_machine(rows, run->first, true, &other, found);
    if (!status && against)
        status = count_run(job, run->first, &other, source, depth, NULL, &metrics, found);
    for (size_t row = run->first; row < run->first + run->count && !status; row++)
        if (!*row_cell(rows, row, ROW_LAUNCH))
            status = take_values(job, row, &answer, against ? &reference : NULL, depth, found);
        else if (log.by_launch)
            status = take_launch(job, row, machine, &log, depth, found);
    timing_log_free(&log);
    return status;
}

/* A depth that has no answer for this machine leaves its numbers blank. */
static enum status run_depth(const struct job *job, const struct machine *machine,
                             const struct trace_source *source, enum depth depth,
                             struct row_run *run)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    char *why = NULL;
    enum status status = take_run(job, machine, source, depth, run, &found);
    status = paper_job_end(status, &found, &why);
    if (run->why)
        free(why);
    else
        run->why = why;
    return status;
}

/* ---- runs ---- */

static enum status run_source(const struct job *job, const struct machine *machine,
                              const struct trace_source *source, struct row_run *run)
{
    struct extent extent = {.total = 0};
    enum status status = STATUS_OK;
    if (!isinf(job->effort->effort))
        status = extent_measure(source, machine->coalescer.arch,
                                job->options ? job->options->cancel : NULL, &extent);
    if (status)
        return status;
    const double work = extent.total;
    extent_free(&extent);
    for (int depth = 0; depth < DEPTH_COUNT && !status; depth++) {
        if (!(job->effort->depths >> depth & 1) || !is_asked(job->study, run, (enum depth)depth))
            continue;
        run->left_out[depth] = work > work_max[depth] * job->effort->effort;
        if (!run->left_out[depth])
            status = run_depth(job, machine, source, (enum depth)depth, run);
    }
    return status;
}

static enum status open_source(const struct job *job, size_t row, struct trace_source **source,
                               struct diagnostics *found)
{
    const struct row_file *rows = &job->study->rows;
    if (job->maker)
        return job->maker->source(job->maker->context, rows, row, source, found);
    return workload_open(row_cell(rows, row, ROW_WORKLOAD), source, found);
}

/* Launches that were not counted on the GPU are left out here too. */
static enum status run_workload(const struct job *job, const struct machine *machine,
                                struct row_run *run, struct diagnostics *found)
{
    const double counted = row_number(&job->study->rows, run->first, ROW_LAUNCHES, 0);
    struct trace_source *source, *part;
    enum status status = open_source(job, run->first, &source, found);
    if (status)
        return status;
    if (counted < 1 || counted >= source->launch_count) {
        status = run_source(job, machine, source, run);
    } else if (!(status = slice_launches(source, (uint32_t)counted, 1, &part))) {
        status = run_source(job, machine, part, run);
        trace_source_free(part);
    }
    trace_source_free(source);
    return status;
}

/* What probes find, if a row asks for it. */
static enum status run_probes(const struct job *job, const struct machine *machine,
                              const struct row_run *run, struct diagnostics *found)
{
    const struct row_file *rows = &job->study->rows;
    const struct evaluate_options how = {.cancel = job->options ? job->options->cancel : NULL};
    struct rates rates = {0};
    bool asked = false;
    for (size_t i = 0; i < rows->width; i++)
        asked |= rows->columns[i].probe != ROW_PROBE_NONE;
    if (!asked || !(job->effort->depths >> DEPTH_TIMING & 1))
        return STATUS_OK;
    const enum status status = rates_machine(machine, RATES_BANDWIDTHS, &how, &rates, found);
    const double found_rates[ROW_PROBES] = {[ROW_PROBE_L1] = rates.l1.rate,
                                            [ROW_PROBE_L2] = rates.l2.rate / 1e9,
                                            [ROW_PROBE_MEMORY] = rates.memory.rate / 1e9};
    for (size_t row = run->first; row < run->first + run->count && !status; row++)
        for (size_t i = 0; i < rows->width; i++)
            if (rows->columns[i].probe && !isnan(row_measured(rows, row, i)))
                *place_of(job->study, row, i, DEPTH_TIMING) = found_rates[rows->columns[i].probe];
    return status;
}

/* A run that our models refuse is a result with a reason. */
static enum status run_one(void *argument, size_t i)
{
    const struct job *job = argument;
    struct row_run *run = &job->study->runs[i];
    struct machine machine;
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = job->maker
                             ? job->maker->machine(job->maker->context, &job->study->rows,
                                                   run->first, &machine, &found)
                             : make_machine(&job->study->rows, run->first, false, &machine, &found);
    if (!status) {
        run->sms = machine.gpu.sms;
        status = run_probes(job, &machine, run, &found);
    }
    if (!status && *row_cell(&job->study->rows, run->first, ROW_WORKLOAD))
        status = run_workload(job, &machine, run, &found);
    char *why = NULL;
    status = paper_job_end(status, &found, &why);
    if (why) {
        free(run->why);
        run->why = why;
    }
    return status;
}

enum status row_study_run(struct row_study *study, const struct row_effort *effort,
                          const struct row_maker *maker, const struct evaluate_options *options)
{
    struct job job = {study, effort, maker, options};
    return paper_jobs_run(study->run_count, effort->threads, options, run_one, &job);
}
