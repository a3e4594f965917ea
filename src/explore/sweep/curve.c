#include "explore/sweep/curve.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <omp.h>

#include "explore/plan/planner_tasks.h"
#include "model/pass/pass_pool.h"

enum { FEW = 3 }; /* a curve with fewer points than this shows nothing */

/* The size or ways that keep the machine's sets; 0: there are none. */
static uint64_t follow(const struct machine *machine, const struct parameter *parameter,
                       struct value value)
{
    const struct cache_config *cache = parameter->stages & STAGE_L1D ? &machine->l1d : &machine->l2;
    uint64_t way = cache->size / cache->ways; /* of all slices */
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

/* True where the machine could have this value. */
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

/* Where the way up begins: the range's least value, or the least multiple of the step from `low`
 * on. */
static struct value first_value(const struct parameter *parameter, double low)
{
    double number = parameter->min;
    if (parameter->stepping == STEP_ADD && low > number)
        number = fmin(ceil(low / parameter->step) * parameter->step, parameter->max);
    return with_number(parameter, number);
}

/* The next legal value up, or the next power of two. */
static bool step_up(const struct parameter *parameter, bool coarse, struct value *value)
{
    if (!coarse)
        return parameter_next(parameter, *value, 1, value);
    double number = parameter_number(parameter, *value);
    double power = number < 1 ? 1 : exp2(floor(log2(number)) + 1);
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
    size_t count, max; /* count may pass max by one: too many */
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

/* Fills the list; false where the steps are so many that the coarse ones must do. */
static bool list_fill(struct value_list *list, bool coarse)
{
    enum { STEPS_MAX = 1 << 18 };
    const struct value own = parameter_get(list->parameter, list->machine);
    const double own_number = parameter_number(list->parameter, own);
    struct value value = first_value(list->parameter, list->low);
    double before = -INFINITY;
    list->count = 0;
    for (unsigned steps = 0; list->count <= list->max; steps++) {
        double number = parameter_number(list->parameter, value);
        /* The machine's own value need not be a step of the range. */
        if (before < own_number && own_number < number)
            list_add(list, own);
        list_add(list, value);
        before = number;
        if (steps == STEPS_MAX)
            return false;
        if (number > list->high || !step_up(list->parameter, coarse, &value)) {
            if (before < own_number)
                list_add(list, own);
            return list->count <= list->max;
        }
    }
    return false;
}

size_t curve_values(const struct machine *machine, const struct parameter *parameter,
                    const struct parameter *follower, double low, double high, struct value *values,
                    size_t max)
{
    struct value_list list = {machine, parameter, follower, low, high, values, 0, max};
    if (parameter->stepping == STEP_NONE)
        return 0;
    if (!list_fill(&list, false))
        list_fill(&list, true);
    return list.count < max ? list.count : max;
}

/* The ways of the cache whose size this is, or the other way round. */
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

/* A curve that is worked out: machines that differ in the stream share no pass, others one. */
struct drawing {
    const struct machine **machines;
    const struct trace_source *source;
    const struct evaluate_options *outer;
    struct metrics *metrics;
    size_t count, parts, workers;
    struct pass_pool *pool;
    atomic_size_t next; /* part */
    double *shares;     /* done of each part */
    /* A mutex, not an OpenMP critical section: LLVM's runtime frees the locks of those, and crashes
     * in the next, once every thread that used OpenMP has ended, which the engine's threads do. */
    pthread_mutex_t lock;
    enum status status;
    struct diagnostics *diagnostics;
};

struct part_progress {
    struct drawing *drawing;
    size_t part;
};

/* Several passes at once report the mean of their shares. */
static void report_part(void *argument, double share)
{
    struct part_progress *part = argument;
    struct drawing *drawing = part->drawing;
    pthread_mutex_lock(&drawing->lock);
    drawing->shares[part->part] = share;
    double sum = 0;
    for (size_t i = 0; i < drawing->parts; i++)
        sum += drawing->shares[i];
    drawing->outer->progress(drawing->outer->argument, sum / (double)drawing->parts);
    pthread_mutex_unlock(&drawing->lock);
}

static void draw_part(struct drawing *drawing, size_t part)
{
    size_t count = drawing->count, parts = drawing->parts;
    size_t first = count * part / parts, end = count * (part + 1) / parts;
    struct part_progress argument = {drawing, part};
    struct evaluate_options inner = *drawing->outer;
    inner.progress = inner.progress ? report_part : NULL;
    inner.argument = &argument;
    inner.pool = drawing->pool;
    inner.groups = pass_groups_wanted(parts, parts - 1 - part, true, (int)drawing->workers);
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = evaluate_many(drawing->machines + first, end - first, drawing->source,
                                       &inner, drawing->metrics + first, &found);
    pthread_mutex_lock(&drawing->lock);
    /* One pass speaks for all: the source is the same. */
    if (!drawing->status && (status || part == 0))
        diagnostics_move(drawing->diagnostics, &found);
    drawing->status = drawing->status ? drawing->status : status;
    pthread_mutex_unlock(&drawing->lock);
    diagnostics_free(&found);
}

static void draw(struct drawing *drawing)
{
#pragma omp parallel num_threads((int)drawing->workers)
    {
        size_t part;
        pass_pool_join(drawing->pool);
#pragma omp barrier
        while ((part = atomic_fetch_add(&drawing->next, 1)) < drawing->parts)
            draw_part(drawing, part);
        pass_pool_done(drawing->pool);
    }
}

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
        .count = count,
        .parts = count && parameter->stages & STAGE_STREAM ? count : 1,
        .workers = (size_t)(threads > 0 ? threads : omp_get_max_threads()),
        .pool = pass_pool_create(),
        .shares = calloc(count + 1, sizeof(double)),
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .diagnostics = diagnostics,
    };
    if (!machines || !drawing.machines || !drawing.pool || !drawing.shares)
        drawing.status = STATUS_MEMORY;
    for (size_t i = 0; i < count && !drawing.status; i++) {
        machines[i] = *machine;
        curve_set(&machines[i], parameter, follower, values[i]);
        drawing.machines[i] = &machines[i];
    }
    if (!drawing.status && count)
        draw(&drawing);
    pass_pool_free(drawing.pool);
    free(machines);
    free(drawing.machines);
    free(drawing.shares);
    return drawing.status;
}
