/* Ladders and noise floors: every number is that of an evaluation, rungs add up to the bound, and a
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
#include "explore/explain/noise.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "workload/workload.h"

static struct trace_source *source;

struct climbed {
    struct machine machine;
    struct metrics base;
    struct question question;
    struct ladder ladder;
    struct noise noise;
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

static double run(const struct climbed *climbed, struct ideal_set ideals, uint32_t delay)
{
    const struct evaluate_options options = {
        .depth = DEPTH_TIMING, .ideals = ideals, .start_delay = delay};
    struct metrics metrics;
    assert_int_equal(evaluate(&climbed->machine, source, &options, &metrics, NULL), STATUS_OK);
    return metrics.core_time;
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
    enum status status = noise_measure(trials, &climbed->question, &climbed->noise, NULL);
    if (!status)
        status = ladder_climb(trials, &climbed->question, &climbed->ladder, NULL);
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
    const double reached = question_gain(&climbed->question, run(climbed, taken, 0));
    for (size_t i = 0; i < climbed->ladder.limit_count; i++) {
        const enum ideal ideal = climbed->ladder.limits[i].ideal;
        if ((int)ideal_table[ideal].level != level || ideal_has(taken, ideal))
            continue;
        const double value = run(climbed, both(taken, set_of(ideal)), 0);
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
            assert_true(run(&climbed, taken, 0) == ladder->rungs[i].value);
        }
        assert_true(ladder->rungs[ladder->rung_count - 1].value == ladder->bound);
        assert_true(fabs(sum - question_gain(&climbed.question, ladder->bound)) < 1e-12);
        assert_true(run(&climbed, ideal_all_of(&climbed.machine, DEPTH_TIMING), 0) ==
                    ladder->bound);
    }
}

static void limits_and_pairs_are_runs(void **state)
{
    (void)state;
    struct climbed climbed;
    roll_climbed(&climbed, 4);
    assert_int_equal(climb(&climbed, 3, NULL), STATUS_OK);
    const struct ladder *ladder = &climbed.ladder;
    for (size_t i = 0; i < ladder->limit_count; i++) {
        const struct ladder_limit *limit = &ladder->limits[i];
        assert_true(run(&climbed, set_of(limit->ideal), 0) == limit->value);
        assert_true(limit->gain == question_gain(&climbed.question, limit->value));
        assert_true(i == 0 || limit[-1].gain >= limit->gain);
        if (ideal_table[limit->ideal].relieves &&
            !strcmp(ideal_table[limit->ideal].relieves, "core.stall.data"))
            assert_true(limit->share == climbed.base.core_slots_data);
    }
    assert_int_equal(ladder->pair_count, LADDER_PAIRS);
    for (size_t i = 0; i < ladder->pair_count; i++)
        assert_true(
            run(&climbed,
                both(set_of(ladder->pairs[i].ideals[0]), set_of(ladder->pairs[i].ideals[1])),
                0) == ladder->pairs[i].value);
}

static void noise_is_what_starts_move(void **state)
{
    (void)state;
    struct climbed climbed;
    const struct ideal_set none = {{0}};
    double most = 0, values[NOISE_STARTS];
    roll_climbed(&climbed, 5);
    assert_int_equal(climb(&climbed, 1, NULL), STATUS_OK);
    for (size_t i = 0; i < NOISE_STARTS; i++) {
        assert_true(run(&climbed, none, noise_delays[i]) == climbed.noise.bases[i]);
        most = fmax(most, fabs(climbed.noise.bases[i] / climbed.base.core_time - 1));
        values[i] = 0.5 * climbed.noise.bases[i];
    }
    assert_true(fabs(most - climbed.noise.floor) < 1e-12);
    /* A change that halves every run is certain; one that halves all but one is not. */
    assert_true(noise_of_gain(&climbed.question, &climbed.noise, 0.5, values) < 1e-12);
    values[NOISE_STARTS - 1] = climbed.noise.bases[NOISE_STARTS - 1];
    assert_true(fabs(noise_of_gain(&climbed.question, &climbed.noise, 0.5, values) - 0.5) < 1e-12);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_lead_to_the_bound), cmocka_unit_test(limits_and_pairs_are_runs),
        cmocka_unit_test(noise_is_what_starts_move), cmocka_unit_test(cut_short_is_not_complete)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
