/* DWT2D: the reversible 5/3 wavelet transform of a picture, after Rodinia 3.1.
 *
 * The first launch splits the bytes of the picture into three arrays of ints. Then each component
 * has one launch per level. A block is as wide as its window of columns (192, 128 or 64 threads)
 * and slides down its part of the picture, 8 rows a step. Every thread loads its column; the first
 * three threads also load the three columns next to the window. Rows and columns outside of the
 * picture are mirrored. The block does the horizontal transform in shared memory, then the vertical
 * one. Each thread stores one column of the result: even columns to the left half of the bands, odd
 * ones to the right half. Between levels the host copies the low band back to the input, which is
 * no kernel access. */
#include <stdlib.h>
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { WIDTH, HEIGHT, LEVELS };
enum {
    COPY_BLOCK = 256,
    COPY_WORDS = COPY_BLOCK * 3 / 4,
    WINDOW_MAX = 192,
    SIDE = 2,      /* columns left of the window; one more lies right of it */
    STEP_ROWS = 8, /* new rows of a step */
    KEPT_ROWS = 3, /* rows above them, from the step before */
    TILE_ROWS = STEP_ROWS + KEPT_ROWS,
    TILE_COLUMNS = WINDOW_MAX + SIDE + 1,
    LEVELS_MAX = 8,
    EDGE_MIN = 33, /* of a level, so that mirroring once is enough */
    COMPONENTS = 3
};
enum {
    ARRAY_OUT_R,
    ARRAY_BACKUP,
    ARRAY_OUT_G,
    ARRAY_OUT_B,
    ARRAY_R,
    ARRAY_G,
    ARRAY_B,
    ARRAY_SOURCE
};

static const uint32_t in_arrays[COMPONENTS] = {ARRAY_R, ARRAY_G, ARRAY_B};
static const uint32_t out_arrays[COMPONENTS] = {ARRAY_OUT_R, ARRAY_OUT_G, ARRAY_OUT_B};

static const struct workload_parameter parameters_dwt2d[] = {
    {"width", 1024, EDGE_MIN, 16384, "columns of the picture"},
    {"height", 1024, EDGE_MIN, 16384, "rows of the picture"},
    {"levels", 3, 1, LEVELS_MAX, "levels of the transform"},
    PROGRAM_DEVICE_PARAMETERS,
};

/* One level of the transform. */
struct level {
    int64_t width, height, window, steps; /* columns of a block, steps of 8 rows of a block */
};

struct dwt2d {
    struct staged_program staged; /* first */
    struct level levels[LEVELS_MAX];
    int64_t pixels;
};

struct tile {
    int32_t cells[TILE_ROWS][TILE_COLUMNS];
};

static struct level make_level(int64_t width, int64_t height)
{
    struct level level = {width, height,
                          width >= 960   ? 192
                          : width >= 480 ? 128
                                         : 64,
                          (height + 119) / 120};
    return level;
}

/* Where a warp's loaders and writers stand. */
struct slider {
    int64_t row, direction;                  /* of the row loaded last, the way to the next */
    int64_t next[WARP_SIZE], end[WARP_SIZE]; /* elements of the output */
};

/* The block of a launch of the transform. */
struct section {
    struct level level;
    uint32_t component;
    int64_t first_row, first_column;
    bool last_rows, checked; /* rows are mirrored; stores are checked */
};

static struct section find_section(const struct stage *stage)
{
    const struct dwt2d *dwt2d = (const struct dwt2d *)stage->program;
    struct section section = {.level = dwt2d->levels[stage->argument / COMPONENTS],
                              .component = stage->argument % COMPONENTS};
    const struct level *level = &section.level;
    int64_t rows = STEP_ROWS * level->steps;
    section.first_row = stage->block[1] * rows;
    section.first_column = stage->block[0] * level->window;
    section.last_rows = section.first_row + rows + 1 >= level->height;
    section.checked = section.last_rows || section.first_column + level->window + 1 >= level->width;
    return section;
}

static int64_t mirror(int64_t column, int64_t width)
{
    return column >= width ? 2 * width - 2 - column : column < 0 ? -column : column;
}

static void start_rows(struct slider *slider, int64_t row)
{
    slider->row = row - 1;
    slider->direction = 1;
}

static int64_t next_row(struct slider *slider, const struct section *section)
{
    slider->row += slider->direction;
    if (section->last_rows && slider->row == section->level.height) {
        slider->row -= 2 * slider->direction;
        slider->direction = -slider->direction;
    }
    return slider->row;
}

/* Loads a column of `count` rows for the lanes of `mask` into rows of the tile from `to` on, or,
 * with `upwards`, from `to` up. `columns` are the lanes' columns in the window. */
static void load_column(struct stage *stage, uint8_t site, uint32_t mask,
                        const struct section *section, const int64_t columns[WARP_SIZE],
                        struct slider slider, int count, int to, bool upwards)
{
    struct tile *tile = stage->device ? (void *)stage->device->shared : NULL;
    uint64_t base = array_base(stage, in_arrays[section->component]), addresses[WARP_SIZE];
    int64_t width = section->level.width;
    for (int i = 0; i < count; i++) {
        int32_t values[WARP_SIZE] = {0};
        int64_t row = next_row(&slider, section);
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            int64_t column = mirror(section->first_column + columns[lane], width);
            addresses[lane] = base + 4 * (uint64_t)(row * width + column);
        }
        stage_load(stage, word_site((uint8_t)(site + i)), mask, addresses, values);
        stage_mix(stage, 1, (struct work){.addresses = section->last_rows ? 3 : 1, .stores = 1});
        for (uint32_t lane = 0; tile && lane < WARP_SIZE; lane++)
            if (mask >> lane & 1)
                tile->cells[upwards ? to - i : to + i][SIDE + columns[lane]] = values[lane];
    }
}

/* The window's columns, then the three beside it. */
static void load_rows(struct stage *stage, uint8_t site, const struct section *section, int count,
                      int to, bool upwards)
{
    struct slider *slider = stage->state;
    int64_t columns[WARP_SIZE], beside[WARP_SIZE] = {section->level.window, -2, -1};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        columns[lane] = stage->first_thread + lane;
    load_column(stage, site, stage->lanes, section, columns, *slider, count, to, upwards);
    if (!stage->first_thread)
        load_column(stage, site + STEP_ROWS, 7, section, beside, *slider, count, to, upwards);
    for (int i = 0; i < count; i++)
        next_row(slider, section);
}

/* The column of the result that a thread stores: first the even ones, then the odd ones. */
static int64_t result_column(const struct stage *stage, const struct section *section,
                             uint32_t lane)
{
    int64_t thread = stage->first_thread + lane, half = section->level.window / 2;
    return thread < half ? 2 * thread : 2 * (thread - half) + 1;
}

/* From an even row's element of the result to the odd row's below it. */
static int64_t low_to_high(const struct level *level, int64_t column)
{
    return column % 2 ? level->width * level->height / 2 : (level->height + 1) / 2 * level->width;
}

static void start_writers(const struct stage *stage, const struct section *section,
                          struct slider *slider)
{
    const struct level *level = &section->level;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t column = section->first_column + result_column(stage, section, lane);
        slider->next[lane] = slider->end[lane] = 0;
        if (column >= level->width)
            continue;
        bool odd = column % 2;
        int64_t row = odd ? level->width / 2 : (level->width + 1) / 2;
        int64_t first = column / 2 + (odd ? (level->width + 1) / 2 * ((level->height + 1) / 2) : 0);
        int64_t high = low_to_high(level, column);
        slider->next[lane] = first + section->first_row / 2 * row;
        slider->end[lane] = first + level->height / 2 * row + level->height % 2 * high;
    }
}

static void start_columns(struct stage *stage, const struct section *section)
{
    struct slider *slider = stage->state;
    bool top = stage->block[1] == 0;
    stage_work(stage, 20);
    start_rows(slider, top ? 0 : section->first_row - 2);
    load_rows(stage, 0, section, KEPT_ROWS, top ? KEPT_ROWS - 1 : 0, top);
    if (top)
        start_rows(slider, 1);
    start_writers(stage, section, slider);
    stage_work(stage, 20);
}

/* Each thread its column of the tile: odd columns less the mean of their
 * neighbours, or even columns plus a quarter of theirs. */
static void transform_rows(const struct stage *stage, int first_row, bool odd)
{
    struct tile *tile = (void *)stage->device->shared;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        int64_t column = stage->first_thread + lane;
        if (odd && column == 0)
            column = -1; /* the one odd column that is no thread's own */
        if ((column % 2 != 0) != odd)
            continue;
        for (int row = first_row; row < TILE_ROWS; row++) {
            int32_t *cell = &tile->cells[row][SIDE + column];
            *cell += odd ? -((cell[-1] + cell[1]) >> 1) : (cell[-1] + cell[1] + 2) >> 2;
        }
    }
}

/* The vertical transform of a cell of the tile. */
static int32_t transform_cell(const struct tile *tile, int row, int64_t column)
{
    int32_t at = tile->cells[row][column];
    if (row % 2)
        return at - ((tile->cells[row - 1][column] + tile->cells[row + 1][column]) >> 1);
    return at +
           ((transform_cell(tile, row - 1, column) + transform_cell(tile, row + 1, column) + 2) >>
            2);
}

static void store_rows(struct stage *stage, const struct section *section)
{
    const struct tile *tile = stage->device ? (const void *)stage->device->shared : NULL;
    struct slider *slider = stage->state;
    uint64_t base = array_base(stage, out_arrays[section->component]), addresses[WARP_SIZE];
    for (int row = KEPT_ROWS - 1; row < TILE_ROWS - 1; row++) {
        int32_t values[WARP_SIZE] = {0};
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            int64_t column = result_column(stage, section, lane), *next = &slider->next[lane];
            addresses[lane] = base + 4 * (uint64_t)*next;
            if (section->checked && *next == slider->end[lane])
                continue;
            mask |= UINT32_C(1) << lane;
            int64_t high = low_to_high(&section->level, column);
            int64_t across = column % 2 ? section->level.width / 2 : (section->level.width + 1) / 2;
            *next += row % 2 ? across - high : high;
            if (tile)
                values[lane] = transform_cell(tile, row, SIDE + column);
        }
        mask &= stage->lanes;
        stage_mix(stage, 1, (struct work){.addresses = section->checked ? 2 : 0, .loads = 1});
        stage_store(stage, word_site((uint8_t)(24 + row)), mask, addresses, values);
    }
}

static void keep_rows(const struct stage *stage)
{
    struct tile *tile = (void *)stage->device->shared;
    if (!stage->first_thread)
        memmove(tile->cells[0], tile->cells[STEP_ROWS], KEPT_ROWS * sizeof tile->cells[0]);
}

/* Stages: the first rows; then a step is five: new rows, odd columns, even columns, the result,
 * the rows that are kept. */
static enum stage_end run_transform(struct stage *stage)
{
    enum { NEW_ROWS, ODD_COLUMNS, EVEN_COLUMNS, RESULT, KEEP, PHASES };
    struct section section = find_section(stage);
    if (stage->number == 0) {
        start_columns(stage, &section);
        return STAGE_BARRIER;
    }
    uint32_t phase = (stage->number - 1) % PHASES, step = (stage->number - 1) / PHASES;
    int first_row = step ? KEPT_ROWS : 0;
    if (phase == NEW_ROWS)
        load_rows(stage, 4, &section, STEP_ROWS, KEPT_ROWS, false);
    if (phase == RESULT)
        store_rows(stage, &section);
    if (phase == ODD_COLUMNS || phase == EVEN_COLUMNS) {
        stage_mask(stage, stage->lanes & (phase == ODD_COLUMNS ? 0xaaaaaaaa : 0x55555555));
        stage_mix(stage, STEP_ROWS, (struct work){.loads = 1, .integers = 1, .stores = 1});
        if (stage->device)
            transform_rows(stage, first_row, phase == ODD_COLUMNS);
    }
    if (phase != KEEP)
        return STAGE_BARRIER;
    if (stage->device)
        keep_rows(stage);
    stage_mix(stage, 1, (struct work){.integers = 2, .loads = 1, .stores = 1});
    return step + 1 == section.level.steps ? STAGE_DONE : STAGE_BARRIER;
}

/* Stages: the bytes into shared memory, then a pixel a thread. */
static enum stage_end run_copy(struct stage *stage)
{
    const struct dwt2d *dwt2d = (const struct dwt2d *)stage->program;
    uint8_t *shared = stage->device ? stage->device->shared : NULL;
    uint64_t addresses[WARP_SIZE], words = (uint64_t)stage->block[0] * COPY_WORDS;
    uint32_t values[WARP_SIZE] = {0};
    if (stage->number == 0) {
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            addresses[lane] =
                array_base(stage, ARRAY_SOURCE) + 4 * (words + stage->first_thread + lane);
        stage_load(stage, word_site(0), lanes_below(stage->first_thread, COPY_WORDS), addresses,
                   values);
        stage_mix(stage, 1, (struct work){.integers = 1, .stores = 1});
        if (shared && stage->first_thread < COPY_WORDS)
            memcpy(shared + 4 * stage->first_thread, values, sizeof values);
        return STAGE_BARRIER;
    }
    uint64_t first = stage_thread(stage);
    uint32_t mask = lanes_below(first, (uint64_t)dwt2d->pixels);
    for (uint8_t c = 0; c < COMPONENTS; c++) {
        int32_t shifted[WARP_SIZE] = {0};
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            addresses[lane] = array_base(stage, in_arrays[c]) + 4 * (first + lane);
            if (shared)
                shifted[lane] = shared[3 * (stage->first_thread + lane) + c] - 128;
        }
        stage_mix(stage, 1, (struct work){.loads = 1});
        stage_work(stage, 1);
        stage_store(stage, word_site((uint8_t)(1 + c)), mask, addresses, shifted);
    }
    return STAGE_DONE;
}

static const struct staged_kernel copy_kernel = {
    .name = "c_CopySrcToComponents",
    .shared_bytes = 3 * COPY_BLOCK,
    .code = {.sites = "L S S S", .prologue = 10},
    .run = run_copy,
};
static const struct staged_kernel transform_kernel = {
    .name = "fdwt53Kernel",
    .shared_bytes = sizeof(struct tile),
    .code = {.sites = "L L L . L L L L L L L L L L L L L L L L ...... S S S S S S S S",
             .prologue = 20},
    .state_bytes = sizeof(struct slider),
    .run = run_transform,
};

/* Between levels: the low band becomes the input. */
static void dwt2d_prepare(const struct staged_program *program, uint32_t launch,
                          struct device *device)
{
    const struct dwt2d *dwt2d = (const struct dwt2d *)program;
    uint32_t argument = program->launches[launch].argument, c = argument % COMPONENTS;
    if (!launch || argument < COMPONENTS)
        return;
    const struct level *level = &dwt2d->levels[argument / COMPONENTS];
    uint64_t bytes = 4 * (uint64_t)(level->width * level->height);
    const struct trace_array *arrays = program->program.arrays;
    memcpy(device_at(device, arrays[in_arrays[c]].base, bytes),
           device_at(device, arrays[out_arrays[c]].base, bytes), bytes);
}

static bool make_levels(struct dwt2d *dwt2d, const uint64_t *values)
{
    int64_t width = (int64_t)values[WIDTH], height = (int64_t)values[HEIGHT];
    dwt2d->pixels = width * height;
    for (uint64_t i = 0; i < values[LEVELS]; i++) {
        if (width < EDGE_MIN || height < EDGE_MIN)
            return false;
        dwt2d->levels[i] = make_level(width, height);
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return true;
}

static void dwt2d_allocate(struct program *program, uint64_t pixels)
{
    static const char *const names[] = {"out_r", "backup", "out_g", "out_b", "r", "g", "b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        program_array(program, names[i], 4 * pixels);
    program_array(program, "source",
                  (pixels + COPY_BLOCK - 1) / COPY_BLOCK * (3 * (uint64_t)COPY_BLOCK));
}

static enum status open_dwt2d(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    struct dwt2d *dwt2d = staged_create(sizeof *dwt2d, &workload_dwt2d, values);
    if (!dwt2d)
        return STATUS_MEMORY;
    struct staged_program *program = &dwt2d->staged;
    program->prepare = dwt2d_prepare;
    if (!make_levels(dwt2d, values)) {
        trace_source_free(&program->program.source);
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "every level must have %d rows and columns or more; a picture of "
                                 "%llu x %llu has not that many in %llu levels",
                                 EDGE_MIN, (unsigned long long)values[WIDTH],
                                 (unsigned long long)values[HEIGHT],
                                 (unsigned long long)values[LEVELS]);
    }
    uint64_t pixels = (uint64_t)dwt2d->pixels;
    dwt2d_allocate(&program->program, pixels);
    staged_launch(program, &copy_kernel, (pixels + COPY_BLOCK - 1) / COPY_BLOCK, 1, COPY_BLOCK, 1,
                  0);
    for (uint32_t c = 0; c < COMPONENTS; c++)
        for (uint32_t i = 0; i < values[LEVELS]; i++) {
            const struct level *level = &dwt2d->levels[i];
            int64_t rows = STEP_ROWS * level->steps, window = level->window;
            staged_launch(program, &transform_kernel,
                          (uint64_t)((level->width + window - 1) / window),
                          (uint64_t)((level->height + rows - 1) / rows), (uint64_t)window, 1,
                          i * COMPONENTS + c);
        }
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(dwt2d, "DWT2D", RODINIA_SUITE,
             .help = "wavelet transform of a picture; windows slide down, bands are stored apart");
