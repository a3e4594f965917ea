#include "explore/papers/experiment_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "explore/papers/experiment_passes.h"
#include "explore/space/budget.h"
#include "model/area/area.h"

enum { RUNS_MAX = 1 << 16 }; /* some 5 KB each */

static struct place place_of(const struct experiment_runs *runs, const struct node *node)
{
    return node_place(runs->experiment->document, node);
}

/* ---- subjects and machines ---- */

/* A program that is chosen comes before its loads. */
static void choose_subject(struct experiment_runs *runs, size_t subject)
{
    const struct experiment *experiment = runs->experiment;
    if (experiment->subjects[subject].program == subject)
        runs->programs[runs->program_count++] = runs->subject_count;
    runs->program_of[runs->subject_count] = runs->program_count - 1;
    runs->subjects[runs->subject_count++] = subject;
}

static enum status choose_subjects(struct experiment_runs *runs, const char *only,
                                   struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    const size_t count = experiment->subject_count;
    const char **names = calloc(count + 1, sizeof *names);
    runs->subjects = calloc(count + 1, sizeof *runs->subjects);
    runs->programs = calloc(count + 1, sizeof *runs->programs);
    runs->program_of = calloc(count + 1, sizeof *runs->program_of);
    enum status status =
        names && runs->subjects && runs->programs && runs->program_of ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        names[i] = experiment->subjects[i].name;
        if (!only || !strcmp(only, names[i]))
            choose_subject(runs, i);
    }
    if (!status && !runs->subject_count) {
        const char *near = nearest_name(only, names, count);
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
    runs->refused = calloc(experiment->variant_count + 1, sizeof *runs->refused);
    if (!runs->machines || !runs->refused)
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
        if (!made && machine_check(&runs->machines[i], found) && variant->member)
            made = (runs->refused[i] = strdup(found[0].message)) ? STATUS_OK : STATUS_MEMORY;
        else if (!made && machine_check(&runs->machines[i], found))
            made = diagnostics_error(&wrong, STATUS_INVALID, "variant %s: %s", variant->name,
                                     found[0].message);
        diagnostics_locate(&wrong, &place);
        diagnostics_move(diagnostics, &wrong);
        status = status ? status : made;
    }
    return status;
}

/* ---- fields and workloads ---- */

static const struct node *find_field(const struct experiment_subject *subject, const char *name)
{
    const struct node *node = subject->load ? node_find(subject->load, name) : NULL;
    return node ? node : node_find(subject->fields, name);
}

const char *experiment_field(const struct experiment_runs *runs,
                             const struct experiment_subject *subject, const char *name)
{
    const struct node *node = NULL;
    char full[64] = "full";
    if (!strcmp(name, "load") && subject->load)
        return subject->number;
    if (runs->full && strcmp(name, "workload") != 0)
        snprintf(full, sizeof full, "full_%.50s", name);
    if (runs->full)
        node = find_field(subject, full);
    if (!node)
        node = find_field(subject, name);
    return node && node_kind(node) == NODE_SCALAR && *node_text(node) ? node_text(node) : NULL;
}

bool experiment_has_field(const struct experiment *experiment, const char *name)
{
    for (size_t i = 0; i < experiment->subject_count; i++)
        if (find_field(&experiment->subjects[i], name) ||
            (experiment->subjects[i].load && !strcmp(name, "load")))
            return true;
    return !strcmp(name, "subject");
}

/* A template with the fields of a subject filled in; NULL: the subject lacks one of them. */
static enum status fill_template(const struct experiment_runs *runs, size_t subject,
                                 const struct node *node, const char *otherwise, char **text,
                                 struct diagnostics *diagnostics)
{
    const struct experiment_subject *row = &runs->experiment->subjects[runs->subjects[subject]];
    const char *at = node ? node_text(node) : otherwise;
    bool lacks = false;
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
        fputs(field ? field : "", out);
        lacks |= !field;
        if (!field && !experiment_has_field(runs->experiment, name)) {
            const struct place place = place_of(runs, node ? node : row->fields);
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "no subject has a field '%s'",
                            name);
            status = STATUS_INVALID;
        }
        at = end + 1;
    }
    status = text_stream_finish(&stream, status, text);
    if (lacks) {
        free(*text);
        *text = NULL;
    }
    return status;
}

static enum status name_workloads(struct experiment_runs *runs, struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    enum status status = STATUS_OK;
    for (size_t v = 0; v < experiment->variant_count && status != STATUS_MEMORY; v++) {
        enum status filled = STATUS_OK;
        for (size_t p = 0; p < runs->program_count && !filled; p++) {
            struct experiment_run *run = experiment_run_at(runs, runs->programs[p], v);
            run->variant = v;
            filled = fill_template(runs, runs->programs[p], experiment->variants[v].workload,
                                   "{workload}", &run->workload, diagnostics);
        }
        if (experiment->variants[v].load && !filled) { /* only to see what is wrong */
            char *load = NULL;
            filled = fill_template(runs, runs->programs[0], experiment->variants[v].load, "", &load,
                                   diagnostics);
            free(load);
        }
        status = status ? status : filled;
    }
    return status;
}

double experiment_load_count(const struct experiment_runs *runs, size_t subject, size_t variant,
                             enum load_count count)
{
    const struct experiment_run *run = experiment_run_at(runs, subject, variant);
    char *text = NULL;
    uint64_t number = 0;
    if (!run->loads || !experiment_is_load(runs, subject) ||
        fill_template(runs, subject, runs->experiment->variants[variant].load, "{load}", &text,
                      NULL) ||
        !text || quantity_parse_uint(text, UNIT_NONE, &number) || number > EXPERIMENT_LOADS_MAX)
        number = 0;
    free(text);
    return number ? run->loads->counts[number - 1][count] : NAN;
}

/* ---- opening ---- */

enum status experiment_runs_open(const struct experiment *experiment,
                                 const struct experiment_options *options,
                                 struct experiment_runs *runs, struct diagnostics *diagnostics)
{
    *runs = (struct experiment_runs){.experiment = experiment, .full = options->full};
    enum status status = choose_subjects(runs, options->only, diagnostics);
    if (!status)
        status = make_machines(runs, diagnostics);
    if (!status && runs->program_count * experiment->variant_count > RUNS_MAX)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "%s: more than %d pairs of a subject and a variant",
                                   document_name(experiment->document), RUNS_MAX);
    if (!status) {
        runs->runs =
            calloc(runs->program_count * experiment->variant_count + 1, sizeof *runs->runs);
        status = runs->runs ? STATUS_OK : STATUS_MEMORY;
    }
    if (!status)
        status = name_workloads(runs, diagnostics);
    if (status)
        experiment_runs_free(runs);
    return status;
}

void experiment_runs_free(struct experiment_runs *runs)
{
    const size_t variants = runs->experiment ? runs->experiment->variant_count : 0;
    const size_t count = runs->program_count * variants;
    for (size_t i = 0; runs->runs && i < count; i++) {
        free(runs->runs[i].workload);
        free(runs->runs[i].why);
    }
    for (size_t i = 0; i < runs->load_count; i++)
        free(runs->loads[i]);
    for (size_t i = 0; runs->refused && i < variants; i++)
        free(runs->refused[i]);
    free(runs->loads);
    free(runs->refused);
    free(runs->runs);
    free(runs->machines);
    free(runs->programs);
    free(runs->program_of);
    free(runs->subjects);
    *runs = (struct experiment_runs){0};
}

/* ---- running ---- */

/* Metrics that no stream changes. A machine that breaks a rule has none: its reason stands in the
 * place of all numbers. */
static void describe_machines(struct experiment_runs *runs)
{
    for (size_t v = 0; v < runs->experiment->variant_count; v++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        if (!runs->refused[v])
            area_evaluate(&runs->machines[v], &metrics);
        for (size_t p = 0; p < runs->program_count; p++)
            experiment_run_at(runs, runs->programs[p], v)->metrics = metrics;
    }
}

/* The best one of a family needs what is asked of it of all members, and what says which it is. */
static void ask_members(const struct experiment *experiment, struct experiment_demand *demand,
                        size_t best)
{
    const struct experiment_variant *variant = &experiment->variants[best];
    const struct experiment_family *family = &experiment->families[variant->family];
    const bool *asked = &demand->metrics[best * METRIC_COUNT];
    bool any = demand->loads[best];
    for (size_t i = 0; i < METRIC_COUNT; i++)
        any |= asked[i];
    for (size_t v = family->first; any && v < family->first + family->count; v++) {
        bool *own = &demand->metrics[v * METRIC_COUNT];
        for (size_t i = 0; i < METRIC_COUNT; i++)
            own[i] |= asked[i];
        own[variant->best - metric_table] = true;
        demand->loads[v] |= demand->loads[best];
    }
    memset(&demand->metrics[best * METRIC_COUNT], 0, METRIC_COUNT * sizeof *demand->metrics);
    demand->loads[best] = false;
}

/* The first of equally good ones. A member that a model refused has the numbers of its area, but
 * must not win with them. */
static enum status choose_best(struct experiment_runs *runs, size_t program, size_t best)
{
    const struct experiment_variant *variant = &runs->experiment->variants[best];
    const struct experiment_family *family = &runs->experiment->families[variant->family];
    struct experiment_run *chosen = experiment_run_at(runs, program, best);
    const double sign = variant->best->direction == LOWER_IS_BETTER ? -1 : 1;
    double most = -INFINITY;
    for (size_t v = family->first; v < family->first + family->count; v++) {
        const struct experiment_run *run = experiment_run_at(runs, program, v);
        const double number = sign * metric_get(variant->best, &run->metrics);
        if (run->why || !(number > most))
            continue;
        most = number;
        chosen->variant = v;
        chosen->metrics = run->metrics;
        chosen->loads = run->loads;
    }
    const struct experiment_run *first = experiment_run_at(runs, program, family->first);
    if (most > -INFINITY || !first->why)
        return STATUS_OK;
    metrics_clear(&chosen->metrics);
    chosen->why = strdup(first->why);
    return chosen->why ? STATUS_OK : STATUS_MEMORY;
}

enum status experiment_runs_make(struct experiment_runs *runs, struct experiment_demand *demand,
                                 const struct experiment_options *options,
                                 struct diagnostics *diagnostics)
{
    const struct experiment *experiment = runs->experiment;
    describe_machines(runs);
    for (size_t v = 0; v < experiment->variant_count; v++)
        if (experiment->variants[v].best)
            ask_members(experiment, demand, v);
    enum status status = experiment_passes_make(runs, demand, options, diagnostics);
    for (size_t v = 0; v < experiment->variant_count; v++)
        for (size_t p = 0; p < runs->program_count && !status; p++)
            if (experiment->variants[v].best)
                status = choose_best(runs, runs->programs[p], v);
    return status;
}
