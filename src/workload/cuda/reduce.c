/* REDUCE: one sum of a vector, or of the products of two, in the ways that courses compare.
 *
 * Every thread first adds up `each` elements (a power of two, or n over the threads of `grid`
 * blocks): those of its block that lie block_x apart, those a whole grid apart, or neighbours. Then
 * the block adds up its threads: not at all, in a tree in shared memory, by shuffles within warps,
 * or in a tree in place in global memory. At last a thread stores the sum of its block, or adds it
 * to the result with an atomic. Values are unsigned words, so that the order of the additions does
 * not matter.
 *
 * Where n ends within a block, `if (i < n)` stands around each load, and a thread without an
 * element adds 0; in the tree in global memory it stands around the addition of a partner that is
 * not there. So all threads come to the barriers. Without a tree, warps beyond the end leave.
 *
 * Up to four loads of a thread are issued at once; more are a loop of one load each, which nvcc
 * does not unroll (tests/hardware/kernels/profiled.cu, reduce_strides). `alone` is the tree
 * unrolled: steps for blocks of any size, from 512 threads apart on, whose conditions most threads
 * fail, and the last six without barriers by all lanes of the last warp, as volatile code does. In
 * global memory the loads of these go past the L1D (nvcc makes LDG.STRONG.SYS of them).
 *
 * `at_once` says how many loads of a thread are issued together where the source decides: a loop
 * that steps by a number known at run time only is one load each (reduce_strides again), however
 * few.
 */
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N, VECTORS, EACH, AT_ONCE, GRID, ORDER, WIDTH, BLOCK, ALONE, ATOMIC, BLOCK_X };
enum { ORDER_BLOCK, ORDER_GRID, ORDER_THREAD };
enum { BLOCK_NONE, BLOCK_TREE, BLOCK_SHUFFLES, BLOCK_MEMORY };
enum { UNROLL = 4, WORDS_MAX = 4, UNROLLED = 512 };
enum {
    SITE_LOADS,
    SITE_STORE = 2 * UNROLL,
    SITE_ATOMIC,
    SITE_HERE,
    SITE_THERE,
    SITE_SUM,
    SITES_ALONE, /* of a volatile step: the same three */
    SITE_LAST = SITES_ALONE + SITE_SUM - SITE_HERE + 1
};

static const struct workload_parameter parameters_reduce[] = {
    {"n", 8388608, 1, UINT64_C(1) << 32, "elements"},
    {"vectors", 1, 1, 2, "2 adds up products"},
    {"each", 1, 1, 64, "loads a thread makes of a vector; with grid: as many as are needed"},
    {"at_once", 0, 0, UNROLL, "of these issued together: 1, 2, 4; 0: all up to 4, else one by one"},
    {"grid", 0, 0, 1 << 20, "blocks; 0: as many as n needs"},
    {"order", 0, 0, 2,
     "a thread's elements: 0 block_x apart in its block's part, 1 a grid apart, 2 neighbours"},
    {"width", 1, 1, WORDS_MAX, "words of a load: 1, 2 or 4"},
    {"block", 1, 0, 3, "adds up a block: 0 not, 1 in shared memory, 2 by shuffles, 3 in memory"},
    {"alone", 0, 0, 1, "1 lets the last warp of a tree work without barriers"},
    {"atomic", 0, 0, 1, "1 adds the sums to one word instead of storing one a block"},
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct reduce {
    struct staged_program staged; /* first */
    struct staged_kernel kernel;
    uint64_t n, each, at_once, blocks, order, width, block, block_x, vectors;
    bool alone, atomic, strides; /* strides: over a grid of given size */
};

struct sums {
    uint32_t at[WARP_SIZE];
};

/* ---- the elements of a thread ---- */

/* The first word of load `k` of lane 0, and how far the lanes are apart. */
static uint64_t find_load(const struct stage *stage, uint64_t k, uint64_t *apart)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    const uint64_t thread = stage_thread(stage), threads = r->blocks * r->block_x;
    *apart = r->order == ORDER_THREAD ? r->each * r->width : r->width;
    if (r->order == ORDER_THREAD)
        return (thread * r->each + k) * r->width;
    if (r->order == ORDER_GRID)
        return (thread + k * threads) * r->width;
    return ((stage->block[0] * r->each + k) * r->block_x + stage->first_thread) * r->width;
}

static void add_words(const struct reduce *r, uint32_t values[2][WARP_SIZE * WORDS_MAX],
                      struct sums *sums)
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        for (uint64_t w = 0; w < r->width; w++) {
            const uint64_t at = lane * r->width + w;
            sums->at[lane] += values[0][at] * (r->vectors == 2 ? values[1][at] : 1);
        }
}

/* The lanes whose load is one of the vector's. */
static uint32_t load_lanes(const struct stage *stage, uint64_t word, uint64_t apart)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    return word < r->n ? lanes_below(0, (r->n - word + apart - 1) / apart) & stage->lanes : 0;
}

/* The lanes that have a sum to leave: where each thread leaves its own, those with an element. */
static uint32_t sum_lanes(const struct stage *stage)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    uint64_t apart;
    const uint64_t word = find_load(stage, 0, &apart);
    return r->strides || r->block != BLOCK_NONE ? stage->lanes : load_lanes(stage, word, apart);
}

/* Loads of one stage, after them their additions. */
static void load_elements(struct stage *stage, uint64_t from, uint64_t count, struct sums *sums)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    stage_work(stage, 3);
    for (uint64_t k = from; k < from + count; k++) {
        uint32_t values[2][WARP_SIZE * WORDS_MAX] = {{0}};
        uint64_t apart;
        const uint64_t word = find_load(stage, k, &apart);
        const uint32_t lanes = load_lanes(stage, word, apart);
        for (uint32_t v = 0; v < r->vectors; v++) {
            const struct site site = {(uint8_t)(v * UNROLL + k - from), SPACE_GLOBAL,
                                      (uint8_t)(4 * r->width)};
            stage_load_row(stage, site, lanes, array_base(stage, v) + 4 * word,
                           (int32_t)(4 * apart), values[v]);
        }
        add_words(r, values, sums);
    }
    stage_mix(stage, 1,
              (struct work){.singles = (uint32_t)(count * r->width), .integers = 1, .branches = 1});
}

/* ---- the threads of a block ---- */

static uint32_t first_threads(const struct stage *stage, uint64_t count)
{
    return lanes_below(stage->first_thread, count) & stage->lanes;
}

/* The last stage: one thread leaves the sum of its block, or each thread its own. */
static enum stage_end leave(struct stage *stage, uint32_t mask, const struct sums *sums)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    const uint64_t base = array_base(stage, (uint32_t)r->vectors);
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = base;
    stage_mask(stage, mask ? mask : stage->lanes);
    stage_mix(stage, 1, (struct work){.integers = 1, .branches = 1});
    if (r->atomic)
        stage_atomic(stage, word_site(SITE_ATOMIC), ATOMIC_ADD, mask, addresses, sums->at);
    else if (r->block == BLOCK_NONE)
        stage_store_row(stage, word_site(SITE_STORE), mask, base + 4 * stage_thread(stage), 4,
                        sums->at);
    else
        stage_store_row(stage, word_site(SITE_STORE), mask, base + 4 * (uint64_t)stage->block[0], 4,
                        sums->at);
    return STAGE_DONE;
}

/* Whether the step that adds `distance` threads apart is one of the last warp alone. */
static bool is_alone(const struct reduce *r, uint64_t distance)
{
    return r->alone && distance <= WARP_SIZE;
}

static void add_shared(struct stage *stage, uint32_t mask, uint64_t distance)
{
    uint32_t *words = (uint32_t *)(void *)stage->device->shared, there[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        const uint64_t partner = stage->first_thread + lane + distance;
        there[lane] = partner < stage->threads ? words[partner] : 0;
    }
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        if (mask >> lane & 1)
            words[stage->first_thread + lane] += there[lane];
}

/* As nvcc compiles it (tests/hardware/kernels/machine_code.txt, reduce_strides): loads, addition
 * and store are predicated, so that warps without a thread of the tree issue them too, but the last
 * warp alone is a branch. */
static void step_shared(struct stage *stage, uint32_t mask, uint64_t distance, bool alone)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    if (!r->alone)
        stage_mix(stage, 1, (struct work){.addresses = 4, .branches = 1});
    else if (!alone)
        stage_mix(stage, 1, (struct work){.addresses = 2});
    else if (distance == WARP_SIZE)
        stage_mix(stage, 1, (struct work){.branches = 1});
    stage_mask(stage, mask);
    if (mask || !alone)
        stage_mix(stage, 1, (struct work){.loads = 2, .singles = 1, .stores = 1});
    if (mask && stage->device)
        add_shared(stage, mask, distance);
}

static void step_memory(struct stage *stage, uint32_t mask, uint64_t distance, bool alone)
{
    const uint8_t sites = alone ? SITES_ALONE - SITE_HERE : 0;
    const struct reduce *r = (const struct reduce *)stage->program;
    const uint64_t here = array_base(stage, 0) + 4 * stage_thread(stage);
    mask &= lanes_below(stage_thread(stage) + distance, r->n);
    uint32_t a[WARP_SIZE] = {0}, b[WARP_SIZE] = {0};
    stage_mix(stage, 1, (struct work){.integers = 1, .branches = 1});
    stage_load_row(stage, word_site(SITE_HERE + sites), mask, here, 4, a);
    stage_load_row(stage, word_site(SITE_THERE + sites), mask, here + 4 * distance, 4, b);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        a[lane] += b[lane];
    stage_mix(stage, mask ? 1 : 0, (struct work){.singles = 1});
    stage_store_row(stage, word_site(SITE_SUM + sites), mask, here, 4, a);
}

/* One step of a tree; a barrier ends it unless the last warp is alone. */
static enum stage_end step_tree(struct stage *stage, uint32_t step, struct sums *sums)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    const uint64_t distance = (r->alone ? UNROLLED : r->block_x / 2) >> step;
    const bool alone = is_alone(r, distance), memory = r->block == BLOCK_MEMORY;
    const uint32_t mask =
        distance < r->block_x ? first_threads(stage, alone ? WARP_SIZE : distance) : 0;
    if (!distance) {
        const uint32_t first = first_threads(stage, 1);
        if (memory)
            stage_load_row(stage, word_site(SITE_LAST), first,
                           array_base(stage, 0) + 4 * stage->block[0] * r->block_x, 4, sums->at);
        else
            stage_mix(stage, first ? 1 : 0, (struct work){.loads = 1});
        if (!memory && stage->device)
            memcpy(&sums->at[0], stage->device->shared, sizeof sums->at[0]);
        return leave(stage, first, sums);
    }
    if (memory)
        step_memory(stage, mask, distance, alone);
    else
        step_shared(stage, mask, distance, alone);
    if (alone)
        return STAGE_NEXT;
    stage_barrier(stage);
    return STAGE_TURN;
}

/* Lanes of a warp add up by shuffles, of which half the sums are left each time. */
static void shuffle(struct stage *stage, struct sums *sums)
{
    enum { STEPS = 5 };
    stage_mix(stage, STEPS, (struct work){.integers = 1, .singles = 1});
    for (uint32_t distance = WARP_SIZE / 2; distance; distance /= 2)
        for (uint32_t lane = 0; lane < distance; lane++)
            sums->at[lane] += sums->at[lane + distance];
}

static enum stage_end step_shuffles(struct stage *stage, uint32_t step, struct sums *sums)
{
    const uint32_t warp = stage->first_thread / WARP_SIZE, warps = stage->threads / WARP_SIZE;
    uint32_t *words = stage->device ? (uint32_t *)(void *)stage->device->shared : NULL;
    if (step == 0) {
        shuffle(stage, sums);
        stage_mix(stage, 1, (struct work){.stores = 1});
        if (words)
            words[warp] = sums->at[0];
        stage_barrier(stage);
        return STAGE_TURN;
    }
    if (warp == 0) {
        stage_mix(stage, 1, (struct work){.loads = 1});
        for (uint32_t lane = 0; words && lane < WARP_SIZE; lane++)
            sums->at[lane] = lane < warps ? words[lane] : 0;
        shuffle(stage, sums);
    }
    return leave(stage, first_threads(stage, 1), sums);
}

/* Stages: up to four loads each; then the steps of the block. A tree in memory has no loads of its
 * own. */
static enum stage_end run_reduce(struct stage *stage)
{
    const struct reduce *r = (const struct reduce *)stage->program;
    struct sums *sums = stage->state;
    const uint64_t at_once = r->at_once;
    const uint32_t loads = r->block == BLOCK_MEMORY ? 0 : (uint32_t)(r->each / at_once);
    if (!sum_lanes(stage)) {
        stage_work(stage, 3);
        return STAGE_DONE;
    }
    if (stage->number < loads) {
        load_elements(stage, stage->number * at_once, at_once, sums);
        return STAGE_NEXT;
    }
    uint32_t step = stage->number - loads;
    if (r->block == BLOCK_NONE)
        return leave(stage, sum_lanes(stage), sums);
    if (r->block == BLOCK_SHUFFLES)
        return step_shuffles(stage, step, sums);
    if (r->block == BLOCK_MEMORY)
        return step_tree(stage, step, sums);
    if (step)
        return step_tree(stage, step - 1, sums);
    stage_mix(stage, 1, (struct work){.stores = 1});
    for (uint32_t lane = 0; stage->device && lane < WARP_SIZE; lane++)
        memcpy(stage->device->shared + 4 * (stage->first_thread + lane), &sums->at[lane], 4);
    stage_barrier(stage);
    return STAGE_TURN;
}

/* ---- opening ---- */

/* A thread's loads, and how many of these are issued together. */
static uint64_t loads_each(const uint64_t *values)
{
    const uint64_t threads = values[GRID] * values[BLOCK_X] * values[WIDTH];
    if (values[BLOCK] == BLOCK_MEMORY)
        return 1;
    return threads ? (values[N] + threads - 1) / threads : values[EACH];
}

static uint64_t loads_at_once(const uint64_t *values)
{
    const uint64_t each = loads_each(values);
    return values[AT_ONCE] ? values[AT_ONCE] : each > UNROLL ? 1 : each;
}

static enum status check(const uint64_t *values, struct diagnostics *diagnostics)
{
    const uint64_t block_x = values[BLOCK_X], width = values[WIDTH];
    const bool tree = values[BLOCK] == BLOCK_TREE || values[BLOCK] == BLOCK_MEMORY;
    if (width == 3)
        return diagnostics_error(diagnostics, STATUS_INVALID, "REDUCE: width must be 1, 2 or 4");
    if (values[BLOCK] == BLOCK_MEMORY && (values[GRID] || width != 1 || values[VECTORS] != 1))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "REDUCE: a tree in memory has no grid, width and vectors");
    if (values[BLOCK] != BLOCK_NONE && block_x % WARP_SIZE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "REDUCE: a block that is added up is whole warps of %d, got %llu",
                                 WARP_SIZE, (unsigned long long)block_x);
    if (tree && block_x & (block_x - 1))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "REDUCE: a tree halves block_x, a power of two from %d on, got "
                                 "%llu",
                                 WARP_SIZE, (unsigned long long)block_x);
    if (values[N] % width)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "REDUCE: n must be a multiple of width, the %llu words of a load, "
                                 "got %llu",
                                 (unsigned long long)width, (unsigned long long)values[N]);
    if (loads_each(values) % loads_at_once(values))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "REDUCE: at_once must divide a thread's loads, got %llu of %llu",
                                 (unsigned long long)loads_at_once(values),
                                 (unsigned long long)loads_each(values));
    return STATUS_OK;
}

static void reduce_init(struct reduce *r, const uint64_t *values)
{
    r->n = values[N];
    r->width = values[WIDTH];
    r->block = values[BLOCK];
    r->block_x = values[BLOCK_X];
    r->vectors = values[VECTORS];
    r->order = values[ORDER];
    r->alone = values[ALONE];
    r->atomic = values[ATOMIC];
    r->each = loads_each(values);
    r->at_once = loads_at_once(values);
    r->strides = values[GRID];
    const uint64_t part = r->block_x * r->each * r->width;
    r->blocks = r->strides ? values[GRID] : (values[N] + part - 1) / part;
    r->kernel = (struct staged_kernel){
        .name = "reduce_kernel",
        .shared_bytes = r->block == BLOCK_TREE       ? (uint32_t)(4 * r->block_x)
                        : r->block == BLOCK_SHUFFLES ? 4 * WARP_SIZE
                                                     : 0,
        .code = {.sites = "LLLLLLLL S F LLS VVS L", .prologue = 10},
        .state_bytes = sizeof(struct sums),
        .run = run_reduce,
    };
}

static enum status open_reduce(const uint64_t *values, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    enum status status = check(values, diagnostics);
    if (status)
        return status;
    struct reduce *r = staged_create(sizeof *r, &workload_reduce, values);
    if (!r)
        return STATUS_MEMORY;
    reduce_init(r, values);
    const uint64_t results = r->atomic                ? 1
                             : r->block == BLOCK_NONE ? r->blocks * r->block_x
                                                      : r->blocks;
    program_array(&r->staged.program, "A", 4 * values[N]);
    if (r->vectors == 2)
        program_array(&r->staged.program, "B", 4 * values[N]);
    program_array(&r->staged.program, "result", 4 * results);
    staged_launch(&r->staged, &r->kernel, r->blocks, 1, r->block_x, 1, 0);
    return staged_finish(&r->staged, source, diagnostics);
}

CUDA_PROGRAM(reduce, "REDUCE", PROFILED_SUITE,
             .help = "a sum or dot product: trees in shared or global memory, shuffles, atomics");
