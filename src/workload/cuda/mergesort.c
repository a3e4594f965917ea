/* MERGESORT: pairs of a key and a value sorted by merging, after the kernels of CUDA's samples
 * (mergeSort). A first kernel sorts tiles of 1,024 in shared memory. Then each round merges runs of
 * two: every 128th key finds its rank in the other run by binary search, these ranks become the
 * limits of intervals of at most 128 keys, and a block merges an interval in shared memory.
 *
 * Where a search looks depends on the keys, so these are known after each round (merge_rounds.h);
 * a warp of the first kernel sorts the runs that it merges. The numbers of instructions are those
 * of tests/hardware/kernels/samples.cu on sm_75. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/merge_rounds.h"
#include "workload/cuda/staged.h"

enum { COUNT, VALUES, SEED };
enum { TILE = MERGE_TILE, SAMPLE = MERGE_SAMPLE };
enum { TILE_THREADS = TILE / 2, RANK_THREADS = 256, ROUNDS_MAX = 14 };
enum {
    ARRAY_KEY,
    ARRAY_VALUE,
    ARRAY_OTHER_KEY,
    ARRAY_OTHER_VALUE,
    ARRAY_FROM_KEY,
    ARRAY_FROM_VALUE,
    ARRAY_RANKS, /* of the first runs, then of the second */
    ARRAY_LIMITS = ARRAY_RANKS + 2
};

static const struct workload_parameter parameters_mergesort[] = {
    {"n", 1048576, 2 * TILE, TILE << ROUNDS_MAX, "pairs, a power of two; the sample sorts 4194304"},
    {"values", 65536, 1, UINT32_MAX, "distinct keys there are, all equally likely"},
    {"seed", 1, 0, UINT32_MAX, "decides the keys"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct mergesort {
    struct staged_program staged; /* first */
    uint32_t count, rounds;
    uint32_t *keys; /* unsorted */
    struct merge_round round[ROUNDS_MAX];
};

/* ---- arrays ---- */

/* The keys that a round reads, and the last one leaves; their values are the array after it. */
static uint32_t array_before(const struct mergesort *sort, uint32_t round)
{
    return (sort->rounds - round) % 2 ? ARRAY_OTHER_KEY : ARRAY_KEY;
}

static uint64_t word_at(const struct stage *stage, uint32_t array, uint64_t index)
{
    return array_base(stage, array) + 4 * index;
}

/* Loads or stores a key and its value, at neighbouring sites. */
static void load_pair(struct stage *stage, uint8_t site, uint32_t mask, uint32_t array,
                      uint64_t first, uint32_t pair[2][WARP_SIZE])
{
    for (uint8_t i = 0; i < 2; i++)
        stage_load_row(stage, word_site(site + i), mask, word_at(stage, array + i, first), 4,
                       pair[i]);
}

static void store_pair(struct stage *stage, uint8_t site, uint32_t mask, uint32_t array,
                       uint64_t first, const uint32_t *key, const uint32_t *value)
{
    const uint32_t *words[] = {key, value};
    for (uint8_t i = 0; i < 2; i++)
        stage_store_row(stage, word_site(site + i), mask, word_at(stage, array + i, first), 4,
                        words[i]);
}

/* ---- merging in shared memory ---- */

/* Between the search and the barrier after which all threads write. Places are words of the keys in
 * shared memory; on a device the pairs are there too. */
struct merging {
    uint32_t to[2][WARP_SIZE];
    uint32_t pairs[2][2][WARP_SIZE];
};

/* The searches of the first or second pair of each lane, whose keys begin at these words. */
static void search_shared(struct stage *stage, struct merge_search *search, uint32_t mask,
                          uint32_t step, const uint32_t words[WARP_SIZE], struct work each)
{
    uint32_t touched[WARP_SIZE];
    for (; search->length && step; step >>= 1) {
        for (uint32_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            touched[lane] = words[lane] + merge_search_looks_at(search, lane, step);
        }
        each.banks = shared_banks(mask, touched);
        stage_mix(stage, mask ? 1 : 0, each);
        merge_search_step(search, mask, step);
    }
}

/* On a device: copies pairs of a lane between shared memory, the keys before the values, and the
 * state. */
static void take_shared(const struct stage *stage, uint32_t values, uint32_t lane, uint32_t which,
                        uint32_t word)
{
    const uint32_t *shared = stage->device ? (void *)stage->device->shared : NULL;
    struct merging *merging = stage->state;
    for (uint32_t i = 0; shared && i < 2; i++)
        merging->pairs[which][i][lane] = shared[i * values + word];
}

static void put_shared(struct stage *stage, uint32_t values, uint32_t mask, uint32_t which)
{
    uint32_t *shared = stage->device ? (void *)stage->device->shared : NULL;
    const struct merging *merging = stage->state;
    const struct work work = {.stores = 2, .banks = shared_banks(mask, merging->to[which])};
    stage_mix(stage, mask ? 1 : 0, work);
    for (uint32_t left = shared ? mask : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (uint32_t i = 0; i < 2; i++)
            shared[i * values + merging->to[which][lane]] = merging->pairs[which][i][lane];
    }
}

/* ---- first kernel: tiles ---- */

/* Merges runs of `stride`: each lane finds the places of one key of either run. */
static void find_in_tile(struct stage *stage, uint32_t stride)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    struct merging *merging = stage->state;
    static const struct work head = {.addresses = 7, .loads = 4, .branches = 1},
                             before = {.addresses = 4},
                             each = {.addresses = 5, .loads = 1, .integers = 2, .branches = 1};
    if (stage->window && !stage->device) { /* banks do not count there, nor what they follow from */
        stage_mix(stage, 1, head);
        stage_mix(stage, 2, before);
        stage_mix(stage, 2 * (1 + (uint32_t)__builtin_ctz(stride)), each);
        return;
    }
    const uint32_t part = 2 * stride < 2 * WARP_SIZE ? 2 * WARP_SIZE : 2 * stride;
    const uint32_t begin = 2 * stage->first_thread / part * part;
    uint32_t keys[TILE], words[2][WARP_SIZE];
    struct merge_search searches[2] = {{.length = stride}, {.length = stride, .inclusive = true}};
    memcpy(keys, sort->keys + (size_t)TILE * stage->block[0] + begin, part * sizeof *keys);
    merge_sort_runs(keys, part, stride);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint32_t thread = stage->first_thread + lane, place = thread & (stride - 1),
                       run = 2 * (thread - place);
        for (uint32_t which = 0; which < 2; which++) {
            words[which][lane] = run + (which ? 0 : stride);
            searches[which].keys[lane] = keys + words[which][lane] - begin;
            searches[which].key[lane] = keys[run + which * stride + place - begin];
            take_shared(stage, TILE, lane, which, run + which * stride + place);
        }
    }
    stage_mix(stage, 1, head);
    for (uint32_t which = 0; which < 2; which++) {
        stage_mix(stage, 1, before);
        search_shared(stage, &searches[which], UINT32_MAX, stride, words[which], each);
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            const uint32_t thread = stage->first_thread + lane, place = thread & (stride - 1);
            merging->to[which][lane] = 2 * (thread - place) + place + searches[which].at[lane];
        }
    }
}

/* Two pairs of each thread, half a tile apart, from memory to shared memory or back. */
static void move_tile(struct stage *stage, bool loads)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    uint32_t *shared = stage->device ? (void *)stage->device->shared : NULL;
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t word = half * TILE_THREADS + stage->first_thread;
        const uint64_t first = (uint64_t)TILE * stage->block[0] + word;
        uint32_t pair[2][WARP_SIZE] = {{0}};
        for (uint32_t i = 0; shared && !loads && i < 2; i++)
            memcpy(pair[i], shared + (size_t)i * TILE + word, sizeof pair[i]);
        if (loads)
            load_pair(stage, (uint8_t)(2 * half), UINT32_MAX, ARRAY_FROM_KEY, first, pair);
        else
            store_pair(stage, (uint8_t)(4 + 2 * half), UINT32_MAX, array_before(sort, 0), first,
                       pair[0], pair[1]);
        for (uint32_t i = 0; shared && loads && i < 2; i++)
            memcpy(shared + (size_t)i * TILE + word, pair[i], sizeof pair[i]);
    }
}

/* Stages: the loads; for each length of runs a search, then its stores; the results. */
static enum stage_end run_tile(struct stage *stage)
{
    const uint32_t stride = 1u << (stage->number ? (stage->number - 1) / 2 : 0);
    if (stage->number == 0) {
        move_tile(stage, true);
        stage_mix(stage, 1, (struct work){.integers = 2, .stores = 4, .branches = 1});
    } else if (stride == TILE) {
        stage_mix(stage, 1, (struct work){.loads = 4, .addresses = 6});
        move_tile(stage, false);
        return STAGE_DONE;
    } else if (stage->number % 2) {
        find_in_tile(stage, stride);
        stage_mix(stage, 1, (struct work){.addresses = 2});
    } else {
        put_shared(stage, TILE, UINT32_MAX, 0);
        put_shared(stage, TILE, UINT32_MAX, 1);
        stage_mix(stage, 1, (struct work){.addresses = 3, .branches = 1});
    }
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel tile_kernel = {
    .name = "mergeSortSharedKernel",
    .shared_bytes = 2 * 4 * TILE,
    .state_bytes = sizeof(struct merging),
    .code = {.sites = "LLLL S S S S", .prologue = 9},
    .run = run_tile,
};

/* ---- ranks and limits ---- */

/* The first sample of the lane's pair of runs, counted over all, and its number in either run. */
struct sample {
    uint32_t first, number;
};

static struct sample sample_of(const struct stage *stage, uint32_t lane, uint32_t samples)
{
    const uint32_t thread = (uint32_t)stage_thread(stage) + lane, number = thread & (samples - 1);
    return (struct sample){2 * (thread - number), number};
}

/* The searches of all lanes in global memory, whose keys begin at these addresses. */
static void search_global(struct stage *stage, struct merge_search *search, uint32_t mask,
                          uint8_t site, const uint64_t begins[WARP_SIZE])
{
    uint32_t values[WARP_SIZE] = {0};
    uint64_t addresses[WARP_SIZE];
    stage_mix(stage, mask ? 1 : 0, (struct work){.integers = 9, .branches = 1});
    for (uint32_t step = search->length; step; step >>= 1) {
        for (uint32_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left),
                           seen = merge_search_looks_at(search, lane, step);
            addresses[lane] = begins[lane] + 4 * (uint64_t)seen;
            values[lane] = search->keys[lane][seen];
        }
        stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 7});
        stage_load(stage, word_site(site), mask, addresses, values);
        stage_mix(stage, mask ? 1 : 0, (struct work){.integers = 4, .branches = 1});
        merge_search_step(search, mask, step);
    }
}

/* Stages: samples of the first run in the second one, then the other way round. */
static enum stage_end run_ranks(struct stage *stage)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    const struct merge_round *round = &sort->round[stage->argument];
    const uint32_t stride = TILE << stage->argument, samples = stride / SAMPLE, own = stage->number,
                   other = !own, array = array_before(sort, stage->argument),
                   mask = lanes_below(stage_thread(stage), sort->count / SAMPLE / 2);
    uint64_t to_own[WARP_SIZE], to_other[WARP_SIZE], from[WARP_SIZE], begins[WARP_SIZE];
    uint32_t firsts[WARP_SIZE];
    struct merge_search search = {.length = stride, .inclusive = own};
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct sample sample = sample_of(stage, lane, samples);
        const uint32_t at = sample.first + own * samples + sample.number,
                       key = SAMPLE * sample.first + own * stride + SAMPLE * sample.number,
                       begin = SAMPLE * sample.first + other * stride;
        to_own[lane] = word_at(stage, ARRAY_RANKS + own, at);
        to_other[lane] = word_at(stage, ARRAY_RANKS + other, at);
        from[lane] = word_at(stage, array, key);
        begins[lane] = word_at(stage, array, begin);
        firsts[lane] = SAMPLE * sample.number;
        search.keys[lane] = round->keys + begin;
        search.key[lane] = round->keys[key];
    }
    const uint8_t site = (uint8_t)(4 * own);
    stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = own ? 13 : 11, .branches = 1});
    stage_store(stage, word_site(site), mask, to_own, firsts);
    stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 4, .branches = 1});
    stage_load(stage, word_site(site + 1), mask, from, search.key);
    search_global(stage, &search, mask, site + 2, begins);
    stage_mix(stage, mask ? 1 : 0, (struct work){.integers = 2});
    stage_store(stage, word_site(site + 3), mask, to_other, search.at);
    return own ? STAGE_DONE : STAGE_NEXT;
}

static const struct staged_kernel ranks_kernel = {
    .name = "generateSampleRanksKernel",
    .code = {.sites = "S L L S S L L S", .prologue = 21},
    .run = run_ranks,
};

/* Stages: the ranks of the first run's samples among those of the second, then the other way
 * round. */
static enum stage_end run_limits(struct stage *stage)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    const uint32_t number = stage->argument / 2, which = stage->argument % 2,
                   samples = (TILE << number) / SAMPLE, own = stage->number,
                   mask = lanes_below(stage_thread(stage), sort->count / SAMPLE / 2);
    const uint32_t *ranks = sort->round[number].ranks[which];
    uint64_t from[WARP_SIZE], begins[WARP_SIZE], to[WARP_SIZE];
    struct merge_search search = {.length = samples, .inclusive = own};
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct sample sample = sample_of(stage, lane, samples);
        const uint32_t at = sample.first + own * samples + sample.number,
                       begin = sample.first + !own * samples;
        from[lane] = word_at(stage, ARRAY_RANKS + which, at);
        begins[lane] = word_at(stage, ARRAY_RANKS + which, begin);
        search.keys[lane] = ranks + begin;
        search.key[lane] = ranks[at];
    }
    const uint8_t site = (uint8_t)(3 * own);
    stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 5, .branches = 1});
    stage_load(stage, word_site(site), mask, from, search.key);
    search_global(stage, &search, mask, site + 1, begins);
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct sample sample = sample_of(stage, lane, samples);
        to[lane] =
            word_at(stage, ARRAY_LIMITS + which, sample.first + sample.number + search.at[lane]);
    }
    stage_mix(stage, mask ? 1 : 0, (struct work){.integers = 6});
    stage_store(stage, word_site(site + 2), mask, to, search.key);
    return own ? STAGE_DONE : STAGE_NEXT;
}

static const struct staged_kernel limits_kernel = {
    .name = "mergeRanksAndIndicesKernel",
    .code = {.sites = "L L S L L S", .prologue = 22},
    .run = run_limits,
};

/* ---- intervals ---- */

/* What a block merges: so many keys of either run, from `from` on, to `to`. */
struct interval {
    uint32_t from[2], count[2], to[2];
};

static struct interval interval_of(const struct stage *stage)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    const struct merge_round *round = &sort->round[stage->argument];
    const uint32_t stride = TILE << stage->argument, intervals = 2 * stride / SAMPLE,
                   block = stage->block[0], number = block & (intervals - 1),
                   first = (block - number) * SAMPLE;
    struct interval interval;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t from = round->limits[i][block],
                       end = number + 1 < intervals ? round->limits[i][block + 1] : stride;
        interval.from[i] = first + i * stride + from;
        interval.count[i] = end - from;
    }
    interval.to[0] = first + round->limits[0][block] + round->limits[1][block];
    interval.to[1] = interval.to[0] + interval.count[0];
    return interval;
}

/* One thread of the block loads its limits and those of the next. */
static void load_limits(struct stage *stage)
{
    const uint32_t mask = stage->first_thread == 0, block = stage->block[0],
                   intervals = 2 * (TILE << stage->argument) / SAMPLE;
    const bool last = (block & (intervals - 1)) == intervals - 1;
    uint32_t values[WARP_SIZE];
    stage_mix(stage, 1, (struct work){.addresses = 1, .branches = 1});
    stage_mask(stage, mask);
    stage_mix(stage, mask, (struct work){.addresses = 13});
    for (uint32_t i = 0; i < 4; i++)
        stage_load_row(stage, word_site((uint8_t)i), i < 2 || !last ? mask : 0,
                       word_at(stage, ARRAY_LIMITS + i % 2, block + i / 2), 4, values);
    stage_mix(stage, mask, (struct work){.integers = 4, .stores = 3});
    stage_mask(stage, stage->lanes);
}

/* The pairs of an interval, a thread each of either run. */
static void load_interval(struct stage *stage, const struct interval *interval)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    uint32_t *shared = stage->device ? (void *)stage->device->shared : NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t mask = lanes_below(stage->first_thread, interval->count[i]),
                       word = i * SAMPLE + stage->first_thread;
        uint32_t pair[2][WARP_SIZE] = {{0}};
        stage_mask(stage, stage->lanes);
        stage_mix(stage, 1, (struct work){.addresses = 2, .loads = 1, .branches = 1});
        stage_mask(stage, mask);
        stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 6, .loads = 1});
        load_pair(stage, (uint8_t)(4 + 2 * i), mask, array_before(sort, stage->argument),
                  interval->from[i] + (uint64_t)stage->first_thread, pair);
        stage_mix(stage, mask ? 1 : 0, (struct work){.stores = 2});
        for (uint32_t left = shared ? mask : 0; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            shared[word + lane] = pair[0][lane];
            shared[2 * SAMPLE + word + lane] = pair[1][lane];
        }
    }
}

static void find_in_interval(struct stage *stage, const struct interval *interval)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    const uint32_t *keys = sort->round[stage->argument].keys;
    struct merging *merging = stage->state;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t mask = lanes_below(stage->first_thread, interval->count[i]);
        uint32_t words[WARP_SIZE];
        struct merge_search search = {.length = interval->count[!i], .inclusive = i};
        for (uint32_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left),
                           thread = stage->first_thread + lane;
            words[lane] = !i * SAMPLE;
            search.keys[lane] = keys + interval->from[!i];
            search.key[lane] = keys[interval->from[i] + thread];
            take_shared(stage, 2 * SAMPLE, lane, i, i * SAMPLE + thread);
        }
        stage_mask(stage, stage->lanes);
        stage_mix(stage, 1, (struct work){.addresses = 3, .loads = 1, .branches = 1});
        stage_mask(stage, mask);
        stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 3, .loads = 2, .branches = 1});
        search_shared(stage, &search, mask, SAMPLE, words,
                      (struct work){.addresses = 1, .loads = 1, .integers = 3});
        for (uint32_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            merging->to[i][lane] = stage->first_thread + lane + search.at[lane];
        }
    }
    stage_mask(stage, stage->lanes);
}

static void store_interval(struct stage *stage, const struct interval *interval)
{
    const struct mergesort *sort = (const struct mergesort *)stage->program;
    const uint32_t *shared = stage->device ? (void *)stage->device->shared : NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t mask = lanes_below(stage->first_thread, interval->count[i]),
                       word = i * interval->count[0] + stage->first_thread;
        uint32_t pair[2][WARP_SIZE] = {{0}};
        for (uint32_t left = shared ? mask : 0; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            pair[0][lane] = shared[word + lane];
            pair[1][lane] = shared[2 * SAMPLE + word + lane];
        }
        stage_mask(stage, stage->lanes);
        stage_mix(stage, 1, (struct work){.addresses = 1, .loads = 1, .branches = 1});
        stage_mask(stage, mask);
        stage_mix(stage, mask ? 1 : 0, (struct work){.loads = 3, .addresses = 7});
        store_pair(stage, (uint8_t)(8 + 2 * i), mask, array_before(sort, stage->argument + 1),
                   interval->to[i] + (uint64_t)stage->first_thread, pair[0], pair[1]);
    }
}

/* Stages: the limits, the loads, the search, its stores, the results. */
static enum stage_end run_interval(struct stage *stage)
{
    const struct interval interval = interval_of(stage);
    switch (stage->number) {
    case 0:
        load_limits(stage);
        break;
    case 1:
        load_interval(stage, &interval);
        break;
    case 2:
        find_in_interval(stage, &interval);
        break;
    case 3:
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t mask = lanes_below(stage->first_thread, interval.count[i]);
            stage_mix(stage, 1, (struct work){.addresses = 2, .loads = 1});
            put_shared(stage, 2 * SAMPLE, mask, i);
        }
        break;
    default:
        store_interval(stage, &interval);
        return STAGE_DONE;
    }
    stage_mask(stage, stage->lanes);
    stage_barrier(stage);
    return STAGE_TURN;
}

static const struct staged_kernel interval_kernel = {
    .name = "mergeElementaryIntervalsKernel",
    .shared_bytes = 4 * 4 * SAMPLE + 6 * 4,
    .state_bytes = sizeof(struct merging),
    .code = {.sites = "LLLL LL LL S S S S", .prologue = 13},
    .run = run_interval,
};

/* ---- the program ---- */

static void upload_pairs(const struct staged_program *program, struct device *device)
{
    const struct mergesort *sort = (const struct mergesort *)program;
    const struct trace_array *arrays = program->program.arrays;
    uint32_t *keys = device_at(device, arrays[ARRAY_FROM_KEY].base, (uint64_t)4 * sort->count),
             *values = device_at(device, arrays[ARRAY_FROM_VALUE].base, (uint64_t)4 * sort->count);
    for (uint32_t i = 0; keys && values && i < sort->count; i++) {
        keys[i] = sort->keys[i];
        values[i] = i;
    }
}

static void release_rounds(struct staged_program *program)
{
    struct mergesort *sort = (struct mergesort *)program;
    for (uint32_t i = 0; i < sort->rounds; i++)
        merge_round_free(&sort->round[i]);
    free(sort->keys);
}

/* Draws the keys, and sorts them round by round. */
static bool know_all(struct mergesort *sort, uint64_t seed, uint64_t values)
{
    sort->keys = malloc(sort->count * sizeof *sort->keys);
    for (uint32_t i = 0; sort->keys && i < sort->count; i++)
        sort->keys[i] = (uint32_t)random_below(random_at(seed, i), values);
    bool known = sort->keys != NULL;
    for (uint32_t i = 0; known && i < sort->rounds; i++)
        known = merge_round_know(&sort->round[i], i, i ? sort->round[i - 1].keys : sort->keys,
                                 sort->count);
    return known;
}

static void mergesort_arrays(struct mergesort *sort)
{
    static const char *const pairs[] = {"key",         "value",    "other_key",
                                        "other_value", "from_key", "from_value"};
    static const char *const samples[] = {"ranks_a", "ranks_b", "limits_a", "limits_b"};
    struct program *program = &sort->staged.program;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        program_array(program, pairs[i], (uint64_t)4 * sort->count);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        program_array(program, samples[i], (uint64_t)4 * (sort->count / SAMPLE));
}

static void mergesort_launches(struct mergesort *sort)
{
    struct staged_program *program = &sort->staged;
    const uint32_t blocks = (sort->count / SAMPLE / 2 + RANK_THREADS - 1) / RANK_THREADS;
    staged_launch(program, &tile_kernel, sort->count / TILE, 1, TILE_THREADS, 1, 0);
    for (uint32_t i = 0; i < sort->rounds; i++) {
        staged_launch(program, &ranks_kernel, blocks, 1, RANK_THREADS, 1, i);
        staged_launch(program, &limits_kernel, blocks, 1, RANK_THREADS, 1, 2 * i);
        staged_launch(program, &limits_kernel, blocks, 1, RANK_THREADS, 1, 2 * i + 1);
        staged_launch(program, &interval_kernel, sort->count / SAMPLE, 1, SAMPLE, 1, i);
    }
}

static enum status open_mergesort(const uint64_t *values, struct trace_source **source,
                                  struct diagnostics *diagnostics)
{
    const uint64_t count = values[COUNT];
    if (count & (count - 1))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "MERGESORT: n must be a power of two, got %llu",
                                 (unsigned long long)count);
    struct mergesort *sort = staged_create(sizeof *sort, &workload_mergesort, values);
    if (!sort)
        return STATUS_MEMORY;
    sort->staged.upload = upload_pairs;
    sort->staged.release = release_rounds;
    sort->count = (uint32_t)count;
    while ((uint32_t)TILE << sort->rounds < sort->count)
        sort->rounds++;
    if (!know_all(sort, values[SEED], values[VALUES]))
        sort->staged.program.status = STATUS_MEMORY;
    mergesort_arrays(sort);
    mergesort_launches(sort);
    return staged_finish(&sort->staged, source, diagnostics);
}

CUDA_PROGRAM(
    mergesort, "MERGESORT", SAMPLES_SUITE,
    .help = "pairs sorted: tiles in shared memory, then runs merged by ranks of every 128th key");
