/* Sharing between reuse evaluations changes no number: loads that are read once, and runs that
 * several machines have in common. Also checks that histogram and instructions add up to the
 * metrics. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "model/lru/stack.h"
#include "model/reuse/loads.h"
#include "model/reuse/published.h"
#include "model/reuse/textbook.h"
#include "schema/parameters.h"
#include "support/same_metrics.h"
#include "tests/support/list_source.h"

static const struct evaluate_options everything = {.depth = DEPTH_REUSE,
                                                   .needs = NEED_CLASSES(STAGE_L1D)};

/* Machines of one stream; `bits` chooses the rest. */
static struct machine machine_of(uint64_t bits)
{
    static const uint64_t latencies[] = {0, 3, 20, 60}, mshrs[] = {1, 4, 16, 1000};
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 3;
    machine.gpu.max_blocks = 3;
    machine.l1d.line = machine.l1d.sector = bits & 1 ? 64 : 128;
    machine.l1d.ways = 1 + (bits >> 1 & 3);
    machine.l1d.size = machine.l1d.line * machine.l1d.ways << (bits >> 3 & 3);
    machine.l1d.index = INDEX_MODULO;
    machine.l1d.flush = bits >> 5 & 1;
    machine.l1d.mshr.entries = mshrs[bits >> 6 & 3];
    machine.l1d.reuse.latency = latencies[bits >> 8 & 3];
    machine.l1d.reuse.latency_sigma = bits >> 10 & 1 ? 4 : 0;
    machine.l1d.reuse.hit_latency = bits >> 11 & 1 ? 2 : 0;
    machine.l1d.reuse.model.mshr = bits >> 12 & 3 ? 1 : 0;
    machine.l1d.reuse.model.latency = bits >> 14 & 3 ? 1 : 0;
    machine.l1d.reuse.model.divergence = bits >> 16 & 3 ? 1 : 0;
    machine.l1d.reuse.model.hierarchy = bits >> 18 & 3 ? 1 : 0;
    machine.l1d.reuse.model.associativity = bits >> 20 & 3 ? 1 : 0;
    machine.seed = 1 + (bits >> 22 & 1);
    return machine;
}

enum { MACHINES = 12 };

static void many_are_each_alone(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 30, 80);
        struct machine machines[MACHINES];
        const struct machine *pointers[MACHINES];
        struct metrics together[MACHINES], alone;
        list_source_keep_loads(source);
        for (size_t i = 0; i < MACHINES; i++) {
            /* Half of them differ from the first in latency and MSHRs alone. */
            uint64_t bits = random_at(seed, i < MACHINES / 2 ? i : 0);
            machines[i] = machine_of(bits);
            if (i >= MACHINES / 2) {
                machines[i].l1d.reuse.latency = 5 * i;
                machines[i].l1d.mshr.entries = 1 + i % 4;
            }
            pointers[i] = &machines[i];
        }
        assert_int_equal(
            evaluate_many(pointers, MACHINES, &source->base, &everything, together, NULL),
            STATUS_OK);
        for (size_t i = 0; i < MACHINES; i++) {
            assert_int_equal(evaluate(&machines[i], &source->base, &everything, &alone, NULL),
                             STATUS_OK);
            assert_same_metrics(&together[i], &alone);
        }
        trace_source_free(&source->base);
    }
}

static void loads_are_the_source(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct list_source *source = list_source_random(seed, 3, 12, 30, 80);
        struct machine machine = machine_of(random_at(seed, 99));
        const struct machine *pointer = &machine;
        struct textbook_result read, kept;
        struct reuse_loads *loads;
        assert_int_equal(reuse_loads_create(&machine, &source->base, REUSE_LOADS_BYTES, &everything,
                                            &loads, NULL),
                         STATUS_OK);
        assert_true(reuse_loads_serve(loads, &machine));
        assert_int_equal(textbook_simulate(&machine, &source->base, REUSE_ALL_RUNS, &everything,
                                           &read, NULL, NULL),
                         STATUS_OK);
        assert_int_equal(textbook_simulate_many(&pointer, 1, &source->base, loads, true,
                                                &everything, &kept, NULL, NULL),
                         STATUS_OK);
        assert_memory_equal(&read, &kept, sizeof read);
        reuse_loads_free(loads);
        assert_int_equal(reuse_loads_create(&machine, &source->base, 64, &everything, &loads, NULL),
                         STATUS_OK);
        assert_null(loads); /* too large for 64 bytes */
        trace_source_free(&source->base);
    }
}

/* What the table of metrics says of a depth is what its evaluation answers. */
static void answered_is_what_is_there(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(5, 2, 12, 30, 80);
    struct machine machine = machine_of(0x1540);
    struct metrics metrics;
    list_source_keep_loads(source);
    assert_int_equal(evaluate(&machine, &source->base, &everything, &metrics, NULL), STATUS_OK);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (metric->stage != STAGE_AREA &&
            isnan(metric_get(metric, &metrics)) == metric_answered(metric, DEPTH_REUSE))
            fail_msg("%s", metric->path);
        if ((metric_answered(metric, DEPTH_FUNCTIONAL) ||
             metric_compared(metric, DEPTH_FUNCTIONAL)) != ((metric->depths & AT_FUNCTIONAL) != 0))
            fail_msg("%s", metric->path);
    }
    trace_source_free(&source->base);
}

static uint64_t sum_of(const struct pc_table *pcs, size_t offset)
{
    uint64_t sum = *(const uint64_t *)((const char *)&pcs->others + offset);
    for (size_t i = 0; i < pcs->count; i++)
        sum += *(const uint64_t *)((const char *)&pcs->items[i] + offset);
    return sum;
}

/* Histogram and instructions count each access once, and their misses are the run's. */
static void details_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 30, 80);
        struct machine machine = machine_of(random_at(seed, 7));
        struct reuse_histogram histogram = {0};
        struct pc_table pcs = {0};
        struct evaluate_options detailed = everything;
        detailed.histogram = &histogram;
        detailed.pcs = &pcs;
        struct metrics metrics, plain;
        list_source_keep_loads(source);
        machine.l1d.unified = 0;
        assert_int_equal(evaluate(&machine, &source->base, &detailed, &metrics, NULL), STATUS_OK);
        assert_int_equal(evaluate(&machine, &source->base, &everything, &plain, NULL), STATUS_OK);
        assert_same_metrics(&metrics, &plain);
        struct reuse_config config;
        reuse_configure(&machine, &config);
        uint64_t accesses = histogram.infinite, misses = histogram.infinite;
        for (size_t i = 0; i < histogram.count; i++) {
            accesses += histogram.counts[i];
            misses += i >= config.ways ? histogram.counts[i] : 0;
        }
        assert_true(accesses == metrics.l1d_accesses && misses == metrics.l1d_misses);
        assert_true(sum_of(&pcs, offsetof(struct pc_count, accesses)) == metrics.l1d_accesses);
        assert_true(sum_of(&pcs, offsetof(struct pc_count, misses)) == metrics.l1d_misses);
        const double classes[MISS_CLASSES] = {[MISS_COMPULSORY] = metrics.l1d_miss_compulsory,
                                              [MISS_CAPACITY] = metrics.l1d_miss_capacity,
                                              [MISS_ASSOCIATIVITY] = metrics.l1d_miss_associativity,
                                              [MISS_FLUSH] = metrics.l1d_miss_flush,
                                              [MISS_LATENCY] = metrics.l1d_miss_latency,
                                              [MISS_MSHR] = metrics.l1d_miss_mshr};
        for (size_t i = 0; i < MISS_CLASSES; i++)
            assert_true(sum_of(&pcs, offsetof(struct pc_count, classes) + 8 * i) == classes[i]);
        pc_table_sort(&pcs);
        for (size_t i = 1; i < pcs.count; i++)
            assert_true(pcs.items[i - 1].misses >= pcs.items[i].misses);
        reuse_histogram_free(&histogram);
        pc_table_free(&pcs);
        trace_source_free(&source->base);
    }
}

/* Without latencies fully associative L1Ds of 1 to 16 lines are what one stack pass says. */
static void associative_is_a_stack_pass(void **state)
{
    (void)state;
    enum { WAYS = 16 };
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 30, 80);
        struct machine machines[WAYS];
        const struct machine *pointers[WAYS];
        struct metrics stack[WAYS], reuse[WAYS];
        list_source_keep_loads(source);
        for (size_t i = 0; i < WAYS; i++) {
            machines[i] = machine_of(random_at(seed, 3) & ~UINT64_C(1));
            machines[i].l1d.ways = i + 1;
            machines[i].l1d.size = 128 * (i + 1);
            machines[i].l1d.write = WRITE_READ_ONLY;
            machines[i].l1d.reuse.model.latency = machines[i].l1d.reuse.model.mshr = false;
            machines[i].l1d.reuse.model.hierarchy = true;
            machines[i].l2.enabled = false;
            pointers[i] = &machines[i];
        }
        assert_true(stack_applies(&machines[0].l1d));
        const struct evaluate_options lookups = {.share = SHARE_LOOKUPS};
        assert_int_equal(evaluate_many(pointers, WAYS, &source->base, &lookups, stack, NULL),
                         STATUS_OK);
        assert_int_equal(evaluate_many(pointers, WAYS, &source->base, &everything, reuse, NULL),
                         STATUS_OK);
        for (size_t i = 0; i < WAYS; i++) {
            assert_true(stack[i].l1d_accesses == reuse[i].l1d_accesses);
            assert_true(stack[i].l1d_misses == reuse[i].l1d_misses);
            assert_true(reuse[i].l1d_miss_associativity == 0);
        }
        trace_source_free(&source->base);
    }
}

/* At the functional depth the instructions add up to the L1D's counts as well, and counting them
 * changes none. */
static void functional_instructions_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 30, 80);
        struct machine machine = machine_of(random_at(seed, 11));
        struct pc_table pcs = {0};
        struct metrics metrics, plain;
        struct evaluate_options options = {.needs = NEED_CLASSES(STAGE_L1D)};
        assert_int_equal(evaluate(&machine, &source->base, &options, &plain, NULL), STATUS_OK);
        options.pcs = &pcs;
        assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL), STATUS_OK);
        assert_same_metrics(&metrics, &plain);
        assert_true(pcs.count > 1);
        assert_true(sum_of(&pcs, offsetof(struct pc_count, accesses)) == metrics.l1d_accesses);
        assert_true(sum_of(&pcs, offsetof(struct pc_count, misses)) == metrics.l1d_misses);
        assert_true(sum_of(&pcs, offsetof(struct pc_count, classes[MISS_ASSOCIATIVITY])) ==
                    metrics.l1d_miss_conflict);
        pc_table_free(&pcs);
        trace_source_free(&source->base);
    }
}

/* Two kernels have the same pcs, and one of them loads and stores at one. */
static void kernels_stand_apart(void **state)
{
    (void)state;
    struct pc_table pcs = {0};
    static const char *const kernels[] = {"first", "second", "first", NULL};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(pc_table_launch(&pcs, kernels[i]), STATUS_OK);
        pc_table_at(&pcs, 8, OP_LOAD)->misses += 10 - i;
        pc_table_at(&pcs, 8, OP_STORE)->misses += 1;
    }
    pc_table_sort(&pcs);
    assert_int_equal(pcs.count, 6);
    assert_int_equal(pcs.items[0].misses, 18);
    assert_int_equal(pcs.items[0].op, OP_LOAD);
    assert_string_equal(pc_table_kernel(&pcs, &pcs.items[0]), "first");
    assert_int_equal(pcs.items[1].misses, 9);
    assert_string_equal(pc_table_kernel(&pcs, &pcs.items[1]), "second");
    assert_string_equal(pc_table_kernel(&pcs, &pcs.items[2]), "");
    assert_int_equal(pcs.items[3].misses, 2);
    assert_int_equal(pcs.items[3].op, OP_STORE);
    pc_table_free(&pcs);
}

/* At every depth the launches of a source are told apart by their names. */
static void rows_carry_kernels(void **state)
{
    (void)state;
    static const int modes[] = {REUSE_TEXTBOOK, REUSE_PUBLISHED};
    for (unsigned i = 0; i < 3; i++) {
        struct list_source *source = list_source_random(3, 2, 12, 30, 80);
        struct machine machine = machine_of(random_at(3, 11));
        struct pc_table pcs = {0};
        struct metrics metrics;
        const struct evaluate_options options = {.depth = i ? DEPTH_REUSE : DEPTH_FUNCTIONAL,
                                                 .needs = NEED_CLASSES(STAGE_L1D),
                                                 .pcs = &pcs};
        list_source_keep_loads(source);
        machine.l1d.unified = 0;
        machine.l1d.reuse.mode = i ? modes[i - 1] : REUSE_TEXTBOOK;
        for (uint32_t k = 0; k < source->base.launch_count; k++)
            source->base.launches[k].name[0] = (char)('a' + k);
        enum status status = evaluate(&machine, &source->base, &options, &metrics, NULL);
        if (i == 2 &&
            status == STATUS_INVALID) { /* published: threads that load differently often */
            pc_table_free(&pcs);
            trace_source_free(&source->base);
            continue;
        }
        assert_int_equal(status, STATUS_OK);
        bool seen[2] = {false, false};
        for (size_t k = 0; k < pcs.count; k++)
            seen[pc_table_kernel(&pcs, &pcs.items[k])[0] == 'b'] = true;
        assert_true(seen[0] && seen[1]);
        pc_table_free(&pcs);
        trace_source_free(&source->base);
    }
}

/* More instructions than the table has places are counted together. */
static void the_table_is_bounded(void **state)
{
    (void)state;
    struct pc_table pcs = {0};
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t pc = 0; pc < 2 * PCS_MOST; pc++) {
            struct pc_count *count = pc_table_at(&pcs, pc * 8, OP_LOAD);
            assert_non_null(count);
            count->accesses++;
            count->misses += pc == 77;
        }
    assert_int_equal(pcs.count, PCS_MOST);
    assert_int_equal(pcs.others.accesses, 2 * PCS_MOST);
    pc_table_sort(&pcs);
    assert_int_equal(pcs.items[0].pc, 77 * 8);
    assert_int_equal(pcs.items[0].accesses, 2);
    pc_table_free(&pcs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_are_each_alone),
        cmocka_unit_test(loads_are_the_source),
        cmocka_unit_test(answered_is_what_is_there),
        cmocka_unit_test(details_add_up),
        cmocka_unit_test(kernels_stand_apart),
        cmocka_unit_test(rows_carry_kernels),
        cmocka_unit_test(the_table_is_bounded),
        cmocka_unit_test(associative_is_a_stack_pass),
        cmocka_unit_test(functional_instructions_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
