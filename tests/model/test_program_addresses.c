/* Every generated program against a slow twin: the kernel as one thread runs it, written straight
 * from the source of the suite in PTX order. For odd sizes and odd block shapes each thread must
 * make exactly the twin's accesses, in the twin's order. */
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
#include "support/thread_twin.h"
#include "workload/cuda/bfs.h"

enum { TRIALS = 60, SIZE_MAX_TESTED = 37 };

static void run_conv2d(struct thread *t)
{
    int64_t i = t->y, j = t->x, nj = t->n.j;
    if (i < 1 || i >= t->n.i - 1 || j < 1 || j >= nj - 1)
        return;
    load(t, "A", (i - 1) * nj + j); /* the machine code's order of the first two */
    load(t, "A", (i - 1) * nj + j - 1);
    load(t, "A", (i - 1) * nj + j + 1);
    for (int64_t di = 0; di <= 1; di++)
        for (int64_t dj = -1; dj <= 1; dj++)
            load(t, "A", (i + di) * nj + j + dj);
    store(t, "B", i * nj + j);
}

static void run_conv3d(struct thread *t)
{
    static const int points[11][3] = {{1, -1, -1}, {-1, -1, -1}, {0, -1, 0}, {0, 1, 0},
                                      {0, 0, 0},   {-1, -1, 1},  {1, -1, 1}, {-1, 0, 1},
                                      {1, 0, 1},   {-1, 1, 1},   {1, 1, 1}};
    int64_t i = t->launch + 1, j = t->y, k = t->x;
    if (j < 1 || j >= t->n.j - 1 || k < 1 || k >= t->n.k - 1)
        return;
    for (int p = 0; p < 11; p++)
        load(t, "A", ((i + points[p][0]) * t->n.j + j + points[p][1]) * t->n.k + k + points[p][2]);
    store(t, "B", (i * t->n.j + j) * t->n.k + k);
}

static void run_gemm(struct thread *t)
{
    int64_t i = t->y, j = t->x;
    if (i >= t->n.i || j >= t->n.j)
        return;
    load(t, "C", i * t->n.j + j);
    store(t, "C", i * t->n.j + j);
    for (int64_t k = 0; k < t->n.k; k++) {
        load(t, "A", i * t->n.k + k);
        load(t, "B", k * t->n.j + j);
        store(t, "C", i * t->n.j + j);
    }
}

/* out (rows x columns) += left (rows x inner) right (inner x columns). */
static void run_product(struct thread *t, const char *left, const char *right, const char *out,
                        int64_t rows, int64_t inner, int64_t columns)
{
    int64_t i = t->y, j = t->x;
    if (i >= rows || j >= columns)
        return;
    load(t, out, i * columns + j);
    for (int64_t k = 0; k < inner; k++) {
        load(t, right, k * columns + j);
        load(t, left, i * inner + k);
        store(t, out, i * columns + j);
    }
}

static void run_mm2(struct thread *t)
{
    if (t->launch == 0)
        run_product(t, "A", "B", "C", t->n.i, t->n.k, t->n.j);
    else
        run_product(t, "C", "D", "E", t->n.i, t->n.j, t->n.l);
}

static void run_mm3(struct thread *t)
{
    if (t->launch == 0)
        run_product(t, "A", "B", "E", t->n.i, t->n.k, t->n.j);
    else if (t->launch == 1)
        run_product(t, "C", "D", "F", t->n.j, t->n.m, t->n.l);
    else
        run_product(t, "E", "F", "G", t->n.i, t->n.j, t->n.l);
}

static void run_gramschmidt(struct thread *t)
{
    int64_t k = t->launch / 3, ni = t->n.i, nj = t->n.j;
    if (t->launch % 3 == 0 && t->x == 0) {
        for (int64_t i = 0; i < ni; i++)
            load(t, "A", i * nj + k);
        store(t, "R", k * nj + k);
    } else if (t->launch % 3 == 1 && t->x < ni) {
        load(t, "R", k * nj + k);
        load(t, "A", t->x * nj + k);
        store(t, "Q", t->x * nj + k);
    } else if (t->launch % 3 == 2 && t->x > k && t->x < nj) {
        store(t, "R", k * nj + t->x);
        for (int64_t i = 0; i < ni; i++) {
            load(t, "A", i * nj + t->x);
            load(t, "Q", i * nj + k);
            store(t, "R", k * nj + t->x);
        }
        for (int64_t i = 0; i < ni; i++) {
            load(t, "R", k * nj + t->x);
            load(t, "Q", i * nj + k);
            load(t, "A", i * nj + t->x);
            store(t, "A", i * nj + t->x);
        }
    }
}

static void run_rows(struct thread *t, const char *a, const char *in, const char *out, bool cleared)
{
    if (t->x >= t->n.i)
        return;
    touch(t, cleared ? OP_STORE : OP_LOAD, out, t->x);
    for (int64_t j = 0; j < t->n.j; j++) {
        load(t, in, j);
        load(t, a, t->x * t->n.j + j);
        store(t, out, t->x);
    }
}

static void run_columns(struct thread *t, const char *a, const char *in, const char *out,
                        bool cleared)
{
    if (t->x >= t->n.j)
        return;
    touch(t, cleared ? OP_STORE : OP_LOAD, out, t->x);
    for (int64_t i = 0; i < t->n.i; i++) {
        load(t, in, i);
        load(t, a, i * t->n.j + t->x);
        store(t, out, t->x);
    }
}

static void run_atax(struct thread *t)
{
    if (t->launch == 0)
        run_rows(t, "A", "x", "tmp", false);
    else
        run_columns(t, "A", "tmp", "y", false);
}

static void run_bicg(struct thread *t)
{
    if (t->launch == 0)
        run_columns(t, "A", "r", "s", true);
    else
        run_rows(t, "A", "p", "q", true);
}

static void run_mvt(struct thread *t)
{
    if (t->launch == 0)
        run_rows(t, "A", "y1", "x1", false);
    else
        run_columns(t, "A", "y2", "x2", false);
}

static void run_column_sum(struct thread *t, const char *out, const char *also)
{
    int64_t j = t->x + 1, row = t->n.j + 1;
    store(t, out, j);
    for (int64_t i = 1; i <= t->n.i; i++) {
        if (also)
            load(t, also, j);
        load(t, "data", i * row + j);
        store(t, out, j);
    }
    store(t, out, j);
}

static void run_corr(struct thread *t)
{
    int64_t j1 = t->x + 1, i = t->y + 1, n = t->n.i, m = t->n.j, row = m + 1;
    if (t->launch < 2 && j1 <= m)
        run_column_sum(t, t->launch ? "stddev" : "mean", t->launch ? "mean" : NULL);
    if (t->launch == 2 && j1 <= m && i <= n) {
        load(t, "data", i * row + j1);
        load(t, "mean", j1);
        store(t, "data", i * row + j1);
        load(t, "stddev", j1);
        store(t, "data", i * row + j1);
    }
    if (t->launch < 3 || j1 >= m)
        return;
    store(t, "symmat", j1 * row + j1);
    for (int64_t j2 = j1 + 1; j2 <= m; j2++) {
        store(t, "symmat", j1 * row + j2);
        for (i = 1; i <= n; i++) {
            load(t, "data", i * row + j2);
            load(t, "data", i * row + j1);
            store(t, "symmat", j1 * row + j2);
        }
        store(t, "symmat", j2 * row + j1);
    }
}

static void run_covar(struct thread *t)
{
    int64_t j1 = t->x + 1, i = t->y + 1, n = t->n.i, m = t->n.j, row = m + 1;
    if (t->launch == 0 && j1 <= m)
        run_column_sum(t, "mean", NULL);
    if (t->launch == 1 && j1 <= m && i <= n) {
        load(t, "data", i * row + j1);
        load(t, "mean", j1);
        store(t, "data", i * row + j1);
    }
    if (t->launch < 2 || j1 > m)
        return;
    for (int64_t j2 = j1; j2 <= m; j2++) {
        store(t, "symmat", j1 * row + j2);
        for (i = 1; i <= n; i++) {
            load(t, "data", i * row + j2);
            load(t, "data", i * row + j1);
            store(t, "symmat", j1 * row + j2);
        }
        store(t, "symmat", j2 * row + j1);
    }
}

static void run_gesummv(struct thread *t)
{
    static const char *const names[2][2] = {{"A", "tmp"}, {"B", "y"}};
    int64_t i = t->x, n = t->n.i;
    if (i >= n)
        return;
    for (int64_t j = 0; j < n; j++)
        for (int product = 0; product < 2; product++) {
            load(t, "x", j);
            load(t, names[product][0], i * n + j);
            load(t, names[product][1], i);
            store(t, names[product][1], i);
        }
    load(t, "tmp", i);
    store(t, "y", i);
}

static void run_syrk(struct thread *t)
{
    int64_t i = t->y, j = t->x, ni = t->n.i, nj = t->n.j;
    if (i >= ni || j >= ni)
        return;
    load(t, "C", i * ni + j);
    store(t, "C", i * ni + j);
    for (int64_t k = 0; k < nj; k++) {
        load(t, "A", i * nj + k);
        load(t, "A", j * nj + k);
        store(t, "C", i * ni + j);
    }
}

static void run_syr2k(struct thread *t)
{
    int64_t i = t->y, j = t->x, ni = t->n.i, nj = t->n.j;
    if (i >= ni || j >= ni)
        return;
    load(t, "C", i * ni + j);
    store(t, "C", i * ni + j);
    for (int64_t k = 0; k < nj; k++) {
        load(t, "B", i * nj + k);
        load(t, "A", j * nj + k);
        load(t, "A", i * nj + k);
        load(t, "B", j * nj + k);
        store(t, "C", i * ni + j);
    }
}

static void run_fdtd2d(struct thread *t)
{
    int64_t i = t->y, j = t->x, nx = t->n.i, ny = t->n.j;
    uint32_t step = t->launch / 3, kernel = t->launch % 3;
    if (i >= nx || j >= ny)
        return;
    if (kernel == 0 && i == 0) {
        load(t, "source", step);
        store(t, "ey", j);
    } else if (kernel == 0 || (kernel == 1 && j > 0)) {
        const char *field = kernel ? "ex" : "ey";
        int64_t at = kernel ? i * (ny + 1) + j : i * ny + j;
        load(t, "hz", kernel ? i * ny + j - 1 : (i - 1) * ny + j);
        load(t, "hz", i * ny + j);
        load(t, field, at);
        store(t, field, at);
    } else if (kernel == 2) {
        load(t, "ex", i * (ny + 1) + j);
        load(t, "ex", i * (ny + 1) + j + 1);
        load(t, "ey", (i + 1) * ny + j);
        load(t, "ey", i * ny + j);
        load(t, "hz", i * ny + j);
        store(t, "hz", i * ny + j);
    }
}

static uint32_t *distances; /* of the nodes from node 0; UINT32_MAX: not reached */

/* By repeated relaxation over all edges: slow, and nothing like a queue. */
static void find_distances(const struct graph *graph)
{
    distances = malloc(graph->nodes * sizeof *distances);
    assert_non_null(distances);
    memset(distances, 0xff, graph->nodes * sizeof *distances);
    distances[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < graph->nodes; v++)
            for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++)
                if (distances[v] != UINT32_MAX && distances[graph->edges[e]] > distances[v] + 1) {
                    distances[graph->edges[e]] = distances[v] + 1;
                    changed = true;
                }
    }
}

static void expand_node(struct thread *t, const struct graph *graph, uint64_t v)
{
    uint32_t level = t->launch / 2;
    touch_bytes(t, OP_STORE, "mask", v, 1);
    touch_bytes(t, OP_LOAD, "nodes", 8 * v + 4, 4);
    touch_bytes(t, OP_LOAD, "nodes", 8 * v, 4);
    for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
        uint64_t to = graph->edges[e];
        load(t, "edges", e);
        touch_bytes(t, OP_LOAD, "visited", to, 1);
        if (distances[to] <= level)
            continue;
        load(t, "cost", (int64_t)v);
        store(t, "cost", (int64_t)to);
        touch_bytes(t, OP_STORE, "updating", to, 1);
        touch_bytes(t, OP_LOAD, "nodes", 8 * v + 4, 4);
        touch_bytes(t, OP_LOAD, "nodes", 8 * v, 4);
    }
}

static void run_bfs(struct thread *t)
{
    const struct graph *graph = bfs_graph(t->source);
    uint64_t v = (uint64_t)t->x;
    uint32_t level = t->launch / 2;
    if (v >= graph->nodes)
        return;
    touch_bytes(t, OP_LOAD, t->launch % 2 ? "updating" : "mask", v, 1);
    if (t->launch % 2 == 0 && distances[v] == level)
        expand_node(t, graph, v);
    if (t->launch % 2 == 1 && distances[v] == level + 1) {
        touch_bytes(t, OP_STORE, "mask", v, 1);
        touch_bytes(t, OP_STORE, "visited", v, 1);
        touch_bytes(t, OP_STORE, "over", 0, 1);
        touch_bytes(t, OP_STORE, "updating", v, 1);
    }
}

static const struct twin {
    const char *name, *sizes; /* names of the sizes i, j, k, l, m */
    bool plane;               /* two-dimensional blocks */
    bool unrolls;             /* has the parameter `unroll` */
    void (*run)(struct thread *t);
} twins[] = {
    {"2DCONV", "ni=%d,nj=%d", true, false, run_conv2d},
    {"3DCONV", "ni=%d,nj=%d,nk=%d", true, false, run_conv3d},
    {"GEMM", "ni=%d,nj=%d,nk=%d", true, true, run_gemm},
    {"2MM", "ni=%d,nj=%d,nk=%d,nl=%d", true, true, run_mm2},
    {"3MM", "ni=%d,nj=%d,nk=%d,nl=%d,nm=%d", true, true, run_mm3},
    {"GRAMSCHMIDT", "ni=%d,nj=%d", false, true, run_gramschmidt},
    {"ATAX", "nx=%d,ny=%d", false, true, run_atax},
    {"BICG", "nx=%d,ny=%d", false, true, run_bicg},
    {"MVT", "n=%d", false, true, run_mvt},
    {"CORR", "observations=%d,variables=%d", false, true, run_corr},
    {"COVAR", "observations=%d,variables=%d", false, true, run_covar},
    {"GESUMMV", "n=%d", false, true, run_gesummv},
    {"SYRK", "ni=%d,nj=%d", true, true, run_syrk},
    {"SYR2K", "ni=%d,nj=%d", true, true, run_syr2k},
    {"FDTD-2D", "steps=2,nx=%d,ny=%d", true, false, run_fdtd2d},
};

/* Sizes 1 and 2 come up often: they are where guards and loops go wrong. */
static int draw_size(uint64_t seed, uint64_t index)
{
    uint64_t bits = random_at(seed, index);
    return 1 + (int)(bits & 1 ? random_below(bits, SIZE_MAX_TESTED) : random_below(bits, 3));
}

static struct trace_source *open_twin(const struct twin *twin, uint64_t trial, struct sizes *n)
{
    static const int shapes[][2] = {{32, 8}, {16, 16}, {7, 3}, {1, 1},  {64, 2},
                                    {33, 1}, {48, 5},  {8, 8}, {1, 40}, {256, 1}};
    uint64_t seed = trial * 1000 + (uint64_t)(twin - twins);
    int s[5];
    for (unsigned i = 0; i < 5; i++)
        s[i] = draw_size(seed, i);
    if (twin->run == run_conv3d && s[0] < 3)
        s[0] += 2;
    if (twin->run == run_mvt)
        s[1] = s[0];
    *n = (struct sizes){s[0], s[1], s[2], s[3], s[4]};
    const int *shape = shapes[trial % (sizeof shapes / sizeof *shapes)];
    char text[200], more[80];
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"")
        snprintf(text, sizeof text, twin->sizes, s[0], s[1], s[2], s[3], s[4]);
    _Pragma("GCC diagnostic pop")
        snprintf(more, sizeof more, twin->plane ? ",block_x=%d,block_y=%d" : ",block_x=%d",
                 shape[0], shape[1]);
    strcat(text, more);
    if (twin->unrolls && trial % 3) { /* as compiled; or other numbers of steps at once */
        snprintf(more, sizeof more, ",unroll=%d", draw_size(seed, 5) % 6 + 1);
        strcat(text, more);
    }
    if (twin->run == run_corr || twin->run == run_covar) {
        snprintf(more, sizeof more, ",reduce_x=%d,reduce_y=%d", shape[1], shape[0]);
        strcat(text, more);
    }
    return open_program(twin->name, text);
}

static void every_thread_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof twins / sizeof *twins; t++)
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct sizes n;
            struct trace_source *source = open_twin(&twins[t], trial, &n);
            check_twin(source, n, twins[t].run);
            trace_source_free(source);
        }
}

static void bfs_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    static const char *const texts[] = {"nodes=3000,degree=6", "nodes=777,degree=2,block_x=50",
                                        "nodes=300,degree=1,seed=4,block_x=32", "nodes=1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct trace_source *source = open_program("BFS", texts[i]);
        find_distances(bfs_graph(source));
        check_twin(source, (struct sizes){0}, run_bfs);
        free(distances);
        trace_source_free(source);
    }
}

/* Gap, gap, ... of one warp and, last, its tail. */
static void check_gaps(const char *name, const char *text, uint32_t launch, uint32_t warp,
                       const uint32_t *expected, uint32_t count)
{
    struct trace_source *source = open_program(name, text);
    struct block_reader *reader;
    struct access_window window;
    assert_int_equal(window_init(&window, WINDOW_RECORDS), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, launch, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
    assert_true(window.end);
    assert_int_equal(window.count, count - 1);
    for (uint32_t i = 0; i < window.count; i++)
        assert_int_equal(window.items[i].gap, expected[i]);
    assert_int_equal(window.tail, expected[count - 1]);
    source->ops->close_block(reader);
    window_free(&window);
    trace_source_free(source);
}

/* Counted by hand in the PTX of the kernels, without ld.param and cvta. */
static void gaps_count_the_instructions_of_the_ptx(void **state)
{
    (void)state;
    static const uint32_t conv2d[] = {19, 0, 0, 0, 2, 0, 0, 0, 0, 9 + 1, 1};
    static const uint32_t conv3d[] = {27, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 15 + 2, 1};
    static const uint32_t gemm[] = {16, 1, 5, 0, 2, 5, 0, 2, 6};
    static const uint32_t gemm_twice[] = {16, 1, 5, 0, 2, 0, 0, 2, 6};
    static const uint32_t product[] = {16, 5, 0, 1, 5, 0, 1, 6};
    static const uint32_t norm[] = {11, 5, 8 + 1, 1};
    static const uint32_t outside[] = {15};
    static const uint32_t row[] = {8, 4, 0, 1, 5, 0, 1, 6}, column[] = {10, 1, 0, 1, 5, 0, 1, 6};
    check_gaps("2DCONV", "n=40", 0, 1, conv2d, 11);
    check_gaps("2DCONV", "n=40", 0, 0, outside, 1);
    check_gaps("3DCONV", "n=40", 0, 1, conv3d, 13);
    check_gaps("GEMM", "n=2", 0, 0, gemm, 9);
    check_gaps("GEMM", "n=2,unroll=2", 0, 0, gemm_twice, 9);
    check_gaps("3MM", "n=2", 1, 1, product, 8);
    check_gaps("GRAMSCHMIDT", "n=2", 0, 0, norm, 4);
    check_gaps("ATAX", "n=2", 0, 0, row, 8);
    check_gaps("BICG", "n=2", 0, 0, column, 8);
    static const uint32_t gesummv[] = {14, 0, 0, 1, 0, 0, 0, 1, 6, 2, 1};
    static const uint32_t syrk[] = {16, 1, 6, 0, 2, 6};
    static const uint32_t syr2k[] = {16, 1, 8, 0, 0, 0, 5, 8};
    static const uint32_t covar[] = {9 + 5 + 5, 4, 0, 1, 5 + 3, 4 + 1};
    static const uint32_t hz[] = {22, 0, 2, 1, 1, 1, 1};
    check_gaps("GESUMMV", "n=1", 0, 0, gesummv, 11);
    check_gaps("SYRK", "n=1", 0, 0, syrk, 6);
    check_gaps("SYR2K", "n=1", 0, 0, syr2k, 8);
    check_gaps("COVAR", "n=1", 2, 0, covar, 6);
    check_gaps("FDTD-2D", "n=2", 2, 0, hz, 7);
}

/* The grid must cover the problem: every element of the result is stored by somebody. */
static void every_element_of_the_result_is_stored(void **state)
{
    (void)state;
    struct trace_source *source = open_program("GEMM", "ni=37,nj=45,nk=1,block_x=16,block_y=3");
    assert_int_equal(source->launches[0].grid[0], 3);
    assert_int_equal(source->launches[0].grid[1], 13);
    static uint64_t hashes[BLOCK_THREADS_MAX];
    unsigned active = 0;
    for (uint64_t block = 0; block < launch_blocks(&source->launches[0]); block++) {
        hash_block(source, 0, block, hashes);
        for (uint32_t i = 0; i < launch_threads(&source->launches[0]); i++)
            active += hashes[i] != 0;
    }
    assert_int_equal(active, 37 * 45);
    trace_source_free(source);
}

/* cudaMalloc of GPGPU-Sim 3.2.2: from the base on, in order, each rounded up to 256 bytes. */
static void arrays_lie_in_malloc_order(void **state)
{
    (void)state;
    struct trace_source *source = open_program("bicg", "nx=3,ny=65");
    assert_int_equal(program_find_array(source, "A")->base, 0x80000000);
    assert_int_equal(program_find_array(source, "r")->base, 0x80000000 + 1024);
    assert_int_equal(program_find_array(source, "s")->base, 0x80000000 + 1280);
    assert_int_equal(program_find_array(source, "p")->base, 0x80000000 + 1792);
    assert_int_equal(program_find_array(source, "q")->base, 0x80000000 + 2304);
    trace_source_free(source);
    source = open_program("bicg", "nx=3,ny=65,base=4096");
    assert_int_equal(program_find_array(source, "r")->base, 4096 + 1024);
    trace_source_free(source);
}

/* The large-page region that an array begins in, and whether it begins with it. */
static uint64_t region_of(const struct trace_source *source, const char *array, bool *aligned)
{
    uint64_t base = program_find_array(source, array)->base;
    *aligned = base % (2 << 20) == 0;
    return base >> 21;
}

static void arrays_can_be_placed_apart(void **state)
{
    (void)state;
    static const char *const names[] = {"A", "r", "s", "p", "q"};
    bool aligned;
    struct trace_source *source = open_program("bicg", "n=1024,placement=1,base=0x80000100");
    for (uint64_t i = 0; i < 5; i++) { /* A takes 4 MiB, every vector less than a region */
        assert_int_equal(region_of(source, names[i], &aligned), 0x401 + (i ? i + 1 : 0));
        assert_true(aligned);
    }
    trace_source_free(source);
    struct trace_source *scattered[3] = {open_program("bicg", "n=64,placement=2"),
                                         open_program("bicg", "n=64,placement=2"),
                                         open_program("bicg", "n=64,placement=3")};
    uint64_t before = 0x3ff, apart = 0, different = 0;
    for (int i = 0; i < 5; i++) {
        uint64_t region = region_of(scattered[0], names[i], &aligned);
        assert_true(aligned && region > before);
        assert_int_equal(region_of(scattered[1], names[i], &aligned), region);
        different += region_of(scattered[2], names[i], &aligned) != region;
        apart += region > before + 1;
        before = region;
    }
    assert_true(apart >= 3 && different >= 3);
    for (int i = 0; i < 3; i++)
        trace_source_free(scattered[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_makes_the_accesses_of_its_twin),
        cmocka_unit_test(bfs_makes_the_accesses_of_its_twin),
        cmocka_unit_test(gaps_count_the_instructions_of_the_ptx),
        cmocka_unit_test(every_element_of_the_result_is_stored),
        cmocka_unit_test(arrays_lie_in_malloc_order),
        cmocka_unit_test(arrays_can_be_placed_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
