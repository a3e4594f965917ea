/* The instructions of every generated program agree with its records.
 *
 * Whatever the program: instructions between two records are as many as the gap says, masks and pcs
 * agree, every thread exits once and issues nothing afterwards, and all warps of a block pass the
 * same barriers. Both cursors of a warp are read in turns through windows of random sizes. A
 * program without small sizes in the list below fails the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "support/program_trial.h"
#include "workload/cuda/cuda_programs.h"

enum { BLOCKS_TESTED = 6, WINDOW_MAX = 40 };

static const struct {
    const char *name, *parameters;
} sizes[] = {
    {"2DCONV", "ni=21,nj=70"},
    {"2DCONV", "n=33,block_x=20,block_y=3"},
    {"3DCONV", "ni=4,nj=11,nk=37,block_x=16,block_y=4"},
    {"2DCONV", "ni=21,nj=70,ptx=1"},
    {"3DCONV", "ni=4,nj=11,nk=37,ptx=1"},
    {"GEMM", "ni=19,nj=41,nk=23"},
    {"GEMM", "ni=5,nj=7,nk=3,block_x=5,block_y=3,spread=3"},
    {"2MM", "ni=9,nj=35,nk=17,nl=40,block_x=16,block_y=16"},
    {"3MM", "ni=9,nj=35,nk=17,nl=40,nm=5"},
    {"GRAMSCHMIDT", "ni=10,nj=7,block_x=32"},
    {"ATAX", "nx=70,ny=45,block_x=48"},
    {"BICG", "nx=70,ny=45"},
    {"MVT", "n=67"},
    {"CORR", "variables=50,observations=30,block_x=64"},
    {"CORR", "variables=11,observations=5,block_x=33,reduce_x=7"},
    {"COVAR", "variables=40,observations=20,block_x=64"},
    {"GESUMMV", "n=67,block_x=48"},
    {"SYRK", "ni=37,nj=21,block_x=16,block_y=4"},
    {"SYR2K", "ni=37,nj=21"},
    {"FDTD-2D", "nx=19,ny=41,steps=2,block_x=16,block_y=8"},
    {"FDTD-2D", "n=40,steps=1"},
    {"BFS", "nodes=700,block_x=100"},
    {"BFS", "nodes=3000,degree=2,seed=7"},
    {"BACKPROP", "n=80"},
    {"HOTSPOT", "n=61,pyramid=3,steps=7"},
    {"HOTSPOT", "n=12,pyramid=2,steps=2"},
    {"PATHFINDER", "columns=1000,rows=52,pyramid=20"},
    {"PATHFINDER", "columns=33,rows=5,pyramid=3"},
    {"B+TREE", "keys=5000,ranges=7,range=300,points=9"},
    {"DWT2D", "width=100,height=90,levels=2"},
    {"DWT2D", "width=1000,height=40,levels=1"},
    {"STREAMCLUSTER", "points=600,dimensions=20,calls=3"},
    {"BFS-ISPASS", "nodes=700,block_x=100"},
    {"AES", "bytes=3000"},
    {"STO", "threads=300"},
    {"RAY", "width=60,height=33"},
    {"MUM", "length=3000,queries=300,errors=30"},
    {"CUTCP", "length=16,cutoff=5"},
    {"HISTO", "width=100,height=32,bins_y=256,spread=20"},
    {"HISTO", "width=200,height=16,bins_y=1024,spread=400,iterations=2"},
    {"LBM", "nx=37,ny=6,nz=5,steps=2"},
    {"LBM", "nx=37,ny=6,nz=5,layout=1"},
    {"MRI-Q", "voxels=512,samples=1030"},
    {"MRI-Q", "voxels=300,samples=1031"},
    {"SGEMM", "m=256,n=48,k=40"},
    {"SPMV", "rows=300,degree=5,band=30"},
    {"STENCIL", "nx=70,ny=11,nz=6,steps=2"},
    {"STENCIL", "nx=1,ny=2,nz=2,steps=1"},
    {"SUMS", "rows=70,columns=41"},
    {"SUMS", "rows=70,columns=41,pitch=60"},
    {"SUMS", "rows=70,columns=41,down=1,block_x=48"},
    {"VECTORS", "n=1000"},
    {"VECTORS", "n=1000,grid=3"},
    {"VECTORS", "n=960,grid=3,block_x=64,loop=3"},
    {"MATADD", "n=37,down=1"},
    {"TRANSPOSE", "width=37,height=21"},
    {"TRANSPOSE", "width=150,height=20,tiles=4,block_y=16,load_down=1"},
    {"TRANSPOSE", "n=64,tile=1,bytes=8,block_y=16"},
    {"TRANSPOSE", "width=29,height=75,tile=2,block_x=15"},
    {"REDUCE", "n=4096,vectors=2,each=2"},
    {"REDUCE", "n=1024,block=3,alone=1"},
    {"REDUCE", "n=6144,grid=3,atomic=1,order=1,block=2"},
    {"REDUCE", "n=512,block=0,atomic=1"},
    {"REDUCE", "n=1000,each=3,block_x=64"},
    {"REDUCE", "n=1000,block=3,alone=1"},
    {"REDUCE", "n=1000,block=0,each=3,order=2,block_x=100"},
    {"MATMUL", "ni=41,nj=19,nk=9,order=1,update=1"},
    {"MATMUL", "ni=70,nj=41,nk=3,order=2"},
    {"MATMUL", "ni=41,nj=19,nk=9,bytes=8"},
    {"MATMUL-TILED", "n=48,tile=16"},
    {"MATMUL-TILED", "n=50"},
    {"MATMUL-TILED", "n=50,tile=12"},
    {"FILTER", "n=37,size=5"},
    {"HISTOGRAM", "n=1000,values=50"},
    {"GATHER", "n=1000,span=300"},
    {"ATOMICS", "n=1000,each=3"},
    {"ATOMICS", "n=100,each=2,words=7,float=1"},
    {"CHASE", "bytes=1000,steps=19"},
    {"CHASE", "bytes=12800,steps=19,order=1"},
    {"STRIDES", "loads=24,stride=3"},
    {"STRIDES", "loads=16,stride=33,bytes=8,block_x=100"},
    {"PAGES", "pages=50,loads=3,blocks=2"},
    {"DCT", "width=40,height=24"},
    {"FWT", "log2_n=12"},
    {"FWT", "log2_n=13"},
    {"HISTOGRAM64", "bytes=40000"},
    {"MERGESORT", "n=8192"},
    {"QUASIRANDOM", "n=20000"},
    {"SRAD", "rows=48,columns=32,steps=1"},
    {"LAYERNORM", "rows=5,columns=300"},
    {"LAYERNORM", "rows=9,columns=31,block_x=64"},
    {"RESIDUAL", "n=1000"},
    {"RESIDUAL", "n=1000,width=1,in_place=1"},
    {"MATMUL-TILED", "ni=21,nj=35,nk=18,tile=16,batch=2"},
    {"READS", "bytes=12288,rounds=2,blocks=3,block_x=64,block_y=2"},
    {"LANES", "stride=3,offset=5,loads=19,warps=2"},
    {"MB1", "lines=9,again=3,extra=4096"},
    {"MB2", ""},
    {"simt-sort", "n=32,warps=3"},
    {"simt-maximum", "n=100,blocks=2"},
    {"simt-matmul", "warps=4,lanes=4"},
    {"simt-convolution", "n=6"},
    {"simt-loop", "n=9"},
    {"simt-solve", "n=5,warps=2"},
    {"simt-line", "n=20"},
    {"simt-vertex", "n=20,lanes=5"},
    {"simt-fft", "n=16"},
};

/* Everything that one warp says about itself. */
struct warp_story {
    struct warp_access *records;
    struct warp_instruction *issued;
    size_t record_count, record_capacity, issued_count, issued_capacity;
    uint32_t tail;
    bool records_end, issued_end;
};

static void read_records(const struct trace_source *source, struct block_reader *reader,
                         uint32_t warp, uint32_t capacity, struct warp_story *story)
{
    struct access_window window;
    assert_int_equal(window_init(&window, capacity), STATUS_OK);
    assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
    size_t count = story->record_count + window.count;
    assert_int_equal(array_reserve(&story->records, &story->record_capacity, count + 1), STATUS_OK);
    memcpy(story->records + story->record_count, window.items, window.count * sizeof *window.items);
    story->record_count = count;
    story->records_end = window.end;
    story->tail = window.tail;
    window_free(&window);
}

static void read_issued(const struct trace_source *source, struct block_reader *reader,
                        uint32_t warp, uint32_t capacity, struct warp_story *story)
{
    struct instruction_window window;
    assert_int_equal(instruction_window_init(&window, capacity), STATUS_OK);
    assert_int_equal(source->ops->read_instructions(reader, warp, &window, NULL), STATUS_OK);
    assert_true(window.count <= capacity && (window.count || window.end));
    size_t count = story->issued_count + window.count;
    assert_int_equal(array_reserve(&story->issued, &story->issued_capacity, count + 1), STATUS_OK);
    memcpy(story->issued + story->issued_count, window.items, window.count * sizeof *window.items);
    story->issued_count = count;
    story->issued_end = window.end;
    instruction_window_free(&window);
}

static uint8_t flag_of(enum memory_op op)
{
    return op == OP_LOAD     ? INSTRUCTION_LOAD
           : op == OP_STORE  ? INSTRUCTION_STORE
           : op == OP_ATOMIC ? INSTRUCTION_ATOMIC
                             : 0;
}

static void check_record(const struct instruction *row, const struct warp_instruction *issued,
                         const struct warp_access *record, uint32_t gap)
{
    assert_int_equal(record->gap, gap);
    assert_int_equal(record->mask, issued->mask);
    assert_int_equal(record->pc, row->pc);
    assert_true(row->class == CLASS_MEMORY || row->class == CLASS_TEXTURE);
    assert_true(row->flags & flag_of(record->op));
    assert_int_equal(row->action, ACTION_NONE);
    assert_int_equal(issued->banks, 0);
}

/* Checks a warp of these threads; returns how many barriers it passes. */
static uint32_t check_story(const struct trace_code *code, const struct warp_story *story,
                            uint32_t lanes)
{
    uint32_t gap = 0, barriers = 0, exited = 0;
    size_t record = 0;
    for (size_t i = 0; i < story->issued_count; i++) {
        const struct warp_instruction *issued = &story->issued[i];
        assert_true(issued->code < code->count);
        const struct instruction *row = &code->items[issued->code];
        assert_int_equal(issued->mask & ~(lanes & ~exited), 0);
        assert_int_equal(issued->banks > 0, (row->flags & INSTRUCTION_SHARED) != 0);
        barriers += row->action == ACTION_BARRIER;
        exited |= row->action == ACTION_EXIT ? issued->mask : 0;
        gap++;
        if (!(issued->flags & ISSUE_RECORD)) {
            assert_true(row->class != CLASS_MEMORY || row->flags & INSTRUCTION_SHARED);
            continue;
        }
        assert_true(record < story->record_count);
        check_record(row, issued, &story->records[record++], gap - 1);
        gap = 0;
    }
    assert_int_equal(record, story->record_count);
    assert_int_equal(gap, story->tail);
    assert_int_equal(exited, lanes);
    return barriers;
}

static uint32_t check_warp(const struct trace_source *source, const struct trace_code *code,
                           struct block_reader *reader, uint32_t warp, uint32_t lanes,
                           uint64_t *seed)
{
    struct warp_story story = {0};
    while (!story.records_end || !story.issued_end) {
        uint64_t draw = random_at(*seed, 1);
        uint32_t capacity = 1 + (uint32_t)random_below(random_at(*seed, 2), WINDOW_MAX);
        (*seed)++;
        if (draw % 2)
            read_records(source, reader, warp, capacity, &story);
        else
            read_issued(source, reader, warp, capacity, &story);
    }
    uint32_t barriers = check_story(code, &story, lanes);
    free(story.records);
    free(story.issued);
    return barriers;
}

static void check_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                        uint32_t present, uint64_t *seed)
{
    struct block_reader *reader;
    const struct trace_launch *shape = &source->launches[launch];
    const struct trace_code *code = trace_launch_code(source, launch);
    assert_non_null(code);
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    uint32_t barriers = 0;
    for (uint32_t warp = 0; warp < launch_warps(shape); warp++) {
        uint32_t threads = launch_threads(shape) - warp * WARP_SIZE;
        uint32_t lanes = lanes_below(0, threads) & present;
        uint32_t passed = check_warp(source, code, reader, warp, lanes, seed);
        barriers = warp ? barriers : passed;
        assert_int_equal(passed, barriers);
    }
    source->ops->close_block(reader);
}

static void check_code(const struct trace_code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *row = &code->items[i];
        assert_true(row->class < CLASS_COUNT && row->action <= ACTION_WAIT);
        assert_true(row->written + row->read <= INSTRUCTION_OPERANDS);
        for (int r = 0; r < row->written + row->read; r++)
            assert_true(row->registers[r] < REGISTER_COUNT);
        /* Rows of one pc are what it does in different places. */
        for (uint32_t k = 0; k < i; k++)
            assert_true(code->items[k].pc != row->pc || code->items[k].action != row->action ||
                        code->items[k].flags != row->flags);
    }
}

/* All blocks of a small source, some of every launch of a larger one. */
static void check_source(const struct trace_source *source, uint32_t present, uint64_t seed)
{
    assert_true(trace_source_timed(source));
    assert_int_equal(strlen(source->code_digest), 32);
    for (uint32_t i = 0; i < source->code_count; i++)
        check_code(&source->codes[i]);
    for (uint32_t launch = 0; launch < source->launch_count; launch++) {
        uint64_t blocks = launch_blocks(&source->launches[launch]);
        for (uint64_t i = 0; i < blocks && i < BLOCKS_TESTED; i++) {
            uint64_t block = i;
            if (blocks > BLOCKS_TESTED)
                block = random_below(random_at(seed, launch * BLOCKS_TESTED + i), blocks);
            check_block(source, launch, block, present, &seed);
        }
    }
}

/* The lanes that a program's warps have: those of the SIMT processor are 8 or as many as it says.
 */
static uint32_t lanes_present(const char *name, const char *parameters)
{
    const char *lanes = strstr(parameters, "lanes=");
    if (strncmp(name, "simt-", 5) != 0)
        return UINT32_MAX;
    return lanes_below(0, lanes ? (uint32_t)atoi(lanes + strlen("lanes=")) : 8);
}

static void test_every_program_agrees_with_its_records(void **state)
{
    (void)state;
    for (size_t w = 0; workloads[w]; w++) {
        bool tested = !strncmp(workloads[w]->name, "raster-", 7); /* a scene has no instructions */
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (strcmp(sizes[i].name, workloads[w]->name))
                continue;
            struct trace_source *source = open_program(sizes[i].name, sizes[i].parameters);
            check_source(source, lanes_present(sizes[i].name, sizes[i].parameters), i);
            trace_source_free(source);
            tested = true;
        }
        if (!tested)
            fail_msg("%s needs a small size in this test", workloads[w]->name);
    }
}

enum { ROW_TEXT = 64 };

/* "int 6: 7 8" and the like: what it is, the written register, the read ones. */
static void describe_row(const struct instruction *row, char text[ROW_TEXT])
{
    const char *kind = row->action == ACTION_EXIT        ? "exit"
                       : row->action == ACTION_BARRIER   ? "barrier"
                       : row->flags & INSTRUCTION_LOAD   ? "load"
                       : row->flags & INSTRUCTION_STORE  ? "store"
                       : row->flags & INSTRUCTION_ATOMIC ? "atomic"
                       : row->class == CLASS_BRANCH      ? "branch"
                       : row->class == CLASS_SINGLE      ? "single"
                       : row->class == CLASS_SPECIAL     ? "special"
                                                         : "int";
    bool shared = row->flags & INSTRUCTION_SHARED;
    int length = snprintf(text, ROW_TEXT, "%s%s ", shared ? "shared " : "", kind);
    for (int r = 0; r < row->written + row->read; r++)
        length += snprintf(text + length, ROW_TEXT - (size_t)length, "%s%u%s",
                           r >= row->written ? " " : "", row->registers[r],
                           r + 1 == row->written ? ":" : "");
}

static void check_rows(const char *name, const char *text, const char *const *expected,
                       uint32_t count)
{
    struct trace_source *source = open_program(name, text);
    const struct trace_code *code = trace_launch_code(source, 0);
    assert_int_equal(code->count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct instruction *row = &code->items[i];
        char row_text[ROW_TEXT];
        describe_row(row, row_text);
        assert_string_equal(row_text, expected[i]);
        assert_int_equal(row->pc, 8 * i);
    }
    trace_source_free(source);
}

/* The whole code of GEMM by hand: class, written register, read registers. */
static void test_gemm_has_exactly_these_rows(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "int 3:",      "int 4:",      "int 5:",      "int 0: 3 4 5", /* column */
        "int 3:",      "int 4:",      "int 5:",      "int 1: 3 4 5", /* row */
        "int 2: 0",    "int 2: 1 2",  "int 2: 0 2",  "branch  2",    /* guard */
        "int 16: 0 1", "int 16: 16",  "int 16: 16",  "int 16: 16",   /* &C */
        "load 8: 16",  "single 8: 8", "store  16 8",                 /* C *= beta */
        "int 17: 1",   "int 18: 0",   "int 17: 17",  "int 18: 18",
        "int 6:", /* &A, &B, counter */
        "load 9: 17",  "single 9: 9", "load 10: 18", "single 8: 9 10 8",
        "store  16 8", "int 17: 17",  "int 18: 18",  "int 6: 6",
        "int 2: 6",    "branch  2",   "exit "};
    check_rows("GEMM", "n=32,unroll=1", expected, sizeof expected / sizeof *expected);
}

/* The sums of columns, whose loop stores nothing: three loads into registers of their own, then
 * their additions; then the step that is left. */
static void test_unrolled_loads_stand_before_their_uses(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "int 3:",        "int 4:",      "int 5:",        "int 0: 3 4 5",   "int 2: 0",
        "int 2: 0 2",    "int 2: 0 2",  "branch  2",     "int 8:", /* the sum */
        "int 16: 0",     "int 16: 16",  "int 16: 16",    "int 6:",         "load 9: 16",
        "load 10: 16",   "load 11: 16", "single 8: 8 9", "single 8: 8 10", "single 8: 8 11",
        "int 16: 16",    "int 6: 6",    "int 2: 6",      "branch  2",      "load 9: 16",
        "single 8: 8 9", "int 16: 16",  "int 6: 6",      "int 2: 6",       "branch  2",
        "int 17: 0",     "int 17: 17",  "store  17 8",   "exit "};
    check_rows("SUMS", "rows=4,columns=64,down=1,unroll=3", expected,
               sizeof expected / sizeof *expected);
}

/* A warp whose threads the guard sends away runs the prologue and returns. */
static void test_the_guard_leads_to_the_exit(void **state)
{
    (void)state;
    struct trace_source *source = open_program("GEMM", "ni=4,nj=40,nk=2,block_x=64,block_y=1");
    struct block_reader *reader;
    struct instruction_window window;
    assert_int_equal(instruction_window_init(&window, 100), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read_instructions(reader, 1, &window, NULL), STATUS_OK);
    assert_true(window.end);
    assert_int_equal(window.count, 24 + 2 * 10 + 1);
    assert_int_equal(window.items[11].mask, UINT32_MAX);
    assert_int_equal(window.items[12].mask, 0xff);
    assert_int_equal(window.items[44].mask, UINT32_MAX);
    source->ops->close_block(reader);
    trace_source_free(source);
    source = open_program("GEMM", "ni=4,nj=32,nk=2,block_x=64,block_y=1");
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read_instructions(reader, 1, &window, NULL), STATUS_OK);
    assert_true(window.end);
    assert_int_equal(window.count, 12 + 1);
    assert_int_equal(source->ops->read_instructions(reader, 1, &window, NULL), STATUS_OK);
    assert_true(window.end && !window.count);
    assert_int_equal(source->ops->read_instructions(reader, 2, &window, NULL), STATUS_NOT_FOUND);
    source->ops->close_block(reader);
    instruction_window_free(&window);
    trace_source_free(source);
}

/* Two loads in a group, work of all kinds after them, a store, a barrier that the stage owes. */
static void test_sites_follow_their_rules(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "int 3:",
        "int 4:",
        "int 5:",
        "int 6: 3 4 5",
        "int 7: 6", /* prologue */
        "load 22: 6 7",
        "int 6: 6",
        "load 23: 6 7", /* an address between waits for no load */
        "shared load 14: 6",
        "shared load 15: 6",
        "single 10: 22 23", /* both loads, */
        "single 10: 10 14",
        "single 11: 11 15",
        "single 10: 10", /* then shared memory */
        "special 11: 11",
        "int 6: 6",
        "branch  6 7",
        "store  6 7 10 11 14",
        "barrier ",
        "int 6: 6",
        "load 25: 6 7",
        "shared store  6 10 14 25",
        "exit "};
    const struct site_kernel kernel = {.sites = "LL S L", .prologue = 5};
    struct site_code code;
    struct trace_code rows;
    struct issuer issuer = {0};
    struct instruction_window window;
    assert_int_equal(site_code_build(&code, &kernel, 0x1000, &rows), STATUS_OK);
    assert_int_equal(instruction_window_init(&window, 100), STATUS_OK);
    check_code(&rows);
    issuer_add(&issuer, ISSUE_PROLOGUE, 1);
    issuer_add_access(&issuer, 0, 1);
    issuer_add_work(&issuer, 1, &(struct work){.addresses = 1}, 1);
    issuer_add_access(&issuer, 1, 1);
    issuer_add_work(&issuer, 1, &(struct work){.loads = 2, .singles = 4, .specials = 1}, 1);
    issuer_add_work(&issuer, 1, &(struct work){.integers = 1, .branches = 1}, 1);
    issuer_add_access(&issuer, 2, 1);
    issuer_make_barrier(&issuer, 3);
    issuer_add_work(&issuer, 2, &(struct work){.integers = 1}, 1);
    issuer_add_access(&issuer, 3, 1);
    issuer_add_work(&issuer, 1, &(struct work){.stores = 1, .banks = 5}, 1);
    issuer_add(&issuer, ISSUE_EXIT, 3);
    issuer_issue(&issuer, &code, &window);
    assert_true(issuer_is_empty(&issuer));
    assert_int_equal(window.count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < window.count; i++) {
        char text[ROW_TEXT];
        describe_row(&rows.items[window.items[i].code], text);
        assert_string_equal(text, expected[i]);
    }
    assert_int_equal(window.items[8].banks, 1);
    assert_int_equal(window.items[18].mask, 3);
    assert_int_equal(window.items[21].banks, 5);
    assert_int_equal(rows.items[window.items[20].code].pc, 0x1000 + 3 * SITE_BYTES);
    issuer_free(&issuer);
    instruction_window_free(&window);
    free(rows.items);
}

/* The barrier is one of the instructions that are counted. */
static void test_a_barrier_takes_the_place_of_work(void **state)
{
    (void)state;
    const struct work work = {.integers = 1, .stores = 1};
    struct issuer issuer = {0};
    issuer_add_work(&issuer, 3, &work, 1);
    issuer_make_barrier(&issuer, 1);
    assert_int_equal(issuer.count, 3);
    assert_int_equal(issuer.steps[0].times, 2);
    assert_int_equal(issuer.steps[1].work.integers, 0);
    assert_int_equal(issuer.steps[1].work.stores, 1);
    assert_int_equal(issuer.steps[2].kind, ISSUE_BARRIER);
    issuer_free(&issuer);
}

static void test_banks_are_those_of_distinct_words(void **state)
{
    (void)state;
    uint32_t words[WARP_SIZE] = {0};
    assert_int_equal(shared_banks(0, words), 0);
    assert_int_equal(shared_banks(UINT32_MAX, words), 1);
    for (uint32_t stride = 1; stride <= WARP_SIZE; stride *= 2) {
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            words[lane] = lane * stride;
        assert_int_equal(shared_banks(UINT32_MAX, words), stride);
        assert_int_equal(shared_banks(0xffff, words), stride < 2 ? 1 : stride / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_program_agrees_with_its_records),
        cmocka_unit_test(test_gemm_has_exactly_these_rows),
        cmocka_unit_test(test_unrolled_loads_stand_before_their_uses),
        cmocka_unit_test(test_the_guard_leads_to_the_exit),
        cmocka_unit_test(test_sites_follow_their_rules),
        cmocka_unit_test(test_a_barrier_takes_the_place_of_work),
        cmocka_unit_test(test_banks_are_those_of_distinct_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
