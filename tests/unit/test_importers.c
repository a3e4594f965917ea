/* Address lists of other programs: each importer on a few lines, and on wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/output_file.h"
#include "base/rng.h"
#include "tests/support/message_text.h"
#include "tests/support/temporary.h"
#include "tests/support/trace_walk.h"
#include "trace/importers.h"
#include "trace/trace_file.h"
#include "trace/u64_file.h"

struct expected {
    uint64_t address;
    uint32_t mask, pc, gap;
    int op, space, bytes;
};

/* Imports bytes under this name and expects these records in one warp, and so many warnings. */
static void expect_warned(const char *name, const void *bytes, size_t size,
                          const struct expected *records, uint32_t count, uint32_t tail,
                          size_t warnings)
{
    char path[TEMPORARY_PATH];
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = trace_open(temporary_file(temporary_folder, name, bytes, size, path), NULL,
                                    &source, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diagnostics.errors, 0);
    assert_int_equal(diagnostics.count, warnings);
    diagnostics_free(&diagnostics);
    assert_int_equal(source->launch_count, 1);
    assert_int_equal(launch_blocks(&source->launches[0]), 1);
    assert_int_equal(launch_warps(&source->launches[0]), 1);
    struct access_window window;
    struct block_reader *reader;
    assert_int_equal(window_init(&window, 64), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, 0, &window, NULL), STATUS_OK);
    assert_true(window.end);
    assert_int_equal(window.count, count);
    assert_int_equal(window.tail, tail);
    for (uint32_t i = 0; i < count; i++) {
        const struct warp_access *access = &window.items[i];
        uint64_t addresses[WARP_SIZE];
        access_addresses(access, &window, addresses);
        assert_true(addresses[0] == records[i].address);
        assert_int_equal(access->mask, records[i].mask);
        assert_int_equal(access->pc, records[i].pc);
        assert_int_equal(access->gap, records[i].gap);
        assert_int_equal(access->op, records[i].op);
        assert_int_equal(access->space, records[i].space);
        assert_int_equal(access->bytes, records[i].bytes);
    }
    source->ops->close_block(reader);
    window_free(&window);
    trace_source_free(source);
}

static void expect_records(const char *name, const void *bytes, size_t size,
                           const struct expected *records, uint32_t count, uint32_t tail)
{
    expect_warned(name, bytes, size, records, count, tail, 0);
}

static void expect_wrong(const char *name, const char *text, unsigned line, unsigned column)
{
    char path[TEMPORARY_PATH];
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(trace_open(temporary_file(temporary_folder, name, text, 0, path), NULL,
                                &source, &diagnostics),
                     STATUS_INVALID);
    assert_int_equal(diagnostics.errors, 1);
    assert_int_equal(diagnostics.items[0].line, line);
    assert_int_equal(diagnostics.items[0].column, column);
    diagnostics_free(&diagnostics);
}

/* What follows an address is a comment, whatever it looks like; only numbers get a note. */
static void test_din(void **state)
{
    (void)state;
    const struct expected records[] = {{0x1000, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0xfffffffffffffffc, 1, 0, 0, OP_STORE, SPACE_GLOBAL, 4},
                                       {0x3c, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x3c, 1, 0, 0, OP_FETCH, SPACE_INSTRUCTION, 4}};
    expect_records("a.din", "0 1000\n\n1 ffffffffffffffff 4 r3\r\n3 3e stack\n2 0x3e", 0, records,
                   4, 0);
    expect_warned("a.din", "0 1000 8\n1 ffffffffffffffff\n", 0, records, 2, 0, 1);
    expect_warned("a.din", "0 1000\n4 0\n1 ffffffffffffffff\nv 0 0\n", 0, records, 2, 0, 1);
    expect_wrong("a.din", "0 1000\n6 1000\n0 10\n", 2, 1);
    expect_wrong("a.din", "0 1000\n01 1000\n0 10\n", 2, 1);
    expect_wrong("a.din", "0 1000\n0 xyz\n", 2, 3);
}

static void test_extended_din(void **state)
{
    (void)state;
    const struct expected records[] = {{0x7fff0011, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x7fff0014, 1, 0, 0, OP_STORE, SPACE_GLOBAL, 16},
                                       {0x1fc000, 1, 0, 0, OP_FETCH, SPACE_INSTRUCTION, 4},
                                       {0x40, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 8},
                                       {0x3c, 1, 0, 0, OP_STORE, SPACE_GLOBAL, 4}};
    expect_records("a.din", "r 7fff0011 4\nW 7fff0014 10\ni 1fc000 4 f()\nm 40 0x8\nw 3e\n", 0,
                   records, 5, 0);
    expect_wrong("a.din", "r 1000 4\nx 1000 4\n", 2, 1);
}

static void test_addresses(void **state)
{
    (void)state;
    const struct expected records[] = {{0x1000, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x7fffffff7c, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4}};
    /* The second would be an access to two lines, were it not to a word. */
    expect_records("a.addr", "# made by hand\n0x1000 # a\n 7fffffff7e \n", 0, records, 2, 0);
    expect_wrong("a.addr", "1000\n10000000000000000\n", 2, 1);
    expect_wrong("a.addr", "1000\n2000 3000\n4000\n", 2, 6);
}

/* What is done stands on either side of the address, under any of its names. */
static void test_addresses_with_operations(void **state)
{
    (void)state;
    const struct expected records[] = {{0x1000, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x2004, 1, 0, 0, OP_STORE, SPACE_GLOBAL, 4},
                                       {0x400590, 1, 0, 0, OP_FETCH, SPACE_INSTRUCTION, 4},
                                       {0xfdf0, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0xfdf0, 1, 0, 0, OP_STORE, SPACE_GLOBAL, 4}};
    expect_records("a.txt", "R 0x1000\n0x2006 W\n0x400590,I\n# end\nM\t0xfdf3", 0, records, 5, 0);
    expect_records("a.txt", "load 0x1000\n0x2006, Write # b\nfetch 400590\n0xfdf0 m", 0, records, 5,
                   0);
    expect_warned("a.txt", "l 0x1000 5\ns 0x2004 0\ni 0x400590\n0xfdf0 D 12 x\nw 0xfdf0", 0,
                  records, 5, 0, 1);
    expect_wrong("a.addr", "R 0x1000\nR there\nR 0x20\n", 2, 3);
    expect_wrong("a.addr", "R 0x1000\nx 0x1000\n", 2, 1);
    /* A letter alone is an address: only beside one is it an operation. */
    const struct expected letters[] = {{0xc, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x8, 1, 0, 0, OP_ATOMIC, SPACE_GLOBAL, 4}};
    expect_records("a.addr", "d\na a\n", 0, letters, 2, 0);
}

/* Pin's example tool prints the pc before, and its users the size and the value after. */
static void test_pinatrace(void **state)
{
    (void)state;
    const struct expected records[] = {{0x7ffd5e1c, 1, 0x401136, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x7ffd5e11, 1, 0x5640113a, 0, OP_STORE, SPACE_GLOBAL, 8},
                                       {0x7ffd5e10, 1, 0x40113c, 0, OP_LOAD, SPACE_GLOBAL, 4}};
    expect_records("pinatrace.out",
                   "0x401136: R 0x7ffd5e1d\n0x7f4a5640113a: W   0x7ffd5e11  8   0x1f\n"
                   "0x40113c: R 0x7ffd5e10 0 \n#eof\n",
                   0, records, 3, 0);
    expect_warned("parts.out",
                  "IMG: /bin/true\nRTN: main\n0x401136: R 0x7ffd5e1d\n"
                  "0x7f4a5640113a: W 0x7ffd5e11 8\n RTN:puts\n0x40113c: R 0x7ffd5e10\n#eof\n",
                  0, records, 3, 0, 1);
    expect_wrong("a.addr", "0x401136: R 0x1000\n0x401136: R\n0x401136: R 0x1000\n", 2, 12);
    expect_wrong("a.addr", "0x401136: R 0x1000\nmain: R 0x1000\n", 2, 1);
}

static void test_u64(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0, 0x10, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    const struct expected records[] = {{0x1000, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x0807060504030200, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4}};
    expect_records("a.u64", bytes, sizeof bytes, records, 2, 0);
    char path[TEMPORARY_PATH];
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, "a.u64", bytes, 13, path);
    assert_int_equal(trace_open(path, NULL, &source, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.items[0].severity, SEVERITY_WARNING);
    assert_int_equal(diagnostics.items[0].offset, 8);
    diagnostics_free(&diagnostics);
    trace_source_free(source);
}

/* A raw file is read as it is: the stream of its import, with the same digest. */
static void test_u64_is_read_directly(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    static uint8_t bytes[8 * COUNT];
    char path[TEMPORARY_PATH], imported[TEMPORARY_PATH + 8];
    static const size_t sizes[] = {8, sizeof bytes};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_at(3, i);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct trace_source *direct, *indirect;
        temporary_file(temporary_folder, "b.u64", bytes, sizes[k], path);
        snprintf(imported, sizeof imported, "%s.wtr", path);
        assert_int_equal(trace_import(path, &(struct trace_part){.format = "u64"}, imported,
                                      OUTPUT_REPLACE, NULL),
                         STATUS_OK);
        assert_int_equal(trace_open(path, NULL, &direct, NULL), STATUS_OK);
        assert_int_equal(trace_open(imported, NULL, &indirect, NULL), STATUS_OK);
        assert_string_equal(direct->digest, indirect->digest);
        struct access_window window;
        struct block_reader *reader;
        uint64_t read = 0;
        assert_int_equal(window_init(&window, WINDOW_RECORDS), STATUS_OK);
        assert_int_equal(direct->ops->open_block(direct, 0, 0, &reader, NULL), STATUS_OK);
        do {
            assert_int_equal(direct->ops->read(reader, 0, &window, NULL), STATUS_OK);
            for (uint32_t i = 0; i < window.count; i++, read++) {
                uint64_t address = 0;
                for (int b = 7; b >= 0; b--)
                    address = address << 8 | bytes[8 * read + (uint64_t)b];
                address -= address % 4; /* of the word */
                assert_true(window.items[i].base == address);
            }
        } while (!window.end);
        assert_int_equal(read, sizes[k] / 8);
        direct->ops->close_block(reader);
        window_free(&window);
        trace_source_free(direct);
        trace_source_free(indirect);
    }
}

/* The file is cut while it is read. */
static void test_u64_shrinks(void **state)
{
    (void)state;
    static const uint8_t bytes[800];
    char path[TEMPORARY_PATH];
    struct u64_file file;
    uint64_t addresses[100];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, "c.u64", bytes, sizeof bytes, path);
    assert_int_equal(u64_open(path, &file, &diagnostics), STATUS_OK);
    assert_int_equal(file.count, 100);
    assert_int_equal(truncate(path, 404), 0);
    assert_int_equal(u64_read(&file, 0, addresses, 50, &diagnostics), STATUS_OK);
    assert_int_equal(u64_read(&file, 0, addresses, 100, &diagnostics), STATUS_IO);
    assert_int_equal(diagnostics.items[0].offset, 404);
    u64_close(&file);
    diagnostics_free(&diagnostics);
    struct trace_source *source;
    temporary_file(temporary_folder, "d.u64", bytes, 7, path);
    assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_INVALID);
}

static void test_empty_lists_are_refused(void **state)
{
    (void)state;
    static const char *const files[] = {"e.addr", "e.din", "e.csv", "e.lackey", "e.u64"};
    static const char *const texts[] = {"# nothing\n\n", "", "address,op\n", "==1== Lackey\n", ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[TEMPORARY_PATH];
        struct trace_source *source;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        temporary_file(temporary_folder, files[i], texts[i], strlen(texts[i]), path);
        assert_int_equal(trace_open(path, NULL, &source, &diagnostics), STATUS_INVALID);
        char *messages = messages_take(&diagnostics), expected[TEMPORARY_PATH + 32];
        snprintf(expected, sizeof expected, "%s: accesses no memory\n", path);
        assert_string_equal(messages, expected);
        free(messages);
    }
}

static void test_lackey(void **state)
{
    (void)state;
    const struct expected records[] = {{0x1ffeffe7e0, 1, 0x4001003, 1, OP_STORE, SPACE_GLOBAL, 8},
                                       {0x4c2b0a0, 1, 0x4001010, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                       {0x4c2b0a0, 1, 0x4001010, 0, OP_STORE, SPACE_GLOBAL, 4},
                                       {0x5000, 1, 0x4001016, 1, OP_LOAD, SPACE_GLOBAL, 32}};
    expect_warned("log",
                  "==12== Lackey, an example Valgrind tool\n"
                  "I  04001000,3\nI  04001003,5\n S 1ffeffe7e0,8\n"
                  "I  04001010,3\n M 04c2b0a0,4\nI  04001013,3\nI  04001016,4\n"
                  " L 5000,512\nI  04001020,2\nI  04001022,2\nprinted by the program\n",
                  0, records, 4, 2, 1);
    expect_wrong("a.lackey", "I  04001000,3\n L 5000;8\n", 2, 4);
}

static void test_csv(void **state)
{
    (void)state;
    const struct expected records[] = {{0x100, 0xf, 16, 0, OP_LOAD, SPACE_GLOBAL, 8},
                                       {0x200, 0x3, 16, 0, OP_LOAD, SPACE_GLOBAL, 8},
                                       {4096, 0x80000000u, 32, 0, OP_STORE, SPACE_TEXTURE, 8}};
    expect_warned("a.csv",
                  "note,\"address\", OP ,bytes,pc,thread,space\n"
                  "a,0x100,load,8,16,0,global\n,0x108,load,8,16,1,global\n"
                  "a,0x110,L,8,16,2,global\n,0x118,r,8,16,3,global\n"
                  "a,0x200,load,8,0x10,32,global\n,0x208,load,8,16,33,global\n"
                  ",4096,store,8,32,31,texture\n",
                  0, records, 3, 0, 1);
    const struct expected plain[] = {{16, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4},
                                     {20, 1, 0, 0, OP_LOAD, SPACE_GLOBAL, 4}};
    expect_records("a.csv", "address\n16\n0x14", 0, plain, 2, 0);
    expect_wrong("a.csv", "op,bytes\nload,4\n", 1, 0);
    expect_wrong("a.csv", "address,op\n16,load\n17,jump\n", 3, 4);
    expect_wrong("a.csv", "address,op\n16\n", 2, 1);
    expect_wrong("a.csv", "address,bytes\n16,33\n", 2, 4);
    expect_wrong("a.csv", "address,bytes\n16,4,7\n", 2, 6);
}

/* All words for what an access does, in any case. */
static void test_csv_words(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int op, space;
    } rows[] = {{"load", OP_LOAD, SPACE_GLOBAL},     {"store", OP_STORE, SPACE_GLOBAL},
                {"atomic", OP_ATOMIC, SPACE_GLOBAL}, {"fetch", OP_FETCH, SPACE_INSTRUCTION},
                {"l", OP_LOAD, SPACE_GLOBAL},        {"s", OP_STORE, SPACE_GLOBAL},
                {"a", OP_ATOMIC, SPACE_GLOBAL},      {"f", OP_FETCH, SPACE_INSTRUCTION},
                {"r", OP_LOAD, SPACE_GLOBAL},        {"w", OP_STORE, SPACE_GLOBAL},
                {"read", OP_LOAD, SPACE_GLOBAL},     {"write", OP_STORE, SPACE_GLOBAL},
                {"Read", OP_LOAD, SPACE_GLOBAL},     {"WRITE", OP_STORE, SPACE_GLOBAL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        const struct expected record = {16, 1, 0, 0, rows[i].op, rows[i].space, 4};
        snprintf(text, sizeof text, "address,op\n16,%s\n", rows[i].word);
        expect_records("a.csv", text, 0, &record, 1, 0);
    }
}

/* The records of one warp of a CSV trace as text: "address/mask+gap ". */
static void describe_warp(const struct trace_source *source, uint64_t block, uint32_t warp,
                          char text[256])
{
    struct access_window window;
    struct block_reader *reader;
    size_t used = 0;
    text[0] = '\0';
    assert_int_equal(window_init(&window, 64), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, block, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
    for (uint32_t i = 0; i < window.count; i++) {
        uint64_t addresses[WARP_SIZE];
        access_addresses(&window.items[i], &window, addresses);
        used += (size_t)snprintf(text + used, 256 - used, "%llx/%x+%u ",
                                 (unsigned long long)addresses[0], window.items[i].mask,
                                 window.items[i].gap);
    }
    source->ops->close_block(reader);
    window_free(&window);
}

static struct trace_source *open_csv(const char *text)
{
    char path[TEMPORARY_PATH];
    struct trace_source *source;
    temporary_file(temporary_folder, "warps.csv", text, 0, path);
    assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_OK);
    return source;
}

static void test_csv_warps(void **state)
{
    (void)state;
    char text[256];
    /* Warps take turns: the lines of others stand between threads of one instruction. */
    struct trace_source *source = open_csv("block,warp,address,thread\n"
                                           "1,2,0x100,0\n1,2,0x104,1\n0,0,0x900,0\n"
                                           "1,2,0x108,2\n1,0,0x200,5\n0,0,0x980,0\n");
    assert_int_equal(launch_blocks(&source->launches[0]), 2);
    assert_int_equal(launch_warps(&source->launches[0]), 3);
    describe_warp(source, 1, 2, text);
    assert_string_equal(text, "100/7+0 ");
    describe_warp(source, 1, 0, text);
    assert_string_equal(text, "200/20+0 ");
    describe_warp(source, 0, 0, text);
    assert_string_equal(text, "900/1+0 980/1+0 ");
    describe_warp(source, 0, 2, text);
    assert_string_equal(text, "");
    trace_source_free(source);
    source = open_csv("address,warp\n16,5\n32,0\n48,5\n"); /* a block each */
    assert_int_equal(launch_blocks(&source->launches[0]), 6);
    assert_int_equal(launch_warps(&source->launches[0]), 1);
    describe_warp(source, 5, 0, text);
    assert_string_equal(text, "10/1+0 30/1+0 ");
    trace_source_free(source);
    expect_wrong("a.csv", "address,warp\n16,268435456\n", 2, 4);
    expect_wrong("a.csv", "address,warp,block\n16,128,0\n", 2, 0);
    expect_wrong("a.csv", "address,warp\n", 0, 0);
}

/* Lanes of an instruction are told by lane and size, also where lines of other SMs stand between
 * them; a mask has all of them in one line. */
static void test_csv_lanes(void **state)
{
    (void)state;
    char text[256];
    struct trace_source *source =
        open_csv("lane,address,sm,size\n0,256,0,8\n0,2304,1,8\n1,264,0,8\n2,272,0,8\n1,2312,1,8\n"
                 "0,512,0,8\n");
    assert_int_equal(launch_blocks(&source->launches[0]), 2);
    describe_warp(source, 0, 0, text);
    assert_string_equal(text, "100/7+0 200/1+0 ");
    describe_warp(source, 1, 0, text);
    assert_string_equal(text, "900/3+0 ");
    trace_source_free(source);
    source =
        open_csv("launch,block,warp,gap,mask,addresses\n1,0,0,3,0x5,0x10 0x20\n0,1,0,0,1,64\n");
    assert_int_equal(source->launch_count, 2);
    assert_int_equal(launch_number(&source->launches[1], 1), 1);
    describe_warp(source, 1, 0, text); /* of the first launch */
    assert_string_equal(text, "40/1+0 ");
    trace_source_free(source);
    expect_wrong("a.csv", "mask,address\n3,16\n", 2, 0);
    expect_wrong("a.csv", "flags,address\npast_l2,16\n", 2, 1);
    expect_wrong("a.csv", "address\n16 32 zz\n", 2, 1);
}

/* A column that is nobody's is named, and so is one that says what another says. */
static void test_csv_unused(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, "a.csv", "time,address,block,sm,note,addr\n1,16,0,7,x,9\n", 0,
                   path);
    assert_int_equal(trace_open(path, NULL, &source, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 1);
    assert_int_equal(diagnostics.items[0].severity, SEVERITY_NOTE);
    assert_non_null(strstr(diagnostics.items[0].message, "'time', 'sm', 'note', 'addr'"));
    assert_int_equal(launch_blocks(&source->launches[0]), 1);
    diagnostics_free(&diagnostics);
    trace_source_free(source);
}

static void test_csv_fetches(void **state)
{
    (void)state;
    const struct expected fetch[] = {{16, 1, 0, 0, OP_FETCH, SPACE_INSTRUCTION, 4}};
    const struct expected said[] = {{16, 1, 0, 0, OP_FETCH, SPACE_GLOBAL, 4}};
    expect_records("a.csv", "address,op\n16,fetch\n", 0, fetch, 1, 0);
    expect_records("a.csv", "address,op,space\n16,fetch,global\n", 0, said, 1, 0);
}

/* What a file holds says more than its name; every format that can be told is named as each other
 * one. */
static void test_content_comes_before_names(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text;
    } files[] = {
        {"lackey", " L 40,1\n M 80,1\n"},
        {"lackey", "==7== Lackey\nI  400,3\nhello\n L 40,1\n S 40,2\n S 44,2\n M 4,4\n"},
        {"lackey", "L 40,1\nS 44,4\n"},
        {"lackey", " L 10,4 \n S 18,4 25\n M 20,1 00010100\n "},
        {"din", "2 1fc000\n0 7fff0010 stack\n1 0x7fff0014\n0 40 4 r3\n"},
        {"din", "r 7fff0010 4\nw 7fff0014 4\ni 1fc000 4\nm 40 8\n"},
        {"din", "r ffe04540\nw ffe04544\n"},
        {"addresses", "# mine\n0x10\n0x20\n"},
        {"addresses", "00007f10\n0a\n"},
        {"addresses", "0x12345680 R\n0x4cbd56c0 W\n"},
        {"addresses", "l 0x30032420 5\ns 0x1ffff668 0\n"},
        {"addresses", "0x401136: R 0x7ffd5e1c\n#eof\n"},
        {"addresses", "RTN: _start\n0x401136: R 0x7ffd5e1c\n"},
        {"din", "R 0xb64395f8\nW 0xbff05c60\n#eof\n"},
        {"csv", "\xef\xbb\xbfOp, Address\nload,16\n"},
        {"trc", "blocksize: 1 1 1\n0 0 64 4\n"},
        {"accelsim", "# by hand\n\n-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                     "#traces format = x\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
                     "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7e00000000 4\n#END_TB\n"},
    };
    static const char *const names[] = {"f.trace",  "f.lackey", "f.din", "f.addr",
                                        "f.trc",    "f.csv",    "f.txt", "kernelslist.g",
                                        "f.traceg", "f.u64.txt"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            char path[TEMPORARY_PATH];
            struct trace_source *source;
            temporary_file(temporary_folder, names[k], files[i].text, 0, path);
            assert_string_equal(trace_kind(path), files[i].format);
            assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_OK);
            trace_source_free(source);
        }
    /* These may be anything, so that names decide. */
    static const char *const unclear[] = {
        "10\n20\n",         "0 10 20\n1 20 30\n",       "10 20\n0 30\n", "face\n", "L\nS 4\n", "",
        "a bed\nI faced\n", "6 20734016\n1 20846400\n", "add\nmul 4\n"};
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
        char path[TEMPORARY_PATH];
        temporary_file(temporary_folder, "f.txt", unclear[i], strlen(unclear[i]), path);
        assert_null(trace_kind(path));
    }
}

static void test_recognition(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], output[TEMPORARY_PATH];
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, "story.txt", "once upon a time\n", 0, path);
    assert_int_equal(trace_open(path, NULL, &source, &diagnostics), STATUS_UNSUPPORTED);
    assert_int_equal(diagnostics.errors, 1);
    diagnostics_free(&diagnostics);
    temporary_path(temporary_folder, "absent.din", path);
    assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_NOT_FOUND);
    temporary_file(temporary_folder, "numbers.txt", "10\n20\n", 0, path);
    temporary_path(temporary_folder, "numbers.wtr", output);
    assert_int_equal(trace_import(path, &(struct trace_part){.format = "addresses"}, output,
                                  OUTPUT_REPLACE, NULL),
                     STATUS_OK);
    assert_int_equal(trace_open(output, "mine", &source, NULL), STATUS_OK);
    assert_string_equal(source->name, "mine");
    trace_source_free(source);
    assert_int_equal(trace_import(path, &(struct trace_part){.format = "adresses"}, output,
                                  OUTPUT_REPLACE, &diagnostics),
                     STATUS_NOT_FOUND);
    assert_non_null(strstr(diagnostics.items[0].message, "'addresses'"));
    diagnostics_free(&diagnostics);
    /* A failed import leaves what was there. */
    assert_int_equal(
        trace_import(path, &(struct trace_part){.format = "din"}, output, OUTPUT_REPLACE, NULL),
        STATUS_INVALID);
    assert_int_equal(trace_open(output, NULL, &source, NULL), STATUS_OK);
    trace_source_free(source);
}

#define COUNT_IMPORTER(name) +1
enum { IMPORTER_COUNT = 0 IMPORTER_LIST(COUNT_IMPORTER) };
#undef COUNT_IMPORTER

static void test_any_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        char text[256], path[TEMPORARY_PATH];
        static const char alphabet[] = "0123456789abcdefx,, \t\nLSMI=-\"\xff";
        size_t size = 1 + random_at(seed, 0) % 255;
        for (size_t i = 0; i < size; i++)
            text[i] = alphabet[random_at(seed, i + 1) % sizeof alphabet];
        temporary_file(temporary_folder, "bytes.txt", text, size, path);
        char output[TEMPORARY_PATH];
        temporary_path(temporary_folder, "bytes.wtr", output);
        const struct importer *importer = trace_importers[seed % IMPORTER_COUNT];
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = trace_import(path, &(struct trace_part){.format = importer->name},
                                          output, OUTPUT_REPLACE, &diagnostics);
        assert_true(!status || diagnostics.errors);
        diagnostics_free(&diagnostics);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_din),
        cmocka_unit_test(test_extended_din),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_addresses_with_operations),
        cmocka_unit_test(test_pinatrace),
        cmocka_unit_test(test_u64_is_read_directly),
        cmocka_unit_test(test_u64_shrinks),
        cmocka_unit_test(test_u64),
        cmocka_unit_test(test_empty_lists_are_refused),
        cmocka_unit_test(test_lackey),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_words),
        cmocka_unit_test(test_csv_warps),
        cmocka_unit_test(test_csv_fetches),
        cmocka_unit_test(test_csv_lanes),
        cmocka_unit_test(test_csv_unused),
        cmocka_unit_test(test_content_comes_before_names),
        cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
