/* Grouping, fronts of other metrics, merging and comparing of stores, each against a plain walk
 * over the rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/store/difference.h"
#include "explore/store/store_merge.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\n"
                           "workloads: [GEMM, ATAX]\n"
                           "axes:\n"
                           "  l1d.size: [16KiB, 32KiB, 48KiB]\n"
                           "  l1d.replacement: [lru, fifo]\n"
                           "  tlb.entries: [16, 32, 64, 128]\n"
                           "objectives: [l1d.misses, total.area]\n"
                           "metrics: [l2.misses, tlb.hit_rate]\n";
static const char *const digests[] = {"00112233", "44556677", "8899aabb"};

enum { COLUMNS = 4, POINTS = 48, ROWS_MAX = 72 };

static void point_metrics(uint64_t point, struct metrics *metrics)
{
    metrics_clear(metrics);
    metrics->l1d_misses = (double)random_below(random_at(1, point), 20);
    metrics->total_area = (double)random_below(random_at(2, point), 20) / 8;
    metrics->l2_misses = (double)random_below(random_at(3, point), 100);
    if (point % 5)
        metrics->tlb_hit_rate = (double)(point % 7) / 8;
}

/* A store with the points for which point % modulus == rest. */
static const char *make_store(const char *study_text, uint64_t modulus, uint64_t rest)
{
    const char *path = scratch_store();
    struct study study;
    struct space space;
    struct store *store;
    study_from_text(study_text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(store_create(path, &space, digests, &store, NULL), STATUS_OK);
    for (uint64_t point = rest; point < space.points; point += modulus) {
        struct metrics metrics;
        point_metrics(point, &metrics);
        assert_int_equal(store_put(store, point, &metrics, NULL), STATUS_OK);
    }
    store_close(store);
    study_free(&study);
    return path;
}

struct rows {
    size_t count;
    struct {
        uint64_t point, members, workloads;
        double values[COLUMNS];
    } items[ROWS_MAX];
};

static enum status collect(void *argument, const struct store_row *row)
{
    struct rows *rows = argument;
    assert_true(rows->count < ROWS_MAX);
    rows->items[rows->count].point = row->point;
    rows->items[rows->count].members = row->members;
    rows->items[rows->count].workloads = row->workloads;
    memcpy(rows->items[rows->count++].values, row->values, COLUMNS * sizeof(double));
    return STATUS_OK;
}

static void query_into(const char *path, const struct query *query, struct rows *rows)
{
    struct store *store;
    const struct study *study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    rows->count = 0;
    assert_int_equal(store_open(path, &store, &study, &diagnostics), STATUS_OK);
    enum status status = store_query(store, query, collect, rows, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    store_close(store);
}

/* The group of a point: workload, size and TLB entries; the replacement is averaged away. */
static uint64_t group_of(uint64_t point)
{
    return point / 8 * 4 + point % 4;
}

static void test_grouping(void **state)
{
    (void)state;
    static struct rows all, groups;
    const size_t axes[] = {2, 0};
    const char *path = make_store(text, 1, 0);
    const struct query everything = {0};
    query_into(path, &everything, &all);
    assert_int_equal(all.count, POINTS);
    const enum aggregate aggregates[] = {AGGREGATE_MEAN, AGGREGATE_MIN, AGGREGATE_MAX};
    for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++) {
        const enum aggregate aggregate = aggregates[i];
        const struct grouping grouping = {axes, 2, aggregate};
        const struct query query = {.grouping = &grouping};
        query_into(path, &query, &groups);
        assert_int_equal(groups.count, POINTS / 2);
        for (size_t g = 0; g < groups.count; g++) {
            assert_int_equal(groups.items[g].members, 2);
            assert_int_equal(groups.items[g].point % 8 / 4, 0);
            for (size_t c = 0; c < COLUMNS; c++) {
                double sum = 0, low = INFINITY, high = -INFINITY, count = 0;
                for (size_t p = 0; p < POINTS; p++) {
                    double value = all.items[p].values[c];
                    if (group_of(p) != group_of(groups.items[g].point) || isnan(value))
                        continue;
                    sum += value;
                    low = fmin(low, value);
                    high = fmax(high, value);
                    count++;
                }
                double expected = aggregate == AGGREGATE_MEAN  ? sum / count
                                  : aggregate == AGGREGATE_MIN ? low
                                                               : high;
                double found = groups.items[g].values[c];
                assert_true(count ? found == expected : isnan(found));
            }
        }
    }
    const struct grouping grouping = {axes, 1, AGGREGATE_MIN};
    const struct query sorted = {
        .grouping = &grouping, .sort = "-l1d.misses", .where = "l1d.size > 16KiB", .limit = 3};
    query_into(path, &sorted, &groups);
    assert_int_equal(groups.count, 3);
    assert_int_equal(groups.items[0].members, 4);
    assert_true(groups.items[0].values[0] >= groups.items[1].values[0]);
    assert_true(groups.items[1].values[0] >= groups.items[2].values[0]);
}

/* Three workloads; `workloads` of them have rows, and of these a few are missing. The area is the
 * machine's alone. */
static const char *make_ragged_store(uint64_t seed, uint64_t workloads)
{
    const char *path = scratch_store();
    struct study study;
    struct space space;
    struct store *store;
    char three[sizeof text + 8];
    const char *end = strchr(text, ']');
    snprintf(three, sizeof three, "%.*s, BICG%s", (int)(end - text), text, end);
    study_from_text(three, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(store_create(path, &space, digests, &store, NULL), STATUS_OK);
    for (uint64_t point = 0; point < workloads * space.machines; point++) {
        struct metrics metrics;
        point_metrics(point + 1000 * seed, &metrics);
        metrics.total_area = (double)(1 + point % space.machines) / 7;
        if (random_below(random_at(seed, point), 10))
            assert_int_equal(store_put(store, point, &metrics, NULL), STATUS_OK);
    }
    store_close(store);
    study_free(&study);
    return path;
}

enum { MACHINES = 24 };

static double combine(const double *values, size_t count, enum aggregate aggregate)
{
    double sum = 0, logarithms = 0, low = INFINITY, high = -INFINITY;
    bool missing = false;
    for (size_t i = 0; i < count; i++) {
        missing = missing || isnan(values[i]);
        sum += values[i];
        logarithms += log(values[i]); /* of 0: -INFINITY */
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    bool undefined = aggregate == AGGREGATE_GEOMEAN && low <= 0;
    return missing || undefined             ? NAN
           : aggregate == AGGREGATE_MEAN    ? sum / (double)count
           : aggregate == AGGREGATE_GEOMEAN ? exp(logarithms / (double)count)
           : aggregate == AGGREGATE_MIN     ? low
                                            : high;
}

/* Every row of `machines` against the rows of its machine in `all`, and no machine left out. */
static void check_machines(const struct rows *all, const struct rows *machines, size_t workloads,
                           enum aggregate aggregate)
{
    size_t next = 0;
    for (uint64_t machine = 0; machine < MACHINES; machine++) {
        double values[COLUMNS][3];
        size_t met = 0;
        for (size_t p = 0; p < all->count; p++) {
            if (all->items[p].point % MACHINES != machine)
                continue;
            for (size_t c = 0; c < COLUMNS; c++)
                values[c][met] = all->items[p].values[c];
            met++;
        }
        if (met < workloads)
            continue;
        assert_int_equal(machines->items[next].point, machine);
        assert_int_equal(machines->items[next].members, 1);
        assert_int_equal(machines->items[next].workloads, workloads);
        for (size_t c = 0; c < COLUMNS; c++) {
            double expected = combine(values[c], workloads, aggregate);
            double found = machines->items[next].values[c];
            assert_true(isnan(expected) == isnan(found));
            assert_false(fabs(found - expected) > 1e-14 * fabs(expected));
        }
        if (aggregate != AGGREGATE_MEAN) /* equal values give that value, bit by bit */
            assert_true(machines->items[next].values[1] == (double)(machine + 1) / 7);
        next++;
    }
    assert_int_equal(machines->count, next);
}

static void check_front_of(const struct rows *machines, const struct rows *front)
{
    size_t next = 0;
    for (size_t i = 0; i < machines->count; i++) {
        const double *a = machines->items[i].values;
        bool beaten = isnan(a[0]) || isnan(a[1]);
        for (size_t j = 0; j < machines->count && !beaten; j++) {
            const double *b = machines->items[j].values;
            beaten = b[0] <= a[0] && b[1] <= a[1] && (b[0] < a[0] || b[1] < a[1] || j < i);
            beaten = beaten && i != j;
        }
        if (beaten)
            continue;
        assert_true(next < front->count);
        assert_int_equal(front->items[next].point, machines->items[i].point);
        assert_memory_equal(front->items[next++].values, a, 2 * sizeof *a);
    }
    assert_int_equal(front->count, next);
}

static void check_condition(const struct rows *machines, const struct rows *chosen)
{
    size_t next = 0;
    for (size_t i = 0; i < machines->count; i++)
        if (machines->items[i].point >= 8 && machines->items[i].values[2] < 50) {
            assert_true(next < chosen->count);
            assert_int_equal(chosen->items[next++].point, machines->items[i].point);
        }
    assert_int_equal(chosen->count, next);
}

static void test_across(void **state)
{
    (void)state;
    static struct rows all, machines, found;
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (size_t workloads = 1; workloads <= 3; workloads++) {
            const char *path = make_ragged_store(seed, workloads);
            const struct query everything = {0};
            query_into(path, &everything, &all);
            for (enum aggregate how = AGGREGATE_MEAN; how <= AGGREGATE_MAX; how++) {
                struct query query = {.across = how};
                query_into(path, &query, &machines);
                check_machines(&all, &machines, workloads, how);
                query.front = true;
                query_into(path, &query, &found);
                check_front_of(&machines, &found);
                query =
                    (struct query){.across = how, .where = "l2.misses < 50 and l1d.size > 16KiB"};
                query_into(path, &query, &found);
                check_condition(&machines, &found);
                query = (struct query){.across = how, .sort = "-l1d.misses", .limit = 1};
                query_into(path, &query, &found);
                for (size_t i = 0; i < machines.count; i++)
                    assert_false(machines.items[i].values[0] > found.items[0].values[0]);
            }
        }
}

/* Groups of machines whose values are over the workloads. */
static void test_across_groups(void **state)
{
    (void)state;
    static struct rows machines, groups;
    const size_t axes[] = {0};
    const struct grouping grouping = {axes, 1, AGGREGATE_MIN};
    const char *path = make_ragged_store(9, 3);
    struct query query = {.across = AGGREGATE_GEOMEAN};
    query_into(path, &query, &machines);
    query.grouping = &grouping;
    query_into(path, &query, &groups);
    assert_int_equal(groups.count, 3);
    for (size_t g = 0; g < groups.count; g++) {
        double low = INFINITY;
        uint64_t members = 0;
        for (size_t i = 0; i < machines.count; i++)
            if (machines.items[i].point / 8 == groups.items[g].point / 8) {
                low = fmin(low, machines.items[i].values[0]);
                members++;
            }
        assert_true(groups.items[g].values[0] == low);
        assert_int_equal(groups.items[g].members, members);
        assert_int_equal(groups.items[g].workloads, 3);
    }
}

static void test_across_refuses(void **state)
{
    (void)state;
    static struct rows rows;
    struct store *store;
    const struct study *study;
    const char *path = make_store(text, 1, 0);
    assert_int_equal(store_open(path, &store, &study, NULL), STATUS_OK);
    const struct query wrong[] = {{.across = AGGREGATE_MEAN, .where = "workload = 'GEMM'"},
                                  {.across = AGGREGATE_MEAN, .sort = "workload"}};
    for (size_t i = 0; i < 2; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(store_query(store, &wrong[i], collect, &rows, &diagnostics),
                         STATUS_INVALID);
        assert_true(diagnostics_mention(&diagnostics, "cannot be chosen by the workload"));
        diagnostics_free(&diagnostics);
    }
    store_close(store);
}

static void test_other_front(void **state)
{
    (void)state;
    static struct rows all, front;
    const char *path = make_store(text, 1, 0);
    const struct objective objectives[] = {{metric_find("l2.misses"), HIGHER_IS_BETTER},
                                           {metric_find("total.area"), LOWER_IS_BETTER}};
    const struct query everything = {0};
    const struct query query = {.front = true, .objectives = objectives, .objective_count = 2};
    query_into(path, &everything, &all);
    query_into(path, &query, &front);
    size_t next = 0;
    for (size_t p = 0; p < POINTS; p++) {
        bool beaten = false;
        for (size_t q = 0; q < POINTS && !beaten; q++) {
            const double *a = all.items[p].values, *b = all.items[q].values;
            bool better = b[2] > a[2] || b[1] < a[1] || q < p;
            beaten = q / 24 == p / 24 && q != p && b[2] >= a[2] && b[1] <= a[1] && better;
        }
        if (!beaten)
            assert_int_equal(front.items[next++].point, p);
    }
    assert_int_equal(front.count, next);
    const struct objective unknown = {metric_find("tlb.misses"), LOWER_IS_BETTER};
    const struct query wrong = {.front = true, .objectives = &unknown, .objective_count = 1};
    struct store *store;
    const struct study *study;
    assert_int_equal(store_open(path, &store, &study, NULL), STATUS_OK);
    assert_int_equal(store_query(store, &wrong, collect, &front, NULL), STATUS_NOT_FOUND);
    store_close(store);
}

static void assert_same_rows(const char *a, const char *b)
{
    char *left = store_dump(a), *right = store_dump(b);
    assert_string_equal(left, right);
    free(left);
    free(right);
}

static void test_merge(void **state)
{
    (void)state;
    const char *whole = make_store(text, 1, 0);
    const char *parts[] = {make_store(text, 3, 2), make_store(text, 3, 0), make_store(text, 3, 1),
                           make_store(text, 2, 0)};
    const char *target = scratch_store();
    struct merge_result result;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(store_merge(target, parts, 2, &result, &diagnostics), STATUS_OK);
    assert_int_equal(result.added, 32);
    assert_int_equal(store_merge(target, parts, 4, &result, &diagnostics), STATUS_OK);
    assert_int_equal(result.added, 16);
    assert_int_equal(result.equal, 56);
    assert_int_equal(result.points, POINTS);
    assert_same_rows(target, whole);
    assert_int_equal(store_merge(target, parts, 4, &result, &diagnostics), STATUS_OK);
    assert_int_equal(result.added, 0);
    assert_same_rows(target, whole);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(diagnostics.errors, 0);
}

static const char *with(const char *from, const char *to)
{
    static char changed[1024];
    const char *place = strstr(text, from);
    assert_non_null(place);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(place - text), text, to,
             place + strlen(from));
    return changed;
}

static void test_merge_refuses(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        {"16KiB, 32KiB", "16KiB, 24KiB", "value 2 of l1d.size is 24KiB there and 32KiB here"},
        {"machine: gtx480\n", "machine: gtx480\nset: {l2.ways: 16}\n", "l2.ways is 16 there"},
        {"[l2.misses, tlb.hit_rate]", "[l2.misses]", "columns"},
    };
    const char *whole = make_store(text, 1, 0);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *inputs[] = {whole, make_store(with(changes[i][0], changes[i][1]), 1, 0)};
        const char *target = scratch_store();
        struct merge_result result;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(store_merge(target, inputs, 2, &result, &diagnostics), STATUS_CONFLICT);
        assert_true(diagnostics_mention(&diagnostics, changes[i][2]));
        assert_int_equal(access(target, F_OK), -1);
        diagnostics_free(&diagnostics);
    }
}

/* The same study, but a point gives another number: nothing of that file may be taken. */
static void test_merge_finds_disagreement(void **state)
{
    (void)state;
    const char *even = make_store(text, 2, 0), *wrong = scratch_store();
    struct study study;
    struct space space;
    struct store *store;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(store_create(wrong, &space, digests, &store, NULL), STATUS_OK);
    for (uint64_t point = 0; point < POINTS; point++) {
        struct metrics metrics;
        point_metrics(point, &metrics);
        metrics.l2_misses += point == 34;
        assert_int_equal(store_put(store, point, &metrics, NULL), STATUS_OK);
    }
    store_close(store);
    study_free(&study);
    const char *inputs[] = {even, wrong};
    const char *target = scratch_store();
    struct merge_result result;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(store_merge(target, inputs, 2, &result, &diagnostics), STATUS_CONFLICT);
    assert_true(diagnostics_mention(&diagnostics, "point 34: l2.misses is"));
    diagnostics_free(&diagnostics);
    assert_same_rows(target, even);
}

struct found {
    size_t kinds[DIFFERENCE_METRIC + 1];
    struct difference last;
};

static enum status count_difference(void *argument, const struct difference *difference)
{
    struct found *found = argument;
    found->kinds[difference->kind]++;
    found->last = *difference;
    return STATUS_OK;
}

static void compare_into(const char *a, const char *b, struct found *found,
                         struct difference_summary *summary)
{
    struct store *stores[2];
    const struct study *study;
    *found = (struct found){0};
    assert_int_equal(store_open(a, &stores[0], &study, NULL), STATUS_OK);
    assert_int_equal(store_open(b, &stores[1], &study, NULL), STATUS_OK);
    assert_int_equal(stores_compare(stores[0], stores[1], count_difference, found, summary, NULL),
                     STATUS_OK);
    store_close(stores[0]);
    store_close(stores[1]);
}

static void test_compare(void **state)
{
    (void)state;
    const char *whole = make_store(text, 1, 0);
    struct found found;
    struct difference_summary summary;
    compare_into(whole, whole, &found, &summary);
    for (size_t i = 0; i <= DIFFERENCE_METRIC; i++)
        assert_int_equal(found.kinds[i], 0);
    assert_int_equal(summary.shared, POINTS);

    compare_into(whole, make_store(text, 3, 1), &found, &summary);
    assert_int_equal(found.kinds[DIFFERENCE_POINT], 32);
    assert_int_equal(found.kinds[DIFFERENCE_METRIC], 0);
    assert_int_equal(summary.shared, 16);
    assert_int_equal(summary.only_a, 32);
    assert_int_equal(summary.only_b, 0);
}

/* B has another order of workloads and axes, one axis less (its machine stands at fifo), and one
 * value more: 2 workloads x 3 sizes x 4 TLBs of A's points are there, 8 more of B are not in A. */
static void test_compare_other_spaces(void **state)
{
    (void)state;
    static const char other[] = "machine: gtx480\n"
                                "set: {l1d.replacement: fifo, l2.ways: 16}\n"
                                "workloads: [ATAX, GEMM]\n"
                                "axes:\n"
                                "  tlb.entries: [16, 32, 64, 128]\n"
                                "  l1d.size: [64KiB, 16KiB, 32KiB, 48KiB]\n"
                                "objectives: [l1d.misses, total.area]\n"
                                "metrics: [tlb.hit_rate]\n";
    const char *a = make_store(text, 1, 0), *b = make_store(other, 1, 0);
    struct found found;
    struct difference_summary summary;
    compare_into(a, b, &found, &summary);
    assert_int_equal(summary.shared, 24);
    assert_int_equal(summary.only_a, 24);
    assert_int_equal(summary.only_b, 8);
    assert_int_equal(found.kinds[DIFFERENCE_MACHINE], 1);  /* l2.ways */
    assert_int_equal(found.kinds[DIFFERENCE_AXIS], 2);     /* size, replacement */
    assert_int_equal(found.kinds[DIFFERENCE_WORKLOAD], 2); /* digests by position */
    assert_int_equal(found.kinds[DIFFERENCE_STUDY], 1);    /* l2.misses */
    /* The last value that differs belongs to equal machines on both sides. */
    assert_int_equal(found.last.kind, DIFFERENCE_METRIC);
    uint64_t p = found.last.a_point, q = found.last.b_point;
    assert_int_equal(p / 24, 1 - q / 16);
    assert_int_equal(p % 4, q % 16 / 4);
    assert_int_equal(p % 24 / 8 + 1, q % 4);
    assert_int_equal(p % 8 / 4, 1);
}

static void test_share_is_kept(void **state)
{
    (void)state;
    const char *path = scratch_store();
    struct study study;
    struct space space;
    struct store *store;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    study_from_text(text, &study);
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    const struct store_options share = {.durable = true, .shard = 2, .shards = 8};
    const struct store_options other = {.shard = 3, .shards = 8};
    assert_int_equal(store_create_with(path, &space, digests, &share, &store, NULL), STATUS_OK);
    store_close(store);
    assert_int_equal(store_create_with(path, &space, digests, &share, &store, NULL), STATUS_OK);
    store_close(store);
    assert_int_equal(store_create_with(path, &space, digests, &other, &store, &diagnostics),
                     STATUS_CONFLICT);
    assert_true(diagnostics_mention(&diagnostics, "holds shard 2/8 of the study, not shard 3/8"));
    assert_int_equal(store_create(path, &space, digests, &store, &diagnostics), STATUS_CONFLICT);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grouping),      cmocka_unit_test(test_across),
        cmocka_unit_test(test_across_groups), cmocka_unit_test(test_across_refuses),
        cmocka_unit_test(test_other_front),   cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_refuses), cmocka_unit_test(test_merge_finds_disagreement),
        cmocka_unit_test(test_compare),       cmocka_unit_test(test_compare_other_spaces),
        cmocka_unit_test(test_share_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
