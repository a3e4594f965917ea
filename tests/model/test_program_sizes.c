/* Programs at sizes that divide nothing: whatever the last blocks look like, no access leaves the
 * arrays, and each word of an array is touched as often as the plain computation says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/program_trial.h"

enum { SIZES = 3, ROUNDS = 12, ARRAYS_COUNTED = 4, ROWS_OF_TILE = 32 };

/* How often a word is touched, by the sizes that were drawn. */
typedef uint64_t touches(const int sizes[SIZES]);

static uint64_t once(const int sizes[SIZES])
{
    (void)sizes;
    return 1;
}

static uint64_t first_size(const int sizes[SIZES])
{
    return (uint64_t)sizes[0];
}

static uint64_t second_size(const int sizes[SIZES])
{
    return (uint64_t)sizes[1];
}

static uint64_t tiles_of_32(const int sizes[SIZES])
{
    return (uint64_t)(sizes[0] + ROWS_OF_TILE - 1) / ROWS_OF_TILE;
}

static uint64_t tiles_of_16(const int sizes[SIZES])
{
    return (uint64_t)(sizes[0] + 15) / 16;
}

static uint64_t chunks_of_1024(const int sizes[SIZES])
{
    return (uint64_t)(sizes[1] + 1023) / 1024;
}

struct counted_array {
    const char *name;
    enum memory_op op;
    touches *times;
};

/* `parameters` has a % for each size, of which the largest is in `most`. */
static const struct program_row {
    const char *name, *parameters;
    int most[SIZES];
    struct counted_array arrays[ARRAYS_COUNTED];
} rows[] = {
    {"REDUCE", "n=%", {3000}, {{"A", OP_LOAD, once}, {"result", OP_STORE, once}}},
    {"REDUCE",
     "n=%,each=%,block_x=64",
     {3000, 12},
     {{"A", OP_LOAD, once}, {"result", OP_STORE, once}}},
    {"REDUCE",
     "n=%,each=%,order=2,block=2,block_x=96",
     {3000, 12},
     {{"A", OP_LOAD, once}, {"result", OP_STORE, once}}},
    {"REDUCE",
     "n=%,each=%,order=1,vectors=2,alone=1",
     {3000, 12},
     {{"A", OP_LOAD, once}, {"B", OP_LOAD, once}, {"result", OP_STORE, once}}},
    {"REDUCE", "n=%,grid=%,order=1,atomic=1", {5000, 7}, {{"A", OP_LOAD, once}}},
    {"REDUCE", "n=%,grid=%,order=0", {5000, 7}, {{"A", OP_LOAD, once}}},
    {"REDUCE",
     "n=%,block=0,atomic=1,block_x=100",
     {3000},
     {{"A", OP_LOAD, once}, {"result", OP_ATOMIC, first_size}}},
    {"REDUCE", "n=%00,width=4,each=%", {30, 5}, {{"A", OP_LOAD, once}}},
    {"REDUCE", "n=%,block=3,alone=1", {3000}, {{"result", OP_STORE, once}}},
    {"TRANSPOSE",
     "width=%,height=%,tile=1",
     {150, 90},
     {{"in", OP_LOAD, once}, {"out", OP_STORE, once}}},
    {"TRANSPOSE",
     "width=%,height=%,tile=2,bytes=8,pad=1,block_x=%,block_y=12",
     {150, 90, 40},
     {{"in", OP_LOAD, once}, {"out", OP_STORE, once}}},
    {"TRANSPOSE",
     "width=%,height=%,tiles=%,block_y=16",
     {150, 90, 5},
     {{"in", OP_LOAD, once}, {"out", OP_STORE, once}}},
    {"MATMUL-TILED",
     "n=%",
     {100},
     {{"A", OP_LOAD, tiles_of_32}, {"B", OP_LOAD, tiles_of_32}, {"C", OP_STORE, once}}},
    {"MATMUL-TILED",
     "n=%,tile=16",
     {70},
     {{"A", OP_LOAD, tiles_of_16}, {"B", OP_LOAD, tiles_of_16}, {"C", OP_STORE, once}}},
    {"MATMUL",
     "ni=%,nj=%,nk=%",
     {40, 50, 30},
     {{"A", OP_LOAD, second_size}, {"B", OP_LOAD, first_size}, {"C", OP_STORE, once}}},
    {"MRI-Q",
     "voxels=%,samples=%",
     {900, 3000},
     {{"phi_real", OP_LOAD, once},
      {"magnitude", OP_STORE, once},
      {"x", OP_LOAD, chunks_of_1024},
      {"q_imaginary", OP_STORE, chunks_of_1024}}},
    {"SUMS", "rows=%,columns=%", {300, 50}, {{"A", OP_LOAD, once}, {"sums", OP_STORE, once}}},
    {"SUMS",
     "rows=%,columns=%,down=1",
     {50, 300},
     {{"A", OP_LOAD, once}, {"sums", OP_STORE, once}}},
    {"VECTORS", "n=%", {3000}, {{"A", OP_LOAD, once}, {"B", OP_LOAD, once}, {"C", OP_STORE, once}}},
    {"VECTORS",
     "n=%,grid=%,block_x=64",
     {3000, 9},
     {{"A", OP_LOAD, once}, {"B", OP_LOAD, once}, {"C", OP_STORE, once}}},
    {"MATADD",
     "n=%,block_x=%",
     {90, 32},
     {{"A", OP_LOAD, once}, {"B", OP_LOAD, once}, {"C", OP_STORE, once}}},
    {"HISTOGRAM", "n=%", {3000}, {{"data", OP_LOAD, once}}},
    {"GATHER",
     "n=%,span=%,block_x=%",
     {3000, 500, 300},
     {{"index", OP_LOAD, once}, {"B", OP_STORE, once}}},
    {"ATOMICS", "n=%,float=1,each=1", {3000}, {{"counters", OP_ATOMIC, first_size}}},
    {"STENCIL", "nx=%,ny=%,nz=%,steps=1", {90, 20, 6}, {{0}}},
    {"HOTSPOT", "n=%", {90}, {{0}}},
    {"PATHFINDER", "columns=%,rows=%", {900, 50}, {{0}}},
    {"LBM", "nx=%,ny=%,nz=%", {60, 9, 6}, {{0}}},
    {"FILTER", "n=9%,size=%", {9, 9}, {{0}}},
    {"AES", "bytes=%", {5000}, {{0}}},
    {"STO", "threads=%", {900}, {{0}}},
    {"GEMM", "ni=%,nj=%,nk=%", {30, 50, 20}, {{"C", OP_LOAD, once}}},
    {"2DCONV", "ni=%,nj=%", {50, 70}, {{0}}},
};

/* What the accesses of one kind do to the words of one array. */
struct tally {
    const struct trace_array *array;
    enum memory_op op;
    uint32_t *words;
};

static const struct trace_array *array_at(const struct program *program, uint64_t address,
                                          uint64_t bytes)
{
    for (uint32_t a = 0; a < program->array_count; a++)
        if (address >= program->arrays[a].base &&
            address + bytes <= program->arrays[a].base + program->arrays[a].bytes)
            return &program->arrays[a];
    return NULL;
}

static void tally_record(const struct program *program, const struct warp_access *access,
                         const uint64_t *addresses, struct tally tallies[ARRAYS_COUNTED])
{
    const int lanes = __builtin_popcount(access->mask);
    for (int lane = 0; access->space == SPACE_GLOBAL && lane < lanes; lane++) {
        const struct trace_array *array = array_at(program, addresses[lane], access->bytes);
        if (!array)
            fail_msg("%s: 0x%llx is in no array", program->source.name,
                     (unsigned long long)addresses[lane]);
        for (int i = 0; i < ARRAYS_COUNTED; i++)
            if (tallies[i].array == array && tallies[i].op == (enum memory_op)access->op)
                for (uint32_t at = 0; at < access->bytes; at += 4)
                    tallies[i].words[(addresses[lane] - array->base + at) / 4]++;
    }
}

static void tally_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                        struct tally tallies[ARRAYS_COUNTED])
{
    struct block_reader *reader;
    struct access_window window;
    assert_int_equal(window_init(&window, 64), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    for (uint32_t warp = 0; warp < launch_warps(&source->launches[launch]); warp++)
        do {
            assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
            for (uint32_t r = 0; r < window.count; r++) {
                uint64_t addresses[WARP_SIZE];
                access_addresses(&window.items[r], &window, addresses);
                tally_record((const struct program *)source, &window.items[r], addresses, tallies);
            }
        } while (!window.end);
    source->ops->close_block(reader);
    window_free(&window);
}

static void write_sizes(const char *parameters, const int sizes[SIZES], char *text, size_t most)
{
    size_t used = 0;
    for (const char *at = parameters; *at && used < most; at++)
        used += (size_t)(*at == '%' ? snprintf(text + used, most - used, "%d", *sizes++)
                                    : snprintf(text + used, most - used, "%c", *at));
    assert_true(used < most);
}

static void check_row(const struct program_row *row, const int sizes[SIZES])
{
    char text[200];
    write_sizes(row->parameters, sizes, text, sizeof text);
    struct trace_source *source = open_program(row->name, text);
    struct tally tallies[ARRAYS_COUNTED] = {{0}};
    for (int i = 0; i < ARRAYS_COUNTED && row->arrays[i].name; i++) {
        tallies[i].array = program_find_array(source, row->arrays[i].name);
        assert_non_null(tallies[i].array);
        tallies[i].op = row->arrays[i].op;
        tallies[i].words = calloc(tallies[i].array->bytes / 4, sizeof *tallies[i].words);
        assert_non_null(tallies[i].words);
    }
    for (uint32_t launch = 0; launch < source->launch_count; launch++)
        for (uint64_t block = 0; block < launch_blocks(&source->launches[launch]); block++)
            tally_block(source, launch, block, tallies);
    for (int i = 0; i < ARRAYS_COUNTED && row->arrays[i].name; i++) {
        const uint64_t expected = row->arrays[i].times(sizes);
        for (uint64_t w = 0; w < tallies[i].array->bytes / 4; w++)
            if (tallies[i].words[w] != expected)
                fail_msg("%s:%s touches %s[%llu] %u times, expected %llu", row->name, text,
                         row->arrays[i].name, (unsigned long long)w, tallies[i].words[w],
                         (unsigned long long)expected);
        free(tallies[i].words);
    }
    trace_source_free(source);
}

static void every_word_is_touched_as_often_as_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t round = 0; round < ROUNDS; round++) {
            int sizes[SIZES];
            for (uint64_t s = 0; s < SIZES; s++)
                sizes[s] = 2 + (int)random_below(random_at(i, SIZES * round + s),
                                                 (uint64_t)(rows[i].most[s] ? rows[i].most[s] : 1));
            check_row(&rows[i], sizes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_touched_as_often_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
