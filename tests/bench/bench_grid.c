/* Speed of grids of caches on the gpu_mix stream, with every set of instructions; times are those
 * of the thread, not of the wall. Arguments: one grid only; anything second: the best kernel only.
 *
 * Others on this stream, in M accesses/s (G accesses x caches/s), on one 4.2 GHz core of Zen 5: 32
 * KiB, 4 ways: Dinero IV's library 65, pycachesim 143, libCacheSim 60 (fully associative); 352 LRU
 * caches: Cheetah 12.2 (4.3). A published-technique prototype there: 412 for one, 34.5 (12.1) for
 * 352, 10.6 (13.2) for 1,242, 9.1 (1.0) for 112 FIFO ones. Machines differ: run the rivals beside
 * it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "model/cache/grid.h"
#include "model/cache/grid_sets.h"
#include "support/gpu_mix.h"

enum { CACHES = 2048, ROUNDS = 3 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t cycles(void)
{
#ifdef __x86_64__
    return __rdtsc();
#else
    return 0;
#endif
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_grid: %s\n", what);
    exit(1);
}

static void measure(const struct grid_set *set, int index, enum grid_path path, bool split,
                    const struct line_ids *ids, const uint32_t *items, size_t count)
{
    static struct cache_config configs[CACHES];
    size_t caches = grid_set_configs(set, index, configs, CACHES);
    const struct grid_options options = {.units = 1, .path = path, .split_writes = split};
    double best = 1e9;
    uint64_t clocks = 0, misses = 0;
    char name[64];
    for (int round = 0; round < ROUNDS; round++) {
        struct grid *grid;
        enum status status = grid_create(configs, caches, &options, &grid);
        if (status == STATUS_UNSUPPORTED)
            return;
        if (status || grid_use_ids(grid, ids))
            fail("cannot make a grid");
        uint64_t clock = cycles();
        double start = seconds();
        if (grid_run_items(grid, 0, items, count))
            fail("cannot run a grid");
        double time = seconds() - start;
        if (time < best) {
            best = time;
            clocks = cycles() - clock;
        }
        struct cache_counts counts;
        misses = 0;
        for (size_t i = 0; i < caches; i++) {
            grid_read_counts(grid, i, &counts);
            misses += counts.misses;
        }
        snprintf(name, sizeof name, "%s, index %d, %s%s", set->name, index, grid_path_name(grid),
                 split ? ", split" : "");
        grid_free(grid);
    }
    double accesses = (double)count;
    printf("%-34s %9.1f %9.2f %9.1f %16llu\n", name, accesses / best * 1e-6,
           accesses * (double)caches / best * 1e-9, (double)clocks / accesses,
           (unsigned long long)misses);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct gpu_mix mix;
    struct line_ids ids;
    if (gpu_mix_create(GPU_MIX_LENGTH, &mix) || line_ids_init(&ids, 5, 15))
        fail("no memory");
    uint32_t *items = malloc(mix.count * sizeof *items);
    if (!items)
        fail("no memory");
    double start = seconds();
    for (size_t i = 0; i < mix.count; i++) {
        uint32_t id;
        if (line_ids_find(&ids, mix.items[i], &id))
            fail("too many regions");
        items[i] = id << 1 | (mix.items[i] & 1);
    }
    printf("ids: %.2f ns an access\n", (seconds() - start) * 1e9 / (double)mix.count);
    printf("%-34s %9s %9s %9s %16s\n", "grid", "M acc/s", "G a*c/s", "tsc/acc", "misses");
    for (const struct grid_set *set = grid_sets; set->name; set++) {
        if (argc > 1 && strcmp(argv[1], set->name))
            continue;
        if (argc > 2) {
            measure(set, INDEX_LINEAR, GRID_BEST, false, &ids, items, mix.count);
            continue;
        }
        measure(set, INDEX_LINEAR, GRID_AVX512, false, &ids, items, mix.count);
        measure(set, INDEX_LINEAR, GRID_AVX512, true, &ids, items, mix.count);
        measure(set, INDEX_LINEAR, GRID_AVX2, false, &ids, items, mix.count);
        measure(set, INDEX_LINEAR, GRID_PLAIN, false, &ids, items, mix.count);
        measure(set, INDEX_XOR, GRID_BEST, false, &ids, items, mix.count);
        measure(set, INDEX_IPOLY, GRID_BEST, false, &ids, items, mix.count);
    }
    line_ids_free(&ids);
    gpu_mix_free(&mix);
    free(items);
    return 0;
}
