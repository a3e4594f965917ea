/* A summary of a sweep against the store with every row. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/scoreboard.h"
#include "explore/store/store_merge.h"
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
    const struct query across = {.across = AGGREGATE_MEAN}; /* it keeps other machines for each */
    assert_int_equal(store_query(summary, &across, collect, &rows, NULL), STATUS_UNSUPPORTED);
    store_close(full);
    store_close(summary);
    struct merge_result result;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT; /* a summary has no rows for a full store */
    assert_int_equal(store_merge(paths[0], &paths[1], 1, &result, &diagnostics),
                     STATUS_UNSUPPORTED);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

static void sweep_part(const struct study *study, const char *path, unsigned shard, bool summary)
{
    const struct sweep_options options = {
        .store = path, .threads = 2, .shard = shard, .shards = 3, .summary = summary};
    assert_int_equal(sweep_run(study, &options, NULL, NULL), STATUS_OK);
}

/* Rows, points and marginals are those of a summary that was made at once. */
static void assert_same_summary(const char *path, const char *whole_path)
{
    struct store *merged, *whole;
    const struct study *study;
    uint64_t counts[2];
    assert_int_equal(store_open(path, &merged, &study, NULL), STATUS_OK);
    assert_int_equal(store_open(whole_path, &whole, &study, NULL), STATUS_OK);
    const struct space *space = store_space(whole);
    const struct query everything = {0};
    assert_same_table(merged, whole, &everything);
    uint8_t *done = calloc(2, space->points / 8 + 1);
    assert_int_equal(store_done(merged, done, &counts[0], NULL), STATUS_OK);
    assert_int_equal(store_done(whole, done + space->points / 8 + 1, &counts[1], NULL), STATUS_OK);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(done, done + space->points / 8 + 1, space->points / 8 + 1);
    free(done);
    for (size_t w = 0; w < study->workload_count; w++)
        for (size_t a = 0; a < study->axis_count; a++)
            for (size_t i = 0; i < study->axes[a].count; i++)
                for (size_t c = 0; c < COLUMNS; c++) {
                    const struct marginal *x = store_marginal(merged, w, a, i, c);
                    const struct marginal *y = store_marginal(whole, w, a, i, c);
                    assert_int_equal(x->count, y->count);
                    assert_true(x->min == y->min && x->max == y->max);
                    assert_true(fabs(x->sum - y->sum) <= 1e-12 * y->sum);
                    assert_true(fabs(x->squares - y->squares) <= 1e-12 * y->squares);
                }
    store_close(merged);
    store_close(whole);
}

/* Shards that are summaries, and one with rows, in any order, once or again, make up the whole. */
static void test_merge(void **state)
{
    (void)state;
    struct study study;
    struct merge_result result;
    const char *whole = scratch_store(), *shards[3];
    study_from_text(text, &study);
    sweep_summary(&study, whole, 2);
    for (unsigned i = 0; i < 3; i++) {
        shards[i] = scratch_store();
        sweep_part(&study, shards[i], i + 1, i != 1);
    }
    const char *const orders[][3] = {{shards[0], shards[1], shards[2]},
                                     {shards[2], shards[1], shards[0]}};
    for (size_t i = 0; i < 2; i++) {
        const char *target = scratch_store();
        assert_int_equal(store_merge(target, orders[i], 3, &result, NULL), STATUS_OK);
        assert_int_equal(result.added, result.points);
        assert_same_summary(target, whole);
        assert_int_equal(store_merge(target, orders[i], 3, &result, NULL), STATUS_OK);
        assert_int_equal(result.added, 0);
        assert_int_equal(result.equal, result.points);
        assert_same_summary(target, whole);
    }
    const char *target = scratch_store(); /* one by one */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(store_merge(target, &shards[2 - i], 1, &result, NULL), STATUS_OK);
        assert_true(result.added > 0 && result.equal == 0);
    }
    assert_same_summary(target, whole);
    study_free(&study);
}

static void put_range(const char *path, const struct space *space, uint64_t first, uint64_t end,
                      double shift)
{
    static const char *const digests[] = {"0", "1"};
    const struct store_options options = {.summary = true};
    struct store *store;
    struct scoreboard *board;
    assert_int_equal(store_create_with(path, space, digests, &options, &store, NULL), STATUS_OK);
    assert_int_equal(scoreboard_create(space, &board, NULL), STATUS_OK);
    for (uint64_t p = first; p < end; p++) {
        struct metrics metrics;
        bool kept;
        metrics_clear(&metrics);
        metrics.l1d_misses = (double)random_below(random_at(4, p), 1000) + shift;
        metrics.total_area = (double)random_below(random_at(5, p), 1000) / 3;
        metrics.walk_memory_accesses = 1;
        assert_int_equal(scoreboard_offer(board, p, &metrics, &kept, NULL), STATUS_OK);
        assert_int_equal(store_put_summary(store, p, &metrics, kept, NULL), STATUS_OK);
    }
    uint8_t *kept = calloc(space->points / 8 + 1, 1);
    assert_int_equal(scoreboard_mark(board, kept), STATUS_OK);
    assert_int_equal(store_prune(store, kept, NULL), STATUS_OK);
    free(kept);
    scoreboard_free(board);
    store_close(store);
}

/* Of points with an equal first objective the best one is that which is best in the next, in
 * whatever order they come. */
static void test_best_of_ties(void **state)
{
    (void)state;
    static const double areas[] = {3, 1, 2, 1}; /* of points 8 to 11, which pass the filter */
    struct study study;
    struct space space;
    study_from_text(text, &study);
    free(study.workloads[1]); /* of several workloads machines are compared, not points */
    study.workload_count = 1;
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    for (size_t first = 0; first < 4; first++) {
        struct scoreboard *board;
        double value;
        assert_int_equal(scoreboard_create(&space, &board, NULL), STATUS_OK);
        assert_int_equal(scoreboard_best(board, &value), UINT64_MAX);
        assert_true(isnan(value));
        for (size_t i = 0; i < 4; i++) {
            struct metrics metrics;
            bool kept;
            metrics_clear(&metrics);
            metrics.l1d_misses = 7;
            metrics.walk_memory_accesses = 1;
            metrics.total_area = areas[(first + i) % 4];
            assert_int_equal(scoreboard_offer(board, 8 + (first + i) % 4, &metrics, &kept, NULL),
                             STATUS_OK);
        }
        assert_int_equal(scoreboard_best(board, &value), 9);
        assert_true(value == 7);
        scoreboard_free(board);
    }
    study_free(&study);
}

/* A later attempt at the same points takes the place of an earlier one, in the inputs and in the
 * target; points that are shared in part cannot be; other numbers are found out. */
static void test_merge_overlaps(void **state)
{
    (void)state;
    struct study study;
    struct space space;
    struct merge_result result;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    const char *first = scratch_store(), *later = scratch_store(), *rest = scratch_store();
    const char *across = scratch_store(), *whole = scratch_store(), *other = scratch_store();
    put_range(first, &space, 0, 100, 0);
    put_range(later, &space, 0, 300, 0);
    put_range(rest, &space, 300, space.points, 0);
    put_range(across, &space, 200, 400, 0);
    put_range(whole, &space, 0, space.points, 0);
    put_range(other, &space, 0, 300, 1);
    const char *target = scratch_store();
    const char *const partial[] = {first, rest}, *const all[] = {first, rest, later};
    assert_int_equal(store_merge(target, partial, 2, &result, NULL), STATUS_OK);
    assert_int_equal(result.points, 100 + space.points - 300);
    assert_int_equal(store_merge(target, all, 3, &result, NULL), STATUS_OK);
    assert_int_equal(result.points, space.points);
    assert_int_equal(result.added, 200);
    assert_same_summary(target, whole);
    const char *const wrong[] = {later, across};
    assert_int_equal(store_merge(scratch_store(), wrong, 2, &result, &diagnostics),
                     STATUS_CONFLICT);
    assert_non_null(strstr(diagnostics.items[0].message, "100 of its 200 points"));
    diagnostics_free(&diagnostics);
    assert_int_equal(store_merge(target, &other, 1, &result, &diagnostics), STATUS_CONFLICT);
    diagnostics_free(&diagnostics);
    const char *const twice[] = {later, other};
    assert_int_equal(store_merge(scratch_store(), twice, 2, &result, &diagnostics),
                     STATUS_CONFLICT);
    diagnostics_free(&diagnostics);
    assert_same_summary(target, whole); /* nothing of a refused input was taken */
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
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_best_of_ties),
        cmocka_unit_test(test_merge_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
