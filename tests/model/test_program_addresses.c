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
#include "workload/arguments.h"
#include "workload/cuda/bfs.h"

enum { TRIALS = 60, SIZE_MAX_TESTED = 37, THREADS_MAX = 1024 };

struct sizes {
    int64_t i, j, k, l, m;
};

/* One thread of the twin: where it is and a hash of what it has accessed. */
struct thread {
    const struct trace_source *source;
    struct sizes n;
    uint32_t launch;
    int64_t x, y;
    uint64_t hash;
};

static uint64_t add_access(uint64_t hash, enum memory_op op, unsigned bytes, uint64_t address)
{
    return (hash ^ (address * 64 + op * 32 + bytes)) * 0x9e3779b97f4a7c15u + 1;
}

static void touch_bytes(struct thread *t, enum memory_op op, const char *array, uint64_t offset,
                        unsigned bytes)
{
    const struct device_array *found = program_find_array(t->source, array);
    assert_non_null(found);
    assert_true(offset + bytes <= found->bytes);
    t->hash = add_access(t->hash, op, bytes, found->base + offset);
}

static void touch(struct thread *t, enum memory_op op, const char *array, int64_t index)
{
    touch_bytes(t, op, array, (uint64_t)index * 4, 4);
}

static void load(struct thread *t, const char *array, int64_t index)
{
    touch(t, OP_LOAD, array, index);
}

static void store(struct thread *t, const char *array, int64_t index)
{
    touch(t, OP_STORE, array, index);
}

static void run_conv2d(struct thread *t)
{
    int64_t i = t->y, j = t->x, nj = t->n.j;
    if (i < 1 || i >= t->n.i - 1 || j < 1 || j >= nj - 1)
        return;
    for (int64_t di = -1; di <= 1; di++)
        for (int64_t dj = -1; dj <= 1; dj++)
            load(t, "A", (i + di) * nj + j + dj);
    store(t, "B", i * nj + j);
}

static void run_conv3d(struct thread *t)
{
    static const int points[11][3] = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 0}, {0, 0, 0},
                                      {0, 1, 0},    {-1, -1, 1}, {1, -1, 1}, {-1, 0, 1},
                                      {1, 0, 1},    {-1, 1, 1},  {1, 1, 1}};
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
    void (*run)(struct thread *t);
} twins[] = {
    {"2DCONV", "ni=%d,nj=%d", true, run_conv2d},
    {"3DCONV", "ni=%d,nj=%d,nk=%d", true, run_conv3d},
    {"GEMM", "ni=%d,nj=%d,nk=%d", true, run_gemm},
    {"2MM", "ni=%d,nj=%d,nk=%d,nl=%d", true, run_mm2},
    {"3MM", "ni=%d,nj=%d,nk=%d,nl=%d,nm=%d", true, run_mm3},
    {"GRAMSCHMIDT", "ni=%d,nj=%d", false, run_gramschmidt},
    {"ATAX", "nx=%d,ny=%d", false, run_atax},
    {"BICG", "nx=%d,ny=%d", false, run_bicg},
    {"MVT", "n=%d", false, run_mvt},
    {"CORR", "observations=%d,variables=%d", false, run_corr},
};

/* Sizes 1 and 2 come up often: they are where guards and loops go wrong. */
static int draw_size(uint64_t seed, uint64_t index)
{
    uint64_t bits = random_at(seed, index);
    return 1 + (int)(bits & 1 ? random_below(bits, SIZE_MAX_TESTED) : random_below(bits, 3));
}

static struct trace_source *open_trial(const struct twin *twin, uint64_t trial, struct sizes *n)
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
    if (twin->run == run_corr) {
        snprintf(more, sizeof more, ",reduce_x=%d,reduce_y=%d", shape[1], shape[0]);
        strcat(text, more);
    }
    struct arguments arguments;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    workload_arguments_init(&arguments, workload_find(twin->name));
    struct trace_source *source = NULL;
    if (workload_arguments_parse(&arguments, text, &diagnostics) ||
        workload_arguments_open(&arguments, &source, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("%s:%s", twin->name, text);
    }
    return source;
}

/* The hash of every thread of a block, out of the records of its warps. */
static void hash_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                       struct access_window *window, uint64_t hashes[THREADS_MAX])
{
    struct block_reader *reader;
    const struct trace_launch *shape = &source->launches[launch];
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    memset(hashes, 0, THREADS_MAX * sizeof *hashes);
    for (uint32_t warp = 0; warp < launch_warps(shape); warp++)
        do {
            assert_int_equal(source->ops->read(reader, warp, window, NULL), STATUS_OK);
            assert_true(window->count || window->end);
            for (uint32_t r = 0; r < window->count; r++) {
                const struct warp_access *access = &window->items[r];
                uint64_t addresses[WARP_SIZE], *next = addresses;
                access_addresses(access, window, addresses);
                assert_int_not_equal(access->mask, 0);
                for (uint32_t left = access->mask; left; left &= left - 1) {
                    uint32_t thread = warp * WARP_SIZE + (uint32_t)__builtin_ctz(left);
                    assert_true(thread < launch_threads(shape));
                    hashes[thread] = add_access(hashes[thread], access->op, access->bytes, *next++);
                }
            }
        } while (!window->end);
    source->ops->close_block(reader);
}

static void check_source(const struct twin *twin, const struct trace_source *source, struct sizes n)
{
    static uint64_t hashes[THREADS_MAX];
    struct access_window window;
    assert_int_equal(window_init(&window, 7), STATUS_OK);
    for (uint32_t launch = 0; launch < source->launch_count; launch++) {
        const struct trace_launch *shape = &source->launches[launch];
        for (uint64_t block = 0; block < launch_blocks(shape); block++) {
            hash_block(source, launch, block, &window, hashes);
            for (uint32_t i = 0; i < launch_threads(shape); i++) {
                struct thread thread = {
                    source,
                    n,
                    launch,
                    (int64_t)(block % shape->grid[0] * shape->block[0] + i % shape->block[0]),
                    (int64_t)(block / shape->grid[0] * shape->block[1] + i / shape->block[0]),
                    0};
                twin->run(&thread);
                if (thread.hash != hashes[i])
                    fail_msg("%s: launch %u block %llu thread %u", source->name, launch,
                             (unsigned long long)block, i);
            }
        }
    }
    window_free(&window);
}

static void every_thread_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof twins / sizeof *twins; t++)
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct sizes n;
            struct trace_source *source = open_trial(&twins[t], trial, &n);
            check_source(&twins[t], source, n);
            trace_source_free(source);
        }
}

static void bfs_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    static const char *const texts[] = {"nodes=3000,degree=6", "nodes=777,degree=2,block_x=50",
                                        "nodes=300,degree=1,seed=4,block_x=32", "nodes=1"};
    static const struct twin twin = {"BFS", "", false, run_bfs};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arguments arguments;
        struct trace_source *source;
        workload_arguments_init(&arguments, workload_find("BFS"));
        assert_int_equal(workload_arguments_parse(&arguments, texts[i], NULL), STATUS_OK);
        assert_int_equal(workload_arguments_open(&arguments, &source, NULL), STATUS_OK);
        find_distances(bfs_graph(source));
        check_source(&twin, source, (struct sizes){0});
        free(distances);
        trace_source_free(source);
    }
}

/* Gap, gap, ... of one warp and, last, its tail. */
static void check_gaps(const char *name, const char *text, uint32_t launch, uint32_t warp,
                       const uint32_t *expected, uint32_t count)
{
    struct arguments arguments;
    struct trace_source *source;
    struct block_reader *reader;
    struct access_window window;
    workload_arguments_init(&arguments, workload_find(name));
    assert_int_equal(workload_arguments_parse(&arguments, text, NULL), STATUS_OK);
    assert_int_equal(workload_arguments_open(&arguments, &source, NULL), STATUS_OK);
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
    static const uint32_t conv2d[] = {19, 0, 2, 1, 3, 1, 1, 1, 1, 2, 1};
    static const uint32_t conv3d[] = {27, 0, 7, 3, 1, 1, 1, 1, 1, 1, 2, 2, 1};
    static const uint32_t gemm[] = {16, 1, 5, 1, 1, 5, 1, 1, 6};
    static const uint32_t product[] = {16, 5, 0, 1, 5, 0, 1, 6};
    static const uint32_t norm[] = {11, 5, 8 + 1, 1};
    static const uint32_t outside[] = {15};
    static const uint32_t row[] = {8, 4, 0, 1, 5, 0, 1, 6}, column[] = {10, 1, 0, 1, 5, 0, 1, 6};
    check_gaps("2DCONV", "n=40", 0, 1, conv2d, 11);
    check_gaps("2DCONV", "n=40", 0, 0, outside, 1);
    check_gaps("3DCONV", "n=40", 0, 1, conv3d, 13);
    check_gaps("GEMM", "n=2", 0, 0, gemm, 9);
    check_gaps("3MM", "n=2", 1, 1, product, 8);
    check_gaps("GRAMSCHMIDT", "n=2", 0, 0, norm, 4);
    check_gaps("ATAX", "n=2", 0, 0, row, 8);
    check_gaps("BICG", "n=2", 0, 0, column, 8);
}

/* The grid must cover the problem: every element of the result is stored by somebody. */
static void every_element_of_the_result_is_stored(void **state)
{
    (void)state;
    struct arguments arguments;
    struct trace_source *source;
    workload_arguments_init(&arguments, workload_find("GEMM"));
    assert_int_equal(
        workload_arguments_parse(&arguments, "ni=37,nj=45,nk=1,block_x=16,block_y=3", NULL), 0);
    assert_int_equal(workload_arguments_open(&arguments, &source, NULL), STATUS_OK);
    assert_int_equal(source->launches[0].grid[0], 3);
    assert_int_equal(source->launches[0].grid[1], 13);
    static uint64_t hashes[THREADS_MAX];
    struct access_window window;
    assert_int_equal(window_init(&window, WINDOW_RECORDS), STATUS_OK);
    unsigned active = 0;
    for (uint64_t block = 0; block < launch_blocks(&source->launches[0]); block++) {
        hash_block(source, 0, block, &window, hashes);
        for (uint32_t i = 0; i < launch_threads(&source->launches[0]); i++)
            active += hashes[i] != 0;
    }
    assert_int_equal(active, 37 * 45);
    window_free(&window);
    trace_source_free(source);
}

/* cudaMalloc of GPGPU-Sim 3.2.2: from the base on, in order, each rounded up to 256 bytes. */
static void arrays_lie_in_malloc_order(void **state)
{
    (void)state;
    struct arguments arguments;
    struct trace_source *source;
    workload_arguments_init(&arguments, workload_find("bicg"));
    assert_int_equal(workload_arguments_parse(&arguments, "nx=3,ny=65", NULL), STATUS_OK);
    assert_int_equal(workload_arguments_open(&arguments, &source, NULL), STATUS_OK);
    assert_int_equal(program_find_array(source, "A")->base, 0x80000000);
    assert_int_equal(program_find_array(source, "r")->base, 0x80000000 + 1024);
    assert_int_equal(program_find_array(source, "s")->base, 0x80000000 + 1280);
    assert_int_equal(program_find_array(source, "p")->base, 0x80000000 + 1792);
    assert_int_equal(program_find_array(source, "q")->base, 0x80000000 + 2304);
    trace_source_free(source);
    assert_int_equal(workload_arguments_parse(&arguments, "base=4096", NULL), STATUS_OK);
    assert_int_equal(workload_arguments_open(&arguments, &source, NULL), STATUS_OK);
    assert_int_equal(program_find_array(source, "r")->base, 4096 + 1024);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_makes_the_accesses_of_its_twin),
        cmocka_unit_test(bfs_makes_the_accesses_of_its_twin),
        cmocka_unit_test(gaps_count_the_instructions_of_the_ptx),
        cmocka_unit_test(every_element_of_the_result_is_stored),
        cmocka_unit_test(arrays_lie_in_malloc_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
