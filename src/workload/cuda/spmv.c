/* SPMV: a sparse symmetric matrix times a vector, after the CUDA version of Parboil 2.5.
 *
 * The matrix is in JDS format: rows are sorted by their number of entries, longest first, in groups
 * of 32 that are padded to the length of their first row, and stored by columns of that order. A
 * thread has a row, so a warp has a group. All loads of the matrix are runs of 128 B; those of the
 * vector gather what the column indices say. Padding has the index -1, as the suite's converter
 * leaves it, so its lanes load the word before the vector and multiply it by 0.
 *
 * Group lengths and column starts are uniform reads of constant memory; they count as instructions
 * and make no records. Compiled code fetches a column of the format a step ahead, its indices and
 * then its data together, and the vector when both are there: the order of the machine code of nvcc
 * 13 (sm_75), whose unrolling by 4 is left out; gaps are those of the PTX. The suite's host
 * launches the kernel 50 times and measures the mean. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { ROWS, DEGREE, BAND, SEED, CALLS, BLOCK_X };
enum { CONSTANT_WORDS = 5000, DEGREE_MAX = 128, STAGE_COLUMNS = 8 };
enum { DATA, INDICES, STARTS, ORDER, LENGTHS, VECTOR, RESULT };
enum { SITE_INDEX, SITE_DATA, SITE_VECTOR, SITE_ORDER, SITE_RESULT };

static const struct workload_parameter parameters_spmv[] = {
    {"rows", 11948, 1, CONSTANT_WORDS *WARP_SIZE,
     "of the matrix; the suite has 1138, 11948 and 146689"},
    {"degree", 12, 1, DEGREE_MAX, "mean number of entries of a row, the diagonal included"},
    {"band", 200, 1, UINT32_MAX, "how far from the diagonal 7 of 8 entries lie at most"},
    {"seed", 1, 0, UINT32_MAX, "of the matrix"},
    {"calls", 50, 1, 1000, "launches, which all compute the same"},
    {"block_x", 0, 0, 1024,
     "threads of a block, a multiple of 32; 0: as the suite's host, 32 or 192"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct spmv {
    struct staged_program staged; /* first */
    uint64_t rows, groups, seed;
    uint32_t *lengths; /* of a group's longest row */
    uint32_t *starts;  /* of the columns, and the end of the last */
    uint32_t *order;   /* the matrix row of each row of the format */
    int32_t *indices;
};

/* The matrix by rows: the columns of row r are columns[first[r]..first[r + 1]), ascending. */
struct rows {
    uint32_t *first, *columns;
};

static int compare_columns(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The columns of a row to the left of the diagonal: near it, but for one of 8 anywhere. Sorted,
 * each once; returns how many. */
static uint32_t draw_columns(const uint64_t *values, uint32_t row, uint32_t columns[DEGREE_MAX])
{
    uint64_t seed = random_at(values[SEED], row), near = values[BAND] < row ? values[BAND] : row;
    uint32_t count = row ? (uint32_t)random_below(random_at(seed, 0), values[DEGREE]) : 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = random_at(seed, 1 + i), reach = bits % 8 ? near : row;
        columns[i] = row - 1 - (uint32_t)random_below(bits, reach);
    }
    qsort(columns, count, sizeof *columns, compare_columns);
    for (uint32_t i = 0; i < count; i++)
        if (!i || columns[i] != columns[i - 1])
            columns[kept++] = columns[i];
    return kept;
}

static void free_rows(struct rows *rows)
{
    free(rows->first);
    free(rows->columns);
}

/* Both halves and the diagonal. A row's own columns and diagonal are written before the mirrored
 * ones of the rows below it, which come in ascending order. */
static enum status create_rows(const uint64_t *values, struct rows *rows)
{
    uint32_t count = (uint32_t)values[ROWS], drawn[DEGREE_MAX];
    *rows = (struct rows){.first = calloc((size_t)count + 1, sizeof *rows->first)};
    uint32_t *next = calloc(count, sizeof *next);
    enum status status = STATUS_MEMORY;
    if (!rows->first || !next)
        goto cleanup;
    for (uint32_t row = 0; row < count; row++) {
        uint32_t left = draw_columns(values, row, drawn);
        rows->first[row + 1] += left + 1;
        for (uint32_t i = 0; i < left; i++)
            rows->first[drawn[i] + 1]++;
    }
    for (uint32_t row = 0; row < count; row++) {
        next[row] = rows->first[row];
        rows->first[row + 1] += rows->first[row];
    }
    rows->columns = malloc(rows->first[count] * sizeof *rows->columns);
    if (!rows->columns)
        goto cleanup;
    for (uint32_t row = 0; row < count; row++) {
        uint32_t left = draw_columns(values, row, drawn);
        for (uint32_t i = 0; i < left; i++)
            rows->columns[next[row]++] = drawn[i];
        rows->columns[next[row]++] = row;
        for (uint32_t i = 0; i < left; i++)
            rows->columns[next[drawn[i]]++] = row;
    }
    status = STATUS_OK;
cleanup:
    free(next);
    if (status)
        free_rows(rows);
    return status;
}

static uint32_t row_length(const struct rows *rows, uint32_t row)
{
    return rows->first[row + 1] - rows->first[row];
}

/* Longest rows first, equal ones in their order. */
static enum status order_rows(struct spmv *spmv, const struct rows *rows)
{
    uint32_t longest = 0;
    for (uint32_t row = 0; row < spmv->rows; row++)
        longest = row_length(rows, row) > longest ? row_length(rows, row) : longest;
    uint32_t *place = calloc((size_t)longest + 2, sizeof *place);
    spmv->order = calloc(spmv->rows, sizeof *spmv->order);
    if (!place || !spmv->order) {
        free(place);
        return STATUS_MEMORY;
    }
    for (uint32_t row = 0; row < spmv->rows; row++)
        place[longest - row_length(rows, row) + 1]++;
    for (uint32_t length = 0; length <= longest; length++)
        place[length + 1] += place[length];
    for (uint32_t row = 0; row < spmv->rows; row++)
        spmv->order[place[longest - row_length(rows, row)]++] = row;
    free(place);
    return STATUS_OK;
}

/* Where the columns start: a column holds the groups that are longer than its number. */
static enum status place_columns(struct spmv *spmv, const struct rows *rows)
{
    spmv->lengths = calloc(spmv->groups, sizeof *spmv->lengths);
    if (!spmv->lengths)
        return STATUS_MEMORY;
    for (uint64_t group = 0; group < spmv->groups; group++)
        spmv->lengths[group] = row_length(rows, spmv->order[group * WARP_SIZE]);
    uint32_t depth = spmv->lengths[0], start = 0;
    uint64_t groups = spmv->groups;
    spmv->starts = malloc(((size_t)depth + 1) * sizeof *spmv->starts);
    if (!spmv->starts)
        return STATUS_MEMORY;
    for (uint32_t column = 0; column <= depth; column++) {
        spmv->starts[column] = start;
        while (groups && spmv->lengths[groups - 1] <= column)
            groups--;
        start += (uint32_t)groups * WARP_SIZE;
    }
    return STATUS_OK;
}

static enum status fill_indices(struct spmv *spmv, const struct rows *rows)
{
    uint32_t depth = spmv->lengths[0], length = spmv->starts[depth];
    spmv->indices = malloc(length * sizeof *spmv->indices);
    if (!spmv->indices)
        return STATUS_MEMORY;
    for (uint32_t column = 0; column < depth; column++)
        for (uint32_t i = spmv->starts[column]; i < spmv->starts[column + 1]; i++) {
            uint32_t at = i - spmv->starts[column], row = at < spmv->rows ? spmv->order[at] : 0;
            bool there = at < spmv->rows && column < row_length(rows, row);
            spmv->indices[i] = there ? (int32_t)rows->columns[rows->first[row] + column] : -1;
        }
    return STATUS_OK;
}

/* From the entries of the matrix to the format, as the suite's host converts them. */
static enum status build_format(struct spmv *spmv, const uint64_t *values)
{
    struct rows rows;
    enum status status = create_rows(values, &rows);
    if (status)
        return status;
    status = order_rows(spmv, &rows);
    if (!status)
        status = place_columns(spmv, &rows);
    if (!status)
        status = fill_indices(spmv, &rows);
    free_rows(&rows);
    return status;
}

struct sum {
    float sum[WARP_SIZE], entries[WARP_SIZE]; /* entries: of the column that was fetched last */
};

/* Fetches a column of the format: indices, then data. */
static void fetch_column(struct stage *stage, uint32_t mask, uint32_t column, struct sum *sum)
{
    const struct spmv *spmv = (const struct spmv *)stage->program;
    const uint64_t at = spmv->starts[column] + stage_thread(stage);
    int32_t indices[WARP_SIZE];
    memcpy(indices, &spmv->indices[at],
           sizeof indices); /* a group is whole, in the last block too */
    stage_load_row(stage, word_site(SITE_INDEX), mask, array_base(stage, INDICES) + 4 * at, 4,
                   indices);
    stage_work(stage, 1);
    stage_load_row(stage, word_site(SITE_DATA), mask, array_base(stage, DATA) + 4 * at, 4,
                   sum->entries);
}

/* What the vector has for the column that was fetched, and the products. */
static void add_products(struct stage *stage, uint32_t mask, uint32_t column, struct sum *sum)
{
    const struct spmv *spmv = (const struct spmv *)stage->program;
    const uint64_t at = spmv->starts[column] + stage_thread(stage);
    uint64_t addresses[WARP_SIZE];
    float factors[WARP_SIZE] = {0};
    for (int lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] =
            array_base(stage, VECTOR) + (uint64_t)(4 * (int64_t)spmv->indices[at + (uint64_t)lane]);
    stage_work(stage, 2);
    stage_load(stage, word_site(SITE_VECTOR), mask, addresses, factors);
    for (int lane = 0; stage->device && lane < WARP_SIZE; lane++)
        sum->sum[lane] += sum->entries[lane] * factors[lane];
    stage_mix(stage, 1, (struct work){.singles = 1});
}

static void store_result(struct stage *stage, uint32_t mask, struct sum *sum)
{
    const struct spmv *spmv = (const struct spmv *)stage->program;
    uint64_t first = stage_thread(stage), addresses[WARP_SIZE] = {0};
    uint32_t rows[WARP_SIZE] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        rows[lane] = spmv->order[first + (uint64_t)lane];
    }
    stage_work(stage, 6);
    stage_load_row(stage, word_site(SITE_ORDER), mask, array_base(stage, ORDER) + 4 * first, 4,
                   rows);
    for (int lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, RESULT) + 4 * (uint64_t)rows[lane];
    stage_work(stage, 2);
    stage_store(stage, word_site(SITE_RESULT), mask, addresses, sum->sum);
}

/* Stages: the start; then eight columns each, with the result after the last. */
static enum stage_end run_spmv(struct stage *stage)
{
    const struct spmv *spmv = (const struct spmv *)stage->program;
    struct sum *sum = stage->state;
    uint64_t first = stage_thread(stage);
    uint32_t mask = lanes_below(first, spmv->rows) & stage->lanes;
    if (!mask)
        return STAGE_DONE;
    uint32_t length = spmv->lengths[first / WARP_SIZE];
    uint32_t column = stage->number ? 1 + (stage->number - 1) * STAGE_COLUMNS : 0;
    uint32_t end = stage->number ? column + STAGE_COLUMNS : 1;
    if (!stage->number) {
        stage_work(stage, 11);
        fetch_column(stage, mask, 0, sum);
    }
    for (; column < end && column < length; column++) {
        add_products(stage, mask, column, sum);
        stage_mix(stage, 1, (struct work){.addresses = 4, .branches = 1});
        if (column + 1 < length)
            fetch_column(stage, mask, column + 1, sum);
    }
    if (column < length)
        return STAGE_NEXT;
    store_result(stage, mask, sum);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "spmv_jds",
    .code = {.sites = "LLL L S", .prologue = 6},
    .state_bytes = sizeof(struct sum),
    .run = run_spmv,
};

/* The same on both sides of the diagonal. */
static float entry_value(const struct spmv *spmv, uint64_t row, uint64_t column)
{
    uint64_t low = row < column ? row : column, high = row < column ? column : row;
    return 2 * random_unit(random_at(spmv->seed + 1, low * spmv->rows + high)) - 1;
}

static void *words_of(const struct spmv *spmv, uint32_t array, struct device *device)
{
    const struct trace_array *at = &spmv->staged.program.arrays[array];
    return device_at(device, at->base, at->bytes);
}

static void spmv_upload(const struct staged_program *program, struct device *device)
{
    const struct spmv *spmv = (const struct spmv *)program;
    float *data = words_of(spmv, DATA, device), *vector = words_of(spmv, VECTOR, device),
          *result = words_of(spmv, RESULT, device);
    int32_t *indices = words_of(spmv, INDICES, device);
    uint32_t *starts = words_of(spmv, STARTS, device), *order = words_of(spmv, ORDER, device),
             *lengths = words_of(spmv, LENGTHS, device), depth = spmv->lengths[0];
    for (uint32_t column = 0; column < depth; column++)
        for (uint32_t i = spmv->starts[column]; i < spmv->starts[column + 1]; i++) {
            uint32_t at = i - spmv->starts[column];
            bool there = spmv->indices[i] >= 0;
            indices[i] = spmv->indices[i];
            data[i] = there ? entry_value(spmv, spmv->order[at], (uint64_t)indices[i]) : 0;
        }
    for (uint32_t column = 0; column <= depth; column++)
        starts[column] = spmv->starts[column];
    for (uint64_t group = 0; group < spmv->groups; group++)
        lengths[group] = spmv->lengths[group];
    for (uint64_t row = 0; row < spmv->rows; row++) {
        order[row] = spmv->order[row];
        vector[row] = random_unit(random_at(spmv->seed + 2, row));
        result[row] = 0;
    }
}

static void spmv_release(struct staged_program *program)
{
    struct spmv *spmv = (struct spmv *)program;
    free(spmv->lengths);
    free(spmv->starts);
    free(spmv->order);
    free(spmv->indices);
}

/* The suite's host fills a GPU of 14 SMs (GTX 470) of 1536 threads by 8 blocks each where there are
 * enough rows, and takes a group a block where there are not. */
static uint64_t block_threads(uint64_t given, uint64_t groups)
{
    enum { SMS = 14, SM_THREADS = 1536, SM_BLOCKS = 8 };
    if (given)
        return given;
    return groups * WARP_SIZE > SMS * SM_THREADS ? SM_THREADS / SM_BLOCKS : WARP_SIZE;
}

static enum status open_spmv(const uint64_t *values, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    if (values[BLOCK_X] % WARP_SIZE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "block_x must be a multiple of %d, got %llu", WARP_SIZE,
                                 (unsigned long long)values[BLOCK_X]);
    struct spmv *spmv = staged_create(sizeof *spmv, &workload_spmv, values);
    if (!spmv)
        return STATUS_MEMORY;
    struct staged_program *program = &spmv->staged;
    spmv->rows = values[ROWS];
    spmv->groups = (spmv->rows + WARP_SIZE - 1) / WARP_SIZE;
    spmv->seed = values[SEED];
    program->upload = spmv_upload;
    program->release = spmv_release;
    enum status status = build_format(spmv, values);
    if (status) {
        program->program.status = status;
        return staged_finish(program, source, diagnostics);
    }
    uint32_t depth = spmv->lengths[0];
    uint64_t length = spmv->starts[depth], threads = block_threads(values[BLOCK_X], spmv->groups);
    program_array(&program->program, "data", 4 * length);
    program_array(&program->program, "indices", 4 * length);
    program_array(&program->program, "starts", 4 * ((uint64_t)depth + 1));
    program_array(&program->program, "order", 4 * spmv->rows);
    program_array(&program->program, "lengths", 4 * spmv->groups);
    program_array(&program->program, "vector", 4 * spmv->rows);
    program_array(&program->program, "result", 4 * spmv->rows);
    for (uint64_t call = 0; call < values[CALLS]; call++)
        staged_launch(program, &kernel, (spmv->groups * WARP_SIZE + threads - 1) / threads, 1,
                      threads, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    spmv, "SPMV", PARBOIL_SUITE,
    .help = "sparse symmetric matrix times a vector, in JDS format; gathers from the vector");
