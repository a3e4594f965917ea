/* Levers: what is tried of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/explain/lever_steps.h"
#include "support/roll_machine.h"

static const struct parameter *find(const char *path)
{
    const struct parameter *parameter = parameter_find(path);
    assert_non_null(parameter);
    return parameter;
}

static void load(struct machine *machine)
{
    assert_int_equal(machine_load("gtx480", NULL, machine, NULL, NULL), STATUS_OK);
}

/* "l1d.size=32KiB l1d.ways=8", or "" if there is no step. */
static const char *step_text(const char *path, int direction, const struct machine *machine,
                             char text[2 * LEVER_TEXT])
{
    const struct parameter *parameter = find(path);
    struct lever_change change;
    char setting[LEVER_TEXT];
    size_t used = 0;
    text[0] = '\0';
    if (!lever_step(parameter, parameter_get(parameter, machine), direction, machine, &change))
        return text;
    for (size_t i = 0; i < change.count; i++)
        used += (size_t)snprintf(text + used, 2 * LEVER_TEXT - used, "%s%s", i ? " " : "",
                                 lever_setting_print(&change.settings[i], setting));
    return text;
}

static void steps_are_half_and_double(void **state)
{
    (void)state;
    static const struct {
        const char *set, *path, *down, *up;
    } rows[] = {
        {"", "l1d.mshr.merge", "l1d.mshr.merge=4", "l1d.mshr.merge=16"},
        {"", "walker.count", "walker.count=4", "walker.count=16"},
        {"", "page.size", "", "page.size=64KiB"}, /* 8KiB to 32KiB are no pages */
        {"", "tlb.ways", "tlb.ways=32", ""},      /* full: 64 */
        {"", "l1d.size", "l1d.size=8KiB l1d.ways=2", "l1d.size=32KiB"}, /* 32 or 64 sets */
        {"l1d.index=linear", "l1d.size", "l1d.size=8KiB", "l1d.size=32KiB"},
        {"", "l1i.buffer", "", "l1i.buffer=1"},             /* 0: none */
        {"l1i.buffer=1", "l1i.buffer", "", "l1i.buffer=2"}, /* which half is not */
        {"core.results=3", "core.results", "core.results=1", "core.results=6"},
        {"", "l1d.dirty", "", "l1d.dirty=5%"},
        {"l1d.dirty=60%", "l1d.dirty", "l1d.dirty=30%", ""},
        {"gpu.max_threads=96", "gpu.max_threads", "gpu.max_threads=32", "gpu.max_threads=192"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine machine;
        char text[2 * LEVER_TEXT];
        load(&machine);
        if (*rows[i].set)
            assert_int_equal(machine_set_text(&machine, rows[i].set, NULL), STATUS_OK);
        assert_string_equal(step_text(rows[i].path, -1, &machine, text), rows[i].down);
        assert_string_equal(step_text(rows[i].path, 1, &machine, text), rows[i].up);
    }
}

static void neither_facts_nor_technology_nor_what_is_idle(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool moves;
    } rows[] = {{"gpu.sms", false},        {"gpu.clock", false},   {"seed", false},
                {"machine.kind", false},   {"tlb.enabled", false}, {"l2.latency", false},
                {"l2tlb.entries", false},  /* there is no L2 TLB */
                {"l1d.output", false},     /* of the area alone */
                {"dram.bank_mask", false}, /* has no half */
                {"l1d.size", true},        {"page.size", true},    {"scheduler.policy", true},
                {"l2tlb.enabled", true}};
    const struct metric *time = metric_find("core.time");
    struct machine machine;
    load(&machine);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(lever_moves(find(rows[i].path), &machine, time, DEPTH_TIMING),
                         rows[i].moves);
    /* A count of an L1D does not depend on a TLB where there is no time. */
    assert_false(
        lever_moves(find("tlb.entries"), &machine, metric_find("l1d.misses"), DEPTH_FUNCTIONAL));
}

/* Of random machines: every change is legal, differs from the machine, and reads back. */
static void changes_are_legal(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct dice dice = {seed, 0};
        struct machine machine;
        load(&machine);
        roll_machine(&dice, &machine, 4, false);
        const struct parameter *parameter = &parameters[roll(&dice, parameter_count)];
        struct lever_change change;
        bool made = parameter->stepping != STEP_NONE && parameter->type != PARAMETER_SIZES;
        if (made && lever_has_choices(parameter))
            made = lever_choice(parameter, roll(&dice, (uint64_t)parameter->max + 2), &machine,
                                &change);
        else if (made)
            made = lever_step(parameter, parameter_get(parameter, &machine),
                              roll(&dice, 2) ? 1 : -1, &machine, &change);
        if (!made)
            continue;
        struct machine changed = machine, read = machine;
        assert_true(lever_apply(&change, &changed));
        assert_false(machine_same(&changed, &machine, ~0u));
        for (size_t i = 0; i < change.count; i++) {
            char text[LEVER_TEXT];
            lever_setting_print(&change.settings[i], text);
            assert_int_equal(machine_set_text(&read, text, NULL), STATUS_OK);
        }
        assert_true(machine_same(&changed, &read, ~0u));
    }
}

static void a_change_that_breaks_a_rule_changes_nothing(void **state)
{
    (void)state;
    struct machine machine, before;
    load(&machine);
    before = machine;
    const struct lever_change change = {.settings = {{find("l1d.size"), {.uint = 1000}}},
                                        .count = 1};
    assert_false(lever_apply(&change, &machine));
    assert_true(machine_same(&machine, &before, ~0u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_half_and_double),
        cmocka_unit_test(neither_facts_nor_technology_nor_what_is_idle),
        cmocka_unit_test(changes_are_legal),
        cmocka_unit_test(a_change_that_breaks_a_rule_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
