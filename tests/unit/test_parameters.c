/* The parameter table: every row prints, parses and steps within its own rules. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "schema/metrics.h"
#include "schema/parameters.h"

static void assert_legal(const struct parameter *parameter, struct value value)
{
    char text[VALUE_TEXT], why[VALUE_TEXT];
    struct value back;
    parameter_print(parameter, value, text);
    if (parameter_parse(parameter, text, &back, why))
        fail_msg("%s: '%s' is not legal: %s", parameter->path, text, why);
    if (!parameter_equal(parameter, value, back))
        fail_msg("%s: '%s' reads back as something else", parameter->path, text);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        assert_ptr_equal(parameter_find(parameter->path), parameter);
        assert_true(*parameter->help != '\0');
        assert_true(parameter->stages != 0);
        assert_legal(parameter, parameter->fallback);
        char text[VALUE_TEXT], why[VALUE_TEXT];
        parameter_expects(parameter, text);
        assert_true(strlen(text) < VALUE_TEXT - 1);
        struct value value;
        assert_int_equal(parameter_parse(parameter, "&", &value, why), STATUS_INVALID);
        assert_non_null(strstr(why, "expected "));
        for (size_t k = 0; k < i; k++) /* no two rows share a field */
            assert_true(parameters[k].offset != parameter->offset);
    }
    assert_null(parameter_find("l1d"));
    assert_null(parameter_find(""));
    assert_string_equal(parameter_nearest("l1d.siez"), "l1d.size");
}

/* From the bottom to the top and back; every stop is legal and the steps do not repeat. */
static void walk(const struct parameter *parameter, struct value value, int direction)
{
    struct value next;
    for (int steps = 0; steps < 300 && parameter_next(parameter, value, direction, &next);
         steps++) {
        double before = parameter_number(parameter, value);
        double after = parameter_number(parameter, next);
        assert_true(direction > 0 ? after > before : after < before);
        assert_legal(parameter, next);
        value = next;
    }
}

static void test_next_stays_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        struct value next;
        if (parameter->type == PARAMETER_SIZES) {
            assert_false(parameter_next(parameter, parameter->fallback, 1, &next));
            continue;
        }
        struct value low = {.uint = (uint64_t)parameter->min, .real = parameter->min};
        struct value high = {.uint = (uint64_t)parameter->max, .real = parameter->max};
        assert_false(parameter_next(parameter, low, -1, &next));
        assert_false(parameter_next(parameter, high, 1, &next));
        walk(parameter, low, 1);
        walk(parameter, high, -1);
        walk(parameter, parameter->fallback, 1);
        walk(parameter, parameter->fallback, -1);
    }
}

static void test_ranges(void **state)
{
    (void)state;
    struct value value;
    char why[VALUE_TEXT];
    const struct parameter *line = parameter_find("l1d.line");
    assert_int_equal(parameter_parse(line, "64B", &value, why), STATUS_OK);
    assert_int_equal(value.uint, 64);
    assert_int_equal(parameter_parse(line, "four", &value, why), STATUS_INVALID);
    assert_string_equal(why, "expected a power of two from 16B to 512B, got 'four'");
    assert_int_equal(parameter_parse(line, "96B", &value, why), STATUS_INVALID);
    assert_int_equal(parameter_parse(line, "1KiB", &value, why), STATUS_INVALID);
    const struct parameter *policy = parameter_find("l1d.replacement");
    assert_int_equal(parameter_parse(policy, "lrru", &value, why), STATUS_INVALID);
    assert_non_null(strstr(why, "did you mean 'lru'?"));
    const struct parameter *sizes = parameter_find("gpu.shared_options");
    assert_int_equal(parameter_parse(sizes, "[0, 8KiB, 16KiB]", &value, why), STATUS_OK);
    assert_int_equal(value.sizes.count, 3);
    assert_int_equal(value.sizes.item[2], 16384);
    assert_int_equal(parameter_parse(sizes, "[]", &value, why), STATUS_OK);
    assert_int_equal(value.sizes.count, 0);
    assert_int_equal(parameter_parse(sizes, "[8KiB, 8KiB]", &value, why), STATUS_INVALID);
    assert_int_equal(parameter_parse(sizes, "1,2,3,4,5,6,7,8,9", &value, why), STATUS_INVALID);
    const struct parameter *ways = parameter_find("tlb.ways");
    assert_int_equal(parameter_parse(ways, "full", &value, why), STATUS_OK);
    assert_true(parameter_is_top(ways, value));
    assert_string_equal(parameter_print(ways, value, why), "full");
    assert_int_equal(parameter_parse(ways, "0", &value, why), STATUS_INVALID);
    assert_string_equal(why, "expected a whole number from 1 to 1048575, or full, got '0'");
    char longer[1000];
    memset(longer, '1', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    for (size_t i = 0; i < parameter_count; i++) {
        assert_int_equal(parameter_parse(&parameters[i], longer, &value, why), STATUS_INVALID);
        assert_true(strlen(why) < VALUE_TEXT);
    }
}

static void test_defaults_and_hash(void **state)
{
    (void)state;
    struct machine machine, other;
    machine_defaults(&machine);
    for (size_t i = 0; i < parameter_count; i++)
        assert_true(parameter_equal(&parameters[i], parameter_get(&parameters[i], &machine),
                                    parameters[i].fallback));
    struct violation found[VIOLATION_MAX];
    assert_int_equal(machine_check(&machine, found), 0);
    /* A changed value changes the hash of its stages and of no other. */
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        struct value next;
        if (!parameter_next(parameter, parameter->fallback, 1, &next) &&
            !parameter_next(parameter, parameter->fallback, -1, &next))
            continue;
        other = machine;
        parameter_set(parameter, &other, next);
        for (unsigned stage = STAGE_STREAM; stage <= AT_TIMING; stage <<= 1) {
            bool depends = parameter->stages & stage;
            assert_int_equal(machine_same(&machine, &other, stage), !depends);
            assert_int_equal(machine_hash(&machine, stage) == machine_hash(&other, stage),
                             !depends);
        }
    }
}

/* A structure has one capacity and one number of ways, or neither. */
static void test_geometry(void **state)
{
    (void)state;
    static const unsigned stages[] = {STAGE_STREAM, STAGE_L1D, STAGE_L2, STAGE_TLB, STAGE_PWC};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        int found[GEOMETRY_WAYS + 1] = {0};
        for (size_t i = 0; i < parameter_count; i++)
            if (parameters[i].stages & stages[s])
                found[parameters[i].geometry]++;
        int expected = stages[s] != STAGE_STREAM;
        assert_int_equal(found[GEOMETRY_CAPACITY], expected);
        assert_int_equal(found[GEOMETRY_WAYS], expected);
    }
}

static void test_metric_table(void **state)
{
    (void)state;
    struct metrics metrics;
    metrics_clear(&metrics);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        assert_ptr_equal(metric_find(metric_table[i].path), &metric_table[i]);
        assert_true(isnan(metric_get(&metric_table[i], &metrics)));
        assert_null(parameter_find(metric_table[i].path));
        metric_set(&metric_table[i], &metrics, (double)i);
    }
    for (size_t i = 0; i < METRIC_COUNT; i++)
        assert_true(metric_get(&metric_table[i], &metrics) == (double)i);
    assert_string_equal(metric_nearest("l1d.missrate"), "l1d.miss_rate");
}

/* Every stage that an evaluation simulates has a headline, and its area one. */
static void test_headlines(void **state)
{
    (void)state;
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        unsigned shown = 0;
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            const unsigned stages = metric_headline_stages(&metric_table[i], (enum depth)depth);
            assert_int_equal(shown & stages, 0);
            shown |= stages;
        }
        for (size_t i = 0; i < parameter_count; i++)
            if (parameter_answers(&parameters[i], (enum depth)depth))
                assert_true(parameters[i].stages & shown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_next_stays_legal),
        cmocka_unit_test(test_ranges),       cmocka_unit_test(test_defaults_and_hash),
        cmocka_unit_test(test_geometry),     cmocka_unit_test(test_headlines),
        cmocka_unit_test(test_metric_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
