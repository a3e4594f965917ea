/* A summary of a sweep against the store with every row. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/scoreboard.h"
#include "explore/store_merge.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\n"
                           "set: {tlb.ways: 16}\n"
                           "workloads: ['GEMM:n=32', 'ATAX:n=64']\n"
                           "axes:\n"
                           "  tech.node: [22nm, 32nm, 40nm, 65nm]\n"
                           "  l1d.size: [8KiB, 16KiB, 32KiB, 64KiB]\n"
                           "  l1d.ways: [2, 4, 8]\n"
                           "  tlb.entries: [16, 32, 64, 128]\n"
                           "  l2.ways: [4, 8]\n"
                           "filters: [l1d.ways > 2]\n"
                           "objectives: [l1d.misses, walk.memory_accesses, total.area]\n"
                           "metrics: [l2.misses]\n";

enum { COLUMNS = 4, POINTS_MAX = 1024 };

struct table {
    size_t count;
    uint64_t points[POINTS_MAX];
    double values[POINTS_MAX][COLUMNS];
};

static enum status collect(void *argument, const struct store_row *row)
{
    struct table *table = argument;
    assert_true(table->count < POINTS_MAX);
    table->points[table->count] = row->point;
    memcpy(table->values[table->count++], row->values, sizeof table->values[0]);
    return STATUS_OK;
}

static void query_into(struct store *store, const struct query *query, struct table *table)
{
    table->count = 0;
    assert_int_equal(store_query(store, query, collect, table, NULL), STATUS_OK);
}

static void assert_same_table(struct store *a, struct store *b, const struct query *query)
{
    static struct table left, right;
    query_into(a, query, &left);
    query_into(b, query, &right);
    assert_true(left.count > 0);
    assert_int_equal(left.count, right.count);
    assert_memory_equal(left.points, right.points, left.count * sizeof *left.points);
    assert_memory_equal(left.values, right.values, left.count * sizeof *left.values);
}

static void check_marginals(struct store *summary, const struct table *all)
{
    const struct space *space = store_space(summary);
    const struct study *study = space->study;
    for (size_t w = 0; w < study->workload_count; w++)
        for (size_t a = 0; a < study->axis_count; a++)
            for (size_t i = 0; i < study->axes[a].count; i++)
                for (size_t c = 0; c < COLUMNS; c++) {
                    struct marginal slow = {.min = INFINITY, .max = -INFINITY};
                    for (size_t p = 0; p < all->count; p++) {
                        uint64_t point = all->points[p];
                        double value = all->values[p][c];
                        if (point / space->machines != w || isnan(value) ||
                            space_digit(space, point % space->machines, a) != i)
                            continue;
                        slow.count++;
                        slow.sum += value;
                        slow.squares += value * value;
                        slow.min = fmin(slow.min, value);
                        slow.max = fmax(slow.max, value);
                    }
                    const struct marginal *fast = store_marginal(summary, w, a, i, c);
                    assert_int_equal(fast->count, slow.count);
                    if (!slow.count)
                        continue;
                    assert_true(fast->min == slow.min && fast->max == slow.max);
                    assert_true(fabs(fast->sum - slow.sum) <= 1e-12 * slow.sum);
                    assert_true(fabs(fast->squares - slow.squares) <= 1e-12 * slow.squares);
                }
}

static void sweep_summary(const struct study *study, const char *path, int threads)
{
    const struct sweep_options options = {.store = path, .threads = threads, .summary = true};
    struct sweep_progress progress;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = sweep_run(study, &options, &progress, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(progress.done, progress.points);
}

static void test_summary_says_the_same(void **state)
{
    (void)state;
    static struct table all, rows;
    struct study study;
    struct store *full, *summary;
    const struct study *kept;
    uint64_t count;
    const char *paths[] = {scratch_store(), scratch_store()};
    study_from_text(text, &study);
    sweep_into(&study, paths[0], 2, NULL);
    sweep_summary(&study, paths[1], 2);
    sweep_summary(&study, paths[1], 1); /* nothing is left to do */
    assert_int_equal(store_open(paths[0], &full, &kept, NULL), STATUS_OK);
    assert_int_equal(store_open(paths[1], &summary, &kept, NULL), STATUS_OK);
    assert_false(store_is_summary(full));
    assert_true(store_is_summary(summary));
    const struct query everything = {0}, front = {.front = true};
    query_into(full, &everything, &all);
    assert_int_equal(store_count(summary, &count, NULL), STATUS_OK);
    assert_int_equal(count, all.count);
    query_into(summary, &everything, &rows);
    assert_true(rows.count < all.count);
    assert_same_table(full, summary, &front);
    static const char *const sorts[] = {"l1d.misses", "walk.memory_accesses", "total.area"};
    static const char *const where[] = {"workload like 'GEMM%'", "workload like 'ATAX%'"};
    for (size_t i = 0; i < 6; i++) {
        const struct query best = {.sort = sorts[i / 2],
                                   .where = where[i % 2],
                                   .eligible = true,
                                   .limit = SCOREBOARD_BEST};
        assert_same_table(full, summary, &best);
    }
    check_marginals(summary, &all);
    store_close(full);
    store_close(summary);
    struct merge_result result;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const char *target = scratch_store();
    assert_int_equal(store_merge(target, &paths[1], 1, &result, &diagnostics), STATUS_UNSUPPORTED);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

/* Half of the points, a commit, some more that are lost, and everything again: as if at once. */
static void test_resume(void **state)
{
    (void)state;
    static const char *const digests[] = {"0", "1"};
    const struct store_options options = {.summary = true};
    struct study study;
    struct space space;
    struct store *store;
    char *dumps[2];
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    for (int run = 0; run < 2; run++) {
        const char *path = scratch_store();
        for (int part = run; part < 2; part++) {
            assert_int_equal(store_create_with(path, &space, digests, &options, &store, NULL),
                             STATUS_OK);
            uint64_t end = part ? space.points : space.points / 2;
            for (uint64_t p = 0; p < end; p++) {
                struct metrics metrics;
                metrics_clear(&metrics);
                metrics.l1d_misses = (double)random_below(random_at(4, p), 1000);
                metrics.total_area = (double)random_below(random_at(5, p), 1000) / 3;
                assert_int_equal(store_put_summary(store, p, &metrics, p % 3 == 0, NULL),
                                 STATUS_OK);
            }
            store_close(store);
        }
        const struct study *kept;
        uint64_t count;
        size_t size;
        assert_int_equal(store_open(path, &store, &kept, NULL), STATUS_OK);
        assert_int_equal(store_count(store, &count, NULL), STATUS_OK);
        assert_int_equal(count, space.points);
        FILE *out = open_memstream(&dumps[run], &size);
        for (size_t w = 0; w < 2; w++)
            for (size_t a = 0; a < study.axis_count; a++)
                for (size_t i = 0; i < study.axes[a].count; i++)
                    for (size_t c = 0; c < COLUMNS; c++) {
                        const struct marginal *m = store_marginal(store, w, a, i, c);
                        fprintf(out, "%llu %a %a %a %a\n", (unsigned long long)m->count, m->sum,
                                m->squares, m->min, m->max);
                    }
        fclose(out);
        store_close(store);
    }
    assert_string_equal(dumps[0], dumps[1]);
    free(dumps[0]);
    free(dumps[1]);
    study_free(&study);
}

static void test_prune(void **state)
{
    (void)state;
    static const char *const digests[] = {"0", "1"};
    const struct store_options options = {.summary = true};
    const char *path = scratch_store();
    static struct table rows;
    struct study study;
    struct space space;
    struct store *store;
    const struct study *kept_study;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    uint8_t *kept = calloc(space.points / 8 + 1, 1);
    assert_int_equal(store_create_with(path, &space, digests, &options, &store, NULL), STATUS_OK);
    for (uint64_t p = 0; p < 200; p++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        metrics.l1d_misses = (double)p;
        assert_int_equal(store_put_summary(store, p, &metrics, true, NULL), STATUS_OK);
        if (p % 7 == 0)
            bit_set(kept, p);
    }
    assert_int_equal(store_prune(store, kept, NULL), STATUS_OK);
    store_close(store);
    assert_int_equal(store_open(path, &store, &kept_study, NULL), STATUS_OK);
    const struct query everything = {0};
    query_into(store, &everything, &rows);
    assert_int_equal(rows.count, 29);
    for (size_t i = 0; i < rows.count; i++)
        assert_int_equal(rows.points[i], 7 * i);
    store_close(store);
    free(kept);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary_says_the_same),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_prune),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
