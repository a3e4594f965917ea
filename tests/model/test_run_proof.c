/* What a run proves of other machines: on random programs and random machines, every machine in its
 * box counts the same, to the last raw counter, and shares the box; one beyond a bound does not.
 *
 * cost: 20
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/run_proof.h"
#include "model/timing/timing_check.h"
#include "support/gpu_trial.h"
#include "support/roll_machine.h"
#include "support/sanitized.h"

static bool can_run(const struct machine *machine, const struct timed_source *source)
{
    struct violation found[VIOLATION_MAX];
    return !machine_check(machine, found) && !timing_check(machine, NULL) &&
           machine_can_run(machine, DEPTH_TIMING) && machine_fits(machine, &source->base);
}

static struct gpu_trial prove(const struct machine *machine, const struct timed_source *source,
                              struct run_proof *proof)
{
    const struct gpu_options options = {.threads = 1, .proof = proof};
    return gpu_trial_with(machine, source, &options);
}

static const struct parameter *parameter_of(unsigned limit)
{
    return parameter_find(run_limit_name((enum run_limit)limit));
}

static void set_limit(struct machine *machine, unsigned limit, uint64_t value)
{
    parameter_set(parameter_of(limit), machine, (struct value){.uint = value});
}

/* A value in an interval, near one of its ends more often than not. */
static uint64_t roll_within(struct dice *dice, const struct parameter *parameter,
                            const struct run_interval *interval)
{
    const uint64_t min = (uint64_t)parameter->min, max = (uint64_t)parameter->max;
    const uint64_t least = interval->least > min ? interval->least : min;
    const uint64_t most = interval->most < max ? interval->most : max;
    if (least >= most)
        return least;
    const uint64_t width = most - least + 1, near = width < 3 ? width : 3;
    switch (roll(dice, 4)) {
    case 0:
        return least;
    case 1:
        return least + roll(dice, near);
    case 2:
        return most - roll(dice, near);
    default:
        return least + roll(dice, width);
    }
}

/* Another machine in the box, whose limits differ at random. */
static bool roll_inside(struct dice *dice, const struct run_proof *proof,
                        const struct timed_source *source, struct machine *machine)
{
    const struct machine own = *machine;
    for (unsigned i = 0; i < RUN_LIMITS; i++) {
        const struct machine before = *machine;
        const struct parameter *parameter = parameter_of(i);
        if (!parameter || !parameter_relevant(parameter, machine) || !roll(dice, 2))
            continue;
        set_limit(machine, i, roll_within(dice, parameter, &proof->limits[i]));
        if (!can_run(machine, source) || !run_proof_covers(proof, machine))
            *machine = before;
    }
    return memcmp(&own, machine, sizeof own) != 0;
}

static void check_same(uint64_t seed, const struct gpu_trial *own, const struct machine *machine,
                       const struct timed_source *source)
{
    struct run_proof other;
    const struct gpu_trial found = prove(machine, source, &other);
    if (memcmp(own, &found, sizeof found))
        print_machine(seed, machine);
    assert_int_equal(own->counts.cycles, found.counts.cycles);
    assert_memory_equal(own, &found, sizeof found);
    assert_true(run_proof_covers(&other, machine));
}

/* One limit at a time just beyond its interval: the proof does not hold there. Returns how many
 * such machines counted differently. */
static unsigned check_outside(const struct gpu_trial *own, const struct machine *machine,
                              const struct timed_source *source, const struct run_proof *proof)
{
    unsigned different = 0;
    for (unsigned i = 0; i < RUN_LIMITS; i++) {
        const struct parameter *parameter = parameter_of(i);
        struct machine outside = *machine;
        if (!parameter || !proof->limits[i].least || !parameter_relevant(parameter, machine))
            continue;
        set_limit(&outside, i, proof->limits[i].least - 1);
        assert_false(run_proof_covers(proof, &outside));
        if (proof->limits[i].least > parameter->min && can_run(&outside, source)) {
            struct run_proof other;
            const struct gpu_trial found = prove(&outside, source, &other);
            different += !found.status && memcmp(own, &found, sizeof found) != 0;
        }
    }
    return different;
}

static void test_box(void **state)
{
    (void)state;
    unsigned inside = 0, different = 0;
    enum { SEEDS = 120 };
    for (uint64_t seed = 0; seed < ROLLS(SEEDS); seed++) {
        struct dice dice = {.seed = seed + 9000};
        struct machine machine;
        struct run_proof proof;
        const bool walks = seed % 3 == 2;
        struct timed_source *source =
            timed_source_random(seed, seed % 2 || walks ? &timed_wide : &timed_small);
        if (walks)
            roll_translating(&dice, source, &machine);
        else
            roll_fitting(&dice, source, 1 + (unsigned)roll(&dice, 8), seed % 4 == 0, &machine);
        const struct gpu_trial own = prove(&machine, source, &proof);
        assert_int_equal(own.status, STATUS_OK);
        assert_true(proof.holds);
        if (!run_proof_covers(&proof, &machine))
            print_machine(seed, &machine);
        assert_true(run_proof_covers(&proof, &machine));
        for (unsigned k = 0; k < 2; k++) {
            struct machine other = machine;
            if (!roll_inside(&dice, &proof, source, &other))
                continue;
            inside++;
            check_same(seed, &own, &other, source);
        }
        if (seed % 8 == 0)
            different += check_outside(&own, &machine, source, &proof);
        trace_source_free(&source->base);
    }
    assert_true(inside > ROLLS(SEEDS));
    assert_true(different > 0);
}

/* Caches of other sizes and ways. */
static void test_footprints(void **state)
{
    (void)state;
    unsigned inside = 0;
    for (uint64_t seed = 0; seed < ROLLS(150); seed++) {
        struct dice dice = {.seed = seed + 4000};
        struct machine machine;
        struct run_proof proof;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 2 + (unsigned)roll(&dice, 8), false, &machine);
        const struct gpu_trial own = prove(&machine, source, &proof);
        for (unsigned k = 0; k < 6 && !own.status; k++) {
            struct machine other = machine;
            struct cache_config *cache = k % 2 ? &other.l1d : &other.l2;
            cache->ways = UINT64_C(1) << roll(&dice, 5);
            cache->size = cache->ways * cache->line * cache->slices << roll(&dice, 7);
            if (!memcmp(&other, &machine, sizeof other) || !can_run(&other, source) ||
                !run_proof_covers(&proof, &other))
                continue;
            inside++;
            check_same(seed, &own, &other, source);
        }
        trace_source_free(&source->base);
    }
    assert_true(inside > ROLLS(40));
}

/* Bypass policies that decided nothing, and those that have nothing to decide. */
static void test_idle_policies(void **state)
{
    (void)state;
    unsigned without = 0, idle = 0, listed = 0;
    /* The last one's L1D is emptied while data come that GPGPU-Sim puts wherever they would have
     * gone. */
    for (uint64_t i = 0; i <= 100; i++) {
        const uint64_t seed = i < 100 ? i : 619;
        struct dice dice = {.seed = seed + 700};
        struct machine machine;
        struct run_proof proof;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 2 + (unsigned)roll(&dice, 8), false, &machine);
        machine.l1d.enabled = true;
        machine.l1d.unified = 0;
        machine.l1d.index = INDEX_MODULO;
        machine.scheduler.throttle = THROTTLE_NONE;
        if (seed % 3)
            machine.l1d.replacement = REPLACEMENT_LRU;
        machine.l1d.bypass.policy = seed % 2 ? (int)roll(&dice, BYPASS_COUNT) : BYPASS_NEVER;
        machine.l1d.bypass.shared = !roll(&dice, 4);
        machine.l1d.size *= 16;
        const bool runs = can_run(&machine, source);
        const struct gpu_trial own =
            runs ? prove(&machine, source, &proof) : (struct gpu_trial){.status = STATUS_INVALID};
        if (!own.status && machine.l1d.bypass.policy == BYPASS_LISTED) {
            struct machine other = machine;
            other.l1d.bypass.loads ^= 1;
            assert_false(run_proof_covers(&proof, &other));
            listed++;
        }
        for (unsigned k = 0; k < 6 && !own.status; k++) {
            struct machine other = machine;
            other.l1d.bypass.policy = k == 0   ? BYPASS_NEVER
                                      : k == 1 ? BYPASS_ON_FAIL
                                      : k == 2 ? BYPASS_SAMPLED
                                               : (int)roll(&dice, BYPASS_COUNT);
            other.l1d.bypass.threshold = 1 + roll(&dice, 9);
            if (k % 2) {
                other.l1d.ways = UINT64_C(1) << roll(&dice, 4);
                other.l1d.size = other.l1d.ways * other.l1d.line << roll(&dice, 7);
            }
            if (other.l1d.bypass.policy == machine.l1d.bypass.policy || !can_run(&other, source) ||
                !run_proof_covers(&proof, &other))
                continue;
            without += other.l1d.bypass.policy == BYPASS_NEVER;
            idle += other.l1d.bypass.policy != BYPASS_NEVER;
            check_same(seed, &own, &other, source);
        }
        trace_source_free(&source->base);
    }
    print_message("%u without a policy, %u with an idle one\n", without, idle);
    assert_true(without > 10 && idle > 20 && listed > 0);
}

/* Schedulers that never had two warps to pick from, as often where there are few warps for many of
 * them, and those that had. */
static void test_idle_schedulers(void **state)
{
    (void)state;
    unsigned same = 0, picked = 0, different = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct dice dice = {.seed = seed + 1500};
        struct machine machine;
        struct run_proof proof;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        roll_fitting(&dice, source, 2 + (unsigned)roll(&dice, 8), false, &machine);
        machine.scheduler.count = UINT64_C(1) << roll(&dice, 5);
        machine.scheduler.policy = (int)roll(&dice, SCHEDULER_COUNT);
        const bool runs = can_run(&machine, source);
        const struct gpu_trial own =
            runs ? prove(&machine, source, &proof) : (struct gpu_trial){.status = STATUS_INVALID};
        for (int policy = 0; policy < SCHEDULER_COUNT && !own.status; policy++) {
            struct machine other = machine;
            other.scheduler.policy = policy;
            if (policy == machine.scheduler.policy)
                continue;
            if (run_proof_covers(&proof, &other)) {
                same++;
                check_same(seed, &own, &other, source);
            } else if (seed % 8 == 0) {
                struct run_proof proof_of_other;
                const struct gpu_trial found = prove(&other, source, &proof_of_other);
                picked++;
                different += memcmp(&own, &found, sizeof found) != 0;
            }
        }
        trace_source_free(&source->base);
    }
    print_message("%u with another scheduler, %u not covered, %u of these differ\n", same, picked,
                  different);
    assert_true(same > 60 && different > picked / 2);
}

static void roll_room(struct dice *dice, struct machine *machine)
{
    if (roll(dice, 2))
        machine->gpu.max_blocks = 1 + roll(dice, 8);
    if (roll(dice, 2))
        machine->gpu.registers = 512 * (1 + roll(dice, 24));
    if (roll(dice, 2))
        machine->gpu.shared_memory = 512 * roll(dice, 24);
}

/* As many blocks fit an SM in every launch, whatever limits them; also where shared memory is taken
 * from the L1D. Two limits that are the same for a launch may not both be larger. */
static void test_occupancy(void **state)
{
    (void)state;
    unsigned same = 0, others = 0, different = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct dice dice = {.seed = seed + 2500};
        struct machine machine;
        struct run_proof proof;
        struct timed_source *source = timed_source_random(seed, &timed_small);
        for (uint32_t i = 0; i < source->base.launch_count; i++) {
            source->base.launches[i].registers = (uint32_t)roll(&dice, 33);
            source->base.launches[i].shared_bytes = 256 * (uint32_t)roll(&dice, 5);
        }
        roll_fitting(&dice, source, 2 + (unsigned)roll(&dice, 8), false, &machine);
        machine.gpu.sms = machine.gpu.cluster;
        roll_room(&dice, &machine);
        const bool runs = can_run(&machine, source);
        const struct gpu_trial own =
            runs ? prove(&machine, source, &proof) : (struct gpu_trial){.status = STATUS_INVALID};
        assert_true(own.status || run_proof_covers(&proof, &machine));
        for (unsigned k = 0; k < 4 && !own.status; k++) {
            struct machine other = machine;
            roll_room(&dice, &other);
            if (!can_run(&other, source) || !memcmp(&other, &machine, sizeof other))
                continue;
            if (run_proof_covers(&proof, &other)) {
                same++;
                check_same(seed, &own, &other, source);
            } else if (!k) {
                struct run_proof proof_of_other;
                const struct gpu_trial found = prove(&other, source, &proof_of_other);
                others++;
                different += memcmp(&own, &found, sizeof found) != 0;
            }
        }
        trace_source_free(&source->base);
    }
    print_message("%u with other room, %u not covered, %u of these differ\n", same, others,
                  different);
    assert_true(same > 60 && different > 20);
}

static void test_failed_run_proves_nothing(void **state)
{
    (void)state;
    struct machine machine;
    struct run_proof proof;
    struct timed_source *source = timed_source_random(1, &timed_small);
    const struct evaluate_options cancelled = {.cancel = &(const atomic_bool){true}};
    const struct gpu_options options = {.threads = 1, .proof = &proof, .evaluate = &cancelled};
    machine_defaults(&machine);
    assert_int_equal(gpu_trial_with(&machine, source, &options).status, STATUS_CANCELLED);
    assert_false(proof.holds);
    assert_false(run_proof_covers(&proof, &machine));
    trace_source_free(&source->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),           cmocka_unit_test(test_footprints),
        cmocka_unit_test(test_idle_policies), cmocka_unit_test(test_idle_schedulers),
        cmocka_unit_test(test_occupancy),     cmocka_unit_test(test_failed_run_proves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
