/* What a summary keeps: the fronts and the given number of best points, in whatever order the
 * points arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "explore/results/scoreboard.h"
#include "support/study_builder.h"

enum { POINTS = 250 };

static void board_study(const char *objectives, struct study *study)
{
    char text[512];
    snprintf(text, sizeof text,
             "machine: gtx480\nworkloads: [GEMM]\naxes:\n"
             "  l2.latency: {from: 1, to: %d, step: 1}\nobjectives: [%s]\n",
             POINTS, objectives);
    study_from_text(text, study);
}

/* The bits of the points that a board keeps; `order` multiplies the point's turn. */
static void kept_points(const struct space *space, uint64_t order, double (*value)(uint64_t point),
                        uint8_t kept[POINTS / 8 + 1])
{
    struct scoreboard *board;
    memset(kept, 0, POINTS / 8 + 1);
    assert_int_equal(scoreboard_create(space, &board, NULL), STATUS_OK);
    for (uint64_t turn = 0; turn < POINTS; turn++) {
        uint64_t point = turn * order % POINTS;
        struct metrics metrics;
        metrics_clear(&metrics);
        metrics.l1d_misses = value(point);
        metrics.l2_misses = -value(point);
        assert_int_equal(scoreboard_offer(board, point, &metrics, NULL, NULL), STATUS_OK);
    }
    assert_int_equal(scoreboard_mark(board, kept), STATUS_OK);
    scoreboard_free(board);
}

static double point_itself(uint64_t point)
{
    return (double)point;
}

static double point_backwards(uint64_t point)
{
    return POINTS - (double)point;
}

static double all_the_same(uint64_t point)
{
    (void)point;
    return 7;
}

/* Only the best of one objective: as many as are promised, and those; of equal ones the first. */
static void the_best_are_kept(void **state)
{
    (void)state;
    static const uint64_t orders[] = {1, POINTS - 1, 77, 249, 3};
    struct study study;
    struct space space;
    uint8_t kept[POINTS / 8 + 1];
    board_study("l1d.misses", &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        kept_points(&space, orders[o], point_itself, kept);
        for (uint64_t point = 0; point < POINTS; point++)
            assert_int_equal(bit_test(kept, point), point < SCOREBOARD_BEST);
        kept_points(&space, orders[o], point_backwards, kept);
        for (uint64_t point = 0; point < POINTS; point++)
            assert_int_equal(bit_test(kept, point), point >= POINTS - SCOREBOARD_BEST);
    }
    study_free(&study);
}

/* Ties stay in the front: all of them are kept, and of a dominated tie the best list's share. */
static void ties(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    uint8_t kept[POINTS / 8 + 1];
    board_study("l1d.misses", &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    kept_points(&space, 77, all_the_same, kept);
    size_t count = 0;
    for (uint64_t point = 0; point < POINTS; point++)
        count += bit_test(kept, point);
    print_message("%zu of %d equal points kept\n", count, POINTS);
    for (uint64_t point = 0; point < SCOREBOARD_BEST; point++)
        assert_true(bit_test(kept, point));
    study_free(&study);
}

/* However points arrive, and whatever turns up that is worse than all before, the share that the
 * front dominates never falls. */
static void the_hypervolume_never_falls(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct study study;
        struct space space;
        struct scoreboard *board;
        double last = 0;
        board_study(seed % 2 ? "l1d.misses: minimize, l2.misses: maximize"
                             : "l1d.misses, tlb.misses, l2.misses: maximize",
                    &study);
        assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
        assert_int_equal(scoreboard_create(&space, &board, NULL), STATUS_OK);
        for (uint64_t point = 0; point < 80; point++) {
            struct metrics metrics;
            metrics_clear(&metrics);
            metrics.l1d_misses = (double)(random_at(seed, 3 * point) % 50);
            metrics.l2_misses = (double)(random_at(seed, 3 * point + 1) % (1 + point * point));
            metrics.tlb_misses = (double)(random_at(seed, 3 * point + 2) % 20) - 1;
            assert_int_equal(scoreboard_offer(board, point, &metrics, NULL, NULL), STATUS_OK);
            const double now = scoreboard_hypervolume(board);
            assert_true(now >= last - 1e-12 && now <= 1);
            last = now;
        }
        assert_true(last > 0);
        scoreboard_free(board);
        study_free(&study);
    }
}

/* Over two workloads the best machine is that of the best geometric mean, once both are there. */
static void workloads_are_not_mixed(void **state)
{
    (void)state;
    static const double values[2][3] = {{1, 4, 2}, {9, 1, 0}};
    struct study study;
    struct space space;
    struct scoreboard *board;
    double value;
    study_from_text("machine: gtx480\nworkloads: [GEMM, ATAX]\naxes:\n"
                    "  l2.latency: [1, 2, 3]\nobjectives: [l1d.misses]\n",
                    &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(scoreboard_create(&space, &board, NULL), STATUS_OK);
    for (uint64_t point = 0; point < 6; point++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        metrics.l1d_misses = values[point / 3][point % 3];
        assert_int_equal(scoreboard_offer(board, point, &metrics, NULL, NULL), STATUS_OK);
        const uint64_t best = scoreboard_best(board, &value);
        assert_int_equal(best, point < 3 ? UINT64_MAX : point == 3 ? 0 : 1);
    }
    assert_true(value > 1.999 && value < 2.001); /* the third has none: a value is 0 */
    scoreboard_free(board);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_are_kept),
        cmocka_unit_test(the_hypervolume_never_falls),
        cmocka_unit_test(workloads_are_not_mixed),
        cmocka_unit_test(ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
