/* Machines in YAML: reading, all errors at once, writing, the shipped set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/rng.h"
#include "config/machine_file.h"
#include "support/message_text.h"
#include "support/temporary.h"

static enum status read_text(const char *text, struct machine *machine,
                             struct diagnostics *diagnostics)
{
    struct document *document;
    enum status status = document_parse(text, strlen(text), "m.yaml", &document, diagnostics);
    assert_int_equal(status, STATUS_OK);
    status = machine_from_document(document, machine, diagnostics);
    document_free(document);
    return status;
}

static void assert_errors(const char *text, const char *expected)
{
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(read_text(text, &machine, &diagnostics), STATUS_INVALID);
    char *found = messages_take(&diagnostics);
    assert_string_equal(found, expected);
    free(found);
}

static void test_nested_and_dotted(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "l1d: {size: 32KiB, mshr: {entries: 16}}\ngpu: {shared_options: [0, 8KiB]}\n",
        "l1d.size: 32KiB\nl1d.mshr.entries: 16\ngpu.shared_options: '[0, 8KiB]'\n",
        "l1d:\n  mshr.entries: 16\nl1d.size: 32KiB\ngpu:\n  shared_options:\n  - 0\n  - 8KiB\n",
        ("\xef\xbb\xbfl1d:\r\n  size: 32KiB\r\n  mshr:\r\n    entries: 16\r\n  # end\r\ngpu:\r\n"
         "  shared_options: [0, 8KiB]\r\nl2:\r\n"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct machine machine, expected;
        assert_int_equal(read_text(texts[i], &machine, NULL), STATUS_OK);
        machine_defaults(&expected);
        expected.l1d.size = 32768;
        expected.l1d.mshr.entries = 16;
        expected.gpu.shared_options = (struct sizes){{0, 8192}, 2};
        assert_true(machine_same(&machine, &expected, ~0u));
    }
}

static void test_errors(void **state)
{
    (void)state;
    assert_errors("l1d:\n  size: 16KiB\n  asoc: 4\n  line: four\n",
                  "m.yaml:3:3: unknown key 'asoc' in l1d; did you mean 'ways'?\n"
                  "    3 |   asoc: 4\n"
                  "      |   ^~~~\n"
                  "m.yaml:4:9: l1d.line: expected a power of two from 16B to 512B, got 'four'\n"
                  "    4 |   line: four\n"
                  "      |         ^~~~\n");
    assert_errors("l1d.siez: 1\nl1: 2\nL2.block: 3\ngpu: 4\nl1d: {entries: 3, mshr: {size: 1}}\n",
                  "m.yaml:1:1: unknown key 'l1d.siez'; did you mean 'l1d.size'?\n"
                  "    1 | l1d.siez: 1\n"
                  "      | ^~~~~~~~\n"
                  "m.yaml:2:1: unknown key 'l1'; did you mean 'l1d'?\n"
                  "    2 | l1: 2\n"
                  "      | ^~\n"
                  "m.yaml:3:1: unknown key 'L2.block'; did you mean 'l2.clock'?\n"
                  "    3 | L2.block: 3\n"
                  "      | ^~~~~~~~\n"
                  "m.yaml:4:6: gpu: expected a mapping of its parameters, got '4'\n"
                  "    4 | gpu: 4\n"
                  "      |      ^\n"
                  "m.yaml:5:7: unknown key 'entries' in l1d; did you mean 'mshr.entries'?\n"
                  "    5 | l1d: {entries: 3, mshr: {size: 1}}\n"
                  "      |       ^~~~~~~\n"
                  "m.yaml:5:26: unknown key 'size' in l1d.mshr\n"
                  "    5 | l1d: {entries: 3, mshr: {size: 1}}\n"
                  "      |                          ^~~~\n");
    assert_errors("l1d: {size: 1KiB, ways: 2}\nl1d.size: 2KiB\n",
                  "m.yaml:2:1: l1d.size is set twice, it stands on line 1 already\n"
                  "    2 | l1d.size: 2KiB\n"
                  "      | ^~~~~~~~\n");
    assert_errors(
        "l1d: {size: [1, 2], line: , index: {a: b}}\n",
        "m.yaml:1:13: l1d.size: expected a size from 128B to 64MiB, got a list\n"
        "    1 | l1d: {size: [1, 2], line: , index: {a: b}}\n"
        "      |             ^~~~~~\n"
        "m.yaml:1:21: l1d.line: expected a power of two from 16B to 512B, got ''\n"
        "    1 | l1d: {size: [1, 2], line: , index: {a: b}}\n"
        "      |                     ^~~~\n"
        "m.yaml:1:36: l1d.index: expected linear, xor, fermi, ipoly, prime, scatter or rotate, "
        "got a mapping\n"
        "    1 | l1d: {size: [1, 2], line: , index: {a: b}}\n"
        "      |                                    ^~~~~~\n");
    assert_errors("[1, 2]\n", "m.yaml:1:1: expected a mapping of parameters, for example 'l1d: "
                              "{size: 16KiB}'\n    1 | [1, 2]\n      | ^~~~~~\n");
}

static void test_rules_point_into_the_file(void **state)
{
    (void)state;
    assert_errors("l1d:\n  ways: 3\n",
                  "m.yaml:2:9: l1d.size: 16KiB is not a multiple of ways x line (3 x 128B)\n"
                  "    2 |   ways: 3\n"
                  "      |         ^\n");
    /* A rule about a group that could not be read is not guessed at; others are still checked. */
    assert_errors("l1d:\n  ways: x\n  size: 17000B\ntlb: {entries: 60, ways: 16}\n",
                  "m.yaml:2:9: l1d.ways: expected a whole number from 1 to 4096, got 'x'\n"
                  "    2 |   ways: x\n"
                  "      |         ^\n"
                  "m.yaml:4:16: tlb.entries: 60 is not a multiple of the ways (16)\n"
                  "    4 | tlb: {entries: 60, ways: 16}\n"
                  "      |                ^~\n");
}

static void test_errors_are_bounded(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 50000; i++)
        fprintf(out, "wrong%d: x\n", i);
    fclose(out);
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(read_text(text, &machine, &diagnostics), STATUS_INVALID);
    assert_int_equal(diagnostics.errors, 100);
    diagnostics_free(&diagnostics);
    free(text);
}

static void test_set_text(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    assert_int_equal(machine_set_text(&machine, "l1d.size=32KiB", NULL), STATUS_OK);
    assert_int_equal(machine.l1d.size, 32768);
    static const struct {
        const char *assignment, *expected;
    } cases[] = {
        {"l1d.size", "expected path=value, for example l1d.size=32KiB, got 'l1d.size'\n"},
        {"l1d.asoc=4", "unknown parameter 'l1d.asoc'; did you mean 'l1d.ways'?\n"},
        {"xyz=4", "unknown parameter 'xyz'\n"},
        {"l1d.ways=0", "l1d.ways: expected a whole number from 1 to 4096, got '0'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        struct machine before = machine;
        assert_int_equal(machine_set_text(&machine, cases[i].assignment, &diagnostics),
                         STATUS_INVALID);
        assert_true(machine_same(&machine, &before, ~0u));
        char *found = messages_take(&diagnostics);
        assert_string_equal(found, cases[i].expected);
        free(found);
    }
}

/* ---- settings that moved ---- */

/* Reads a machine and returns what is said of it. */
static char *messages_of(const char *text, enum status expected, struct machine *machine)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(read_text(text, machine, &diagnostics), expected);
    return messages_take(&diagnostics);
}

/* Former names are read, with a note, and written as they are called now. */
static void test_moved_settings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        enum status status;
        int throttle;
    } cases[] = {
        {"l1d.bypass.policy: ccws\n",
         "m.yaml:1:1: note: l1d.bypass.policy: ccws is now called scheduler.throttle: ccws",
         STATUS_OK, THROTTLE_CCWS},
        {"l1d:\n  bypass: {throttle: yes}\n",
         "m.yaml:2:12: note: l1d.bypass.throttle: yes is now called scheduler.throttle: congestion",
         STATUS_OK, THROTTLE_CONGESTION},
        {"l1d.bypass: {throttle: off}\n", "is now called scheduler.throttle: none", STATUS_OK,
         THROTTLE_NONE},
        {"l1d.bypass: {throttle: maybe}\n",
         "m.yaml:1:14: 'l1d.bypass.throttle' is now called scheduler.throttle: none, ccws or "
         "congestion",
         STATUS_INVALID, THROTTLE_NONE},
        {"l1d.bypass: {throttle: yes}\nscheduler.throttle: none\n",
         "m.yaml:2:1: scheduler.throttle is set twice, it stands on line 1 already", STATUS_INVALID,
         THROTTLE_CONGESTION},
        /* Files that the program wrote had all parameters: a switch that was off says nothing. */
        {"l1d.bypass: {policy: ccws, throttle: no}\n", "is now called scheduler.throttle: ccws",
         STATUS_OK, THROTTLE_CCWS},
        {"l1d.bypass: {throttle: no, policy: ccws}\n", "is now called scheduler.throttle: ccws",
         STATUS_OK, THROTTLE_CCWS},
    };
    struct machine machine;
    char *text;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = messages_of(cases[i].text, cases[i].status, &machine);
        if (!strstr(text, cases[i].says))
            fail_msg("%s", text);
        assert_int_equal(machine.scheduler.throttle, cases[i].throttle);
        assert_int_equal(machine.l1d.bypass.policy, BYPASS_NEVER);
        free(text);
    }
    machine_defaults(&machine);
    machine.l1d.bypass.policy = BYPASS_SAMPLED;
    assert_int_equal(machine_set_text(&machine, "l1d.bypass.policy=ccws", NULL), STATUS_OK);
    assert_int_equal(machine.l1d.bypass.policy, BYPASS_NEVER);
    assert_int_equal(machine_set_text(&machine, "l1d.bypass.throttle=no", NULL), STATUS_OK);
    assert_int_equal(machine.scheduler.throttle, THROTTLE_CCWS);
    assert_int_equal(machine_to_yaml(&machine, "t", &text), STATUS_OK);
    assert_non_null(strstr(text, "\n  throttle: ccws"));
    free(text);
    assert_int_equal(machine_set_text(&machine, "l1d.bypass.throttle=yes", NULL), STATUS_OK);
    assert_int_equal(machine.scheduler.throttle, THROTTLE_CONGESTION);
    assert_int_equal(machine_set_text(&machine, "l1d.bypass.throttle=no", NULL), STATUS_OK);
    assert_int_equal(machine.scheduler.throttle, THROTTLE_NONE);
    assert_int_equal(machine_set_text(&machine, "l1d.bypass.throttle=maybe", NULL), STATUS_INVALID);
}

/* ---- writing ---- */

static void assert_same_where_relevant(const struct machine *a, const struct machine *b)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (!parameter_relevant(parameter, a))
            continue;
        if (!parameter_equal(parameter, parameter_get(parameter, a), parameter_get(parameter, b)))
            fail_msg("%s differs", parameter->path);
    }
}

/* Steps a few random parameters; illegal machines are drawn again. */
static void random_machine(uint64_t seed, struct machine *machine)
{
    struct violation found[VIOLATION_MAX];
    for (uint64_t attempt = 0;; attempt++) {
        machine_defaults(machine);
        for (uint64_t i = 0; i < 12; i++) {
            uint64_t random = random_at(seed + attempt * 1000003, i);
            const struct parameter *parameter = &parameters[random % parameter_count];
            struct value value = parameter_get(parameter, machine);
            if (parameter_next(parameter, value, random & 1 << 20 ? 1 : -1, &value))
                parameter_set(parameter, machine, value);
        }
        if (!machine_check(machine, found))
            return;
    }
}

static void test_to_yaml_reads_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        struct machine machine, back;
        char *text;
        random_machine(i, &machine);
        if (i % 7 == 0) {
            machine.l1d.unified = 4 * machine.l1d.size;
            machine.gpu.shared_options = (struct sizes){{0, 64}, 2};
        }
        assert_int_equal(machine_to_yaml(&machine, "a\nb", &text), STATUS_OK);
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = read_text(text, &back, &diagnostics);
        char *messages = messages_take(&diagnostics);
        if (status)
            fail_msg("%s\n%s", text, messages);
        assert_same_where_relevant(&machine, &back);
        free(messages);
        free(text);
    }
}

static void test_to_yaml_text(void **state)
{
    (void)state;
    struct machine machine;
    char *text;
    machine_defaults(&machine);
    assert_int_equal(machine_to_yaml(&machine, "Mine", &text), STATUS_OK);
    const char *start = "# Mine\n"
                        "\n"
                        "gpu:\n"
                        "  sms: 15                     # streaming multiprocessors (SMs)\n";
    assert_memory_equal(text, start, strlen(start));
    assert_non_null(strstr(text, "\n\nl1d:\n  enabled: yes"));
    assert_non_null(strstr(text, "\n  mshr:\n    kind: sector"));
    assert_null(strstr(text, "shared_options")); /* means nothing without a carve-out */
    free(text);
}

/* ---- the shipped machines ---- */

static void test_shipped_machines_load(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct embedded_file *file = embedded_machines; file->name; file++, count++) {
        struct machine machine;
        struct document *document;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = machine_load(file->name, NULL, &machine, &document, &diagnostics);
        char *messages = messages_take(&diagnostics);
        if (status)
            fail_msg("%s", messages);
        free(messages);
        assert_int_equal(document_text(document, NULL)[0], '#'); /* says what it is */
        document_free(document);
    }
    assert_true(count >= 10);
}

static void test_gtx480_is_the_fallback(void **state)
{
    (void)state;
    struct machine machine, fallback;
    struct document *document;
    machine_defaults(&fallback);
    assert_int_equal(machine_load("gtx480", NULL, &machine, &document, NULL), STATUS_OK);
    assert_true(machine_same(&machine, &fallback, ~0u));
    /* It shows every key that matters for it, so that a new user sees them all. */
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        bool relevant = parameter_relevant(parameter, &machine);
        if (relevant && !document_find(document, parameter->path))
            fail_msg("gtx480.yaml does not show %s", parameter->path);
    }
    document_free(document);
}

static void test_load_by_path(void **state)
{
    (void)state;
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(machine_load("configs/machines/qv100.yaml", NULL, &machine, NULL, NULL), 0);
    assert_int_equal(machine.gpu.sms, 80);
    assert_int_equal(machine_load("../machines/a100.yaml", "configs/studies", &machine, NULL, NULL),
                     0);
    assert_int_equal(machine.gpu.sms, 108);
    assert_int_equal(machine_load("gtx48", NULL, &machine, NULL, &diagnostics), STATUS_NOT_FOUND);
    char *found = messages_take(&diagnostics);
    assert_string_equal(found, "no machine and no file 'gtx48'; did you mean 'gtx480'?\n");
    free(found);
    assert_int_not_equal(machine_load("configs", NULL, &machine, NULL, NULL), STATUS_OK);
}

/* Such a file is not the machine that somebody meant. */
static void test_blank_files(void **state)
{
    (void)state;
    static const char *const texts[] = {"\n", "\xef\xbb\xbf \n",
                                        "# -gpgpu_n_mem 6\n# l1d.size: 32KiB"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[TEMPORARY_PATH];
        struct machine machine;
        struct document *document;
        struct diagnostics found = DIAGNOSTICS_INIT;
        temporary_file(temporary_folder, "blank", texts[i], 0, path);
        assert_int_equal(machine_load(path, NULL, &machine, &document, &found), STATUS_INVALID);
        assert_null(document);
        char *messages = messages_take(&found);
        assert_non_null(strstr(messages, "no option of gpgpusim.config found in "));
        assert_non_null(strstr(messages, path));
        free(messages);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_and_dotted),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_rules_point_into_the_file),
        cmocka_unit_test(test_errors_are_bounded),
        cmocka_unit_test(test_set_text),
        cmocka_unit_test(test_moved_settings),
        cmocka_unit_test(test_to_yaml_reads_back),
        cmocka_unit_test(test_to_yaml_text),
        cmocka_unit_test(test_shipped_machines_load),
        cmocka_unit_test(test_gtx480_is_the_fallback),
        cmocka_unit_test(test_load_by_path),
        cmocka_unit_test(test_blank_files),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
