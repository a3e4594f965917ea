#include "support/reuse_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/evaluate_options.h"
#include "model/gpu/occupancy.h"

static const struct evaluate_options no_options;

struct machine reuse_one_sm(uint64_t line, uint64_t ways, uint64_t sets)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.sms = 1;
    machine.l1d.line = machine.l1d.sector = line;
    machine.l1d.ways = ways;
    machine.l1d.size = line * ways * sets;
    machine.l1d.index = INDEX_MODULO;
    machine.l1d.reuse.latency_sigma = 0;
    return machine;
}

struct textbook_result reuse_all_runs(const struct machine *machine,
                                      const struct trace_source *source,
                                      struct reuse_histogram *histogram)
{
    struct textbook_result result;
    assert_int_equal(
        textbook_simulate(machine, source, REUSE_ALL_RUNS, &no_options, &result, histogram, NULL),
        STATUS_OK);
    return result;
}

struct machine reuse_twin_machine(uint64_t seed)
{
    static const uint64_t latencies[] = {0, 1, 7, 40}, mshrs[] = {1, 3, 16, 1000};
    static const uint64_t per_warp[] = {0, 1, 2, 5};
    static const double sigmas[] = {0, 0, 1.5, 20};
    uint64_t bits = random_at(seed, 0);
    struct machine machine =
        reuse_one_sm(128, UINT64_C(1) << (bits & 3), UINT64_C(1) << (bits >> 2 & 3));
    machine.gpu.max_blocks = 1 + (bits >> 4 & 3);
    machine.seed = seed;
    machine.l1d.mshr.entries = mshrs[bits >> 6 & 3];
    machine.l1d.mshr.per_warp = per_warp[bits >> 20 & 3];
    machine.l1d.reuse.latency = latencies[bits >> 8 & 3];
    machine.l1d.reuse.latency_sigma = sigmas[bits >> 10 & 3];
    machine.l1d.reuse.hit_latency = bits >> 12 & 1 ? bits >> 13 & 3 : 0;
    machine.l1d.reuse.model.divergence = bits >> 15 & 3 ? 1 : 0;
    machine.l1d.reuse.model.mshr = bits >> 17 & 7 ? 1 : 0;
    machine.l1d.sector = 128 >> (bits >> 22 & 3);
    machine.coalescer.arch = bits >> 24 & 1 ? 70 : 20;
    machine.coalescer.order = bits >> 29 & 1 ? ORDER_RISING : ORDER_FALLING;
    machine.l1d.mshr.merge = 1 + (bits >> 25 & 3);
    machine.l1d.reuse.model.merge = bits >> 27 & 1 ? 1 : 0;
    machine.l1d.reuse.model.allocate = bits >> 28 & 1 ? 1 : 0;
    return machine;
}

void reuse_twin_sum(const struct textbook_result *result)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < REUSE_CLASSES; i++)
        sum += result->classes[i];
    assert_int_equal(sum, result->runs[RUN_MACHINE].misses);
}

/* The classes from the slow twin's record of every access. */
static void slow_classes(const struct slow_loads *loads, const struct slow_result *runs,
                         uint64_t classes[REUSE_CLASSES])
{
    static const struct {
        enum reuse_runs run;
        enum reuse_class class;
    } order[] = {{RUN_UNLIMITED, CLASS_MSHR},
                 {RUN_INSTANT, CLASS_LATENCY},
                 {RUN_ASSOCIATIVE, CLASS_ASSOCIATIVITY}};
    memset(classes, 0, REUSE_CLASSES * sizeof *classes);
    for (uint32_t w = 0; w < loads->blocks * loads->warps_per_block; w++)
        for (uint32_t i = 0; i < runs[RUN_MACHINE].warp_accesses[w]; i++) {
            if (runs[RUN_MACHINE].hit[w][i])
                continue;
            enum reuse_class class =
                runs[RUN_MACHINE].first[w][i] ? CLASS_COMPULSORY : CLASS_CAPACITY;
            for (unsigned k = 0; k < 3 && class == CLASS_CAPACITY; k++)
                if (runs[order[k].run].hit[w][i])
                    class = order[k].class;
            classes[class]++;
        }
}

void reuse_twin_check(const struct machine *machine, const struct trace_source *source,
                      struct reuse_twin *twin)
{
    struct textbook_result result = reuse_all_runs(machine, source, NULL);
    reuse_twin_sum(&result);
    slow_reuse_read(source, 0, machine, &twin->loads);
    uint32_t resident = occupancy_of(machine, &source->launches[0]).blocks;
    struct reuse_config config;
    reuse_configure(machine, &config);
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        struct reuse_config changed = reuse_run_config(&config, i);
        slow_reuse(&twin->loads, &changed, resident, &twin->runs[i]);
        const struct reuse_run *run = &result.runs[i];
        assert_int_equal(run->accesses, twin->runs[i].accesses);
        assert_int_equal(run->misses, twin->runs[i].misses);
        assert_int_equal(run->distances[RECENCY_NEVER], twin->runs[i].never);
        assert_int_equal(run->joined, twin->runs[i].joined);
        assert_int_equal(run->refused, twin->runs[i].refused);
        assert_int_equal(run->ticks, twin->runs[i].ticks);
    }
    uint64_t classes[REUSE_CLASSES];
    slow_classes(&twin->loads, twin->runs, classes);
    assert_memory_equal(result.classes, classes, sizeof classes);
}
