/* What a hierarchy delivers: rates and costs of a made-up lab, and those of our machines beside
 * what they are configured to deliver.
 *
 * cost: 20
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
#include "explore/papers/paper_study.h"
#include "explore/papers/rates.h"
#include "support/sanitized.h"

/* ---- a made-up lab ---- */

struct made {
    enum status status;
    uint64_t l1, l2, memory; /* bytes that were asked for */
    unsigned loads;
};

static enum status made_l1(void *context, uint64_t bytes, struct rate *rate)
{
    struct made *made = context;
    made->l1 = bytes;
    *rate = (struct rate){128, 1000};
    return STATUS_OK;
}

static enum status made_l2(void *context, uint64_t bytes, struct rate *rate)
{
    struct made *made = context;
    made->l2 = bytes;
    *rate = (struct rate){2e12, NAN};
    return STATUS_OK;
}

static enum status made_memory(void *context, uint64_t bytes, struct rate *rate)
{
    struct made *made = context;
    made->memory = bytes;
    *rate = (struct rate){9e11, NAN};
    return made->status;
}

static enum status made_load(void *context, uint32_t stride, uint32_t offset,
                             struct load_cost *cost)
{
    struct made *made = context;
    made->loads++;
    *cost = (struct load_cost){stride, offset, NAN};
    return STATUS_OK;
}

static void made_up(void **state)
{
    (void)state;
    struct made made = {.status = STATUS_OK};
    struct rates rates;
    struct rates_lab lab = {made_l1, made_l2, made_memory, made_load, &made, 1, 2, 3};
    assert_int_equal(rates_run(&lab, RATES_BANDWIDTHS | RATES_LANES, &rates), STATUS_OK);
    assert_true(rates.l1.rate == 128 && rates.l2.rate == 2e12 && rates.memory.rate == 9e11);
    assert_true(made.l1 == 1 && made.l2 == 2 && made.memory == 3);
    assert_int_equal(made.loads, RATES_STRIDES + RATES_OFFSETS);
    assert_true(rates.strides[32].cycles == 32 && rates.strides[32].sectors == 0);
    assert_true(rates.offsets[7].cycles == 1 && rates.offsets[7].sectors == 7);

    /* Without an L1D nothing of it is measured; only what is asked for is. */
    lab.l1 = 0;
    made.loads = 0;
    assert_int_equal(rates_run(&lab, RATES_BANDWIDTHS | RATES_LANES, &rates), STATUS_OK);
    assert_true(isnan(rates.l1.rate) && rates.l2.rate == 2e12 && !made.loads);
    assert_true(isnan(rates.strides[1].cycles));
    lab.l1 = 1;
    assert_int_equal(rates_run(&lab, RATES_LANES, &rates), STATUS_OK);
    assert_true(isnan(rates.l1.rate) && isnan(rates.memory.rate) && rates.strides[1].cycles == 1);

    made.status = STATUS_CANCELLED;
    made.loads = 0;
    assert_int_equal(rates_run(&lab, RATES_BANDWIDTHS | RATES_LANES, &rates), STATUS_CANCELLED);
    assert_int_equal(made.loads, 0);
}

/* ---- our machines ---- */

/* A small machine of the kind that has sectors, whose SMs could ask for more than its levels are
 * configured to deliver: what is configured, and nothing else, is what limits it. */
static struct machine random_machine(uint64_t seed)
{
    static const char *const small[] = {
        "gpu.sms=2",     "l2.slices=4",         "l2.ways=8",       "l2.slices_per_channel=2",
        "l2.size=64KiB", "dram.refi=0",         "tlb.enabled=yes", "tlb.entries=4",
        "l2.queue=1024", "l2.mshr.entries=1024"};
    static const uint64_t ports[] = {1, 2, 4, 8}, tags[] = {1, 2, 4, 8};
    struct machine machine;
    struct violation found[VIOLATION_MAX];
    assert_int_equal(machine_load("qv100", NULL, &machine, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        assert_int_equal(machine_set_text(&machine, small[i], NULL), STATUS_OK);
    machine.l1d.tags = tags[random_below(random_at(seed, 0), 4)];
    machine.l1d.load_cycles = 3 + random_below(random_at(seed, 1), 6);
    machine.l1d.wavefront = 1 + random_below(random_at(seed, 2), 3);
    machine.l1d.latency = 20 + random_below(random_at(seed, 3), 40);
    machine.l2.port = ports[random_below(random_at(seed, 4), 4)];
    machine.dram.bus = ports[random_below(random_at(seed, 5), 3)];
    machine.core.load_store_units = UINT64_C(4) << random_below(random_at(seed, 8), 4);
    machine.network.clock = 600000000 + 100000000 * random_below(random_at(seed, 6), 10);
    machine.dram.clock = 600000000 + 100000000 * random_below(random_at(seed, 7), 5);
    if (machine_check(&machine, found))
        fail_msg("seed %d: %s", (int)seed, found[0].message);
    return machine;
}

/* Cycles of a load in a ring: what 256 more take. */
static double latency_of(const struct machine *machine, uint64_t bytes)
{
    struct metrics once, more;
    const unsigned long long ring = bytes, round = bytes / 128;
    assert_int_equal(paper_time(machine, NULL, &once, NULL,
                                "CHASE:bytes=%llu,stride=128,steps=%llu,order=1", ring, round),
                     STATUS_OK);
    assert_int_equal(paper_time(machine, NULL, &more, NULL,
                                "CHASE:bytes=%llu,stride=128,steps=%llu,order=1", ring,
                                round + 256),
                     STATUS_OK);
    return (more.core_cycles - once.core_cycles) / 256;
}

/* A rate is exact but for what rates.h says: 1 % until it counts as settled, and the time of a load
 * that waits for this level, out of a ring of so many bytes. */
static void assert_rate(const struct machine *machine, const struct rate *rate,
                        const struct rate_limit *limit, uint64_t bytes)
{
    struct machine plain = *machine;
    plain.tlb.enabled = false;
    const double tolerance = 0.01 + latency_of(&plain, bytes) / rate->cycles;
    assert_true(tolerance < 0.05);
    if (!(fabs(rate->rate / limit->rate - 1) < tolerance))
        fail_msg("found %g, configured %g (%s), tolerance %g", rate->rate, limit->rate,
                 limit->limit, tolerance);
}

static void rates_are_those_configured(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROLLS(10); seed++) {
        const struct machine machine = random_machine(seed);
        const struct rate_limits limits = rates_limits(&machine);
        struct rates rates;
        assert_int_equal(rates_machine(&machine, RATES_BANDWIDTHS, NULL, &rates, NULL), STATUS_OK);
        assert_rate(&machine, &rates.l1, &limits.l1, machine.l1d.size / 2);
        assert_rate(&machine, &rates.l2, &limits.l2, machine.l2.size / 2);
        assert_rate(&machine, &rates.memory, &limits.memory, 8 * machine.l2.size);
    }
}

/* From the definitions: which sectors and lines a warp's lanes touch, and how often they ask one of
 * 32 banks of a word for different words. */
struct touched {
    double sectors, lines, wavefronts;
};

static struct touched touch(uint32_t stride, uint32_t offset)
{
    enum { LANES = 32, WORDS = 2048, BANKS = 32, SECTOR_WORDS = 8, LINE_WORDS = 32 };
    bool word[WORDS] = {false}, sector[WORDS] = {false}, line[WORDS] = {false};
    unsigned asked[BANKS] = {0};
    struct touched touched = {0, 0, 0};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t at = offset + lane * stride;
        asked[at % BANKS] += !word[at];
        word[at] = sector[at / SECTOR_WORDS] = line[at / LINE_WORDS] = true;
    }
    for (unsigned i = 0; i < WORDS; i++) {
        touched.sectors += sector[i];
        touched.lines += line[i];
    }
    for (unsigned i = 0; i < BANKS; i++)
        touched.wavefronts = fmax(touched.wavefronts, asked[i]);
    return touched;
}

static void assert_cost(const struct machine *machine, const struct load_cost *cost,
                        uint32_t stride, uint32_t offset)
{
    const struct touched touched = touch(stride, offset);
    const double banks = touched.wavefronts * (double)machine->l1d.wavefront;
    const double tags = ceil(touched.lines / (double)machine->l1d.tags);
    const double units = ceil(32 / (double)machine->core.load_store_units);
    const double cycles = fmax(fmax(fmax(banks, tags), units), (double)machine->l1d.load_cycles);
    assert_true(cost->sectors == touched.sectors);
    assert_true(cost->requests == touched.sectors); /* from Volta on */
    const double tolerance = 0.02 * cycles; /* 1 % until it counts as settled, of both runs */
    if (!(fabs(cost->cycles - cycles) < tolerance))
        fail_msg("stride %u, offset %u: %g cycles, expected %g +- %g", stride, offset, cost->cycles,
                 cycles, tolerance);
}

static void loads_cost_what_their_lanes_touch(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const struct machine machine = random_machine(seed);
        struct rates rates;
        assert_int_equal(rates_machine(&machine, RATES_LANES, NULL, &rates, NULL), STATUS_OK);
        for (uint32_t i = 0; i < RATES_STRIDES; i++)
            assert_cost(&machine, &rates.strides[i], i, 0);
        for (uint32_t i = 0; i < RATES_OFFSETS; i++)
            assert_cost(&machine, &rates.offsets[i], 1, i);
    }
}

/* What has no L1D or no L2 says so; what holds no block of threads is refused. */
static void other_machines(void **state)
{
    (void)state;
    struct machine machine = random_machine(3);
    struct rates rates;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    machine.l1d.enabled = false;
    assert_int_equal(rates_machine(&machine, RATES_BANDWIDTHS | RATES_LANES, NULL, &rates, NULL),
                     STATUS_OK);
    assert_true(isnan(rates.l1.rate) && isnan(rates.strides[1].cycles) && rates.l2.rate > 0);
    assert_true(isnan(rates_limits(&machine).l1.rate));
    machine.dram.fixed = true;
    assert_string_not_equal(rates_limits(&machine).memory.limit, "bus of the DRAM");
    machine.core.load_store_units = 1; /* a lane a cycle of either SM */
    const double lanes = 4 * 2 * (double)machine.gpu.clock;
    assert_true(rates_limits(&machine).memory.rate <= lanes);
    machine.l2.port = 64;
    assert_string_equal(rates_limits(&machine).l2.limit, "load/store units");
    assert_true(rates_limits(&machine).l2.rate == lanes);
    machine.gpu.registers = 32;
    assert_int_equal(rates_machine(&machine, RATES_BANDWIDTHS, NULL, &rates, &diagnostics),
                     STATUS_UNSUPPORTED);
    diagnostics_free(&diagnostics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_up), cmocka_unit_test(rates_are_those_configured),
        cmocka_unit_test(loads_cost_what_their_lanes_touch), cmocka_unit_test(other_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
