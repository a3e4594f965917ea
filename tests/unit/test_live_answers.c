/* Answers from memory in the explorer: a walk through the parameters gives what evaluate computes,
 * at every step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/live/live_answers.h"
#include "explore/plan/stage_key.h"
#include "schema/parameters.h"
#include "workload/workload.h"

static const unsigned needs = NEED_REPORT;

static struct live_answers *create_bounded(uint64_t log_bytes)
{
    struct live_answers *answers;
    assert_int_equal(live_answers_create(2, log_bytes, &answers), STATUS_OK);
    return answers;
}

static struct live_answers *create(void)
{
    return create_bounded(0);
}

static struct trace_source *open_source(const char *name)
{
    struct trace_source *source;
    assert_int_equal(workload_open(name, &source, NULL), STATUS_OK);
    return source;
}

static void check(struct live_answers *answers, const struct machine *machine,
                  const struct trace_source *source)
{
    const struct evaluate_options options = {.needs = needs};
    struct metrics found, expected;
    assert_int_equal(live_answers_evaluate(answers, machine, source, &options, &found, NULL),
                     STATUS_OK);
    assert_int_equal(evaluate(machine, source, &options, &expected, NULL), STATUS_OK);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double a = metric_get(&metric_table[i], &found);
        double b = metric_get(&metric_table[i], &expected);
        if (a != b && !(isnan(a) && isnan(b)))
            fail_msg("%s: %.17g from memory, %.17g evaluated", metric_table[i].path, a, b);
    }
    assert_int_equal(live_answers_cost(answers, machine, source, needs), 0);
}

/* Each stage alone, recalled and worked out, has the metrics that it has in the whole. */
static void check_stages(const struct machine *machine, const struct trace_source *source)
{
    struct live_answers *answers = create();
    const struct evaluate_options options = {.needs = needs};
    struct metrics found, recalled, expected;
    assert_int_equal(evaluate(machine, source, &options, &expected, NULL), STATUS_OK);
    for (unsigned left = stages_simulated(); left; left &= left - 1) {
        const unsigned stage = stage_lowest(left);
        assert_int_equal(
            live_answers_evaluate_stage(answers, machine, source, stage, &options, &found, NULL),
            STATUS_OK);
        bool known = live_answers_recall(answers, machine, source, DEPTH_FUNCTIONAL, stage, needs,
                                         &recalled);
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            double a = metric_get(&metric_table[i], &found);
            double b = metric_get(&metric_table[i], &recalled);
            double c = metric_get(&metric_table[i], &expected);
            if (metric_stages(&metric_table[i]) == stage &&
                ((a != c && !(isnan(a) && isnan(c))) ||
                 (known && b != c && !(isnan(b) && isnan(c)))))
                fail_msg("%s: %.17g alone, %.17g recalled, %.17g evaluated", metric_table[i].path,
                         a, b, c);
        }
    }
    live_answers_free(answers);
}

/* Turns one knob of any stage by a step, if the machine stays legal and runs kernels. */
static void turn(struct machine *machine, uint64_t bits)
{
    struct machine next = *machine;
    struct violation found[VIOLATION_MAX];
    const struct parameter *parameter = &parameters[random_below(bits, parameter_count)];
    struct value value = parameter_get(parameter, machine);
    if (!parameter_answers(parameter, DEPTH_FUNCTIONAL) || parameter->stepping == STEP_NONE ||
        !parameter_next(parameter, value, random_at(bits, 1) & 1 ? 1 : -1, &value))
        return;
    parameter_set(parameter, &next, value);
    if (!machine_check(&next, found) && machine_runs_kernels(&next) && next.gpu.sms < 64)
        *machine = next;
}

static void a_walk_through_the_knobs(void **state)
{
    (void)state;
    static const char *const programs[] = {"ATAX:n=64", "GEMM:n=24", "2DCONV:n=48"};
    /* Room for everything, for some of it, for nothing. */
    static const uint64_t room[] = {0, 0, 700000, 1};
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct live_answers *answers = create_bounded(room[seed % 4]);
        struct trace_source *source = open_source(programs[seed % 3]);
        struct machine machine;
        machine_defaults(&machine);
        machine.l1d.index = INDEX_MODULO;
        for (uint64_t step = 0; step < 60; step++) {
            struct machine before = machine;
            for (int tries = 0; tries < 20 && !memcmp(&before, &machine, sizeof machine); tries++)
                turn(&machine, random_at(seed, step * 20 + (uint64_t)tries));
            check(answers, &machine, source);
            if (step % 10 == 0)
                check_stages(&machine, source);
        }
        trace_source_free(source);
        live_answers_free(answers);
    }
}

/* What a change costs: the streams after the level that it changes. */
static void a_change_costs_what_is_behind_it(void **state)
{
    (void)state;
    struct live_answers *answers = create();
    struct trace_source *source = open_source("ATAX:n=256");
    struct machine machine, other;
    machine_defaults(&machine);
    machine.l1d.index = INDEX_MODULO;
    assert_int_equal(live_answers_cost(answers, &machine, source, needs), UINT64_MAX);
    check(answers, &machine, source);
    const struct evaluate_options options = {.needs = needs};
    struct metrics metrics;
    assert_int_equal(live_answers_evaluate(answers, &machine, source, &options, &metrics, NULL),
                     STATUS_OK);
    other = machine;
    other.tech.node *= 2;
    assert_int_equal(live_answers_cost(answers, &other, source, needs), 0);
    other = machine;
    other.pwc.entries *= 2;
    assert_true(live_answers_cost(answers, &other, source, needs) == metrics.tlb_misses);
    other = machine;
    other.walker.policy = WALKER_SJF;
    other.walker.count = 3;
    assert_true(live_answers_cost(answers, &other, source, needs) == metrics.tlb_misses);
    check(answers, &other, source);
    other.l2tlb.enabled = 1;
    assert_true(live_answers_cost(answers, &other, source, needs) == metrics.tlb_misses);
    check(answers, &other, source);
    other.walker.l2 = 1; /* the L2 sees the walks in between: both from the requests */
    assert_true(live_answers_cost(answers, &other, source, needs) == metrics.stream_transactions);
    check(answers, &other, source);
    other = machine;
    other.l2.size *= 2;
    uint64_t misses = live_answers_cost(answers, &other, source, needs);
    assert_true(misses > 0 && (double)misses < metrics.stream_transactions);
    other.pwc.entries *= 2;
    assert_true(live_answers_cost(answers, &other, source, needs) ==
                (double)misses + metrics.tlb_misses);
    other = machine;
    other.l1d.ways *= 2;
    assert_true(live_answers_cost(answers, &other, source, needs) == metrics.stream_transactions);
    check(answers, &other, source);
    assert_int_equal(live_answers_cost(answers, &machine, source, needs), 0); /* a step back */
    assert_int_equal(live_answers_cost(answers, &machine, source, needs | NEED_OPTIMUM(STAGE_L1D)),
                     (uint64_t)metrics.stream_transactions);
    other.gpu.sms = 3;
    assert_int_equal(live_answers_cost(answers, &other, source, needs), UINT64_MAX);
    live_answers_forget(answers);
    other = machine;
    other.pwc.entries *= 2;
    assert_int_equal(live_answers_cost(answers, &other, source, needs), UINT64_MAX);
    trace_source_free(source);
    live_answers_free(answers);
}

/* Results are the workload's own: another one with the same machine is another question. */
static void workloads_are_kept_apart(void **state)
{
    (void)state;
    struct live_answers *answers = create();
    struct machine machine;
    machine_defaults(&machine);
    static const char *const programs[] = {"ATAX:n=64", "ATAX:n=72", "ATAX:n=64"};
    for (size_t i = 0; i < 3; i++) {
        struct trace_source *source = open_source(programs[i]);
        check(answers, &machine, source);
        live_answers_forget(answers);
        trace_source_free(source);
    }
    live_answers_free(answers);
}

static void a_cancelled_run_leaves_nothing_wrong(void **state)
{
    (void)state;
    struct live_answers *answers = create();
    struct trace_source *source = open_source("GEMM:n=64");
    struct machine machine;
    machine_defaults(&machine);
    atomic_bool cancel = true;
    const struct evaluate_options options = {.needs = needs, .cancel = &cancel};
    struct metrics metrics;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(live_answers_evaluate(answers, &machine, source, &options, &metrics, NULL),
                         STATUS_CANCELLED);
        check(answers, &machine, source);
        machine.l1d.ways *= 2; /* the second time from the log */
        machine.l1d.index = INDEX_MODULO;
    }
    check(answers, &machine, source);
    trace_source_free(source);
    live_answers_free(answers);
}

/* However long one tunes, what is kept stays within a bound that the workload sets. */
static void memory_is_bounded(void **state)
{
    (void)state;
    enum { EDITS = 160, TAPE = 1 << 22 };
    struct live_answers *answers = create_bounded(TAPE);
    struct trace_source *source = open_source("GEMM:n=32");
    const struct evaluate_options options = {.needs = needs};
    struct machine machine;
    uint64_t limit, most = 0, first = 0;
    machine_defaults(&machine);
    assert_int_equal(live_answers_bytes(answers, &limit), 0);
    assert_int_equal(limit, 3 * TAPE);
    for (uint64_t i = 0; i < EDITS; i++) {
        struct metrics found;
        assert_int_equal(live_answers_evaluate(answers, &machine, source, &options, &found, NULL),
                         STATUS_OK);
        const uint64_t bytes = live_answers_bytes(answers, &limit);
        assert_true(bytes > 0 && bytes <= limit && limit >= TAPE / 4 && limit <= 3 * TAPE);
        most = bytes > most ? bytes : most;
        first = i ? first : bytes;
        machine.l1d.index = INDEX_MODULO;
        machine.l1d.ways = 1 + random_at(1, i) % 16;
        machine.l1d.size = machine.l1d.ways * machine.l1d.line * (1 + random_at(2, i) % 64);
        machine.l1d.write = random_at(3, i) % 2 ? WRITE_BACK : WRITE_EVICT;
        machine.l2.index = random_at(4, i) % 2 ? INDEX_MODULO : INDEX_XOR;
    }
    check(answers, &machine, source);
    print_message("%llu bytes at first, %llu at most, the limit %llu\n", (unsigned long long)first,
                  (unsigned long long)most, (unsigned long long)limit);
    assert_true(most > first && limit < 3 * TAPE);
    live_answers_forget(answers);
    assert_int_equal(live_answers_bytes(answers, &limit), 0);
    live_answers_free(answers);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_through_the_knobs),
        cmocka_unit_test(a_change_costs_what_is_behind_it),
        cmocka_unit_test(workloads_are_kept_apart),
        cmocka_unit_test(a_cancelled_run_leaves_nothing_wrong),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
