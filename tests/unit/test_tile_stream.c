/* Operations of tile requests against values worked out by hand and, for blends, with rationals;
 * where lines lie; the record of a request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "trace/tile_stream.h"

static struct tile_request request_of(enum tile_op op, uint16_t mask)
{
    return (struct tile_request){.op = (uint8_t)op, .mask = mask};
}

static void depth_tests_keep_the_nearer_value(void **state)
{
    (void)state;
    const uint32_t values[TILE_VALUES] = {5, 5, 5, 5, 0, 0xffffff};
    const uint32_t old[TILE_VALUES] = {4, 5, 6, 6, 1, 0xffffff};
    const uint16_t passed = 0x36; /* of 0x37: value 3 is not covered, value 0 is farther */
    const struct tile_request request = request_of(TILE_DEPTH_TEST, 0x37);
    uint32_t line[TILE_VALUES];
    memcpy(line, old, sizeof line);
    assert_int_equal(tile_execute(&request, values, line), passed);
    for (unsigned k = 0; k < TILE_VALUES; k++)
        assert_int_equal(line[k], passed >> k & 1 ? values[k] : old[k]);
}

/* One channel in rationals: the numerator over 255 rounded to nearest; halves cannot occur. */
static uint32_t blended(uint32_t new, uint32_t old, uint32_t alpha)
{
    return (2 * (new *alpha + old *(255 - alpha)) + 255) / 510;
}

static void blends_round_to_nearest(void **state)
{
    (void)state;
    uint64_t draw = 0;
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t values[TILE_VALUES], line[TILE_VALUES], old[TILE_VALUES];
        for (unsigned i = 0; i < TILE_VALUES; i++) {
            values[i] = (uint32_t)random_at(7, draw++);
            line[i] = old[i] = (uint32_t)random_at(7, draw++);
        }
        const struct tile_request request =
            request_of(TILE_BLEND, (uint16_t)(random_at(7, draw++) | 1));
        assert_int_equal(tile_execute(&request, values, line), request.mask);
        for (unsigned i = 0; i < TILE_VALUES; i++)
            for (unsigned shift = 0; shift < 32; shift += 8) {
                const uint32_t before = old[i] >> shift & 0xff;
                const uint32_t expected = request.mask >> i & 1 ? blended(values[i] >> shift & 0xff,
                                                                          before, values[i] >> 24)
                                                                : before;
                assert_int_equal(line[i] >> shift & 0xff, expected);
            }
    }
}

static void lines_lie_row_by_row(void **state)
{
    (void)state;
    struct tile_surface surface = {.width = 801, .height = 600, .samples = 1, .base = 0x10000};
    assert_int_equal(tile_columns(&surface), 201);
    assert_int_equal(tile_rows(&surface), 150);
    assert_int_equal(tile_lines(&surface), 201 * 150);
    assert_int_equal(tile_address(&surface, 3, 2), 0x10000 + 64 * (2 * 201 + 3));
    assert_int_equal(tile_value(&surface, 6, 9, 0), 4 * 1 + 2);
    surface.samples = 4;
    assert_int_equal(tile_columns(&surface), 401);
    assert_int_equal(tile_rows(&surface), 300);
    assert_int_equal(tile_value(&surface, 6, 9, 3), 4 * 2 + 3);
    bool seen[TILE_VALUES] = {0};
    for (unsigned i = 0; i < TILE_VALUES; i++)
        seen[tile_value(&surface, 10 + i % 2, 10 + i / 2 % 2, i / 4)] = true;
    for (unsigned i = 0; i < TILE_VALUES; i++)
        assert_true(seen[i]);
}

static void records_say_what_requests_do(void **state)
{
    (void)state;
    const struct tile_surface surfaces[] = {{.kind = TILE_COLOUR}, {.kind = TILE_DEPTH}};
    const struct {
        enum tile_op op;
        uint16_t mask, passed;
        enum memory_op memory_op;
        bool needs;
    } rows[] = {{TILE_DEPTH_TEST, 0xffff, 1, OP_ATOMIC, true},
                {TILE_DEPTH_TEST, 0x00ff, 0, OP_LOAD, true},
                {TILE_REPLACE, 0xffff, 0xffff, OP_STORE, false},
                {TILE_REPLACE, 0x0040, 0x0040, OP_STORE, true},
                {TILE_BLEND, 0xffff, 0xffff, OP_ATOMIC, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool depth = rows[i].op == TILE_DEPTH_TEST;
        const struct tile_request request = {.address = 0x1040,
                                             .op = (uint8_t)rows[i].op,
                                             .mask = rows[i].mask,
                                             .passed = rows[i].passed,
                                             .surface = depth};
        const struct warp_access record = tile_record(surfaces, &request);
        assert_int_equal(record.op, rows[i].memory_op);
        assert_int_equal(record.space, depth ? SPACE_DEPTH_TILE : SPACE_COLOUR_TILE);
        assert_int_equal(tile_needs_line(&request), rows[i].needs);
        uint64_t addresses[WARP_SIZE];
        const unsigned count = access_addresses(&record, NULL, addresses);
        unsigned k = 0;
        for (unsigned rest = rows[i].mask; rest; rest &= rest - 1)
            assert_int_equal(addresses[k++], 0x1040 + 4 * (uint64_t)__builtin_ctz(rest));
        assert_int_equal(k, count);
        struct warp_access again = record;
        access_compress(&again, addresses);
        assert_memory_equal(&again, &record, sizeof record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_tests_keep_the_nearer_value),
        cmocka_unit_test(blends_round_to_nearest),
        cmocka_unit_test(lines_lie_row_by_row),
        cmocka_unit_test(records_say_what_requests_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
