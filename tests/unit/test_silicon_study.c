/* The table of counters of real GPUs, and the study that runs its rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/silicon_study.h"
#include "workload/workload.h"

static void every_row_can_run(void **state)
{
    (void)state;
    for (const struct silicon_row *row = silicon_rows; row->id; row++) {
        struct machine machine;
        struct trace_source *source;
        for (const struct silicon_row *other = silicon_rows; other != row; other++)
            assert_string_not_equal(other->id, row->id);
        assert_true(row->values[0].counter && *row->source);
        if (paper_machine(row->machine, row->sets, &machine, NULL))
            fail_msg("%s: %s %s", row->id, row->machine, row->sets);
        if (paper_machine_check(row->machine, row->sets, &machine, NULL))
            fail_msg("%s: %s %s breaks a rule", row->id, row->machine, row->sets);
        if (workload_open(row->workload, &source, NULL))
            fail_msg("%s: %s", row->id, row->workload);
        trace_source_free(source);
    }
}

static void rates_are_percentages(void **state)
{
    (void)state;
    for (const struct silicon_row *row = silicon_rows; row->id; row++)
        for (const struct silicon_value *value = row->values; value->counter; value++) {
            const int counter = value->counter - 1;
            assert_in_range(counter, 0, SILICON_COUNTERS - 1);
            assert_true(value->value >= 0);
            if (counter == SILICON_L1_HITS || counter == SILICON_L2_HITS)
                assert_true(value->value <= 100);
            assert_true(silicon_measured(row, (enum silicon_counter)counter) == value->value);
        }
    assert_true(isnan(silicon_measured(&silicon_rows[0], SILICON_TIME)));
}

/* One row of a reduction of a million floats: 8,192 loads of 131,072 sectors, none of which is in
 * the L1. */
static void a_row_is_run(void **state)
{
    (void)state;
    struct silicon_study study;
    assert_int_equal(silicon_study_init(&study, "h060", NULL), STATUS_OK);
    assert_int_equal(study.count, 1);
    assert_int_equal(silicon_study_run(&study, 1u << DEPTH_FUNCTIONAL, 1, 1, NULL), STATUS_OK);
    const double *ours = study.results[0].ours[DEPTH_FUNCTIONAL];
    assert_true(ours[SILICON_LOADS] == 8192 && ours[SILICON_LOAD_SECTORS] == 131072);
    assert_true(fabs(ours[SILICON_L1_HITS]) < 1);
    assert_true(isnan(ours[SILICON_CYCLES]));
    assert_true(isnan(study.results[0].ours[DEPTH_TIMING][SILICON_CYCLES]));
    assert_false(study.results[0].left_out[DEPTH_TIMING]);
    silicon_study_free(&study);
}

static void what_is_too_large_is_left_out(void **state)
{
    (void)state;
    struct silicon_study study;
    assert_int_equal(silicon_study_init(&study, "h088", NULL), STATUS_OK);
    assert_int_equal(silicon_study_run(&study, 1u << DEPTH_TIMING, 1, 1, NULL), STATUS_OK);
    assert_true(study.results[0].left_out[DEPTH_TIMING]);
    silicon_study_free(&study);
    assert_int_equal(silicon_study_init(&study, "t4 nothing", NULL), STATUS_NOT_FOUND);
}

/* Three megabytes of vectors, which stay in the L2 from one launch to the next. */
static void a_warm_row_finds_its_data(void **state)
{
    (void)state;
    struct silicon_study study;
    double time[2];
    assert_int_equal(silicon_study_init(&study, "h175", NULL), STATUS_OK);
    struct silicon_row row = *study.results[0].row;
    assert_true(row.warm);
    for (int cold = 0; cold < 2; cold++) {
        row.warm = !cold;
        study.results[0].row = &row;
        assert_int_equal(silicon_study_run(&study, 1u << DEPTH_TIMING, 1, 1, NULL), STATUS_OK);
        time[cold] = study.results[0].ours[DEPTH_TIMING][SILICON_TIME];
    }
    assert_true(time[0] > 0 && time[0] < 0.9 * time[1]);
    silicon_study_free(&study);
}

static double cycles_of(const char *workload, uint64_t partial)
{
    struct machine machine;
    struct trace_source *source;
    struct metrics metrics;
    const struct evaluate_options how = {.depth = DEPTH_TIMING};
    assert_int_equal(paper_machine("v100", "tlb.enabled=no", &machine, NULL), STATUS_OK);
    machine.l2.partial = partial;
    assert_int_equal(workload_open(workload, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&machine, source, &how, &metrics, NULL), STATUS_OK);
    trace_source_free(source);
    return metrics.core_cycles;
}

/* Lanes that write a word each into sectors of their own keep the slices of the L2 longer. */
static void parts_of_sectors_cost_more(void **state)
{
    (void)state;
    assert_true(cycles_of("MATADD:n=512,down=1", 6) > 1.1 * cycles_of("MATADD:n=512,down=1", 0));
    assert_true(cycles_of("MATADD:n=512", 6) == cycles_of("MATADD:n=512", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_run),
        cmocka_unit_test(rates_are_percentages),
        cmocka_unit_test(a_row_is_run),
        cmocka_unit_test(what_is_too_large_is_left_out),
        cmocka_unit_test(a_warm_row_finds_its_data),
        cmocka_unit_test(parts_of_sectors_cost_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
