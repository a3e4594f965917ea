/* The index of a .wtr file: what it holds, in which order, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/wtr_index.h"

static char kernel_name[] = "k";

static void add_launch(struct wtr_index *index, uint32_t number)
{
    const struct trace_launch launch = {
        .name = kernel_name, .grid = {9, 1, 1}, .block = {32, 1, 1}, .number = number};
    assert_int_equal(wtr_index_add_launch(index, &launch), STATUS_OK);
}

static void add_chunk(struct wtr_index *index, uint64_t first, uint64_t last)
{
    const struct wtr_entry entry = {
        .offset = 100 * first, .first_block = first, .last_block = last, .records = 1, .spans = 1};
    assert_int_equal(wtr_index_add_chunk(index, &entry), STATUS_OK);
}

static void test_order(void **state)
{
    (void)state;
    struct wtr_index index = {0};
    add_launch(&index, 0);
    add_chunk(&index, 4, 8);
    add_chunk(&index, 0, 1);
    add_chunk(&index, 2, 3);
    assert_int_equal(wtr_index_order(&index), STATUS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(index.entries[i].first_block, 2 * i);
    add_chunk(&index, 3, 3); /* a block that another chunk has */
    assert_int_equal(wtr_index_order(&index), STATUS_INVALID);
    wtr_index_free(&index);
}

/* Numbers of launches make the index longer by 4 bytes a launch, and change no digest. */
static void test_bytes(void **state)
{
    (void)state;
    const struct wtr_codes codes = {0};
    const struct wtr_sums sums = {.records = 7};
    uint8_t digests[2][WTR_DIGEST_BYTES];
    struct wtr_bytes bytes[2] = {{0}};
    for (uint32_t numbered = 0; numbered < 2; numbered++) {
        struct wtr_index index = {0};
        add_launch(&index, 0);
        add_launch(&index, numbered * 6);
        add_chunk(&index, 0, 8);
        assert_int_equal(wtr_index_put(&index, &codes, &sums, &bytes[numbered], digests[numbered]),
                         STATUS_OK);
        assert_int_equal(wtr_get32(bytes[numbered].items), 2);
        assert_int_equal(wtr_get32(bytes[numbered].items + 4), 1);
        wtr_index_free(&index);
    }
    assert_int_equal(bytes[1].count, bytes[0].count + 2 * sizeof(uint32_t));
    assert_int_equal(wtr_get32(bytes[1].items + bytes[0].count + 4), 6);
    assert_memory_equal(digests[0], digests[1], WTR_DIGEST_BYTES);
    free(bytes[0].items);
    free(bytes[1].items);
}

static void test_too_many_chunks(void **state)
{
    (void)state;
    const struct wtr_index index = {.entry_count = (size_t)UINT32_MAX + 1};
    const struct wtr_codes codes = {0};
    const struct wtr_sums sums = {0};
    struct wtr_bytes bytes = {0};
    uint8_t digest[WTR_DIGEST_BYTES];
    assert_int_equal(wtr_index_put(&index, &codes, &sums, &bytes, digest), STATUS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_too_many_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
