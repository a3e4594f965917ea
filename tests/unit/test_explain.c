/* Explanations: what is explained where nobody says it, what cannot be, and what is left of one
 * that was cut short. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
            assert_true(explanation.count.done < explanation.count.planned);
            assert_false(explanation.ladder.complete && explanation.levers.pairs_complete);
        }
        explanation_free(&explanation);
    }
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
                                       cmocka_unit_test(cut_short_anywhere)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
