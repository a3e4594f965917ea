/* Inferring an L1D from the time of its loads: the paper's vectors, machines of the model, and made
 * up caches that the inference must not pretend to understand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "explore/papers/probe.h"
#include "model/evaluate.h"
#include "schema/parameters.h"
#include "workload/workload.h"

static struct machine named_machine(const char *name)
{
    struct machine machine;
    assert_int_equal(machine_load(name, NULL, &machine, NULL, NULL), STATUS_OK);
    return machine;
}

static void assert_found(const struct finding *finding, uint64_t value)
{
    assert_int_equal(finding->kind, FOUND);
    assert_int_equal(finding->value, value);
}

static void assert_organization(const struct probe *probe, const struct machine *machine)
{
    uint64_t sets = cache_sets(&machine->l1d);
    assert_found(&probe->line, machine->l1d.line);
    assert_found(&probe->lines, machine->l1d.size / machine->l1d.line);
    assert_found(&probe->ways, machine->l1d.ways);
    assert_found(&probe->sets, sets);
    assert_true(probe_index_is(probe, machine->l1d.index));
    if (machine->l1d.ways > 1)
        assert_found(&probe->replacement, POLICY_LRU);
}

/* Nugteren et al., HPCA 2014: the hash, 6 MSHRs a warp and 64 an SM, and what follows for strides.
 */
static void the_paper(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        uint64_t strides[PROBE_STRIDES];
    } cases[] = {
        {"reuse-gtx470-16k", {256, 256, 256, 256, 256, 128, 256, 128, 64, 32, 32, 16, 16, 8}},
        {"reuse-gtx470-48k", {512, 512, 512, 512, 512, 512, 256, 128, 64, 32, 32, 16, 16, 8}}};
    static const struct {
        unsigned address_bit, set;
    } hash[] = {{7, 1},  {8, 2},  {9, 4},  {10, 8}, {11, 16},
                {13, 1}, {14, 2}, {15, 4}, {17, 8}, {19, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine = named_machine(cases[i].machine);
        struct probe probe;
        assert_int_equal(probe_machine(&machine, NULL, &probe, NULL), STATUS_OK);
        assert_organization(&probe, &machine);
        assert_found(&probe.hit_time, 0);
        assert_found(&probe.miss_time, 100);
        assert_found(&probe.mshr_per_warp, 6);
        assert_found(&probe.mshr_per_sm, 64);
        assert_found(&probe.index, MAPPING_XOR);
        assert_int_equal(probe.stride_bit, 7);
        for (unsigned k = 0; k < PROBE_STRIDES; k++)
            assert_int_equal(probe_stride_limit(&probe, k), cases[i].strides[k]);
        uint64_t expected[PROBE_ADDRESS_BITS] = {0};
        for (size_t k = 0; k < sizeof hash / sizeof *hash; k++)
            expected[hash[k].address_bit] = hash[k].set;
        expected[12] = i ? 32 : 0;
        assert_memory_equal(probe.columns, expected, sizeof expected);
    }
}

static uint64_t misses_of(const struct machine *machine, const char *workload)
{
    struct trace_source *source;
    struct metrics metrics;
    const struct evaluate_options how = {.depth = DEPTH_REUSE};
    assert_int_equal(workload_open(workload, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(machine, source, &how, &metrics, NULL), STATUS_OK);
    trace_source_free(source);
    return (uint64_t)metrics.l1d_misses;
}

/* One line more in a full set, and as many lines as it has ways are missing. */
static void one_line_more(void **state)
{
    (void)state;
    struct machine small = named_machine("reuse-gtx470-16k");
    struct machine large = named_machine("reuse-gtx470-48k");
    assert_int_equal(misses_of(&small, "MB1:lines=128"), 128);
    assert_int_equal(misses_of(&small, "MB1:lines=128,extra=16384"), 128 + 1 + 4);
    assert_int_equal(misses_of(&large, "MB1:lines=384"), 384);
    assert_int_equal(misses_of(&large, "MB1:lines=384,extra=49152"), 384 + 1 + 6);
    /* The line that was read again stays, its three neighbours go in turn. */
    assert_int_equal(misses_of(&small, "MB1:lines=128,extra=16384,again=3"), 128 + 1 + 3);
    assert_int_equal(misses_of(&small, "MB1:lines=4,stride=1048576"), 4);
    assert_int_equal(misses_of(&small, "MB1:lines=8,stride=1048576"), 16);
}

/* Loads of 64 lines at once: refused one by one where the machine holds fewer. */
static void lines_in_flight(void **state)
{
    (void)state;
    struct machine machine = named_machine("reuse-gtx470-16k");
    struct metrics metrics;
    const struct evaluate_options how = {.depth = DEPTH_REUSE};
    static const struct {
        const char *workload;
        bool refused;
    } cases[] = {{"MB2:lines=6,per_warp=32", false},
                 {"MB2:lines=7,per_warp=32", true},
                 {"MB2:lines=64,per_warp=4", false},
                 {"MB2:lines=65,per_warp=4", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_source *source;
        assert_int_equal(workload_open(cases[i].workload, &source, NULL), STATUS_OK);
        assert_int_equal(evaluate(&machine, source, &how, &metrics, NULL), STATUS_OK);
        assert_int_equal(metrics.l1d_reuse_refused > 0, cases[i].refused);
        trace_source_free(source);
    }
}

static struct machine random_machine(uint64_t seed)
{
    static const uint64_t lines[] = {32, 64, 128, 256}, per_warp[] = {0, 1, 5, 16};
    struct machine machine;
    machine_defaults(&machine);
    machine.seed = seed;
    machine.l1d.index = random_at(seed, 0) & 1 ? INDEX_FERMI : INDEX_MODULO;
    uint64_t sets = machine.l1d.index == INDEX_FERMI
                        ? UINT64_C(32) << (random_at(seed, 1) & 1)
                        : UINT64_C(1) << random_below(random_at(seed, 1), 9);
    machine.l1d.line = machine.l1d.sector = lines[random_below(random_at(seed, 2), 4)];
    machine.l1d.ways = UINT64_C(1) << random_below(random_at(seed, 3), 5);
    machine.l1d.size = machine.l1d.line * machine.l1d.ways * sets;
    machine.l1d.mshr.entries = 1 + random_below(random_at(seed, 4), 100);
    machine.l1d.mshr.per_warp = per_warp[random_below(random_at(seed, 5), 4)];
    machine.l1d.reuse.latency = 60 + random_below(random_at(seed, 6), 200);
    machine.l1d.reuse.latency_sigma = (double)random_below(random_at(seed, 7), 4);
    machine.l1d.reuse.hit_latency = random_below(random_at(seed, 8), 30);
    return machine;
}

/* A block has 32 warps, and each asks for the largest power of two of lines that it may have. */
static void assert_mshrs(const struct probe *probe, uint64_t entries, uint64_t per_warp)
{
    uint64_t warp = per_warp && per_warp < entries ? per_warp : entries, lines = 1;
    while (lines < 32 && 2 * lines <= warp)
        lines *= 2;
    assert_int_equal(probe->mshr_per_sm.kind, entries < 32 * lines ? FOUND : FOUND_AT_LEAST);
    assert_int_equal(probe->mshr_per_sm.value, entries < 32 * lines ? entries : 32 * lines);
    if (warp < entries)
        assert_found(&probe->mshr_per_warp, warp);
    else
        assert_int_equal(probe->mshr_per_warp.kind, entries < 32 ? FOUND_NO_LIMIT : FOUND_AT_LEAST);
}

/* Whatever the power-of-two LRU machine: the inference is its configuration. */
static void random_machines(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct machine machine = random_machine(seed);
        struct violation found[VIOLATION_MAX];
        assert_int_equal(machine_check(&machine, found), 0);
        struct probe probe;
        assert_int_equal(probe_machine(&machine, NULL, &probe, NULL), STATUS_OK);
        assert_organization(&probe, &machine);
        assert_found(&probe.hit_time, machine.l1d.reuse.hit_latency);
        assert_mshrs(&probe, machine.l1d.mshr.entries, machine.l1d.mshr.per_warp);
    }
}

/* Small SMs hold small blocks, and tell less. */
static void small_blocks(void **state)
{
    (void)state;
    static const struct {
        uint64_t threads, registers, most;
    } cases[] = {{1536, 32768, 1024}, {1536, 1024, 128}, {32, 32768, 32}};
    struct machine machine = named_machine("reuse-gtx470-16k");
    machine.l1d.mshr.entries = 65536;
    machine.l1d.mshr.per_warp = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct probe probe;
        machine.gpu.max_threads = cases[i].threads;
        machine.gpu.registers = cases[i].registers;
        assert_int_equal(probe_machine(&machine, NULL, &probe, NULL), STATUS_OK);
        assert_organization(&probe, &machine);
        assert_int_equal(probe.mshr_per_sm.kind, FOUND_AT_LEAST);
        assert_int_equal(probe.mshr_per_sm.value, cases[i].most);
        assert_int_equal(probe.mshr_per_warp.kind, FOUND_AT_LEAST);
    }
}

/* What cannot be told is not told. */
static void words(void **state)
{
    (void)state;
    struct machine machine = named_machine("reuse-gtx470-16k");
    struct probe probe;
    machine.l1d.reuse.latency = 0;
    assert_int_equal(probe_machine(&machine, NULL, &probe, NULL), STATUS_OK);
    assert_int_equal(probe.line.kind, FOUND_NOTHING);
    assert_string_equal(probe.ways.why, "hits and misses take the same time");
    machine.l1d.reuse.latency = 100;
    machine.l1d.reuse.model.divergence = false;
    assert_int_equal(probe_machine(&machine, NULL, &probe, NULL), STATUS_OK);
    assert_int_equal(probe.hit_time.kind, FOUND_NOTHING);
    assert_string_equal(probe.line.why, "a warp does not wait for its data, so loads overlap");
    machine.l1d.reuse.model.divergence = true;
    machine.l1d.reuse.latency_sigma = 100;
    assert_int_equal(probe_machine(&machine, NULL, &probe, NULL), STATUS_OK);
    assert_organization(&probe, &machine);
    assert_int_equal(probe.mshr_per_warp.kind, FOUND_NOTHING);
    assert_int_equal(probe.mshr_per_sm.kind, FOUND_NOTHING);
    assert_non_null(strstr(probe.mshr_per_sm.why, "two in a row"));
}

/* A cache that takes loads one by one, to any policy: hits take 2, misses 50. */
enum fake_policy { FAKE_LRU, FAKE_FIFO, FAKE_RANDOM, FAKE_PLRU };

enum { FAKE_WAYS = 4, FAKE_SETS = 16 };

struct fake {
    enum fake_policy policy;
    uint64_t (*index)(uint64_t line);
    uint64_t line[FAKE_SETS][FAKE_WAYS], stamp[FAKE_SETS][FAKE_WAYS], clock, draws;
    bool tree[FAKE_SETS][3];
};

static void fake_touch(struct fake *fake, uint64_t set, unsigned way)
{
    fake->tree[set][0] = way < 2;
    fake->tree[set][1 + way / 2] = way % 2 == 0;
}

static unsigned fake_victim(struct fake *fake, uint64_t set)
{
    unsigned least = 0;
    for (unsigned way = 0; way < FAKE_WAYS; way++) {
        if (fake->line[set][way] == UINT64_MAX)
            return way;
        least = fake->stamp[set][way] < fake->stamp[set][least] ? way : least;
    }
    if (fake->policy == FAKE_RANDOM)
        return (unsigned)random_below(random_at(7, fake->draws++), FAKE_WAYS);
    if (fake->policy == FAKE_PLRU)
        return fake->tree[set][0] ? 2 + fake->tree[set][2] : fake->tree[set][1];
    return least;
}

static uint64_t fake_load(struct fake *fake, uint64_t address)
{
    uint64_t line = address / 64, set = fake->index(line);
    for (unsigned way = 0; way < FAKE_WAYS; way++)
        if (fake->line[set][way] == line) {
            if (fake->policy == FAKE_LRU)
                fake->stamp[set][way] = fake->clock++;
            fake_touch(fake, set, way);
            return 2;
        }
    unsigned way = fake_victim(fake, set);
    fake->line[set][way] = line;
    fake->stamp[set][way] = fake->clock++;
    fake_touch(fake, set, way);
    return 50;
}

static enum status fake_measure(void *context, const struct micro_run *run, struct load_span *spans)
{
    struct fake *fake = context;
    memset(fake->line, 0xff, sizeof fake->line);
    memset(fake->tree, 0, sizeof fake->tree);
    uint64_t loads = 0, now = 0;
    if (run->per_warp) {
        for (uint64_t i = 0; i < micro_run_loads(run); i++)
            spans[i] = (struct load_span){i, i + 50};
        return STATUS_OK;
    }
    for (unsigned loop = 0; loop < 2; loop++) {
        for (uint64_t i = 0; i < run->lines; i++, now += 50)
            spans[loads++] = (struct load_span){now, now + fake_load(fake, i * run->stride)};
        if (!loop && run->again)
            spans[loads++] =
                (struct load_span){now, now + fake_load(fake, (run->again - 1) * run->stride)};
        if (!loop && run->extra)
            spans[loads++] = (struct load_span){now, now + fake_load(fake, run->extra)};
        now += 100;
    }
    return STATUS_OK;
}

static uint64_t fake_linear(uint64_t line)
{
    return line % FAKE_SETS;
}

static uint64_t fake_hash(uint64_t line) /* an exclusive-or that no function of ours is */
{
    return (line ^ line >> 7 ^ line >> 11) % FAKE_SETS;
}

static uint64_t fake_sum(uint64_t line) /* a permutation of each 16 lines, but not linear */
{
    return (line + line / FAKE_SETS * 3) % FAKE_SETS;
}

static struct probe probe_fake(enum fake_policy policy, uint64_t (*index)(uint64_t line))
{
    struct fake fake = {.policy = policy, .index = index};
    const struct probe_lab lab = {fake_measure, &fake, 1024, 0, 0};
    struct probe probe;
    assert_int_equal(probe_run(&lab, &probe), STATUS_OK);
    assert_found(&probe.hit_time, 2);
    assert_found(&probe.miss_time, 50);
    assert_found(&probe.line, 64);
    return probe;
}

static void made_up_caches(void **state)
{
    (void)state;
    struct probe probe = probe_fake(FAKE_LRU, fake_linear);
    assert_found(&probe.ways, 4);
    assert_found(&probe.sets, 16);
    assert_found(&probe.replacement, POLICY_LRU);
    assert_true(probe_index_is(&probe, INDEX_MODULO) && !probe_index_is(&probe, INDEX_XOR));
    probe = probe_fake(FAKE_FIFO, fake_linear);
    assert_found(&probe.ways, 4);
    assert_found(&probe.replacement, POLICY_FIFO);
    probe = probe_fake(FAKE_LRU, fake_hash);
    assert_found(&probe.index, MAPPING_XOR);
    assert_int_equal(probe.columns[6], 1);
    assert_int_equal(probe.columns[13], 1);
    assert_int_equal(probe.columns[17], 1);
    assert_int_equal(probe.columns[12], 0);
    for (int i = 0; i < INDEX_COUNT; i++)
        assert_false(probe_index_is(&probe, i));
    probe = probe_fake(FAKE_LRU, fake_sum);
    assert_found(&probe.ways, 4);
    assert_int_equal(probe.index.kind, FOUND_NOTHING);
    assert_string_equal(probe.index.why, "the set is not an exclusive-or of address bits");
    probe = probe_fake(FAKE_RANDOM, fake_linear);
    assert_int_equal(probe.ways.kind, FOUND_NOTHING);
    assert_int_equal(probe.index.kind, FOUND_NOTHING);
    probe = probe_fake(FAKE_PLRU, fake_linear);
    assert_false(probe.ways.kind == FOUND && probe.ways.value != 4);
    assert_int_not_equal(probe.replacement.kind, FOUND);
}

static enum status failing_measure(void *context, const struct micro_run *run,
                                   struct load_span *spans)
{
    (void)context;
    (void)run;
    (void)spans;
    return STATUS_CANCELLED;
}

static void failures_are_passed_on(void **state)
{
    (void)state;
    const struct probe_lab lab = {failing_measure, NULL, 1024, 0, 0};
    struct probe probe;
    assert_int_equal(probe_run(&lab, &probe), STATUS_CANCELLED);
    struct machine machine = named_machine("reuse-gtx470-16k");
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    machine.l1d.enabled = false;
    assert_int_not_equal(probe_machine(&machine, NULL, &probe, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.errors, 1);
    diagnostics_free(&diagnostics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper),       cmocka_unit_test(one_line_more),
        cmocka_unit_test(lines_in_flight), cmocka_unit_test(random_machines),
        cmocka_unit_test(words),           cmocka_unit_test(small_blocks),
        cmocka_unit_test(made_up_caches),  cmocka_unit_test(failures_are_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
