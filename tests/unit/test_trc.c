/* .trc traces: what becomes of a good one, and what is said of a wrong one, where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/message_text.h"
#include "tests/support/temporary.h"
#include "trace/trace_file.h"
#include "trace/trc_text.h"

static enum status open_text(const char *text, struct trace_source **source, char **messages)
{
    char path[TEMPORARY_PATH];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status =
        trace_open(temporary_file(temporary_folder, "t.trc", text, strlen(text), path), NULL,
                   source, &diagnostics);
    *messages = messages_take(&diagnostics);
    return status;
}

/* Two blocks of two threads; one store that only one thread does, between its loads. */
static void test_records(void **state)
{
    (void)state;
    static const char text[] = "blocksize: 2 1 1\n"
                               "0 0 256 4\n 1 0 260 4\n"
                               "0 1 512 8\n"
                               "2\t0\t1024 4 3 0 2048 4\r\n"
                               "1 0 8 4\n0 0 4 4\n";
    struct trace_source *source = NULL;
    char *messages;
    assert_int_equal(open_text(text, &source, &messages), STATUS_OK);
    assert_string_equal(messages, "");
    free(messages);
    assert_int_equal(launch_blocks(&source->launches[0]), 2);
    assert_int_equal(launch_threads(&source->launches[0]), 2);
    struct access_window window;
    struct block_reader *reader;
    uint64_t addresses[WARP_SIZE];
    assert_int_equal(window_init(&window, 16), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, 0, &window, NULL), STATUS_OK);
    assert_int_equal(window.count, 3);
    static const struct {
        uint64_t first, last;
        uint32_t mask;
        int op;
    } expected[] = {{256, 260, 3, OP_LOAD}, {512, 512, 1, OP_STORE}, {4, 8, 3, OP_LOAD}};
    for (unsigned i = 0; i < 3; i++) {
        unsigned count = access_addresses(&window.items[i], &window, addresses);
        assert_int_equal(window.items[i].op, expected[i].op);
        assert_int_equal(window.items[i].mask, expected[i].mask);
        assert_int_equal(addresses[0], expected[i].first);
        assert_int_equal(addresses[count - 1], expected[i].last);
    }
    source->ops->close_block(reader);
    assert_int_equal(source->ops->open_block(source, 0, 1, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, 0, &window, NULL), STATUS_OK);
    assert_int_equal(window.count, 1);
    source->ops->close_block(reader);
    window_free(&window);
    trace_source_free(source);
}

/* What the published program reads wrongly without a word. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"blocksize: 32 1 1\n0 0 0x100 4\n", "t.trc:2:5: expected a decimal address, got '0x100'"},
        {"blocksize: 32 1 1\n0 0 100 4\n0 0 1e3 4\n", ":3:5: expected a decimal address"},
        {"blocksize: 32 1 1\n0 2 100 4\n", ":2:3: expected direction 0 (load) or 1 (store)"},
        {"blocksize: 32 1 1\n32768 0 100 4\n", ":2:1: expected a thread below 32768"},
        {"blocksize: 32 1 1\n-1 0 100 4\n", ":2:1: expected a thread"},
        {"blocksize: 32 1 1\n0 0 100 0\n", ":2:9: expected 1 to 32 bytes, got '0'"},
        {"blocksize: 32 1 1\n0 0 100 4000000000000000000000\n", ":2:9: expected 1 to 32 bytes"},
        {"blocksize: 32 1 1\n0 0 18446744073709551616 4\n", ":2:5: expected a decimal address"},
        {"blocksize: 32 1 1\n0 0 100\n", "expected 1 to 32 bytes, but the file ends"},
        {"blocksize: 32 1 1\n", "no thread loads"},
        {"blocksize: 32 1 1\n0 1 4 4\n", "no thread loads"},
        {"", "the file is empty"},
        {" \n", "the file is empty"},
        {"blocksize: 32 x 1\n0 0 4 4\n", ":1:15: expected y of the block: 1 to 1536, got 'x'"},
        {"blocksize: 1024 2 1\n0 0 4 4\n", "a block of 2048 threads"},
        {"blocksize: 0 1 1\n0 0 4 4\n", ":1:12: expected x of the block"},
        {"blocksize: 32 1 1\n0 0 0 4\n1 0 4 4\n0 0 8 4\n",
         ":4:1: thread 0 loads 2 times and thread 1 of the same warp 1 times"},
        {"blocksize: 32 1 1\n0 0 0 4\n1 0 4 8\n", ":3:1: load 1 of this warp is of 8 bytes here"},
        {"blocksize: 64 1 1\n0 0 0 4\n", ":2:1: thread 0 is the last that loads"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_source *source = NULL;
        char *messages;
        enum status status = open_text(cases[i].text, &source, &messages);
        if (!status || !strstr(messages, cases[i].expected))
            fail_msg("'%s': expected '%s' in '%s'", cases[i].text, cases[i].expected, messages);
        assert_null(source);
        free(messages);
    }
}

static void test_all_problems_at_once(void **state)
{
    (void)state;
    static const char text[] = "blocksize: 32 1 1\n0 0 a 4\n0 0 4 4\n0 7 4 4\n";
    struct trace_source *source = NULL;
    char *messages;
    assert_int_not_equal(open_text(text, &source, &messages), STATUS_OK);
    assert_non_null(strstr(messages, "t.trc:2:5:"));
    assert_non_null(strstr(messages, "t.trc:4:3:"));
    free(messages);
}

/* The quick way through a line and the slow one must read the same, wherever the buffer ends:
 * blanks and numbers of random shape, and the same with single blanks. */
static void test_shapes(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("b: 1 1 1 ", out);
    enum { COUNT = 60000 };
    srand(7);
    static uint64_t addresses[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        addresses[i] = ((uint64_t)rand() << 31 | (uint64_t)rand()) >> rand() % 60;
        static const char *const blanks[] = {" ", " ", " ", "  ", "\t", "\n", "\r\n   "};
        const char *blank = blanks[rand() % 7];
        fprintf(out, "%u%s%u%s%s%llu %u\n", i % TRC_THREADS, blank, i & 1, blank,
                rand() % 9 ? "" : "00", (unsigned long long)addresses[i], 1 + i % TRC_BYTES_MAX);
    }
    fclose(out);
    struct trc_text reader;
    struct trc_access access;
    assert_int_equal(
        trc_open(temporary_file(temporary_folder, "shapes.trc", text, size, path), &reader, NULL),
        STATUS_OK);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_true(trc_next(&reader, &access));
        assert_int_equal(access.thread, i % TRC_THREADS);
        assert_int_equal(access.store, i & 1);
        assert_int_equal(access.address, addresses[i]);
        assert_int_equal(access.bytes, 1 + i % TRC_BYTES_MAX);
    }
    assert_false(trc_next(&reader, &access));
    assert_int_equal(reader.status, STATUS_OK);
    trc_close(&reader);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_all_problems_at_once),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
