/* Pages that are spread over regions: every page gets its own place, the regions fill evenly, and
 * translating a window equals translating address by address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/gpu/stream_stats.h"
#include "workload/cuda/spread.h"
#include "workload/workload.h"

static void pages_are_dealt_evenly(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t regions = 1 + random_below(random_at(7, 3 * round), 40);
        uint64_t pages = 1 + random_below(random_at(7, 3 * round + 1), regions * 512);
        uint64_t begin = 0x80000000 + random_below(random_at(7, 3 * round + 2), 4096) * 256;
        uint64_t end = (begin & ~UINT64_C(4095)) + pages * 4096;
        struct spread spread;
        assert_int_equal(spread_create(begin, end, regions, round, &spread), STATUS_OK);
        assert_int_equal(spread.pages, pages);
        uint8_t *taken = calloc(regions * 512, 1);
        uint64_t *held = calloc(regions, sizeof *held);
        assert_true(taken && held);
        for (uint64_t page = 0; page < pages; page++) {
            uint64_t address = (begin & ~UINT64_C(4095)) + page * 4096 + page % 4096;
            uint64_t moved = spread_address(&spread, address);
            uint64_t place = (moved >> 12) - spread.first_place;
            assert_int_equal(moved % 4096, address % 4096);
            assert_true(place < regions * 512 && !taken[place]);
            taken[place] = 1;
            held[place / 512]++;
        }
        for (uint64_t i = 0; i < regions; i++)
            assert_true(held[i] == pages / regions || held[i] == pages / regions + 1);
        assert_int_equal(spread_address(&spread, end + 4096), end + 4096);
        assert_int_equal(spread_address(&spread, 0), 0);
        free(taken);
        free(held);
        spread_free(&spread);
    }
}

static void too_few_regions(void **state)
{
    (void)state;
    struct spread spread;
    assert_int_equal(spread_create(0, 513 * 4096, 1, 0, &spread), STATUS_INVALID);
    assert_int_equal(spread_create(0, 4096, SPREAD_REGIONS_MAX + 1, 0, &spread), STATUS_INVALID);
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(workload_open("GEMM:n=512,spread=1", &source, &diagnostics), STATUS_INVALID);
    assert_null(source);
    assert_non_null(strstr(diagnostics.items[0].message, "768 pages"));
    diagnostics_free(&diagnostics);
}

static struct trace_source *open_workload(const char *text)
{
    struct trace_source *source;
    assert_int_equal(workload_open(text, &source, NULL), STATUS_OK);
    return source;
}

/* Every access of a window lies where the address function says, and nothing else changes. */
static void windows_follow_addresses(void **state)
{
    (void)state;
    static const char *const programs[][2] = {
        {"GEMM:n=64", "GEMM:n=64,spread=9,placement=5"},
        {"MUM:length=500,queries=300", "MUM:length=500,queries=300,spread=9,placement=5"},
        {"RAY:width=32,height=32", "RAY:width=32,height=32,spread=9,placement=5"}};
    struct access_window plain = {0}, moved = {0};
    assert_int_equal(window_init(&plain, WINDOW_RECORDS), STATUS_OK);
    assert_int_equal(window_init(&moved, WINDOW_RECORDS), STATUS_OK);
    uint64_t different = 0;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct trace_source *one = open_workload(programs[p][0]);
        struct trace_source *two = open_workload(programs[p][1]);
        assert_string_not_equal(one->digest, two->digest);
        struct block_reader *from, *to;
        assert_int_equal(one->ops->open_block(one, 0, 0, &from, NULL), STATUS_OK);
        assert_int_equal(two->ops->open_block(two, 0, 0, &to, NULL), STATUS_OK);
        uint64_t pages_from[4096], pages_to[4096],
            known = 0; /* what a page became, once and for all */
        do {
            assert_int_equal(one->ops->read(from, 0, &plain, NULL), STATUS_OK);
            assert_int_equal(two->ops->read(to, 0, &moved, NULL), STATUS_OK);
            assert_int_equal(plain.count, moved.count);
            for (uint32_t i = 0; i < plain.count; i++) {
                uint64_t a[WARP_SIZE], b[WARP_SIZE];
                unsigned count = access_addresses(&plain.items[i], &plain, a);
                assert_int_equal(access_addresses(&moved.items[i], &moved, b), count);
                assert_int_equal(plain.items[i].mask, moved.items[i].mask);
                assert_int_equal(plain.items[i].gap, moved.items[i].gap);
                for (unsigned k = 0; k < count; k++) {
                    assert_int_equal(a[k] % 4096, b[k] % 4096);
                    if (plain.items[i].space == SPACE_LOCAL)
                        assert_int_equal(a[k], b[k]);
                    different += a[k] != b[k];
                    uint64_t j = 0;
                    while (j < known && pages_from[j] != a[k] >> 12 && pages_to[j] != b[k] >> 12)
                        j++;
                    if (j == known) {
                        assert_true(known < 4096);
                        pages_from[known] = a[k] >> 12;
                        pages_to[known++] = b[k] >> 12;
                    }
                    assert_int_equal(pages_from[j], a[k] >> 12);
                    assert_int_equal(pages_to[j], b[k] >> 12);
                }
            }
        } while (!plain.end);
        assert_true(moved.end);
        one->ops->close_block(from);
        two->ops->close_block(to);
        trace_source_free(one);
        trace_source_free(two);
    }
    assert_true(different > 1000);
    window_free(&plain);
    window_free(&moved);
}

/* Off, it is not part of the identity of a stream; on, seed and regions are. */
static void digests(void **state)
{
    (void)state;
    static const char *const texts[] = {"GEMM:n=64", "GEMM:n=64,spread=0", "GEMM:n=64,spread=4",
                                        "GEMM:n=64,spread=4,placement=2", "GEMM:n=64,spread=5"};
    char seen[5][33];
    for (size_t i = 0; i < 5; i++) {
        struct trace_source *source = open_workload(texts[i]);
        memcpy(seen[i], source->digest, sizeof seen[i]);
        trace_source_free(source);
    }
    assert_string_equal(seen[0], seen[1]);
    for (size_t i = 1; i < 5; i++)
        for (size_t k = 1; k < i; k++)
            assert_string_not_equal(seen[i], seen[k]);
}

static void regions_are_counted(void **state)
{
    (void)state;
    struct trace_source *source = open_workload("GEMM:n=128,spread=31,placement=3");
    struct stream_stats stats;
    assert_int_equal(stream_stats(source, &stats, NULL, NULL), STATUS_OK);
    assert_int_equal(stats.distinct[2], 31); /* of 48 pages */
    assert_int_equal(stats.distinct[3], 48);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_dealt_evenly),   cmocka_unit_test(too_few_regions),
        cmocka_unit_test(windows_follow_addresses), cmocka_unit_test(digests),
        cmocka_unit_test(regions_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
