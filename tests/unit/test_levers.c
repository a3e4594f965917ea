/* Levers: the twin tries them one by one.
 *
 * cost: 30
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/levers.h"
#include "explore/explain/noise.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "workload/workload.h"

static struct trace_source *source;

struct asked {
    struct machine machine;
    struct metrics base;
    struct question question;
};

static double run(const struct machine *machine, const struct question *question)
{
    const struct evaluate_options options = {.depth = question->depth};
    struct metrics metrics;
    return evaluate(machine, source, &options, &metrics, NULL)
               ? NAN
               : metric_get(question->metric, &metrics);
}

static void ask(struct asked *asked, const char *metric, enum depth depth)
{
    const struct evaluate_options options = {.depth = depth};
    asked->question = (struct question){&asked->machine, metric_find(metric), depth, &asked->base};
    assert_int_equal(evaluate(&asked->machine, source, &options, &asked->base, NULL), STATUS_OK);
}

static enum status find(const struct asked *asked, int threads, const atomic_bool *cancel,
                        struct levers *levers)
{
    const struct trials_options options = {
        .source = source, .depth = asked->question.depth, .threads = threads, .cancel = cancel};
    struct trials *trials = trials_open(&options);
    assert_non_null(trials);
    struct noise noise = {0};
    enum status status = noise_measure(trials, &asked->question, &noise, NULL);
    if (status && status != STATUS_CANCELLED)
        fail();
    status = levers_find(trials, &asked->question, &noise, levers, NULL);
    trials_free(trials);
    return status;
}

static double gain_of(const struct question *question, const struct lever_change *change)
{
    struct machine machine = *question->machine;
    assert_true(lever_apply(change, &machine));
    return question_gain(question, run(&machine, question));
}

/* Whether a lever makes the machine of a change, perhaps by another parameter. */
static bool is_tried(const struct question *question, const struct levers *levers,
                     const struct lever_change *change)
{
    struct machine made = *question->machine;
    bool found = false;
    assert_true(lever_apply(change, &made));
    for (size_t i = 0; i < levers->single_count && !found; i++) {
        struct machine other = *question->machine;
        assert_true(lever_apply(&levers->singles[i].change, &other));
        found = machine_same(&made, &other, ~0u);
    }
    return found;
}

/* The best gain of any single parameter: all choices, half and double. Holds that a step that gains
 * enough is followed by the next one, unless the workload does not fit that. */
static double best_gain(const struct question *question, const struct levers *levers)
{
    double best = -INFINITY;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        const struct value own = parameter_get(parameter, question->machine);
        struct lever_change change, next;
        if (!lever_moves(parameter, question->machine, question->metric, question->depth) ||
            !lever_compares(parameter, question->metric))
            continue;
        for (uint64_t c = 0; lever_has_choices(parameter) && (double)c <= parameter->max; c++)
            if (lever_choice(parameter, c, question->machine, &change))
                best = fmax(best, gain_of(question, &change));
        for (int direction = -1; !lever_has_choices(parameter) && direction <= 1; direction += 2) {
            if (!lever_step(parameter, own, direction, question->machine, &change))
                continue;
            const double gain = gain_of(question, &change);
            best = fmax(best, gain);
            if (gain >= LEVER_MORE && lever_step(parameter, change.settings[0].value, direction,
                                                 question->machine, &next))
                assert_true(is_tried(question, levers, &next) || isnan(gain_of(question, &next)));
        }
    }
    return best;
}

static void assert_repeats(const struct asked *asked, const struct lever *lever)
{
    struct machine machine = asked->machine;
    for (size_t i = 0; i < lever->change.count; i++) {
        char text[LEVER_TEXT];
        lever_setting_print(&lever->change.settings[i], text);
        assert_int_equal(machine_set_text(&machine, text, NULL), STATUS_OK);
    }
    assert_true(run(&machine, &asked->question) == lever->value);
}

/* No two levers are one. */
static void assert_different(const struct asked *asked, const struct lever *levers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            struct machine one = asked->machine, other = asked->machine;
            assert_true(lever_apply(&levers[i].change, &one));
            assert_true(lever_apply(&levers[k].change, &other));
            assert_false(machine_same(&one, &other, ~0u));
        }
}

static void assert_ordered(const struct lever *levers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        assert_true(levers[i - 1].gain >= levers[i].gain);
}

static void the_first_lever_is_the_best(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct dice dice = {seed, 0};
        struct asked asked;
        struct levers levers;
        assert_int_equal(machine_load("gtx480", NULL, &asked.machine, NULL, NULL), STATUS_OK);
        do
            roll_machine(&dice, &asked.machine, 12, true);
        while (!machine_fits(&asked.machine, source));
        roll_sms(&dice, &asked.machine);
        ask(&asked, "core.time", DEPTH_TIMING);
        assert_int_equal(find(&asked, 2, NULL, &levers), STATUS_OK);
        assert_true(levers.single_count > 100);
        assert_true(levers.singles_complete && levers.pairs_complete);
        assert_true(levers.singles[0].gain >= best_gain(&asked.question, &levers));
        assert_ordered(levers.singles, levers.single_count);
        assert_ordered(levers.pairs, levers.pair_count);
        assert_different(&asked, levers.singles, levers.single_count);
        assert_different(&asked, levers.pairs, levers.pair_count);
        for (size_t i = 0; i < levers.single_count; i += 9)
            assert_repeats(&asked, &levers.singles[i]);
        for (size_t i = 0; i < levers.pair_count; i += 5)
            assert_repeats(&asked, &levers.pairs[i]);
        levers_free(&levers);
    }
}

static void assert_same_levers(const struct lever *a, const struct lever *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(a[i].change.count, b[i].change.count);
        assert_ptr_equal(a[i].change.settings[0].parameter, b[i].change.settings[0].parameter);
        assert_true(same_number(a[i].value, b[i].value) && same_number(a[i].area, b[i].area) &&
                    same_number(a[i].energy, b[i].energy));
    }
}

static void any_threads_find_the_same(void **state)
{
    (void)state;
    for (int depth = DEPTH_FUNCTIONAL; depth < DEPTH_COUNT; depth++) {
        struct asked asked;
        struct levers one, three;
        assert_int_equal(machine_load("gtx480", NULL, &asked.machine, NULL, NULL), STATUS_OK);
        asked.machine.gpu.sms = 2;
        ask(&asked, "l1d.misses", (enum depth)depth);
        assert_int_equal(find(&asked, 1, NULL, &one), STATUS_OK);
        assert_int_equal(find(&asked, 3, NULL, &three), STATUS_OK);
        assert_int_equal(one.single_count, three.single_count);
        assert_int_equal(one.pair_count, three.pair_count);
        assert_same_levers(one.singles, three.singles, one.single_count);
        assert_same_levers(one.pairs, three.pairs, one.pair_count);
        levers_free(&one);
        levers_free(&three);
    }
}

/* A metric that is better where it is higher. */
static void higher_may_be_better(void **state)
{
    (void)state;
    struct asked asked;
    assert_int_equal(machine_load("gtx480", NULL, &asked.machine, NULL, NULL), STATUS_OK);
    ask(&asked, "core.ipc", DEPTH_TIMING);
    const double ipc = asked.base.core_ipc;
    assert_true(fabs(question_gain(&asked.question, 1.5 * ipc) - 0.5) < 1e-12);
    assert_true(question_gain(&asked.question, ipc) == 0);
    asked.question.metric = metric_find("core.time");
    assert_true(fabs(question_gain(&asked.question, 0.75 * asked.base.core_time) - 0.25) < 1e-12);
    asked.base.core_time = 0;
    assert_true(isnan(question_gain(&asked.question, 1)));
}

/* No area is what a lever saves or leaves, NaN where the area model does not read it. */
static void costs_are_those_of_the_area_model(void **state)
{
    (void)state;
    struct asked asked;
    struct levers levers;
    assert_int_equal(machine_load("gtx480", NULL, &asked.machine, NULL, NULL), STATUS_OK);
    asked.machine.gpu.sms = 2;
    ask(&asked, "core.time", DEPTH_TIMING);
    assert_int_equal(find(&asked, 2, NULL, &levers), STATUS_OK);
    size_t costs[3] = {0};
    for (size_t i = 0; i < levers.single_count; i++) {
        const struct lever *lever = &levers.singles[i];
        const struct parameter *parameter = lever->change.settings[0].parameter;
        costs[lever_cost(lever)]++;
        assert_int_equal(lever_cost(lever) == LEVER_UNCOUNTED, !(parameter->stages & STAGE_AREA));
        if (!strcmp(parameter->path, "l2.size"))
            assert_true((lever->area > 0) == (lever->change.settings[0].value.uint > 786432));
    }
    for (size_t i = 0; i < 3; i++)
        assert_true(costs[i] > 0);
    levers_free(&levers);
}

static void cut_short_says_so(void **state)
{
    (void)state;
    struct asked asked;
    struct levers levers;
    atomic_bool cancel = true;
    assert_int_equal(machine_load("gtx480", NULL, &asked.machine, NULL, NULL), STATUS_OK);
    ask(&asked, "core.time", DEPTH_TIMING);
    assert_int_equal(find(&asked, 1, &cancel, &levers), STATUS_CANCELLED);
    assert_false(levers.singles_complete || levers.pairs_complete);
    assert_true(levers.parameters > 50);
    levers_free(&levers);
}

/* Lines of another size and loads that go past the cache make other misses of what is missed: they
 * are compared by bytes, and loads that go past only by bytes after the cache. */
static void what_counts_otherwise_is_not_compared(void **state)
{
    (void)state;
    static const struct {
        const char *lever, *metric;
        bool compares;
    } rows[] = {{"l1d.skip", "l1d.misses", false},    {"l1d.skip", "l1d.read_bytes", false},
                {"l1d.skip", "l2.misses", false},     {"l1d.skip", "l2.read_bytes", true},
                {"l1d.skip", "core.time", true},      {"l2.sector", "l2.misses", false},
                {"l2.sector", "l2.miss_rate", false}, {"l2.sector", "l2.read_bytes", true},
                {"l2.sector", "l1d.misses", true},    {"l1d.line", "l2.misses", false},
                {"l1d.size", "l1d.misses", true},     {"l1i.line", "l1d.misses", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(lever_compares(parameter_find(rows[i].lever), metric_find(rows[i].metric)),
                         rows[i].compares);
    assert_string_equal(
        lever_comparable(parameter_find("l1d.skip"), metric_find("l1d.misses"), DEPTH_FUNCTIONAL)
            ->path,
        "l2.read_bytes");
    struct asked asked;
    struct levers levers;
    assert_int_equal(machine_load("gtx480", NULL, &asked.machine, NULL, NULL), STATUS_OK);
    asked.machine.gpu.sms = 2;
    ask(&asked, "l2.misses", DEPTH_FUNCTIONAL);
    assert_int_equal(find(&asked, 2, NULL, &levers), STATUS_OK);
    assert_true(levers.incomparable_count >= 4);
    for (size_t i = 0; i < levers.single_count; i++)
        assert_true(levers.singles[i].change.settings[0].parameter->counting == COUNTS_ALIKE);
    bool past = false; /* stores that go past the L2 are no misses saved */
    for (size_t i = 0; i < levers.incomparable_count; i++) {
        char text[LEVER_TEXT];
        past = past || !strcmp(lever_incomparable_print(&levers.incomparable[i], text),
                               "l2.write=read_only");
    }
    assert_true(past);
    levers_free(&levers);
}

static int open_source(void **state)
{
    (void)state;
    return workload_open("GEMM:n=16", &source, NULL);
}

static int free_source(void **state)
{
    (void)state;
    trace_source_free(source);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_lever_is_the_best),
                                       cmocka_unit_test(any_threads_find_the_same),
                                       cmocka_unit_test(higher_may_be_better),
                                       cmocka_unit_test(costs_are_those_of_the_area_model),
                                       cmocka_unit_test(what_counts_otherwise_is_not_compared),
                                       cmocka_unit_test(cut_short_says_so)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
