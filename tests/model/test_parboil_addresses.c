/* The programs after Parboil against slow twins: what one thread of the kernel accesses, in PTX
 * order. */
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
#include "support/thread_twin.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Sizes: nx, ny, nz, 1 where the words of a cell stand together. */
static int64_t lbm_word(const struct thread *t, int64_t x, int64_t y, int64_t z, int64_t e)
{
    int64_t px = t->n.i + 8, cells = px * t->n.j * (t->n.k + 4), cell = x + px * (y + t->n.j * z);
    int64_t origin = 2 * px * t->n.j;
    return t->n.l ? 20 * (origin + cell) + e : origin + cells * e + cell;
}

static void lbm_twin(struct thread *t)
{
    static const char *const names[2] = {"grid_0", "grid_1"};
    /* N S E W T B, NE NW SE SW, NT NB ST SB, ET EB WT WB: x to the east, y north, z to the top. */
    static const char *const ways[19] = {"",   "N",  "S",  "E",  "W",  "T",  "B",  "NE", "NW", "SE",
                                         "SW", "NT", "NB", "ST", "SB", "ET", "EB", "WT", "WB"};
    int64_t x = t->x % t->n.i, y = t->x / t->n.i, z = t->y;
    for (int e = 0; e < 20; e++)
        load(t, names[t->launch % 2], lbm_word(t, x, y, z, e));
    for (int e = 0; e < 19; e++) {
        int64_t dx = !!strchr(ways[e], 'E') - !!strchr(ways[e], 'W');
        int64_t dy = !!strchr(ways[e], 'N') - !!strchr(ways[e], 'S');
        int64_t dz = !!strchr(ways[e], 'T') - !!strchr(ways[e], 'B');
        store(t, names[1 - t->launch % 2], lbm_word(t, x + dx, y + dy, z + dz, e));
    }
}

static void lbm_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("LBM", "nx=37,ny=6,nz=5,steps=3");
    check_twin(source, (struct sizes){37, 6, 5, 0, 0}, lbm_twin);
    trace_source_free(source);
    source = open_program("LBM", "nx=37,ny=6,nz=5,steps=2,layout=1");
    check_twin(source, (struct sizes){37, 6, 5, 1, 0}, lbm_twin);
    trace_source_free(source);
    source = open_program("LBM", "nz=150"); /* the suite's: 20 arrays of 120 x 128 x 154 cells */
    assert_int_equal(program_find_array(source, "grid_0")->bytes,
                     4 * (20 * 128 * 120 * 154 + 4 * 20 * 128 * 120));
    assert_int_equal(source->launches[0].grid[0], 120);
    assert_int_equal(source->launches[0].grid[1], 150);
    trace_source_free(source);
}

/* Sizes: m, n, k. */
static void sgemm_twin(struct thread *t)
{
    int64_t tx = t->x % 16, ty = t->y % 8, bx = t->x / 16, by = t->y / 8;
    int64_t row = 128 * bx + 16 * ty + tx;
    for (int64_t i = 0; i < t->n.k; i += 8) {
        load(t, "B", 16 * by + tx + (i + ty) * t->n.j);
        for (int64_t j = 0; j < 8; j++)
            load(t, "A", row + (i + j) * t->n.i);
    }
    for (int64_t i = 0; i < 16; i++) {
        load(t, "C", row + (16 * by + i) * t->n.i);
        store(t, "C", row + (16 * by + i) * t->n.i);
    }
}

static void sgemm_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("SGEMM", "m=256,n=48,k=40");
    check_twin(source, (struct sizes){256, 48, 40, 0, 0}, sgemm_twin);
    trace_source_free(source);
}

/* Sizes: nx, ny, nz. */
static void stencil_twin(struct thread *t)
{
    static const char *const names[2] = {"volume_0", "volume_1"};
    const char *from = names[t->launch % 2], *to = names[1 - t->launch % 2];
    int64_t tx = t->x % 32, ty = t->y % 4, nx = t->n.i, ny = t->n.j, j = t->y;
    for (int64_t half = 0; half < 2; half++) {
        int64_t i = 64 * (t->x / 32) + 32 * half + tx;
        if (i < nx && j < ny) {
            load(t, from, i + nx * j);
            load(t, from, i + nx * (j + ny));
        }
    }
    for (int64_t k = 1; k < t->n.k - 1; k++)
        for (int64_t half = 0; half < 2; half++) {
            int64_t i = 64 * (t->x / 32) + 32 * half + tx, at = i + nx * (j + ny * k);
            if (i < nx && j < ny)
                load(t, from, at + nx * ny);
            if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
                continue;
            if (ty == 3)
                load(t, from, at + nx);
            if (ty == 0)
                load(t, from, at - nx);
            if (half ? tx == 31 : tx == 0)
                load(t, from, half ? at + 1 : at - 1);
            store(t, to, at);
        }
}

static void stencil_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("STENCIL", "nx=70,ny=11,nz=6,steps=3");
    check_twin(source, (struct sizes){70, 11, 6, 0, 0}, stencil_twin);
    trace_source_free(source);
    source = open_program("STENCIL", "nx=129,ny=8,nz=4,steps=1");
    check_twin(source, (struct sizes){129, 8, 4, 0, 0}, stencil_twin);
    trace_source_free(source);
    source = open_program("STENCIL", "nx=1,ny=2,nz=2,steps=1");
    check_twin(source, (struct sizes){1, 2, 2, 0, 0}, stencil_twin);
    trace_source_free(source);
}

/* Sizes: samples, voxels. */
static void mriq_twin(struct thread *t)
{
    static const char *const arrays[5] = {"x", "y", "z", "q_real", "q_imaginary"};
    if (t->launch == 0) {
        if (t->x >= t->n.i)
            return;
        load(t, "phi_real", t->x);
        load(t, "phi_imaginary", t->x);
        store(t, "magnitude", t->x);
        return;
    }
    for (int i = 0; t->x < t->n.j && i < 5; i++)
        load(t, arrays[i], t->x);
    if (t->x >= t->n.j)
        return;
    store(t, "q_real", t->x);
    store(t, "q_imaginary", t->x);
}

static void mriq_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("MRI-Q", "voxels=512,samples=1030");
    assert_int_equal(source->launch_count, 3);
    assert_int_equal(source->launches[0].grid[0], 3);
    check_twin(source, (struct sizes){1030, 512, 0, 0, 0}, mriq_twin);
    trace_source_free(source);
    source = open_program("MRI-Q", "voxels=333,samples=1025");
    check_twin(source, (struct sizes){1025, 333, 0, 0, 0}, mriq_twin);
    trace_source_free(source);
}

/* The inputs of the program as they are uploaded. */
static struct trial uploaded;

static int32_t uploaded_word(const char *array, int64_t index)
{
    int32_t word;
    memcpy(&word, (char *)trial_memory(&uploaded, array) + 4 * index, 4);
    return word;
}

/* Loads the index and the entry of a column. */
static void fetch(struct thread *t, int64_t column)
{
    const int64_t at = uploaded_word("starts", column) + t->x;
    load(t, "indices", at);
    load(t, "data", at);
}

/* Loads from the vector; the word in front of it where the index is -1. */
static void gather(struct thread *t, int64_t column)
{
    int64_t at = uploaded_word("starts", column) + t->x, index = uploaded_word("indices", at);
    touch_space(t, OP_LOAD, SPACE_GLOBAL, 4,
                program_find_array(t->source, "vector")->base + (uint64_t)(4 * index));
}

/* Sizes: rows. */
static void spmv_twin(struct thread *t)
{
    if (t->x >= t->n.i)
        return;
    int64_t bound = uploaded_word("lengths", t->x / 32);
    fetch(t, 0);
    for (int64_t k = 0; k < bound; k++) {
        gather(t, k);
        if (k + 1 < bound)
            fetch(t, k + 1);
    }
    load(t, "order", t->x);
    store(t, "result", uploaded_word("order", t->x));
}

static void check_spmv(const char *text, uint32_t threads)
{
    open_trial(&uploaded, "SPMV", text);
    staged_upload(uploaded.source, &uploaded.device);
    int64_t rows = (int64_t)program_find_array(uploaded.source, "vector")->bytes / 4;
    assert_int_equal(uploaded.source->launches[0].block[0], threads);
    check_twin(uploaded.source, (struct sizes){rows, 0, 0, 0, 0}, spmv_twin);
    free_trial(&uploaded);
}

static void spmv_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    check_spmv("rows=1138,degree=4,calls=1", 32);
    check_spmv("rows=1000,degree=30,band=50,block_x=96,calls=2", 96);
    check_spmv("rows=70,degree=1", 32);
    check_spmv("rows=22000,degree=5,calls=1", 192);
}

/* Sizes: regions in x and y, bins of the rim. */
static void cutcp_twin(struct thread *t)
{
    int64_t rim = t->n.k, tid = t->y % 16 * 8 + t->x % 8;
    int64_t region[3] = {t->x / 8, t->y / 16, t->launch}, wide = t->n.i + 2 * rim,
            high = t->n.j + 2 * rim;
    float reach = (float)t->n.l + sqrtf(3) * 4;
    int64_t number = 0;
    for (int64_t z = -rim; z <= rim; z++)
        for (int64_t y = -rim; y <= rim; y++)
            for (int64_t x = -rim; x <= rim; x++) {
                if ((float)((x * x + y * y + z * z) * 16) >= reach * reach)
                    continue;
                int64_t bin = ((region[2] + z + rim) * high + region[1] + y + rim) * wide +
                              region[0] + x + rim;
                if (number++ % 8 != tid / 16)
                    continue;
                load(t, "bins", 32 * bin + tid % 16);
                load(t, "bins", 32 * bin + tid % 16 + 16);
            }
    int64_t own = 512 * ((region[2] * t->n.j + region[1]) * t->n.i + region[0]);
    for (int64_t i = 0; i < 4; i++)
        store(t, "regions", own + tid / 16 * 64 + tid % 16 + 16 * i);
}

static void check_cutcp(const char *text, int64_t cutoff)
{
    struct trace_source *source = open_program("CUTCP", text);
    const struct trace_launch *launch = &source->launches[0];
    assert_int_equal(launch->block[0], 8);
    assert_int_equal(launch->block[1], 2);
    assert_int_equal(launch->block[2], 8);
    check_twin(source,
               (struct sizes){launch->grid[0], launch->grid[1], (cutoff + 3) / 4, cutoff, 0},
               cutcp_twin);
    trace_source_free(source);
}

static void cutcp_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    check_cutcp("length=14,cutoff=12", 12);
    check_cutcp("length=9,cutoff=3", 3);
    check_cutcp("length=7,cutoff=20", 20);
}

/* What the order of pixels makes of the counts of HISTO, byte by byte. */
struct effect {
    int64_t atomics; /* on the overflow counts of the bin and those after it */
    bool adds;
};

static struct effect *effects;

static int64_t histo_bin(const struct thread *t, int64_t pixel)
{
    int64_t row = pixel / t->n.i, place = pixel % t->n.i, half = (t->n.i + 1) / 2;
    int64_t column = place < half ? 2 * place : 2 * (place - half) + 1;
    return uploaded_word("input", row * 2 * half + column);
}

/* Counts one pixel of a warp: returns how many bytes change beside its own. */
static int64_t count_byte(uint8_t *bytes, int64_t bin)
{
    int64_t over = 0;
    while (++bytes[bin] == 0) { /* it ran over, the next byte of the word gets one */
        over++;
        if (bin++ % 4 == 3)
            break;
    }
    return over;
}

/* Sizes: width, height, first and last part, all bins. */
static void find_effects(const struct thread *t)
{
    int64_t pixels = t->n.i * t->n.j;
    uint8_t *bytes = malloc((size_t)t->n.m);
    uint32_t *outside = calloc((size_t)t->n.m, sizeof *outside);
    effects = calloc((size_t)pixels, sizeof *effects);
    assert_non_null(bytes);
    assert_non_null(outside);
    assert_non_null(effects);
    for (int64_t column = 0; column < 14; column++) {
        memset(bytes, 0, (size_t)t->n.m);
        for (int64_t first = 0; first < pixels; first += 32) {
            int64_t end = least(first + 32, pixels);
            if (first / 768 % 14 != column)
                continue;
            for (int64_t p = first; p < end; p++) {
                int64_t bin = histo_bin(t, p), part = bin / 24576;
                if (part < t->n.k || part > t->n.l) {
                    effects[p].adds = outside[bin] < 255;
                    continue;
                }
                int64_t over = count_byte(bytes, bin), behind = 3 - bin % 4;
                effects[p].atomics = over ? 1 + least(over, behind) : 0;
            }
            for (int64_t p = first; p < end; p++)
                outside[histo_bin(t, p)] += effects[p].adds;
        }
    }
    free(bytes);
    free(outside);
}

static void prescan_twin(struct thread *t)
{
    int64_t stride = t->n.i * t->n.j / 64, first = t->x / 512 * stride, end = first + stride / 8;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = first + t->x % 512; i < end; i += 512)
            load(t, "input", i);
    if (t->x % 512)
        return;
    touch(t, OP_ATOMIC, "ranges", 0);
    touch(t, OP_ATOMIC, "ranges", 1);
}

/* The mappings of a row; those of rows that the image does not have lie behind the array. */
static void store_mapping(struct thread *t, int64_t index)
{
    const uint64_t base = program_find_array(t->source, "mappings")->base;
    touch_space(t, OP_STORE, SPACE_GLOBAL, 4, base + 4 * (uint64_t)index);
}

static void intermediates_twin(struct thread *t)
{
    int64_t half = (t->n.i + 1) / 2, thread = t->x % half;
    for (int64_t row = t->x / half * 16; row < t->x / half * 16 + 16; row++) {
        touch_bytes(t, OP_LOAD, "input", (uint64_t)(8 * (row * half + thread)), 8);
        store_mapping(t, row * t->n.i + thread);
        if (2 * thread + 1 < t->n.i)
            store_mapping(t, row * t->n.i + half + thread);
    }
}

static void main_twin(struct thread *t)
{
    int64_t column = t->x / 768, part = t->n.k + t->y;
    for (int64_t p = t->x; p < t->n.i * t->n.j; p += 14 * 768) {
        int64_t bin = histo_bin(t, p);
        load(t, "mappings", p);
        for (int64_t i = 0; bin / 24576 == part && i < effects[p].atomics; i++)
            touch(t, OP_ATOMIC, "overflow", bin + i);
        if (t->y || (bin / 24576 >= t->n.k && bin / 24576 <= t->n.l))
            continue;
        load(t, "outside", bin / 2);
        if (effects[p].adds)
            touch(t, OP_ATOMIC, "outside", bin / 2);
    }
    for (int64_t i = t->x % 768; i < 6144; i += 768)
        store(t, "partial", column * (t->n.m / 4) + part * 6144 + i);
}

static void final_twin(struct thread *t)
{
    int64_t low = t->n.k * 6144, high = (t->n.l + 1) * 6144, threads = 42 * 512;
    const int64_t from[3] = {0, low, high}, to[3] = {low, high, t->n.m / 4};
    for (int loop = 0; loop < 3; loop++)
        for (int64_t i = from[loop] + t->x; i < to[loop]; i += threads) {
            const char *array = loop == 1 ? "overflow" : "outside";
            unsigned bytes = loop == 1 ? 16 : 8;
            touch_bytes(t, OP_LOAD, array, (uint64_t)i * bytes, bytes);
            touch_bytes(t, OP_STORE, array, (uint64_t)i * bytes, bytes);
            for (int64_t column = 0; loop == 1 && column < 14; column++)
                load(t, "partial", i + column * (t->n.m / 4));
            store(t, "result", i);
        }
}

static void histo_twin(struct thread *t)
{
    static void (*const twins[4])(struct thread *) = {prescan_twin, intermediates_twin, main_twin,
                                                      final_twin};
    twins[t->launch % 4](t);
}

static void check_histo(int64_t width, int64_t height, int64_t bins_y, int64_t spread)
{
    char text[100];
    snprintf(text, sizeof text, "width=%d,height=%d,bins_y=%d,spread=%d", (int)width, (int)height,
             (int)bins_y, (int)spread);
    open_trial(&uploaded, "HISTO", text);
    staged_upload(uploaded.source, &uploaded.device);
    assert_int_equal(program_run(uploaded.source, &uploaded.device, NULL), STATUS_OK);
    struct sizes n = {width, height, uploaded_word("ranges", 0), uploaded_word("ranges", 1),
                      256 * bins_y};
    struct thread any = {.source = uploaded.source, .n = n};
    find_effects(&any);
    check_twin(uploaded.source, n, histo_twin);
    free(effects);
    free_trial(&uploaded);
}

static void histo_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    check_histo(512, 512, 512, 24);
    check_histo(513, 512, 256, 1);
    check_histo(201, 160, 300, 1);
    check_histo(64, 48, 1, 0);
    check_histo(201, 150, 300, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lbm_makes_the_accesses_of_its_twin),
        cmocka_unit_test(sgemm_makes_the_accesses_of_its_twin),
        cmocka_unit_test(stencil_makes_the_accesses_of_its_twin),
        cmocka_unit_test(mriq_makes_the_accesses_of_its_twin),
        cmocka_unit_test(spmv_makes_the_accesses_of_its_twin),
        cmocka_unit_test(cutcp_makes_the_accesses_of_its_twin),
        cmocka_unit_test(histo_makes_the_accesses_of_its_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
