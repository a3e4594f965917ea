/* The engine, driven without a screen: requests, newest wins, failures, sweeps, shutdown.
 *
 * cost: 20
 */
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "explore/live/engine.h"
#include "explore/sweep/curve.h"
#include "model/area/area.h"
#include "schema/parameters.h"
#include "support/same_metrics.h"
#include "support/temporary.h"
#include "workload/workload.h"

#define SMALL "GEMM:ni=64,nj=64,nk=64"
#define LARGE "GEMM:ni=512,nj=512,nk=512"

static struct engine_snapshot snapshot; /* large: not on the stack */

static struct engine *create(void)
{
    struct engine *engine;
    assert_int_equal(engine_create(1, &engine), STATUS_OK);
    return engine;
}

/* Takes snapshots, only when the descriptor rings, until `reached`; fails after 60 s. */
static void await(struct engine *engine, bool (*reached)(uint64_t), uint64_t argument)
{
    double end = clock_seconds() + 60;
    for (;;) {
        engine_snapshot(engine, &snapshot);
        if (reached(argument))
            return;
        struct pollfd fd = {.fd = engine_fd(engine), .events = POLLIN};
        assert_true(clock_seconds() < end);
        assert_true(poll(&fd, 1, 5000) >= 0);
    }
}

static bool evaluated(uint64_t request)
{
    return snapshot.evaluation.request >= request &&
           (snapshot.evaluation.state == ENGINE_DONE || snapshot.evaluation.state == ENGINE_FAILED);
}

static bool drawn(uint64_t request)
{
    return snapshot.curve.request >= request &&
           (snapshot.curve.state == ENGINE_DONE || snapshot.curve.state == ENGINE_FAILED);
}

static bool progressing(uint64_t request)
{
    return snapshot.evaluation.request == request &&
           (snapshot.evaluation.share > 0 || snapshot.evaluation.state == ENGINE_DONE);
}

static bool swept(uint64_t unused)
{
    (void)unused;
    return snapshot.sweep.state == ENGINE_DONE || snapshot.sweep.state == ENGINE_FAILED;
}

static struct machine default_machine(void)
{
    struct machine machine;
    machine_defaults(&machine);
    return machine;
}

static void evaluation_equals_a_direct_one(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    engine_set_workload(engine, SMALL);
    uint64_t request = engine_evaluate(engine, &machine);
    await(engine, evaluated, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_int_equal(snapshot.workload_state, ENGINE_DONE);
    assert_string_equal(snapshot.workload, SMALL);
    assert_int_equal(snapshot.launches, 1);
    assert_true(strlen(snapshot.provenance) > 0);
    assert_true(snapshot.evaluation.seconds > 0);
    assert_true(snapshot.evaluation.share == 1);
    struct trace_source *source;
    assert_int_equal(workload_open(SMALL, &source, NULL), STATUS_OK);
    struct evaluate_options options = {.needs = NEED_REPORT};
    struct metrics direct;
    assert_int_equal(evaluate(&machine, source, &options, &direct, NULL), STATUS_OK);
    assert_same_metrics(&snapshot.evaluation.metrics, &direct);
    trace_source_free(source);
    engine_free(engine);
}

static void newest_request_wins(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    engine_set_workload(engine, LARGE);
    uint64_t first = engine_evaluate(engine, &machine), last = first;
    await(engine, progressing, first);
    for (uint64_t ways = 1; ways <= 8; ways *= 2) {
        machine.l1d.ways = ways;
        machine.l1d.index = INDEX_MODULO;
        last = engine_evaluate(engine, &machine);
    }
    engine_set_workload(engine, SMALL); /* answers on this one, and quickly */
    await(engine, evaluated, last);
    assert_int_equal(snapshot.evaluation.request, last);
    assert_int_equal(snapshot.evaluation.machine.l1d.ways, 8);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_true(snapshot.evaluation.metrics.stream_memory_instructions > 0);
    engine_free(engine);
}

static void estimate_comes_before_the_exact_value(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    machine.gpu.sms = 1; /* small waves, so that sampling pays */
    engine_set_workload(engine, "2DCONV:n=2048");
    uint64_t request = engine_evaluate(engine, &machine);
    bool estimated = false;
    double end = clock_seconds() + 60;
    do {
        engine_snapshot(engine, &snapshot);
        estimated |= snapshot.evaluation.state == ENGINE_ESTIMATE;
        if (snapshot.evaluation.state == ENGINE_ESTIMATE)
            assert_true(snapshot.evaluation.metrics.l1d_accesses > 0);
    } while (!evaluated(request) && clock_seconds() < end);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_true(estimated);
    assert_true(snapshot.evaluation.error.l1d_miss_rate == 0);
    engine_free(engine);
}

static void area_is_there_at_once(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    struct metrics direct;
    metrics_clear(&direct);
    area_evaluate(&machine, &direct);
    uint64_t request = engine_evaluate(engine, &machine); /* no workload yet: it waits */
    engine_snapshot(engine, &snapshot);
    assert_int_equal(snapshot.evaluation.request, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_RUNNING);
    assert_same_metrics(&snapshot.evaluation.metrics, &direct);
    uint64_t curve = engine_request_curve(engine, &machine, parameter_find("pwc.entries"),
                                          metric_find("pwc.bits"));
    await(engine, drawn, curve);
    assert_int_equal(snapshot.curve.state, ENGINE_DONE);
    assert_true(snapshot.curve.count > 10);
    for (size_t i = 0; i < snapshot.curve.count; i++)
        assert_true(snapshot.curve.y[i] == 220 * (double)snapshot.curve.values[i].uint);
    engine_set_workload(engine, SMALL); /* now it is answered */
    await(engine, evaluated, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    struct trace_launch *launches;
    uint32_t count = 0;
    assert_int_equal(engine_launches(engine, &launches, &count), STATUS_OK);
    assert_int_equal(count, snapshot.launches);
    assert_string_equal(launches[0].name, "gemm_kernel");
    engine_free(engine);
    assert_int_equal(launches[0].grid[0], 2); /* it outlives the engine */
    free(launches);
}

static void missing_workload_fails(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    engine_set_workload(engine, "no such workload");
    uint64_t request = engine_evaluate(engine, &machine);
    uint64_t curve = engine_request_curve(engine, &machine, parameter_find("l1d.ways"),
                                          metric_find("l1d.miss_rate"));
    await(engine, evaluated, request);
    await(engine, drawn, curve);
    assert_int_equal(snapshot.workload_state, ENGINE_FAILED);
    assert_non_null(strstr(snapshot.workload_message, "no such workload"));
    struct trace_launch *launches;
    uint32_t count;
    assert_int_equal(engine_launches(engine, &launches, &count), STATUS_NOT_FOUND);
    assert_int_equal(snapshot.evaluation.state, ENGINE_FAILED);
    assert_int_equal(snapshot.curve.state, ENGINE_FAILED);
    assert_true(strlen(snapshot.evaluation.message) > 0 && strlen(snapshot.curve.message) > 0);
    engine_set_workload(engine, SMALL); /* both questions are answered anew */
    await(engine, evaluated, request);
    await(engine, drawn, curve);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_int_equal(snapshot.curve.state, ENGINE_DONE);
    engine_free(engine);
}

static void illegal_machine_fails(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    machine.l1d.size = 1000;
    engine_set_workload(engine, SMALL);
    uint64_t request = engine_evaluate(engine, &machine);
    await(engine, evaluated, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_FAILED);
    assert_non_null(strstr(snapshot.evaluation.message, "l1d.size"));
    engine_free(engine);
}

static void curve_equals_single_evaluations(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    machine.l1d.index = INDEX_MODULO;
    const struct parameter *ways = parameter_find("l1d.ways");
    const struct metric *miss_rate = metric_find("l1d.miss_rate");
    engine_set_workload(engine, SMALL);
    uint64_t request = engine_request_curve(engine, &machine, ways, miss_rate);
    await(engine, drawn, request);
    assert_int_equal(snapshot.curve.state, ENGINE_DONE);
    assert_ptr_equal(snapshot.curve.parameter, ways);
    assert_int_equal(snapshot.curve.count, 8); /* 1 to 128 */
    struct trace_source *source;
    assert_int_equal(workload_open(SMALL, &source, NULL), STATUS_OK);
    for (size_t i = 0; i < snapshot.curve.count; i++) {
        struct machine point = machine;
        struct metrics metrics;
        parameter_set(ways, &point, snapshot.curve.values[i]);
        assert_int_equal(evaluate(&point, source, NULL, &metrics, NULL), STATUS_OK);
        assert_true(metrics.l1d_miss_rate == snapshot.curve.y[i]);
        assert_true(snapshot.curve.error[i] == 0);
    }
    trace_source_free(source);
    engine_free(engine);
}

static bool detailed(uint64_t request)
{
    return snapshot.detail.request >= request &&
           (snapshot.detail.state == ENGINE_DONE || snapshot.detail.state == ENGINE_FAILED);
}

static uint64_t parts_seen, parts_evaluated, part_accesses;

/* As detailed, and notes what is published before the end: counts that grow. */
static bool detailed_in_parts(uint64_t request)
{
    const struct engine_detail *detail = &snapshot.detail;
    if (detail->request >= request && detail->state == ENGINE_RUNNING && detail->pc_count) {
        uint64_t accesses = detail->others.accesses;
        for (size_t i = 0; i < detail->pc_count; i++)
            accesses += detail->pcs[i].accesses;
        assert_true(accesses >= part_accesses);
        part_accesses = accesses;
        parts_seen++;
        parts_evaluated += snapshot.evaluation.state == ENGINE_RUNNING ||
                           snapshot.evaluation.state == ENGINE_ESTIMATE;
    }
    return detailed(request);
}

/* As detailed, and counts what a run of the detail's own would show before its end. */
static uint64_t shares_seen;
static bool detailed_at_once(uint64_t request)
{
    shares_seen += snapshot.detail.request >= request && snapshot.detail.state == ENGINE_RUNNING &&
                   snapshot.detail.share > 0;
    return detailed(request);
}

/* The run that a timed evaluation took has left the detail of its machine. Of another machine the
 * detail takes a run. */
static void a_timed_detail_follows_its_evaluation(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine(), other;
    machine.tlb.enabled = 0;
    engine_set_depth(engine, DEPTH_TIMING);
    engine_set_workload(engine, "GEMM:n=160");
    await(engine, evaluated, engine_evaluate(engine, &machine));
    await(engine, detailed_at_once, engine_request_detail(engine, &machine));
    assert_int_equal(shares_seen, 0);
    assert_int_equal(snapshot.detail.state, ENGINE_DONE);
    assert_true(snapshot.detail.time_count > 0 && snapshot.detail.pc_count > 0);
    const uint64_t end = snapshot.detail.times[snapshot.detail.time_count - 1].end;
    assert_true((double)end == snapshot.evaluation.metrics.core_cycles);
    other = machine;
    other.l1d.mshr.merge = 1;
    await(engine, detailed, engine_request_detail(engine, &other));
    assert_int_equal(snapshot.detail.state, ENGINE_DONE);
    assert_true(snapshot.detail.times[snapshot.detail.time_count - 1].end > end);
    engine_free(engine);
}

/* At depth timing the counts by instruction appear while the run goes on, with the verdicts of a
 * bypass policy; already while the evaluation runs that comes first. */
static void a_timed_detail_appears_in_parts(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    machine.tlb.enabled = 0;
    machine.l1d.bypass.policy = BYPASS_SAMPLED;
    machine.scheduler.policy = SCHEDULER_TB_PRIORITY;
    engine_set_depth(engine, DEPTH_TIMING);
    engine_set_workload(engine, "3DCONV:ni=10,nj=256,nk=256");
    engine_evaluate(engine, &machine);
    const uint64_t request = engine_request_detail(engine, &machine);
    await(engine, detailed_in_parts, request);
    assert_int_equal(snapshot.detail.state, ENGINE_DONE);
    assert_true(parts_seen > 0 && parts_evaluated > 0);
    uint64_t bypassed = 0, accesses = snapshot.detail.others.accesses;
    for (size_t i = 0; i < snapshot.detail.pc_count; i++) {
        bypassed += snapshot.detail.pcs[i].bypassed;
        accesses += snapshot.detail.pcs[i].accesses;
    }
    assert_true(bypassed > 0);
    assert_true(accesses >= part_accesses);
    engine_free(engine);
}

/* Evaluation, curve and detail at the reuse depth are what a run says; so is what is remembered. */
static void the_reuse_depth_is_a_run(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    struct trace_source *source;
    machine.l1d.index = INDEX_MODULO;
    engine_set_workload(engine, SMALL);
    uint64_t first = engine_evaluate(engine, &machine);
    engine_set_depth(engine, DEPTH_REUSE); /* asks the evaluation again */
    assert_int_equal(workload_open(SMALL, &source, NULL), STATUS_OK);
    const struct evaluate_options options = {.depth = DEPTH_REUSE,
                                             .needs = NEED_CLASSES(STAGE_L1D)};
    struct metrics direct;
    for (unsigned round = 0; round < 3; round++) {
        machine.l1d.mshr.entries = round == 1 ? 8 : 64;
        uint64_t request = round ? engine_evaluate(engine, &machine) : first;
        await(engine, evaluated, request);
        assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
        assert_int_equal(snapshot.evaluation.depth, DEPTH_REUSE);
        assert_int_equal(evaluate(&machine, source, &options, &direct, NULL), STATUS_OK);
        assert_same_metrics(&snapshot.evaluation.metrics, &direct);
    }
    const struct parameter *ways = parameter_find("l1d.ways");
    await(engine, drawn,
          engine_request_curve(engine, &machine, ways, metric_find("l1d.reuse.ticks")));
    assert_int_equal(snapshot.curve.state, ENGINE_DONE);
    for (size_t i = 0; i < snapshot.curve.count; i++) {
        struct machine point = machine;
        parameter_set(ways, &point, snapshot.curve.values[i]);
        assert_int_equal(evaluate(&point, source, &options, &direct, NULL), STATUS_OK);
        assert_true(direct.l1d_reuse_ticks == snapshot.curve.y[i]);
    }
    await(engine, drawn, engine_request_curve(engine, &machine, ways, metric_find("l2.miss_rate")));
    assert_int_equal(snapshot.curve.state, ENGINE_FAILED); /* not counted there */
    trace_source_free(source);
    engine_free(engine);
}

/* At the depth that takes time: an estimate, the exact answer, a curve, and remembered answers. */
static void the_timing_depth_is_a_run(void **state)
{
    (void)state;
    static const char workload[] = "2DCONV:n=320";
    const struct evaluate_options options = {.depth = DEPTH_TIMING, .needs = NEED_REPORT};
    struct engine *engine = create();
    struct machine machine = default_machine();
    struct trace_source *source;
    struct metrics direct, other;
    machine.gpu.sms = 4; /* small waves, so that sampling pays */
    engine_set_depth(engine, DEPTH_TIMING);
    engine_set_workload(engine, workload);
    uint64_t request = engine_evaluate(engine, &machine);
    bool estimated = false;
    const double end = clock_seconds() + 60;
    do {
        engine_snapshot(engine, &snapshot);
        if (snapshot.evaluation.state != ENGINE_ESTIMATE)
            continue;
        estimated = true;
        assert_true(snapshot.evaluation.metrics.core_cycles > 0);
        assert_true(snapshot.evaluation.error.core_cycles > 0);
    } while (!evaluated(request) && clock_seconds() < end);
    assert_true(estimated);
    assert_int_equal(workload_open(workload, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &options, &direct, NULL), STATUS_OK);
    assert_int_equal(snapshot.evaluation.depth, DEPTH_TIMING);
    assert_same_metrics(&snapshot.evaluation.metrics, &direct);

    const struct parameter *policy = parameter_find("scheduler.policy");
    await(engine, drawn,
          engine_request_curve(engine, &machine, policy, metric_find("core.cycles")));
    assert_int_equal(snapshot.curve.state, ENGINE_DONE);
    for (size_t i = 0; i < snapshot.curve.count; i++) {
        struct machine point = machine;
        parameter_set(policy, &point, snapshot.curve.values[i]);
        assert_int_equal(evaluate(&point, source, &options, &other, NULL), STATUS_OK);
        assert_true(other.core_cycles == snapshot.curve.y[i]);
    }
    machine.scheduler.policy = SCHEDULER_LRR; /* a point of the curve: nothing is simulated */
    await(engine, evaluated, engine_evaluate(engine, &machine));
    assert_true(snapshot.evaluation.metrics.core_ipc != direct.core_ipc);
    trace_source_free(source);
    engine_free(engine);
}

/* Leaving a long timed run ends it at once, also for another depth; one that cannot be timed is
 * refused in a sentence. */
static void a_timed_run_is_left_at_once(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    engine_set_depth(engine, DEPTH_TIMING);
    engine_set_workload(engine, "GEMM:ni=2048,nj=2048,nk=2048"); /* minutes: await would give up */
    await(engine, progressing, engine_evaluate(engine, &machine));
    assert_int_not_equal(snapshot.evaluation.state, ENGINE_DONE);
    engine_set_depth(engine, DEPTH_TIMING); /* no other depth: nothing happens */
    engine_set_workload(engine, "cpwc-example.addr");
    await(engine, evaluated, snapshot.evaluation.request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_FAILED);
    assert_non_null(strstr(snapshot.evaluation.message, "which instructions wait for which"));
    engine_free(engine);
}

static void details_agree_with_the_metrics(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    machine.l1d.index = INDEX_MODULO;
    engine_set_workload(engine, SMALL);
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        if (!metric_answered(metric_find("l1d.misses"), (enum depth)depth))
            continue;
        engine_set_depth(engine, (enum depth)depth);
        uint64_t evaluation = engine_evaluate(engine, &machine);
        uint64_t request = engine_request_detail(engine, &machine);
        await(engine, evaluated, evaluation);
        await(engine, detailed, request);
        const struct engine_detail *detail = &snapshot.detail;
        const struct metrics *metrics = &snapshot.evaluation.metrics;
        uint64_t accesses = detail->others.accesses, misses = detail->bins.infinite;
        assert_int_equal(detail->state, ENGINE_DONE);
        assert_int_equal(detail->depth, depth);
        for (size_t i = 0; i < detail->pc_count; i++)
            accesses += detail->pcs[i].accesses;
        assert_true((double)accesses == metrics->l1d_accesses);
        assert_true((double)detail->misses == metrics->l1d_misses);
        for (size_t i = 0; i < detail->bins.count; i++)
            misses += detail->bins.misses[i];
        assert_true((double)misses == (depth == DEPTH_REUSE ? metrics->l1d_misses : 0));
    }
    engine_free(engine);
}

/* A study of four L1D sizes on the small workload. */
static struct study small_study(void)
{
    static char name[] = "test", workload[] = SMALL;
    static char *names[] = {workload};
    static struct value values[4];
    static struct axis axis;
    static struct objective objective;
    for (size_t i = 0; i < 4; i++)
        values[i].uint = 4096u << i;
    axis = (struct axis){.parameter = parameter_find("l1d.size"), .values = values, .count = 4};
    objective = (struct objective){metric_find("l1d.miss_rate"), LOWER_IS_BETTER};
    struct study study = {.name = name,
                          .machine = default_machine(),
                          .machine_name = name,
                          .workloads = names,
                          .workload_count = 1,
                          .axes = &axis,
                          .axis_count = 1,
                          .objectives = &objective,
                          .objective_count = 1,
                          .seed = 1};
    study.machine.l1d.index = INDEX_MODULO;
    return study;
}

static void store_path(char path[64])
{
    snprintf(path, 64, "/tmp/warpscape-engine-XXXXXX");
    assert_non_null(mkdtemp(path));
    strcat(path, "/store.db");
}

static void remove_store(char path[64])
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

static void sweep_runs_beside_evaluations(void **state)
{
    (void)state;
    char path[64];
    store_path(path);
    struct engine *engine = create();
    struct study study = small_study();
    struct machine machine = default_machine();
    engine_set_workload(engine, SMALL);
    assert_int_equal(engine_start_sweep(engine, &study, path), STATUS_OK);
    uint64_t request = engine_evaluate(engine, &machine);
    await(engine, evaluated, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    await(engine, swept, 0);
    if (snapshot.sweep.state == ENGINE_FAILED)
        fail_msg("%s", snapshot.sweep.message);
    assert_false(snapshot.sweep.stopped);
    assert_string_equal(snapshot.sweep.store, path);
    assert_int_equal(snapshot.sweep.progress.points, 4);
    assert_int_equal(snapshot.sweep.progress.done, 4);
    engine_free(engine);
    remove_store(path);
}

static void failing_sweep_says_why(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct study study = small_study();
    char workload[] = "no such workload";
    char *names[] = {workload};
    study.workloads = names;
    char path[64];
    store_path(path);
    assert_int_equal(engine_start_sweep(engine, &study, path), STATUS_OK);
    await(engine, swept, 0);
    assert_int_equal(snapshot.sweep.state, ENGINE_FAILED);
    assert_non_null(strstr(snapshot.sweep.message, "no such workload"));
    engine_free(engine);
    remove_store(path);
}

static void second_sweep_is_refused_and_stop_is_clean(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct study study = small_study();
    char workload[] = LARGE;
    char *names[] = {workload};
    study.workloads = names;
    char path[64];
    store_path(path);
    engine_stop_sweep(engine); /* none runs: nothing happens */
    assert_int_equal(engine_start_sweep(engine, &study, path), STATUS_OK);
    assert_int_equal(engine_start_sweep(engine, &study, path), STATUS_CONFLICT);
    engine_stop_sweep(engine);
    await(engine, swept, 0);
    assert_int_equal(snapshot.sweep.state, ENGINE_DONE);
    assert_true(snapshot.sweep.stopped);
    engine_free(engine);
    remove_store(path);
}

/* Ends the engine at any moment of any job. */
static void shutdown_at_any_moment(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t draw = random_at(11, round);
        struct engine *engine = create();
        struct machine machine = default_machine();
        if (draw & 1)
            engine_set_workload(engine, draw & 2 ? LARGE : SMALL);
        if (draw & 4)
            engine_evaluate(engine, &machine);
        if (draw & 8)
            engine_request_curve(engine, &machine, parameter_find("tlb.ways"),
                                 metric_find("tlb.hit_rate"));
        if (draw & 16)
            engine_set_workload(engine, "nothing");
        struct timespec delay = {0, (long)random_below(draw * 3, 20000000)};
        nanosleep(&delay, NULL);
        if (draw & 32)
            engine_evaluate(engine, &machine);
        engine_free(engine);
    }
    engine_free(NULL);
}

/* Machine number n of those that a held knob runs through: no two are the same. Ways grow slowly,
 * so that a busy computer does not meet ever slower machines. */
static struct machine held_machine(uint64_t n)
{
    enum { WAYS = 256, SIZES = 7 };
    struct machine machine = default_machine();
    const uint64_t sets = UINT64_C(16) << n / WAYS % SIZES;
    machine.l1d.index = INDEX_MODULO;
    machine.l1d.ways = n % WAYS + 1 + n / (WAYS * SIZES) * WAYS;
    machine.l1d.size = machine.l1d.ways * sets * machine.l1d.line;
    return machine;
}

/* The metrics that `found` has are those of evaluate. Counts are there before the classes. */
static void expect_evaluated(const struct engine_evaluation *found,
                             const struct trace_source *source)
{
    struct metrics direct;
    const struct evaluate_options options = {.depth = found->depth, .needs = NEED_REPORT};
    assert_int_equal(evaluate(&found->machine, source, &options, &direct, NULL), STATUS_OK);
    assert_false(isnan(found->metrics.l1d_misses));
    if (found->state == ENGINE_COUNTED)
        for (size_t i = 0; i < METRIC_COUNT; i++)
            if (isnan(metric_get(&metric_table[i], &found->metrics)))
                metric_set(&metric_table[i], &direct, NAN);
    assert_same_metrics(&direct, &found->metrics);
}

static struct trace_source *open_held(struct engine *engine, unsigned n)
{
    char workload[64];
    struct trace_source *source;
    snprintf(workload, sizeof workload, "GEMM:ni=%u,nj=%u,nk=%u", n, n, n);
    assert_int_equal(workload_open(workload, &source, NULL), STATUS_OK);
    engine_set_workload(engine, workload);
    return source;
}

/* Turns a knob whenever the engine has begun with a machine, until `times` machines that were left
 * unanswered were published; then lets it go. Nothing waits for the clock: where an answer takes
 * longer than an evaluation lingers, the workload shrinks, and where it came before the turn, the
 * workload grows. */
static void hold(enum depth depth, unsigned times)
{
    enum { TURNS_MAX = 1000, LEAST = 32, MOST = 512 };
    struct engine *engine = create();
    struct machine machine = held_machine(0);
    engine_set_depth(engine, depth);
    unsigned n = MOST / 2;
    struct trace_source *source = open_held(engine, n);
    uint64_t request = engine_evaluate(engine, &machine);
    for (unsigned count = 0, turns = 1; count < times; turns++) {
        assert_true(turns < TURNS_MAX); /* else it starves */
        await(engine, progressing, request);
        const bool done = snapshot.evaluation.state == ENGINE_DONE;
        const uint64_t before = request;
        machine = held_machine(turns);
        request = engine_evaluate(engine, &machine);
        engine_snapshot(engine, &snapshot);
        assert_int_equal(snapshot.evaluation.request, request);
        const bool left = !done && snapshot.earlier.request < before;
        await(engine, progressing, request);
        const struct engine_evaluation *earlier = &snapshot.earlier;
        assert_true(earlier->request < request);
        if (left && earlier->request == before && earlier->state >= ENGINE_COUNTED) {
            assert_int_equal(earlier->depth, depth);
            expect_evaluated(earlier, source);
            count++;
            continue;
        }
        trace_source_free(source);
        n = left && n > LEAST ? n / 2 : !left && n < MOST ? n * 2 : n;
        source = open_held(engine, n);
    }
    await(engine, evaluated, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_int_equal(snapshot.evaluation.request, request);
    assert_memory_equal(&snapshot.evaluation.machine, &machine, sizeof machine);
    expect_evaluated(&snapshot.evaluation, source);
    trace_source_free(source);
    engine_free(engine);
}

static void a_held_knob_shows_values(void **state)
{
    (void)state;
    hold(DEPTH_FUNCTIONAL, 2);
    hold(DEPTH_REUSE, 2);
}

/* An answer that takes seconds does not keep the next machine waiting, nor does one of another
 * workload or depth say anything any more. */
static void what_lingers_is_bounded(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    engine_set_workload(engine, "GEMM:ni=1024,nj=1024,nk=1024");
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        if (!metric_answered(metric_find("l1d.misses"), (enum depth)depth))
            continue;
        machine = held_machine(0);
        engine_set_depth(engine, (enum depth)depth);
        await(engine, progressing, engine_evaluate(engine, &machine));
        machine = held_machine(1);
        await(engine, progressing, engine_evaluate(engine, &machine)); /* no key ends the other */
    }
    machine = held_machine(2);
    uint64_t last = engine_evaluate(engine, &machine);
    engine_set_workload(engine, SMALL);
    engine_snapshot(engine, &snapshot);
    assert_int_equal(snapshot.earlier.request, 0);
    await(engine, evaluated, last);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_int_equal(snapshot.earlier.request, 0);
    struct trace_source *source;
    assert_int_equal(workload_open(SMALL, &source, NULL), STATUS_OK);
    expect_evaluated(&snapshot.evaluation, source);
    trace_source_free(source);
    engine_free(engine);
}

/* LLVM's OpenMP frees the locks of its critical sections when the last thread that used it ends,
 * and does not survive another one. The engines of these tests come and go, so the main thread,
 * which stays, uses it first. */
static int use_openmp(void **state)
{
    (void)state;
    struct machine machine = default_machine();
    const struct parameter *ways = parameter_find("l1d.ways");
    struct value value = parameter_get(ways, &machine);
    struct metrics metrics;
    struct trace_source *source;
    if (workload_open(SMALL, &source, NULL))
        return -1;
    enum status status =
        curve_run(&machine, ways, NULL, &value, 1, source, NULL, 1, &metrics, NULL);
    trace_source_free(source);
    return status ? -1 : 0;
}

/* A knob that changes the page-walk cache or the L2, and one that is turned back: a small part of
 * the first evaluation's time. bench_live measures how small. */
static void what_is_remembered_is_not_simulated(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    engine_set_workload(engine, LARGE);
    uint64_t request = engine_evaluate(engine, &machine);
    await(engine, evaluated, request);
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    double first = snapshot.evaluation.seconds;
    struct metrics before = snapshot.evaluation.metrics;
    struct machine changed = machine;
    changed.pwc.entries *= 2;
    request = engine_evaluate(engine, &changed);
    await(engine, evaluated, request);
    assert_true(snapshot.evaluation.seconds < first / 4);
    assert_true(snapshot.evaluation.metrics.l2_misses == before.l2_misses);
    request = engine_evaluate(engine, &machine);
    await(engine, evaluated, request);
    assert_true(snapshot.evaluation.seconds < first / 4);
    assert_same_metrics(&before, &snapshot.evaluation.metrics);
    engine_free(engine);
}

static bool looked_ahead(uint64_t machines)
{
    return snapshot.looked_ahead >= machines;
}

/* Idle, it works out the steps of the curve's parameter; they are the values that evaluate finds,
 * and are there without an estimate or counts before them. */
static void idle_time_is_used(void **state)
{
    (void)state;
    struct engine *engine = create();
    struct machine machine = default_machine();
    const struct parameter *parameter = parameter_find("l2.ways");
    engine_set_workload(engine, SMALL);
    await(engine, evaluated, engine_evaluate(engine, &machine));
    await(engine, drawn,
          engine_request_curve(engine, &machine, parameter, metric_find("l2.miss_rate")));
    engine_evaluate(engine, &machine); /* rings */
    double end = clock_seconds() + 60;
    do {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        engine_snapshot(engine, &snapshot);
        assert_true(clock_seconds() < end);
    } while (!looked_ahead(4));
    struct trace_source *source;
    assert_int_equal(workload_open(SMALL, &source, NULL), STATUS_OK);
    struct violation found[VIOLATION_MAX];
    do
        machine.l2.ways++;
    while (machine_check(&machine, found));
    struct metrics expected;
    const struct evaluate_options options = {.needs = NEED_REPORT};
    assert_int_equal(evaluate(&machine, source, &options, &expected, NULL), STATUS_OK);
    await(engine, evaluated, engine_evaluate(engine, &machine));
    assert_int_equal(snapshot.evaluation.state, ENGINE_DONE);
    assert_true(snapshot.evaluation.metrics.l2_misses == expected.l2_misses);
    assert_true(snapshot.evaluation.metrics.l2_miss_capacity == expected.l2_miss_capacity);
    trace_source_free(source);
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_time_is_used),
        cmocka_unit_test(evaluation_equals_a_direct_one),
        cmocka_unit_test(newest_request_wins),
        cmocka_unit_test(a_held_knob_shows_values),
        cmocka_unit_test(what_lingers_is_bounded),
        cmocka_unit_test(estimate_comes_before_the_exact_value),
        cmocka_unit_test(area_is_there_at_once),
        cmocka_unit_test(missing_workload_fails),
        cmocka_unit_test(illegal_machine_fails),
        cmocka_unit_test(curve_equals_single_evaluations),
        cmocka_unit_test(the_reuse_depth_is_a_run),
        cmocka_unit_test(the_timing_depth_is_a_run),
        cmocka_unit_test(a_timed_run_is_left_at_once),
        cmocka_unit_test(details_agree_with_the_metrics),
        cmocka_unit_test(a_timed_detail_appears_in_parts),
        cmocka_unit_test(a_timed_detail_follows_its_evaluation),
        cmocka_unit_test(sweep_runs_beside_evaluations),
        cmocka_unit_test(failing_sweep_says_why),
        cmocka_unit_test(second_sweep_is_refused_and_stop_is_clean),
        cmocka_unit_test(what_is_remembered_is_not_simulated),
        cmocka_unit_test(shutdown_at_any_moment),
    };
    char folder[TEMPORARY_PATH];
    temporary_create(folder);
    setenv("XDG_CACHE_HOME", folder, 1); /* sweeps start with nothing remembered */
    int failed = cmocka_run_group_tests(tests, use_openmp, NULL);
    char made[TEMPORARY_PATH];
    temporary_remove(temporary_path(folder, "warpscape", made));
    temporary_remove(folder);
    return failed;
}
