/* What needs no run against what runs stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/store/importance.h"
#include "explore/store/machine_values.h"
#include "support/same_metrics.h"
#include "support/study_builder.h"

static const char text[] =
    "machine: gtx480\nworkloads: [ATAX:n=24, GEMM:n=8]\naxes:\n"
    "  l1d.size: [4KiB, 8KiB, 16KiB]\n"
    "  l1d.ways: [2, 4, 8]\n"
    "  l1d.index: [linear, xor]\n"
    "  l2.latency: [100, 200]\n"
    "  tech.target: [asic, fpga]\n"
    "where: [l1d.ways <= 4 or l1d.size >= 8KiB, tech.target = 'asic' or l1d.ways = 2]\n"
    "objectives: [total.area, l1d.misses]\n"
    "metrics: [l1d.area, l1d.bits, total.bits, total.leakage, l1d.access_time, fpga.luts]\n";

struct rows {
    struct store *store;
    size_t column, columns;
    uint64_t count, last;
};

static enum status expect_stored(void *argument, const struct store_row *row)
{
    struct rows *rows = argument;
    double values[16];
    bool found;
    assert_true(rows->columns < 16);
    assert_int_equal(store_get(rows->store, row->point, values, &found, NULL), STATUS_OK);
    assert_true(found);
    assert_true(same_number(*row->values, values[rows->column]));
    assert_true(!rows->count || row->point > rows->last);
    rows->last = row->point;
    rows->count++;
    return STATUS_OK;
}

static void they_are_what_runs_store(void **state)
{
    struct store *store = *state;
    const struct metric *const *columns;
    const size_t count = store_columns(store, &columns);
    uint64_t points;
    size_t known = 0;
    assert_int_equal(store_count(store, &points, NULL), STATUS_OK);
    for (size_t c = 0; c < count; c++) {
        struct machine_values *values;
        struct rows rows = {store, c, count, 0, 0};
        const enum status status = machine_values_open(store_space(store), columns[c], &values);
        assert_int_equal(status, columns[c]->stage == STAGE_AREA ? STATUS_OK : STATUS_UNSUPPORTED);
        for (int again = 0; again < 2 && !status; again++) {
            rows.count = 0;
            assert_int_equal(machine_values_each(values, expect_stored, &rows), STATUS_OK);
            assert_int_equal(rows.count, points);
        }
        known += !status;
        machine_values_close(values);
    }
    assert_int_equal(known, count - 1);
}

/* A store with one row in six of another. */
static const char *sample_of(struct store *whole)
{
    const char *path = scratch_store();
    const struct space *space = store_space(whole);
    const struct metric *const *columns;
    const size_t count = store_columns(whole, &columns);
    char *digests[2];
    struct store *store;
    for (size_t w = 0; w < 2; w++)
        assert_int_equal(store_digest(whole, w, &digests[w], NULL), STATUS_OK);
    assert_int_equal(store_create(path, space, (const char *const *)digests, &store, NULL),
                     STATUS_OK);
    for (uint64_t p = 0; p < space->points; p++) {
        double values[16];
        bool found;
        struct metrics metrics;
        assert_int_equal(store_get(whole, p, values, &found, NULL), STATUS_OK);
        metrics_clear(&metrics);
        for (size_t c = 0; c < count && found; c++)
            metric_set(columns[c], &metrics, values[c]);
        if (found && random_at(7, p) % 6 == 0)
            assert_int_equal(store_put(store, p, &metrics, NULL), STATUS_OK);
    }
    store_close(store);
    free(digests[0]);
    free(digests[1]);
    return path;
}

static void expect_same(const struct importance *found, const struct importance *expected)
{
    assert_true(found->unrun && !expected->unrun);
    assert_true(found->exact && !found->sampled);
    assert_int_equal(found->rows, expected->rows);
    assert_true(found->mean == expected->mean && found->variance == expected->variance);
    for (size_t a = 0; a < expected->axis_count; a++) {
        assert_true(found->axes[a].share == expected->axes[a].share);
        assert_true(found->axes[a].margin == 0);
        for (size_t v = 0; v < expected->axes[a].count; v++)
            assert_true(
                same_number(found->axes[a].values[v].mean, expected->axes[a].values[v].mean));
    }
}

static void a_sample_knows_them_of_all_points(void **state)
{
    struct store *whole = *state, *sample;
    const struct study *study;
    const char *path = sample_of(whole);
    assert_int_equal(store_open(path, &sample, &study, NULL), STATUS_OK);
    static const char *const paths[] = {"l1d.area", "total.bits"};
    for (size_t i = 0; i < 2; i++) {
        struct importance all, few;
        const struct metric *metric = metric_find(paths[i]);
        assert_int_equal(importance_compute(whole, metric, NULL, &all, NULL), STATUS_OK);
        assert_int_equal(importance_compute(sample, metric, NULL, &few, NULL), STATUS_OK);
        expect_same(&few, &all);
        importance_free(&all);
        importance_free(&few);
        /* A choice of rows is a choice of those that are there. */
        assert_int_equal(importance_compute(sample, metric, "l2.latency = 100", &few, NULL),
                         STATUS_OK);
        assert_false(few.unrun);
        importance_free(&few);
    }
    struct importance other;
    assert_int_equal(importance_compute(sample, metric_find("l2.area"), NULL, &other, NULL),
                     STATUS_OK);
    assert_true(other.unrun); /* which nobody stored */
    importance_free(&other);
    assert_int_equal(importance_compute(sample, metric_find("l2.misses"), NULL, &other, NULL),
                     STATUS_NOT_FOUND);
    store_close(sample);
}

static int sweep_once(void **state)
{
    struct study study;
    const struct study *kept;
    const char *path = scratch_store();
    study_from_text(text, &study);
    sweep_into(&study, path, 2, NULL);
    study_free(&study);
    return store_open(path, (struct store **)state, &kept, NULL);
}

static int close_store(void **state)
{
    store_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_what_runs_store),
        cmocka_unit_test(a_sample_knows_them_of_all_points),
    };
    return cmocka_run_group_tests(tests, sweep_once, close_store);
}
