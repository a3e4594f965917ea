/* The programs after Rodinia against slow twins: what one thread of the kernel accesses, in PTX
 * order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/program_trial.h"
#include "support/thread_twin.h"

static void forward_twin(struct thread *t, int64_t by, int64_t tx, int64_t ty)
{
    int64_t index = 17 * 16 * by + 17 * ty + tx + 18;
    if (tx == 0)
        load(t, "input", 16 * by + ty + 1);
    load(t, "weights", index);
    store(t, "weights", index);
    if (tx == 0)
        store(t, "partial", 16 * by + ty);
}

static void backprop_twin(struct thread *t)
{
    int64_t by = t->y / 16, tx = t->x, ty = t->y % 16, index = 17 * 16 * by + 17 * ty + tx + 18;
    if (t->launch == 0) {
        forward_twin(t, by, tx, ty);
        return;
    }
    load(t, "delta", tx + 1);
    load(t, "input", 16 * by + ty + 1);
    load(t, "old_weights", index);
    load(t, "weights", index);
    store(t, "weights", index);
    load(t, "delta", tx + 1);
    load(t, "input", 16 * by + ty + 1);
    load(t, "old_weights", index);
    store(t, "old_weights", index);
    if (t->y)
        return;
    load(t, "delta", tx + 1);
    load(t, "old_weights", tx + 1);
    load(t, "weights", tx + 1);
    store(t, "weights", tx + 1);
    load(t, "delta", tx + 1);
    load(t, "old_weights", tx + 1);
    store(t, "old_weights", tx + 1);
}

static void backprop_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("BACKPROP", "n=112");
    check_twin(source, (struct sizes){0}, backprop_twin);
    trace_source_free(source);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Sizes: n, pyramid, steps. */
static void hotspot_twin(struct thread *t)
{
    static const char *const names[] = {"temperature_0", "temperature_1"};
    int64_t n = t->n.i, pyramid = t->n.j, iterations = least(pyramid, t->n.k - t->launch * pyramid);
    int64_t small = 16 - 2 * iterations, tx = t->x % 16, ty = t->y % 16;
    int64_t x = small * (t->x / 16) - pyramid + tx, y = small * (t->y / 16) - pyramid + ty;
    if (x < 0 || x >= n || y < 0 || y >= n)
        return;
    load(t, names[t->launch % 2], n * y + x);
    load(t, "power", n * y + x);
    if (tx >= iterations && tx <= 15 - iterations && ty >= iterations && ty <= 15 - iterations)
        store(t, names[1 - t->launch % 2], n * y + x);
}

static void hotspot_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("HOTSPOT", "n=61,pyramid=3,steps=7");
    check_twin(source, (struct sizes){61, 3, 7, 0, 0}, hotspot_twin);
    trace_source_free(source);
    source = open_program("HOTSPOT", "n=12,pyramid=2,steps=2");
    check_twin(source, (struct sizes){12, 2, 2, 0, 0}, hotspot_twin);
    trace_source_free(source);
}

/* Sizes: columns, rows, pyramid. */
static void pathfinder_twin(struct thread *t)
{
    static const char *const names[] = {"result_0", "result_1"};
    int64_t columns = t->n.i, pyramid = t->n.k, start = t->launch * pyramid;
    int64_t iterations = least(pyramid, t->n.j - start - 1), tx = t->x % 256;
    int64_t x = (256 - 2 * iterations) * (t->x / 256) - pyramid + tx;
    if (x < 0 || x >= columns)
        return;
    load(t, names[t->launch % 2], x);
    for (int64_t i = 0; i < iterations; i++)
        if (tx >= i + 1 && tx <= 254 - i)
            load(t, "wall", columns * (start + i) + x);
    if (tx >= iterations && tx <= 255 - iterations)
        store(t, names[1 - t->launch % 2], x);
}

static void pathfinder_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("PATHFINDER", "columns=1000,rows=52,pyramid=20");
    check_twin(source, (struct sizes){1000, 52, 20, 0, 0}, pathfinder_twin);
    trace_source_free(source);
    source = open_program("PATHFINDER", "columns=33,rows=5,pyramid=3");
    check_twin(source, (struct sizes){33, 5, 3, 0, 0}, pathfinder_twin);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backprop_makes_the_accesses_of_its_twin),
        cmocka_unit_test(hotspot_makes_the_accesses_of_its_twin),
        cmocka_unit_test(pathfinder_makes_the_accesses_of_its_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
