/* BACKPROP: one training step of a layered neural network after Rodinia 3.1, two launches.
 *
 * The first kernel multiplies the weights with the inputs and sums 16 inputs per block by a tree in
 * shared memory; the second one adjusts the weights. Blocks are 16 x 16, so a warp is two rows.
 * Rows of weights have 17 elements (16 hidden units and the bias), so a warp's two rows are in
 * three 128 B lines more often than in two.
 *
 * Order: PTX. The second kernel loads its operands again after the store of the weight, which may
 * alias them. Between the launches the suite's host copies the weights to the device again, which
 * is no kernel access. */
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { N };
enum { EDGE = 16, ROW = EDGE + 1 };
enum { ARRAY_INPUT, ARRAY_OUTPUT, ARRAY_WEIGHTS, ARRAY_PARTIAL, ARRAY_DELTA, ARRAY_OLD };

static const struct workload_parameter parameters_backprop[] = {
    {"n", 65536, EDGE, 1 << 24, "units of the input layer, a multiple of 16"},
    PROGRAM_DEVICE_PARAMETERS,
};

/* Addresses of the threads of a warp, each the byte address of a 4-byte element. */
struct places {
    uint64_t by_column[WARP_SIZE], by_row[WARP_SIZE], weight[WARP_SIZE];
    uint32_t tx[WARP_SIZE], ty[WARP_SIZE], first_column; /* lanes with tx = 0 */
};

static void find_places(const struct stage *stage, uint64_t column, uint64_t row, uint64_t weight,
                        struct places *places)
{
    *places = (struct places){0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t thread = stage->first_thread + lane, tx = thread % EDGE, ty = thread / EDGE;
        uint64_t by = stage->block[1];
        places->tx[lane] = tx;
        places->ty[lane] = ty;
        places->first_column |= (uint32_t)(tx == 0) << lane;
        places->by_column[lane] = column + 4 * (uint64_t)(tx + 1);
        places->by_row[lane] = row + 4 * (EDGE * by + ty + 1);
        places->weight[lane] = weight + 4 * (ROW * EDGE * by + ROW * ty + tx + ROW + 1);
    }
}

struct shared_sums {
    float input[EDGE], sums[EDGE][EDGE];
};

/* The lanes in every 2^step-th row. */
static uint32_t adding_lanes(const struct places *places, uint32_t step)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        mask |= (uint32_t)(places->ty[lane] % (1u << step) == 0) << lane;
    return mask;
}

/* One step of the tree: every 2^step-th row adds the row half that far below. */
static void add_rows(const struct places *places, uint32_t step, struct shared_sums *shared)
{
    uint32_t half = (1u << step) / 2;
    for (uint32_t left = adding_lanes(places, step); left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint32_t tx = places->tx[lane], ty = places->ty[lane];
        shared->sums[ty][tx] += shared->sums[ty + half][tx];
    }
}

/* Stages: input, weight, product, four steps of the tree, weight, partial sum. */
static enum stage_end run_forward(struct stage *stage)
{
    enum { INPUT, WEIGHT, PRODUCT, TREE, STORE = TREE + 4, PARTIAL };
    struct places places;
    struct shared_sums *shared = stage->device ? (void *)stage->device->shared : NULL;
    float values[WARP_SIZE] = {0};
    uint64_t partial[WARP_SIZE];
    find_places(stage, 0, array_base(stage, ARRAY_INPUT), array_base(stage, ARRAY_WEIGHTS),
                &places);
    switch (stage->number) {
    case INPUT:
        stage_load(stage, word_site(INPUT), places.first_column, places.by_row, values);
        stage_mix(stage, 1, (struct work){.stores = 1});
        stage_barrier(stage);
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane += EDGE)
            shared->input[places.ty[lane]] = values[lane];
        return STAGE_TURN;
    case WEIGHT:
        stage_load(stage, word_site(WEIGHT), UINT32_MAX, places.weight, values);
        stage_mix(stage, 1, (struct work){.stores = 1});
        stage_barrier(stage);
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            shared->sums[places.ty[lane]][places.tx[lane]] = values[lane];
        return STAGE_TURN;
    case PRODUCT:
        stage_mix(stage, 1, (struct work){.loads = 2, .singles = 1, .stores = 1});
        stage_barrier(stage);
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            shared->sums[places.ty[lane]][places.tx[lane]] *= shared->input[places.ty[lane]];
        return STAGE_TURN;
    case STORE:
        for (uint32_t lane = 0; shared && lane < WARP_SIZE; lane++)
            values[lane] = shared->sums[places.ty[lane]][places.tx[lane]];
        stage_mix(stage, 1, (struct work){.loads = 1});
        stage_store(stage, word_site(STORE), UINT32_MAX, places.weight, values);
        return STAGE_TURN;
    case PARTIAL:
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            partial[lane] = array_base(stage, ARRAY_PARTIAL) +
                            4 * ((uint64_t)EDGE * stage->block[1] + places.ty[lane]);
            if (shared)
                values[lane] = shared->sums[places.tx[lane]][places.ty[lane]];
        }
        stage_barrier(stage);
        stage_mask(stage, places.first_column);
        stage_mix(stage, 1, (struct work){.addresses = 4, .loads = 1});
        stage_store(stage, word_site(PARTIAL), places.first_column, partial, values);
        return STAGE_DONE;
    default:
        stage_mix(stage, 1, (struct work){.integers = 2, .branches = 1});
        stage_mask(stage, adding_lanes(&places, stage->number - TREE + 1));
        stage_mix(stage, 1, (struct work){.loads = 2, .singles = 1, .stores = 1});
        stage_barrier(stage);
        if (shared)
            add_rows(&places, stage->number - TREE + 1, shared);
        return STAGE_TURN;
    }
}

/* w += rate delta ly + momentum old; old = the same sum. `ly` is NULL for the bias, whose unit is
 * 1. */
static void adjust(struct stage *stage, uint32_t site, uint32_t mask, const struct places *places,
                   const uint64_t weight[WARP_SIZE], const uint64_t old[WARP_SIZE])
{
    const float rate = 0.3f, momentum = 0.3f;
    float delta[WARP_SIZE] = {0}, unit[WARP_SIZE], before[WARP_SIZE] = {0}, w[WARP_SIZE] = {0};
    bool bias = weight != places->weight;
    for (int half = 0; half < 2; half++) {
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            unit[lane] = 1;
        stage_load(stage, word_site((uint8_t)site++), mask, places->by_column, delta);
        if (!bias)
            stage_load(stage, word_site((uint8_t)site++), mask, places->by_row, unit);
        stage_load(stage, word_site((uint8_t)site++), mask, old, before);
        stage_mix(stage, 1, (struct work){.singles = bias ? 2 : 3});
        if (!half)
            stage_load(stage, word_site((uint8_t)site++), mask, weight, w);
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            float change = rate * delta[lane] * unit[lane] + momentum * before[lane];
            w[lane] = half ? change : w[lane] + change;
        }
        stage_mix(stage, half ? 0 : 1, (struct work){.singles = 1});
        stage_store(stage, word_site((uint8_t)site++), mask, half ? old : weight, w);
    }
}

static enum stage_end run_adjust(struct stage *stage)
{
    enum { WEIGHTS, BIAS };
    struct places places;
    uint64_t old[WARP_SIZE], bias[WARP_SIZE], old_bias[WARP_SIZE];
    uint64_t weights = array_base(stage, ARRAY_WEIGHTS), olds = array_base(stage, ARRAY_OLD);
    find_places(stage, array_base(stage, ARRAY_DELTA), array_base(stage, ARRAY_INPUT), weights,
                &places);
    uint32_t first_row = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        old[lane] = olds + places.weight[lane] - weights;
        bias[lane] = weights + 4 * (uint64_t)(places.tx[lane] + 1);
        old_bias[lane] = olds + 4 * (uint64_t)(places.tx[lane] + 1);
        first_row |= (uint32_t)(places.ty[lane] == 0) << lane;
    }
    if (stage->number == WEIGHTS) {
        adjust(stage, 0, UINT32_MAX, &places, places.weight, old);
        return STAGE_TURN;
    }
    stage_barrier(stage);
    stage_mix(stage, 1, (struct work){.integers = 1, .branches = 1});
    if (stage->block[1] == 0)
        adjust(stage, 16, first_row, &places, bias, old_bias);
    return STAGE_DONE;
}

static const struct staged_kernel forward = {
    .name = "bpnn_layerforward_CUDA",
    .shared_bytes = sizeof(struct shared_sums),
    .code = {.sites = "L L ..... S S", .prologue = 14},
    .run = run_forward,
};
static const struct staged_kernel adjusting = {
    .name = "bpnn_adjust_weights_cuda",
    .code = {.sites = "LLL L SLLL S....... LL L SLL S", .prologue = 18},
    .run = run_adjust,
};

static enum status open_backprop(const uint64_t *values, struct trace_source **source,
                                 struct diagnostics *diagnostics)
{
    uint64_t n = values[N];
    if (n % EDGE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "n must be a multiple of %d, as the suite asks, got %llu", EDGE,
                                 (unsigned long long)n);
    struct staged_program *program = staged_create(sizeof *program, &workload_backprop, values);
    if (!program)
        return STATUS_MEMORY;
    program_array(&program->program, "input", 4 * (n + 1));
    program_array(&program->program, "output_hidden", 4 * ROW);
    program_array(&program->program, "weights", 4 * ROW * (n + 1));
    program_array(&program->program, "partial", 4 * n);
    program_array(&program->program, "delta", 4 * ROW);
    program_array(&program->program, "old_weights", 4 * ROW * (n + 1));
    staged_launch(program, &forward, 1, n / EDGE, EDGE, EDGE, 0);
    staged_launch(program, &adjusting, 1, n / EDGE, EDGE, EDGE, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    backprop, "BACKPROP", RODINIA_SUITE,
    .help = "training step of a neural network; rows of 17 weights, sums in shared memory");
