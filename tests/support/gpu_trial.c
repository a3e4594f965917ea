#include "support/gpu_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/timing/timing_check.h"

const struct timed_shape timed_small = {
    .launches = 2, .blocks = 12, .warps = 4, .instructions = 40, .lines = 40, .content = TIMED_ALL};

const struct timed_shape timed_wide = {.launches = 2,
                                       .blocks = 8,
                                       .warps = 3,
                                       .instructions = 30,
                                       .lines = 2000,
                                       .content = TIMED_ALL};

struct gpu_trial gpu_trial_with(const struct machine *machine, const struct timed_source *source,
                                const struct gpu_options *options)
{
    struct gpu_trial result = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    result.status =
        gpu_run(machine, &source->base, options, &result.counts, &result.totals, &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_message("%s\n", diagnostics.items[i].message);
    diagnostics_free(&diagnostics);
    return result;
}

struct gpu_trial gpu_trial_run(const struct machine *machine, const struct timed_source *source,
                               uint32_t threads)
{
    const struct gpu_options options = {.threads = threads};
    return gpu_trial_with(machine, source, &options);
}

void print_machine(uint64_t seed, const struct machine *machine)
{
    struct machine usual;
    char text[VALUE_TEXT];
    machine_defaults(&usual);
    print_message("seed %u:\n", (unsigned)seed);
    for (size_t i = 0; i < parameter_count; i++) {
        const struct value value = parameter_get(&parameters[i], machine);
        if (!parameter_equal(&parameters[i], value, parameter_get(&parameters[i], &usual)))
            print_message("  %s: %s\n", parameters[i].path,
                          parameter_print(&parameters[i], value, text));
    }
}

uint64_t slot_sum(const uint64_t *counts, unsigned count)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < count; i++)
        all += counts[i];
    return all;
}

void check_slots(const struct machine *machine, const struct gpu_counts *counts)
{
    const struct sm_counts *sm = &counts->sm;
    assert_int_equal(slot_sum(sm->slots, SLOT_COUNT), sm->cycles * machine->scheduler.count);
    assert_int_equal(slot_sum(sm->memory_slots, MEMORY_SLOT_COUNT), sm->slots[SLOT_memory]);
    assert_true(sm->cycles <= counts->cycles * machine->gpu.sms);
}

void roll_fitting(struct dice *dice, const struct timed_source *source, unsigned rarity, bool tight,
                  struct machine *machine)
{
    bool fits = false;
    while (!fits) {
        machine_defaults(machine);
        roll_machine(dice, machine, rarity, tight);
        roll_sms(dice, machine);
        machine->tlb.enabled = 0;
        fits = !cache_is_offline(&machine->l1d) && !cache_is_offline(&machine->l2) &&
               machine_fits(machine, &source->base);
    }
}

void roll_translating(struct dice *dice, const struct timed_source *source, struct machine *machine)
{
    bool fits = false;
    while (!fits) {
        struct violation found[VIOLATION_MAX];
        machine_defaults(machine);
        roll_machine(dice, machine, 1 + (unsigned)roll(dice, 8), roll(dice, 2));
        roll_sms(dice, machine);
        machine->page.size = 4096;
        machine->tlb.enabled = 1;
        machine->tlb.entries = machine->tlb.ways = UINT64_C(1) << roll(dice, 3);
        machine->l2tlb.enabled = roll(dice, 2);
        machine->l2tlb.entries = machine->l2tlb.ways = 4;
        machine->walker.count = 1 + roll(dice, 3);
        machine->walker.queue = 1 + roll(dice, 3);
        machine->walker.l2 = roll(dice, 3) > 0;
        fits = !cache_is_offline(&machine->l1d) && !cache_is_offline(&machine->l2) &&
               !machine_check(machine, found) && !timing_check(machine, NULL) &&
               machine->l1d.dirty * (double)cache_sets(&machine->l1d) <= 1 &&
               machine_fits(machine, &source->base);
    }
}
