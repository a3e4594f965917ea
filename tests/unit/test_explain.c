/* Explanations: what is explained where nobody says it, what cannot be, and what is left of one
 * that was cut short. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/explain.h"
#include "workload/workload.h"

static struct trace_source *source;
static struct machine machine;

static enum status run(struct explain_options *options, struct explanation *explanation,
                       struct diagnostics *diagnostics)
{
    options->threads = 2;
    return explain(&machine, source, options, explanation, diagnostics);
}

static void parts_are_those_asked_for(void **state)
{
    (void)state;
    for (unsigned parts = 0; parts <= (EXPLAIN_LADDER | EXPLAIN_LEVERS); parts++) {
        struct explain_options options = {.depth = DEPTH_TIMING, .parts = parts};
        struct explanation explanation;
        assert_int_equal(run(&options, &explanation, NULL), STATUS_OK);
        assert_true(explanation.complete);
        assert_ptr_equal(explanation.metric, metric_find("core.time"));
        assert_int_equal(explanation.ladder.rung_count > 0, (parts & EXPLAIN_LADDER) != 0);
        assert_int_equal(explanation.levers.single_count > 0, (parts & EXPLAIN_LEVERS) != 0);
        assert_int_equal(explanation.count.done, explanation.count.planned);
        assert_true(explanation.count.done >= 1 + NOISE_STARTS);
        explanation_free(&explanation);
    }
}

static void misses_where_there_is_no_time(void **state)
{
    (void)state;
    struct explain_options options = {.depth = DEPTH_FUNCTIONAL, .parts = EXPLAIN_LEVERS};
    struct explanation explanation;
    assert_int_equal(run(&options, &explanation, NULL), STATUS_OK);
    assert_ptr_equal(explanation.metric, metric_find("l2.misses"));
    assert_true(explanation.noise.floor == 0);
    explanation_free(&explanation);
    struct metrics nothing;
    metrics_clear(&nothing);
    assert_null(explain_metric(&nothing));
}

static void what_cannot_be_explained_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *metric, *why;
    } rows[] = {{"l1d.reuse.refused", "not counted at depth timing"},
                {"l1d.accesses", "neither better where it is lower"},
                {"tile.misses", "has no value here"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct explain_options options = {.depth = DEPTH_TIMING,
                                          .metric = metric_find(rows[i].metric)};
        struct explanation explanation;
        struct diagnostics found = DIAGNOSTICS_INIT;
        assert_int_equal(run(&options, &explanation, &found), STATUS_INVALID);
        assert_non_null(strstr(diagnostics_first(&found, STATUS_INVALID), rows[i].why));
        diagnostics_free(&found);
        explanation_free(&explanation);
    }
}

struct stopper {
    atomic_bool stop;
    unsigned reports, after;
};

static void count_reports(void *argument, double share)
{
    (void)share;
    struct stopper *stopper = argument;
    if (++stopper->reports == stopper->after)
        atomic_store(&stopper->stop, true);
}

/* Wherever it is stopped, what is there is whole, and what is missing is said. */
static void cut_short_anywhere(void **state)
{
    (void)state;
    static const unsigned afters[] = {1, 3, 7, 15, 30, 60, 120, 240};
    for (size_t i = 0; i < sizeof afters / sizeof *afters; i++) {
        struct stopper stopper = {.after = afters[i]};
        struct explain_options options = {.depth = DEPTH_TIMING,
                                          .parts = EXPLAIN_LADDER | EXPLAIN_LEVERS,
                                          .cancel = &stopper.stop,
                                          .progress = count_reports,
                                          .argument = &stopper};
        struct explanation explanation;
        const enum status status = run(&options, &explanation, NULL);
        assert_int_equal(explanation.complete, !status);
        if (status) {
            assert_int_equal(status, STATUS_CANCELLED);
            /* Equal where it was stopped between two batches. */
            assert_true(explanation.count.done <= explanation.count.planned);
            assert_false(explanation.ladder.complete && explanation.levers.pairs_complete);
        }
        explanation_free(&explanation);
    }
}

enum { COPIES = 400 };

struct watcher {
    struct explanation copies[COPIES];
    size_t count;
};

static void keep_copy(void *argument, const struct explanation *so_far)
{
    struct watcher *watcher = argument;
    if (watcher->count == COPIES) /* the last one is the newest */
        explanation_free(&watcher->copies[--watcher->count]);
    assert_int_equal(explanation_copy(so_far, &watcher->copies[watcher->count++]), STATUS_OK);
}

static const struct lever *same_lever(const struct levers *levers, const struct lever *lever)
{
    char wanted[LEVER_CHANGE_TEXT], text[LEVER_CHANGE_TEXT];
    lever_change_print(&lever->change, "", wanted);
    for (size_t i = 0; i < levers->single_count; i++)
        if (!strcmp(lever_change_print(&levers->singles[i].change, "", text), wanted))
            return &levers->singles[i];
    return NULL;
}

/* What is seen early is what is there at the end: nothing is estimated, and nothing goes away. */
static void assert_part_of(const struct explanation *part, const struct explanation *whole)
{
    assert_ptr_equal(part->metric, whole->metric);
    assert_true(part->count.done <= part->count.planned);
    for (size_t i = 0; i < part->ladder.limit_count; i++) {
        const double gain = part->ladder.limits[i].gain;
        const double end = ladder_gain_alone(&whole->ladder, part->ladder.limits[i].ideal);
        assert_true(isnan(gain) || gain == end);
    }
    for (size_t i = 0; i < part->ladder.rung_count; i++)
        assert_true(part->ladder.rungs[i].value == whole->ladder.rungs[i].value);
    for (size_t i = 0; i < part->levers.single_count; i++) {
        const struct lever *lever = &part->levers.singles[i];
        const struct lever *end = same_lever(&whole->levers, lever);
        assert_non_null(end);
        assert_true(lever->gain == end->gain);
        assert_true(i == 0 || lever->gain <= lever[-1].gain);
    }
}

static void it_is_seen_while_it_grows(void **state)
{
    (void)state;
    struct watcher *watcher = calloc(1, sizeof *watcher);
    assert_non_null(watcher);
    struct explain_options options = {.depth = DEPTH_TIMING,
                                      .parts = EXPLAIN_LADDER | EXPLAIN_LEVERS,
                                      .grown = keep_copy,
                                      .argument = watcher};
    struct explanation whole;
    size_t partly = 0;
    assert_int_equal(run(&options, &whole, NULL), STATUS_OK);
    for (size_t i = 0; i < watcher->count; i++) {
        const struct explanation *copy = &watcher->copies[i];
        assert_part_of(copy, &whole);
        assert_true(i == 0 || copy->count.done >= watcher->copies[i - 1].count.done);
        partly += copy->ladder.limit_count &&
                  isnan(copy->ladder.limits[copy->ladder.limit_count - 1].gain);
    }
    assert_true(partly > 0);
    assert_true(watcher->copies[watcher->count - 1].levers.pair_count == whole.levers.pair_count);
    for (size_t i = 0; i < watcher->count; i++)
        explanation_free(&watcher->copies[i]);
    free(watcher);
    explanation_free(&whole);
}

static int open_source(void **state)
{
    (void)state;
    if (machine_load("gtx480", NULL, &machine, NULL, NULL))
        return 1;
    machine.gpu.sms = 2;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_those_asked_for),
                                       cmocka_unit_test(misses_where_there_is_no_time),
                                       cmocka_unit_test(what_cannot_be_explained_says_why),
                                       cmocka_unit_test(cut_short_anywhere),
                                       cmocka_unit_test(it_is_seen_while_it_grows)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
