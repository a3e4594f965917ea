/* Sorting the instructions of warps from any order into the order of a .wtr file, and the memory
 * limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/rng.h"
#include "trace/warp_sort.h"
#include "trace/wtr.h"

enum { BLOCKS = 5, WARPS = 3, INSTRUCTIONS = 4000 };

/* What a warp did, one number after the other: the twin of the sort. */
struct expected {
    uint64_t addresses[INSTRUCTIONS];
    uint32_t gaps[INSTRUCTIONS];
    uint32_t count, tail;
};

static void warps_come_in_order(void **state)
{
    (void)state;
    static struct expected expected[BLOCKS * WARPS];
    char name[] = "k";
    const struct trace_launch launch = {
        .name = name, .grid = {BLOCKS, 1, 1}, .block = {WARPS * WARP_SIZE, 1, 1}};
    struct warp_sort sort = {0};
    for (uint64_t i = 0; i < INSTRUCTIONS; i++) {
        uint64_t warp = random_at(1, i) % (BLOCKS * WARPS);
        struct expected *mine = &expected[warp];
        const struct warp_access access = {.base = i * 64, .mask = 1, .bytes = 4};
        bool counted = random_at(2, i) % 3 == 0;
        assert_int_equal(
            warp_sort_put(&sort, warp, counted ? SORT_COUNTED : SORT_ACCESS, &access, NULL, NULL),
            STATUS_OK);
        mine->tail += counted;
        if (counted)
            continue;
        mine->addresses[mine->count] = access.base;
        mine->gaps[mine->count++] = mine->tail;
        mine->tail = 0;
    }
    int fd = memfd_create("sorted", 0);
    struct wtr_writer *writer;
    struct trace_source *source;
    assert_int_equal(wtr_writer_create(fd, "sorted", &writer, NULL), STATUS_OK);
    assert_int_equal(wtr_begin_launch(writer, &launch), STATUS_OK);
    warp_sort_write(&sort, WARPS, NULL, writer);
    warp_sort_free(&sort);
    assert_int_equal(wtr_finish(writer), STATUS_OK);
    wtr_writer_free(writer);
    assert_int_equal(wtr_open(fd, "sorted", "sorted", "test", &source, NULL), STATUS_OK);
    struct access_window window;
    assert_int_equal(window_init(&window, INSTRUCTIONS), STATUS_OK);
    for (uint32_t warp = 0; warp < BLOCKS * WARPS; warp++) {
        struct block_reader *reader;
        assert_int_equal(source->ops->open_block(source, 0, warp / WARPS, &reader, NULL),
                         STATUS_OK);
        assert_int_equal(source->ops->read(reader, warp % WARPS, &window, NULL), STATUS_OK);
        assert_int_equal(window.count, expected[warp].count);
        assert_int_equal(window.tail, expected[warp].tail);
        for (uint32_t i = 0; i < window.count; i++) {
            assert_int_equal(window.items[i].base, expected[warp].addresses[i]);
            assert_int_equal(window.items[i].gap, expected[warp].gaps[i]);
        }
        source->ops->close_block(reader);
    }
    window_free(&window);
    trace_source_free(source);
}

/* The arrays never take more than the limit, and what does not fit is refused. */
static void memory_is_bounded(void **state)
{
    (void)state;
    const struct warp_access access = {.mask = UINT32_MAX, .bytes = 4};
    const uint64_t lanes[WARP_SIZE] = {0};
    for (unsigned listed = 0; listed < 2; listed++) {
        struct warp_sort sort = {.limit = 1 << 20};
        enum status status = STATUS_OK;
        uint64_t put = 0;
        for (; !status; put++) {
            assert_true(put < 1 << 20);
            status = warp_sort_put(&sort, put, SORT_ACCESS, &access, listed ? lanes : NULL, NULL);
        }
        assert_int_equal(status, STATUS_UNSUPPORTED);
        assert_true(sort.count > (listed ? 500 : 4000));
        uint64_t bytes = sort.capacity * 16 + sort.access_capacity * sizeof access +
                         sort.lane_capacity * sizeof *sort.lanes;
        assert_true(bytes <= 1 << 20);
        warp_sort_free(&sort);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_come_in_order),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
