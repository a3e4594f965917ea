/* LAYERNORM: each row of a matrix less its mean, over its standard deviation, times a weight and
 * plus a bias of the column. One warp makes a row: its lanes stride over it once for the mean, once
 * for the deviation and once for the result, and shuffles add up what the lanes have. The form is
 * that of the kernels which train transformers in public courses (llm.c, layernorm_forward_kernel3:
 * mean and 1 / deviation of a row are kept for the way back). nvcc unrolls loops of unknown length
 * by four. */
#include <math.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { ROWS, COLUMNS, BLOCK_X };
enum { ARRAY_X, ARRAY_WEIGHT, ARRAY_BIAS, ARRAY_OUT, ARRAY_MEAN, ARRAY_SCALE };
enum { UNROLL = 4 };
/* Sites of the three passes: a load of x for each step of a loop, then those of the end. */
enum {
    SITE_SUM = 0,
    SITE_MEAN = SITE_SUM + UNROLL,
    SITE_SQUARE,
    SITE_SCALE = SITE_SQUARE + UNROLL,
    SITE_X,
    SITE_WEIGHT,
    SITE_BIAS,
    SITE_OUT
};

static const struct workload_parameter parameters_layernorm[] = {
    {"rows", 8192, 1, 1 << 24, "of the matrix, each normalised on its own"},
    {"columns", 768, 1, 1 << 20, "elements of a row"},
    {"block_x", 256, 32, 1024, "threads of a block, a multiple of 32: as many rows as warps"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct layernorm {
    struct staged_program staged; /* first */
    uint64_t rows, columns;
};

/* What the lanes of a warp know of its row. */
struct row {
    float sums[WARP_SIZE];
    float mean, scale;
};

static uint64_t row_of(const struct stage *stage)
{
    return stage_thread(stage) / WARP_SIZE;
}

/* Loads of x from column `first` on, up to UNROLL of them. Each lane adds up its elements, or, once
 * the mean is known, the squares of how far they are from it. */
static void add_up(struct stage *stage, struct row *row, uint64_t first, bool squares)
{
    const struct layernorm *norm = (const struct layernorm *)stage->program;
    const uint64_t base = array_base(stage, ARRAY_X) + 4 * row_of(stage) * norm->columns;
    const uint8_t site = squares ? SITE_SQUARE : SITE_SUM;
    uint32_t loads = 0;
    stage_work(stage, 2);
    for (; loads < UNROLL && first + WARP_SIZE * loads < norm->columns; loads++) {
        const uint64_t column = first + WARP_SIZE * loads;
        const uint32_t mask = lanes_below(column, norm->columns);
        float x[WARP_SIZE] = {0};
        stage_load_row(stage, word_site((uint8_t)(site + loads)), mask, base + 4 * column, 4, x);
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            if (mask >> lane & 1) {
                const float apart = x[lane] - row->mean;
                row->sums[lane] += squares ? apart * apart : x[lane];
            }
    }
    stage_mask(stage, stage->lanes);
    stage_mix(stage, 1,
              (struct work){.singles = (squares ? 2 : 1) * loads, .integers = 1, .branches = 1});
}

/* Every lane gets the sum of all: five shuffles with the lane that differs in one bit. */
static float shuffle(struct stage *stage, struct row *row)
{
    enum { STEPS = 5 };
    stage_mix(stage, STEPS, (struct work){.integers = 1, .singles = 1});
    for (uint32_t distance = WARP_SIZE / 2; distance; distance /= 2)
        for (uint32_t lane = 0; lane < distance; lane++)
            row->sums[lane] += row->sums[lane + distance];
    const float sum = row->sums[0];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        row->sums[lane] = 0;
    return sum;
}

/* What the first lane keeps of the row. */
static void layernorm_keep(struct stage *stage, uint8_t site, uint32_t array, float value)
{
    const float values[WARP_SIZE] = {value};
    stage_work(stage, 1);
    stage_store_row(stage, word_site(site), 1, array_base(stage, array) + 4 * row_of(stage), 0,
                    values);
}

static void write_elements(struct stage *stage, const struct row *row, uint64_t column)
{
    const struct layernorm *norm = (const struct layernorm *)stage->program;
    const uint64_t at = 4 * (row_of(stage) * norm->columns + column);
    const uint32_t mask = lanes_below(column, norm->columns);
    float x[WARP_SIZE] = {0}, weight[WARP_SIZE] = {0}, bias[WARP_SIZE] = {0};
    stage_work(stage, 3);
    stage_load_row(stage, word_site(SITE_X), mask, array_base(stage, ARRAY_X) + at, 4, x);
    stage_load_row(stage, word_site(SITE_WEIGHT), mask,
                   array_base(stage, ARRAY_WEIGHT) + 4 * column, 4, weight);
    stage_load_row(stage, word_site(SITE_BIAS), mask, array_base(stage, ARRAY_BIAS) + 4 * column, 4,
                   bias);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        x[lane] = (x[lane] - row->mean) * row->scale * weight[lane] + bias[lane];
    stage_mix(stage, 1, (struct work){.singles = 3});
    stage_store_row(stage, word_site(SITE_OUT), mask, array_base(stage, ARRAY_OUT) + at, 4, x);
}

/* Stages: the loop of the sum and its end, that of the squares and its end, a column of lanes. */
static enum stage_end run_layernorm(struct stage *stage)
{
    const struct layernorm *norm = (const struct layernorm *)stage->program;
    struct row *row = stage->state;
    const uint64_t step = (uint64_t)UNROLL * WARP_SIZE, columns = norm->columns;
    const uint64_t loops = (columns + step - 1) / step, number = stage->number;
    if (row_of(stage) >= norm->rows)
        return STAGE_DONE;
    if (number < loops) {
        add_up(stage, row, number * step, false);
    } else if (number == loops) {
        row->mean = shuffle(stage, row) / (float)columns;
        stage_mix(stage, 1, (struct work){.singles = 1, .specials = 1});
        layernorm_keep(stage, SITE_MEAN, ARRAY_MEAN, row->mean);
    } else if (number <= 2 * loops) {
        add_up(stage, row, (number - loops - 1) * step, true);
    } else if (number == 2 * loops + 1) {
        row->scale = 1 / sqrtf(shuffle(stage, row) / (float)columns + 1e-5f);
        stage_mix(stage, 1, (struct work){.singles = 2, .specials = 2});
        layernorm_keep(stage, SITE_SCALE, ARRAY_SCALE, row->scale);
    } else {
        const uint64_t column = (number - 2 * loops - 2) * WARP_SIZE;
        write_elements(stage, row, column);
        return column + WARP_SIZE < columns ? STAGE_NEXT : STAGE_DONE;
    }
    return STAGE_NEXT;
}

static const struct staged_kernel kernel = {
    .name = "layernorm_forward",
    .state_bytes = sizeof(struct row),
    .code = {.sites = "LLLL S LLLL S LLL S", .prologue = 10},
    .run = run_layernorm,
};

static enum status open_layernorm(const uint64_t *values, struct trace_source **source,
                                  struct diagnostics *diagnostics)
{
    const uint64_t rows = values[ROWS], columns = values[COLUMNS],
                   warps = values[BLOCK_X] / WARP_SIZE;
    if (values[BLOCK_X] % WARP_SIZE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "LAYERNORM: block_x must be a multiple of 32, the lanes that make "
                                 "a row, got %llu",
                                 (unsigned long long)values[BLOCK_X]);
    struct layernorm *norm = staged_create(sizeof *norm, &workload_layernorm, values);
    if (!norm)
        return STATUS_MEMORY;
    norm->rows = rows;
    norm->columns = columns;
    program_array(&norm->staged.program, "x", 4 * rows * columns);
    program_array(&norm->staged.program, "weight", 4 * columns);
    program_array(&norm->staged.program, "bias", 4 * columns);
    program_array(&norm->staged.program, "out", 4 * rows * columns);
    program_array(&norm->staged.program, "mean", 4 * rows);
    program_array(&norm->staged.program, "scale", 4 * rows);
    staged_launch(&norm->staged, &kernel, (rows + warps - 1) / warps, 1, values[BLOCK_X], 1, 0);
    return staged_finish(&norm->staged, source, diagnostics);
}

CUDA_PROGRAM(
    layernorm, "LAYERNORM", NETWORK_SUITE,
    .help = "rows normalised, one warp per row: each is read three times, twice from a cache");
