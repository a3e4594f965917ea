#include "explore/papers/experiment_runs.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "explore/plan/stage_cache.h"
#include "explore/search/search_evaluator.h"
#include "explore/space/budget.h"
#include "model/area/area.h"
#include "model/evaluate.h"
#include "workload/workload.h"

static struct place place_of(const struct experiment_runs *runs, const struct node *node)
{
    return node_place(runs->experiment->document, node);
}

/* ---- subjects and machines ---- */

static enum status choose_subjects(struct experiment_runs *runs, const char *only,
                                   struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    const char **names = calloc(experiment->subject_count + 1, sizeof *names);
    runs->subjects = calloc(experiment->subject_count + 1, sizeof *runs->subjects);
    enum status status = names && runs->subjects ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < experiment->subject_count && !status; i++) {
        names[i] = experiment->subjects[i].name;
        if (!only || !strcmp(only, names[i]))
            runs->subjects[runs->subject_count++] = i;
    }
    if (!status && !runs->subject_count) {
        const char *near = nearest_name(only, names, experiment->subject_count);
        char hint[SUGGESTION_TEXT];
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "the paper has no workload '%s' here%s", only,
                                   suggestion(near, hint));
    }
    free(names);
    return status;
}

/* Gives the machine what its budget pays for. */
static enum status spend_budget(const struct budget *budget, struct machine *machine,
                                struct diagnostics *diagnostics)
{
    struct study study = {.machine = *machine, .budget_count = 1};
    study.budgets = malloc(sizeof *study.budgets);
    if (!study.budgets)
        return STATUS_MEMORY;
    *study.budgets = *budget;
    enum status status = budgets_solve(&study, diagnostics);
    if (!status && study.axis_count && study.axes->count)
        parameter_set(study.axes->parameter, machine, study.axes->values[0]);
    study_free(&study);
    return status;
}

static enum status make_machines(struct experiment_runs *runs, struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    enum status status = STATUS_OK;
    runs->machines = calloc(experiment->variant_count + 1, sizeof *runs->machines);
    if (!runs->machines)
        return STATUS_MEMORY;
    for (size_t i = 0; i < experiment->variant_count; i++) {
        const struct experiment_variant *variant = &experiment->variants[i];
        const struct place place = place_of(runs, variant->place);
        struct violation found[VIOLATION_MAX];
        struct diagnostics wrong = DIAGNOSTICS_INIT;
        enum status made = STATUS_OK;
        runs->machines[i] = variant->machine;
        if (experiment->small && !runs->full)
            made =
                experiment_set(experiment->document, experiment->small, &runs->machines[i], &wrong);
        if (!made && variant->budget.metric)
            made = spend_budget(&variant->budget, &runs->machines[i], &wrong);
        if (!made && machine_check(&runs->machines[i], found))
            made = diagnostics_error(&wrong, STATUS_INVALID, "variant %s: %s", variant->name,
                                     found[0].message);
        diagnostics_locate(&wrong, &place);
        diagnostics_move(diagnostics, &wrong);
        status = status ? status : made;
    }
    return status;
}

enum status experiment_runs_open(const struct experiment *experiment,
                                 const struct experiment_options *options,
                                 struct experiment_runs *runs, struct diagnostics *diagnostics)
{
    *runs = (struct experiment_runs){.experiment = experiment, .full = options->full};
    enum status status = choose_subjects(runs, options->only, diagnostics);
    if (!status)
        status = make_machines(runs, diagnostics);
    if (!status) {
        runs->runs =
            calloc(runs->subject_count * experiment->variant_count + 1, sizeof *runs->runs);
        status = runs->runs ? STATUS_OK : STATUS_MEMORY;
    }
    if (status)
        experiment_runs_free(runs);
    return status;
}

void experiment_runs_free(struct experiment_runs *runs)
{
    const size_t count =
        runs->experiment ? runs->subject_count * runs->experiment->variant_count : 0;
    for (size_t i = 0; runs->runs && i < count; i++) {
        free(runs->runs[i].workload);
        free(runs->runs[i].why);
    }
    free(runs->runs);
    free(runs->machines);
    free(runs->subjects);
    *runs = (struct experiment_runs){0};
}

/* ---- workloads ---- */

const char *experiment_field(const struct experiment_runs *runs,
                             const struct experiment_subject *subject, const char *name)
{
    const struct node *node = NULL;
    char full[64] = "full";
    if (runs->full && strcmp(name, "workload") != 0)
        snprintf(full, sizeof full, "full_%.50s", name);
    if (runs->full)
        node = node_find(subject->fields, full);
    if (!node)
        node = node_find(subject->fields, name);
    return node ? node_text(node) : NULL;
}

/* The workload of a subject on a variant: its template with the fields filled in. */
static enum status fill_workload(const struct experiment_runs *runs, size_t subject, size_t variant,
                                 char **text, struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    const struct experiment_subject *row = &experiment->subjects[runs->subjects[subject]];
    const struct node *node = experiment->variants[variant].workload;
    const char *at = node ? node_text(node) : "{workload}";
    enum status status = STATUS_OK;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    while (*at && !status) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        char name[64] = "";
        if (!end) {
            fputc(*at++, out);
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1);
        const char *field = experiment_field(runs, row, name);
        if (field) {
            fputs(field, out);
        } else {
            const struct place place = place_of(runs, node ? node : row->fields);
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "subject %s has no field '%s'",
                            row->name, name);
            status = STATUS_INVALID;
        }
        at = end + 1;
    }
    return text_stream_finish(&stream, status, text);
}

/* ---- groups ----
 *
 * Variants of one depth of which the same kinds of counts are asked are a space of their own. */

struct group {
    struct experiment_runs *runs;
    const struct experiment_options *options;
    const bool *asked;
    struct study study; /* depth and workloads; owns only the list of these */
    struct space space;
    struct machine *machines;
    size_t *variants, count;
    const struct metric *columns[METRIC_COUNT];
    size_t column_count;
    unsigned needs;
    struct trace_source **sources;
    size_t *workload_of; /* by run: the index of its workload */
    uint64_t *points;
    size_t point_count;
    bool *told; /* by point of the space */
    size_t done, total;
    struct stage_cache *cache;
};

static bool needs_run(const struct metric *metric)
{
    return metric->stage != STAGE_AREA;
}

/* What is asked of a variant: whether it has to run, and what its counts need. */
static bool asks_runs(const bool *asked, size_t variant, unsigned *needs)
{
    bool any = false;
    *needs = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (asked[variant * METRIC_COUNT + i] && needs_run(&metric_table[i])) {
            any = true;
            *needs |= metric_needs(&metric_table[i]);
        }
    return any;
}

static void group_free(struct group *group)
{
    for (size_t i = 0; group->sources && i < group->study.workload_count; i++)
        trace_source_free(group->sources[i]);
    free(group->sources);
    free(group->study.workloads);
    free(group->machines);
    free(group->variants);
    free(group->workload_of);
    free(group->points);
    free(group->told);
}

static struct experiment_run *run_of(const struct group *group, size_t subject, size_t member)
{
    return &group->runs
                ->runs[subject * group->runs->experiment->variant_count + group->variants[member]];
}

/* The variants of the group that begins with `first`. */
static enum status group_begin(struct group *group, size_t first)
{
    const struct experiment *experiment = group->runs->experiment;
    const size_t count = experiment->variant_count, runs = group->runs->subject_count * count;
    group->study.depth = experiment->variants[first].depth;
    group->variants = calloc(count + 1, sizeof *group->variants);
    group->machines = calloc(count + 1, sizeof *group->machines);
    group->workload_of = calloc(runs + 1, sizeof *group->workload_of);
    group->sources = calloc(runs + 1, sizeof(struct trace_source *));
    group->study.workloads = calloc(runs + 1, sizeof(char *));
    group->points = calloc(runs + 1, sizeof *group->points);
    if (!group->variants || !group->machines || !group->workload_of || !group->sources ||
        !group->study.workloads || !group->points)
        return STATUS_MEMORY;
    asks_runs(group->asked, first, &group->needs);
    for (size_t v = first; v < count; v++) {
        unsigned needs;
        if (experiment->variants[v].depth != group->study.depth ||
            !asks_runs(group->asked, v, &needs) || needs != group->needs)
            continue;
        group->machines[group->count] = group->runs->machines[v];
        group->variants[group->count++] = v;
    }
    return STATUS_OK;
}

static void choose_columns(struct group *group)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        for (size_t k = 0; k < group->count; k++)
            if (group->asked[group->variants[k] * METRIC_COUNT + i]) {
                group->columns[group->column_count++] = &metric_table[i];
                break;
            }
}

/* Opens the workload of a run, or finds that another run has the same. */
static enum status open_workload(struct group *group, size_t subject, size_t member,
                                 struct diagnostics *diagnostics)
{
    struct experiment_run *run = run_of(group, subject, member);
    const struct experiment *experiment = group->runs->experiment;
    struct study *study = &group->study;
    enum status status =
        fill_workload(group->runs, subject, group->variants[member], &run->workload, diagnostics);
    size_t w = 0;
    while (!status && w < study->workload_count && strcmp(study->workloads[w], run->workload) != 0)
        w++;
    if (!status && w == study->workload_count) {
        const struct place place =
            place_of(group->runs, experiment->subjects[group->runs->subjects[subject]].fields);
        struct diagnostics found = DIAGNOSTICS_INIT;
        status = workload_open(run->workload, &group->sources[w], &found);
        diagnostics_locate(&found, &place);
        diagnostics_move(diagnostics, &found);
        study->workloads[w] = run->workload;
        study->workload_count += !status;
    }
    group->workload_of[subject * group->count + member] = w;
    return status;
}

static enum status open_workloads(struct group *group, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < group->runs->subject_count; s++)
        for (size_t m = 0; m < group->count; m++) {
            const enum status opened = open_workload(group, s, m, diagnostics);
            status = status ? status : opened;
        }
    return status;
}

static void list_points(struct group *group)
{
    group->space = space_of_machines(&group->study, group->machines, group->count);
    group->told = calloc(group->space.points + 1, sizeof *group->told);
    for (size_t s = 0; group->told && s < group->runs->subject_count; s++)
        for (size_t m = 0; m < group->count; m++) {
            const uint64_t point =
                group->workload_of[s * group->count + m] * group->space.machines + m;
            if (!group->told[point])
                group->points[group->point_count++] = point;
            group->told[point] = true;
        }
    if (group->told)
        memset(group->told, 0, group->space.points);
}

static enum status take_point(void *argument, uint64_t point, const struct metrics *metrics,
                              struct diagnostics *diagnostics)
{
    struct group *group = argument;
    const size_t member = point % group->space.machines, workload = point / group->space.machines;
    (void)diagnostics;
    group->done += !group->told[point];
    group->told[point] = true;
    for (size_t s = 0; s < group->runs->subject_count; s++)
        if (group->workload_of[s * group->count + member] == workload)
            run_of(group, s, member)->metrics = *metrics;
    if (group->options->progress)
        group->options->progress(group->options->argument,
                                 (double)group->done / (double)group->total);
    return STATUS_OK;
}

/* What a model refused: the reason stands in the place of the numbers. */
static enum status refuse_point(struct group *group, uint64_t point, enum status status,
                                const struct diagnostics *found)
{
    const size_t member = point % group->space.machines, workload = point / group->space.machines;
    group->done += !group->told[point];
    group->told[point] = true;
    for (size_t s = 0; s < group->runs->subject_count; s++) {
        struct experiment_run *run = run_of(group, s, member);
        if (group->workload_of[s * group->count + member] != workload)
            continue;
        metrics_clear(&run->metrics);
        free(run->why);
        run->why = strdup(diagnostics_first(found, status));
        if (!run->why)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

/* Runs some points. Where a model refuses one, each half is run on its own, until it stands alone.
 */
static enum status run_points(struct group *group, struct evaluator *evaluator,
                              const uint64_t *points, size_t count)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    uint64_t *left = calloc(count + 1, sizeof *left);
    size_t left_count = 0;
    if (!left)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (!group->told[points[i]])
            left[left_count++] = points[i];
    enum status status =
        left_count ? evaluator_run(evaluator, left, left_count, &found) : STATUS_OK;
    if (status && status != STATUS_MEMORY && status != STATUS_CANCELLED) {
        if (left_count == 1) {
            status = refuse_point(group, left[0], status, &found);
        } else {
            status = run_points(group, evaluator, left, left_count / 2);
            if (!status)
                status = run_points(group, evaluator, left + left_count / 2,
                                    left_count - left_count / 2);
        }
    }
    free(left);
    diagnostics_free(&found);
    return status;
}

static enum status run_group(struct group *group, struct diagnostics *diagnostics)
{
    enum status status = open_workloads(group, diagnostics);
    if (status)
        return status;
    choose_columns(group);
    list_points(group);
    if (!group->told)
        return STATUS_MEMORY;
    const struct evaluator_options how = {
        .space = &group->space,
        .columns = group->columns,
        .column_count = group->column_count,
        .sources = group->sources,
        .cache = group->cache,
        .threads = group->options->threads > 0 ? group->options->threads : omp_get_num_procs(),
        .cancel = group->options->cancel,
        .point = take_point,
        .argument = group};
    struct evaluator *evaluator;
    status = evaluator_create(&how, &evaluator);
    if (!status)
        status = run_points(group, evaluator, group->points, group->point_count);
    evaluator_free(evaluator);
    return status;
}

/* Metrics that no stream changes. */
static void describe_machines(struct experiment_runs *runs)
{
    for (size_t v = 0; v < runs->experiment->variant_count; v++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        area_evaluate(&runs->machines[v], &metrics);
        for (size_t s = 0; s < runs->subject_count; s++)
            runs->runs[s * runs->experiment->variant_count + v].metrics = metrics;
    }
}

enum status experiment_runs_make(struct experiment_runs *runs, const bool *asked,
                                 const struct experiment_options *options,
                                 struct diagnostics *diagnostics)
{
    const size_t count = runs->experiment->variant_count;
    bool *grouped = calloc(count + 1, sizeof *grouped);
    struct stage_cache *cache = NULL;
    size_t done = 0, total = 0;
    unsigned needs;
    enum status status = grouped ? STATUS_OK : STATUS_MEMORY;
    describe_machines(runs);
    for (size_t v = 0; v < count; v++)
        total += asks_runs(asked, v, &needs) ? runs->subject_count : 0;
    if (!status && total && options->cache)
        status = stage_cache_open(options->cache, STAGE_CACHE_BYTES, &cache, diagnostics);
    for (size_t v = 0; v < count && !status; v++) {
        struct group group = {.runs = runs,
                              .options = options,
                              .asked = asked,
                              .done = done,
                              .total = total,
                              .cache = cache};
        if (grouped[v] || !asks_runs(asked, v, &needs))
            continue;
        status = group_begin(&group, v);
        for (size_t i = 0; i < group.count; i++)
            grouped[group.variants[i]] = true;
        if (!status)
            status = run_group(&group, diagnostics);
        done = group.done;
        group_free(&group);
    }
    stage_cache_close(cache, diagnostics);
    free(grouped);
    return status;
}
