/* Latencies of rings: each level answers for rings of its size, and follows its own figure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/papers/latency_study.h"

enum { IN_L1 = 16 << 10, IN_L2 = 256 << 10, IN_DRAM = 64 << 20 };

static double chase_of(const struct machine *machine, uint64_t bytes)
{
    double cycles = NAN;
    assert_int_equal(latency_chase(machine, bytes, NULL, &cycles), STATUS_OK);
    return cycles;
}

static void each_level_follows_its_figure(void **state)
{
    (void)state;
    struct machine machine;
    assert_int_equal(machine_load("t4", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.tlb.enabled = false;
    const double l1 = chase_of(&machine, IN_L1), l2 = chase_of(&machine, IN_L2),
                 dram = chase_of(&machine, IN_DRAM);
    assert_true(l1 < l2 && l2 < dram);
    machine.l1d.latency += 7;
    assert_true(fabs(chase_of(&machine, IN_L1) - l1 - 7) < 0.01);
    machine.l2.latency += 10;
    assert_true(fabs(chase_of(&machine, IN_L1) - l1 - 7) < 0.01);
    assert_true(chase_of(&machine, IN_L2) - l2 >= 10);
    machine.dram.latency += 20;
    assert_true(chase_of(&machine, IN_DRAM) - dram >= 30);
}

/* A ring that is not gone around costs no more than one that is. */
static void rows_are_whole(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct latency_row *row = latency_rows; row->gpu; row++, count++) {
        struct machine machine;
        assert_int_equal(machine_load(row->machine, NULL, &machine, NULL, NULL), STATUS_OK);
        assert_true(row->measured > 0 && row->bytes % 128 == 0 && *row->source);
        if (!strcmp(row->level, "L2"))
            assert_true(row->bytes <= machine.l2.size);
        if (!strcmp(row->level, "DRAM"))
            assert_true(row->bytes > 2 * machine.l2.size);
    }
    assert_true(count > 50);
}

static void words_choose_rows(void **state)
{
    (void)state;
    struct row_study study;
    assert_int_equal(row_study_init(&study, &row_study_latencies, "a40 dram", NULL), STATUS_OK);
    assert_int_equal(study.count, 1);
    assert_true(isnan(study.rows[0].ours));
    assert_int_equal(row_study_run(&study, 1, NULL), STATUS_OK);
    assert_true(fabs(study.rows[0].ours / study.rows[0].measured - 1) < 0.02);
    row_study_free(&study);
    assert_int_equal(row_study_init(&study, &row_study_latencies, "no such card", NULL),
                     STATUS_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_level_follows_its_figure),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(words_choose_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
