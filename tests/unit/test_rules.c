/* The rules that tie parameters together: each can be broken, and points at its parameter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"

struct broken {
    const char *assignments[4]; /* to the default machine, ended by NULL */
    const char *rule, *path;
};

static const struct broken cases[] = {
    {{"l1d.size=17KiB"}, "l1d geometry", "l1d.index"},
    {{"l1d.size=17000B"}, "l1d geometry", "l1d.size"},
    {{"l1d.size=256B"}, "l1d geometry", "l1d.size"},
    {{"l1d.ways=3"}, "l1d geometry", "l1d.size"},
    {{"l1d.size=8KiB"}, "l1d geometry", "l1d.index"},
    {{"l1d.index=xor", "l1d.size=24KiB"}, "l1d geometry", "l1d.index"},
    {{"l1d.index=ipoly", "l1d.size=24KiB"}, "l1d geometry", "l1d.index"},
    {{"l1d.line=64B", "l1d.ways=8"}, "l1d geometry", "l1d.sector"},
    {{"l1d.sector=512B"}, "l1d geometry", "l1d.sector"},
    {{"l1d.replacement=plru", "l1d.ways=6", "l1d.size=48KiB"}, "l1d geometry", "l1d.replacement"},
    {{"l1d.allocate=on_fill", "l1d.write=write_back"}, "l1d geometry", "l1d.allocate"},
    {{"l1d.allocate=on_fill", "l1d.write_allocate=lazy_fetch"}, "l1d geometry", "l1d.allocate"},
    {{"l1d.unified=64KiB"}, "l1d carve-out", "gpu.shared_options"},
    {{"l1d.unified=64KiB", "gpu.shared_options=[64KiB]"}, "l1d carve-out", "gpu.shared_options"},
    {{"l1d.unified=72KiB", "gpu.shared_options=[8KiB]"}, "l1d carve-out", "l1d.unified"},
    {{"l2.size=1MiB"}, "l2 geometry", "l2.size"},
    {{"l2.partition=xor"}, "l2 slices", "l2.partition"},
    {{"l2.interleave=64B"}, "l2 slices", "l2.interleave"},
    {{"tlb.entries=100", "tlb.ways=64"}, "tlb geometry", "tlb.entries"},
    {{"tlb.entries=96", "tlb.replacement=plru"}, "tlb geometry", "tlb.replacement"},
    {{"tlb.entries=96", "tlb.ways=32"}, "tlb geometry", "tlb.ways"},
    {{"tlb.ways=48", "tlb.entries=48", "tlb.replacement=plru"}, "tlb geometry", "tlb.replacement"},
    {{"page.size=8KiB"}, "page size", "page.size"},
    {{"pwc.organization=tpc", "pwc.ways=1"}, "pwc geometry", "pwc.ways"},
    {{"pwc.organization=tpc", "pwc.ways=7"}, "pwc geometry", "pwc.entries"},
    {{"pwc.organization=cpwc", "pwc.block_entries=7"}, "pwc geometry", "pwc.entries"},
    {{"pwc.organization=cpwc", "pwc.l4_entries=8"}, "pwc geometry", "pwc.l3_entries"},
    {{"pwc.organization=cpwc", "pwc.l3_entries=5"}, "pwc geometry", "pwc.l3_entries"},
};

static void test_each_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        machine_defaults(&machine);
        for (size_t k = 0; k < 4 && cases[i].assignments[k]; k++)
            assert_int_equal(machine_set_text(&machine, cases[i].assignments[k], NULL), STATUS_OK);
        size_t count = machine_check(&machine, found);
        bool hit = false;
        for (size_t k = 0; k < count && k < VIOLATION_MAX; k++) {
            hit |= !strcmp(found[k].rule, cases[i].rule) &&
                   !strcmp(found[k].parameter->path, cases[i].path);
            assert_true(*found[k].message != '\0');
        }
        if (!hit)
            fail_msg("%s does not break '%s' at %s", cases[i].assignments[0], cases[i].rule,
                     cases[i].path);
    }
}

/* What is switched off cannot be wrong. */
static void test_absent_parts_are_not_checked(void **state)
{
    (void)state;
    static const char *const groups[] = {"l1d", "l2", "tlb"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        char assignment[32];
        machine_defaults(&machine);
        for (size_t k = 0; k < 4 && cases[i].assignments[k]; k++)
            assert_int_equal(machine_set_text(&machine, cases[i].assignments[k], NULL), STATUS_OK);
        for (size_t k = 0; k < 3; k++) {
            snprintf(assignment, sizeof assignment, "%s.enabled=no", groups[k]);
            assert_int_equal(machine_set_text(&machine, assignment, NULL), STATUS_OK);
        }
        assert_int_equal(machine_check(&machine, found), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_absent_parts_are_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
