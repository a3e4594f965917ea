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
    {{"l1d.allocate=streaming", "l1d.write=write_back"}, "l1d geometry", "l1d.allocate"},
    {{"l1d.allocate=streaming", "l1d.write_allocate=lazy_fetch"}, "l1d geometry", "l1d.allocate"},
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
    {{"pwc.organization=cpwc", "pwc.mask=blocks", "pwc.block_entries=7"},
     "pwc geometry",
     "pwc.entries"},
    {{"pwc.organization=cpwc", "pwc.l4_entries=8"}, "pwc geometry", "pwc.l3_entries"},
    {{"pwc.organization=cpwc", "pwc.l3_entries=5"}, "pwc geometry", "pwc.l3_entries"},
    {{"pwc.organization=cpwc", "pwc.l4_entries=3"}, "pwc geometry", "pwc.l4_entries"},
    {{"l1i.size=3KiB"}, "l1i geometry", "l1i.size"},
    {{"l1i.ways=3"}, "l1i geometry", "l1i.size"},
    {{"l1i.size=256B"}, "l1i geometry", "l1i.size"},
    {{"dram.row_mask=0xfff8000"}, "dram masks", "dram.row_mask"},
    {{"dram.column_mask=0x1fff"}, "dram masks", "dram.column_mask"},
    {{"dram.column_mask=0x11eff"}, "dram masks", "dram.column_mask"},
    {{"dram.banks=8"}, "dram masks", "dram.bank_mask"},
    {{"dram.groups=3"}, "dram banks", "dram.groups"},
    {{"dram.rate=3"}, "dram times", "dram.burst"},
    {{"dram.wl=12"}, "dram times", "dram.wl"},
    {{"dram.wl=17", "dram.rcd=18"}, "dram times", "dram.wl"},
    {{"dram.rc=27"}, "dram times", "dram.rc"},
};

/* Of the parts that a machine always has. */
static const struct broken core_cases[] = {
    {{"pipe.sp.units=0"}, "pipe units", "pipe.sp.units"},
    {{"pipe.sfu.units=0"}, "pipe units", "pipe.sfu.units"},
    {{"pipe.int.latency=2", "pipe.int.interval=3"}, "pipe interval", "pipe.int.interval"},
    {{"core.subcores=yes"}, "subcores", "core.collectors"},
    {{"core.subcores=yes", "core.collectors=3"}, "subcores", "core.collectors"},
    {{"core.subcores=yes", "core.collectors=8", "core.banks=15"}, "subcores", "core.banks"},
    {{"core.subcores=yes", "core.collectors=8", "pipe.sfu.units=1"}, "subcores", "pipe.sfu.units"},
};

static void check_cases(const struct broken *list, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        machine_defaults(&machine);
        for (size_t k = 0; k < 4 && list[i].assignments[k]; k++)
            assert_int_equal(machine_set_text(&machine, list[i].assignments[k], NULL), STATUS_OK);
        size_t count = machine_check(&machine, found);
        bool hit = false;
        for (size_t k = 0; k < count && k < VIOLATION_MAX; k++) {
            hit |= !strcmp(found[k].rule, list[i].rule) &&
                   !strcmp(found[k].parameter->path, list[i].path);
            assert_true(*found[k].message != '\0');
        }
        if (!hit)
            fail_msg("%s does not break '%s' at %s", list[i].assignments[0], list[i].rule,
                     list[i].path);
    }
}

static void test_each_rule(void **state)
{
    (void)state;
    check_cases(cases, sizeof cases / sizeof *cases);
    check_cases(core_cases, sizeof core_cases / sizeof *core_cases);
}

/* The smallest legal subcores: each scheduler has one of everything. */
static void test_subcores(void **state)
{
    (void)state;
    static const char *const assignments[] = {"core.subcores=yes", "core.collectors=2",
                                              "core.banks=2", "pipe.sfu.units=2"};
    struct machine machine;
    struct violation found[VIOLATION_MAX];
    machine_defaults(&machine);
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++)
        assert_int_equal(machine_set_text(&machine, assignments[i], NULL), STATUS_OK);
    assert_int_equal(machine_check(&machine, found), 0);
}

/* What is switched off cannot be wrong. */
static void test_absent_parts_are_not_checked(void **state)
{
    (void)state;
    static const char *const off[] = {"l1d.enabled=no", "l2.enabled=no", "tlb.enabled=no",
                                      "l1i.enabled=no", "dram.fixed=yes"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        machine_defaults(&machine);
        for (size_t k = 0; k < 4 && cases[i].assignments[k]; k++)
            assert_int_equal(machine_set_text(&machine, cases[i].assignments[k], NULL), STATUS_OK);
        for (size_t k = 0; k < sizeof off / sizeof *off; k++)
            assert_int_equal(machine_set_text(&machine, off[k], NULL), STATUS_OK);
        assert_int_equal(machine_check(&machine, found), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_subcores),
        cmocka_unit_test(test_absent_parts_are_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
