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

#include "support/program_trial.h"
#include "workload/cuda/bfs.h"

static void check_conv2d(const char *parameters)
{
    enum { NI = 21, NJ = 70 };
    struct trial trial;
    open_trial(&trial, "2DCONV", parameters);
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    float *b = trial_copy(&trial, "B");
    for (int i = 1; i < NI - 1; i++)
        for (int j = 1; j < NJ - 1; j++) {
            const float *up = a + (i - 1) * NJ + j, *at = up + NJ, *down = at + NJ;
            b[i * NJ + j] = 0.2f * up[-1] + 0.5f * up[0] + -0.8f * up[1] + -0.3f * at[-1] +
                            0.6f * at[0] + -0.9f * at[1] + 0.4f * down[-1] + 0.7f * down[0] +
                            0.10f * down[1];
        }
    close_trial(&trial);
}

static void conv2d_computes(void **state)
{
    (void)state;
    check_conv2d("ni=21,nj=70");
    check_conv2d("ni=21,nj=70,ptx=1");
    check_conv2d("ni=21,nj=70,ptx=2");
}

static void check_conv3d(const char *parameters)
{
    enum { NI = 7, NJ = 11, NK = 37 };
    struct trial trial;
    open_trial(&trial, "3DCONV", parameters);
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    float *b = trial_copy(&trial, "B");
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

static void conv3d_computes(void **state)
{
    (void)state;
    check_conv3d("ni=7,nj=11,nk=37,block_x=16,block_y=4");
    check_conv3d("ni=7,nj=11,nk=37,ptx=1");
    check_conv3d("ni=7,nj=11,nk=37,ptx=2");
}

static void gemm_computes(void **state)
{
    (void)state;
    enum { NI = 19, NJ = 41, NK = 23 };
    struct trial trial;
    open_trial(&trial, "GEMM", "ni=19,nj=41,nk=23,unroll=3");
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
    float *c = trial_copy(&trial, "C");
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
    open_trial(&trial, "2MM", "ni=9,nj=35,nk=17,nl=40,block_x=16,block_y=16,unroll=4");
    trial_run(&trial);
    multiply(trial_copy(&trial, "A"), trial_copy(&trial, "B"), trial_copy(&trial, "C"), NI, NK, NJ);
    multiply(trial_copy(&trial, "C"), trial_copy(&trial, "D"), trial_copy(&trial, "E"), NI, NJ, NL);
    close_trial(&trial);
}

static void mm3_computes(void **state)
{
    (void)state;
    enum { NI = 9, NJ = 35, NK = 17, NL = 40, NM = 5 };
    struct trial trial;
    open_trial(&trial, "3MM", "ni=9,nj=35,nk=17,nl=40,nm=5");
    trial_run(&trial);
    multiply(trial_copy(&trial, "A"), trial_copy(&trial, "B"), trial_copy(&trial, "E"), NI, NK, NJ);
    multiply(trial_copy(&trial, "C"), trial_copy(&trial, "D"), trial_copy(&trial, "F"), NJ, NM, NL);
    multiply(trial_copy(&trial, "E"), trial_copy(&trial, "F"), trial_copy(&trial, "G"), NI, NJ, NL);
    close_trial(&trial);
}

static void gramschmidt_computes(void **state)
{
    (void)state;
    enum { NI = 40, NJ = 37 };
    struct trial trial;
    open_trial(&trial, "GRAMSCHMIDT", "ni=40,nj=37,block_x=32,unroll=5");
    trial_run(&trial);
    float *a = trial_copy(&trial, "A"), *r = trial_copy(&trial, "R"), *q = trial_copy(&trial, "Q");
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
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    multiply_vector(a, trial_copy(&trial, "x"), trial_copy(&trial, "tmp"), NX, NY, false);
    multiply_vector(a, trial_copy(&trial, "tmp"), trial_copy(&trial, "y"), NX, NY, true);
    close_trial(&trial);
}

static void bicg_computes(void **state)
{
    (void)state;
    enum { NX = 70, NY = 45 };
    struct trial trial;
    open_trial(&trial, "BICG", "nx=70,ny=45");
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    memset(trial_copy(&trial, "s"), 0, NY * sizeof(float));
    memset(trial_copy(&trial, "q"), 0, NX * sizeof(float));
    multiply_vector(a, trial_copy(&trial, "r"), trial_copy(&trial, "s"), NX, NY, true);
    multiply_vector(a, trial_copy(&trial, "p"), trial_copy(&trial, "q"), NX, NY, false);
    close_trial(&trial);
}

static void mvt_computes(void **state)
{
    (void)state;
    enum { N = 67 };
    struct trial trial;
    open_trial(&trial, "MVT", "n=67");
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    multiply_vector(a, trial_copy(&trial, "y1"), trial_copy(&trial, "x1"), N, N, false);
    multiply_vector(a, trial_copy(&trial, "y2"), trial_copy(&trial, "x2"), N, N, true);
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
    float *memory = trial_memory(&trial, "data");
    for (int i = 1; i <= 120; i++)
        memory[i * 51 + 7] = (float)i;
    trial_run(&trial);
    correlate(trial_copy(&trial, "data"), trial_copy(&trial, "mean"), trial_copy(&trial, "stddev"),
              trial_copy(&trial, "symmat"), 50, 120);
    const float *stddev = trial_copy(&trial, "stddev");
    assert_true(stddev[7] < 1);
    assert_true(stddev[8] == 1);
    close_trial(&trial);
}

static void covar_computes(void **state)
{
    (void)state;
    enum { M = 40, N = 70, ROW = M + 1 };
    struct trial trial;
    open_trial(&trial, "COVAR", "variables=40,observations=70,block_x=64,unroll=2");
    trial_run(&trial);
    float *data = trial_copy(&trial, "data"), *mean = trial_copy(&trial, "mean");
    float *symmat = trial_copy(&trial, "symmat");
    for (int j = 1; j <= M; j++) {
        mean[j] = 0;
        for (int i = 1; i <= N; i++)
            mean[j] += data[i * ROW + j];
        mean[j] /= 3214212.01f;
    }
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            data[i * ROW + j] -= mean[j];
    for (int j1 = 1; j1 <= M; j1++)
        for (int j2 = j1; j2 <= M; j2++) {
            symmat[j1 * ROW + j2] = 0;
            for (int i = 1; i <= N; i++)
                symmat[j1 * ROW + j2] += data[i * ROW + j1] * data[i * ROW + j2];
            symmat[j2 * ROW + j1] = symmat[j1 * ROW + j2];
        }
    close_trial(&trial);
}

static void gesummv_computes(void **state)
{
    (void)state;
    enum { N = 67 };
    struct trial trial;
    open_trial(&trial, "GESUMMV", "n=67,block_x=48,unroll=3");
    trial_run(&trial);
    float *tmp = trial_copy(&trial, "tmp"), *y = trial_copy(&trial, "y");
    const float *x = trial_copy(&trial, "x");
    multiply_vector(trial_copy(&trial, "A"), x, tmp, N, N, false);
    multiply_vector(trial_copy(&trial, "B"), x, y, N, N, false);
    for (int i = 0; i < N; i++)
        y[i] = 43532.0f * tmp[i] + 12313.0f * y[i];
    close_trial(&trial);
}

static void syrk_computes(void **state)
{
    (void)state;
    enum { NI = 37, NJ = 21 };
    struct trial trial;
    open_trial(&trial, "SYRK", "ni=37,nj=21,block_x=16,block_y=4");
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    float *c = trial_copy(&trial, "C");
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NI; j++) {
            c[i * NI + j] *= 4546.0f;
            for (int k = 0; k < NJ; k++)
                c[i * NI + j] += 12435.0f * a[i * NJ + k] * a[j * NJ + k];
        }
    close_trial(&trial);
}

static void syr2k_computes(void **state)
{
    (void)state;
    enum { NI = 37, NJ = 21 };
    struct trial trial;
    open_trial(&trial, "SYR2K", "ni=37,nj=21,unroll=4");
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
    float *c = trial_copy(&trial, "C");
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NI; j++) {
            c[i * NI + j] *= 4546.0f;
            for (int k = 0; k < NJ; k++)
                c[i * NI + j] += 12435.0f * a[i * NJ + k] * b[j * NJ + k] +
                                 12435.0f * b[i * NJ + k] * a[j * NJ + k];
        }
    close_trial(&trial);
}

static void fdtd2d_computes(void **state)
{
    (void)state;
    enum { NX = 19, NY = 41, STEPS = 4 };
    struct trial trial;
    open_trial(&trial, "FDTD-2D", "nx=19,ny=41,steps=4,block_x=16,block_y=8");
    trial_run(&trial);
    const float *source = trial_copy(&trial, "source");
    float(*ex)[NY + 1] = trial_copy(&trial, "ex"), (*ey)[NY] = trial_copy(&trial, "ey");
    float(*hz)[NY] = trial_copy(&trial, "hz");
    for (int t = 0; t < STEPS; t++) {
        for (int j = 0; j < NY; j++)
            ey[0][j] = source[t];
        for (int i = 1; i < NX; i++)
            for (int j = 0; j < NY; j++)
                ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY; j++)
                ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
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
    struct trace_source *source = open_program("BFS", text);
    struct device device;
    assert_int_equal(device_create(source, &device), STATUS_OK);
    bfs_upload(source, &device);
    assert_int_equal(program_run(source, &device, NULL), STATUS_OK);
    const struct graph *graph = bfs_graph(source);
    const struct trace_array *array = program_find_array(source, "cost");
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
        cmocka_unit_test(covar_computes),  cmocka_unit_test(gesummv_computes),
        cmocka_unit_test(syrk_computes),   cmocka_unit_test(syr2k_computes),
        cmocka_unit_test(fdtd2d_computes), cmocka_unit_test(bfs_computes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
