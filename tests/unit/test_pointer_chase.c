/* A pointer chase over a memory hierarchy: what is found is what a made-up hierarchy has, and what
 * our machines are configured as at depth timing.
 *
 * cost: 40
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "explore/papers/pointer_chase.h"

/* A hierarchy of LRU lists: a ring that does not fit one is not kept at all. */
struct made {
    uint64_t capacity[3], sector; /* bytes; 0: no such level */
    uint64_t line;                /* bytes, of the first level; 0: 128, as of the others */
    double latency[4];
    uint64_t entries, page;
    double walk;
};

/* The bytes of lines that words `stride` apart need. */
static uint64_t bytes_of_lines(uint64_t words, uint64_t stride, uint64_t line)
{
    return stride < line ? (words * stride + line - 1) / line * line : words * line;
}

static enum status made_chase(void *context, uint64_t bytes, uint64_t stride, double *cycles)
{
    const struct made *made = context;
    const uint64_t words = (bytes + stride - 1) / stride;
    const uint64_t pages = stride < made->page ? (bytes + made->page - 1) / made->page : words;
    int level = 0;
    while (level < 3 && made->capacity[level] &&
           bytes_of_lines(words, stride, level || !made->line ? 128 : made->line) >
               made->capacity[level])
        level++;
    *cycles = made->latency[level];
    if (level && stride < made->sector) /* the others of a fetch are hits */
        *cycles = (made->latency[level] +
                   ((double)made->sector / (double)stride - 1) * made->latency[0]) *
                  (double)stride / (double)made->sector;
    if (pages > made->entries)
        *cycles += made->walk * (stride < made->page ? (double)stride / (double)made->page : 1);
    return STATUS_OK;
}

static void assert_found(const struct finding *finding, uint64_t value)
{
    assert_int_equal(finding->kind, FOUND);
    assert_int_equal(finding->value, value);
}

static void made_up(void **state)
{
    (void)state;
    static const struct made cases[] = {
        {{16384, 786432, 0}, 128, 0, {30, 200, 600, 0}, 64, 65536, 300},
        {{131072, 6291456, 0}, 32, 64, {28, 190, 480, 0}, 16, 2097152, 500},
        {{24576, 1536 * 1024, 33554432}, 64, 256, {33, 120, 260, 700}, 32, 4096, 80},
        {{8192, 0, 0}, 32, 32, {20, 400, 0, 0}, 1u << 30, 4096, 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made = cases[i];
        struct pointer_chase chase;
        const struct pointer_chase_lab lab = {made_chase, &made, 512, UINT64_C(1) << 28, 0, 0.04};
        assert_int_equal(pointer_chase_run(&lab, &chase), STATUS_OK);
        size_t levels = 0;
        for (; levels < 3 && made.capacity[levels]; levels++)
            assert_found(&chase.levels[levels].capacity, made.capacity[levels]);
        assert_true(chase.level_count > levels);
        for (size_t k = 0; k < levels; k++)
            assert_true(fabs(chase.levels[k].latency - made.latency[k]) < 3);
        assert_found(&chase.line, made.line ? made.line : 128);
        assert_found(&chase.sector, made.sector);
        if (made.entries == 1u << 30) {
            assert_int_equal(chase.tlb_entries.kind, FOUND_NOTHING);
            continue;
        }
        assert_found(&chase.tlb_entries, made.entries);
        assert_found(&chase.page, made.page);
        assert_true(fabs(chase.translation - made.walk) < 1);
    }
}

/* A small machine, so that its rings are small. */
static struct machine small_machine(const char *const *settings)
{
    static const char *const small[] = {"gpu.sms=1",       "l1d.size=1KiB", "l1d.index=linear",
                                        "l2.slices=2",     "l2.size=16KiB", "l2.ways=8",
                                        "tlb.enabled=yes", "tlb.entries=6", "page.size=64KiB"};
    struct machine machine;
    struct violation found[VIOLATION_MAX];
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        assert_int_equal(machine_set_text(&machine, small[i], NULL), STATUS_OK);
    for (; settings && *settings; settings++)
        assert_int_equal(machine_set_text(&machine, *settings, NULL), STATUS_OK);
    assert_int_equal(machine_check(&machine, found), 0);
    return machine;
}

static void our_machines(void **state)
{
    (void)state;
    static const char *const sectors[] = {"l1d.sector=32B", "coalescer.arch=70", "l1d.latency=45",
                                          NULL};
    const struct machine machines[] = {small_machine(NULL), small_machine(sectors)};
    struct pointer_chase chases[2];
    for (int i = 0; i < 2; i++) {
        const struct machine *machine = &machines[i];
        struct pointer_chase *chase = &chases[i];
        assert_int_equal(pointer_chase_machine(machine, NULL, chase, NULL), STATUS_OK);
        assert_int_equal(chase->level_count, 3);
        assert_found(&chase->levels[0].capacity, machine->l1d.size);
        assert_found(&chase->levels[1].capacity, machine->l2.size);
        assert_found(&chase->line, machine->l1d.line);
        assert_found(&chase->sector, machine->l1d.sector);
        assert_found(&chase->tlb_entries, machine->tlb.entries);
        assert_found(&chase->page, machine->page.size);
        assert_true(chase->levels[1].latency > chase->levels[0].latency + 20 &&
                    chase->levels[2].latency > chase->levels[1].latency + 20);
    }
    const double later = (double)machines[1].l1d.latency - (double)machines[0].l1d.latency;
    assert_true(fabs(chases[1].levels[0].latency - chases[0].levels[0].latency - later) < 1);
}

/* A small machine of any lines, sectors, sets, pages and latencies, in which rings are told apart.
 */
static struct machine random_machine(uint64_t seed)
{
    static const uint64_t lines[] = {32, 64, 128}, pages[] = {4096, 65536};
    static const char *const index[] = {"l1d.index=linear", "l1d.index=xor", NULL};
    const char *const settings[] = {"coalescer.arch=70", index[random_below(random_at(seed, 0), 2)],
                                    NULL};
    struct machine machine = small_machine(settings);
    struct violation found[VIOLATION_MAX];
    machine.l1d.line = lines[random_below(random_at(seed, 1), 3)];
    machine.l1d.sector = random_at(seed, 2) & 1 ? machine.l1d.line : 32;
    machine.l1d.ways = UINT64_C(4) << random_below(random_at(seed, 3), 2);
    machine.l1d.size = UINT64_C(1024) << random_below(random_at(seed, 4), 3);
    machine.l1d.latency = 20 + random_below(random_at(seed, 5), 60);
    machine.tlb.entries = 3 + random_below(random_at(seed, 6), 20);
    machine.page.size = pages[random_below(random_at(seed, 7), 2)];
    if (machine_check(&machine, found))
        fail_msg("seed %d: %s", (int)seed, found[0].message);
    return machine;
}

static void random_machines(void **state)
{
    (void)state;
    double shortest = NAN;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const struct machine machine = random_machine(seed);
        struct pointer_chase chase;
        assert_int_equal(pointer_chase_machine(&machine, NULL, &chase, NULL), STATUS_OK);
        assert_int_equal(chase.level_count, 3);
        assert_found(&chase.levels[0].capacity, machine.l1d.size);
        assert_found(&chase.levels[1].capacity, machine.l2.size);
        assert_found(&chase.line, machine.l1d.line);
        assert_found(&chase.sector, machine.l1d.sector);
        assert_found(&chase.tlb_entries, machine.tlb.entries);
        assert_found(&chase.page, machine.page.size);
        assert_true(chase.translation > 1);
        /* What a hit takes beyond the configured latency is the same everywhere. */
        const double beyond = chase.levels[0].latency - (double)machine.l1d.latency;
        assert_true(isnan(shortest) || fabs(beyond - shortest) < 1);
        shortest = beyond;
    }
}

static enum status failing(void *context, uint64_t bytes, uint64_t stride, double *cycles)
{
    (void)context, (void)bytes, (void)stride, (void)cycles;
    return STATUS_CANCELLED;
}

static void failures_are_passed_on(void **state)
{
    (void)state;
    struct pointer_chase chase;
    const struct pointer_chase_lab lab = {failing, NULL, 512, 65536, 0, 0};
    assert_int_equal(pointer_chase_run(&lab, &chase), STATUS_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(made_up), cmocka_unit_test(our_machines),
                                       cmocka_unit_test(random_machines),
                                       cmocka_unit_test(failures_are_passed_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
