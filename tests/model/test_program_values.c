/* Every generated program really computes: run on a device, through the addresses of its own
 * records, it leaves what plain loops over plain arrays give, to the last bit. */
#include <math.h>
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

/* A program opened with device memory full of numbers in [-1, 1), and a copy of every array. */
struct trial {
    struct trace_source *source;
    struct device device;
    float *copies[PROGRAM_ARRAYS_MAX];
};

static void open_trial(struct trial *trial, const char *name, const char *text)
{
    struct arguments arguments;
    *trial = (struct trial){0};
    workload_arguments_init(&arguments, workload_find(name));
    assert_int_equal(workload_arguments_parse(&arguments, text, NULL), STATUS_OK);
    assert_int_equal(workload_arguments_open(&arguments, &trial->source, NULL), STATUS_OK);
    assert_int_equal(device_create(trial->source, &trial->device), STATUS_OK);
    const struct program *program = (const struct program *)trial->source;
    for (uint32_t a = 0; a < program->array_count; a++) {
        const struct device_array *array = &program->arrays[a];
        float *memory = device_at(&trial->device, array->base, array->bytes);
        for (uint64_t i = 0; i < array->bytes / 4; i++)
            memory[i] = (float)((double)(random_at(a, i) >> 40) / (1 << 23) - 1);
        trial->copies[a] = malloc(array->bytes);
        assert_non_null(trial->copies[a]);
        memcpy(trial->copies[a], memory, array->bytes);
    }
}

static void run_trial(struct trial *trial)
{
    assert_int_equal(program_run(trial->source, &trial->device, NULL), STATUS_OK);
}

/* The copy of an array, for the plain loops to work on. */
static float *copy_of(const struct trial *trial, const char *name)
{
    const struct program *program = (const struct program *)trial->source;
    return trial->copies[program_find_array(trial->source, name) - program->arrays];
}

/* After the plain loops: every array on the device equals its copy. */
static void close_trial(struct trial *trial)
{
    const struct program *program = (const struct program *)trial->source;
    for (uint32_t a = 0; a < program->array_count; a++) {
        const struct device_array *array = &program->arrays[a];
        const float *memory = device_at(&trial->device, array->base, array->bytes);
        for (uint64_t i = 0; i < array->bytes / 4; i++)
            if (memory[i] != trial->copies[a][i])
                fail_msg("%s: %s[%llu] is %.9g, expected %.9g", trial->source->name, array->name,
                         (unsigned long long)i, (double)memory[i], (double)trial->copies[a][i]);
        free(trial->copies[a]);
    }
    device_free(&trial->device);
    trace_source_free(trial->source);
}

static void conv2d_computes(void **state)
{
    (void)state;
    enum { NI = 21, NJ = 70 };
    struct trial trial;
    open_trial(&trial, "2DCONV", "ni=21,nj=70");
    run_trial(&trial);
    const float *a = copy_of(&trial, "A");
    float *b = copy_of(&trial, "B");
    for (int i = 1; i < NI - 1; i++)
        for (int j = 1; j < NJ - 1; j++) {
            const float *up = a + (i - 1) * NJ + j, *at = up + NJ, *down = at + NJ;
            b[i * NJ + j] = 0.2f * up[-1] + 0.5f * up[0] + -0.8f * up[1] + -0.3f * at[-1] +
                            0.6f * at[0] + -0.9f * at[1] + 0.4f * down[-1] + 0.7f * down[0] +
                            0.10f * down[1];
        }
    close_trial(&trial);
}

static void conv3d_computes(void **state)
{
    (void)state;
    enum { NI = 7, NJ = 11, NK = 37 };
    struct trial trial;
    open_trial(&trial, "3DCONV", "ni=7,nj=11,nk=37,block_x=16,block_y=4");
    run_trial(&trial);
    const float *a = copy_of(&trial, "A");
    float *b = copy_of(&trial, "B");
#define A(di, dj, dk) a[((i + di) * NJ + j + dj) * NK + k + dk]
    for (int i = 1; i < NI - 1; i++)
        for (int j = 1; j < NJ - 1; j++)
            for (int k = 1; k < NK - 1; k++)
                b[(i * NJ + j) * NK + k] =
                    2 * A(-1, -1, -1) + 4 * A(1, -1, -1) + 5 * A(-1, -1, -1) + 7 * A(1, -1, -1) +
                    -8 * A(-1, -1, -1) + 10 * A(1, -1, -1) + -3 * A(0, -1, 0) + 6 * A(0, 0, 0) +
                    -9 * A(0, 1, 0) + 2 * A(-1, -1, 1) + 4 * A(1, -1, 1) + 5 * A(-1, 0, 1) +
                    7 * A(1, 0, 1) + -8 * A(-1, 1, 1) + 10 * A(1, 1, 1);
#undef A
    close_trial(&trial);
}

static void gemm_computes(void **state)
{
    (void)state;
    enum { NI = 19, NJ = 41, NK = 23 };
    struct trial trial;
    open_trial(&trial, "GEMM", "ni=19,nj=41,nk=23");
    run_trial(&trial);
    const float *a = copy_of(&trial, "A"), *b = copy_of(&trial, "B");
    float *c = copy_of(&trial, "C");
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            c[i * NJ + j] *= 2123.0f;
            for (int k = 0; k < NK; k++)
                c[i * NJ + j] += 32412.0f * a[i * NK + k] * b[k * NJ + j];
        }
    close_trial(&trial);
}

static void multiply(const float *left, const float *right, float *out, int rows, int inner,
                     int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < inner; k++)
                out[i * columns + j] += left[i * inner + k] * right[k * columns + j];
}

static void mm2_computes(void **state)
{
    (void)state;
    enum { NI = 9, NJ = 35, NK = 17, NL = 40 };
    struct trial trial;
    open_trial(&trial, "2MM", "ni=9,nj=35,nk=17,nl=40,block_x=16,block_y=16");
    run_trial(&trial);
    multiply(copy_of(&trial, "A"), copy_of(&trial, "B"), copy_of(&trial, "C"), NI, NK, NJ);
    multiply(copy_of(&trial, "C"), copy_of(&trial, "D"), copy_of(&trial, "E"), NI, NJ, NL);
    close_trial(&trial);
}

static void mm3_computes(void **state)
{
    (void)state;
    enum { NI = 9, NJ = 35, NK = 17, NL = 40, NM = 5 };
    struct trial trial;
    open_trial(&trial, "3MM", "ni=9,nj=35,nk=17,nl=40,nm=5");
    run_trial(&trial);
    multiply(copy_of(&trial, "A"), copy_of(&trial, "B"), copy_of(&trial, "E"), NI, NK, NJ);
    multiply(copy_of(&trial, "C"), copy_of(&trial, "D"), copy_of(&trial, "F"), NJ, NM, NL);
    multiply(copy_of(&trial, "E"), copy_of(&trial, "F"), copy_of(&trial, "G"), NI, NJ, NL);
    close_trial(&trial);
}

static void gramschmidt_computes(void **state)
{
    (void)state;
    enum { NI = 40, NJ = 37 };
    struct trial trial;
    open_trial(&trial, "GRAMSCHMIDT", "ni=40,nj=37,block_x=32");
    run_trial(&trial);
    float *a = copy_of(&trial, "A"), *r = copy_of(&trial, "R"), *q = copy_of(&trial, "Q");
    for (int k = 0; k < NJ; k++) {
        float norm = 0;
        for (int i = 0; i < NI; i++)
            norm += a[i * NJ + k] * a[i * NJ + k];
        r[k * NJ + k] = sqrtf(norm);
        for (int i = 0; i < NI; i++)
            q[i * NJ + k] = a[i * NJ + k] / r[k * NJ + k];
        for (int j = k + 1; j < NJ; j++) {
            r[k * NJ + j] = 0;
            for (int i = 0; i < NI; i++)
                r[k * NJ + j] += q[i * NJ + k] * a[i * NJ + j];
            for (int i = 0; i < NI; i++)
                a[i * NJ + j] -= q[i * NJ + k] * r[k * NJ + j];
        }
    }
    close_trial(&trial);
}

/* out (rows) += A in, or out (columns) += A^T in. */
static void multiply_vector(const float *a, const float *in, float *out, int rows, int columns,
                            bool transposed)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[transposed ? j : i] += a[i * columns + j] * in[transposed ? i : j];
}

static void atax_computes(void **state)
{
    (void)state;
    enum { NX = 70, NY = 45 };
    struct trial trial;
    open_trial(&trial, "ATAX", "nx=70,ny=45,block_x=48");
    run_trial(&trial);
    const float *a = copy_of(&trial, "A");
    multiply_vector(a, copy_of(&trial, "x"), copy_of(&trial, "tmp"), NX, NY, false);
    multiply_vector(a, copy_of(&trial, "tmp"), copy_of(&trial, "y"), NX, NY, true);
    close_trial(&trial);
}

static void bicg_computes(void **state)
{
    (void)state;
    enum { NX = 70, NY = 45 };
    struct trial trial;
    open_trial(&trial, "BICG", "nx=70,ny=45");
    run_trial(&trial);
    const float *a = copy_of(&trial, "A");
    memset(copy_of(&trial, "s"), 0, NY * sizeof(float));
    memset(copy_of(&trial, "q"), 0, NX * sizeof(float));
    multiply_vector(a, copy_of(&trial, "r"), copy_of(&trial, "s"), NX, NY, true);
    multiply_vector(a, copy_of(&trial, "p"), copy_of(&trial, "q"), NX, NY, false);
    close_trial(&trial);
}

static void mvt_computes(void **state)
{
    (void)state;
    enum { N = 67 };
    struct trial trial;
    open_trial(&trial, "MVT", "n=67");
    run_trial(&trial);
    const float *a = copy_of(&trial, "A");
    multiply_vector(a, copy_of(&trial, "y1"), copy_of(&trial, "x1"), N, N, false);
    multiply_vector(a, copy_of(&trial, "y2"), copy_of(&trial, "x2"), N, N, true);
    close_trial(&trial);
}

/* The plain loops of CORR on arrays that count from 1. */
static void correlate(float *data, float *mean, float *stddev, float *symmat, int m, int n)
{
    const float observations = 3214212.01f;
    int row = m + 1;
    for (int j = 1; j <= m; j++) {
        mean[j] = stddev[j] = 0;
        for (int i = 1; i <= n; i++)
            mean[j] += data[i * row + j];
        mean[j] /= observations;
        for (int i = 1; i <= n; i++)
            stddev[j] += (data[i * row + j] - mean[j]) * (data[i * row + j] - mean[j]);
        stddev[j] = sqrtf(stddev[j] / observations);
        if (stddev[j] <= 0.005f)
            stddev[j] = 1;
    }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            data[i * row + j] = (data[i * row + j] - mean[j]) / (sqrtf(observations) * stddev[j]);
    for (int j1 = 1; j1 < m; j1++) {
        symmat[j1 * row + j1] = 1;
        for (int j2 = j1 + 1; j2 <= m; j2++) {
            symmat[j1 * row + j2] = 0;
            for (int i = 1; i <= n; i++)
                symmat[j1 * row + j2] += data[i * row + j1] * data[i * row + j2];
            symmat[j2 * row + j1] = symmat[j1 * row + j2];
        }
    }
}

static void corr_computes(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "CORR", "variables=50,observations=120,block_x=64");
    /* One variable that deviates enough not to take the floor of 0.005. */
    const struct device_array *data = program_find_array(trial.source, "data");
    float *memory = device_at(&trial.device, data->base, data->bytes);
    for (int i = 1; i <= 120; i++)
        memory[i * 51 + 7] = copy_of(&trial, "data")[i * 51 + 7] = (float)i;
    run_trial(&trial);
    correlate(copy_of(&trial, "data"), copy_of(&trial, "mean"), copy_of(&trial, "stddev"),
              copy_of(&trial, "symmat"), 50, 120);
    assert_true(copy_of(&trial, "stddev")[7] < 1);
    assert_true(copy_of(&trial, "stddev")[8] == 1);
    close_trial(&trial);
}

/* The distances from node 0 by an ordinary queue. */
static void search_by_queue(const struct graph *graph, int32_t *distance)
{
    uint32_t *queue = malloc(graph->nodes * sizeof *queue), head = 0, tail = 0;
    assert_non_null(queue);
    for (uint32_t v = 0; v < graph->nodes; v++)
        distance[v] = -1;
    distance[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++)
            if (distance[graph->edges[e]] < 0) {
                distance[graph->edges[e]] = distance[v] + 1;
                queue[tail++] = graph->edges[e];
            }
    }
    free(queue);
}

static void check_bfs(const char *text)
{
    struct arguments arguments;
    struct trace_source *source;
    struct device device;
    workload_arguments_init(&arguments, workload_find("BFS"));
    assert_int_equal(workload_arguments_parse(&arguments, text, NULL), STATUS_OK);
    assert_int_equal(workload_arguments_open(&arguments, &source, NULL), STATUS_OK);
    assert_int_equal(device_create(source, &device), STATUS_OK);
    bfs_upload(source, &device);
    assert_int_equal(program_run(source, &device, NULL), STATUS_OK);
    const struct graph *graph = bfs_graph(source);
    const struct device_array *array = program_find_array(source, "cost");
    const int32_t *cost = device_at(&device, array->base, array->bytes);
    int32_t *distance = malloc(graph->nodes * sizeof *distance);
    assert_non_null(distance);
    search_by_queue(graph, distance);
    assert_memory_equal(cost, distance, graph->nodes * sizeof *distance);
    free(distance);
    device_free(&device);
    trace_source_free(source);
}

static void bfs_computes(void **state)
{
    (void)state;
    check_bfs("nodes=3000,degree=6");
    check_bfs("nodes=1000,degree=2,seed=5,block_x=100");
    check_bfs("nodes=500,degree=1,seed=2");
    check_bfs("nodes=1,degree=3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv2d_computes), cmocka_unit_test(conv3d_computes),
        cmocka_unit_test(gemm_computes),   cmocka_unit_test(mm2_computes),
        cmocka_unit_test(mm3_computes),    cmocka_unit_test(gramschmidt_computes),
        cmocka_unit_test(atax_computes),   cmocka_unit_test(bicg_computes),
        cmocka_unit_test(mvt_computes),    cmocka_unit_test(corr_computes),
        cmocka_unit_test(bfs_computes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
