/* The values of an axis that somebody names in a line, or that stand around a machine's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/sweep/axis_values.h"
#include "schema/parameters.h"

/* The values as text, with a blank after each. */
static void expect_values(const struct axis *axis, const char *expected)
{
    char all[1024] = "", one[VALUE_TEXT];
    for (size_t i = 0; i < axis->count; i++) {
        strcat(all, parameter_print(axis->parameter, axis->values[i], one));
        strcat(all, " ");
    }
    assert_string_equal(all, expected);
}

static void around(const char *path, const char *value, const char *expected)
{
    struct machine machine;
    struct axis axis;
    struct value parsed;
    const struct parameter *parameter = parameter_find(path);
    machine_defaults(&machine);
    machine.l1d.index = INDEX_MODULO;
    assert_int_equal(parameter_parse(parameter, value, &parsed, NULL), STATUS_OK);
    parameter_set(parameter, &machine, parsed);
    assert_int_equal(axis_values_around(parameter, &machine, &axis), STATUS_OK);
    assert_ptr_equal(axis.parameter, parameter);
    expect_values(&axis, expected);
    free(axis.values);
}

/* Three doublings to each side of a count, in its steps and within its range; powers of two; all
 * choices but limits, unless the machine has that limit. */
static void values_stand_around_the_own(void **state)
{
    (void)state;
    around("gpu.sms", "16", "2 4 8 12 16 24 32 64 ");
    around("gpu.sms", "3", "1 2 3 5 6 12 ");
    around("gpu.sms", "1024", "128 256 512 768 1024 ");
    around("gpu.max_threads", "96", "32 64 96 160 192 384 ");
    around("gpu.registers", "32768", "4096 8192 16384 32768 65536 131072 262144 ");
    around("tlb.enabled", "yes", "no yes ");
    around("l1d.write", "write_back", "read_only write_back write_through write_evict local_back ");
    around("coalescer.arch", "20", "15 20 30 40 80 ");
}

static void typed(const char *path, const char *text, const char *expected)
{
    struct axis axis;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const enum status status = axis_values_parse(parameter_find(path), text, &axis, &diagnostics);
    assert_int_equal(status, expected ? STATUS_OK : STATUS_INVALID);
    assert_int_equal(diagnostics.errors > 0, !expected);
    if (expected)
        expect_values(&axis, expected);
    else
        assert_true(!axis.values && !axis.count);
    free(axis.values);
    diagnostics_free(&diagnostics);
}

static void values_can_be_typed(void **state)
{
    (void)state;
    typed("gpu.sms", "2..5", "2 3 4 5 ");
    typed("gpu.sms", "2..20*3", "2 6 18 ");
    typed("gpu.sms", "2..9+3", "2 5 8 ");
    typed("gpu.sms", "7 3, 5", "7 3 5 ");
    typed("gpu.sms", "[1, 2]", "1 2 ");
    typed("gpu.sms", "{from: 1, to: 3}", "1 2 3 ");
    typed("tlb.enabled", "all", "no yes ");
    typed("gpu.sms", "2..5*", NULL);
    typed("gpu.sms", "0 1", NULL);
    typed("gpu.sms", "two", NULL);
    typed("gpu.sms", "", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_around_the_own),
        cmocka_unit_test(values_can_be_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
