/* The programs after Parboil compute what plain loops over plain arrays give, to the last bit, and
 * access the same addresses with values on a device as without. */
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
#include "support/program_trial.h"

/* A box of fluid by cells, each with its 19 distributions and flags, in either layout. */
struct box {
    int nx, ny, nz, apart;
};

/* The velocities in the order of the suite: centre, the sides, the edges. */
static const int velocities[19][3] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

static float *entry(const struct box *box, float *grid, int x, int y, int z, int e)
{
    int row = box->nx + 8, plane = row * box->ny, cells = plane * (box->nz + 4);
    int cell = x + row * y + plane * (z + 2);
    /* The first two planes in front of the origin are skipped in words of one array, or of all. */
    return box->apart ? grid + e * cells + cell : grid + 20 * cell + e;
}

static void collide_cell(const float f[19], bool moved, float out[19])
{
    float rho = 0, u[3] = {0}, u2;
    for (int d = 0; d < 19; d++) {
        rho = d ? rho + f[d] : f[d];
        for (int axis = 0; axis < 3; axis++)
            u[axis] = velocities[d][axis] > 0   ? u[axis] + f[d]
                      : velocities[d][axis] < 0 ? u[axis] - f[d]
                                                : u[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        u[axis] /= rho;
    if (moved) {
        u[0] = 0.005f;
        u[1] = 0.002f;
        u[2] = 0;
    }
    u2 = 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) - 1.0f;
    for (int d = 0; d < 19; d++) {
        const int *v = velocities[d];
        int speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        float weight = speed == 0 ? 1.0f / 3.0f : speed == 1 ? 1.0f / 18.0f : 1.0f / 36.0f;
        float along = 0;
        for (int axis = 0; axis < 3; axis++)
            along += (float)v[axis] * u[axis];
        out[d] =
            (1.0f - 1.95f) * f[d] + weight * (1.95f * rho) * (along * (4.5f * along + 3.0f) - u2);
    }
}

static void flow(const struct box *box, float *from, float *to)
{
    for (int z = 0; z < box->nz; z++)
        for (int y = 0; y < box->ny; y++)
            for (int x = 0; x < box->nx; x++) {
                float f[19], out[19];
                uint32_t flags;
                memcpy(&flags, entry(box, from, x, y, z, 19), 4);
                for (int d = 0; d < 19; d++)
                    f[d] = *entry(box, from, x, y, z, d);
                if (!(flags & 1))
                    collide_cell(f, flags & 2, out);
                for (int d = 0; flags & 1 && d < 19; d++)
                    for (int back = 0; back < 19; back++)
                        if (velocities[back][0] == -velocities[d][0] &&
                            velocities[back][1] == -velocities[d][1] &&
                            velocities[back][2] == -velocities[d][2])
                            out[d] = f[back];
                for (int d = 0; d < 19; d++)
                    *entry(box, to, x + velocities[d][0], y + velocities[d][1],
                           z + velocities[d][2], d) = out[d];
            }
}

static void check_lbm(struct box box, int steps)
{
    struct trial trial;
    char text[100];
    snprintf(text, sizeof text, "nx=%d,ny=%d,nz=%d,steps=%d,layout=%d", box.nx, box.ny, box.nz,
             steps, !box.apart);
    open_trial(&trial, "LBM", text);
    staged_upload(trial.source, &trial.device);
    float *grid = trial_memory(&trial, "grid_0");
    for (int z = 0; z < box.nz; z++)
        for (int y = 0; y < box.ny; y++)
            for (int x = 0; x < box.nx; x++)
                for (int d = 0; d < 19; d++)
                    *entry(&box, grid, x, y, z, d) *=
                        0.5f +
                        random_unit(random_at(3, (uint64_t)(((z * 99 + y) * 99 + x) * 19 + d)));
    trial_run(&trial);
    float *grids[2] = {trial_copy(&trial, "grid_0"), trial_copy(&trial, "grid_1")};
    for (int step = 0; step < steps; step++)
        flow(&box, grids[step % 2], grids[1 - step % 2]);
    close_trial(&trial);
}

static void lbm_computes(void **state)
{
    (void)state;
    check_lbm((struct box){40, 7, 6, 1}, 3);
    check_lbm((struct box){40, 7, 6, 0}, 3);
    check_lbm((struct box){5, 5, 5, 1}, 2);
    check_lbm((struct box){1, 1, 1, 1}, 1);
    check_lbm((struct box){65, 3, 9, 0}, 1);
}

static void lbm_marks_walls_and_lids(void **state)
{
    (void)state;
    struct trial trial;
    struct box box = {9, 8, 7, 1};
    open_trial(&trial, "LBM", "nx=9,ny=8,nz=7");
    staged_upload(trial.source, &trial.device);
    int counts[3] = {0};
    for (int z = 0; z < box.nz; z++)
        for (int y = 0; y < box.ny; y++)
            for (int x = 0; x < box.nx; x++) {
                uint32_t flags;
                memcpy(&flags, entry(&box, trial_memory(&trial, "grid_1"), x, y, z, 19), 4);
                assert_in_range(flags, 0, 2);
                counts[flags]++;
            }
    assert_int_equal(counts[1], 9 * 8 * 7 - 7 * 6 * 5); /* all but the inside */
    assert_int_equal(counts[2], 2 * 5 * 4);             /* two layers without their rims */
    free_trial(&trial);
}

static void check_sgemm(int m, int n, int k)
{
    struct trial trial;
    char text[100];
    snprintf(text, sizeof text, "m=%d,n=%d,k=%d", m, n, k);
    open_trial(&trial, "SGEMM", text);
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
    float *c = trial_copy(&trial, "C");
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum += a[row + i * m] * b[column + i * n];
            c[row + column * m] = c[row + column * m] * 0 + 1 * sum;
        }
    close_trial(&trial);
}

static void sgemm_computes(void **state)
{
    (void)state;
    check_sgemm(128, 16, 8);
    check_sgemm(256, 48, 40);
}

static void check_stencil(int nx, int ny, int nz, int steps)
{
    struct trial trial;
    char text[100];
    snprintf(text, sizeof text, "nx=%d,ny=%d,nz=%d,steps=%d", nx, ny, nz, steps);
    open_trial(&trial, "STENCIL", text);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    float *volumes[2] = {trial_copy(&trial, "volume_0"), trial_copy(&trial, "volume_1")};
    assert_memory_equal(volumes[0], volumes[1], 4 * (size_t)(nx * ny * nz));
    for (int step = 0; step < steps; step++) {
        const float *from = volumes[step % 2];
        float *to = volumes[1 - step % 2];
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    int at = x + nx * (y + ny * z);
                    to[at] = (from[at + nx * ny] + from[at - nx * ny] + from[at + nx] +
                              from[at - nx] + from[at + 1] + from[at - 1]) *
                                 (1.0f / 6.0f / 6.0f) -
                             from[at] * (1.0f / 6.0f);
                }
    }
    close_trial(&trial);
}

static void stencil_computes(void **state)
{
    (void)state;
    check_stencil(70, 11, 6, 3);
    check_stencil(128, 8, 5, 2);
    check_stencil(33, 5, 4, 1);
    check_stencil(3, 3, 3, 2);
    check_stencil(130, 1, 2, 1);
}

static void check_mriq(const char *text, int voxels, int samples, uint64_t seed)
{
    struct trial trial;
    open_trial(&trial, "MRI-Q", text);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const float *real = trial_copy(&trial, "phi_real"),
                *imaginary = trial_copy(&trial, "phi_imaginary");
    const float *at[3] = {trial_copy(&trial, "x"), trial_copy(&trial, "y"),
                          trial_copy(&trial, "z")};
    float *q_real = trial_copy(&trial, "q_real"), *q_imaginary = trial_copy(&trial, "q_imaginary");
    float *magnitude = trial_copy(&trial, "magnitude");
    for (int k = 0; k < samples; k++) {
        float place[3];
        magnitude[k] = real[k] * real[k] + imaginary[k] * imaginary[k];
        for (uint64_t axis = 0; axis < 3; axis++)
            place[axis] = 32 * random_unit(random_at(seed, 3 * (uint64_t)k + axis)) - 16;
        for (int i = 0; i < voxels; i++) {
            float angle = 6.2831853071795864769f *
                          (place[0] * at[0][i] + place[1] * at[1][i] + place[2] * at[2][i]);
            q_real[i] += magnitude[k] * cosf(angle);
            q_imaginary[i] += magnitude[k] * sinf(angle);
        }
    }
    close_trial(&trial);
}

static void mriq_computes(void **state)
{
    (void)state;
    check_mriq("voxels=512,samples=1030", 512, 1030, 1);
    check_mriq("voxels=256,samples=6,seed=9", 256, 6, 9);
    check_mriq("voxels=256,samples=2048", 256, 2048, 1);
    check_mriq("voxels=300,samples=1031", 300, 1031, 1);
    check_mriq("voxels=1,samples=1", 1, 1, 1);
}

/* The matrix of SPMV as it stands in device memory. */
struct format {
    int rows, groups;
    const float *data, *vector;
    const int32_t *indices, *starts, *order, *lengths;
};

static void read_format(struct trial *trial, struct format *format)
{
    format->rows = (int)(program_find_array(trial->source, "vector")->bytes / 4);
    format->groups = (format->rows + 31) / 32;
    format->data = trial_memory(trial, "data");
    format->indices = trial_memory(trial, "indices");
    format->starts = trial_memory(trial, "starts");
    format->order = trial_memory(trial, "order");
    format->lengths = trial_memory(trial, "lengths");
    format->vector = trial_memory(trial, "vector");
}

/* Rows longest first, groups as long as their first row, columns one after another, padding of
 * zeros; symmetric with a full diagonal, columns ascending. */
static void check_format(const struct format *format)
{
    size_t n = (size_t)format->rows;
    float *dense = calloc(n * n, sizeof *dense);
    bool *seen = calloc(n, sizeof *seen);
    assert_non_null(dense);
    assert_non_null(seen);
    int last = format->lengths[0];
    for (int at = 0; at < format->groups * 32; at++) {
        int length = 0, before = -1, row = at < format->rows ? format->order[at] : -1;
        for (int k = 0; k < format->lengths[at / 32]; k++) {
            int column = format->indices[format->starts[k] + at];
            float value = format->data[format->starts[k] + at];
            if (column < 0) {
                assert_int_equal(column, -1);
                assert_true(value == 0);
                continue;
            }
            assert_in_range(column, before + 1, format->rows - 1);
            assert_int_equal(length++, k);
            dense[(size_t)row * n + (size_t)column] = value;
            before = column;
        }
        assert_true(length <= last && (row < 0) == (length == 0));
        assert_true(at % 32 || length == format->lengths[at / 32]);
        last = length;
        if (row >= 0) {
            assert_false(seen[row]);
            seen[row] = true;
        }
    }
    for (size_t i = 0; i < n; i++) {
        assert_true(dense[i * n + i] != 0);
        for (size_t j = 0; j < i; j++)
            assert_true(dense[i * n + j] == dense[j * n + i]);
    }
    free(dense);
    free(seen);
}

static void check_spmv(const char *text)
{
    struct trial trial;
    struct format format;
    open_trial(&trial, "SPMV", text);
    staged_upload(trial.source, &trial.device);
    read_format(&trial, &format);
    check_format(&format);
    trial_run(&trial);
    float *result = trial_copy(&trial, "result");
    for (int at = 0; at < format.rows; at++) {
        float sum = 0;
        for (int k = 0; k < format.lengths[at / 32]; k++) {
            int32_t column = format.indices[format.starts[k] + at];
            if (column >= 0)
                sum += format.data[format.starts[k] + at] * format.vector[column];
        }
        result[format.order[at]] = sum;
    }
    close_trial(&trial);
}

static void spmv_computes(void **state)
{
    (void)state;
    check_spmv("rows=1138,degree=4");
    check_spmv("rows=1000,degree=30,band=50,block_x=96,seed=5");
    check_spmv("rows=33,degree=128,band=1");
    check_spmv("rows=70,degree=1");
    check_spmv("rows=1");
}

/* Bin after bin, atom after atom in the suite's order; a bin is 8 atoms of x, y, z and charge. The
 * point is `steps` times two rows from the one that its thread starts at. */
static float potential(const float *bins, const int size[3], const int region[3],
                       const float start[3], int steps, float cutoff, int rim)
{
    float energy = 0, reach = cutoff + sqrtf(3) * 4;
    for (int z = -rim; z <= rim; z++)
        for (int y = -rim; y <= rim; y++)
            for (int x = -rim; x <= rim; x++) {
                if ((float)((x * x + y * y + z * z) * 16) >= reach * reach)
                    continue;
                int bin = ((region[2] + z + rim) * size[1] + region[1] + y + rim) * size[0] +
                          region[0] + x + rim;
                const float *atom = bins + 32 * bin;
                for (int i = 0; i < 8 && atom[3] != 0; i++, atom += 4) {
                    float dx = atom[0] - start[0], dy = atom[1] - start[1], dz = atom[2] - start[2];
                    for (int step = 0; step < steps; step++)
                        dy -= 1.0f;
                    float r2 = dy * dy + (dx * dx + dz * dz);
                    float s = 1.0f - r2 * (1.0f / (cutoff * cutoff));
                    if (r2 < cutoff * cutoff)
                        energy += atom[3] * (1.0f / sqrtf(r2)) * s * s;
                }
            }
    return energy;
}

/* The same of every atom there is, wherever it is. */
static double whole_potential(const float *bins, uint64_t words, const float at[3], double cutoff)
{
    double energy = 0;
    for (const float *atom = bins; atom < bins + words; atom += 4) {
        double r2 = 0;
        for (int axis = 0; axis < 3; axis++)
            r2 += ((double)atom[axis] - (double)at[axis]) * ((double)atom[axis] - (double)at[axis]);
        double s = 1 - r2 / (cutoff * cutoff);
        if (atom[3] != 0 && r2 < cutoff * cutoff)
            energy += (double)atom[3] / sqrt(r2) * s * s;
    }
    return energy;
}

static void check_cutcp(const char *text, float cutoff, int atoms)
{
    struct trial trial;
    open_trial(&trial, "CUTCP", text);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const float *bins = trial_copy(&trial, "bins");
    float *regions = trial_copy(&trial, "regions");
    uint64_t words = program_find_array(trial.source, "bins")->bytes / 4;
    int rim = (int)ceilf(cutoff / 4), there = 0;
    const int count[3] = {(int)trial.source->launches[0].grid[0],
                          (int)trial.source->launches[0].grid[1], (int)trial.source->launch_count};
    const int size[3] = {count[0] + 2 * rim, count[1] + 2 * rim, count[2] + 2 * rim};
    assert_int_equal(words, 32 * size[0] * size[1] * size[2]);
    for (uint64_t i = 3; i < words; i += 4)
        there += bins[i] != 0;
    assert_in_range(there, atoms - atoms / 50, atoms); /* few bins overflow */
    for (int i = 0; i < count[0] * count[1] * count[2] * 512; i++) {
        const int region[3] = {i / 512 % count[0], i / 512 / count[0] % count[1],
                               i / 512 / count[0] / count[1]};
        const int row = i / 8 % 8;
        float at[3] = {(float)(8 * region[0] + i % 8) * 0.5f,
                       (float)(8 * region[1] + row % 2) * 0.5f,
                       (float)(8 * region[2] + i / 64 % 8) * 0.5f};
        regions[i] = potential(bins, size, region, at, row / 2, cutoff, rim);
        at[1] += (float)(row / 2);
        if (i % 37)
            continue;
        double whole = whole_potential(bins, words, at, (double)cutoff);
        assert_true(fabs(whole - (double)regions[i]) < 1e-3 * (1 + fabs(whole)));
    }
    close_trial(&trial);
}

static void cutcp_computes(void **state)
{
    (void)state;
    check_cutcp("length=10,cutoff=5", 5, 64);
    check_cutcp("length=14,cutoff=12,seed=3", 12, 216);
    check_cutcp("length=4,cutoff=20", 20, 1);
}

/* What saturated counts of the image are, and that everything in between is cleared. */
static void check_histo(const char *text)
{
    struct trial trial;
    open_trial(&trial, "HISTO", text);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint32_t *image = trial_copy(&trial, "input"), *ranges = trial_memory(&trial, "ranges");
    const struct program *program = (const struct program *)trial.source;
    uint64_t bins = program_find_array(trial.source, "result")->bytes;
    uint32_t width = 0, height = 0;
    assert_int_equal(sscanf(text, "width=%u,height=%u", &width, &height), 2);
    uint8_t *counts = calloc(1, bins);
    assert_non_null(counts);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t value = image[y * ((width + 1) / 2 * 2) + x];
            counts[value] += counts[value] < 255;
        }
    assert_memory_equal(trial_memory(&trial, "result"), counts, bins);
    assert_int_equal(ranges[1] - ranges[0] + 1, trial.source->launches[2].grid[1]);
    for (uint32_t a = 0; a < program->array_count; a++) {
        const struct trace_array *array = &program->arrays[a];
        bool cleared = !strcmp(array->name, "outside") || !strcmp(array->name, "overflow");
        const uint8_t *bytes = device_at(&trial.device, array->base, array->bytes);
        for (uint64_t i = 0; cleared && i < array->bytes; i++)
            assert_int_equal(bytes[i], 0);
    }
    free(counts);
    free_trial(&trial);
}

static void histo_counts(void **state)
{
    (void)state;
    check_histo("width=512,height=512,bins_y=1024,spread=24");
    check_histo("width=513,height=512,bins_y=1024,spread=1,iterations=2");
    check_histo("width=600,height=448,bins_y=2048,spread=0");
    check_histo("width=514,height=512,bins_x=64,bins_y=3000,spread=3,seed=2");
    check_histo("width=201,height=160,bins_y=1024,spread=1"); /* too small to guess: all outside */
    check_histo("width=2,height=16,bins_x=4,bins_y=1");
    check_histo("width=513,height=509,bins_y=1024,spread=24");
    check_histo("width=70,height=1,bins_x=4,bins_y=100");
    check_histo("width=512,height=512,bins_y=1024,spread=300");
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *parameters, *message;
    } cases[] = {
        {"SGEMM", "m=200", "m must be a multiple of 128"},
        {"SGEMM", "n=100", "n must be a multiple of 16"},
        {"SGEMM", "k=100", "k must be a multiple of 8"},
        {"SPMV", "block_x=48", "a multiple of 32"},
        {"HISTO", "bins_x=6", "a multiple of 4"},
        {"HISTO", "bins_x=4096,bins_y=4096", "at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_program(cases[i].name, cases[i].parameters, cases[i].message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lbm_computes),
        cmocka_unit_test(lbm_marks_walls_and_lids),
        cmocka_unit_test(sgemm_computes),
        cmocka_unit_test(stencil_computes),
        cmocka_unit_test(mriq_computes),
        cmocka_unit_test(spmv_computes),
        cmocka_unit_test(cutcp_computes),
        cmocka_unit_test(histo_counts),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
