#include "explore/sweep/sweep_cost.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "explore/sweep/pass_head.h"

/* The shortest measurement, and the limit for all of them together. */
#define PROBE_SECONDS_MIN 0.01
#define TOTAL_SECONDS     3.0
/* A run measures before it starts, so measuring may take only this share of the run
 * itself. WEIGHT_SECONDS estimates the run's time per unit of task weight on a fast machine. */
#define TOTAL_SHARE    0.02
#define WEIGHT_SECONDS 5e-9

struct cost_meter {
    const struct sweep_setup *setup;
    const struct plan *plan;
    const atomic_bool *cancel;
    double end;           /* clock at which no time is left */
    double probe;         /* seconds of one measurement */
    double *streams;      /* by workload; negative if not measured */
    pthread_mutex_t lock; /* of what follows */
    struct {
        struct stage_costs sum; /* for streams scaled to length 1 */
        double count;
    } measured[PARTS_MAX][2]; /* [1] for tasks of shared levels */
};

/* Each part on each workload takes three measurements: stream, first level, second level. */
static double probe_seconds(const struct sweep_setup *setup, const struct plan *plan)
{
    double weight = 0;
    double kinds = 3.0 * (double)plan->part_count * (double)setup->space.study->workload_count;
    for (size_t t = 0; t < plan->task_count; t++)
        weight += plan->tasks[t].weight;
    double seconds = TOTAL_SHARE * WEIGHT_SECONDS * weight / setup->threads / kinds;
    return fmin(fmax(seconds, PROBE_SECONDS_MIN), PROBE_SECONDS);
}

struct cost_meter *cost_meter_create(const struct sweep_setup *setup, const struct plan *plan,
                                     const atomic_bool *cancel)
{
    size_t workloads = setup->space.study->workload_count;
    struct cost_meter *meter = calloc(1, sizeof *meter);
    double *streams = calloc(workloads + 1, sizeof *streams);
    if (!meter || !streams) {
        free(meter);
        free(streams);
        return NULL;
    }
    *meter = (struct cost_meter){.setup = setup,
                                 .plan = plan,
                                 .cancel = cancel,
                                 .end = clock_seconds() + TOTAL_SECONDS,
                                 .probe = probe_seconds(setup, plan)};
    meter->streams = streams;
    pthread_mutex_init(&meter->lock, NULL);
    for (size_t w = 0; w < workloads; w++)
        streams[w] = -1;
    return meter;
}

void cost_meter_free(struct cost_meter *meter)
{
    if (!meter)
        return;
    pthread_mutex_destroy(&meter->lock);
    free(meter->streams);
    free(meter);
}

/* Times are those of the processor: a pass is one thread's here, and on a busy machine a hundredth
 * of a second would say more of the others than of the pass. */
struct probe {
    const atomic_bool *cancel;
    atomic_bool stop;
    struct pass_head head;
};

static bool is_cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load(cancel);
}

static void probe_progress(void *argument, double share)
{
    struct probe *probe = argument;
    const bool enough = pass_head_report(&probe->head, clock_processor_seconds(), share);
    if (enough || is_cancelled(probe->cancel))
        atomic_store(&probe->stop, true);
}

double cost_of_pass(const struct simulation *asked, const struct machine *machines, size_t count,
                    double most, const atomic_bool *cancel)
{
    const double start = clock_processor_seconds();
    if (is_cancelled(cancel)) /* setting up a pass takes long, too */
        return 0;
    /* Where depths are factored, the cost of a level is the difference of two passes, whose heads
     * should be as long. */
    struct probe probe = {.cancel = cancel,
                          .head = {.start = start,
                                   .most = most,
                                   .longest = PROBE_SECONDS,
                                   .alone = !depth_can(asked->question.depth, DEPTH_FACTORED)}};
    struct simulation simulation = *asked;
    struct metrics *metrics = calloc(count, sizeof *metrics);
    double seconds = 0;
    if (metrics) {
        simulation.cache = NULL;
        simulation.progress = probe_progress;
        simulation.argument = &probe;
        simulation.interval = most / 5;
        simulation.cancel = &probe.stop;
        enum status status = simulate(&simulation, machines, count, metrics, NULL, NULL);
        seconds = status ? pass_head_seconds(&probe.head) : clock_processor_seconds() - start;
    }
    free(metrics);
    return seconds;
}

/* Measures only some stages of the machines. */
static double probe_pass(const struct cost_meter *meter, const struct task *task, unsigned stages,
                         const struct machine *machines, size_t count)
{
    struct simulation simulation = sweep_setup_simulation(meter->setup, meter->plan, task);
    struct machine *reduced = calloc(count, sizeof *reduced);
    double seconds = 0;
    for (size_t i = 0; reduced && i < count; i++)
        stage_machine(&machines[i], stages, &reduced[i]);
    if (reduced)
        seconds = cost_of_pass(&simulation, reduced, count, meter->probe, meter->cancel);
    free(reduced);
    return seconds;
}

/* The cost of a level is the cost of a pass with it minus that of a pass without it. No pass is
 * cheaper with one level more: where a measurement says so, a disturbance added time to the other,
 * and the smaller number is the better one. */
static struct stage_costs probe_levels(struct cost_meter *meter, const struct task *task,
                                       const struct machine *machines)
{
    unsigned stages = meter->plan->parts[task->part].question.stages;
    /* A depth that is not factored reads the stream in each run, so the runs include its time. */
    if (!depth_can(meter->plan->parts[task->part].question.depth, DEPTH_FACTORED))
        return (struct stage_costs){
            .second = probe_pass(meter, task, stages, machines, task->count) / (double)task->count};
    const unsigned seconds = stages_after_first();
    double *stream = &meter->streams[task->workload];
    if (*stream < 0)
        *stream = probe_pass(meter, task, STAGE_STREAM, machines, 1);
    if (stages == STAGE_STREAM)
        return (struct stage_costs){.stream = *stream};
    double firsts = probe_pass(meter, task, stages & ~seconds, machines, task->count);
    double all = stages & seconds ? probe_pass(meter, task, stages, machines, task->count) : firsts;
    firsts = fmin(firsts, all);
    *stream = fmin(*stream, firsts);
    return (struct stage_costs){.stream = *stream,
                                .first = (firsts - *stream) / (double)task->firsts,
                                .second = (all - firsts) / (double)task->count};
}

static struct stage_costs scale_measured(struct cost_meter *meter, const struct task *task)
{
    pthread_mutex_lock(&meter->lock);
    const double count = meter->measured[task->part][task->shared].count;
    const struct stage_costs sum = meter->measured[task->part][task->shared].sum;
    pthread_mutex_unlock(&meter->lock);
    const double scale = count > 0 ? meter->setup->sizes[task->workload] / count : 0;
    return (struct stage_costs){sum.stream * scale, sum.first * scale, sum.second * scale};
}

static void add_measured(struct cost_meter *meter, const struct task *task,
                         const struct stage_costs *costs)
{
    const double size = meter->setup->sizes[task->workload];
    struct stage_costs *sum = &meter->measured[task->part][task->shared].sum;
    pthread_mutex_lock(&meter->lock);
    sum->stream += costs->stream / size;
    sum->first += costs->first / size;
    sum->second += costs->second / size;
    meter->measured[task->part][task->shared].count++;
    pthread_mutex_unlock(&meter->lock);
}

struct stage_costs cost_meter_measure(struct cost_meter *meter, const struct task *task)
{
    const bool measures = clock_seconds() < meter->end && !is_cancelled(meter->cancel);
    struct machine *machines = measures ? task_machines(meter->plan, task) : NULL;
    if (!machines)
        return scale_measured(meter, task);
    const struct stage_costs costs = probe_levels(meter, task, machines);
    add_measured(meter, task, &costs);
    free(machines);
    return costs;
}
