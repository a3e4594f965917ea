/* Bounds against simulation, and pruned sweeps against complete ones. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/results/pareto.h"
#include "explore/search/bounds.h"
#include "explore/sweep/sweep.h"
#include "model/cache/cache.h"
#include "schema/parameters.h"
#include "support/pick_members.h"
#include "support/sanitized.h"
#include "support/study_builder.h"

static const char objectives[] = "objectives: [l1d.misses, l2.miss_rate, tlb.misses, total.area]\n";

static const char geometry[] = "  l1d.size: [1KiB, 2KiB, 3KiB, 4KiB, 8KiB, 12KiB]\n"
                               "  l1d.ways: [1, 2, 3, 4, 8]\n"
                               "  l2.size: [16KiB, 32KiB, 48KiB]\n"
                               "  l2.ways: [2, 4, 8]\n"
                               "  tlb.entries: [4, 8, 16]\n"
                               "  tlb.ways: [1, 2, 4, full]\n";

static void bounds_study(const char *workload, const char *set, const char *axes,
                         const char *search, struct study *study)
{
    char text[2048];
    snprintf(text, sizeof text,
             "machine: gtx480\nworkloads: [%s]\n"
             "set: {gpu.sms: 2, l2.slices: 2, l2.slices_per_channel: 1, l2.sector: 128B,\n"
             "      l2.write_allocate: write_allocate, %s}\n"
             "axes:\n%s%ssearch: {exhaustive: %s}\nseed: 5\n",
             workload, set, axes, objectives, search);
    study_from_text(text, study);
}

static const char *const settings[] = {
    "l1d.index: linear, l2.index: linear",
    "l1d.index: linear, l1d.write: write_back, l1d.write_allocate: write_allocate",
    "l1d.index: linear, l1d.write: write_evict, l1d.write_allocate: none, l2.index: linear",
    "l1d.index: linear, l1d.write: write_through, l1d.write_allocate: none",
    "l1d.index: linear, l2.index: linear, l1d.replacement: fifo, l2.replacement: random",
};
enum { SETS = sizeof settings / sizeof *settings };

struct row {
    uint64_t point;
    double costs[4];
};

struct rows {
    struct row items[4096];
    size_t count;
};

static enum status take_row(void *argument, const struct store_row *row)
{
    struct rows *rows = argument;
    assert_true(rows->count < 4096);
    struct row *kept = &rows->items[rows->count++];
    kept->point = row->point;
    memcpy(kept->costs, row->values, sizeof kept->costs);
    return STATUS_OK;
}

static void read_rows(const char *path, bool front, struct rows *rows)
{
    struct store *store;
    const struct study *kept;
    const struct query query = {.front = front};
    rows->count = 0;
    assert_int_equal(store_open(path, &store, &kept, NULL), STATUS_OK);
    assert_int_equal(store_query(store, &query, take_row, rows, NULL), STATUS_OK);
    store_close(store);
}

/* Of each structure half of the geometries. */
static bool is_learned(const struct space *space, uint64_t point, size_t half)
{
    for (size_t a = 0; a < 6; a += 2) {
        size_t size = space_digit(space, point % space->machines, a);
        size_t ways = space_digit(space, point % space->machines, a + 1);
        if ((size + ways) % 2 != half)
            return false;
    }
    return true;
}

/* What half of the geometries say about the others: no limit is above what is simulated. */
static void test_no_point_beats_its_bound(void **state)
{
    (void)state;
    static struct rows rows;
    for (size_t i = 0; i < SETS; i++) {
        struct study study;
        struct space space;
        struct bounds *bounds;
        const char *path = scratch_store();
        size_t limits = 0, near = 0;
        bounds_study(i % 2 ? "BFS:nodes=512" : "GEMM:n=32", settings[i], geometry, "{}", &study);
        sweep_into(&study, path, 2, NULL);
        read_rows(path, false, &rows);
        assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
        for (size_t half = 0; half < 2; half++) {
            assert_int_equal(bounds_create(&space, &bounds), STATUS_OK);
            for (size_t r = 0; r < rows.count; r++)
                if (is_learned(&space, rows.items[r].point, half))
                    assert_int_equal(bounds_learn(bounds, rows.items[r].point, rows.items[r].costs),
                                     STATUS_OK);
            for (size_t r = 0; r < rows.count; r++) {
                double found[4];
                bounds_limit(bounds, rows.items[r].point, found);
                assert_true(found[3] == rows.items[r].costs[3]); /* area is exact */
                for (size_t d = 0; d < 3; d++) {
                    assert_false(found[d] > rows.items[r].costs[d]);
                    limits += isfinite(found[d]);
                    near += isfinite(found[d]) && found[d] < rows.items[r].costs[d];
                }
            }
            bounds_free(bounds);
        }
        print_message("%zu points, %zu limits, %zu below the value\n", rows.count, limits, near);
        assert_true(limits > rows.count && (near > 100 || i + 1 == SETS)); /* the last: no LRU */
        study_free(&study);
    }
}

/* ---- the proof, access by access ---- */

static struct cache_config roll_cache(uint64_t seed)
{
    static const int allocates[] = {WRITE_ALLOCATE_NONE, WRITE_ALLOCATE_FETCH,
                                    WRITE_ALLOCATE_ON_WRITE, WRITE_ALLOCATE_LAZY};
    struct cache_config cache = {.enabled = 1, .slices = 1, .line = 128, .interleave = 1024};
    cache.sector = random_at(seed, 0) % 4 ? 128 : 32;
    cache.index = random_at(seed, 1) % 2 ? INDEX_MODULO : pick_index(random_at(seed, 10));
    cache.write = (int)(random_at(seed, 2) % 5); /* every write policy */
    cache.write_allocate = allocates[random_at(seed, 3) % 4];
    if (random_at(seed, 4) % 2)
        cache.replacement = pick_replacement(random_at(seed, 11));
    cache.ways = fit_ways(cache.replacement, 1 + random_at(seed, 5) % 4);
    uint64_t sets = fit_sets(cache.index, 1 + random_at(seed, 6) % 6);
    cache.size = sets * cache.ways * cache.line;
    return cache;
}

static struct request roll_request(uint64_t seed, uint64_t index, const struct cache_config *cache)
{
    uint64_t random = random_at(seed + 1000000, index);
    uint64_t lines = 2 + cache->size / cache->line * 2;
    uint64_t bytes = UINT64_C(32) << (random & 1);
    return (struct request){.address = (random >> 40) % lines * 128 + (random >> 8 & 1) * bytes,
                            .bytes = (uint16_t)bytes,
                            .touched = UINT32_MAX >> (random >> 9 & 1) * 16,
                            .op = (random >> 10) % 3 ? OP_LOAD : OP_STORE,
                            .space = (random >> 16) % 3 ? SPACE_GLOBAL : SPACE_LOCAL};
}

/* Accesses that hit the smaller cache and miss the larger one. */
static unsigned count_exceptions(uint64_t seed, const struct cache_config *small,
                                 const struct cache_config *large)
{
    enum { ACCESSES = 400 };
    const struct cache_config *const configs[] = {small, large};
    struct cache *caches[2];
    uint64_t before[2] = {0};
    unsigned exceptions = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(cache_create(configs[i], 1, seed, 0, &caches[i]), STATUS_OK);
    for (uint64_t i = 0; i < ACCESSES; i++) {
        struct request request = roll_request(seed, i, small);
        uint64_t misses[2];
        for (int c = 0; c < 2; c++) {
            struct cache_counts counts;
            assert_int_equal(cache_run(caches[c], &request, 1, NULL), STATUS_OK);
            cache_read_counts(caches[c], &counts);
            misses[c] = counts.misses - before[c];
            before[c] = counts.misses;
        }
        exceptions += misses[1] > misses[0];
    }
    cache_free(caches[0]);
    cache_free(caches[1]);
    return exceptions;
}

/* Where the bound is claimed no access contradicts it, whatever stores do; and each condition that
 * is asked for is needed: without it there are contradictions. */
static void test_inclusion(void **state)
{
    (void)state;
    unsigned proved[2] = {0}, not_lru = 0, hashed = 0, bypassed = 0, turned = 0;
    for (uint64_t seed = 0; seed < ROLLS(20000); seed++) {
        struct cache_config small = roll_cache(seed), large = small;
        struct bound_scope scope = bounds_of_cache(&small);
        bool sets = random_at(seed, 8) % 2;
        uint64_t factor = 2 + random_at(seed, 9) % 2 * (small.index == INDEX_MODULO ? 1 : 2);
        large.size *= factor;
        large.ways *= sets ? 1 : factor;
        if (!index_holds(large.index, cache_sets(&large)) ||
            !replacement_holds(large.replacement, large.ways))
            continue;
        unsigned exceptions = count_exceptions(seed, &small, &large);
        if (sets ? scope.more_sets : scope.more_ways) {
            assert_int_equal(exceptions, 0);
            proved[sets]++;
        } else if (!cache_keeps_recency(&small)) {
            not_lru += exceptions;
        } else if (!sets && small.sector == small.line &&
                   small.write_allocate != WRITE_ALLOCATE_LAZY) {
            turned += exceptions;
        } else if (sets && scope.more_ways) {
            *(small.index == INDEX_MODULO ? &bypassed : &hashed) += exceptions;
        }
    }
    print_message("claimed %u and %u times; elsewhere %u, %u, %u, %u contradictions\n", proved[0],
                  proved[1], not_lru, hashed, bypassed, turned);
    assert_true(proved[0] > 300 && proved[1] > 100);
    assert_true(not_lru > 0 && hashed > 0 && bypassed > 0 && turned > 0);
}

static void test_preconditions(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        unsigned broken;
    } cases[] = {
        {"l1d.index: linear", 0},
        {"l1d.index: linear, l1d.replacement: fifo", STAGE_L1D},
        {"l1d.index: linear, l1d.sector: 32B", STAGE_L1D},
        {"l1d.index: linear, tlb.replacement: plru", STAGE_TLB},
        {"l1d.index: linear, l1d.write: write_back, l1d.write_allocate: lazy_fetch", STAGE_L1D},
        {"l1d.index: linear, l2.replacement: random", STAGE_L2},
        {"l1d.index: fermi", 0}, /* more ways only */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct space space;
        struct bounds *bounds;
        bounds_study("GEMM:n=32", cases[i].set, "  tlb.entries: [4, 8]\n", "{}", &study);
        assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
        assert_int_equal(bounds_create(&space, &bounds), STATUS_OK);
        assert_int_equal(bounds_broken(bounds, &study.machine), cases[i].broken);
        bounds_free(bounds);
        study_free(&study);
    }
}

/* Where walks read through the L2 its own hits decide what it sees: only the L2 loses its bound. */
static void test_coupled_l2_has_no_bound(void **state)
{
    (void)state;
    for (int coupled = 0; coupled < 2; coupled++) {
        struct study study;
        struct space space;
        struct bounds *bounds;
        struct machine machine;
        bounds_study("GEMM:n=32",
                     coupled ? "l1d.index: linear, l2.index: linear, walker.l2: yes"
                             : "l1d.index: linear, l2.index: linear",
                     "  l2.ways: [2, 4, 8]\n", "{}", &study);
        assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
        assert_int_equal(bounds_create(&space, &bounds), STATUS_OK);
        const double known[] = {100, 0.5, 10, 1};
        double found[4];
        assert_int_equal(bounds_learn(bounds, 2, known), STATUS_OK); /* 8 ways */
        bounds_limit(bounds, 0, found);                              /* 2 ways */
        space_machine(&space, 0, &machine);
        assert_int_equal(bounds_broken(bounds, &machine), coupled ? STAGE_L2 : 0);
        assert_true(found[0] == 100 && found[2] == 10); /* the same L1D, the same TLB */
        assert_int_equal(machine.l2.ways, 2);
        bounds_free(bounds);
        study_free(&study);
    }
}

static void test_studies_without_bounds(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"objectives: [l1d.read_bytes]", "l1d.read_bytes"},
        {"objectives: [walk.memory_accesses, total.area]", "walk.memory_accesses"},
        {"objectives: [l1d.misses: maximize]", "other direction"},
        {"metrics: [l1d.misses]", "no objectives"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct study study;
        char text[512], why[200];
        snprintf(text, sizeof text,
                 "machine: gtx480\nworkloads: ['GEMM:n=16']\naxes: {tlb.entries: [64, 128]}\n%s\n"
                 "search: {exhaustive: {prune: yes}}\n",
                 wrong[i][0]);
        study_from_text(text, &study);
        assert_false(bounds_apply(&study, why));
        assert_non_null(strstr(why, wrong[i][1]));
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        struct sweep_progress progress;
        const struct sweep_options options = {.store = scratch_store(), .threads = 1};
        assert_int_equal(sweep_run(&study, &options, &progress, &diagnostics), STATUS_OK);
        assert_int_equal(progress.done, 2); /* everything is evaluated */
        assert_true(diagnostics_mention(&diagnostics, "nothing is pruned"));
        diagnostics_free(&diagnostics);
        study_free(&study);
    }
}

/* The front of a pruned sweep is that of the complete one, to the id; and less was evaluated. */
static void test_front_is_the_same(void **state)
{
    (void)state;
    static struct rows whole, pruned;
    for (size_t i = 0; i < SETS; i++) {
        struct study study;
        struct sweep_progress all, some;
        const char *all_path = scratch_store(), *some_path = scratch_store();
        const char *workloads = i % 2 ? "BFS:nodes=512" : "ATAX:n=64, GEMM:n=32";
        bounds_study(workloads, settings[i], geometry, "{}", &study);
        sweep_into(&study, all_path, 2, &all);
        study_free(&study);
        bounds_study(workloads, settings[i], geometry, "{prune: yes}", &study);
        sweep_into(&study, some_path, 2, &some);
        study_free(&study);
        read_rows(all_path, true, &whole);
        read_rows(some_path, true, &pruned);
        assert_int_equal(whole.count, pruned.count);
        assert_memory_equal(whole.items, pruned.items, whole.count * sizeof *whole.items);
        assert_int_equal(some.done + some.pruned, all.done);
        print_message("front %zu; %" PRIu64 " of %" PRIu64 " points pruned\n", whole.count,
                      some.pruned, all.done);
        assert_true(some.pruned * 5 > all.done);
    }
}

static void test_verification(void **state)
{
    (void)state;
    struct study study;
    struct sweep_progress progress;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    bounds_study("BFS:nodes=512", settings[0], geometry, "{prune: yes, verify_bounds: yes}",
                 &study);
    const struct sweep_options options = {.store = scratch_store(), .threads = 2};
    assert_int_equal(sweep_run(&study, &options, &progress, &diagnostics), STATUS_OK);
    assert_true(diagnostics_mention(&diagnostics, "0 values better than their bounds"));
    assert_int_equal(diagnostics.errors, 0);
    diagnostics_free(&diagnostics);
    study_free(&study);
}

/* ---- what a front covers ---- */

static void test_covers(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(300); seed++) {
        size_t dimensions = 1 + seed % 4;
        struct objective goals[4];
        struct pareto *front;
        double values[40][4];
        for (size_t d = 0; d < 4; d++)
            goals[d] = (struct objective){NULL, LOWER_IS_BETTER};
        assert_int_equal(pareto_create(goals, dimensions, &front), STATUS_OK);
        for (size_t i = 0; i < 40; i++)
            for (size_t d = 0; d < dimensions; d++)
                values[i][d] = (double)random_below(random_at(seed, i * 4 + d), 6);
        for (uint64_t i = 0; i < 20; i++)
            assert_int_equal(pareto_offer(front, 2 * i, values[i], NULL), STATUS_OK);
        for (uint64_t p = 20; p < 40; p++) {
            uint64_t id = random_below(random_at(seed, 1000 + p), 40) | 1;
            bool covered = false;
            for (uint64_t i = 0; i < 20; i++) {
                bool worse = false, better = false;
                for (size_t d = 0; d < dimensions; d++) {
                    worse |= values[i][d] > values[p][d];
                    better |= values[i][d] < values[p][d];
                }
                covered |= !worse && (better || 2 * i < id);
            }
            assert_int_equal(pareto_covers(front, id, values[p]), covered);
        }
        pareto_free(front);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covers),
        cmocka_unit_test(test_inclusion),
        cmocka_unit_test(test_preconditions),
        cmocka_unit_test(test_coupled_l2_has_no_bound),
        cmocka_unit_test(test_studies_without_bounds),
        cmocka_unit_test(test_no_point_beats_its_bound),
        cmocka_unit_test(test_front_is_the_same),
        cmocka_unit_test(test_verification),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
