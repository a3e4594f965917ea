#include "explore/space/budget.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_stream.h"
#include "model/area/area.h"

/* The most steps of the parameter, combinations of axes, and bytes of one condition. */
enum { STEPS_MAX = 65536, COMBINATIONS_MAX = 1024, CONDITION_MAX = 3600 };

#define NONE SIZE_MAX

struct solver {
    struct study *study;
    const struct budget *budget;
    struct value *steps; /* ascending */
    size_t step_count, step_capacity;
    size_t *axes; /* indices of the study's axes that affect the metric */
    size_t axis_count;
    size_t combinations;
    size_t *solutions; /* by combination: the step, or NONE */
    struct diagnostics *diagnostics;
};

__attribute__((format(printf, 2, 3))) static enum status complain(const struct solver *solver,
                                                                  const char *format, ...)
{
    struct place place = {.file = solver->study->path, .line = solver->budget->line};
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(solver->diagnostics, SEVERITY_ERROR, &place, "equal", format, arguments);
    va_end(arguments);
    return STATUS_INVALID;
}

/* ---- what affects a metric ------------------------------------------------------------------- */

/* The structure that a parameter or metric belongs to: the one whose path has the same first
 * component. NULL if there is none. */
static const struct structure_info *structure_of(const char *path)
{
    const size_t length = strcspn(path, ".");
    for (size_t i = 0; i < STRUCTURE_COUNT; i++) {
        const char *own = structure_table[i].path;
        if (strcspn(own, ".") == length && !strncmp(path, own, length))
            return &structure_table[i];
    }
    return NULL;
}

/* The stages without which a structure cannot be built. */
static unsigned stages_of(const struct structure_info *structure)
{
    unsigned stages = structure->stage;
    for (unsigned left = stage_info(stages)->consumes; left; left &= left - 1)
        if (!(stage_info(stage_lowest(left))->traits & STAGE_TRANSPARENT))
            stages |= stage_lowest(left);
    return stages;
}

static bool is_switch_of(const struct parameter *parameter, unsigned stages)
{
    for (; stages; stages &= stages - 1)
        if (stage_info(stage_lowest(stages))->switch_offset == parameter->offset)
            return true;
    return false;
}

/* Whether a parameter may affect an area metric, or the legality of the structure that it measures.
 * A total belongs to no structure, so every parameter affects it. */
static bool bears_on(const struct parameter *parameter, const struct metric *metric)
{
    const struct structure_info *own = structure_of(metric->path),
                                *other = structure_of(parameter->path);
    if (!other)
        return parameter->stages & STAGE_AREA;
    return !own || own == other || is_switch_of(parameter, stages_of(own));
}

/* The machine with every parameter that does not affect the metric at its default, so that a
 * combination is not rejected because some other structure has an illegal size. */
static struct machine bare_machine(const struct machine *machine, const struct metric *metric)
{
    struct machine bare = *machine;
    const struct structure_info *own = structure_of(metric->path);
    for (size_t i = 0; i < parameter_count; i++)
        if (!bears_on(&parameters[i], metric))
            parameter_set(&parameters[i], &bare, parameters[i].fallback);
    if (own)
        machine_keep_stages(&bare, stages_of(own));
    return bare;
}

/* ---- one combination ------------------------------------------------------------------------- */

static bool step_legal(const struct solver *solver, struct machine *machine, size_t step)
{
    struct violation found[VIOLATION_MAX];
    parameter_set(solver->budget->parameter, machine, solver->steps[step]);
    return !machine_check(machine, found);
}

/* The largest legal step in [low, high], or NONE. The machine then has its value. */
static size_t last_legal(const struct solver *solver, struct machine *machine, size_t low,
                         size_t high)
{
    for (size_t step = high + 1; step-- > low;)
        if (step_legal(solver, machine, step))
            return step;
    return NONE;
}

static bool within_limit(const struct solver *solver, const struct machine *machine)
{
    struct metrics metrics;
    metrics_clear(&metrics);
    area_evaluate(machine, &metrics);
    return metric_get(solver->budget->metric, &metrics) <= solver->budget->limit; /* false if NaN */
}

/* The metric grows with the parameter, so the largest step within the limit is found by bisection.
 * Illegal steps are skipped downwards, which keeps the order. */
static size_t solve_machine(const struct solver *solver, struct machine machine)
{
    size_t best = NONE, low = 0, end = solver->step_count;
    while (low < end) {
        size_t middle = low + (end - low) / 2;
        size_t legal = last_legal(solver, &machine, low, middle);
        if (legal != NONE && !within_limit(solver, &machine)) {
            end = legal;
            continue;
        }
        best = legal != NONE ? legal : best;
        low = middle + 1;
    }
    return best;
}

/* The value of axis `index` of solver->axes in a combination. The last axis varies fastest. */
static struct value axis_value(const struct solver *solver, size_t combination, size_t index)
{
    for (size_t i = solver->axis_count; i-- > index + 1;)
        combination /= solver->study->axes[solver->axes[i]].count;
    const struct axis *axis = &solver->study->axes[solver->axes[index]];
    return axis->values[combination % axis->count];
}

static enum status solve_combinations(struct solver *solver)
{
    const struct machine bare = bare_machine(&solver->study->machine, solver->budget->metric);
    size_t solved = 0;
    solver->solutions = calloc(solver->combinations, sizeof *solver->solutions);
    if (!solver->solutions)
        return STATUS_MEMORY;
    for (size_t c = 0; c < solver->combinations; c++) {
        struct machine machine = bare;
        for (size_t i = 0; i < solver->axis_count; i++)
            parameter_set(solver->study->axes[solver->axes[i]].parameter, &machine,
                          axis_value(solver, c, i));
        solver->solutions[c] = solve_machine(solver, machine);
        solved += solver->solutions[c] != NONE;
    }
    if (solved)
        return STATUS_OK;
    char limit[QUANTITY_TEXT];
    return complain(
        solver, "no legal value of %s keeps %s at or below %s", solver->budget->parameter->path,
        solver->budget->metric->path,
        quantity_print_real(solver->budget->limit, solver->budget->metric->unit, limit));
}

/* ---- what there is to solve ------------------------------------------------------------------ */

static enum status check_budget(const struct solver *solver)
{
    const struct budget *budget = solver->budget;
    if (budget->metric->stage != STAGE_AREA)
        return complain(solver, "%s needs a stream; a budget is of bits, area, time or energy",
                        budget->metric->path);
    if (budget->parameter->type != PARAMETER_UINT && budget->parameter->type != PARAMETER_REAL)
        return complain(solver, "%s is not a number and cannot be solved", budget->parameter->path);
    if (!bears_on(budget->parameter, budget->metric))
        return complain(solver, "%s does not depend on %s", budget->metric->path,
                        budget->parameter->path);
    for (size_t a = 0; a < solver->study->axis_count; a++)
        if (solver->study->axes[a].parameter == budget->parameter)
            return complain(solver, "%s is an axis and cannot be solved as well",
                            budget->parameter->path);
    return STATUS_OK;
}

static enum status list_steps(struct solver *solver)
{
    const struct parameter *parameter = solver->budget->parameter;
    struct value value = {0};
    if (parameter->type == PARAMETER_REAL)
        value.real = parameter->min;
    else
        value.uint = (uint64_t)parameter->min;
    do {
        if (solver->step_count == STEPS_MAX)
            return complain(solver, "%s has more than %d steps", parameter->path, STEPS_MAX);
        if (array_reserve(&solver->steps, &solver->step_capacity, solver->step_count + 1))
            return STATUS_MEMORY;
        solver->steps[solver->step_count++] = value;
    } while (parameter_next(parameter, value, 1, &value));
    return STATUS_OK;
}

static enum status choose_axes(struct solver *solver)
{
    const struct study *study = solver->study;
    solver->combinations = 1;
    solver->axes = calloc(study->axis_count + 1, sizeof *solver->axes);
    if (!solver->axes)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++) {
        if (!study->axes[a].count || !bears_on(study->axes[a].parameter, solver->budget->metric))
            continue;
        solver->axes[solver->axis_count++] = a;
        if (study->axes[a].count > COMBINATIONS_MAX / solver->combinations)
            return complain(solver, "more than %d combinations of axes affect %s", COMBINATIONS_MAX,
                            solver->budget->metric->path);
        solver->combinations *= study->axes[a].count;
    }
    return STATUS_OK;
}

/* ---- rewriting the study --------------------------------------------------------------------- */

/* Adds the solutions that occur as an axis, in ascending order and without repetitions. */

static enum status add_axis(struct solver *solver)
{
    struct study *study = solver->study;
    struct axis axis = {.parameter = solver->budget->parameter, .line = solver->budget->line};
    axis.values = calloc(solver->combinations, sizeof *axis.values);
    struct axis *axes = realloc(study->axes, (study->axis_count + 1) * sizeof *axes);
    study->axes = axes ? axes : study->axes;
    if (!axes || !axis.values) {
        free(axis.values);
        return STATUS_MEMORY;
    }
    for (size_t step = 0; step < solver->step_count; step++)
        for (size_t c = 0; c < solver->combinations; c++)
            if (solver->solutions[c] == step) {
                axis.values[axis.count++] = solver->steps[step];
                break;
            }
    study->axes[study->axis_count++] = axis;
    return STATUS_OK;
}

static void print_equals(const struct parameter *parameter, struct value value, FILE *out)
{
    fprintf(out, "%s = ", parameter->path);
    if (parameter->type == PARAMETER_ENUM)
        fprintf(out, "'%s'", parameter->choices[value.uint].name);
    else if (parameter->type == PARAMETER_REAL)
        fprintf(out, "%.17g", value.real);
    else
        fprintf(out, "%" PRIu64, value.uint);
}

/* " when pwc.organization = 'tpc' then pwc.entries = 24" */
static void print_case(const struct solver *solver, size_t combination, FILE *out)
{
    fputs(" when ", out);
    for (size_t i = 0; i < solver->axis_count; i++) {
        fputs(i ? " and " : "", out);
        print_equals(solver->study->axes[solver->axes[i]].parameter,
                     axis_value(solver, combination, i), out);
    }
    fputs(" then ", out);
    if (solver->solutions[combination] == NONE)
        fputs("no", out);
    else
        print_equals(solver->budget->parameter, solver->steps[solver->solutions[combination]], out);
}

/* Adds a `where` condition. Takes ownership of `text`. */
static enum status append_condition(const struct solver *solver, char *text)
{
    struct study *study = solver->study;
    const struct budget *budget = solver->budget;
    char limit[QUANTITY_TEXT], *words = NULL;
    struct condition *where = realloc(study->where, (study->where_count + 1) * sizeof *where);
    study->where = where ? where : study->where;
    quantity_print_real(budget->limit, budget->metric->unit, limit);
    if (!where || asprintf(&words, "%s at most %s, solved for %s", budget->metric->path, limit,
                           budget->parameter->path) < 0) {
        free(text);
        return STATUS_MEMORY;
    }
    study->where[study->where_count++] = (struct condition){text, budget->line, words};
    return STATUS_OK;
}

/* Adds a condition for the combinations from *next on, as many as fit into one. It is true for all
 * others, so several conditions together cover all combinations. */
static enum status add_condition(const struct solver *solver, size_t *next)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fputs("case", out);
    do {
        print_case(solver, (*next)++, out);
    } while (*next < solver->combinations && ftell(out) < CONDITION_MAX);
    fputs(" else yes end", out);
    char *text = text_stream_take(&stream);
    return text ? append_condition(solver, text) : STATUS_MEMORY;
}

/* If all combinations have the same solution, an axis of one value needs no conditions. */
static bool same_for_all(const struct solver *solver)
{
    for (size_t c = 0; c < solver->combinations; c++)
        if (solver->solutions[c] == NONE || solver->solutions[c] != solver->solutions[0])
            return false;
    return true;
}

static enum status solve_budget(struct solver *solver)
{
    enum status status = check_budget(solver);
    if (!status)
        status = list_steps(solver);
    if (!status)
        status = choose_axes(solver);
    if (!status)
        status = solve_combinations(solver);
    if (!status)
        status = add_axis(solver);
    for (size_t next = 0; !status && !same_for_all(solver) && next < solver->combinations;)
        status = add_condition(solver, &next);
    free(solver->steps);
    free(solver->axes);
    free(solver->solutions);
    return status;
}

enum status budgets_solve(struct study *study, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->budget_count && status != STATUS_MEMORY; i++) {
        struct solver solver = {
            .study = study, .budget = &study->budgets[i], .diagnostics = diagnostics};
        enum status solved = solve_budget(&solver);
        status = solved ? solved : status; /* continue, so that every wrong budget is reported */
    }
    if (!status)
        study->budget_count = 0;
    return status;
}
