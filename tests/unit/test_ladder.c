/* Ladders: every number is that of an evaluation, rungs add up to the bound, and a
 * level ends only where nothing that is left of it gains. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/ladder.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "workload/workload.h"

static struct trace_source *source;

struct climbed {
    struct machine machine;
    struct metrics base;
    struct question question;
    struct ladder ladder;
};

static void roll_climbed(struct climbed *climbed, uint64_t seed)
{
    struct dice dice = {seed, 0};
    assert_int_equal(machine_load("gtx480", NULL, &climbed->machine, NULL, NULL), STATUS_OK);
    do
        roll_machine(&dice, &climbed->machine, 12, true);
    while (!machine_fits(&climbed->machine, source));
    roll_sms(&dice, &climbed->machine);
}

static double run_held(const struct climbed *climbed, struct ideal_set ideals,
                       const struct block_placement *placement)
{
    const struct evaluate_options options = {
        .depth = DEPTH_TIMING, .ideals = ideals, .placement = placement};
    struct metrics metrics;
    assert_int_equal(evaluate(&climbed->machine, source, &options, &metrics, NULL), STATUS_OK);
    return metrics.core_time;
}

static double run(const struct climbed *climbed, struct ideal_set ideals)
{
    return run_held(climbed, ideals, NULL);
}

static enum status climb(struct climbed *climbed, int threads, const atomic_bool *cancel)
{
    const struct evaluate_options how = {.depth = DEPTH_TIMING};
    const struct trials_options options = {
        .source = source, .depth = DEPTH_TIMING, .threads = threads, .cancel = cancel};
    assert_int_equal(evaluate(&climbed->machine, source, &how, &climbed->base, NULL), STATUS_OK);
    climbed->question = (struct question){&climbed->machine, metric_find("core.time"), DEPTH_TIMING,
                                          &climbed->base};
    struct trials *trials = trials_open(&options);
    assert_non_null(trials);
    const enum status status = ladder_climb(trials, &climbed->question, 0, &climbed->ladder, NULL);
    trials_free(trials);
    return status;
}

static struct ideal_set set_of(enum ideal ideal)
{
    struct ideal_set set = {{0}};
    ideal_add(&set, ideal);
    return set;
}

static struct ideal_set both(struct ideal_set a, struct ideal_set b)
{
    for (size_t i = 0; i < IDEAL_WORDS; i++)
        a.words[i] |= b.words[i];
    return a;
}

/* What is left of a level beside `taken` gains less than a rung must. */
static void assert_level_is_done(const struct climbed *climbed, struct ideal_set taken, int level)
{
    const double reached = question_gain(&climbed->question, run(climbed, taken));
    for (size_t i = 0; i < climbed->ladder.limit_count; i++) {
        const enum ideal ideal = climbed->ladder.limits[i].ideal;
        if ((int)ideal_table[ideal].level != level || ideal_has(taken, ideal))
            continue;
        const double value = run(climbed, both(taken, set_of(ideal)));
        assert_true(question_gain(&climbed->question, value) - reached < LADDER_LEAST);
    }
}

static void rungs_lead_to_the_bound(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct climbed climbed;
        struct ideal_set taken = {{0}};
        double sum = 0;
        int level = 0;
        roll_climbed(&climbed, seed);
        assert_int_equal(climb(&climbed, 2, NULL), STATUS_OK);
        const struct ladder *ladder = &climbed.ladder;
        assert_true(ladder->complete && ladder->limit_count > 3 && ladder->rung_count > 0);
        for (size_t i = 0; i < ladder->rung_count; i++) {
            const struct ladder_limit *limit = ladder_limit_of(ladder, &ladder->rungs[i]);
            const bool last = i + 1 == ladder->rung_count;
            if (limit && !last) {
                for (; level < (int)ideal_table[limit->ideal].level; level++)
                    assert_level_is_done(&climbed, taken, level);
                assert_int_equal(ideal_table[limit->ideal].level, level);
                assert_true(ladder->rungs[i].gain >= LADDER_LEAST);
            }
            taken = both(taken, ladder->rungs[i].added);
            sum += ladder->rungs[i].gain;
            assert_true(run(&climbed, taken) == ladder->rungs[i].value);
        }
        assert_true(ladder->rungs[ladder->rung_count - 1].value == ladder->bound);
        assert_true(fabs(sum - question_gain(&climbed.question, ladder->bound)) < 1e-12);
        assert_true(run(&climbed, ideal_all_of(&climbed.machine, DEPTH_TIMING)) == ladder->bound);
    }
}

static void limits_and_pairs_are_runs(void **state)
{
    (void)state;
    struct climbed climbed;
    roll_climbed(&climbed, 4);
    assert_int_equal(climb(&climbed, 3, NULL), STATUS_OK);
    const struct ladder *ladder = &climbed.ladder;
    struct block_placement placement = {0};
    const struct evaluate_options own = {.depth = DEPTH_TIMING, .record_placement = &placement};
    struct metrics metrics;
    assert_int_equal(evaluate(&climbed.machine, source, &own, &metrics, NULL), STATUS_OK);
    for (size_t i = 0; i < ladder->limit_count; i++) {
        const struct ladder_limit *limit = &ladder->limits[i];
        if (limit->ideal == IDEAL_IMBALANCE) /* its blocks are others */
            assert_true(isnan(limit->held));
        else
            assert_true(limit->held ==
                        question_gain(&climbed.question,
                                      run_held(&climbed, set_of(limit->ideal), &placement)));
        assert_true(run(&climbed, set_of(limit->ideal)) == limit->value);
        assert_true(limit->gain == question_gain(&climbed.question, limit->value));
        assert_true(i == 0 || limit[-1].gain >= limit->gain);
        if (ideal_table[limit->ideal].relieves &&
            !strcmp(ideal_table[limit->ideal].relieves, "core.stall.data"))
            assert_true(limit->share == climbed.base.core_slots_data);
    }
    block_placement_free(&placement);
    assert_int_equal(ladder->pair_count, LADDER_PAIRS);
    for (size_t i = 0; i < ladder->pair_count; i++)
        assert_true(run(&climbed, both(set_of(ladder->pairs[i].ideals[0]),
                                       set_of(ladder->pairs[i].ideals[1]))) ==
                    ladder->pairs[i].value);
}

/* After an L1D of the optimum no L2 has an answer: such a limit is not among those of l2.misses. */
static void limits_without_an_answer_are_left_out(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics base;
    struct ladder ladder;
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    const struct question question = {&machine, metric_find("l2.misses"), DEPTH_FUNCTIONAL, &base};
    const struct trials_options options = {.source = source, .threads = 1};
    struct trials *trials = trials_open(&options);
    assert_int_equal(evaluate(&machine, source, NULL, &base, NULL), STATUS_OK);
    assert_int_equal(ladder_climb(trials, &question, 0, &ladder, NULL), STATUS_OK);
    trials_free(trials);
    assert_true(ladder.complete && ladder.limit_count > 0 && ladder.rung_count > 0);
    assert_true(ladder.rungs[ladder.rung_count - 1].value == ladder.bound);
    for (size_t i = 0; i < ladder.limit_count; i++)
        assert_string_not_equal(ideal_table[ladder.limits[i].ideal].name, "l1d.optimum");
}

static void cut_short_is_not_complete(void **state)
{
    (void)state;
    struct climbed climbed;
    atomic_bool cancel = true;
    roll_climbed(&climbed, 6);
    memset(&climbed.ladder, 0, sizeof climbed.ladder);
    assert_int_equal(climb(&climbed, 1, &cancel), STATUS_CANCELLED);
    assert_false(climbed.ladder.complete);
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

/* Where stages do not feed each other, a limit that is not offered changes nothing. */
static void what_cannot_move_the_metric_is_not_offered(void **state)
{
    static const char *const paths[] = {"l1d.misses", "l2.misses", "tlb.misses", "walk.count"};
    (void)state;
    struct climbed climbed;
    assert_int_equal(machine_load("gtx480", NULL, &climbed.machine, NULL, NULL), STATUS_OK);
    const struct evaluate_options how = {.depth = DEPTH_FUNCTIONAL};
    assert_int_equal(evaluate(&climbed.machine, source, &how, &climbed.base, NULL), STATUS_OK);
    const struct trials_options options = {
        .source = source, .depth = DEPTH_FUNCTIONAL, .threads = 1};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        const struct metric *metric = metric_find(paths[k]);
        struct ideal_set left = ideal_all_of(&climbed.machine, DEPTH_FUNCTIONAL);
        unsigned offered = 0, checked = 0;
        climbed.question =
            (struct question){&climbed.machine, metric, DEPTH_FUNCTIONAL, &climbed.base};
        struct trials *trials = trials_open(&options);
        assert_non_null(trials);
        assert_int_equal(ladder_climb(trials, &climbed.question, 0, &climbed.ladder, NULL),
                         STATUS_OK);
        trials_free(trials);
        for (int i = 0; i < IDEAL_COUNT; i++) {
            struct metrics metrics;
            const struct evaluate_options alone = {.depth = DEPTH_FUNCTIONAL,
                                                   .ideals = set_of((enum ideal)i)};
            if (!ideal_has(left, (enum ideal)i))
                continue;
            if (!isnan(ladder_gain_alone(&climbed.ladder, (enum ideal)i))) {
                offered++;
                continue;
            }
            assert_int_equal(evaluate(&climbed.machine, source, &alone, &metrics, NULL), STATUS_OK);
            const double value = metric_get(metric, &metrics); /* NaN: none after the optimum */
            assert_true(isnan(value) || value == metric_get(metric, &climbed.base));
            checked += !isnan(value);
        }
        assert_true(offered > 1 && checked > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_lead_to_the_bound), cmocka_unit_test(limits_and_pairs_are_runs),
        cmocka_unit_test(limits_without_an_answer_are_left_out),
        cmocka_unit_test(cut_short_is_not_complete),
        cmocka_unit_test(what_cannot_move_the_metric_is_not_offered)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
