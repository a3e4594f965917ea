/* The stream buffer in time, request by request. (test_timing_twin holds it against its slow twin,
 * inside an SM.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/timing/sm/stream_buffer.h"

enum { DEPTH = 3, ENTRIES = 2, PARTS = 2, MASK = 0xff };

/* Asks for the next line, which must be this one; returns what its replies say. */
static uint32_t ask(struct stream_buffer *buffer, uint64_t line)
{
    const struct stream_line *next = stream_buffer_next(buffer);
    assert_non_null(next);
    assert_int_equal(next->line, line);
    const uint32_t number = next->number;
    stream_buffer_asked(buffer);
    return number;
}

static void expect_given(struct stream_buffer *buffer, uint32_t entry, unsigned parts)
{
    uint32_t given;
    for (; parts; parts--) {
        assert_true(stream_buffer_give(buffer, &given));
        assert_int_equal(given, entry);
    }
    assert_false(stream_buffer_give(buffer, &given));
}

static void test_parts(void **state)
{
    (void)state;
    struct stream_buffer buffer;
    assert_int_equal(stream_buffer_init(&buffer, DEPTH, ENTRIES, PARTS, MASK), STATUS_OK);
    assert_null(stream_buffer_next(&buffer));
    assert_false(stream_buffer_miss(&buffer, 10, 0));
    const uint32_t first = ask(&buffer, 11), second = ask(&buffer, 12);
    stream_buffer_arrived(&buffer, first);
    expect_given(&buffer, 0, 0); /* nobody has missed it yet */
    assert_true(stream_buffer_miss(&buffer, 11, 5));
    expect_given(&buffer, 5, 1);
    stream_buffer_arrived(&buffer, second);
    expect_given(&buffer, 5, 0);
    stream_buffer_arrived(&buffer, first);
    expect_given(&buffer, 5, 1);
    ask(&buffer, 13);
    ask(&buffer, 14); /* one more for the one that was taken */
    assert_null(stream_buffer_next(&buffer));
    assert_int_equal(buffer.counts.hits, 1);
    assert_int_equal(buffer.counts.prefetches, 4);
    stream_buffer_free(&buffer);
}

/* Only the head counts; what is no longer wanted finds no place, and was not asked for in vain
 * unless it was asked for. */
static void test_begins_anew(void **state)
{
    (void)state;
    struct stream_buffer buffer;
    assert_int_equal(stream_buffer_init(&buffer, DEPTH, ENTRIES, PARTS, MASK), STATUS_OK);
    assert_false(stream_buffer_miss(&buffer, 0xfd, 0));
    const uint32_t old = ask(&buffer, 0xfe);
    assert_false(stream_buffer_miss(&buffer, 0xff, 1)); /* held, but not at the head */
    stream_buffer_arrived(&buffer, old);
    stream_buffer_arrived(&buffer, old);
    expect_given(&buffer, 1, 0);
    assert_int_equal(ask(&buffer, 0), old + 3); /* after the last line comes the first */
    assert_true(stream_buffer_miss(&buffer, 0, 0));
    assert_true(stream_buffer_miss(&buffer, 1, 1)); /* not even asked for: it is, in its turn */
    const uint32_t one = ask(&buffer, 1);
    assert_false(stream_buffer_miss(&buffer, 9, 0));
    stream_buffer_arrived(&buffer, one);
    expect_given(&buffer, 1, 1); /* what a miss has taken stays its own */
    assert_int_equal(buffer.counts.hits, 2);
    assert_int_equal(buffer.counts.prefetches, 3);
    stream_buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
