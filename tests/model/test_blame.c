/* Blame: the rows of each table add up to the counts of the evaluation, and a slow twin that
 * watches one set at a time finds the same misses and evictions of each array.
 *
 * cost: 10
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "model/pass/blame.h"
#include "model/pass/set_stream.h"
#include "support/roll_machine.h"
#include "workload/workload.h"

static struct trace_source *source;

static void add_row(struct blame_row *sum, const struct blame_row *row)
{
    sum->requests += row->requests;
    cache_add_counts(&sum->counts, &row->counts);
    sum->evictions += row->evictions;
    sum->evicted += row->evicted;
}

static void assert_counts(const struct cache_counts *counts, const struct metrics *metrics, bool l2)
{
#define SAME(count, name)                                                                          \
    assert_true((double)counts->count == (l2 ? metrics->l2_##name : metrics->l1d_##name))
    SAME(accesses, accesses);
    SAME(misses, misses);
    SAME(read_misses, read_misses);
    SAME(sector_misses, sector_misses);
    SAME(writebacks, writebacks);
    SAME(read_bytes, read_bytes);
    SAME(write_bytes, write_bytes);
    SAME(compulsory, miss_compulsory);
    SAME(flush, miss_flush);
    SAME(store, miss_store);
    SAME(capacity, miss_capacity);
    SAME(conflict, miss_conflict);
#undef SAME
}

static void assert_adds_up(const struct blame *blame, const struct blame_cache *cache,
                           const struct metrics *metrics)
{
    struct cache_counts all = cache->total.counts;
    cache_add_counts(&all, &cache->flushed);
    all.accesses = all.reads + all.writes;
    all.misses = all.read_misses + all.write_misses;
    assert_counts(&all, metrics, cache->stage == STAGE_L2);
    for (size_t k = 0; k < BLAME_TABLES; k++) {
        struct blame_row sum = {.key = cache->total.key};
        for (size_t i = 0; i < cache->tables[k].count; i++)
            add_row(&sum, &cache->tables[k].rows[i]);
        if (k != BLAME_ARRAYS)
            sum.evicted = cache->total.evicted;
        assert_memory_equal(&sum, &cache->total, sizeof sum);
    }
    for (size_t i = 0; i < cache->tables[BLAME_ARRAYS].count; i++) {
        const struct blame_row *row = &cache->tables[BLAME_ARRAYS].rows[i];
        uint64_t by = 0, of = 0;
        for (size_t other = 0; other <= blame->array_count; other++) {
            by += blame_evictions(blame, cache, row->key, other);
            of += blame_evictions(blame, cache, other, row->key);
        }
        assert_int_equal(by, row->evictions);
        assert_int_equal(of, row->evicted);
    }
}

static void roll_blamed(struct dice *dice, struct machine *machine)
{
    assert_int_equal(machine_load("gtx480", NULL, machine, NULL, NULL), STATUS_OK);
    do {
        roll_machine(dice, machine, 12, true);
    } while (!machine_fits(machine, source) ||
             (machine->l1d.enabled && cache_is_offline(&machine->l1d)) ||
             (machine->l2.enabled && cache_is_offline(&machine->l2)) ||
             !(machine->l1d.enabled || machine->l2.enabled));
    roll_sms(dice, machine);
}

/* Returns the evictions. */
static uint64_t check_machine(const struct machine *machine, struct metrics *metrics)
{
    const struct evaluate_options options = {.needs = NEED_REPORT};
    struct blame blame;
    uint64_t evictions = 0;
    assert_int_equal(evaluate(machine, source, &options, metrics, NULL), STATUS_OK);
    assert_int_equal(
        blame_run(machine, source, source->arrays, source->array_count, NULL, &blame, NULL),
        STATUS_OK);
    assert_true(blame.cache_count > 0);
    for (size_t i = 0; i < blame.cache_count; i++) {
        assert_adds_up(&blame, &blame.caches[i], metrics);
        evictions += blame.caches[i].total.evictions;
    }
    blame_free(&blame);
    return evictions;
}

static void rows_add_up(void **state)
{
    (void)state;
    uint64_t evictions = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct dice dice = {seed, 0};
        struct machine machine;
        struct metrics metrics;
        roll_blamed(&dice, &machine);
        evictions += check_machine(&machine, &metrics);
    }
    assert_true(evictions > 1000);
}

/* The L2 of a100 has halves; that of gtx480 is made to serve page walks. Small ones evict. */
static void walks_and_halves_add_up(void **state)
{
    static const struct {
        const char *machine, *settings[6];
    } cases[] = {
        {"a100", {"l1d.enabled=no"}},
        {"a100", {"l2.ways=1", "l2.size=320KiB"}},
        {"gtx480", {"walker.l2=yes", "tlb.entries=2", "tlb.ways=2"}},
        {"gtx480",
         {"walker.l2=yes", "tlb.entries=2", "tlb.ways=2", "l2.size=24KiB", "l2.ways=2",
          "l1d.enabled=no"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        struct metrics metrics;
        assert_int_equal(machine_load(cases[i].machine, NULL, &machine, NULL, NULL), STATUS_OK);
        for (size_t k = 0; k < 6 && cases[i].settings[k]; k++)
            assert_int_equal(machine_set_text(&machine, cases[i].settings[k], NULL), STATUS_OK);
        (void)check_machine(&machine, &metrics);
        assert_true(i < 2 ? metrics.l2_crossings > 0 : metrics.l2_walk_accesses > 0);
    }
}

enum { ARRAYS_MOST = 8 };
struct twin {
    uint64_t misses[ARRAYS_MOST], evictions[ARRAYS_MOST][ARRAYS_MOST];
    uint64_t line;
};

static size_t twin_array(uint64_t address)
{
    for (size_t i = 0; i < source->array_count; i++)
        if (address >= source->arrays[i].base &&
            address < source->arrays[i].base + source->arrays[i].bytes)
            return i;
    return source->array_count;
}

static enum status twin_step(void *argument, const struct set_step *step)
{
    struct twin *twin = argument;
    if (!step->request)
        return STATUS_OK;
    const size_t array = twin_array(step->request->address);
    twin->misses[array] += !step->hit;
    if (step->replaced)
        twin->evictions[array][twin_array(step->left * twin->line)]++;
    return STATUS_OK;
}

/* A cache without sectors, whose misses are lines. */
static void one_set_at_a_time_finds_the_same(void **state)
{
    (void)state;
    struct machine machine;
    struct blame blame;
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    machine.l1d.size = 4096;
    machine.l1d.index = INDEX_MODULO;
    machine.gpu.sms = 2;
    machine.l1d.sector = machine.l1d.line;
    assert_true(source->array_count < ARRAYS_MOST);
    struct twin twin = {.line = machine.l1d.line};
    for (unsigned sm = 0; sm < 2; sm++)
        for (uint64_t set = 0; set < cache_sets(&machine.l1d); set++) {
            const struct set_place place = {STAGE_L1D, sm, set};
            bool whole;
            assert_int_equal(
                set_stream(&machine, source, &place, twin_step, &twin, NULL, &whole, NULL),
                STATUS_OK);
        }
    assert_int_equal(
        blame_run(&machine, source, source->arrays, source->array_count, NULL, &blame, NULL),
        STATUS_OK);
    const struct blame_cache *cache = &blame.caches[0];
    uint64_t misses = 0;
    for (size_t i = 0; i < cache->tables[BLAME_ARRAYS].count; i++) {
        const struct blame_row *row = &cache->tables[BLAME_ARRAYS].rows[i];
        assert_int_equal(row->counts.misses, twin.misses[row->key]);
        misses += row->counts.misses;
        for (size_t victim = 0; victim <= source->array_count; victim++)
            assert_int_equal(blame_evictions(&blame, cache, row->key, victim),
                             twin.evictions[row->key][victim]);
    }
    assert_true(misses > 0 && misses == cache->total.counts.misses);
    assert_true(cache->total.evictions > 0);
    blame_free(&blame);
}

static void what_cannot_be_blamed_says_so(void **state)
{
    (void)state;
    static const char *const settings[] = {"l1d.replacement=opt", "l2.replacement=opt"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct machine machine;
        struct blame blame;
        assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
        assert_int_equal(machine_set_text(&machine, settings[i], NULL), STATUS_OK);
        assert_int_equal(blame_run(&machine, source, NULL, 0, NULL, &blame, NULL),
                         STATUS_UNSUPPORTED);
        blame_free(&blame);
    }
}

static int open_source(void **state)
{
    (void)state;
    return workload_open("GEMM:n=32", &source, NULL);
}

static int free_source(void **state)
{
    (void)state;
    trace_source_free(source);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_add_up),
                                       cmocka_unit_test(walks_and_halves_add_up),
                                       cmocka_unit_test(one_set_at_a_time_finds_the_same),
                                       cmocka_unit_test(what_cannot_be_blamed_says_so)};
    return cmocka_run_group_tests(tests, open_source, free_source);
}
