/* The programs after Rodinia against slow twins: what one thread of the kernel accesses, in PTX
 * order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The tree and the queries of B+TREE as they are uploaded. */
static struct trial uploaded;
static const char *tree_nodes; /* the array whose addresses the twin touches */

static int32_t uploaded_word(const char *array, uint64_t offset)
{
    int32_t word;
    memcpy(&word, (char *)trial_memory(&uploaded, array) + offset, 4);
    return word;
}

/* A word of a node at a byte of it. */
static int32_t node_word(struct thread *t, int64_t node, int64_t at)
{
    uint64_t offset = (uint64_t)(2068 * node + at);
    touch_bytes(t, OP_LOAD, tree_nodes, offset, 4);
    return uploaded_word(tree_nodes, offset);
}

static void touch_long(struct thread *t, enum memory_op op, const char *array, int64_t block)
{
    touch_bytes(t, op, array, (uint64_t)block * 8, 8);
}

/* The child below which a key lies, by a plain scan of the node. */
static int64_t scan_child(int64_t node, int32_t key)
{
    int slot = 0;
    while (slot < 255 &&
           uploaded_word("k_nodes", (uint64_t)(2068 * node + 1032 + 4 * (slot + 1))) <= key)
        slot++;
    return uploaded_word("k_nodes", (uint64_t)(2068 * node + 4 + 4 * slot));
}

static void level_twin(struct thread *t, int64_t b, int64_t node, const char *current,
                       const char *offset, const char *target, bool again)
{
    int64_t tx = t->x % 256;
    int32_t key = uploaded_word(target, (uint64_t)b * 4);
    touch_long(t, OP_LOAD, current, b);
    int32_t own = node_word(t, node, 1032 + 4 * tx);
    load(t, target, b);
    if (own > key || node_word(t, node, 1036 + 4 * tx) <= key)
        return;
    if (again)
        touch_long(t, OP_LOAD, offset, b);
    node_word(t, node, 4 + 4 * tx);
    touch_long(t, OP_STORE, offset, b);
}

static void follow_twin(struct thread *t, int64_t b, const char *current, const char *offset)
{
    if (t->x % 256)
        return;
    touch_long(t, OP_LOAD, offset, b);
    touch_long(t, OP_STORE, current, b);
}

/* Returns whether the thread's key is the wanted one. */
static bool record_twin(struct thread *t, int64_t b, int64_t node, const char *current,
                        const char *target)
{
    int64_t tx = t->x % 256;
    touch_long(t, OP_LOAD, current, b);
    int32_t own = node_word(t, node, 1032 + 4 * tx);
    load(t, target, b);
    if (own != uploaded_word(target, (uint64_t)b * 4))
        return false;
    node_word(t, node, 4 + 4 * tx);
    return true;
}

/* Sizes: height. */
static void point_twin(struct thread *t)
{
    int64_t b = t->x / 256, node = 0;
    int32_t key = uploaded_word("k_keys", (uint64_t)b * 4);
    tree_nodes = "k_nodes";
    for (int64_t level = 0; level < t->n.i; level++) {
        level_twin(t, b, node, "k_current", "k_offset", "k_keys", true);
        follow_twin(t, b, "k_current", "k_offset");
        node = scan_child(node, key);
    }
    if (!record_twin(t, b, node, "k_current", "k_keys"))
        return;
    load(t, "k_records", key);
    store(t, "k_answers", b);
}

static void range_twin(struct thread *t)
{
    int64_t b = t->x / 256, first = 0, last = 0;
    int32_t start = uploaded_word("j_start", (uint64_t)b * 4),
            end = uploaded_word("j_end", (uint64_t)b * 4);
    tree_nodes = "j_nodes";
    for (int64_t level = 0; level < t->n.i; level++) {
        level_twin(t, b, first, "j_current", "j_offset", "j_start", false);
        level_twin(t, b, last, "j_last", "j_offset_2", "j_end", false);
        follow_twin(t, b, "j_current", "j_offset");
        follow_twin(t, b, "j_last", "j_offset_2");
        first = scan_child(first, start);
        last = scan_child(last, end);
    }
    if (record_twin(t, b, first, "j_current", "j_start"))
        store(t, "j_record", b);
    if (record_twin(t, b, last, "j_last", "j_end")) {
        load(t, "j_record", b);
        store(t, "j_length", b);
    }
}

static void btree_twin(struct thread *t)
{
    if (t->launch)
        point_twin(t);
    else
        range_twin(t);
}

static void check_btree(const char *text, int64_t height)
{
    open_trial(&uploaded, "B+TREE", text);
    staged_upload(uploaded.source, &uploaded.device);
    check_twin(uploaded.source, (struct sizes){height, 0, 0, 0, 0}, btree_twin);
    free_trial(&uploaded);
}

static void btree_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    check_btree("keys=40000,range=600,ranges=20,points=20", 2);
    check_btree("keys=3000,range=7,ranges=10,points=10", 1);
    check_btree("keys=100,range=50,ranges=5,points=5", 0);
    check_btree("ranges=5,points=9", 2);
}

/* The loader of a column, as the kernel declares it: an offset that grows by a row and turns round
 * at the end of the picture. */
struct loader {
    int64_t last, stride, end;
    const char *in;
};

static void init_loader(struct loader *loader, int64_t column, int64_t width, int64_t row)
{
    loader->last = column + width * row - width;
    loader->stride = width;
}

static void load_rows(struct thread *t, struct loader *loader, int count)
{
    for (int i = 0; i < count; i++) {
        loader->last += loader->stride;
        if (loader->end && loader->last == loader->end) {
            loader->last -= 2 * loader->stride;
            loader->stride = -loader->stride;
        }
        load(t, loader->in, loader->last);
    }
}

static void start_column(struct thread *t, struct loader *loader, int64_t column, int64_t width,
                         int64_t height, int64_t first_row, bool last)
{
    int64_t x = column >= width ? 2 * width - 2 - column : column < 0 ? -column : column;
    loader->end = last ? height * width + x : 0;
    init_loader(loader, x, width, first_row ? first_row - 2 : 0);
    load_rows(t, loader, 3);
    if (!first_row)
        init_loader(loader, x, width, 1);
}

/* Sizes: width, height, window of columns, steps. */
static void transform_twin(struct thread *t, struct sizes n, const char *in, const char *out)
{
    int64_t bx = t->x / n.k, tx = t->x % n.k, first_row = t->y * 8 * n.l;
    bool last = (t->y + 1) * 8 * n.l + 1 >= n.j, checked = last || (bx + 1) * n.k + 1 >= n.i;
    struct loader own = {.in = in}, beside = {.in = in};
    start_column(t, &own, bx * n.k + tx, n.i, n.j, first_row, last);
    if (tx < 3)
        start_column(t, &beside, bx * n.k + (tx ? tx - 3 : n.k), n.i, n.j, first_row, last);
    int64_t x = bx * n.k + 2 * tx - (n.k - 1) * (tx / (n.k / 2)), odd = x % 2;
    int64_t row = odd ? n.i / 2 : n.i / 2 + n.i % 2;
    int64_t to_high = odd ? n.i * n.j / 2 : (n.j + 1) / 2 * n.i, to_low = row - to_high;
    int64_t at = x / 2 + (odd ? (n.i + 1) / 2 * ((n.j + 1) / 2) : 0);
    int64_t end = checked ? at + n.j / 2 * row + n.j % 2 * to_high : 0;
    at = x < n.i ? at + first_row / 2 * row : 0;
    end = x < n.i ? end : 0;
    for (int64_t step = 0; step < n.l; step++) {
        load_rows(t, &own, 8);
        if (tx < 3)
            load_rows(t, &beside, 8);
        for (int i = 0; i < 8; i++)
            if (!checked || at != end) {
                store(t, out, at);
                at += i % 2 ? to_low : to_high;
            }
    }
}

/* Sizes: width, height, levels. */
static void dwt2d_twin(struct thread *t)
{
    static const char *const names[3][2] = {{"r", "out_r"}, {"g", "out_g"}, {"b", "out_b"}};
    if (t->launch == 0) {
        if (t->x % 256 < 192)
            load(t, "source", t->x / 256 * 192 + t->x % 256);
        for (int c = 0; c < 3 && t->x < t->n.i * t->n.j; c++)
            store(t, names[c][0], t->x);
        return;
    }
    int64_t component = (t->launch - 1) / t->n.k, level = (t->launch - 1) % t->n.k;
    struct sizes n = t->n;
    for (; level > 0; level--) {
        n.i = (n.i + 1) / 2;
        n.j = (n.j + 1) / 2;
    }
    n.k = n.i >= 960 ? 192 : n.i >= 480 ? 128 : 64;
    n.l = (n.j + 119) / 120;
    transform_twin(t, n, names[component][0], names[component][1]);
}

static void check_dwt2d(const char *text, int64_t width, int64_t height, int64_t levels)
{
    struct trace_source *source = open_program("DWT2D", text);
    check_twin(source, (struct sizes){width, height, levels, 0, 0}, dwt2d_twin);
    trace_source_free(source);
}

static void dwt2d_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    check_dwt2d("width=192,height=192,levels=3", 192, 192, 3);
    check_dwt2d("width=200,height=133,levels=2", 200, 133, 2);
    check_dwt2d("width=33,height=33,levels=1", 33, 33, 1);
    check_dwt2d("width=961,height=241,levels=3", 961, 241, 3);
    check_dwt2d("width=480,height=77,levels=2", 480, 77, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backprop_makes_the_accesses_of_its_twin),
        cmocka_unit_test(hotspot_makes_the_accesses_of_its_twin),
        cmocka_unit_test(pathfinder_makes_the_accesses_of_its_twin),
        cmocka_unit_test(dwt2d_makes_the_accesses_of_its_twin),
        cmocka_unit_test(btree_makes_the_accesses_of_its_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
