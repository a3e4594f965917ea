#include "explore/sweep/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "explore/plan/planner_tasks.h"
#include "explore/plan/runner.h"
#include "explore/plan/simulate.h"
#include "model/area/area.h"
#include "model/depth_models.h"

enum { FEW = 3 }; /* a curve with fewer points shows nothing */

const struct metric *curve_metric(const struct parameter *parameter, enum depth depth)
{
    static const struct {
        const char *group, *metric;
    } parts[] = {{"l2tlb.", "l2tlb.hit_rate"}, {"walker.", "walk.wait.mean"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct metric *metric = metric_find(parts[i].metric);
        if (!strncmp(parameter->path, parts[i].group, strlen(parts[i].group)) &&
            parameter->stages & metric->stage && metric_answered(metric, depth))
            return metric;
    }
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (parameter->stages & metric_headline_stages(&metric_table[i], depth))
            return &metric_table[i];
    return metric_find("l1d.miss_rate");
}

unsigned curve_stages(const struct metric *metric, const struct machine *machine, enum depth depth)
{
    unsigned stages = 0;
    for (unsigned left = metric_stages(metric); left; left &= left - 1)
        stages |= stage_chain(stage_lowest(left), machine_couples(machine));
    if (!depth_can(depth, DEPTH_FACTORED) && stages & ~(unsigned)STAGE_AREA)
        stages |= depth_reads(depth); /* there any stage can change what any other counts */
    return stages;
}

bool curve_moves(const struct parameter *parameter, const struct metric *metric,
                 const struct machine *machine, enum depth depth)
{
    return (parameter->stages & curve_stages(metric, machine, depth)) != 0;
}

/* The value of the follower that keeps the machine's sets; 0 if there is none. */
static uint64_t follow(const struct machine *machine, const struct parameter *parameter,
                       struct value value)
{
    const struct cache_config *cache = parameter->stages & STAGE_L1D ? &machine->l1d : &machine->l2;
    uint64_t way = cache->size / cache->ways; /* bytes of one way, over all slices */
    bool size = parameter->geometry == GEOMETRY_CAPACITY;
    if (!way)
        return 0;
    return size ? (value.uint % way ? 0 : value.uint / way) : value.uint * way;
}

void curve_set(struct machine *machine, const struct parameter *parameter,
               const struct parameter *follower, struct value value)
{
    if (follower)
        parameter_set(follower, machine, (struct value){.uint = follow(machine, parameter, value)});
    parameter_set(parameter, machine, value);
}

bool curve_step_below(const struct parameter *parameter, const struct machine *machine,
                      struct value *value)
{
    struct machine changed = *machine;
    struct violation found[VIOLATION_MAX];
    do {
        if (!parameter_next(parameter, *value, -1, value))
            return false;
        parameter_set(parameter, &changed, *value);
    } while (parameter->top && machine_check(&changed, found));
    return parameter_number(parameter, *value) > 0;
}

/* Whether the machine may have this value. */
static bool is_legal(const struct machine *machine, const struct parameter *parameter,
                     const struct parameter *follower, struct value value)
{
    struct machine changed = *machine;
    struct violation found[VIOLATION_MAX];
    curve_set(&changed, parameter, follower, value);
    if (follower) {
        double number = parameter_number(follower, parameter_get(follower, &changed));
        if (number < follower->min || number > follower->max)
            return false;
    }
    return machine_check(&changed, found) == 0;
}

static struct value with_number(const struct parameter *parameter, double number)
{
    struct value value = {0};
    if (parameter->type == PARAMETER_REAL)
        value.real = number;
    else
        value.uint = (uint64_t)number;
    return value;
}

/* Where to start stepping: the least value of the range, or the least multiple of the step that is
 * not below `low`. */
static struct value first_value(const struct parameter *parameter, double low)
{
    double number = parameter->min;
    if (parameter->stepping == STEP_ADD && low > number)
        number = fmin(ceil(low / parameter->step) * parameter->step, parameter->max);
    return with_number(parameter, number);
}

/* Steps to the next value: `stride` steps on, or with a stride of 0 to the next power of two. The
 * powers of a real number are those of its step, since its range may lie below 1. */
static bool step_up(const struct parameter *parameter, unsigned stride, struct value *value)
{
    if (stride) {
        bool moved = parameter_next(parameter, *value, 1, value);
        for (unsigned i = 1; moved && i < stride; i++)
            parameter_next(parameter, *value, 1, value);
        return moved;
    }
    const double unit = parameter->type == PARAMETER_REAL ? parameter->step : 1;
    double number = parameter_number(parameter, *value) / unit;
    double power = unit * (number < 1 ? 1 : exp2(floor(log2(number) + 1e-9) + 1));
    if (power > parameter->max)
        return false;
    *value = with_number(parameter, power);
    return true;
}

struct value_list {
    const struct machine *machine;
    const struct parameter *parameter, *follower;
    double low, high;
    struct value *items;
    size_t count, max; /* count = max + 1 means that there are too many values */
};

static void list_add(struct value_list *list, struct value value)
{
    double number = parameter_number(list->parameter, value);
    if (number < list->low || number > list->high ||
        !is_legal(list->machine, list->parameter, list->follower, value))
        return;
    if (list->count < list->max)
        list->items[list->count] = value;
    list->count += list->count <= list->max;
}

/* Fills the list (step_up). Returns false if there are too many values. */
static bool list_fill(struct value_list *list, unsigned stride)
{
    enum { STEPS_MAX = 1 << 18 };
    const struct value own = parameter_get(list->parameter, list->machine);
    const double own_number = parameter_number(list->parameter, own);
    struct value value = first_value(list->parameter, list->low);
    double before = -INFINITY;
    list->count = 0;
    for (unsigned steps = 0; list->count <= list->max; steps++) {
        double number = parameter_number(list->parameter, value);
        /* The machine's own value need not be a step; insert it in order. */
        if (before < own_number && own_number < number)
            list_add(list, own);
        list_add(list, value);
        before = number;
        if (steps == STEPS_MAX)
            return false;
        if (number > list->high || !step_up(list->parameter, stride, &value)) {
            if (before < own_number)
                list_add(list, own);
            return list->count <= list->max;
        }
    }
    return false;
}

/* How many steps of a real number to take at once, so that its range has at most `max` - 2 of them
 * and the machine's own value finds a place; 0 where that would be too coarse to show what lies at
 * the low end. */
static unsigned even_stride(const struct parameter *parameter, size_t max)
{
    enum { STRIDE_MAX = 8 };
    if (parameter->type != PARAMETER_REAL || max <= 2)
        return 0;
    const double stride =
        ceil((parameter->max - parameter->min) / parameter->step / (double)(max - 2));
    return stride <= STRIDE_MAX ? (unsigned)stride : 0;
}

size_t curve_values(const struct machine *machine, const struct parameter *parameter,
                    const struct parameter *follower, double low, double high, struct value *values,
                    size_t max)
{
    struct value_list list = {machine, parameter, follower, low, high, values, 0, max};
    if (parameter->stepping == STEP_NONE)
        return 0;
    if (!list_fill(&list, 1) && !(max && list_fill(&list, even_stride(parameter, max))))
        list_fill(&list, 0);
    return list.count < max ? list.count : max;
}

/* The ways of the cache that this size belongs to, or its size if this is the ways. */
static const struct parameter *other_geometry(const struct parameter *parameter)
{
    const unsigned caches = STAGE_L1D | STAGE_L2;
    for (size_t i = 0; i < parameter_count && parameter->geometry; i++)
        if (parameters[i].geometry && parameters[i].geometry != parameter->geometry &&
            parameters[i].stages & parameter->stages & caches)
            return &parameters[i];
    return NULL;
}

const struct parameter *curve_follower(const struct machine *machine,
                                       const struct parameter *parameter)
{
    const struct parameter *follower = other_geometry(parameter);
    struct value values[FEW];
    if (!follower ||
        curve_values(machine, parameter, NULL, parameter->min, parameter->max, values, FEW) >= FEW)
        return NULL;
    size_t more =
        curve_values(machine, parameter, follower, parameter->min, parameter->max, values, FEW);
    return more >= FEW ? follower : NULL;
}

/* A curve being computed. Machines with different streams cannot share a pass; others share one. */
struct drawing {
    const struct machine **machines;
    const struct trace_source *source;
    const struct evaluate_options *outer;
    struct metrics *metrics;
    size_t count, parts;
    int threads;
    struct stage_cache *cache; /* where runs answer for others; else NULL */
    struct diagnostics *diagnostics;
};

static void curve_report(void *argument, const struct runner_progress *progress)
{
    const struct evaluate_options *outer = ((const struct drawing *)argument)->outer;
    outer->progress(outer->argument, progress->share);
}

/* Machine `i`, unless the run of another one is proved to be its own. */
static enum status draw_proved(const struct drawing *drawing, struct runner_task *task, size_t i,
                               struct diagnostics *diagnostics)
{
    const struct evaluate_options *outer = drawing->outer;
    const unsigned all = depth_table[outer->depth].stages;
    const struct simulation simulation = {.question = {.depth = outer->depth,
                                                       .stages = depth_reads(outer->depth),
                                                       .asked = depth_results(outer->depth, all),
                                                       .needs = outer->needs,
                                                       .ideals = outer->ideals},
                                          .source = drawing->source,
                                          .cache = drawing->cache,
                                          .skips_stuck = true,
                                          .threads = task->threads,
                                          .progress = outer->progress ? runner_task_progress : NULL,
                                          .argument = task,
                                          .cancel = task->cancel};
    struct machine reduced;
    stage_machine(drawing->machines[i], simulation.question.stages, &reduced);
    const enum status status =
        simulate(&simulation, &reduced, 1, &drawing->metrics[i], NULL, diagnostics);
    area_evaluate(drawing->machines[i], &drawing->metrics[i]);
    metrics_derive(&drawing->metrics[i]);
    return status;
}

static enum status draw_part(void *argument, struct runner_task *task,
                             struct diagnostics *diagnostics)
{
    const struct drawing *drawing = argument;
    size_t count = drawing->count, parts = drawing->parts, part = task->number;
    size_t first = count * part / parts, end = count * (part + 1) / parts;
    struct evaluate_options inner = *drawing->outer;
    inner.progress = inner.progress ? runner_task_progress : NULL;
    inner.argument = task;
    inner.pool = task->pool;
    inner.threads = task->threads;
    inner.groups = pass_groups_wanted(parts, parts - 1 - part, true, drawing->threads);
    enum status status =
        drawing->cache ? draw_proved(drawing, task, part, diagnostics)
                       : evaluate_many(drawing->machines + first, end - first, drawing->source,
                                       &inner, drawing->metrics + first, diagnostics);
    if (!status && part == 0) {
        /* The first part's notes are enough: all parts read the same source. */
        runner_lock(task->runner);
        diagnostics_move(drawing->diagnostics, diagnostics);
        runner_unlock(task->runner);
    }
    return status;
}

static enum status curve_draw(struct drawing *drawing)
{
    struct runner *runner = runner_create(drawing->threads);
    struct runner_weight *weights = calloc(drawing->parts, sizeof *weights);
    enum status status = STATUS_MEMORY;
    if (runner && weights) {
        const struct runner_work work = {.count = drawing->parts,
                                         .weights = weights,
                                         .run = draw_part,
                                         .tick = drawing->outer->progress ? curve_report : NULL,
                                         .argument = drawing,
                                         .cancel = drawing->outer->cancel};
        for (size_t i = 0; i < drawing->parts; i++)
            weights[i].work = 1;
        status = runner_run(runner, &work, drawing->diagnostics);
    }
    runner_free(runner);
    free(weights);
    return status;
}

/* Whether machines with different values of a parameter gain from one pass: not if it changes the
 * stream, and not at a depth whose machines run one after another. */
static bool shares_pass(const struct parameter *parameter, enum depth depth)
{
    return !(parameter->stages & STAGE_STREAM) && depth_can(depth, DEPTH_GROUPED | DEPTH_DISTANCES);
}

/* Moves the metrics of the machines that ran to the places of their values, the last one first, and
 * clears those of the others. */
static void spread(const bool *runs, size_t count, size_t ran, struct metrics *metrics)
{
    while (count--) {
        if (runs[count])
            metrics[count] = metrics[--ran];
        else
            metrics_clear(&metrics[count]);
    }
}

/* A parameter that leaves the stream alone at a depth of shared passes makes one part of all its
 * values, which the passes share; any other makes a part of each value. */
enum status curve_run(const struct machine *machine, const struct parameter *parameter,
                      const struct parameter *follower, const struct value *values, size_t count,
                      const struct trace_source *source, const struct evaluate_options *options,
                      int threads, struct metrics *metrics, struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing = {0};
    struct machine *machines = calloc(count + 1, sizeof *machines);
    struct drawing drawing = {
        .machines = calloc(count + 1, sizeof *drawing.machines),
        .source = source,
        .outer = options ? options : &nothing,
        .metrics = metrics,
        .threads = threads > 0 ? threads : omp_get_max_threads(),
        .diagnostics = diagnostics,
    };
    bool *runs = calloc(count + 1, sizeof *runs);
    enum status status = machines && drawing.machines && runs ? STATUS_OK : STATUS_MEMORY;
    if (!status && depth_models[drawing.outer->depth].covers)
        status = stage_cache_open(NULL, STAGE_CACHE_BYTES, &drawing.cache, diagnostics);
    for (size_t i = 0; i < count && !status; i++) {
        machines[i] = *machine;
        curve_set(&machines[i], parameter, follower, values[i]);
        runs[i] = !evaluate_check_machine(&machines[i], source, NULL);
        if (runs[i])
            drawing.machines[drawing.count++] = &machines[i];
    }
    drawing.parts = shares_pass(parameter, drawing.outer->depth) ? 1 : drawing.count;
    if (!status && drawing.count)
        status = curve_draw(&drawing);
    stage_cache_close(drawing.cache, diagnostics);
    if (!status)
        spread(runs, count, drawing.count, metrics);
    free(runs);
    free(machines);
    free(drawing.machines);
    return status;
}
