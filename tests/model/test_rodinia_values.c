/* The programs after Rodinia compute what plain loops over plain arrays give, to the last bit, and
 * access the same addresses with values on a device as without. */
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
#include "workload/cuda/glibc_rand.h"

static void forward_layer(const float *input, float *weights, float *partial, int n)
{
    for (int by = 0; by < n / 16; by++)
        for (int unit = 0; unit < 16; unit++) {
            float sums[16];
            for (int i = 0; i < 16; i++)
                sums[i] = weights[(16 * by + i + 1) * 17 + unit + 1] * input[16 * by + i + 1];
            for (int power = 2; power <= 16; power *= 2)
                for (int i = 0; i < 16; i += power)
                    sums[i] += sums[i + power / 2];
            for (int i = 0; i < 16; i++)
                weights[(16 * by + i + 1) * 17 + unit + 1] = sums[i];
            partial[16 * by + unit] = sums[0];
        }
}

static void adjust_layer(const float *input, const float *delta, float *weights, float *old, int n)
{
    for (int i = 0; i <= n; i++)
        for (int unit = 1; unit <= 16; unit++) {
            float change = 0.3f * delta[unit] * (i ? input[i] : 1.0f) + 0.3f * old[i * 17 + unit];
            weights[i * 17 + unit] += change;
            old[i * 17 + unit] = change;
        }
}

static void backprop_computes(void **state)
{
    (void)state;
    struct trial trial;
    open_trial(&trial, "BACKPROP", "n=80");
    trial_run(&trial);
    forward_layer(trial_copy(&trial, "input"), trial_copy(&trial, "weights"),
                  trial_copy(&trial, "partial"), 80);
    adjust_layer(trial_copy(&trial, "input"), trial_copy(&trial, "delta"),
                 trial_copy(&trial, "weights"), trial_copy(&trial, "old_weights"), 80);
    close_trial(&trial);
}

/* One step over the whole grid. */
static void heat_grid(const float *t, const float *power, float *out, int n)
{
    float cell = 0.016f / (float)n;
    float capacity = 0.5f * 1.75e6f * 0.0005f * cell * cell, across = 2.0f * 100.0f * 0.0005f;
    float step = 0.001f / (3.0e6f / (0.5f * 0.0005f * 1.75e6f)) / capacity;
    float down = 100.0f * cell * cell / 0.0005f;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int north = y ? y - 1 : 0, south = y + 1 < n ? y + 1 : y;
            int west = x ? x - 1 : 0, east = x + 1 < n ? x + 1 : x;
            float at = t[y * n + x];
            out[y * n + x] = at + step * (power[y * n + x] +
                                          (t[south * n + x] + t[north * n + x] - 2 * at) * across +
                                          (t[y * n + east] + t[y * n + west] - 2 * at) * across +
                                          (80.0f - at) * down);
        }
}

/* The grid stands in temperature_0 or _1 by turns; the other array keeps what the launch before
 * left there. */
static void check_hotspot(const char *text, int n, int pyramid, int steps)
{
    struct trial trial;
    open_trial(&trial, "HOTSPOT", text);
    trial_run(&trial);
    float *grids[2] = {trial_copy(&trial, "temperature_0"), trial_copy(&trial, "temperature_1")};
    size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes);
    assert_non_null(a);
    assert_non_null(b);
    for (int done = 0, launch = 0; done < steps; done += pyramid, launch++) {
        memcpy(a, grids[launch % 2], bytes);
        for (int i = 0; i < pyramid && done + i < steps; i++) {
            heat_grid(a, trial_copy(&trial, "power"), b, n);
            memcpy(a, b, bytes);
        }
        memcpy(grids[1 - launch % 2], a, bytes);
    }
    free(a);
    free(b);
    close_trial(&trial);
}

static void hotspot_computes(void **state)
{
    (void)state;
    check_hotspot("n=37,pyramid=2,steps=2", 37, 2, 2);
    check_hotspot("n=64,pyramid=3,steps=8", 64, 3, 8);
    check_hotspot("n=5,pyramid=1,steps=3", 5, 1, 3);
    check_hotspot("n=30,pyramid=7,steps=10", 30, 7, 10);
    check_hotspot("n=1,pyramid=4,steps=1", 1, 4, 1);
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* One row of dynamic programming; `costs` is replaced. */
static void walk_row(int32_t *costs, const int32_t *wall, int columns)
{
    int32_t left = costs[0];
    for (int x = 0; x < columns; x++) {
        int32_t at = costs[x];
        int32_t best = least(at, least(left, x + 1 < columns ? costs[x + 1] : at));
        left = at;
        costs[x] = best + wall[x];
    }
}

static void check_pathfinder(const char *text, int columns, int rows, int pyramid)
{
    struct trial trial;
    open_trial(&trial, "PATHFINDER", text);
    int32_t *wall = trial_memory(&trial, "wall"), *first = trial_memory(&trial, "result_0");
    for (int i = 0; i < columns * (rows - 1); i++)
        wall[i] = (int32_t)random_below(random_at(7, (uint64_t)i), 10);
    for (int x = 0; x < columns; x++)
        first[x] = (int32_t)random_below(random_at(8, (uint64_t)x), 10);
    trial_run(&trial);
    int32_t *results[2] = {trial_copy(&trial, "result_0"), trial_copy(&trial, "result_1")};
    size_t bytes = (size_t)columns * sizeof(int32_t);
    for (int start = 0, launch = 0; start < rows - 1; start += pyramid, launch++) {
        int32_t *to = results[1 - launch % 2];
        memcpy(to, results[launch % 2], bytes);
        for (int i = 0; i < pyramid && start + i < rows - 1; i++)
            walk_row(to, wall + (start + i) * columns, columns);
    }
    close_trial(&trial);
}

static void pathfinder_computes(void **state)
{
    (void)state;
    check_pathfinder("columns=1000,rows=30,pyramid=20", 1000, 30, 20);
    check_pathfinder("columns=217,rows=8,pyramid=7", 217, 8, 7);
    check_pathfinder("columns=300,rows=12,pyramid=5", 300, 12, 5);
    check_pathfinder("columns=40,rows=125,pyramid=120", 40, 125, 120);
    check_pathfinder("columns=1,rows=2,pyramid=1", 1, 2, 1);
}

/* A cell of a line whose ends are mirrored. */
static int32_t mirrored(const int32_t *line, int count, int stride, int i)
{
    i = i < 0 ? -i : i >= count ? 2 * count - 2 - i : i;
    return line[i * stride];
}

/* The reversible 5/3 transform of a line by its two lifting steps; low half first. */
static void lift_line(int32_t *line, int count, int stride)
{
    int32_t *lifted = malloc((size_t)count * sizeof *lifted);
    assert_non_null(lifted);
    for (int i = 0; i < count; i++)
        lifted[i] = line[i * stride];
    for (int i = 1; i < count; i += 2)
        lifted[i] -= (mirrored(lifted, count, 1, i - 1) + mirrored(lifted, count, 1, i + 1)) >> 1;
    for (int i = 0; i < count; i += 2)
        lifted[i] +=
            (mirrored(lifted, count, 1, i - 1) + mirrored(lifted, count, 1, i + 1) + 2) >> 2;
    for (int i = 0; i < count; i++)
        line[(i % 2 ? (count + 1) / 2 + i / 2 : i / 2) * stride] = lifted[i];
    free(lifted);
}

/* The bands of a picture, each stored for itself: low-low, high-low, low-high, high-high. */
static void transform_picture(const int32_t *in, int32_t *out, int width, int height)
{
    size_t bytes = (size_t)width * (size_t)height * sizeof *in;
    int32_t *picture = malloc(bytes);
    assert_non_null(picture);
    memcpy(picture, in, bytes);
    for (int y = 0; y < height; y++)
        lift_line(picture + y * width, width, 1);
    for (int x = 0; x < width; x++)
        lift_line(picture + x, height, width);
    int left = (width + 1) / 2, top = (height + 1) / 2;
    for (int half = 0; half < 4; half++)
        for (int y = half / 2 ? top : 0; y < (half / 2 ? height : top); y++)
            for (int x = half % 2 ? left : 0; x < (half % 2 ? width : left); x++)
                *out++ = picture[y * width + x];
    free(picture);
}

static void check_dwt2d(int width, int height, int levels)
{
    static const char *const names[3][2] = {{"r", "out_r"}, {"g", "out_g"}, {"b", "out_b"}};
    struct trial trial;
    char text[100];
    snprintf(text, sizeof text, "width=%d,height=%d,levels=%d", width, height, levels);
    open_trial(&trial, "DWT2D", text);
    trial_run(&trial);
    const uint8_t *source = trial_copy(&trial, "source");
    for (int c = 0; c < 3; c++) {
        int32_t *in = trial_copy(&trial, names[c][0]), *out = trial_copy(&trial, names[c][1]);
        int w = width, h = height;
        for (int i = 0; i < width * height; i++)
            in[i] = source[3 * i + c] - 128;
        for (int level = 0; level < levels; level++) {
            if (level)
                memcpy(in, out, (size_t)w * (size_t)h * sizeof *in);
            transform_picture(in, out, w, h);
            w = (w + 1) / 2;
            h = (h + 1) / 2;
        }
    }
    close_trial(&trial);
}

static void dwt2d_computes(void **state)
{
    (void)state;
    check_dwt2d(192, 192, 3);
    check_dwt2d(200, 133, 2);
    check_dwt2d(33, 33, 1);
    check_dwt2d(500, 260, 3);
    check_dwt2d(961, 75, 1);
    check_dwt2d(65, 241, 1);
}

static void random_numbers_are_those_of_glibc(void **state)
{
    (void)state;
    static const uint32_t seeds[] = {1, 2, 7, 123456789, 0x7fffffff};
    static const int32_t first[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
    struct glibc_rand random;
    glibc_rand_init(&random, 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(glibc_rand_next(&random), first[i]);
#ifdef __GLIBC__
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        srand(seeds[s]);
        glibc_rand_init(&random, seeds[s]);
        for (int i = 0; i < 20000; i++)
            assert_int_equal(glibc_rand_next(&random), rand());
    }
#endif
}

/* A node as the suite declares it. */
struct node {
    int32_t location, indices[257], keys[257], is_leaf, num_keys;
};

/* Walks the subtree of a node in order; its keys must go on from *next. */
static void walk_tree(const struct node *nodes, int64_t number, int32_t *next, int64_t *seen)
{
    const struct node *node = &nodes[number];
    int32_t keys = node->num_keys - 2;
    ++*seen;
    assert_int_equal(node->keys[0], INT32_MIN);
    assert_in_range(keys, node->is_leaf && number ? 128 : 0, 255);
    for (int32_t slot = keys + 1; slot < 256; slot++)
        assert_int_equal(node->keys[slot], INT32_MAX);
    for (int32_t slot = node->is_leaf ? 1 : 0; slot <= keys; slot++) {
        if (slot)
            assert_int_equal(node->keys[slot], *next);
        if (node->is_leaf)
            assert_int_equal(node->indices[slot], (*next)++);
        else
            walk_tree(nodes, node->indices[slot], next, seen);
    }
}

static void check_tree(int32_t keys, int64_t nodes)
{
    struct trial trial;
    char text[100];
    snprintf(text, sizeof text, "keys=%d,range=1,ranges=1,points=1", keys);
    open_trial(&trial, "B+TREE", text);
    staged_upload(trial.source, &trial.device);
    int32_t next = 0;
    int64_t seen = 0;
    walk_tree(trial_memory(&trial, "j_nodes"), 0, &next, &seen);
    assert_int_equal(next, keys);
    assert_int_equal(program_find_array(trial.source, "j_nodes")->bytes, seen * 2068);
    if (nodes)
        assert_int_equal(seen, nodes);
    close_trial(&trial);
}

static void btree_is_a_tree(void **state)
{
    (void)state;
    static const int32_t counts[] = {2,   127,   128,   255,   256,   257,   383,
                                     384, 32767, 32768, 32895, 32896, 33000, 50000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_tree(counts[i], 0);
    check_tree(256, 3);
    check_tree(1000000, 7874);
}

/* Every key is its own place among the sorted keys, so the answers need no search. */
static void check_btree(const char *text, int32_t keys)
{
    struct trial trial;
    open_trial(&trial, "B+TREE", text);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const int32_t *points = trial_copy(&trial, "k_keys"), *starts = trial_copy(&trial, "j_start"),
                  *ends = trial_copy(&trial, "j_end");
    const int32_t *answers = trial_memory(&trial, "k_answers"),
                  *records = trial_memory(&trial, "j_record"),
                  *lengths = trial_memory(&trial, "j_length");
    uint64_t point_count = program_find_array(trial.source, "k_keys")->bytes / 4;
    uint64_t range_count = program_find_array(trial.source, "j_start")->bytes / 4;
    for (uint64_t i = 0; i < point_count; i++)
        assert_int_equal(answers[i], points[i] < keys ? points[i] : -1);
    for (uint64_t i = 0; i < range_count; i++) {
        assert_int_equal(records[i], starts[i]);
        assert_int_equal(lengths[i], ends[i] - starts[i] + 1);
    }
    free_trial(&trial);
}

static void btree_finds_what_is_asked_for(void **state)
{
    (void)state;
    check_btree("keys=40000,range=600,ranges=300,points=400", 40000);
    check_btree("keys=3000,range=7,ranges=50,points=50", 3000);
    check_btree("keys=100,range=99,ranges=9,points=30", 100);
    check_btree("ranges=40,points=60", 1000000);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *parameters, *message;
    } cases[] = {
        {"BACKPROP", "n=1000", "a multiple of 16"},
        {"B+TREE", "keys=100,range=100", "less than keys"},
        {"DWT2D", "width=100,height=100,levels=3", "33 rows and columns"},
        {"STREAMCLUSTER", "centers_min=9,centers_max=8", "centers_min <= centers_max"},
        {"STREAMCLUSTER", "points=64,centers_max=64", "< points"},
        {"STREAMCLUSTER", "points=262144,dimensions=4096", "at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_program(cases[i].name, cases[i].parameters, cases[i].message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backprop_computes),
        cmocka_unit_test(hotspot_computes),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(pathfinder_computes),
        cmocka_unit_test(dwt2d_computes),
        cmocka_unit_test(random_numbers_are_those_of_glibc),
        cmocka_unit_test(btree_is_a_tree),
        cmocka_unit_test(btree_finds_what_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
