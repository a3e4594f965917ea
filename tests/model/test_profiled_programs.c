/* The programs after kernels that GPUs were profiled with: their values against plain loops, and
 * the requests and sectors that profilers counted, exactly (docs/WORKLOADS.md). */
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
#include "model/gpu/stream_stats.h"
#include "support/program_trial.h"

/* Fills an array of words with numbers that do not repeat soon. */
static void fill_words(struct trial *trial, const char *array, int count)
{
    uint32_t *words = trial_memory(trial, array);
    for (int i = 0; i < count; i++)
        words[i] = (uint32_t)i * 2654435761u + 12345;
}

static void check_sums(const char *parameters, int rows, int columns, bool down)
{
    struct trial trial;
    open_trial(&trial, "SUMS", parameters);
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    float *sums = trial_copy(&trial, "sums");
    for (int t = 0; t < (down ? columns : rows); t++) {
        sums[t] = 0;
        for (int i = 0; i < (down ? rows : columns); i++)
            sums[t] += down ? a[i * columns + t] : a[t * columns + i];
    }
    close_trial(&trial);
}

static void sums_compute(void **state)
{
    (void)state;
    check_sums("rows=70,columns=41", 70, 41, false);
    check_sums("rows=41,columns=70,down=1,block_x=48", 41, 70, true);
    check_sums("rows=33,columns=3,unroll=4", 33, 3, false);
    check_sums("rows=5,columns=40,unroll=1", 5, 40, false);
    refuse_program("SUMS", "columns=40,pitch=39", "pitch must not be less than the 40 columns");
    refuse_program("SUMS", "rows=1000000,columns=1000000", "2^32");
}

static void check_vectors(const char *parameters, int n, int stride, int operands, int loop)
{
    struct trial trial;
    open_trial(&trial, "VECTORS", parameters);
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A");
    const float *b = operands == 2 ? trial_copy(&trial, "B") : NULL;
    float *c = trial_copy(&trial, "C");
    for (int i = 0; i < n; i += stride) {
        float value = a[i] + (b ? b[i] : 0);
        for (int k = 0; k < loop; k++)
            value += 0.0001f;
        c[i] = value;
    }
    close_trial(&trial);
}

static void vectors_compute(void **state)
{
    (void)state;
    check_vectors("n=1000", 1000, 1, 2, 0);
    check_vectors("n=1000,operands=1,stride=8", 1000, 8, 1, 0);
    check_vectors("n=960,grid=3,block_x=64", 960, 1, 2, 0);
    check_vectors("n=100,loop=3", 100, 1, 2, 3);
    check_vectors("n=70,loop=35", 70, 1, 2, 35);            /* 2 x 16 steps, and 3 */
    check_vectors("n=1000,grid=3", 1000, 1, 2, 0);          /* 768 threads, of which 232 go twice */
    check_vectors("n=100,grid=3,block_x=64", 100, 1, 2, 0); /* most threads have nothing to do */
}

static void matrices_add(void **state)
{
    (void)state;
    for (int down = 0; down < 2; down++) {
        struct trial trial;
        open_trial(&trial, "MATADD", down ? "n=37,down=1,block_x=16" : "n=37");
        trial_run(&trial);
        const float *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
        float *c = trial_copy(&trial, "C");
        for (int i = 0; i < 37 * 37; i++)
            c[i] = a[i] + b[i];
        close_trial(&trial);
    }
}

/* Words of an element, and which sides walk down. */
static void check_transpose(const char *parameters, int width, int height, int words,
                            bool load_down, bool store_down)
{
    struct trial trial;
    open_trial(&trial, "TRANSPOSE", parameters);
    fill_words(&trial, "in", width * height * words);
    trial_run(&trial);
    const uint32_t *in = trial_copy(&trial, "in");
    uint32_t *out = trial_copy(&trial, "out");
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int from = load_down ? x * height + y : y * width + x;
            const int to = store_down ? x * height + y : y * width + x;
            memcpy(out + to * words, in + from * words, 4 * (size_t)words);
        }
    close_trial(&trial);
}

/* A tile holds what the threads of a block load, each row with its padding. */
static void tiles_of_transposes_lie_in_shared_memory(void **state)
{
    static const struct {
        const char *parameters;
        uint32_t bytes;
    } tiles[] = {{"n=64,tile=1,bytes=8,pad=1,block_y=16", 16 * (32 + 1) * 8},
                 {"n=64,tile=2,bytes=4,pad=1,block_y=16", 32 * (16 + 1) * 4},
                 {"n=64", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        struct trace_source *source = open_program("TRANSPOSE", tiles[i].parameters);
        assert_int_equal(source->launches[0].shared_bytes, tiles[i].bytes);
        trace_source_free(source);
    }
}

static void transposes_compute(void **state)
{
    (void)state;
    check_transpose("width=37,height=21", 37, 21, 1, false, true);
    check_transpose("width=70,height=9,load_down=1,store_down=0,bytes=8", 70, 9, 2, true, false);
    check_transpose("width=40,height=20,load_down=1", 40, 20, 1, true, true);
    check_transpose("width=150,height=20,store_down=0,tiles=4,block_y=16", 150, 20, 1, false,
                    false);
    for (int tile = 1; tile <= 2; tile++)
        for (int bytes = 4; bytes <= 8; bytes += 4)
            for (int pad = 0; pad < 2; pad++) {
                char text[100];
                snprintf(text, sizeof text, "width=96,height=64,tile=%d,bytes=%d,pad=%d,block_y=16",
                         tile, bytes, pad);
                check_transpose(text, 96, 64, bytes / 4, false, true);
            }
    for (int tile = 1; tile <= 2; tile++) {
        char text[100];
        snprintf(text, sizeof text, "width=70,height=41,tile=%d,pad=1,block_y=16", tile);
        check_transpose(text, 70, 41, 1, false, true);
        snprintf(text, sizeof text, "width=29,height=31,tile=%d,block_x=15,block_y=9", tile);
        check_transpose(text, 29, 31, 1, false, true);
    }
    refuse_program("TRANSPOSE", "n=64,bytes=6", "bytes must be 4 or 8");
}

/* The tree in place: as all lanes of the last warp make their steps together, the words after the
 * first ones change, too. */
static void fold(uint32_t *words, int count, int threads, bool alone)
{
    for (int distance = threads / 2; distance; distance /= 2) {
        uint32_t before[1024];
        memcpy(before, words, 4 * (size_t)count);
        for (int t = 0; t < (alone && distance <= 32 ? 32 : distance); t++)
            if (t + distance < count)
                words[t] = before[t] + before[t + distance];
    }
}

static void check_reduce(const char *parameters, int n, int vectors, int part, int results)
{
    struct trial trial;
    open_trial(&trial, "REDUCE", parameters);
    fill_words(&trial, "A", n);
    if (vectors == 2)
        fill_words(&trial, "B", n);
    memset(trial_memory(&trial, "result"), 0, 4 * (size_t)results);
    trial_run(&trial);
    const uint32_t *a = trial_copy(&trial, "A");
    const uint32_t *b = vectors == 2 ? trial_copy(&trial, "B") : NULL;
    uint32_t *result = trial_copy(&trial, "result");
    for (int i = 0; i < n; i++)
        result[results == 1 ? 0 : i / part] += a[i] * (b ? b[i] : 1);
    close_trial(&trial);
}

static void reductions_compute(void **state)
{
    (void)state;
    check_reduce("n=1024", 1024, 1, 256, 4);
    check_reduce("n=1024,each=4,block_x=128", 1024, 1, 512, 2);
    check_reduce("n=4096,vectors=2,each=2", 4096, 2, 512, 8);
    check_reduce("n=7168,each=7,order=2", 7168, 1, 1792, 4);
    check_reduce("n=8192,each=4,at_once=2", 8192, 1, 1024, 8);
    check_reduce("n=4096,width=4,block=2,each=1", 4096, 1, 1024, 4);
    check_reduce("n=6144,grid=3,atomic=1,order=1,block=2", 6144, 1, 6144, 1);
    check_reduce("n=6144,grid=3,atomic=1,order=1,alone=1", 6144, 1, 6144, 1);
    check_reduce("n=5000,grid=3,atomic=1,order=1", 5000, 1, 5000, 1);
    check_reduce("n=512,block=0,atomic=1", 512, 1, 512, 1);
    check_reduce("n=1000", 1000, 1, 256, 4);
    check_reduce("n=1,block_x=32", 1, 1, 32, 1);
    check_reduce("n=777,block_x=32,alone=1", 777, 1, 32, 25);
    check_reduce("n=1301,each=7,block_x=64", 1301, 1, 448, 3);
    check_reduce("n=1301,each=4,order=2,block=2,block_x=96", 1301, 1, 384, 4);
    check_reduce("n=1996,width=4,order=2,vectors=2", 1996, 2, 1024, 2);
    check_reduce("n=5000,grid=3,atomic=1", 5000, 1, 5000, 1);
    check_reduce("n=700,block=0,atomic=1,block_x=100", 700, 1, 700, 1);
    check_reduce("n=701,block=0,atomic=1,each=2", 701, 1, 701, 1);
    refuse_program("REDUCE", "n=1023,width=2",
                   "multiple of width, the 2 words of a load, got 1023");
    refuse_program("REDUCE", "n=1024,block_x=96", "power of two from 32 on, got 96");
    refuse_program("REDUCE", "n=1024,block=2,block_x=100", "whole warps of 32, got 100");
    refuse_program("REDUCE", "n=1024,block=3,width=2", "has no grid, width and vectors");
}

static void check_tree_in_memory(int n, bool alone)
{
    struct trial trial;
    char text[100];
    snprintf(text, sizeof text, "n=%d,block=3,alone=%d", n, alone);
    open_trial(&trial, "REDUCE", text);
    fill_words(&trial, "A", n);
    trial_run(&trial);
    uint32_t *a = trial_copy(&trial, "A"), *result = trial_copy(&trial, "result");
    for (int first = 0; first < n; first += 256) {
        fold(a + first, n - first < 256 ? n - first : 256, 256, alone);
        result[first / 256] = a[first];
    }
    close_trial(&trial);
}

static void a_tree_in_memory_computes(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        check_tree_in_memory(1024, alone);
        check_tree_in_memory(1000, alone);
        check_tree_in_memory(257, alone);
    }
}

static void multiply(const float *a, const float *b, float *c, int ni, int nj, int nk, bool update)
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            float sum = 0;
            for (int k = 0; k < nk; k++)
                sum += a[i * nk + k] * b[k * nj + j];
            c[i * nj + j] = update ? sum + c[i * nj + j] : sum;
        }
}

static void check_product(const char *name, const char *parameters, int ni, int nj, int nk,
                          bool update)
{
    struct trial trial;
    open_trial(&trial, name, parameters);
    trial_run(&trial);
    multiply(trial_copy(&trial, "A"), trial_copy(&trial, "B"), trial_copy(&trial, "C"), ni, nj, nk,
             update);
    close_trial(&trial);
}

static void a_batch_of_products_computes(void **state)
{
    (void)state;
    enum { NI = 21, NJ = 35, NK = 18, BATCH = 3 };
    struct trial trial;
    open_trial(&trial, "MATMUL-TILED", "ni=21,nj=35,nk=18,tile=16,batch=3");
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
    float *c = trial_copy(&trial, "C");
    for (int i = 0; i < BATCH; i++)
        multiply(a + i * NI * NK, b + i * NK * NJ, c + i * NI * NJ, NI, NJ, NK, false);
    close_trial(&trial);
}

static void products_compute(void **state)
{
    (void)state;
    check_product("MATMUL", "ni=19,nj=41,nk=23", 19, 41, 23, false);
    check_product("MATMUL", "ni=41,nj=19,nk=8,order=1,update=1", 41, 19, 8, true);
    check_product("MATMUL", "ni=70,nj=41,nk=3,order=2,unroll=1,block_x=32", 70, 41, 3, false);
    check_product("MATMUL-TILED", "n=64", 64, 64, 64, false);
    check_product("MATMUL-TILED", "n=48,tile=16", 48, 48, 48, false);
    check_product("MATMUL-TILED", "n=50,tile=16", 50, 50, 50, false);
    check_product("MATMUL-TILED", "n=33", 33, 33, 33, false);
    check_product("MATMUL-TILED", "n=30,tile=12", 30, 30, 30, false);
    check_product("MATMUL-TILED", "n=23,tile=20", 23, 23, 23, false);
    check_product("MATMUL-TILED", "ni=19,nj=41,nk=23,tile=16", 19, 41, 23, false);
    refuse_program("MATMUL-TILED", "tile=10", "a multiple of 4, the elements of A that");
}

/* Two floats side by side make no usual double, so the factors are filled anew. */
static void double_products_compute(void **state)
{
    (void)state;
    enum { NI = 41, NJ = 19, NK = 23 };
    struct trial trial;
    open_trial(&trial, "MATMUL", "ni=41,nj=19,nk=23,bytes=8");
    double *factors[2] = {trial_memory(&trial, "A"), trial_memory(&trial, "B")};
    for (int i = 0; i < NI * NK; i++)
        factors[0][i] = 1.0 / (i + 3);
    for (int i = 0; i < NK * NJ; i++)
        factors[1][i] = sqrt(i);
    trial_run(&trial);
    const double *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
    double *c = trial_copy(&trial, "C");
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            c[i * NJ + j] = 0;
            for (int k = 0; k < NK; k++)
                c[i * NJ + j] += a[i * NK + k] * b[k * NJ + j];
        }
    close_trial(&trial);
    refuse_program("MATMUL", "bytes=6", "bytes must be 4 or 8");
}

static void check_filter(const char *parameters, int n, int size)
{
    struct trial trial;
    open_trial(&trial, "FILTER", parameters);
    trial_run(&trial);
    const float *image = trial_copy(&trial, "image"), *weights = trial_copy(&trial, "weights");
    float *result = trial_copy(&trial, "result");
    for (int y = 0; y <= n - size; y++)
        for (int x = 0; x <= n - size; x++) {
            float sum = 0;
            for (int k = 0; k < size * size; k++)
                sum += image[(y + k / size) * n + x + k % size] * weights[k];
            result[y * n + x] = sum;
        }
    close_trial(&trial);
}

static void filter_computes(void **state)
{
    (void)state;
    check_filter("n=37,size=5", 37, 5);
    check_filter("n=40,size=3", 40, 3);
    check_filter("n=40,size=9", 40, 9); /* loops */
    refuse_program("FILTER", "n=4,size=5", "fewer rows");
}

static void histogram_computes(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "HISTOGRAM", "n=1000,values=50");
    staged_upload(trial.source, &trial.device);
    memset(trial_memory(&trial, "bins"), 0, 4 * 256);
    trial_run(&trial);
    const uint32_t *data = trial_copy(&trial, "data");
    uint32_t *bins = trial_copy(&trial, "bins");
    for (int i = 0; i < 1000; i++)
        bins[data[i]]++;
    close_trial(&trial);
}

static void check_atomics(const char *parameters, uint32_t n, uint32_t each, uint32_t words)
{
    struct trial trial;
    open_trial(&trial, "ATOMICS", parameters);
    memset(trial_memory(&trial, "counters"), 0, 4 * words);
    trial_run(&trial);
    uint32_t *counters = trial_copy(&trial, "counters");
    for (uint32_t i = 0; i < n; i++)
        counters[i % words] += each;
    close_trial(&trial);
}

static void atomics_compute(void **state)
{
    (void)state;
    check_atomics("n=1000,each=7", 1000, 7, 1);
    check_atomics("n=1000,each=3,float=1", 1000, 3, 1);
    check_atomics("n=1000,each=2,words=37,block_x=96", 1000, 2, 37);
}

static void gather_computes(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "GATHER", "n=1000,span=300");
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint32_t *index = trial_copy(&trial, "index"), *a = trial_copy(&trial, "A");
    uint32_t *b = trial_copy(&trial, "B");
    for (int i = 0; i < 1000; i++)
        b[i] = a[index[i]];
    close_trial(&trial);
}

/* The definition: element k is the sum of all elements, each less where it shares an odd number of
 * bits with k. Floats of 2^12 elements that are small whole numbers add up exactly in any order. */
static void check_walsh(int log2_n, const char *parameters)
{
    const int n = 1 << log2_n;
    struct trial trial;
    open_trial(&trial, "FWT", parameters);
    float *in = trial_memory(&trial, "data");
    for (int i = 0; i < n; i++)
        in[i] = (float)((i * 37 + i / 100) % 9 - 4);
    float *whole = malloc((size_t)n * sizeof *whole);
    assert_non_null(whole);
    memcpy(whole, in, (size_t)n * sizeof *whole);
    trial_run(&trial);
    float *out = trial_copy(&trial, "data");
    for (int k = 0; k < n; k++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += __builtin_parity((unsigned)(i & k)) ? -whole[i] : whole[i];
        out[k] = sum;
    }
    free(whole);
    close_trial(&trial);
}

static void walsh_transform_computes(void **state)
{
    (void)state;
    check_walsh(11, "log2_n=11");
    check_walsh(12, "log2_n=12");
    check_walsh(14, "log2_n=14");
}

static float cosine(int sample, int frequency)
{
    return (float)(sqrt(frequency ? 2.0 / 8 : 1.0 / 8) *
                   cos((2 * sample + 1) * frequency * (acos(-1) / 16)));
}

/* C^T X C of each block, with sums in the order of the samples. */
static void transform_block(const float *image, float *out, int width)
{
    float half[8][8];
    for (int v = 0; v < 8; v++)
        for (int x = 0; x < 8; x++) {
            half[v][x] = 0;
            for (int i = 0; i < 8; i++)
                half[v][x] += cosine(i, v) * image[i * width + x];
        }
    for (int v = 0; v < 8; v++)
        for (int u = 0; u < 8; u++) {
            float sum = 0;
            for (int i = 0; i < 8; i++)
                sum += cosine(i, u) * half[v][i];
            out[v * width + u] = sum;
        }
}

static void cosine_transform_computes(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "DCT", "width=40,height=24");
    trial_run(&trial);
    const float *image = trial_copy(&trial, "image");
    float *out = trial_copy(&trial, "out");
    for (int row = 0; row < 24; row += 8)
        for (int column = 0; column < 40; column += 8)
            transform_block(image + 40 * row + column, out + 40 * row + column, 40);
    close_trial(&trial);
    refuse_program("DCT", "width=42", "multiples of 8, got 42");
}

/* Kernel by kernel what srad_v2 computes, with the image as its own neighbour beyond the edges. */
static float speed_of(const float *image, int rows, int columns, int at, float noise, float d[4])
{
    const int y = at / columns, x = at % columns;
    const int around[4] = {y ? at - columns : at, y < rows - 1 ? at + columns : at, x ? at - 1 : at,
                           x < columns - 1 ? at + 1 : at};
    float squares = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        d[i] = image[around[i]] - image[at];
        squares += d[i] * d[i];
        sum += d[i];
    }
    const float gradient = squares / (image[at] * image[at]), laplace = sum / image[at];
    const float num = (float)(0.5 * (double)gradient - 1.0 / 16.0 * (double)(laplace * laplace)),
                den = (float)(1 + 0.25 * (double)laplace), ratio = num / (den * den);
    const float excess = (ratio - noise) / (noise * (1 + noise));
    const float speed = (float)(1.0 / (1.0 + (double)excess));
    return speed < 0 ? 0 : speed > 1 ? 1 : speed;
}

static float noise_of(const float *image, int rows, int columns)
{
    float sum = 0, squares = 0;
    const int height = rows < 128 ? rows : 128, width = columns < 128 ? columns : 128;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            sum += image[y * columns + x];
            squares += image[y * columns + x] * image[y * columns + x];
        }
    const float count = (float)(width * height), mean = sum / count;
    return (squares / count - mean * mean) / (mean * mean);
}

static void check_diffusion(const char *parameters, int rows, int columns, int steps)
{
    struct trial trial;
    open_trial(&trial, "SRAD", parameters);
    float *pixels = trial_memory(&trial, "J");
    for (int i = 0; i < rows * columns; i++)
        pixels[i] = 1 + (float)(i * 7919 % 1000) / 1000;
    trial_run(&trial);
    float *image = trial_copy(&trial, "J"), *speeds = trial_copy(&trial, "C"),
          *north = trial_copy(&trial, "N_C"), *south = trial_copy(&trial, "S_C"),
          *west = trial_copy(&trial, "W_C"), *east = trial_copy(&trial, "E_C");
    for (int step = 0; step < steps; step++) {
        const float noise = noise_of(image, rows, columns);
        for (int i = 0; i < rows * columns; i++) {
            float d[4];
            speeds[i] = speed_of(image, rows, columns, i, noise, d);
            north[i] = d[0];
            south[i] = d[1];
            west[i] = d[2];
            east[i] = d[3];
        }
        for (int i = 0; i < rows * columns; i++) {
            const int below = i / columns < rows - 1 ? i + columns : i,
                      right = i % columns < columns - 1 ? i + 1 : i;
            float sum = speeds[i] * north[i];
            sum += speeds[below] * south[i];
            sum += speeds[i] * west[i];
            sum += speeds[right] * east[i];
            image[i] = (float)((double)image[i] + 0.25 * 0.5 * (double)sum);
        }
    }
    close_trial(&trial);
}

static void diffusion_computes(void **state)
{
    (void)state;
    check_diffusion("rows=32,columns=48,steps=2", 32, 48, 2);
    check_diffusion("rows=160,columns=144,steps=1", 160, 144, 1);
    refuse_program("SRAD", "rows=40", "multiples of 16, got 40 and 2048");
}

static void check_bytes(const char *parameters, int bytes, int values)
{
    struct trial trial;
    open_trial(&trial, "HISTOGRAM64", parameters);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint8_t *data = trial_copy(&trial, "data");
    uint32_t *histogram = trial_copy(&trial, "histogram"), *partial = trial_copy(&trial, "partial");
    const int blocks = (bytes + 15359) / 15360;
    memset(histogram, 0, 64 * sizeof *histogram);
    memset(partial, 0, 64 * (size_t)blocks * sizeof *partial);
    for (int i = 0; i < bytes; i++) {
        assert_true(data[i] < values);
        histogram[data[i] / 4]++;
        partial[i / 16 / 64 % blocks * 64 + data[i] / 4]++;
    }
    close_trial(&trial);
}

static void bytes_are_counted(void **state)
{
    (void)state;
    check_bytes("bytes=16", 16, 256);
    check_bytes("bytes=40000", 40000, 256);
    check_bytes("bytes=307200,values=5,seed=9", 307200, 5);
    check_bytes("bytes=4300800", 4300800, 256); /* 280 blocks: two loads of a thread that adds up */
    refuse_program("HISTOGRAM64", "bytes=100", "multiple of 16, got 100");
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Equal keys stay in their order. What else is written holds ranks and runs of some round. */
static void check_sort(const char *parameters, size_t count)
{
    static const char *const others[] = {"other_key", "other_value", "ranks_a",
                                         "ranks_b",   "limits_a",    "limits_b"};
    struct trial trial;
    open_trial(&trial, "MERGESORT", parameters);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint32_t *from = trial_copy(&trial, "from_key");
    uint32_t *keys = trial_copy(&trial, "key"), *values = trial_copy(&trial, "value");
    uint64_t *pairs = malloc(count * sizeof *pairs);
    assert_non_null(pairs);
    for (size_t i = 0; i < count; i++)
        pairs[i] = (uint64_t)from[i] << 32 | i;
    qsort(pairs, count, sizeof *pairs, compare_words);
    for (size_t i = 0; i < count; i++) {
        keys[i] = (uint32_t)(pairs[i] >> 32);
        values[i] = (uint32_t)pairs[i];
    }
    free(pairs);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        memcpy(trial_copy(&trial, others[i]), trial_memory(&trial, others[i]),
               (i < 2 ? count : count / 128) * sizeof(uint32_t));
    close_trial(&trial);
}

static void pairs_are_sorted(void **state)
{
    (void)state;
    check_sort("n=2048", 2048);
    check_sort("n=4096,seed=7,values=3", 4096); /* the last round reads the other arrays */
    check_sort("n=32768,seed=2", 32768);
    check_sort("n=8192,values=1", 8192);
    refuse_program("MERGESORT", "n=3000", "power of two, got 3000");
}

/* The first launch alone: its stores lie in the output by coordinate, and each point takes in the
 * words of the table whose bits are set in its number, 4 B apart, 31 words a coordinate. */
struct points {
    uint64_t output, stores, reads;
    int n;
};

static void watch_points(void *context, uint32_t launch, uint64_t block, uint32_t warp,
                         const struct access_window *window)
{
    struct points *points = context;
    const uint64_t row = warp / 4, first = block * 128 + warp % 4 * 32;
    for (uint32_t r = 0; launch == 0 && r < window->count; r++) {
        const struct warp_access *access = &window->items[r];
        uint64_t addresses[WARP_SIZE], *next = addresses;
        access_addresses(access, window, addresses);
        for (uint32_t left = access->mask; left; left &= left - 1, next++) {
            const uint64_t point = first + (uint64_t)__builtin_ctz(left);
            if (access->op == OP_STORE) {
                assert_int_equal(*next, points->output + 4 * (row * (uint64_t)points->n + point));
                points->stores++;
            } else {
                assert_int_equal(*next / 4 / 31, row);
                assert_true(point >> *next / 4 % 31 & 1);
                points->reads++;
            }
        }
    }
}

static void points_read_the_table(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "QUASIRANDOM", "n=6000");
    struct points points = {program_find_array(trial.source, "output")->base, 0, 0, 6000};
    trial.device.observe = watch_points;
    trial.device.context = &points;
    assert_int_equal(program_run(trial.source, &trial.device, NULL), STATUS_OK);
    uint64_t bits = 0;
    for (unsigned i = 0; i < 6000; i++)
        bits += (uint64_t)__builtin_popcount(i);
    assert_int_equal(points.stores, 3 * 6000);
    assert_int_equal(points.reads, 3 * bits);
    free_trial(&trial);
}

static void variates_are_normal(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "QUASIRANDOM", "n=6000");
    trial_run(&trial);
    const float *variates = trial_memory(&trial, "output");
    const int count = 3 * 6000;
    for (int i = 0; i < count; i++) {
        /* The share of the normal distribution below a variate is its place in the sequence. */
        const double share = 0.5 * erfc(-(double)variates[i] / sqrt(2.0));
        assert_true(fabs(share - (i + 1.0) / (count + 1)) < 1e-5);
        assert_true(i == 0 || variates[i] > variates[i - 1]);
    }
    free_trial(&trial);
}

/* Lanes add up every 32nd element, then pairs of lanes that are 16, 8, 4, 2 and 1 apart. */
static float add_lanes(float lanes[32])
{
    for (int distance = 16; distance; distance /= 2)
        for (int lane = 0; lane < distance; lane++)
            lanes[lane] += lanes[lane + distance];
    return lanes[0];
}

static void check_layernorm(const char *parameters, int rows, int columns)
{
    struct trial trial;
    open_trial(&trial, "LAYERNORM", parameters);
    trial_run(&trial);
    const float *x = trial_copy(&trial, "x"), *weight = trial_copy(&trial, "weight"),
                *bias = trial_copy(&trial, "bias");
    float *out = trial_copy(&trial, "out"), *mean = trial_copy(&trial, "mean"),
          *scale = trial_copy(&trial, "scale");
    for (int row = 0; row < rows; row++) {
        const float *in = x + row * columns;
        float sums[32] = {0}, squares[32] = {0};
        for (int i = 0; i < columns; i++)
            sums[i % 32] += in[i];
        mean[row] = add_lanes(sums) / (float)columns;
        for (int i = 0; i < columns; i++)
            squares[i % 32] += (in[i] - mean[row]) * (in[i] - mean[row]);
        scale[row] = 1 / sqrtf(add_lanes(squares) / (float)columns + 1e-5f);
        for (int i = 0; i < columns; i++)
            out[row * columns + i] = (in[i] - mean[row]) * scale[row] * weight[i] + bias[i];
    }
    close_trial(&trial);
}

static void layernorm_computes(void **state)
{
    (void)state;
    check_layernorm("rows=5,columns=300", 5, 300);
    check_layernorm("rows=9,columns=31,block_x=64", 9, 31);
    check_layernorm("rows=8,columns=128,block_x=32", 8, 128);
    refuse_program("LAYERNORM", "block_x=48", "a multiple of 32");
}

static void check_residual(const char *parameters, int n, const char *out)
{
    struct trial trial;
    open_trial(&trial, "RESIDUAL", parameters);
    trial_run(&trial);
    const float *a = trial_copy(&trial, "A"), *b = trial_copy(&trial, "B");
    float *sums = trial_copy(&trial, out);
    for (int i = 0; i < n; i++)
        sums[i] = a[i] + b[i];
    close_trial(&trial);
}

static void residual_computes(void **state)
{
    (void)state;
    check_residual("n=1000", 1000, "out");
    check_residual("n=1002,width=2,block_x=96", 1002, "out");
    check_residual("n=999,width=1,in_place=1", 999, "A");
    refuse_program("RESIDUAL", "n=8,width=3", "1, 2 or 4");
    refuse_program("RESIDUAL", "n=9", "n a multiple of it");
}

/* The sums of a second walk over the drawn pages, a warp at a time. */
static void pages_add_up(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "PAGES", "pages=50,loads=7,seed=3,blocks=2,block_x=64");
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint32_t *words = trial_copy(&trial, "pages");
    uint32_t *sums = trial_copy(&trial, "sums");
    for (uint64_t warp = 0; warp < 4; warp++) {
        uint32_t sum = 0;
        for (uint64_t i = 0; i < 7; i++)
            sum += words[1024 * random_below(random_at(3, 7 * warp + i), 50)];
        for (int lane = 0; lane < 32; lane++)
            sums[32 * warp + (uint64_t)lane] = sum;
    }
    close_trial(&trial);
    refuse_program("PAGES", "block_x=48", "multiple of 32");
}

static void chase_follows_its_ring(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "CHASE", "bytes=1000,stride=128,steps=19");
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint32_t *ring = trial_copy(&trial, "ring");
    uint32_t at = 0;
    for (int i = 0; i < 19; i++)
        at = ring[at];
    *(uint32_t *)trial_copy(&trial, "last") = at;
    close_trial(&trial);

    /* Far apart: the words of the ring, each once, no two neighbours. */
    open_trial(&trial, "CHASE", "bytes=12800,stride=128,steps=100,order=1");
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    ring = trial_copy(&trial, "ring");
    bool seen[100] = {false};
    at = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(at % 32, 0);
        assert_false(seen[at / 32]);
        seen[at / 32] = true;
        assert_true(abs((int)ring[at] - (int)at) > 10 * 32);
        at = ring[at];
    }
    assert_int_equal(at, 0);
    *(uint32_t *)trial_copy(&trial, "last") = at;
    close_trial(&trial);
    refuse_program("CHASE", "stride=6", "multiples of 4");
}

static void strides_add_products(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "STRIDES", "loads=24,stride=3,block_x=100");
    trial_run(&trial);
    const float *data = trial_copy(&trial, "data");
    double *sums = trial_copy(&trial, "sums");
    for (int t = 0; t < 100; t++) {
        sums[t] = 0;
        for (int k = 0; k < 24; k += 2) {
            const float *pair = data + t % 64 * 3 + k % 8 * 4;
            sums[t] += (double)pair[0] * (double)pair[4];
        }
    }
    close_trial(&trial);
    refuse_program("STRIDES", "loads=12", "multiple of 8");
    refuse_program("STRIDES", "bytes=5", "4 or 8");
}

/* Whole numbers, so that the order of a sum does not matter. */
static void fill_wholes(float *data, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        data[i] = (float)(i * 7 % 31);
}

static void reads_go_around_their_array(void **state)
{
    (void)state;
    enum { COLUMNS = 3 * 64, COPIES = 2, WORDS = 2 * 4 * COLUMNS, ROUNDS = 3 };
    struct trial trial;
    open_trial(&trial, "READS", "bytes=6144,rounds=3,blocks=3,block_x=64,block_y=2");
    fill_wholes(trial_memory(&trial, "array"), WORDS);
    trial_run(&trial);
    const float *array = trial_copy(&trial, "array");
    float *sums = trial_copy(&trial, "sums");
    for (int t = 0; t < COPIES * COLUMNS; t++) {
        sums[t] = 0;
        for (int i = t % COLUMNS; i < WORDS; i += COLUMNS)
            sums[t] += ROUNDS * array[i];
    }
    close_trial(&trial);
    refuse_program("READS", "bytes=6000,blocks=3,block_x=64", "multiple of 16 * blocks * block_x");
    refuse_program("READS", "block_x=64,block_y=64", "1024");
}

static void lanes_lie_a_stride_apart(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "LANES", "stride=3,offset=5,loads=19,warps=2");
    fill_wholes(trial_memory(&trial, "array"), 5 + 3 * 31 + 1);
    trial_run(&trial);
    const float *array = trial_copy(&trial, "array");
    float *sums = trial_copy(&trial, "sums");
    for (int t = 0; t < 64; t++)
        sums[t] = 19 * array[5 + 3 * (t % 32)];
    close_trial(&trial);
    open_trial(&trial, "LANES", "stride=0,loads=1,warps=1");
    trial_run(&trial);
    const float first = *(const float *)trial_copy(&trial, "array");
    sums = trial_copy(&trial, "sums");
    for (int t = 0; t < 32; t++)
        sums[t] = first;
    close_trial(&trial);
}

/* ---- what profilers count ---- */

struct counted {
    const char *name, *parameters;
    uint64_t loads, stores, sectors; /* requests of warps, and sectors of both */
};

/* The kernels of the rows of explore/papers/silicon_rows.c at sizes that are a part of theirs: a
 * profiler's counts are proportional to the warps. */
static const struct counted counted[] = {
    /* 1/64 of 8388608 requests and 268435456 sectors: 256 rows of 16384 instead of 16384 */
    {"SUMS", "rows=256,columns=16384", 131072, 8, 4194304 + 32},
    /* 8388608 requests and 33554432 sectors, likewise */
    {"SUMS", "rows=16384,columns=256,down=1", 131072, 8, 524288 + 32},
    {"MATADD", "n=256,down=1", 4096, 2048, 131072 + 65536},
    {"MATADD", "n=256", 4096, 2048, 16384 + 8192},
    /* 8192 requests and 131072 sectors, 32768 and 131072, 32768 and 524288, for 1048576 floats */
    {"REDUCE", "n=1048576,width=4", 8192, 1024, 131072 + 1024},
    {"REDUCE", "n=1048576,each=4", 32768, 1024, 131072 + 1024},
    {"REDUCE", "n=1048576,each=4,at_once=1", 32768, 1024, 131072 + 1024},
    {"REDUCE", "n=1048576,each=4,order=2", 32768, 1024, 524288 + 1024},
    /* 6553600 and 3211264 sectors for 65536 blocks: 100 and 49 each */
    {"REDUCE", "n=2560,block=3,alone=1", 10 * 25, 10 * 13, 1000 + 490},
    /* 32 and 1, and 128 and 1 */
    {"REDUCE", "n=2560", 80, 10, 320 + 10},
    {"REDUCE", "n=10240,each=4", 320, 10, 1280 + 10},
    /* doubles: 524288 requests each way and 16777216 and 4194304 sectors for 4096 x 4096 */
    {"TRANSPOSE", "n=256,bytes=8,block_y=32,load_down=1,store_down=0", 2048, 2048, 65536 + 16384},
    {"TRANSPOSE", "n=256,bytes=8,block_y=32", 2048, 2048, 16384 + 65536},
    {"TRANSPOSE", "n=256,bytes=8,block_y=32,tile=2", 2048, 2048, 16384 + 16384},
    /* floats in blocks of 32 x 16: 2097152 and 16777216 */
    {"TRANSPOSE", "n=256,block_y=16", 2048, 2048, 8192 + 65536},
    {"TRANSPOSE", "n=256,block_y=16,tiles=4", 2048, 2048, 8192 + 65536},
    {"TRANSPOSE", "n=256,block_y=16,tile=1", 2048, 2048, 8192 + 8192},
};

static void requests_and_sectors_are_those_of_profilers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        struct trace_source *source = open_program(counted[i].name, counted[i].parameters);
        struct stream_stats stats;
        assert_int_equal(stream_stats(source, &stats, NULL, NULL), STATUS_OK);
        assert_int_equal(stats.loads, counted[i].loads);
        assert_int_equal(stats.stores, counted[i].stores);
        assert_int_equal(stats.sectors_32, counted[i].sectors);
        trace_source_free(source);
    }
}

/* Turning a grid changes which block comes when, not what the blocks do. */
static void a_turned_grid_has_the_same_blocks(void **state)
{
    (void)state;
    struct trace_source *rows = open_program("MATMUL", "ni=70,nj=41,nk=5");
    struct trace_source *down = open_program("MATMUL", "ni=70,nj=41,nk=5,order=2");
    const uint32_t *grid = rows->launches[0].grid, *turned = down->launches[0].grid;
    assert_int_equal(grid[0], turned[1]);
    assert_int_equal(grid[1], turned[0]);
    for (uint32_t x = 0; x < grid[0]; x++)
        for (uint32_t y = 0; y < grid[1]; y++) {
            uint64_t a[BLOCK_THREADS_MAX], b[BLOCK_THREADS_MAX];
            hash_block(rows, 0, y * grid[0] + x, a);
            hash_block(down, 0, x * grid[1] + y, b);
            assert_memory_equal(a, b, 256 * sizeof *a);
        }
    trace_source_free(rows);
    trace_source_free(down);
}

/* Conflicts of banks: which form has them, and that padding takes them away. */
static uint64_t bank_cycles(const char *parameters)
{
    struct trace_source *source = open_program("TRANSPOSE", parameters);
    struct block_reader *reader;
    struct instruction_window window;
    uint64_t cycles = 0;
    assert_int_equal(instruction_window_init(&window, 4096), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read_instructions(reader, 0, &window, NULL), STATUS_OK);
    for (uint32_t i = 0; i < window.count; i++)
        cycles += window.items[i].banks;
    source->ops->close_block(reader);
    instruction_window_free(&window);
    trace_source_free(source);
    return cycles;
}

static void tiles_conflict_where_profilers_say(void **state)
{
    (void)state;
    /* Of doubles, a store and a load of a warp: 2 cycles without conflicts, 32 with. */
    assert_int_equal(bank_cycles("n=64,bytes=8,block_y=32,tile=1"), 2 + 32);
    assert_int_equal(bank_cycles("n=64,bytes=8,block_y=32,tile=2"), 32 + 2);
    assert_int_equal(bank_cycles("n=64,bytes=8,block_y=32,tile=1,pad=1"), 2 + 2);
    assert_int_equal(bank_cycles("n=64,block_y=32,tile=1"), 1 + 32);
    assert_int_equal(bank_cycles("n=64,block_y=32,tile=1,pad=1"), 1 + 1);
    assert_int_equal(bank_cycles("n=64,block_y=16,tile=1"), 1 + 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_compute),
        cmocka_unit_test(vectors_compute),
        cmocka_unit_test(matrices_add),
        cmocka_unit_test(transposes_compute),
        cmocka_unit_test(tiles_of_transposes_lie_in_shared_memory),
        cmocka_unit_test(reductions_compute),
        cmocka_unit_test(a_tree_in_memory_computes),
        cmocka_unit_test(products_compute),
        cmocka_unit_test(double_products_compute),
        cmocka_unit_test(filter_computes),
        cmocka_unit_test(histogram_computes),
        cmocka_unit_test(atomics_compute),
        cmocka_unit_test(gather_computes),
        cmocka_unit_test(pages_add_up),
        cmocka_unit_test(a_batch_of_products_computes),
        cmocka_unit_test(cosine_transform_computes),
        cmocka_unit_test(diffusion_computes),
        cmocka_unit_test(bytes_are_counted),
        cmocka_unit_test(pairs_are_sorted),
        cmocka_unit_test(points_read_the_table),
        cmocka_unit_test(variates_are_normal),
        cmocka_unit_test(walsh_transform_computes),
        cmocka_unit_test(layernorm_computes),
        cmocka_unit_test(residual_computes),
        cmocka_unit_test(chase_follows_its_ring),
        cmocka_unit_test(strides_add_products),
        cmocka_unit_test(reads_go_around_their_array),
        cmocka_unit_test(lanes_lie_a_stride_apart),
        cmocka_unit_test(requests_and_sectors_are_those_of_profilers),
        cmocka_unit_test(a_turned_grid_has_the_same_blocks),
        cmocka_unit_test(tiles_conflict_where_profilers_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
