/* Measured rows on our models: what a row's numbers are, beside runs made by hand.
 *
 * cost: 30
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/row_study.h"
#include "support/temporary.h"
#include "workload/workload.h"

#define TIMING (1u << DEPTH_TIMING)

static struct row_study study_of(const char *text)
{
    char path[TEMPORARY_PATH];
    struct row_file rows = {0};
    struct row_study study;
    temporary_file(temporary_folder, "rows.csv", text, 0, path);
    assert_int_equal(row_file_read(path, NULL, &rows, NULL), STATUS_OK);
    assert_int_equal(row_study_init(&study, &rows, NULL, NULL), STATUS_OK);
    assert_int_equal(row_study_check(&study, NULL), STATUS_OK);
    return study;
}

static struct row_study own_study(const char *name, const char *only)
{
    struct row_file rows = {0};
    struct row_study study;
    assert_int_equal(row_file_load(name, &rows, NULL), STATUS_OK);
    assert_int_equal(row_study_init(&study, &rows, only, NULL), STATUS_OK);
    return study;
}

static void run(struct row_study *study, unsigned depths)
{
    const struct row_effort effort = {depths, 1, 2};
    assert_int_equal(row_study_run(study, &effort, NULL, NULL), STATUS_OK);
}

static double ours(const struct row_study *study, size_t row, const char *column, enum depth depth)
{
    const size_t at = row_column_find(&study->rows, column);
    assert_true(at < study->rows.width);
    return row_ours(study, row, at, depth);
}

static struct metrics metrics_of(const char *workload, const char *sets)
{
    struct machine machine;
    struct metrics metrics;
    assert_int_equal(paper_machine("v100", sets, &machine, NULL), STATUS_OK);
    assert_int_equal(paper_time(&machine, NULL, &metrics, NULL, "%s", workload), STATUS_OK);
    return metrics;
}

/* One row of a reduction of a million floats: 8,192 loads of 131,072 sectors, none of which is in
 * the L1. */
static void a_row_is_run(void **state)
{
    (void)state;
    struct row_study study = own_study("silicon", "h060");
    assert_int_equal(study.rows.count, 1);
    run(&study, 1u << DEPTH_FUNCTIONAL);
    assert_true(ours(&study, 0, "loads", DEPTH_FUNCTIONAL) == 8192);
    assert_true(ours(&study, 0, "load sectors", DEPTH_FUNCTIONAL) == 131072);
    assert_true(fabs(ours(&study, 0, "L1 hit", DEPTH_FUNCTIONAL)) < 1);
    assert_true(isnan(ours(&study, 0, "us", DEPTH_FUNCTIONAL)));
    assert_true(isnan(ours(&study, 0, "us", DEPTH_TIMING)));
    assert_false(study.runs[0].left_out[DEPTH_TIMING]);
    row_study_free(&study);
}

/* The L1's rate of depth reuse is that of hits, too, and no depth answers what it does not know. */
static void every_depth_has_its_answer(void **state)
{
    (void)state;
    struct row_study study = study_of(
        "machine,workload,\"hit = coalesce(l1d.hw_hit_rate, 1 - l1d.miss_rate)\",core.cycles\n"
        "v100,\"SUMS:rows=64,columns=64\",1,1\n");
    run(&study, ~0u);
    struct machine machine;
    struct trace_source *source;
    struct metrics metrics;
    assert_int_equal(paper_machine("v100", "tlb.enabled=no", &machine, NULL), STATUS_OK);
    assert_int_equal(workload_open("SUMS:rows=64,columns=64", &source, NULL), STATUS_OK);
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        const struct evaluate_options how = {.depth = (enum depth)depth};
        assert_int_equal(evaluate(&machine, source, &how, &metrics, NULL), STATUS_OK);
        const double rate =
            depth == DEPTH_REUSE ? 1 - metrics.l1d_miss_rate : metrics.l1d_hw_hit_rate;
        assert_true(rate > 0.5);
        assert_true(ours(&study, 0, "hit", (enum depth)depth) == rate);
        assert_int_equal(isnan(ours(&study, 0, "core.cycles", (enum depth)depth)),
                         depth != DEPTH_TIMING);
    }
    trace_source_free(source);
    row_study_free(&study);
}

static void what_is_too_large_is_left_out(void **state)
{
    (void)state;
    struct row_file rows = {0};
    struct row_study study = own_study("silicon", "h088");
    run(&study, TIMING);
    assert_true(study.runs[0].left_out[DEPTH_TIMING]);
    row_study_free(&study);
    assert_int_equal(row_file_load("silicon", &rows, NULL), STATUS_OK);
    assert_int_equal(row_study_init(&study, &rows, "t4 nothing", NULL), STATUS_NOT_FOUND);
    assert_null(study.rows.items);
}

/* ---- parts of workloads ---- */

/* Three megabytes of vectors, which stay in the L2 from one launch to the next. */
static void a_warm_row_finds_its_data(void **state)
{
    (void)state;
    struct row_study study = study_of("machine,workload,warm,core.cycles,l2.misses\n"
                                      "v100,VECTORS:n=65536,,1,1\nv100,VECTORS:n=65536,yes,1,1\n");
    run(&study, TIMING);
    const double cold = ours(&study, 0, "core.cycles", DEPTH_TIMING);
    assert_true(ours(&study, 1, "core.cycles", DEPTH_TIMING) < 0.9 * cold);
    assert_true(ours(&study, 1, "l2.misses", DEPTH_TIMING) <
                0.1 * ours(&study, 0, "l2.misses", DEPTH_TIMING));
    row_study_free(&study);
}

/* A workload beyond a shorter one, for one of its loads. */
static void what_comes_before_is_not_counted(void **state)
{
    (void)state;
    struct row_study study = study_of(
        "machine,settings,workload,before,per,core.cycles,l1d.accesses,l1d.miss_rate\n"
        "v100,gpu.sms=1,\"STRIDES:stride=2,loads=160\",\"STRIDES:stride=2,loads=64\",12,1,1,1\n"
        "v100,gpu.sms=1,\"STRIDES:stride=2,loads=160\",,10,1,1,1\n");
    const struct metrics less = metrics_of("STRIDES:stride=2,loads=64", "gpu.sms=1 tlb.enabled=no");
    const struct metrics more =
        metrics_of("STRIDES:stride=2,loads=160", "gpu.sms=1 tlb.enabled=no");
    run(&study, TIMING);
    assert_float_equal(ours(&study, 0, "core.cycles", DEPTH_TIMING),
                       (more.core_cycles - less.core_cycles) / 12, 1e-9);
    assert_float_equal(ours(&study, 0, "l1d.accesses", DEPTH_TIMING),
                       (more.l1d_accesses - less.l1d_accesses) / 12, 1e-9);
    assert_float_equal(
        ours(&study, 0, "l1d.miss_rate", DEPTH_TIMING),
        (more.l1d_misses - less.l1d_misses) / (more.l1d_accesses - less.l1d_accesses), 1e-9);
    assert_float_equal(ours(&study, 1, "core.cycles", DEPTH_TIMING), more.core_cycles / 10, 1e-9);
    assert_float_equal(ours(&study, 1, "l1d.miss_rate", DEPTH_TIMING), more.l1d_miss_rate, 1e-9);
    row_study_free(&study);
}

/* Rows of launches share a run, and add up to it. */
static void launches_add_up(void **state)
{
    (void)state;
    struct row_study study = study_of("machine,workload,launch,launches,core.cycles,l1d.accesses\n"
                                      "v100,ATAX:n=64,1,,1,1\nv100,ATAX:n=64,2,,1,1\n"
                                      "v100,ATAX:n=64,,,1,1\nv100,ATAX:n=64,,1,1,1\n"
                                      "v100,ATAX:n=64,3,,1,1\n");
    assert_int_equal(study.run_count, 3);
    assert_ptr_equal(row_run_of(&study, 1), &study.runs[0]);
    assert_ptr_equal(row_run_of(&study, 3), &study.runs[1]);
    run(&study, ~0u);
    static const char *const columns[] = {"core.cycles", "l1d.accesses"};
    for (size_t i = 0; i < 2; i++) {
        const double first = ours(&study, 0, columns[i], DEPTH_TIMING);
        assert_true(first > 0);
        assert_true(first + ours(&study, 1, columns[i], DEPTH_TIMING) ==
                    ours(&study, 2, columns[i], DEPTH_TIMING));
        assert_true(first == ours(&study, 3, columns[i], DEPTH_TIMING));
    }
    assert_true(isnan(ours(&study, 4, "core.cycles", DEPTH_TIMING)));
    assert_non_null(strstr(study.runs[2].why, "no kernel 3"));
    row_study_free(&study);
}

/* A change is that of the same value on the machine with other settings. */
static void changes_are_against_other_settings(void **state)
{
    (void)state;
    struct row_study study = study_of(
        "machine,settings,against,workload,slower [%] = core.cycles,misses [%] = l1d.misses\n"
        "v100,gpu.sms=1,l1d.latency=90,\"STRIDES:stride=2,loads=64\",-10,0\n");
    const struct metrics here = metrics_of("STRIDES:stride=2,loads=64", "tlb.enabled=no gpu.sms=1");
    const struct metrics there =
        metrics_of("STRIDES:stride=2,loads=64", "tlb.enabled=no gpu.sms=1 l1d.latency=90");
    run(&study, TIMING);
    assert_true(here.core_cycles < there.core_cycles);
    assert_float_equal(ours(&study, 0, "slower", DEPTH_TIMING),
                       100 * (here.core_cycles / there.core_cycles - 1), 1e-9);
    assert_float_equal(ours(&study, 0, "misses", DEPTH_TIMING), 0, 1e-9);
    row_study_free(&study);
}

/* ---- what others measured ---- */

/* A level follows its own figure, and no other. */
static void levels_follow_their_figures(void **state)
{
    (void)state;
    enum { LEVELS = 3, CHANGES = 3 };
    static const char *const rings[LEVELS] = {"16384", "262144", "67108864"};
    static const char *const sets[1 + CHANGES] = {"", "l1d.latency=39", "l2.latency=230",
                                                  "dram.latency=300"};
    char text[4096] = "machine,settings,workload,before,per,core.cycles\n";
    for (size_t i = 0; i <= CHANGES; i++)
        for (size_t k = 0; k < LEVELS; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "t4,%s,\"CHASE:bytes=%s,stride=128,steps=%d,order=1\","
                     "\"CHASE:bytes=%s,stride=128,steps=%d,order=1\",256,1\n",
                     sets[i], rings[k], k < 2 ? 2048 + 256 : 512, rings[k], k < 2 ? 2048 : 256);
    struct row_study study = study_of(text);
    double cycles[1 + CHANGES][LEVELS];
    run(&study, TIMING);
    for (size_t i = 0; i <= CHANGES; i++)
        for (size_t k = 0; k < LEVELS; k++)
            cycles[i][k] = ours(&study, i * LEVELS + k, "core.cycles", DEPTH_TIMING);
    assert_true(cycles[0][0] < cycles[0][1] && cycles[0][1] < cycles[0][2]);
    for (size_t i = 1; i <= CHANGES; i++)
        for (size_t k = 0; k < LEVELS; k++)
            assert_int_equal(fabs(cycles[i][k] - cycles[0][k]) > 0.5, k + 1 >= i);
    row_study_free(&study);
}

/* Lanes that are 32 words apart share a bank: 32 wavefronts on any GPU. */
static void banks_make_wavefronts(void **state)
{
    (void)state;
    struct row_study study = study_of(
        "machine,settings,workload,before,per,core.cycles\n"
        "a40,gpu.sms=1,\"STRIDES:stride=1,loads=192\",\"STRIDES:stride=1,loads=64\",4096,2\n"
        "a40,gpu.sms=1,\"STRIDES:stride=16,loads=192\",\"STRIDES:stride=16,loads=64\",4096,16\n"
        "a40,gpu.sms=1,\"STRIDES:stride=32,loads=192\",\"STRIDES:stride=32,loads=64\",4096,32\n"
        "a40,gpu.sms=1,\"STRIDES:stride=33,loads=192\",\"STRIDES:stride=33,loads=64\",4096,8\n");
    run(&study, TIMING);
    for (size_t i = 0; i < study.rows.count; i++) {
        const double expected = row_measured(&study.rows, i, 5);
        assert_true(fabs(ours(&study, i, "core.cycles", DEPTH_TIMING) / expected - 1) < 0.05);
    }
    row_study_free(&study);
}

/* One probe answers all rows of a machine, each no more than it is configured to deliver. */
static void probes_answer_their_rows(void **state)
{
    (void)state;
    struct row_study study = own_study("bandwidths", "titan v");
    static const double most[] = {64, 2235, 653};
    assert_int_equal(study.rows.count, 3);
    assert_int_equal(study.run_count, 1);
    run(&study, TIMING);
    for (size_t i = 0; i < 3; i++) {
        const double value = row_ours(&study, i, 2 + i, DEPTH_TIMING);
        assert_true(value > 0.5 * most[i] && value <= most[i]);
        assert_true(isnan(row_ours(&study, i, 2 + (i + 1) % 3, DEPTH_TIMING)));
    }
    row_study_free(&study);
}

/* ---- refusals ---- */

static void wrong_machines_have_places(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    struct row_file rows = {0};
    struct row_study study;
    struct diagnostics found = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, "wrong.csv",
                   "machine,settings,workload,core.cycles\nv10,,SUMS,1\nv100,,SUMS,1\n"
                   "v100,l1d.way=4,SUMS,1\nv100,l2.slices=7,SUMS,1\n",
                   0, path);
    assert_int_equal(row_file_read(path, NULL, &rows, NULL), STATUS_OK);
    assert_int_equal(row_study_init(&study, &rows, NULL, NULL), STATUS_OK);
    assert_int_not_equal(row_study_check(&study, &found), STATUS_OK);
    assert_int_equal(found.errors, 3);
    assert_int_equal(found.items[0].line, 2);
    assert_non_null(strstr(found.items[1].message, "l1d.ways"));
    assert_int_equal(found.items[1].line, 4);
    assert_int_equal(found.items[2].line, 5);
    diagnostics_free(&found);
    row_study_free(&study);
}

static void refused_rows_say_why(void **state)
{
    (void)state;
    struct row_study study = study_of("machine,workload,core.cycles\nv100,SUM,1\n"
                                      "v100,\"SUMS:rows=64,columns=64\",1\n");
    run(&study, TIMING);
    assert_non_null(strstr(study.runs[0].why, "SUMS"));
    assert_true(isnan(ours(&study, 0, "core.cycles", DEPTH_TIMING)));
    assert_null(study.runs[1].why);
    assert_true(ours(&study, 1, "core.cycles", DEPTH_TIMING) > 0);
    row_study_free(&study);
}

/* Lanes that write a word each into sectors of their own keep the slices of the L2 longer. */
static void parts_of_sectors_cost_more(void **state)
{
    (void)state;
    static const char none[] = "tlb.enabled=no l2.partial=0", six[] = "tlb.enabled=no l2.partial=6";
    assert_true(metrics_of("MATADD:n=512,down=1", six).core_cycles >
                1.1 * metrics_of("MATADD:n=512,down=1", none).core_cycles);
    assert_true(metrics_of("MATADD:n=512", six).core_cycles ==
                metrics_of("MATADD:n=512", none).core_cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_run),
        cmocka_unit_test(every_depth_has_its_answer),
        cmocka_unit_test(what_is_too_large_is_left_out),
        cmocka_unit_test(a_warm_row_finds_its_data),
        cmocka_unit_test(what_comes_before_is_not_counted),
        cmocka_unit_test(launches_add_up),
        cmocka_unit_test(changes_are_against_other_settings),
        cmocka_unit_test(levels_follow_their_figures),
        cmocka_unit_test(banks_make_wavefronts),
        cmocka_unit_test(probes_answer_their_rows),
        cmocka_unit_test(wrong_machines_have_places),
        cmocka_unit_test(refused_rows_say_why),
        cmocka_unit_test(parts_of_sectors_cost_more),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
