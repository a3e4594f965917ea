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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backprop_computes),
        cmocka_unit_test(hotspot_computes),
        cmocka_unit_test(pathfinder_computes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
