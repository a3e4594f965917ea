/* Ideals at depth timing: what a parameter can express gives that parameter's answer, and on random
 * machines and programs any set of them ends, counts every slot, and is the same on any number of
 * threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/evaluate.h"
#include "model/ideal_machine.h"
#include "support/gpu_trial.h"

/* What a user would write instead, of machines of the defaults. */
static const struct {
    enum ideal ideal;
    const char *settings;
} twins[] = {
    {IDEAL_L1D_LATENCY, "l1d.latency=1"},
    {IDEAL_L1D_ENTRIES, "l1d.mshr.entries=65536"},
    {IDEAL_L1D_MERGE, "l1d.mshr.merge=1024"},
    {IDEAL_L1D_MISS_QUEUE, "l1d.miss_queue=4096"},
    {IDEAL_L2_LATENCY, "l2.latency=0"},
    {IDEAL_L2_MSHR, "l2.mshr.entries=65536 l2.mshr.merge=1024 l2.miss_queue=4096"},
    {IDEAL_TRANSLATION, "tlb.enabled=no"},
    {IDEAL_TLB_CAPACITY, "tlb.entries=4096 tlb.ways=full"},
    {IDEAL_WALKER_COUNT, "walker.count=1024 walker.queue=65536"},
    {IDEAL_WALKER_LATENCY, "walker.latency=0 walker.lookup=0"},
    {IDEAL_L1I_HITS, "l1i.enabled=no"}, /* where a hit takes a cycle */
    {IDEAL_LAUNCH, "gpu.launch_latency=0 gpu.block_latency=0"},
};

static void set_all(struct machine *machine, const char *settings)
{
    char copy[200], *rest = copy;
    snprintf(copy, sizeof copy, "%s", settings);
    for (char *word; (word = strsep(&rest, " "));) {
        struct value value;
        char *equal = strchr(word, '=');
        *equal = '\0';
        const struct parameter *parameter = parameter_find(word);
        assert_int_equal(parameter_parse(parameter, equal + 1, &value, NULL), STATUS_OK);
        parameter_set(parameter, machine, value);
    }
}

static double cycles_of(const struct machine *machine, const struct timed_source *source,
                        const struct evaluate_options *options)
{
    struct metrics metrics;
    assert_int_equal(evaluate(machine, &source->base, options, &metrics, NULL), STATUS_OK);
    return metrics.core_cycles;
}

static void parameters_give_the_same(void **state)
{
    (void)state;
    struct machine usual;
    machine_defaults(&usual);
    usual.gpu.sms = 3;
    usual.tlb.entries = usual.tlb.ways = 8;
    usual.walker.count = 2;
    usual.gpu.launch_latency = 700;
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct timed_source *source = timed_source_random(seed, &timed_wide);
            struct machine set = usual;
            struct evaluate_options options = {.depth = DEPTH_TIMING};
            set_all(&set, twins[i].settings);
            const double expected = cycles_of(&set, source, &options);
            ideal_add(&options.ideals, twins[i].ideal);
            const double found = cycles_of(&usual, source, &options);
            if (found != expected)
                print_message("%s, seed %u\n", twins[i].settings, (unsigned)seed);
            assert_true(found == expected);
            trace_source_free(&source->base);
        }
    }
}

/* A machine whose clocks are one clock does the same later. */
static void starts_mean_nothing_to_one_clock(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 2;
    machine.network.clock = machine.dram.clock = machine.gpu.clock;
    machine.l2.clock = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct timed_source *source = timed_source_random(seed, &timed_wide);
        struct evaluate_options options = {.depth = DEPTH_TIMING};
        const double base = cycles_of(&machine, source, &options);
        for (options.start_delay = 1; options.start_delay < 400; options.start_delay *= 7)
            assert_true(cycles_of(&machine, source, &options) == base);
        trace_source_free(&source->base);
    }
}

static struct ideal_set roll_ideals(struct dice *dice)
{
    struct ideal_set set = {{0}};
    const struct ideal_set all = ideal_all(DEPTH_TIMING);
    const unsigned rarity = 1 + (unsigned)roll(dice, 6);
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_has(all, (enum ideal)i) && !roll(dice, rarity))
            ideal_add(&set, (enum ideal)i);
    return set;
}

/* A run with ideals, of the machine without them. */
static struct gpu_trial run_ideal(const struct machine *machine, const struct timed_source *source,
                                  struct ideal_set ideals, uint32_t threads)
{
    const struct evaluate_options evaluate = {.depth = DEPTH_TIMING, .ideals = ideals};
    const struct gpu_options options = {.threads = threads, .evaluate = &evaluate};
    struct machine built = *machine;
    ideal_machine(&built, ideals);
    return gpu_trial_with(&built, source, &options);
}

/* Ideals change when things happen, never what is executed. */
static void check_ideals(uint64_t seed, const struct machine *machine,
                         const struct timed_source *source, struct ideal_set ideals)
{
    char text[IDEAL_TEXT];
    const struct gpu_trial usual = gpu_trial_run(machine, source, 1);
    if (usual.status)
        return; /* some random machines have a queue too short to empty */
    const struct gpu_trial one = run_ideal(machine, source, ideals, 1),
                           three = run_ideal(machine, source, ideals, 3);
    if (one.status) {
        print_machine(seed, machine);
        print_message("ideals: %s\n", ideal_print(ideals, text));
    }
    assert_int_equal(one.status, STATUS_OK);
    assert_memory_equal(&one, &three, sizeof one);
    check_slots(machine, &one.counts);
    assert_int_equal(one.counts.sm.instructions, usual.counts.sm.instructions);
    assert_int_equal(one.counts.sm.thread_accesses, usual.counts.sm.thread_accesses);
}

static void random_sets_end(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct dice dice = {.seed = seed + 7000};
        struct machine machine;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), roll(&dice, 2), &machine);
        check_ideals(seed, &machine, source, roll_ideals(&dice));
        check_ideals(seed, &machine, source, ideal_all(DEPTH_TIMING));
        trace_source_free(&source->base);
        source = timed_source_random(seed, &timed_wide);
        roll_translating(&dice, source, &machine);
        check_ideals(seed, &machine, source, roll_ideals(&dice));
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_give_the_same),
        cmocka_unit_test(starts_mean_nothing_to_one_clock),
        cmocka_unit_test(random_sets_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
