/* Windows, address compression and slices of sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "trace/stream.h"
#include "workload/workload.h"

/* Affine exactly where some stride fits, and the addresses always come back. */
static void test_compress_round_trip(void **state)
{
    (void)state;
    struct access_window window;
    assert_int_equal(window_init(&window, 1), STATUS_OK);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        uint64_t addresses[WARP_SIZE], back[WARP_SIZE];
        uint32_t mask = (uint32_t)random_at(seed, 0) | 1u << (seed % WARP_SIZE);
        if (seed % 3 == 0)
            mask &= (uint32_t)random_at(seed, 9) | 1u << (seed % WARP_SIZE);
        int64_t stride = (int32_t)random_at(seed, 1) >> (random_at(seed, 2) % 32);
        unsigned count = 0;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            if (mask >> lane & 1)
                addresses[count++] = random_at(seed, 3) + (uint64_t)stride * lane;
        bool broken = seed % 2 && count > 2;
        if (broken)
            addresses[random_at(seed, 4) % count] ^= 1 + random_at(seed, 5) % 1000;
        window.count = window.lane_count = 0;
        window_push(&window, (struct warp_access){.mask = mask, .bytes = 4}, addresses);
        assert_int_equal((window.items[0].flags & ACCESS_LISTED) != 0, broken);
        assert_int_equal(access_addresses(&window.items[0], &window, back), count);
        assert_memory_equal(addresses, back, count * sizeof *back);
    }
    window_free(&window);
}

static void test_compress_refuses_wide_strides(void **state)
{
    (void)state;
    struct warp_access access = {.mask = 3, .bytes = 4};
    access_compress(&access, (uint64_t[]){0, (uint64_t)1 << 31});
    assert_true(access.flags & ACCESS_LISTED);
    access_compress(&access, (uint64_t[]){(uint64_t)1 << 31, 0});
    assert_false(access.flags & ACCESS_LISTED);
    assert_int_equal(access.stride, INT32_MIN);
    access.mask = 5; /* lanes 0 and 2 an odd number of bytes apart */
    access_compress(&access, (uint64_t[]){0, 9});
    assert_true(access.flags & ACCESS_LISTED);
    access.mask = 0x10;
    access_compress(&access, (uint64_t[]){1234});
    assert_int_equal(access.base, 1234);
    assert_int_equal(access.stride, 0);
}

static void test_launch_shapes(void **state)
{
    (void)state;
    struct trace_launch launch = {.grid = {3, 5, 7}, .block = {33, 1, 1}};
    assert_int_equal(launch_blocks(&launch), 105);
    assert_int_equal(launch_threads(&launch), 33);
    assert_int_equal(launch_warps(&launch), 2);
    launch = (struct trace_launch){.grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                   .block = {UINT32_MAX, UINT32_MAX, 1}};
    assert_true(launch_blocks(&launch) == UINT64_MAX);
    assert_true(launch_threads(&launch) == UINT32_MAX);
    assert_int_equal(launch_warps(&launch), 1u << 27);
}

/* A source whose only record says which launch, block and warp it belongs to. */
struct block_reader {
    uint64_t base;
};

static enum status told_open(const struct trace_source *source, uint32_t launch, uint64_t block,
                             struct block_reader **reader, struct diagnostics *diagnostics)
{
    (void)source, (void)diagnostics;
    *reader = calloc(1, sizeof **reader);
    assert_non_null(*reader);
    (*reader)->base = launch * 1000 + block;
    return STATUS_OK;
}

static enum status told_read(struct block_reader *reader, uint32_t warp,
                             struct access_window *window, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    window->count = window->lane_count = window->tail = 0;
    window->end = true;
    window_push(window,
                (struct warp_access){.base = reader->base, .mask = 1, .bytes = 4, .pc = warp},
                NULL);
    return STATUS_OK;
}

static void told_close(struct block_reader *reader)
{
    free(reader);
}

static void told_free(struct trace_source *source)
{
    (void)source;
}

static void test_slice(void **state)
{
    (void)state;
    static const struct trace_source_ops ops = {
        .open_block = told_open, .read = told_read, .close_block = told_close, .free = told_free};
    static char name[] = "told", provenance[] = "test";
    struct trace_launch launches[2] = {{.name = name, .grid = {4, 4, 1}, .block = {64, 1, 1}},
                                       {.name = name, .grid = {2, 2, 2}, .block = {32, 1, 1}}};
    struct trace_source source = {.ops = &ops,
                                  .name = name,
                                  .provenance = provenance,
                                  .launches = launches,
                                  .launch_count = 2};
    struct trace_slice slices[] = {{1, 3, 2}, {0, 0, 16}, {0, 15, 1}};
    struct trace_source *view, *other;
    assert_int_equal(trace_source_slice(&source, slices, 3, &view), STATUS_OK);
    assert_int_equal(view->launch_count, 3);
    assert_int_equal(launch_blocks(&view->launches[0]), 2);
    assert_int_equal(view->launches[1].grid[1], 4); /* a whole launch keeps its shape */
    struct access_window window;
    assert_int_equal(window_init(&window, 4), STATUS_OK);
    struct block_reader *reader;
    assert_int_equal(view->ops->open_block(view, 0, 1, &reader, NULL), STATUS_OK);
    assert_int_equal(view->ops->read(reader, 0, &window, NULL), STATUS_OK);
    assert_int_equal(window.items[0].base, 1004);
    view->ops->close_block(reader);
    assert_int_equal(view->ops->open_block(view, 2, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(view->ops->read(reader, 1, &window, NULL), STATUS_OK);
    assert_int_equal(window.items[0].base, 15);
    assert_int_equal(window.items[0].pc, 1);
    view->ops->close_block(reader);
    view->ops->close_block(NULL);
    slices[0].first = 2;
    assert_int_equal(trace_source_slice(&source, slices, 3, &other), STATUS_OK);
    assert_string_not_equal(view->digest, other->digest);
    trace_source_free(other);
    slices[0].first = 7; /* two blocks from the seventh of eight on */
    assert_int_equal(trace_source_slice(&source, slices, 3, &other), STATUS_INVALID);
    slices[0].launch = 2;
    assert_int_equal(trace_source_slice(&source, slices, 3, &other), STATUS_INVALID);
    window_free(&window);
    trace_source_free(view);
    trace_source_free(NULL);
}

/* Slices against a walk over the row of blocks, one by one, round its end. */
static void test_row_of_blocks(void **state)
{
    (void)state;
    struct trace_launch launches[3] = {
        {.grid = {4, 2, 1}}, {.grid = {1, 1, 1}}, {.grid = {3, 1, 2}}};
    const struct trace_source source = {.launches = launches, .launch_count = 3};
    const uint64_t total = 8 + 1 + 6;
    assert_int_equal(trace_source_blocks(&source), total);
    for (uint64_t first = 0; first < total; first++)
        for (uint64_t count = 0; count <= total; count++) {
            struct trace_slices slices = {0};
            uint64_t at = first;
            assert_int_equal(trace_slices_add(&slices, &source, first, count), STATUS_OK);
            for (size_t i = 0; i < slices.count; i++)
                for (uint64_t b = 0; b < slices.items[i].count; b++, at++) {
                    const struct trace_slice block = trace_source_block(&source, at % total);
                    const uint64_t begin = (const uint64_t[]){0, 8, 9}[block.launch];
                    assert_int_equal(begin + block.first, at % total);
                    assert_int_equal(block.launch, slices.items[i].launch);
                    assert_int_equal(block.first, slices.items[i].first + b);
                }
            assert_int_equal(at, first + count);
            free(slices.items);
        }
}

enum { CHANGED_WINDOW = 64 };

/* Reads a warp's next window of both, and holds them equal but for the change. */
static bool assert_changed(const struct trace_source *original, struct block_reader *one,
                           const struct trace_source *changed, struct block_reader *other,
                           uint32_t warp, const struct access_change *change, uint64_t *hit)
{
    struct access_window before, after;
    assert_int_equal(window_init(&before, CHANGED_WINDOW), STATUS_OK);
    assert_int_equal(window_init(&after, CHANGED_WINDOW), STATUS_OK);
    assert_int_equal(original->ops->read(one, warp, &before, NULL), STATUS_OK);
    assert_int_equal(changed->ops->read(other, warp, &after, NULL), STATUS_OK);
    assert_int_equal(before.count, after.count);
    for (uint32_t i = 0; i < before.count; i++) {
        uint64_t was[WARP_SIZE], is[WARP_SIZE];
        const unsigned lanes = access_addresses(&before.items[i], &before, was);
        assert_int_equal(access_addresses(&after.items[i], &after, is), lanes);
        const bool within = was[0] >= change->base && was[0] < change->end;
        for (unsigned lane = 0; lane < lanes; lane++)
            assert_true(is[lane] == was[lane] + (within ? (uint64_t)change->shift : 0));
        const bool skips = within && change->bypass && before.items[i].op == OP_LOAD;
        assert_int_equal((after.items[i].flags & ACCESS_BYPASS_L1) != 0, skips);
        *hit += within;
    }
    const bool end = before.end;
    window_free(&before);
    window_free(&after);
    return end;
}

/* Affine records of GEMM, patterns of a transpose, lists of a gather. */
static void test_change(void **state)
{
    (void)state;
    static const char *const names[] = {"GEMM:n=16", "TRANSPOSE:n=32", "GATHER:n=1024"};
    for (size_t n = 0; n < 3; n++) {
        struct trace_source *source, *changed;
        uint64_t hit = 0;
        assert_int_equal(workload_open(names[n], &source, NULL), STATUS_OK);
        assert_true(source->array_count > 1);
        const struct trace_array *array = &source->arrays[n == 2 ? 0 : 1];
        const struct access_change change = {
            .base = array->base, .end = array->base + array->bytes, .shift = -4096, .bypass = true};
        assert_int_equal(trace_source_change(source, &change, &changed), STATUS_OK);
        assert_string_not_equal(source->digest, changed->digest);
        assert_int_equal(changed->array_count, source->array_count);
        struct block_reader *one, *other;
        assert_int_equal(source->ops->open_block(source, 0, 0, &one, NULL), STATUS_OK);
        assert_int_equal(changed->ops->open_block(changed, 0, 0, &other, NULL), STATUS_OK);
        for (uint32_t warp = 0; warp < launch_warps(&source->launches[0]); warp++)
            while (!assert_changed(source, one, changed, other, warp, &change, &hit))
                ;
        assert_true(hit > 0);
        source->ops->close_block(one);
        changed->ops->close_block(other);
        trace_source_free(changed);
        trace_source_free(source);
    }
}

/* Reads the next record of a warp; false: there is none. */
static bool read_record(const struct trace_source *source, struct block_reader *reader,
                        uint32_t warp, struct access_window *window, uint32_t *at)
{
    while (*at == window->count && !window->end) {
        *at = 0;
        assert_int_equal(source->ops->read(reader, warp, window, NULL), STATUS_OK);
    }
    return *at < window->count;
}

/* Holds the records of two warps equal, but for loads in [base, end), which the second has not: the
 * instructions in front of each add up. Returns how many it has not. */
static uint64_t assert_left_out(const struct trace_source *one, struct block_reader *reader,
                                uint32_t warp, const struct trace_source *other,
                                struct block_reader *changed, uint32_t as, uint64_t base,
                                uint64_t end)
{
    struct access_window before, after;
    uint32_t at = 0, to = 0, gap = 0;
    uint64_t left = 0;
    assert_int_equal(window_init(&before, 3), STATUS_OK);
    assert_int_equal(window_init(&after, 2), STATUS_OK);
    for (; read_record(one, reader, warp, &before, &at); at++) {
        uint64_t addresses[WARP_SIZE];
        struct warp_access expected = before.items[at];
        access_addresses(&expected, &before, addresses);
        if (expected.op == OP_LOAD && addresses[0] >= base && addresses[0] < end) {
            gap += expected.gap + 1;
            left++;
            continue;
        }
        assert_true(read_record(other, changed, as, &after, &to));
        const struct warp_access *found = &after.items[to++];
        assert_int_equal(found->gap, expected.gap + gap);
        assert_int_equal(found->pc, expected.pc);
        assert_int_equal(found->mask, expected.mask);
        gap = 0;
    }
    assert_false(read_record(other, changed, as, &after, &to));
    assert_int_equal(after.tail, before.tail + gap);
    window_free(&before);
    window_free(&after);
    return left;
}

static void test_split_and_left_out(void **state)
{
    (void)state;
    struct trace_source *source, *changed;
    uint64_t left = 0;
    assert_int_equal(workload_open("GEMM:n=32", &source, NULL), STATUS_OK);
    const uint32_t warps = launch_warps(&source->launches[0]);
    const uint64_t blocks = launch_blocks(&source->launches[0]);
    assert_true(warps > 1);
    const struct trace_array *array = &source->arrays[1];
    const struct access_change change = {
        .base = array->base, .end = array->base + array->bytes, .split = true, .leave_out = true};
    assert_int_equal(trace_source_change(source, &change, &changed), STATUS_OK);
    assert_string_not_equal(source->digest, changed->digest);
    assert_int_equal(launch_blocks(&changed->launches[0]), blocks * warps);
    assert_int_equal(launch_warps(&changed->launches[0]), 1);
    for (uint64_t b = 0; b < blocks; b++)
        for (uint32_t w = 0; w < warps; w++) {
            struct block_reader *one, *other;
            assert_int_equal(source->ops->open_block(source, 0, b, &one, NULL), STATUS_OK);
            assert_int_equal(changed->ops->open_block(changed, 0, b * warps + w, &other, NULL),
                             STATUS_OK);
            left += assert_left_out(source, one, w, changed, other, 0, change.base, change.end);
            source->ops->close_block(one);
            changed->ops->close_block(other);
        }
    assert_true(left > 0);
    trace_source_free(changed);
    trace_source_free(source);
}

static void test_launches_copy(void **state)
{
    (void)state;
    char first[] = "first", second[] = "a longer name";
    const struct trace_launch launches[] = {
        {.name = first, .grid = {2, 3, 4}, .block = {32, 1, 1}, .code = 1},
        {.name = NULL, .grid = {1, 1, 1}, .block = {64, 1, 1}},
        {.name = second, .grid = {7, 1, 1}, .block = {8, 8, 1}, .code = 2}};
    struct trace_launch *copy = launches_copy(launches, 3);
    assert_non_null(copy);
    memset(first, 'x', strlen(first)); /* the source is gone */
    assert_string_equal(copy[0].name, "first");
    assert_null(copy[1].name);
    assert_string_equal(copy[2].name, second);
    assert_int_equal(copy[0].grid[2], 4);
    assert_int_equal(copy[2].block[1], 8);
    assert_int_equal(copy[0].code, 0); /* the codes are the source's */
    free(copy);
    free(launches_copy(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compress_round_trip),
        cmocka_unit_test(test_compress_refuses_wide_strides),
        cmocka_unit_test(test_launch_shapes),
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_row_of_blocks),
        cmocka_unit_test(test_change),
        cmocka_unit_test(test_split_and_left_out),
        cmocka_unit_test(test_launches_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
