/* What NVBit's mem_trace prints, in the forms of its versions, against a stream made by hand;
 * random ones against a plain reader of their own. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tests/support/message_text.h"
#include "tests/support/temporary.h"
#include "trace/trace_file.h"

static enum status open_text(const char *text, size_t size, struct trace_source **source,
                             char **messages)
{
    char path[TEMPORARY_PATH];
    struct diagnostics found = DIAGNOSTICS_INIT;
    const enum status status = trace_open(
        temporary_file(temporary_folder, "log.txt", text, size, path), NULL, source, &found);
    *messages = messages_take(&found);
    return status;
}

/* "op/bytes/space gap: addresses;" of the records of a warp. */
static void describe(const struct trace_source *source, uint32_t launch, uint64_t block,
                     uint32_t warp, char *text, size_t size)
{
    struct access_window window;
    struct block_reader *reader;
    size_t used = 0;
    *text = '\0';
    assert_int_equal(window_init(&window, WINDOW_RECORDS), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    do {
        assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
        for (uint32_t i = 0; i < window.count; i++) {
            uint64_t addresses[WARP_SIZE];
            const struct warp_access *access = &window.items[i];
            const unsigned count = access_addresses(access, &window, addresses);
            used += (size_t)snprintf(
                text + used, size - used, "%s/%u/%s%s+%u %x:", op_names[access->op], access->bytes,
                space_table[access->space].name, access->flags & ACCESS_BYPASS_L1 ? "!" : "",
                access->gap, access->mask);
            for (unsigned k = 0; k < count; k++)
                used += (size_t)snprintf(text + used, size - used, " %" PRIx64, addresses[k]);
            used += (size_t)snprintf(text + used, size - used, ";");
        }
    } while (!window.end);
    if (window.tail)
        snprintf(text + used, size - used, "+%u", window.tail);
    source->ops->close_block(reader);
    window_free(&window);
}

static void expect_warp(const struct trace_source *source, uint32_t launch, uint64_t block,
                        uint32_t warp, const char *expected)
{
    char text[4096];
    describe(source, launch, block, warp, text, sizeof text);
    assert_string_equal(text, expected);
}

#define CTX "CTX 0x0000000000400000 - "
static const char several[] =
    "------------- NVBit (NVidia Binary Instrumentation Tool v1.5.5) Loaded --------------\n"
    "MEMTRACE: STARTING CONTEXT 0x55\n"
    "hello MEMTRACE: " CTX
    "LAUNCH - Kernel pc 0x10 - Kernel name void ns::add<float, 4>(float*, int)"
    " - grid launch id 3 - grid size 2,1,1 - block size 64,1,1 - nregs 16 - shmem 64 - cuda stream "
    "id "
    "0\r\n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 1,0,0 - warp 7 - LDG.E - 0x100 0x104 0x0 0x10c \n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 1,0,0 - warp 6 - STG.E.64 - 0x100 0x200 0x0 0x10c \n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 0,0,0 - warp 4 - LDS - 0x10 0x20 \n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 0,0,0 - warp 4 - LDG.E.64.STRONG.GPU - 0x100\n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 0,0,0 - warp 4 - RED.E.ADD.F32 - 0x0 0x108\n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 0,0,0 - warp 4 - LDG.E - 0x0 0x0\n"
    "MEMTRACE: " CTX "LAUNCH - Kernel pc 0x0 - Kernel name _Z5scalePf - grid launch id 4\n"
    /* The second launch may start before the records of the first have all come. */
    "MEMTRACE: " CTX "grid_launch_id 4 - CTA 0,1,0 - warp 2 - LDGSTS.E.128 - 0x10 0x20\n"
    "MEMTRACE: " CTX "grid_launch_id 4 - CTA 0,1,0 - warp 2 - LDGSTS.E.128 - 0x7f0000000100\n"
    "MEMTRACE: " CTX "grid_launch_id 3 - CTA 0,0,0 - warp 5 - LDG.E.U8 - 0x7\n"
    "MEMTRACE: " CTX "grid_launch_id 4 - CTA 0,1,0 - warp 2 - STL.64 - 0x10 0x10\n"
    "MEMTRACE: TERMINATING CONTEXT 0x55\n";

static void test_several_launches(void **state)
{
    (void)state;
    struct trace_source *source;
    char *messages;
    assert_int_equal(open_text(several, sizeof several - 1, &source, &messages), STATUS_OK);
    assert_string_equal(messages, "");
    free(messages);
    assert_int_equal(source->launch_count, 2);
    const struct trace_launch *add = &source->launches[0], *scale = &source->launches[1];
    assert_string_equal(add->name, "void ns::add<float, 4>(float*, int)");
    assert_int_equal(launch_number(add, 0), 3);
    assert_int_equal(launch_blocks(add), 2);
    assert_int_equal(launch_warps(add), 2);
    assert_int_equal(add->registers, 16);
    assert_int_equal(add->shared_bytes, 64);
    /* Warps 4 to 7 of the SM are 0 and 1 of their blocks. */
    expect_warp(source, 0, 0, 0, "load/8/global!+1 1: 100;atomic/4/global+0 2: 108;+1");
    expect_warp(source, 0, 0, 1, "load/1/global+0 1: 7;");
    expect_warp(source, 0, 1, 0, "store/8/global+0 b: 100 200 10c;");
    expect_warp(source, 0, 1, 1, "load/4/global+0 b: 100 104 10c;");
    /* Nothing sizes the second one but its records. */
    assert_string_equal(scale->name, "_Z5scalePf");
    assert_int_equal(scale->grid[1], 2);
    assert_int_equal(launch_threads(scale), 32);
    expect_warp(source, 1, 0, 0, "");
    expect_warp(source, 1, 1, 0,
                "load/16/global+1 1: 7f0000000100;store/8/local+0 3: 100000400080 100000400084;");
    trace_source_free(source);
}

/* Older tools and those that were made of this one. */
static void test_other_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        CTX "grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E.64 - 0x100 0x108\n",
        CTX "CTA 0,0,0 - warp 0 - LDG.E.64 - 0x100 0x108 \n",
        "MEMTRACE: " CTX "grid_launch_id 0 - LDG.E.64 0x00 - block 0,0,0 - warp 0 - 0x100 0x108",
        "\xef\xbb\xbf" CTX "CTA 0,0,0 - warp 0 - @!P0 LDG.E.64 R2, [R4] - 0x100 0x108 0x0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct trace_source *source;
        char *messages;
        assert_int_equal(open_text(texts[i], 0, &source, &messages), STATUS_OK);
        free(messages);
        expect_warp(source, 0, 0, 0, "load/8/global+0 3: 100 108;");
        trace_source_free(source);
    }
}

static void test_wrong_lines(void **state)
{
    (void)state;
#define SIZED                                                                                      \
    CTX "LAUNCH - Kernel pc 0x0 - Kernel name k - grid launch id 0 - grid size 1,1,1 - block "     \
        "size "                                                                                    \
        "32,1,1 - nregs 8 - shmem 0 - cuda stream id 0\n"
    static const struct {
        const char *text, *message;
    } rows[] = {
        {SIZED CTX "grid_launch_id 0 - CTA 1,0,0 - warp 0 - LDG.E - 0x4\n",
         ":2:1: expected a block within the grid"},
        {SIZED CTX "grid_launch_id 0 - CTA 0,0 - warp 0 - LDG.E - 0x4\n", "expected a field"},
        {SIZED CTX "grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x4 zz\n",
         "expected an address"},
        {SIZED CTX "grid_launch_id 0 - CTA 0,0,0 - LDG.E - 0x4\n", "expected 'CTA x,y,z"},
        {SIZED CTX "grid_launch_id 0 - CTA 0,0,0 - warp 1 - LDG.E - 0x4\n" CTX
                   "grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x4\n",
         "2 warps"},
        {CTX "LAUNCH - Kernel name k - grid size 0,1,1 - block size 32,1,1\n", "no usable grid"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_source *source;
        char *messages;
        assert_int_equal(open_text(rows[i].text, 0, &source, &messages), STATUS_INVALID);
        if (!strstr(messages, rows[i].message))
            fail_msg("'%s' has no '%s'", messages, rows[i].message);
        free(messages);
    }
    /* A last line that was cut is left out. */
    struct trace_source *source;
    char *messages;
    assert_int_equal(open_text(SIZED CTX "grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x4\n" CTX
                                         "grid_launch_id 0 - CTA 0,0",
                               0, &source, &messages),
                     STATUS_OK);
    assert_non_null(strstr(messages, "warning"));
    free(messages);
    expect_warp(source, 0, 0, 0, "load/4/global+0 1: 4;");
    trace_source_free(source);
}

/* Random warps in random order: each has its records in their order. */
static void test_random_orders(void **state)
{
    (void)state;
    enum { BLOCKS = 3, WARPS = 4, RECORDS = 6, BYTES = 1 << 17 };
    char *text = malloc(BYTES);
    for (uint64_t seed = 0; seed < 20; seed++) {
        unsigned left[BLOCKS * WARPS], all = BLOCKS * WARPS * RECORDS, done[BLOCKS * WARPS] = {0};
        /* The SM calls them as in the block, or by places that ascend. */
        const unsigned first = seed % 2 ? 0 : (unsigned)random_below(random_at(seed, 9), 40);
        size_t used =
            (size_t)snprintf(text, BYTES,
                             CTX "LAUNCH - Kernel pc 0x0 - Kernel name k - grid launch id "
                                 "0 - grid size 1,3,1 - block size 8,16,1\n");
        for (unsigned i = 0; i < BLOCKS * WARPS; i++)
            left[i] = RECORDS;
        for (uint64_t i = 0; all; i++) {
            const unsigned warp = (unsigned)random_below(random_at(seed, i), BLOCKS * WARPS);
            if (!left[warp])
                continue;
            left[warp]--;
            all--;
            used += (size_t)snprintf(text + used, BYTES - used,
                                     CTX "grid_launch_id 0 - CTA 0,%u,0 - warp %u - LDG.E - 0x%x\n",
                                     warp / WARPS, first + warp % WARPS,
                                     0x1000 * (warp + 1) + 4 * done[warp]++);
        }
        struct trace_source *source;
        char *messages;
        assert_int_equal(open_text(text, used, &source, &messages), STATUS_OK);
        free(messages);
        for (unsigned warp = 0; warp < BLOCKS * WARPS; warp++) {
            char expected[RECORDS * 32] = "";
            for (unsigned k = 0; k < RECORDS; k++)
                snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                         "load/4/global+0 1: %x;", 0x1000 * (warp + 1) + 4 * k);
            expect_warp(source, 0, warp / WARPS, warp % WARPS, expected);
        }
        trace_source_free(source);
    }
    free(text);
}

/* Any damage is an error or leaves a stream. */
static void test_damage(void **state)
{
    (void)state;
    char text[sizeof several];
    for (uint64_t seed = 0; seed < 300; seed++) {
        memcpy(text, several, sizeof text);
        for (uint64_t i = 0; i < 1 + seed % 4; i++)
            text[random_below(random_at(seed, 2 * i), sizeof several - 1)] =
                " -,x0F\nz"[random_at(seed, 2 * i + 1) % 8];
        struct trace_source *source;
        char *messages;
        const enum status status = open_text(text, sizeof several - 1, &source, &messages);
        assert_true(status || source->launch_count);
        assert_true(!status || *messages);
        free(messages);
        trace_source_free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several_launches), cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_wrong_lines),      cmocka_unit_test(test_random_orders),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
