/* Studies in YAML: reading, ranges, all errors at once, writing, the shipped set. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/study_file.h"
#include "support/message_text.h"

static enum status read_text(const char *text, struct study *study, struct diagnostics *diagnostics)
{
    struct document *document;
    enum status status = document_parse(text, strlen(text), "s.yaml", &document, diagnostics);
    assert_int_equal(status, STATUS_OK);
    status = study_from_document(document, NULL, study, diagnostics);
    document_free(document);
    return status;
}

static void read_good(const char *text, struct study *study)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = read_text(text, study, &diagnostics);
    char *messages = messages_take(&diagnostics);
    if (status || *messages)
        fail_msg("%s", messages);
    free(messages);
}

static void assert_errors(const char *text, const char *expected)
{
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(read_text(text, &study, &diagnostics), STATUS_INVALID);
    char *found = messages_take(&diagnostics);
    assert_string_equal(found, expected);
    free(found);
}

static const char whole[] = "machine: gtx480\n"
                            "workloads: [2DCONV:n=512, conv2d-512]\n"
                            "set:\n"
                            "  l1d: {mshr: {merge: 16}}\n"
                            "axes:\n"
                            "  l1d.size: {from: 4KiB, to: 64KiB, factor: 2}\n"
                            "  l1d.ways: {from: 1, to: 9, step: 2}\n"
                            "  l1d:\n"
                            "    line: [128B, 64B]\n"
                            "    replacement: all\n"
                            "  l2.size: {from: 1MiB, to: 5MiB}\n"
                            "  tech.node: {from: 20nm, to: 40nm, step: 10nm}\n"
                            "  l2.flush: yes\n"
                            "where:\n"
                            "- l1d.size <= 32768\n"
                            "- \"l1d.ways != 3 # really\"\n"
                            "filters: l1d.area < 0.5\n"
                            "objectives:\n"
                            "- l1d.miss_rate: minimize\n"
                            "- total.area\n"
                            "- l1d.accesses: maximize\n"
                            "metrics: [l1d.misses, l2.misses]\n"
                            "seed: 7\n";

static void assert_axis(const struct study *study, size_t index, const char *path,
                        const char *values)
{
    const struct axis *axis = &study->axes[index];
    char text[400], value[VALUE_TEXT];
    size_t used = 0;
    assert_string_equal(axis->parameter->path, path);
    for (size_t i = 0; i < axis->count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                                 parameter_print(axis->parameter, axis->values[i], value));
    assert_string_equal(text, values);
}

static void assert_every_choice(const struct study *study, size_t index, const char *path)
{
    const struct axis *axis = &study->axes[index];
    assert_string_equal(axis->parameter->path, path);
    assert_int_equal(axis->count, axis->parameter->choice_count);
    for (size_t i = 0; i < axis->count; i++)
        assert_int_equal(axis->values[i].uint, i);
}

static void test_whole_study(void **state)
{
    (void)state;
    struct study study;
    read_good(whole, &study);
    assert_string_equal(study.name, "s");
    assert_string_equal(study.machine_name, "gtx480");
    assert_int_equal(study.machine.l1d.mshr.merge, 16);
    assert_int_equal(study.workload_count, 2);
    assert_string_equal(study.workloads[0], "2DCONV:n=512");
    assert_int_equal(study.axis_count, 7);
    assert_axis(&study, 0, "l1d.size", "4KiB 8KiB 16KiB 32KiB 64KiB");
    assert_axis(&study, 1, "l1d.ways", "1 3 5 7 9");
    assert_axis(&study, 2, "l1d.line", "128B 64B");
    assert_every_choice(&study, 3, "l1d.replacement");
    assert_axis(&study, 4, "l2.size", "1MiB 2MiB 4MiB");
    assert_axis(&study, 5, "tech.node", "20nm 30nm 40nm");
    assert_axis(&study, 6, "l2.flush", "yes");
    assert_int_equal(study.axes[0].line, 6);
    assert_int_equal(study.where_count, 2);
    assert_string_equal(study.where[1].text, "l1d.ways != 3 # really");
    assert_int_equal(study.where[1].line, 16);
    assert_int_equal(study.filter_count, 1);
    assert_int_equal(study.filters[0].line, 17);
    assert_int_equal(study.objective_count, 3);
    assert_int_equal(study.objectives[1].direction, LOWER_IS_BETTER);
    assert_int_equal(study.objectives[2].direction, HIGHER_IS_BETTER);
    assert_int_equal(study.column_count, 2);
    assert_int_equal(study.seed, 7);
    study_free(&study);
}

static void assert_same_study(const struct study *a, const struct study *b)
{
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->assumed, b->assumed);
    assert_true(machine_same(&a->machine, &b->machine, ~0u));
    assert_int_equal(a->axis_count, b->axis_count);
    for (size_t i = 0; i < a->axis_count; i++) {
        assert_ptr_equal(a->axes[i].parameter, b->axes[i].parameter);
        assert_int_equal(a->axes[i].count, b->axes[i].count);
        for (size_t k = 0; k < a->axes[i].count; k++)
            assert_true(
                parameter_equal(a->axes[i].parameter, a->axes[i].values[k], b->axes[i].values[k]));
    }
    assert_int_equal(a->workload_count, b->workload_count);
    for (size_t i = 0; i < a->workload_count; i++)
        assert_string_equal(a->workloads[i], b->workloads[i]);
    assert_int_equal(a->where_count, b->where_count);
    for (size_t i = 0; i < a->where_count; i++)
        assert_string_equal(a->where[i].text, b->where[i].text);
    assert_int_equal(a->filter_count, b->filter_count);
    for (size_t i = 0; i < a->filter_count; i++)
        assert_string_equal(a->filters[i].text, b->filters[i].text);
    assert_int_equal(a->objective_count, b->objective_count);
    for (size_t i = 0; i < a->objective_count; i++) {
        assert_ptr_equal(a->objectives[i].metric, b->objectives[i].metric);
        assert_int_equal(a->objectives[i].direction, b->objectives[i].direction);
    }
    assert_int_equal(a->column_count, b->column_count);
    for (size_t i = 0; i < a->column_count; i++)
        assert_ptr_equal(a->columns[i], b->columns[i]);
    assert_int_equal(a->seed, b->seed);
}

static void assert_writes_back(const struct study *study)
{
    struct study back;
    char *text;
    assert_int_equal(study_to_yaml(study, &text), STATUS_OK);
    read_good(text, &back);
    assert_same_study(study, &back);
    study_free(&back);
    free(text);
}

static void test_to_yaml_reads_back(void **state)
{
    (void)state;
    struct study study;
    read_good(whole, &study);
    assert_writes_back(&study);
    char *text;
    assert_int_equal(study_to_yaml(&study, &text), STATUS_OK);
    assert_non_null(strstr(text, "set:\n  l1d.mshr.merge: 16\n"));
    assert_non_null(strstr(text, "  l1d.replacement: all\n"));
    assert_non_null(strstr(text, "  - \"l1d.ways != 3 # really\"\n"));
    free(text);
    study_free(&study);
    read_good("machine: gtx480\nworkloads: a\nobjectives: l1d.miss_rate\naxes:\n"
              "  l1d.ways: {from: 1, to: 4096}\n"
              "  l1d.size: {from: 128B, to: 64MiB, factor: 2}\n"
              "  l2.size: [1MiB, 2MiB, 4MiB, 8MiB, 16MiB, 33MiB, 64MiB]\n"
              "  seed: [5, 4, 3, 2, 1, 0]\n",
              &study);
    assert_writes_back(&study);
    assert_int_equal(study_to_yaml(&study, &text), STATUS_OK);
    assert_non_null(strstr(text, "l1d.ways: {from: 1, to: 4096, step: 1}"));
    assert_non_null(strstr(text, "l1d.size: {from: 128B, to: 64MiB, factor: 2}"));
    free(text);
    study_free(&study);
}

/* A depth is what the file says, else what the metrics need; both are read back. */
static void test_depth(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum depth depth;
    } cases[] = {{"metrics: [l1d.misses]", DEPTH_FUNCTIONAL},
                 {"depth: reuse", DEPTH_REUSE},
                 {"depth: functional", DEPTH_FUNCTIONAL},
                 {"metrics: [l1d.reuse.ticks, l1d.area, l1d.miss.capacity]", DEPTH_REUSE},
                 {"metrics: [l1d.reuse.ticks]\nfilters: [l1d.reuse.ticks < 5]", DEPTH_REUSE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        struct study study;
        snprintf(text, sizeof text,
                 "machine: gtx480\nworkloads: [a]\nobjectives: [l1d.miss_rate]\n%s\n",
                 cases[i].line);
        read_good(text, &study);
        assert_int_equal(study.depth, cases[i].depth);
        assert_writes_back(&study);
        study_free(&study);
    }
}

/* What is assumed of traces is written back, and needs a depth in which time passes, said or not.
 */
static void test_assumed(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum assumed_dependences assumed;
    } cases[] = {{"depth: timing", ASSUMED_NOTHING},
                 {"depth: timing\nassume: serial", ASSUMED_SERIAL},
                 {"assume: independent\nmetrics: [core.ipc]", ASSUMED_INDEPENDENT},
                 {"depth: timing\nassume: none", ASSUMED_NOTHING},
                 {"assume: none", ASSUMED_NOTHING}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        struct study study;
        snprintf(text, sizeof text,
                 "machine: gtx480\nworkloads: [a]\nobjectives: [total.area]\n%s\n", cases[i].line);
        read_good(text, &study);
        assert_int_equal(study.assumed, cases[i].assumed);
        assert_writes_back(&study);
        study_free(&study);
    }
}

static void test_errors_at_once(void **state)
{
    (void)state;
    assert_errors("machin: gtx480\nworkloads: []\nseed: -1\n",
                  "s.yaml: a study needs a machine, for example 'machine: gtx480'\n"
                  "s.yaml:1:1: unknown key 'machin' of a study; did you mean 'machine'?\n"
                  "    1 | machin: gtx480\n"
                  "      | ^~~~~~\n"
                  "s.yaml:2:12: workloads: a study needs at least one\n"
                  "    2 | workloads: []\n"
                  "      |            ^~\n"
                  "s.yaml:3:7: seed: expected a whole number, got '-1'\n"
                  "    3 | seed: -1\n"
                  "      |       ^~\n");
}

/* Each line alone spoils a good study, with a message that holds the words. */
static void test_each_error(void **state)
{
    (void)state;
    static const struct {
        const char *line, *expected;
    } cases[] = {
        {"axes: {l1d.asoc: [1]}", "unknown key 'l1d.asoc' in axes; did you mean 'l1d.ways'?"},
        {"axes: {l1d: {asoc: [1]}}", "unknown key 'asoc' in axes.l1d; did you mean 'ways'?"},
        {"axes: {l1d.ways: [1, 2, 1]}", "s.yaml:4:25: l1d.ways: 1 is listed twice"},
        {"axes: {l1d.ways: []}", "needs at least one value"},
        {"axes: {l1d.ways: [1, x]}", "expected a whole number from 1 to 4096, got 'x'"},
        {"axes: {l1d.ways: all}", "'all' needs a parameter with choices"},
        {"axes: {l1d.ways: {from: 1}}", "a range needs from and to"},
        {"axes: {l1d.ways: {from: 4, to: 1}}", "from is greater than to"},
        {"axes: {l1d.ways: {from: 1, to: 4, stp: 1}}", "did you mean 'step'?"},
        {"axes: {l1d.ways: {from: 1, to: 4, step: 0}}", "expected a step greater than 0"},
        {"axes: {l1d.ways: {from: 1, to: 4, factor: 1}}", "expected a factor greater than 1"},
        {"axes: {l1d.ways: {from: 1, to: 4, step: 1, factor: 2}}", "not both"},
        {"axes: {l1d.port: {from: 0, to: 64, factor: 2}}", "cannot start at 0"},
        {"axes: {l1d.line: {from: 64, to: 128, step: 32}}", "the range gives 96B, but expected"},
        {"axes: {l1d.index: {from: linear, to: xor}}", "only numbers have ranges"},
        {"axes: {gpu.shared_options: [[0]]}", "cannot be an axis"},
        {"axes: {seed: {from: 0, to: 9007199254740991, step: 1}}", "more than 65536 values"},
        {"axes: {l1d.ways: [1], l1d: {ways: [2]}}", "l1d.ways is set twice"},
        {"axes: 5", "axes: expected a mapping of parameters"},
        {"set: {l1d.ways: 0}", "l1d.ways: expected a whole number"},
        {"set: {foo: 0}", "unknown key 'foo' in set"},
        {"where: {a: b}", "expected an expression"},
        {"where: [[a]]", "expected an expression"},
        {"where: [a, a]", "'a' is listed twice"},
        {"filters: ['']", "expected an expression"},
        {"metrics: [l1d.missrate]", "unknown metric 'l1d.missrate'; did you mean 'l1d.miss_rate'?"},
        {"depth: functional\nmetrics: [l1d.miss.latency]",
         "metric 'l1d.miss.latency' is not counted at depth functional"},
        {"depth: reuse\nmetrics: [l2.misses]", "metric 'l2.misses' is not counted at depth reuse"},
        {"metrics: [l1d.miss.latency, l2.misses]",
         "metric 'l2.misses' is not counted at depth reuse, but at functional; others of the "
         "study need depth reuse"},
        {"depth: timing\nassume: serail",
         "s.yaml:5:9: assume: there is no assumption 'serail'; did you mean 'serial'?"},
        {"depth: timing\nassume: [serial]", "assume: there is no assumption 'a list'"},
        {"depth: reuse\nassume: serial", "s.yaml:5:9: assume: at depth reuse no instruction waits"},
        {"assume: serial", "assume: at depth functional no instruction waits for another"},
        {"depth: deep", "depth: expected functional, reuse or timing, got 'deep'"},
        {"depth: [reuse]", "depth: expected functional, reuse or timing"},
        {"metrics: [l1d.misses, l1d.misses]", "listed twice"},
        {"workloads2: x", "did you mean 'workloads'?"},
        {"seed: [1]", "seed: expected a whole number"},
        {"gpu: {sms: 4}", "unknown key 'gpu' of a study"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        struct study study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        snprintf(text, sizeof text,
                 "machine: gtx480\nworkloads: [a]\nobjectives: [l1d.miss_rate]\n%s\n",
                 cases[i].line);
        assert_int_equal(read_text(text, &study, &diagnostics), STATUS_INVALID);
        char *found = messages_take(&diagnostics);
        if (!strstr(found, cases[i].expected))
            fail_msg("%s: expected '%s' in\n%s", cases[i].line, cases[i].expected, found);
        free(found);
    }
}

static void test_objective_errors(void **state)
{
    (void)state;
    static const struct {
        const char *objectives, *expected;
    } cases[] = {
        {"[l1d.accesses]", "l1d.accesses is neither better low nor high"},
        {"[l1d.accesses: ]", "neither better low nor high"},
        {"[l1d.miss_rate: least]", "expected minimize or maximize, got 'least'"},
        {"[l1d.miss_rate, l1d.miss_rate: minimize]", "is an objective already"},
        {"[l1d.mis_rate]", "did you mean 'l1d.miss_rate'?"},
        {"[[l1d.miss_rate]]", "expected a metric"},
        {"{foo: minimize}", "unknown metric 'foo'"},
        {"[]", "a study needs objectives (or metrics to record)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        struct study study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        snprintf(text, sizeof text, "machine: gtx480\nworkloads: [a]\nobjectives: %s\n",
                 cases[i].objectives);
        assert_int_equal(read_text(text, &study, &diagnostics), STATUS_INVALID);
        char *found = messages_take(&diagnostics);
        if (!strstr(found, cases[i].expected))
            fail_msg("%s: expected '%s' in\n%s", cases[i].objectives, cases[i].expected, found);
        free(found);
    }
}

static void test_machine_errors(void **state)
{
    (void)state;
    assert_errors("machine: gtx408\nworkloads: [a]\nobjectives: [l1d.miss_rate]\n",
                  "s.yaml:1:10: machine: no machine and no file 'gtx408'; did you mean 'gtx480'?\n"
                  "    1 | machine: gtx408\n"
                  "      |          ^~~~~~\n");
    struct study study;
    assert_int_equal(study_load("/nonexistent.yaml", &study, NULL), STATUS_NOT_FOUND);
    assert_null(study.name);
}

static void test_shipped_studies_load(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("configs/studies/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct study study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = study_load(files.gl_pathv[i], &study, &diagnostics);
        char *messages = messages_take(&diagnostics);
        if (status)
            fail_msg("%s", messages);
        free(messages);
        assert_string_equal(study.path, files.gl_pathv[i]);
        assert_true(study.axis_count > 0);
        double points = 1;
        for (size_t k = 0; k < study.axis_count; k++)
            points *= (double)study.axes[k].count;
        if (strstr(files.gl_pathv[i], "bfs-conv"))
            assert_true(points == 25200);
        if (strstr(files.gl_pathv[i], "overnight"))
            assert_true(points == 1075200);
        assert_writes_back(&study);
        study_free(&study);
    }
    assert_true(files.gl_pathc >= 3);
    globfree(&files);
}

static void test_recognition(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool study;
    } cases[] = {{"machine: a\n", true}, {"axes: {}\n", true}, {"workloads: x\nl1d: 3\n", true},
                 {"l1d: {}\n", false},   {"seed: 1\n", false}, {"", false},
                 {"[machine]\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct document *document;
        assert_int_equal(document_parse(cases[i].text, strlen(cases[i].text), "x", &document, NULL),
                         0);
        assert_int_equal(document_is_study(document), cases[i].study);
        document_free(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_study),
        cmocka_unit_test(test_to_yaml_reads_back),
        cmocka_unit_test(test_errors_at_once),
        cmocka_unit_test(test_each_error),
        cmocka_unit_test(test_objective_errors),
        cmocka_unit_test(test_machine_errors),
        cmocka_unit_test(test_shipped_studies_load),
        cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_assumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
