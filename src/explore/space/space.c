#include "explore/space/space.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "explore/space/conditions.h"
#include "explore/space/projection.h"
#include "model/area/area.h"

#define POINTS_MAX ((uint64_t)1 << 62)

static enum status check_axis(const struct study *study, size_t index,
                              struct diagnostics *diagnostics)
{
    const struct axis *axis = &study->axes[index];
    struct place place = {.file = study->path, .line = axis->line};
    for (size_t other = 0; other < index; other++)
        if (study->axes[other].parameter == axis->parameter) {
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s is an axis twice",
                            axis->parameter->path);
            return STATUS_INVALID;
        }
    if (axis->count && axis->parameter->type != PARAMETER_SIZES)
        return STATUS_OK;
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s %s", axis->parameter->path,
                    axis->count ? "is a list and cannot be an axis" : "has no values");
    return STATUS_INVALID;
}

enum status space_open(const struct study *study, struct space *space,
                       struct diagnostics *diagnostics)
{
    *space = (struct space){.study = study, .machines = 1};
    if (!study->workload_count)
        return diagnostics_error(diagnostics, STATUS_INVALID, "the study names no workload");
    enum status status = STATUS_OK;
    for (size_t a = 0; a < study->axis_count; a++) {
        if (check_axis(study, a, diagnostics))
            status = STATUS_INVALID;
        else if (space->machines > POINTS_MAX / study->workload_count / study->axes[a].count)
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "the space has more than 2^62 points");
        else
            space->machines *= study->axes[a].count;
    }
    space->points = space->machines * study->workload_count;
    return status;
}

struct space space_of_machines(const struct study *study, const struct machine *machines,
                               size_t count)
{
    return (struct space){.study = study,
                          .machines = count,
                          .points = count * study->workload_count,
                          .listed = machines};
}

bool space_couples(const struct space *space)
{
    const struct study *study = space->study;
    bool varied = study->machine.walker.l2;
    for (uint64_t i = 0; space->listed && i < space->machines; i++)
        varied |= space->listed[i].walker.l2;
    for (size_t a = 0; a < study->axis_count; a++)
        varied |= study->axes[a].parameter->offset == offsetof(struct machine, walker.l2);
    return varied;
}

size_t space_digit(const struct space *space, uint64_t index, size_t axis)
{
    const struct study *study = space->study;
    for (size_t a = study->axis_count; a-- > axis + 1;)
        index /= study->axes[a].count;
    return index % study->axes[axis].count;
}

uint64_t space_own(const struct study *study, const struct machine *machine, bool *there)
{
    uint64_t index = 0;
    bool found = true;
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        const struct value own = parameter_get(axis->parameter, machine);
        size_t digit = 0;
        while (digit < axis->count && !parameter_equal(axis->parameter, axis->values[digit], own))
            digit++;
        found = found && digit < axis->count;
        index = index * axis->count + (digit < axis->count ? digit : 0);
    }
    if (there)
        *there = found;
    return index;
}

void space_machine(const struct space *space, uint64_t index, struct machine *machine)
{
    const struct study *study = space->study;
    if (space->listed) {
        *machine = space->listed[index];
        return;
    }
    *machine = study->machine;
    for (size_t a = study->axis_count; a-- > 0;) {
        const struct axis *axis = &study->axes[a];
        parameter_set(axis->parameter, machine, axis->values[index % axis->count]);
        index /= axis->count;
    }
    machine_apply_kind(machine);
}

/* A `where` condition, evaluated once for each combination of the axes that it names. */
struct constraint {
    struct projection projection;
    uint8_t *holds; /* one bit per combination */
};

static void constraint_free(struct constraint *constraint)
{
    projection_free(&constraint->projection);
    free(constraint->holds);
}

static bool depends_on(const struct expression_name *name, const struct parameter *parameter)
{
    return name->kind == NAME_METRIC ? parameter->stages & STAGE_AREA
                                     : name->parameter == parameter;
}

/* Projects the space onto the axes whose parameters the expression names, or which change an area
 * that it names. */
static enum status project_names(const struct space *space, const struct expression *expression,
                                 struct projection *projection)
{
    const struct study *study = space->study;
    const struct expression_name *names;
    size_t name_count = expression_names(expression, &names);
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    if (!kept)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++)
        for (size_t i = 0; i < name_count; i++)
            kept[a] = kept[a] || depends_on(&names[i], study->axes[a].parameter);
    enum status status = projection_init(space, kept, projection);
    free(kept);
    return status;
}

/* The metrics that need no stream, of a machine that differs from the points of a combination in
 * what does not change them. False if there is no legal one: then rules remove these points. */
static bool find_areas(const struct machine *machine, struct metrics *metrics)
{
    struct violation found[VIOLATION_MAX];
    struct machine bare = *machine;
    for (size_t i = 0; i < parameter_count; i++)
        if (!(parameters[i].stages & STAGE_AREA))
            parameter_set(&parameters[i], &bare, parameters[i].fallback);
    const struct machine *legal = !machine_check(&bare, found)     ? &bare
                                  : !machine_check(machine, found) ? machine
                                                                   : NULL;
    metrics_clear(metrics);
    if (legal)
        area_evaluate(legal, metrics);
    return legal != NULL;
}

/* Evaluating an expression in SQLite is slow, so it is done once per combination rather than once
 * per machine. */
static enum status constraint_fill(const struct space *space, struct expression *expression,
                                   struct constraint *constraint, struct diagnostics *diagnostics)
{
    uint64_t combinations = constraint->projection.combinations;
    constraint->holds = calloc(combinations / 8 + 1, 1);
    if (!constraint->holds)
        return STATUS_MEMORY;
    for (uint64_t i = 0; i < combinations; i++) {
        struct machine machine;
        space_machine(space, projection_base(&constraint->projection, i), &machine);
        struct metrics metrics;
        struct expression_values values = {.machine = &machine, .metrics = &metrics};
        bool holds = true;
        enum status status = STATUS_OK;
        if (!expression_reads_metrics(expression) || find_areas(&machine, &metrics))
            status = expression_test(expression, &values, &holds, diagnostics);
        if (status)
            return status;
        if (holds)
            bit_set(constraint->holds, i);
        if (space_cancelled(space))
            return STATUS_CANCELLED;
    }
    return STATUS_OK;
}

static enum status constraint_open(const struct space *space, const struct condition *condition,
                                   struct constraint *constraint, struct diagnostics *diagnostics)
{
    struct place place = {.file = space->study->path, .line = condition->line};
    struct expression *expression;
    enum status status =
        expression_create(condition->text, &place, SCOPE_MACHINE, &expression, diagnostics);
    if (!status)
        status = project_names(space, expression, &constraint->projection);
    if (!status)
        status = constraint_fill(space, expression, constraint, diagnostics);
    expression_free(expression);
    return status;
}

enum { RULES_MAX = 32, CENSUS_CHUNK = 1 << 16 };

struct tally {
    struct removal rules[RULES_MAX];
    size_t rule_count;
    uint64_t *constraints; /* by condition: how many machines it removes */
    uint64_t legal;
};

/* Adds machines to a rule's count. If there are more than RULES_MAX rules, the last entry takes the
 * rest. */
static void count_rule(struct tally *tally, const char *rule, uint64_t machines)
{
    size_t i = 0;
    while (i < tally->rule_count && strcmp(tally->rules[i].what, rule) != 0)
        i++;
    if (i == RULES_MAX)
        i--;
    if (i == tally->rule_count)
        tally->rules[tally->rule_count++] = (struct removal){"the rule", rule, 0};
    tally->rules[i].machines += machines;
}

/* Rules come before conditions; the first that fails gets the blame. */
static void judge_machine(const struct space *space, const struct machine *machine, uint64_t index,
                          const struct constraint *constraints, struct tally *tally,
                          uint8_t *bitmap)
{
    struct violation found[VIOLATION_MAX];
    if (machine_check(machine, found)) {
        count_rule(tally, found[0].rule, 1);
        return;
    }
    for (size_t i = 0; i < space->study->where_count; i++)
        if (!bit_test(constraints[i].holds, projection_index(&constraints[i].projection, index))) {
            tally->constraints[i]++;
            return;
        }
    bit_set(bitmap, index);
    tally->legal++;
}

/* Steps the machine to index `next`. Writes only the axes whose digits change, which is
 * cheaper than decoding every index. */
static void next_machine(const struct space *space, uint64_t next, struct machine *machine)
{
    const struct study *study = space->study;
    for (size_t a = study->axis_count; a-- > 0;) {
        const struct axis *axis = &study->axes[a];
        uint64_t digit = next % axis->count;
        parameter_set(axis->parameter, machine, axis->values[digit]);
        if (digit)
            return;
        next /= axis->count;
    }
}

/* Judges machines [first, end). `first` is a multiple of 8, so that no two chunks share a byte. */
static void judge_chunk(const struct space *space, uint64_t first, uint64_t end,
                        const struct constraint *constraints, struct tally *tally, uint8_t *bitmap)
{
    struct machine machine;
    space_machine(space, first, &machine);
    for (uint64_t index = first; index < end; index++) {
        judge_machine(space, &machine, index, constraints, tally, bitmap);
        next_machine(space, index + 1, &machine);
    }
}

static void add_tally(struct tally *sum, const struct tally *part, size_t constraint_count)
{
    for (size_t i = 0; i < part->rule_count; i++)
        count_rule(sum, part->rules[i].what, part->rules[i].machines);
    for (size_t i = 0; i < constraint_count; i++)
        sum->constraints[i] += part->constraints[i];
    sum->legal += part->legal;
}

/* Each thread tallies its own chunks; the sums are added at the end, so the result does not depend
 * on the number of threads. */
static enum status judge_all(const struct space *space, const struct constraint *constraints,
                             struct tally *sum, uint8_t *bitmap)
{
    size_t constraint_count = space->study->where_count;
    int64_t chunks = (int64_t)((space->machines + CENSUS_CHUNK - 1) / CENSUS_CHUNK);
    atomic_bool memory = false;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* no critical section: see runner.c */
#pragma omp parallel
    {
        struct tally tally = {.constraints = calloc(constraint_count + 1, sizeof(uint64_t))};
        if (!tally.constraints)
            atomic_store(&memory, true);
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < chunks; i++) {
            if (!tally.constraints || atomic_load(&memory) || space_cancelled(space))
                continue;
            uint64_t first = (uint64_t)i * CENSUS_CHUNK, end = first + CENSUS_CHUNK;
            judge_chunk(space, first, end < space->machines ? end : space->machines, constraints,
                        &tally, bitmap);
        }
        if (tally.constraints) {
            pthread_mutex_lock(&lock);
            add_tally(sum, &tally, constraint_count);
            pthread_mutex_unlock(&lock);
        }
        free(tally.constraints);
    }
    if (atomic_load(&memory))
        return STATUS_MEMORY;
    return space_cancelled(space) ? STATUS_CANCELLED : STATUS_OK;
}

static int compare_rules(const void *a, const void *b)
{
    const struct removal *left = a, *right = b;
    return strcmp(left->what, right->what);
}

static enum status report_removals(const struct study *study, struct tally *tally,
                                   struct census *census)
{
    /* Sort by name, so that the order does not depend on which thread met a rule first. */
    qsort(tally->rules, tally->rule_count, sizeof *tally->rules, compare_rules);
    census->removals = calloc(tally->rule_count + study->where_count + 1, sizeof *census->removals);
    if (!census->removals)
        return STATUS_MEMORY;
    for (size_t i = 0; i < tally->rule_count; i++)
        census->removals[census->removal_count++] = tally->rules[i];
    for (size_t i = 0; i < study->where_count; i++) {
        const struct condition *where = &study->where[i];
        census->removals[census->removal_count++] = (struct removal){
            where->budget ? "equal:" : "where:", where->budget ? where->budget : where->text,
            tally->constraints[i]};
    }
    census->legal = tally->legal;
    return STATUS_OK;
}

enum status space_census(const struct space *space, struct census *census,
                         struct diagnostics *diagnostics)
{
    const struct study *study = space->study;
    *census = (struct census){0};
    if (space->machines > CENSUS_MACHINES)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "the space has %" PRIu64 " machines; at most %" PRIu64
                                 " can be swept: take fewer values or fewer axes",
                                 space->machines, CENSUS_MACHINES);
    struct tally sum = {.constraints = calloc(study->where_count + 1, sizeof(uint64_t))};
    struct constraint *constraints = calloc(study->where_count + 1, sizeof *constraints);
    census->bitmap = calloc(space->machines / 8 + 1, 1);
    enum status status = STATUS_MEMORY;
    if (!sum.constraints || !constraints || !census->bitmap)
        goto cleanup;
    status = STATUS_OK;
    for (size_t i = 0; i < study->where_count; i++) {
        enum status found = constraint_open(space, &study->where[i], &constraints[i], diagnostics);
        if (found)
            status = found; /* continue, so that every wrong condition is reported */
    }
    if (!status)
        status = judge_all(space, constraints, &sum, census->bitmap);
    if (!status)
        status = report_removals(study, &sum, census);
cleanup:
    for (size_t i = 0; constraints && i < study->where_count; i++)
        constraint_free(&constraints[i]);
    free(constraints);
    free(sum.constraints);
    if (status)
        census_free(census);
    return status;
}

void census_free(struct census *census)
{
    free(census->removals);
    free(census->bitmap);
    *census = (struct census){0};
}
