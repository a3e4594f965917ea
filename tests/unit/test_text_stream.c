#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text_stream.h"

/* Puts a stream of which every write fails in the place of an open one, as if there was no memory:
 * at once, so that only the stream remembers it, or at the end. */
static void spoil(struct text_stream *stream, bool at_once)
{
    assert_int_equal(fclose(stream->out), 0);
    stream->out = fopen("/dev/full", "w");
    assert_non_null(stream->out);
    if (at_once)
        setvbuf(stream->out, NULL, _IONBF, 0);
    fputs("lost", stream->out);
}

static void a_text_is_what_was_printed(void **state)
{
    (void)state;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    assert_non_null(out);
    for (int i = 0; i < 10000; i++)
        fprintf(out, "%d,", i % 10);
    char *text = text_stream_take(&stream);
    assert_non_null(text);
    assert_int_equal(stream.size, 20000);
    assert_int_equal(strlen(text), 20000);
    assert_memory_equal(text, "0,1,2,3,4,5,6,7,8,9,0,", 22);
    free(text);
}

static void a_stream_without_writes_has_an_empty_text(void **state)
{
    (void)state;
    struct text_stream stream;
    assert_non_null(text_stream_open(&stream));
    char *text = text_stream_take(&stream);
    assert_string_equal(text, "");
    assert_int_equal(stream.size, 0);
    free(text);
}

static void a_failed_write_leaves_no_text(void **state)
{
    (void)state;
    for (int at_once = 0; at_once < 2; at_once++) {
        struct text_stream stream;
        fputs("before", text_stream_open(&stream));
        spoil(&stream, at_once);
        assert_null(text_stream_take(&stream));
        /* It is closed, and a second end finds nothing. */
        assert_null(stream.out);
        assert_null(text_stream_take(&stream));
    }
}

static void a_status_wins_over_the_text(void **state)
{
    (void)state;
    char old[] = "old", *text = old;
    struct text_stream stream;
    fputs("text", text_stream_open(&stream));
    assert_int_equal(text_stream_finish(&stream, STATUS_INVALID, &text), STATUS_INVALID);
    assert_null(text);
    fputs("text", text_stream_open(&stream));
    assert_int_equal(text_stream_finish(&stream, STATUS_OK, &text), STATUS_OK);
    assert_string_equal(text, "text");
    free(text);
    assert_non_null(text_stream_open(&stream));
    spoil(&stream, true);
    assert_int_equal(text_stream_finish(&stream, STATUS_OK, &text), STATUS_MEMORY);
    assert_null(text);
    /* What found no memory to open says so, too. */
    stream = (struct text_stream){0};
    text = old;
    assert_int_equal(text_stream_finish(&stream, STATUS_OK, &text), STATUS_MEMORY);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_what_was_printed),
        cmocka_unit_test(a_stream_without_writes_has_an_empty_text),
        cmocka_unit_test(a_failed_write_leaves_no_text),
        cmocka_unit_test(a_status_wins_over_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
