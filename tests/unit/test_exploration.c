/* How a machine is explored: reading with all errors, what does not fit, writing, and the shipped
 * machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "config/exploration.h"
#include "config/machine_file.h"
#include "support/message_text.h"
#include "trace/stream.h"
#include "workload/workload.h"

/* Reads a machine with its exploration; the messages, malloc'ed. */
static char *read_text(const char *text, struct exploration *exploration)
{
    struct document *document;
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(document_parse(text, strlen(text), "m.yaml", &document, &diagnostics),
                     STATUS_OK);
    const enum status status = machine_from_document(document, &machine, &diagnostics);
    assert_int_equal(status, diagnostics.errors ? STATUS_INVALID : STATUS_OK);
    exploration_read(document, &machine, exploration, NULL);
    document_free(document);
    return messages_take(&diagnostics);
}

static void assert_read(const char *text, struct exploration *exploration)
{
    char *messages = read_text(text, exploration);
    assert_string_equal(messages, "");
    free(messages);
}

static void assert_same(const struct exploration *a, const struct exploration *b)
{
    assert_string_equal(a->workload, b->workload);
    assert_string_equal(a->hint, b->hint);
    assert_string_equal(a->family, b->family);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->chart, b->chart);
    assert_ptr_equal(a->selected, b->selected);
    assert_int_equal(a->metric_count, b->metric_count);
    for (size_t i = 0; i < a->metric_count; i++)
        assert_ptr_equal(a->metrics[i], b->metrics[i]);
}

static void all_keys_are_read_and_written(void **state)
{
    (void)state;
    struct exploration read, again;
    assert_read(
        "explore: {family: mine, hint: 'say \"so\" \\ or', workload: 'GEMM:n=64', depth: timing,\n"
        "  metrics: [core.ipc, l1d.miss_rate], select: l2.size, chart: time}\n",
        &read);
    assert_true(read.said);
    assert_string_equal(read.family, "mine");
    assert_string_equal(read.workload, "GEMM:n=64");
    assert_string_equal(read.hint, "say \"so\" \\ or");
    assert_int_equal(read.depth, DEPTH_TIMING);
    assert_int_equal(read.chart, CHART_TIME);
    assert_string_equal(read.selected->path, "l2.size");
    assert_int_equal(read.metric_count, 2);
    assert_string_equal(read.metrics[0]->path, "core.ipc");
    char *text;
    assert_int_equal(exploration_to_yaml(&read, &text), STATUS_OK);
    assert_read(text, &again);
    assert_same(&again, &read);
    free(text);
}

static void what_is_not_said_suits_the_kind(void **state)
{
    (void)state;
    struct exploration read;
    assert_read("l1d.size: 32KiB\n", &read);
    assert_false(read.said);
    assert_string_equal(read.workload, "2DCONV");
    assert_int_equal(read.depth, DEPTH_FUNCTIONAL);
    assert_non_null(strstr(read.hint, "counts cycles"));
    assert_read("explore:\nmachine.kind: simt\nl2.enabled: no\n", &read);
    assert_string_equal(read.workload, "simt-convolution");
    assert_non_null(strstr(read.hint, "active lanes"));
}

/* An edit may take away a stage: its metrics and parameters are not shown, and the file stays
 * legal. */
static void what_the_machine_lacks_is_left_out(void **state)
{
    (void)state;
    struct exploration read;
    assert_read("explore: {metrics: [walk.reduction, l1d.miss_rate], select: pwc.entries}\n"
                "tlb.enabled: no\n",
                &read);
    assert_int_equal(read.metric_count, 1);
    assert_string_equal(read.metrics[0]->path, "l1d.miss_rate");
    assert_null(read.selected);
}

static void all_errors_have_their_place(void **state)
{
    (void)state;
    struct exploration read;
    char *messages = read_text("explore:\n"
                               "  workloda: GEMM\n"
                               "  depth: timely\n"
                               "  metrics: [core.ipc, l1d.mis_rate]\n"
                               "  select: l1d.siez\n"
                               "  chart: curves\n"
                               "  hint: [a]\n",
                               &read);
    static const char *const expected[] = {
        "m.yaml:2:3: unknown key 'workloda' in explore; did you mean 'workload'?",
        "m.yaml:3:10: explore.depth: expected functional, reuse or timing, got 'timely'",
        "m.yaml:4:13: metric 'core.ipc' is not counted at depth functional",
        "m.yaml:4:23: unknown metric 'l1d.mis_rate'; did you mean 'l1d.miss_rate'?",
        "m.yaml:5:11: unknown parameter 'l1d.siez'; did you mean 'l1d.size'?",
        "m.yaml:6:10: explore.chart: expected a chart such as curve or distances, got 'curves'; "
        "did "
        "you mean 'curve'?",
        "m.yaml:7:9: explore.hint: expected one value"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strstr(messages, expected[i]))
            fail_msg("no \"%s\" in:\n%s", expected[i], messages);
    free(messages);
    messages = read_text("explore: GEMM\n", &read);
    assert_non_null(strstr(messages, "m.yaml:1:10: explore: expected a mapping"));
    free(messages);
}

static void only_so_many_metrics(void **state)
{
    (void)state;
    struct exploration read;
    char text[1024] = "explore:\n  metrics: [l1d.misses";
    for (int i = 0; i < EXPLORATION_METRICS; i++)
        strcat(text, ", l1d.misses");
    strcat(text, "]\n");
    char *messages = read_text(text, &read);
    assert_non_null(strstr(messages, "explore.metrics: expected at most 8"));
    assert_int_equal(read.metric_count, EXPLORATION_METRICS);
    free(messages);
}

/* What stands in Live before anything else. */
static bool has_headline(const struct machine *machine, enum depth depth)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].traits & METRIC_HEADLINE &&
            machine_has(machine, metric_table[i].stage) && metric_answered(&metric_table[i], depth))
            return true;
    return false;
}

/* Each opens with a workload that is there, a number and a hint, and its files lose no metric and
 * no parameter. */
static void shipped_machines_open(void **state)
{
    (void)state;
    size_t said = 0;
    for (const struct embedded_file *file = embedded_machines; file->name; file++) {
        struct exploration read;
        struct trace_source *source;
        struct machine machine;
        assert_read(file->text, &read);
        assert_int_equal(machine_load(file->name, NULL, &machine, NULL, NULL), STATUS_OK);
        assert_true(has_headline(&machine, read.depth));
        assert_true(read.hint[0]);
        assert_int_equal(workload_open(read.workload, &source, NULL), STATUS_OK);
        trace_source_free(source);
        said += read.said;
        const char *section = strstr(file->text, "explore:");
        assert_int_equal(!section, !read.said);
        assert_int_equal(section && strstr(section, "select:"), read.selected != NULL);
        const char *metrics = section ? strstr(section, "metrics: [") : NULL;
        size_t named = metrics != NULL;
        for (; metrics && *metrics != ']'; metrics++)
            named += *metrics == ',';
        assert_int_equal(read.metric_count, named);
    }
    assert_true(said >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keys_are_read_and_written),
        cmocka_unit_test(what_is_not_said_suits_the_kind),
        cmocka_unit_test(what_the_machine_lacks_is_left_out),
        cmocka_unit_test(all_errors_have_their_place),
        cmocka_unit_test(only_so_many_metrics),
        cmocka_unit_test(shipped_machines_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
