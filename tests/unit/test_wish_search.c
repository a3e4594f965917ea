/* Wishes: the twin evaluates every machine alone and takes the best one.
 *
 * cost: 20
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/geomean.h"
#include "config/machine_file.h"
#include "explore/space/legality.h"
#include "explore/sweep/axis_values.h"
#include "explore/wishes/wish_search.h"
#include "model/evaluate.h"
#include "workload/workload.h"

static const char axes[] = "l1d.index=linear,l1d.size=4KiB,8KiB,16KiB,l1d.ways=1,2,4,"
                           "l2.size=192KiB,384KiB,768KiB,l1d.mshr.merge=1,8";

static const char *const names[] = {"GEMM:n=16", "ATAX:n=64"};
enum { WORKLOADS = sizeof names / sizeof *names };
static struct trace_source *sources[WORKLOADS];
static size_t asked = 1; /* of the workloads */

static void make_study(enum depth depth, const char *over, struct study *study)
{
    *study = (struct study){.depth = depth};
    assert_int_equal(machine_load("gtx480", NULL, &study->machine, NULL, NULL), STATUS_OK);
    study->name = strdup("test");
    study->workloads = calloc(asked, sizeof *study->workloads);
    while (study->workload_count < asked) {
        study->workloads[study->workload_count] = strdup(names[study->workload_count]);
        study->workload_count++;
    }
    assert_int_equal(axes_parse(over, "", study, NULL), STATUS_OK);
}

static enum status search(const char *text, enum depth depth, const char *over,
                          struct wish_options options, struct wish_result *result)
{
    struct wish wish;
    struct study study;
    make_study(depth, over, &study);
    assert_int_equal(wish_parse(text, depth, &wish, NULL), STATUS_OK);
    assert_int_equal(stage_cache_open(NULL, STAGE_CACHE_BYTES, &options.cache, NULL), STATUS_OK);
    const enum status status = wish_search(&wish, &study, sources, &options, result, NULL);
    stage_cache_close(options.cache, NULL);
    study_free(&study);
    wish_free(&wish);
    return status;
}

/* Whether a machine satisfies a wish: the same conditions once more, in C. */
struct twin {
    const char *wish;
    enum depth depth;
    bool (*holds)(const struct metrics *metrics);
    double (*cost)(const struct metrics *metrics);
    size_t workloads; /* more than one: the cost is their geometric mean */
};

static bool is_fast(const struct metrics *metrics)
{
    return metrics->core_ipc >= 0.146;
}
static bool is_small(const struct metrics *metrics)
{
    return metrics->total_area <= 3.5;
}
static bool hits(const struct metrics *metrics)
{
    return metrics->l1d_miss_rate <= 0.54 && metrics->total_area > 3;
}
static bool hits_most(const struct metrics *metrics)
{
    return metrics->l1d_miss_rate <= 0.5;
}
static bool hits_some(const struct metrics *metrics)
{
    return metrics->l1d_miss_rate <= 0.8;
}
static bool never(const struct metrics *metrics)
{
    return metrics->core_ipc >= 1000;
}
static bool always(const struct metrics *metrics)
{
    (void)metrics;
    return true;
}
static double area(const struct metrics *metrics)
{
    return metrics->total_area;
}
static double speed(const struct metrics *metrics)
{
    return -metrics->core_ipc;
}
static double misses(const struct metrics *metrics)
{
    return metrics->l1d_misses;
}

static const struct twin twins[] = {
    {"core.ipc >= 0.146 min total.area", DEPTH_TIMING, is_fast, area, 1},
    {"max core.ipc with total.area <= 3.5", DEPTH_TIMING, is_small, speed, 1},
    {"l1d.miss_rate <= 54% and total.area > 3 min total.area", DEPTH_FUNCTIONAL, hits, area, 1},
    {"min l1d.misses", DEPTH_FUNCTIONAL, always, misses, 1},
    {"l1d.miss_rate <= 50% min total.area", DEPTH_FUNCTIONAL, hits_most, area, 2},
    {"min l1d.misses with l1d.miss_rate <= 80%", DEPTH_FUNCTIONAL, hits_some, misses, 2},
    {"core.ipc >= 1000 min total.area", DEPTH_TIMING, never, area, 1},
};
enum { TWINS = sizeof twins / sizeof *twins };

/* The least cost of all machines that hold; INFINITY if none does. */
static double best_of_all(const struct twin *twin, const struct wish_result *result,
                          size_t *holding)
{
    const struct evaluate_options options = {.depth = twin->depth};
    struct study free_of_conditions = result->study;
    free_of_conditions.where_count = 0;
    const struct space space = {.study = &free_of_conditions, .machines = result->machines};
    struct legality *legality;
    double best = INFINITY;
    *holding = 0;
    assert_int_equal(legality_create(&space, NULL, &legality, NULL), STATUS_OK);
    for (uint64_t m = 0; m < space.machines; m++) {
        struct machine machine;
        struct geomean cost = {0};
        double own = NAN;
        bool legal, holds = true;
        assert_int_equal(legality_test(legality, m, &legal, NULL), STATUS_OK);
        if (!legal)
            continue;
        space_machine(&space, m, &machine);
        for (size_t w = 0; w < twin->workloads; w++) {
            struct metrics metrics;
            assert_int_equal(evaluate(&machine, sources[w], &options, &metrics, NULL), STATUS_OK);
            holds = holds && twin->holds(&metrics);
            own = twin->cost(&metrics);
            geomean_add(&cost, own);
        }
        if (!holds)
            continue;
        best = fmin(best, twin->workloads > 1 ? geomean_value(&cost) : own);
        ++*holding;
    }
    legality_free(legality);
    return best;
}

static void the_best_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < TWINS; i++) {
        struct wish_result result;
        size_t holding;
        asked = twins[i].workloads;
        assert_int_equal(search(twins[i].wish, twins[i].depth, axes,
                                (struct wish_options){.threads = 2}, &result),
                         STATUS_OK);
        const double best = best_of_all(&twins[i], &result, &holding);
        assert_true(result.proof == WISH_ALL || result.proof == WISH_ALL_BETTER);
        assert_int_equal(holding > 0, result.row_count > 0);
        if (result.row_count)
            assert_true(result.rows[0].cost == best);
        if (result.proof == WISH_ALL)
            assert_int_equal(result.row_count, holding);
        else
            assert_true(result.tried < result.legal);
        assert_true(i < TWINS - 1 || holding == 0); /* the last one has no answer */
        assert_true(i == TWINS - 1 || holding > 0);
        wish_result_free(&result);
    }
    asked = 1;
}

static void check_same(const struct wish_result *a, const struct wish_result *b)
{
    assert_int_equal(a->tried, b->tried);
    assert_int_equal(a->proof, b->proof);
    assert_int_equal(a->row_count, b->row_count);
    assert_memory_equal(&a->bound, &b->bound, sizeof a->bound);
    for (size_t i = 0; i < a->row_count; i++) {
        assert_int_equal(a->rows[i].machine, b->rows[i].machine);
        assert_true(a->rows[i].cost == b->rows[i].cost);
    }
}

/* Cut short after any number of machines, what is said holds of all machines; and neither threads
 * nor a copy change anything. */
static void cut_short(void **state)
{
    (void)state;
    for (size_t i = 0; i < TWINS; i++, asked = 1)
        for (uint64_t points = 1; points < 40; points += 6) {
            struct wish_result one, two, copy;
            size_t holding;
            const struct wish_options options = {.threads = 1, .points = points};
            struct wish_options more = options;
            more.threads = 3;
            asked = twins[i].workloads;
            assert_int_equal(search(twins[i].wish, twins[i].depth, axes, options, &one), STATUS_OK);
            assert_int_equal(search(twins[i].wish, twins[i].depth, axes, more, &two), STATUS_OK);
            assert_int_equal(wish_result_copy(&two, &copy), STATUS_OK);
            check_same(&one, &two);
            wish_result_free(&two);
            check_same(&one, &copy);
            wish_result_free(&copy);
            assert_true(one.tried <= points);
            const double best = points == 19 ? best_of_all(&twins[i], &one, &holding) : NAN;
            if (!isnan(best) && !isnan(one.bound))
                assert_true(one.bound <= best); /* the goal of the others is an area */
            if (!isnan(best) && one.row_count)
                assert_true(one.rows[0].cost >= best);
            wish_result_free(&one);
        }
}

/* Without named axes they are levers; the machine's own value is on each. */
static void axes_are_chosen(void **state)
{
    (void)state;
    struct wish_result result;
    assert_int_equal(search("max core.ipc with total.area <= 3.5", DEPTH_TIMING, "",
                            (struct wish_options){.threads = 2, .points = 20}, &result),
                     STATUS_OK);
    assert_true(result.chosen > 20 && result.study.axis_count > 2);
    for (size_t a = 0; a < result.study.axis_count; a++) {
        const struct axis *axis = &result.study.axes[a];
        size_t own = 0;
        for (size_t i = 0; i < axis->count; i++)
            own += parameter_equal(axis->parameter, axis->values[i],
                                   parameter_get(axis->parameter, &result.study.machine));
        assert_int_equal(own, 1);
        assert_true(axis->count > 1);
        assert_int_equal(axis->parameter->role, ROLE_LEVER);
    }
    char *set = wish_settings(&result, result.rows[0].machine, "-s ");
    assert_true(strstr(set, "-s ") == set);
    free(set);
    wish_result_free(&result);
}

static void stopped_and_refused(void **state)
{
    (void)state;
    struct wish_result result;
    const atomic_bool cancel = true;
    assert_int_equal(search(twins[0].wish, DEPTH_TIMING, axes,
                            (struct wish_options){.cancel = &cancel}, &result),
                     STATUS_CANCELLED);
    assert_int_equal(result.tried, 0);
    wish_result_free(&result);
    assert_int_equal(search("l1d.ways = 3 min total.area", DEPTH_FUNCTIONAL, axes,
                            (struct wish_options){0}, &result),
                     STATUS_INVALID);
    wish_result_free(&result);
}

static int open_source(void **state)
{
    (void)state;
    for (size_t w = 0; w < WORKLOADS; w++)
        if (workload_open(names[w], &sources[w], NULL))
            return 1;
    return 0;
}

static int close_source(void **state)
{
    (void)state;
    for (size_t w = 0; w < WORKLOADS; w++)
        trace_source_free(sources[w]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_found), cmocka_unit_test(cut_short),
        cmocka_unit_test(axes_are_chosen), cmocka_unit_test(stopped_and_refused)};
    return cmocka_run_group_tests(tests, open_source, close_source);
}
