/* Blaming: arrays are those given, those of the program, or regions; at a depth with time
 * instructions have what was waited for them; and what was cut short says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/blaming.h"
#include "workload/workload.h"

static struct machine machine;

static enum status blame(const char *workload, enum depth depth, const struct trace_array *given,
                         size_t count, const atomic_bool *cancel, struct blaming *blaming,
                         struct trace_source **source)
{
    struct explain_options options = {.depth = depth, .threads = 1};
    struct explanation explanation;
    assert_int_equal(workload_open(workload, source, NULL), STATUS_OK);
    assert_int_equal(explain(&machine, *source, &options, &explanation, NULL), STATUS_OK);
    options.cancel = cancel;
    const enum status status =
        blaming_find(&machine, *source, given, count, &options, &explanation, blaming, NULL);
    explanation_free(&explanation);
    return status;
}

static void arrays_have_names(void **state)
{
    (void)state;
    static const struct trace_array given = {"all", 0, UINT64_MAX};
    struct trace_source *source;
    struct blaming blaming;
    assert_int_equal(blame("GEMM:n=16", DEPTH_FUNCTIONAL, NULL, 0, NULL, &blaming, &source),
                     STATUS_OK);
    assert_true(blaming.complete && blaming.array_count == source->array_count);
    assert_ptr_equal(blaming.regions, NULL);
    blaming_free(&blaming);
    trace_source_free(source);
    assert_int_equal(blame("GEMM:n=16", DEPTH_FUNCTIONAL, &given, 1, NULL, &blaming, &source),
                     STATUS_OK);
    assert_string_equal(blaming.arrays[0].name, "all");
    const struct blame_cache *cache = &blaming.blame.caches[0];
    assert_int_equal(cache->tables[BLAME_ARRAYS].count, 1);
    assert_int_equal(cache->tables[BLAME_ARRAYS].rows[0].counts.misses, cache->total.counts.misses);
    blaming_free(&blaming);
    trace_source_free(source);
    assert_int_equal(
        blame("GEMM:n=16,spread=4", DEPTH_FUNCTIONAL, NULL, 0, NULL, &blaming, &source), STATUS_OK);
    assert_non_null(blaming.regions);
    blaming_free(&blaming);
    trace_source_free(source);
}

static void instructions_waited_where_time_passes(void **state)
{
    (void)state;
    struct trace_source *source;
    struct blaming blaming;
    double waited = 0;
    assert_int_equal(blame("GEMM:n=16", DEPTH_TIMING, NULL, 0, NULL, &blaming, &source), STATUS_OK);
    const struct blame_table *rows = &blaming.blame.caches[0].tables[BLAME_INSTRUCTIONS];
    for (size_t i = 0; i < rows->count; i++)
        waited += fmax(blaming_waited(&blaming, rows->rows[i].key), 0);
    assert_true(waited > 0);
    blaming_free(&blaming);
    trace_source_free(source);
}

static void cut_short_says_so(void **state)
{
    (void)state;
    atomic_bool cancel = true;
    struct trace_source *source;
    struct blaming blaming;
    assert_int_equal(blame("GEMM:n=16", DEPTH_FUNCTIONAL, NULL, 0, &cancel, &blaming, &source),
                     STATUS_CANCELLED);
    assert_false(blaming.complete);
    blaming_free(&blaming);
    trace_source_free(source);
}

static int load_machine(void **state)
{
    (void)state;
    return machine_load("gtx480", NULL, &machine, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_have_names),
                                       cmocka_unit_test(instructions_waited_where_time_passes),
                                       cmocka_unit_test(cut_short_says_so)};
    return cmocka_run_group_tests(tests, load_machine, NULL);
}
