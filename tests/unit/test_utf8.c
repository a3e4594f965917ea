/* UTF-8: every code point there and back, and nothing else is taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/utf8.h"

static bool is_legal(uint32_t point)
{
    return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint32_t point = 1; point < 0x110100; point++) {
        char bytes[UTF8_MAX + 1] = "";
        const char *text = bytes;
        uint32_t read;
        size_t length = utf8_write(point, bytes), begins = 0;
        for (size_t i = 0; i < length; i++)
            begins += utf8_begins(bytes[i]);
        assert_int_equal(begins, 1);
        assert_int_equal(utf8_read(bytes, &read), length);
        assert_int_equal(read, is_legal(point) ? point : 0xfffd);
        assert_int_equal(utf8_next(&text), read);
        assert_ptr_equal(text, bytes + length);
    }
}

/* What reads as a character is what is written for it: so no long form, surrogate or rest of a
 * character reads as one, and none is read beyond the end. */
static void test_random_bytes(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2000000; i++) {
        uint64_t random = random_at(1, i);
        char bytes[UTF8_MAX + 1] = "", written[UTF8_MAX];
        for (size_t b = 0; b < UTF8_MAX; b++) {
            unsigned byte = random >> (8 * b) & 0xff;
            bool continues = b && random >> (40 + b) & 1;
            bytes[b] = (char)(continues ? 0x80 | (byte & 0x3f) : byte);
        }
        uint32_t point;
        const char *text = bytes;
        size_t length = utf8_read(bytes, &point);
        if (length) {
            assert_int_equal(utf8_write(point, written), length);
            assert_memory_equal(bytes, written, length);
            assert_true(!point || utf8_next(&text) == point);
        } else {
            assert_int_equal(utf8_next(&text), 0xfffd);
            assert_ptr_equal(text, bytes + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
