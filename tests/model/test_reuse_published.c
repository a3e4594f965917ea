/* The published reuse-distance program, entry by entry: totals, classes, runs and histogram of 213
 * runs on its synthetic traces. WARPSCAPE_TEST_ALL=1 takes all of them, else the small traces with
 * one seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "model/reuse/published.h"
#include "schema/parameters.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary.h"
#include "tests/support/trc_traces.h"
#include "trace/trace_file.h"

struct trace {
    char name[32];
    struct trace_source *source;
    struct published_loads *loads;
    uint64_t line;
};

static void close_trace(struct trace *trace)
{
    published_free(trace->loads);
    trace_source_free(trace->source);
    *trace = (struct trace){.name = ""};
}

static void open_trace(struct trace *trace, const char *name, uint64_t line, uint64_t bytes)
{
    if (strcmp(trace->name, name)) {
        close_trace(trace);
        char file[64], path[TEMPORARY_PATH];
        snprintf(trace->name, sizeof trace->name, "%s", name);
        snprintf(file, sizeof file, "%s_00.trc", name);
        FILE *out = fopen(temporary_path(temporary_folder, file, path), "w");
        assert_non_null(out);
        assert_true(trc_trace_write(name, out));
        assert_int_equal(ftell(out), bytes);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(trace_open(path, NULL, &trace->source, NULL), STATUS_OK);
    }
    if (trace->line != line || !trace->loads) {
        published_free(trace->loads);
        trace->loads = NULL;
        trace->line = line;
        assert_int_equal(published_prepare(trace->source, 0, line, UINT32_MAX, &trace->loads, NULL),
                         STATUS_OK);
    }
}

static uint64_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

static struct reuse_config configure(const json_t *config, uint64_t seed)
{
    return (struct reuse_config){
        .line = (uint32_t)number(config, "line_size"),
        .ways = (uint32_t)number(config, "cache_ways"),
        .sets = number(config, "cache_bytes") /
                (number(config, "line_size") * number(config, "cache_ways")),
        .latency = number(config, "mem_latency"),
        .sigma = (double)number(config, "mem_latency_stddev"),
        .mshrs = number(config, "num_mshr"),
        .seed = seed,
        .max_threads = 1536,
        .max_blocks = 8,
        .hierarchy = true,
        .divergence = true,
    };
}

static unsigned different;

static void check(const json_t *entry, const char *what, uint64_t expected, uint64_t found)
{
    if (expected == found)
        return;
    different++;
    print_error("%s seed %llu: %s is %llu, not %llu\n",
                json_string_value(json_object_get(entry, "trace")),
                (unsigned long long)number(entry, "seed"), what, (unsigned long long)found,
                (unsigned long long)expected);
}

static void check_runs(const json_t *entry, const struct reuse_run runs[REUSE_RUNS])
{
    static const char *const keys[] = {"M", "C", "K", "ticks", "refused"};
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        const struct reuse_run *run = &runs[i];
        const uint64_t found[] = {run->misses, run->distances[RECENCY_NEVER],
                                  run->distances[RECENCY_FAR], run->ticks, run->refused};
        for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++) {
            const json_t *list = json_object_get(entry, keys[k]);
            char what[32];
            snprintf(what, sizeof what, "%s[%u]", keys[k], i);
            check(entry, what, (uint64_t)json_integer_value(json_array_get(list, i)), found[k]);
        }
    }
    check(entry, "accesses", number(entry, "accesses"), runs[0].accesses);
    check(entry, "hits", number(entry, "hits"), runs[0].accesses - runs[0].misses);
    check(entry, "misses", number(entry, "misses_total"), runs[0].misses);
    check(entry, "textbook misses", number(entry, "misses_textbook_d_ge_W"),
          runs[0].misses + runs[0].distances[RECENCY_EDGE]);
}

static void check_classes(const json_t *entry, const struct reuse_run runs[REUSE_RUNS])
{
    static const char *const names[REUSE_CLASSES] = {[CLASS_COMPULSORY] = "compulsory",
                                                     [CLASS_CAPACITY] = "capacity",
                                                     [CLASS_ASSOCIATIVITY] = "associativity",
                                                     [CLASS_LATENCY] = "latency",
                                                     [CLASS_MSHR] = "mshr"};
    int64_t classes[REUSE_CLASSES];
    published_classes(runs, classes);
    const json_t *printed = json_object_get(entry, "printed");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i])
            check(entry, names[i], number(printed, names[i]), (uint64_t)classes[i]);
}

static void check_histogram(const json_t *entry, const struct reuse_histogram *histogram)
{
    const json_t *list = json_object_get(entry, "hist_le_16");
    uint64_t above = 0;
    for (size_t i = 0; i < 17; i++)
        check(entry, "histogram", (uint64_t)json_integer_value(json_array_get(list, i)),
              i < histogram->count ? histogram->counts[i] : 0);
    for (size_t i = 17; i < histogram->count; i++)
        above += histogram->counts[i];
    check(entry, "histogram above 16", number(entry, "hist_gt_16"), above);
    check(entry, "histogram infinite", number(entry, "hist_inf"), histogram->infinite);
}

static void check_entry(const json_t *entry, struct trace *trace, const json_t *traces)
{
    const char *name = json_string_value(json_object_get(entry, "trace"));
    struct reuse_config config = configure(json_object_get(entry, "config"), number(entry, "seed"));
    open_trace(trace, name, config.line, number(json_object_get(traces, name), "bytes"));
    struct reuse_run runs[REUSE_RUNS];
    struct reuse_histogram histogram = {0};
    assert_int_equal(published_simulate(trace->loads, &config, 15, runs,
                                        &(struct reuse_detail){.histogram = &histogram}, NULL),
                     STATUS_OK);
    check_runs(entry, runs);
    check_classes(entry, runs);
    check_histogram(entry, &histogram);
    check(entry, "loads", number(entry, "loads"), trace->loads->thread_loads);
    check(entry, "lines", number(entry, "distinct_lines"), trace->loads->line_count);
    reuse_histogram_free(&histogram);
    /* Without a histogram the stacks are cut short, which may change no number. */
    struct reuse_run again[REUSE_RUNS];
    assert_int_equal(published_simulate(trace->loads, &config, 15, again, NULL, NULL), STATUS_OK);
    assert_memory_equal(runs, again, sizeof runs);
}

static void equals_the_reference(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    if (!shared_data("reference/reuse/reference.json", path, sizeof path)) {
        print_message("no reference/reuse/reference.json beside the source tree\n");
        skip();
    }
    bool all = getenv("WARPSCAPE_TEST_ALL") != NULL;
    json_t *reference = json_load_file(path, 0, NULL);
    assert_non_null(reference);
    const json_t *traces = json_object_get(reference, "traces"), *entry;
    struct trace trace = {.name = ""};
    size_t i, checked = 0;
    json_array_foreach(json_object_get(reference, "runs"), i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "trace"));
        bool small = !strstr(name, "_1m") && number(entry, "seed") == 1;
        if (!all && !small)
            continue;
        check_entry(entry, &trace, traces);
        checked++;
    }
    close_trace(&trace);
    json_decref(reference);
    print_message("%zu runs\n", checked);
    assert_true(checked > 100);
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equals_the_reference, temporary_make, temporary_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
