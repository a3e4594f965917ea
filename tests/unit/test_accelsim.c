/* Accel-Sim traces of every version and of every kind of damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zstd.h>

#include "base/rng.h"
#include "support/sanitized.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary.h"
#include "tests/support/trace_walk.h"
#include "trace/trace_file.h"

#define HEADER                                                                                     \
    "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"          \
    "-shmem = 128\n-nregs = 16\n-binary version = 80\n-cuda stream id = 0\n"                       \
    "-shmem base_addr = 0x00007f0067000000\n-local mem base_addr = 0x00007f0065000000\n"           \
    "-nvbit version = 1.5\n"

/* Opens `text` as a file of this name; the diagnostics are the caller's. */
static enum status open_text(const char *name, const char *text, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    char path[TEMPORARY_PATH];
    *source = NULL;
    return trace_open(temporary_file(temporary_folder, name, text, 0, path), NULL, source,
                      diagnostics);
}

static struct trace_source *open_clean(const char *name, const char *text)
{
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = open_text(name, text, &source, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    diagnostics_free(&diagnostics);
    return source;
}

/* All records of a warp; the window is the caller's. */
static void read_warp(const struct trace_source *source, uint64_t block, uint32_t warp,
                      struct access_window *window)
{
    struct block_reader *reader;
    assert_int_equal(window_init(window, 64), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, block, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, warp, window, NULL), STATUS_OK);
    assert_true(window->end);
    source->ops->close_block(reader);
}

/* The body that the versions below have in common, in the words of each. */
static void expect_body(const struct trace_source *source)
{
    struct access_window window;
    uint64_t addresses[WARP_SIZE];
    assert_int_equal(source->launch_count, 1);
    assert_string_equal(source->launches[0].name, "_Z1kPf");
    assert_int_equal(source->launches[0].registers, 16);
    assert_int_equal(source->launches[0].shared_bytes, 128);
    read_warp(source, 1, 1, &window);
    assert_int_equal(window.count, 3);
    assert_int_equal(window.items[0].gap, 2); /* a predicated-off instruction counts */
    assert_int_equal(window.items[0].pc, 0x20);
    assert_int_equal(window.items[0].bytes, 8);
    assert_int_equal(window.items[0].mask, 0x70);
    access_addresses(&window.items[0], &window, addresses);
    assert_true(addresses[0] == 0x7f0000001000 && addresses[2] == 0x7f0000001010);
    assert_int_equal(window.items[1].op, OP_STORE);
    assert_int_equal(window.items[1].gap, 1); /* the shared access between */
    assert_int_equal(access_addresses(&window.items[1], &window, addresses), 3);
    assert_true(addresses[0] == 0x7f0000002000 && addresses[1] == 0x7f0000001ff0 &&
                addresses[2] == 0x7f0000002100);
    assert_int_equal(window.items[2].op, OP_ATOMIC);
    assert_int_equal(access_addresses(&window.items[2], &window, addresses), 1);
    assert_true(addresses[0] == 0x7f0000003000);
    assert_int_equal(window.tail, 1);
    window_free(&window);
    read_warp(source, 0, 0, &window);
    assert_int_equal(window.count, 0);
    assert_int_equal(window.tail, 0);
    window_free(&window);
}

static const char *const body_v3 = HEADER
    "-accelsim tracer version = 3\n\n#traces format = threadblock_x threadblock_y threadblock_z "
    "warpid_tb PC mask\n\n\n#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 1\ninsts = 7\n"
    "0000 ffffffff 1 R1 MOV 0 0 \n0010 00000000 0 EXIT 0 0 \n"
    "0020 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8 \n"
    "0030 ffffffff 1 R2 LDS 1 R4 4 1 0x10 4 \n"
    "0040 0000000b 0 STG.E 2 R4 R6 4 2 0x7f0000002000 -16 272 \n"
    "0050 00000001 0 RED.E.ADD 2 R4 R6 4 0 7f0000003000 \n"
    "0060 ffffffff 0 EXIT 0 0 \n\n#END_TB\n\n";

static const char *const body_v6 = HEADER
    "-accelsim tracer version = 6\n-enable lineinfo = 1\n\n#traces format = [line_num] PC mask\n"
    "#BEGIN_TB\nthread block = 1,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n"
    "warp = 0\ninsts = 0\nwarp = 1\ninsts = 7\n\n"
    "12 0000 ffffffff 1 R1 MOV 1 UR4 0 5 -1 Val 0x3 0x4\n12 0010 00000000 0 EXIT 0 0 0 0 NoVal\n"
    "13 0020 00000070 1 R2 LDG.E.64 1 UR4 4 1 0x7f0000001000 8 0 0 NoVal\n"
    "13 0030 ffffffff 1 R2 LDS 1 R4 4 1 0x10 4 0 0 NoVal\n"
    "14 0040 0000000b 0 STG.E 2 R4 R6 4 2 0x7f0000002000 -16 272 77 0 NoVal\n"
    "14 0050 00000001 0 RED.E.ADD 2 R4 R6 4 2 0x7f0000003000 -1 0 NoVal\n"
    "15 0060 ffffffff 0 EXIT 0 0 0 0 NoVal\n#END_TB";

static const char *const body_v2 =
    HEADER "-accelsim tracer version = 2\n#traces format = \n#BEGIN_TB\nthread block = 1,0,0\n"
           "warp = 1\ninsts = 7\n"
           "1 0 0 1 0000 ffffffff 1 R1 MOV 0 0 \n1 0 0 1 0010 00000000 0 EXIT 0 0 \n"
           "1 0 0 1 0020 00000070 1 R2 LDG.E.64 1 R4 8 0 7f0000001000 7f0000001008 7f0000001010\n"
           "1 0 0 1 0030 ffffffff 1 R2 LDS 1 R4 4 1 0x10 4 \n"
           "1 0 0 1 0040 0000000b 0 STG.E 2 R4 R6 4 2 0x7f0000002000 -16 272 \n"
           "1 0 0 1 0050 00000001 0 RED.E.ADD 2 R4 R6 4 0 7f0000003000 \n"
           "1 0 0 1 0060 ffffffff 0 EXIT 0 0 \n#END_TB\n";

static const char *const body_raw =
    HEADER "-accelsim tracer version = 3\n#traces format = tb warp sm_id warpid_sm PC mask\n"
           "1 0 0 1 7 3 0000 ffffffff 1 R1 MOV 0 0 \n1 0 0 1 7 3 0010 00000000 0 EXIT 0 0 \n"
           "1 0 0 1 7 3 0020 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8 \n"
           "0 0 0 1 7 3 0020 00000001 1 R2 LDG.E.64 1 R4 8 0 0x7f0000009000\n"
           "1 0 0 1 7 3 0030 ffffffff 1 R2 LDS 1 R4 4 1 0x10 4 \n"
           "1 0 0 1 7 3 0040 0000000b 0 STG.E 2 R4 R6 4 2 0x7f0000002000 -16 272 \n"
           "1 0 0 1 7 3 0050 00000001 0 RED.E.ADD 2 R4 R6 4 0 7f0000003000 \n"
           "1 0 0 1 7 3 0060 ffffffff 0 EXIT 0 0 \n";

/* Since clusters: theirs, the place in it and the rank stand between the warp and the pc. */
static const char *const body_raw_clusters = HEADER
    "-accelsim tracer version = 6\n-enable lineinfo = 0\n\n#traces format = [line_num] PC\n\n"
    "1 0 0 1 0 0 0 1 0 0 1 0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal\n"
    "1 0 0 1 0 0 0 1 0 0 1 0010 00000000 0 EXIT 0 0 0 0 NoVal\n"
    "1 0 0 1 0 0 0 1 0 0 1 0020 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8 0 0 NoVal\n"
    "0 0 0 1 0 0 0 0 0 0 0 0020 00000001 1 R2 LDG.E.64 1 R4 8 0 0x7f0000009000 0 0 NoVal\n"
    "1 0 0 1 0 0 0 1 0 0 1 0030 ffffffff 1 R2 LDS 1 R4 4 1 0x10 4 0 0 NoVal\n"
    "1 0 0 1 0 0 0 1 0 0 1 0040 0000000b 0 STG.E 2 R4 R6 4 2 0x7f0000002000 -16 272 0 0 NoVal\n"
    "1 0 0 1 0 0 0 1 0 0 1 0050 00000001 0 RED.E.ADD 2 R4 R6 4 0 7f0000003000 0 0 NoVal\n"
    "1 0 0 1 0 0 0 1 0 0 1 0060 ffffffff 0 EXIT 0 0 0 0 NoVal\n";

static void test_versions(void **state)
{
    (void)state;
    const char *const bodies[] = {body_v3, body_v6, body_v2};
    char digest[33] = "";
    for (int i = 0; i < 3; i++) {
        struct trace_source *source = open_clean("kernel-1.traceg", bodies[i]);
        expect_body(source);
        if (i)
            assert_string_equal(source->digest, digest); /* one stream in three words */
        memcpy(digest, source->digest, sizeof digest);
        trace_source_free(source);
    }
    const char *const raw[] = {body_raw, body_raw_clusters};
    for (int i = 0; i < 2; i++) {
        struct trace_source *source = open_clean("kernel-1.trace", raw[i]);
        expect_body(source);
        trace_source_free(source);
    }
}

#define BODY(line)                                                                                 \
    HEADER "-accelsim tracer version = 5\n#traces\n#BEGIN_TB\nthread block = 0,0,0\n"              \
           "warp = 0\ninsts = 1\n" line "\n#END_TB\n"

static void test_opcodes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int op, space, bytes, flags; /* op -1: no access */
    } rows[] = {
        {BODY("0 1 1 R0 LDG.E.U8 1 R4 1 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 1, 0},
        {BODY("0 1 1 R0 LDG.E.S16 1 R4 1 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 2, 0},
        {BODY("0 1 1 R0 LDG.E.LTC128B.64 1 R4 8 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 8, 0},
        {BODY("0 1 1 R0 LDG.E.128.CONSTANT 1 R4 4 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 16,
         0},
        {BODY("0 1 1 R0 LDG.E.STRONG.GPU 1 R4 4 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 4,
         ACCESS_BYPASS_L1},
        {BODY("0 1 1 R0 LDG.E.STRONG.SYS 1 R4 4 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 4, 0},
        {BODY("0 1 1 R0 LDGSTS.E.128 1 R4 16 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 16, 0},
        {BODY("0 1 1 R0 ATOMG.E.CAS.64 1 R4 8 2 0x7f0000000000 0"), OP_ATOMIC, SPACE_GLOBAL, 8, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0000000000 0"), OP_LOAD, SPACE_GLOBAL, 4, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0067000010 0"), -1, 0, 0, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0065000010 0"), OP_LOAD, SPACE_LOCAL, 4, 0},
        /* The windows of shared and local memory have 16 MiB each. */
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0065000000 0"), OP_LOAD, SPACE_LOCAL, 4, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0065ffffff 0"), OP_LOAD, SPACE_LOCAL, 4, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0066000000 0"), OP_LOAD, SPACE_GLOBAL, 4, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0064ffffff 0"), OP_LOAD, SPACE_GLOBAL, 4, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0067ffffff 0"), -1, 0, 0, 0},
        {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0068000000 0"), OP_LOAD, SPACE_GLOBAL, 4, 0},
        {BODY("0 1 0 STL.64 1 R4 8 2 0xfffdc0 0"), OP_STORE, SPACE_LOCAL, 8, 0},
        {BODY("0 1 1 R0 LDL.128 1 R4 16 2 0xfffdc0 0"), OP_LOAD, SPACE_LOCAL, 16, 0},
        {BODY("0 1 0 STL.256 1 R4 32 2 0xfffdc0 0"), OP_STORE, SPACE_LOCAL, 16, 0},
        {BODY("0 ffffffff 0 HGMMA.64x128x16.F32 2 R4 R6 1 0 16"), -1, 0, 0, 0},
        {BODY("0 1 1 R0 ATOMS.ADD 1 R4 4 2 0x10 0"), -1, 0, 0, 0},
        {BODY("0 1 1 R0 LDC 1 R4 4 2 0x10 0"), -1, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_source *source = open_clean("kernel-1.traceg", rows[i].text);
        struct access_window window;
        read_warp(source, 0, 0, &window);
        assert_int_equal(window.count, rows[i].op >= 0);
        assert_int_equal(window.tail, rows[i].op < 0);
        if (window.count) {
            assert_int_equal(window.items[0].op, rows[i].op);
            assert_int_equal(window.items[0].space, rows[i].space);
            assert_int_equal(window.items[0].bytes, rows[i].bytes);
            assert_int_equal(window.items[0].flags, rows[i].flags);
        }
        window_free(&window);
        trace_source_free(source);
    }
}

/* 32 threads that name the same local address touch 32 words side by side. */
static void test_local_is_interleaved(void **state)
{
    (void)state;
    struct trace_source *source =
        open_clean("kernel-1.traceg", BODY("0 ffffffff 1 R0 LDL 1 R4 4 1 0xfffdc4 0 0"));
    struct access_window window;
    read_warp(source, 0, 0, &window);
    assert_int_equal(window.count, 1);
    assert_int_equal(window.items[0].stride, 4);
    assert_false(window.items[0].flags & ACCESS_LISTED);
    window_free(&window);
    trace_source_free(source);
}

/* Opens damaged text; the first diagnostic has this severity and line. */
static void expect_problem(const char *text, enum status want, enum severity severity,
                           unsigned line, unsigned column)
{
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = open_text("kernel-1.traceg", text, &source, &diagnostics);
    if (status != want || !diagnostics.count || diagnostics.items[0].line != line ||
        diagnostics.items[0].column != column)
        diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, want);
    assert_true(diagnostics.count > 0);
    assert_int_equal(diagnostics.items[0].severity, severity);
    assert_int_equal(diagnostics.items[0].line, line);
    assert_int_equal(diagnostics.items[0].column, column);
    diagnostics_free(&diagnostics);
    trace_source_free(source);
}

static void test_wrong_lines(void **state)
{
    (void)state;
    expect_problem(BODY("zz 1 0 EXIT 0 0 0"), STATUS_INVALID, SEVERITY_ERROR, 18, 1);
    expect_problem(BODY("0 123456789 0 EXIT 0 0 0"), STATUS_INVALID, SEVERITY_ERROR, 18, 3);
    expect_problem(BODY("0 1 900 EXIT 0 0 0"), STATUS_INVALID, SEVERITY_ERROR, 18, 5);
    expect_problem(BODY("0 3 1 R0 LDG 1 R4 4 0 0x10"), STATUS_INVALID, SEVERITY_ERROR, 18, 27);
    expect_problem(BODY("0 3 1 R0 LDG 1 R4 4 9 0x10"), STATUS_INVALID, SEVERITY_ERROR, 18, 21);
    expect_problem(BODY("0 3 1 R0 UBLKCP 1 R4 4 3 1 0x10"), STATUS_OK, SEVERITY_WARNING, 18, 10);
    expect_problem(BODY("0 1 0 EXIT 0 0 0\n0 1 0 EXIT 0 0 0"), STATUS_OK, SEVERITY_WARNING, 20, 0);
    expect_problem(BODY("warp = 0"), STATUS_INVALID, SEVERITY_ERROR, 18, 8);
    expect_problem(BODY("warp = 2"), STATUS_INVALID, SEVERITY_ERROR, 18, 8);
    expect_problem(BODY("0 1 0 EXIT 0 0\n#END_TB\n#BEGIN_TB\nthread block = 0,0,0"), STATUS_INVALID,
                   SEVERITY_ERROR, 21, 16);
    expect_problem(BODY("0 1 0 EXIT 0 0\n#END_TB\n#BEGIN_TB\nthread block = 2,0,0"), STATUS_INVALID,
                   SEVERITY_ERROR, 21, 16);
    expect_problem("-kernel name = k\n-grid dim = (0,1,1)\n-block dim = (32,1,1)\n#\n",
                   STATUS_INVALID, SEVERITY_ERROR, 4, 0);
    expect_problem("-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                   "-nregs = 21955\n#\n",
                   STATUS_OK, SEVERITY_WARNING, 4, 10);
}

/* Cut anywhere, a trace keeps its complete blocks and says that it was cut. */
static void test_cut_short(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n%s\n%s",
             body_v3, "0000 ffffffff 1 R0 LDG.E 1 R4 4 1 0x7f0000000000 4", "#END_TB\n");
    size_t first = (size_t)(strstr(text, "#END_TB") - text) + 7;
    size_t second = (size_t)(strstr(text + first, "#BEGIN_TB") - text);
    for (size_t cut = first; cut < strlen(text) - 1; cut++) {
        char part[4096];
        memcpy(part, text, cut);
        part[cut] = '\0';
        struct trace_source *source;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(open_text("kernel-1.traceg", part, &source, &diagnostics), STATUS_OK);
        assert_int_equal(diagnostics.errors, 0);
        if (cut > second + 32 && cut < strlen(text) - 8)
            assert_true(diagnostics.count > 0);
        expect_body(source);
        diagnostics_free(&diagnostics);
        trace_source_free(source);
    }
}

/* Any bytes: an error or a trace, never a crash. */
static void test_mutations(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(600); seed++) {
        char text[4096];
        strcpy(text, seed % 2 ? body_v3 : body_v6);
        size_t length = strlen(text);
        for (unsigned k = 0; k < 1 + seed % 4; k++)
            text[random_at(seed, k) % length] = (char)(1 + random_at(seed, 10 + k) % 255);
        struct trace_source *source;
        struct trace_totals totals;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = open_text("kernel-1.traceg", text, &source, &diagnostics);
        assert_true(status == STATUS_OK || diagnostics.errors);
        if (!status && launch_blocks(&source->launches[0]) < 1000)
            assert_int_equal(trace_walk(source, 64, &totals, NULL), STATUS_OK);
        diagnostics_free(&diagnostics);
        trace_source_free(source);
    }
}

static void test_list(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, "kernel-1.traceg", body_v3, 0, path);
    temporary_file(temporary_folder, "kernel-2-ctx_0x1.traceg", body_v6, 0, path);
    struct trace_source *source =
        open_clean("kernelslist.g", "MemcpyHtoD,0x00007f0000000000,4096\n\nkernel-1.traceg\n"
                                    "MemcpyDtoH,0x0,1\nkernel-2-ctx_0x1.traceg");
    assert_int_equal(source->launch_count, 2);
    trace_source_free(source);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(
        open_text("kernelslist.g", "kernel-1.traceg\nkernel-9.traceg\n", &source, &diagnostics),
        STATUS_NOT_FOUND);
    assert_int_equal(diagnostics.items[0].line, 2);
    diagnostics_free(&diagnostics);
}

/* A list is known by what it holds, whatever it and its kernels are called. */
static void test_list_under_any_name(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH], absolute[TEMPORARY_PATH * 2];
    temporary_file(temporary_folder, "first.traceg", body_v3, 0, path);
    snprintf(absolute, sizeof absolute, "\n %s \r\n", path);
    struct trace_source *source = open_clean("all-of-them.txt", absolute);
    assert_int_equal(source->launch_count, 1);
    trace_source_free(source);
    source = open_clean("kernels", "first.traceg\nMemcpyDtoH,0x0,1\nfirst.traceg");
    assert_int_equal(source->launch_count, 2);
    trace_source_free(source);
    static const char *const others[] = {"first.traceg\nand more\n", "MemcpyDtoH,0x0,1\n", "\n\n",
                                         ".traceg\n", "first.traceg of words\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(open_text("prose.txt", others[i], &source, &diagnostics),
                         STATUS_UNSUPPORTED);
        diagnostics_free(&diagnostics);
    }
}

/* Compressed with the ordinary tools, the same trace. */
static void test_compressed(void **state)
{
    (void)state;
    static const char *const tools[] = {"xz", "gzip", "zstd"}, *const endings[] = {"xz", "gz",
                                                                                   "zst"};
    char path[TEMPORARY_PATH], command[TEMPORARY_PATH * 3];
    struct trace_source *plain = open_clean("kernel-1.traceg", body_v3);
    for (int i = 0; i < 3; i++) {
        temporary_path(temporary_folder, "kernel-1.traceg", path);
        snprintf(command, sizeof command, "%s -c '%s' > '%s.%s' 2>/dev/null", tools[i], path, path,
                 endings[i]);
        if (system(command)) {
            print_message("%s is not installed: not tested\n", tools[i]);
            continue;
        }
        strcat(strcat(path, "."), endings[i]);
        struct trace_source *source = NULL;
        assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_OK);
        assert_string_equal(source->digest, plain->digest);
        trace_source_free(source);
    }
    trace_source_free(plain);
}

/* ---- .tracez ----------------------------------------------------------------------------------
 */

struct packed {
    uint8_t bytes[1 << 14];
    size_t size;
};

static void pack(struct packed *out, const void *bytes, size_t size)
{
    assert_true(out->size + size <= sizeof out->bytes);
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void pack_number(struct packed *out, uint64_t number, size_t width)
{
    for (size_t i = 0; i < width; i++)
        pack(out, &(uint8_t){(uint8_t)(number >> 8 * i)}, 1);
}

/* The lines of one warp from `text` on, `lines` in each frame; returns after them. */
static const char *pack_warp(struct packed *out, struct packed *index, const char *text,
                             unsigned lines, const char *dictionary)
{
    unsigned instructions = (unsigned)strtoul(strstr(text, "insts = ") + 8, NULL, 10);
    unsigned frames = (instructions + lines - 1) / lines;
    ZSTD_CCtx *packer = ZSTD_createCCtx();
    text = strchr(strstr(text, "insts = "), '\n') + 1;
    pack_number(index, instructions, 4);
    pack_number(index, frames, 4);
    pack_number(index, out->size, 8);
    pack_number(out, instructions, 4);
    pack_number(out, frames, 4);
    for (unsigned done = 0; done < instructions; done += lines) {
        const char *end = text;
        char frame[4096];
        unsigned count = instructions - done < lines ? instructions - done : lines;
        for (unsigned i = 0; i < count; i++)
            end = strchr(end, '\n') + 1;
        size_t size =
            ZSTD_compress_usingDict(packer, frame, sizeof frame, text, (size_t)(end - text),
                                    dictionary, strlen(dictionary), 3);
        assert_false(ZSTD_isError(size));
        pack_number(out, size, 4);
        pack(out, frame, size);
        pack_number(index, count, 4);
        text = end;
    }
    ZSTD_freeCCtx(packer);
    return text;
}

/* Packs the text of a .traceg as Accel-Sim's post-processing does. */
static void pack_tracez(const char *text, unsigned lines, const char *dictionary,
                        struct packed *out)
{
    struct packed index = {.size = 0};
    const char *body = strchr(strstr(text, "#traces"), '\n') + 1, *at = body;
    uint32_t blocks = 0;
    out->size = 0;
    pack(out, text, (size_t)(body - text));
    pack_number(out, 0, 1);
    pack_number(out, strlen(dictionary), 4);
    pack_number(out, lines, 4);
    pack(out, dictionary, strlen(dictionary));
    while ((at = strstr(at, "thread block = "))) {
        unsigned place[3] = {0};
        const char *end = strstr(at, "#END_TB"), *warp = at;
        assert_int_equal(sscanf(at, "thread block = %u,%u,%u", &place[0], &place[1], &place[2]), 3);
        for (size_t i = 0; i < 10; i++)
            pack_number(&index, i < 3 ? place[i] : 0, 4);
        size_t count_at = index.size;
        uint8_t warps = 0;
        pack_number(&index, 0, 4);
        while ((warp = strstr(warp, "warp = ")) && warp < end) {
            warp = pack_warp(out, &index, warp, lines, dictionary);
            warps++;
        }
        index.bytes[count_at] = warps;
        blocks++;
        at = end;
    }
    size_t index_at = out->size;
    pack_number(out, blocks, 4);
    pack(out, index.bytes, index.size);
    pack_number(out, index_at, 8);
}

/* Every warp is there: the packed format numbers them by their place. */
static const char body_packed[] =
    HEADER "-accelsim tracer version = 6\n#traces format = PC mask\n\n#BEGIN_TB\n"
           "thread block = 0,0,0\nwarp = 0\ninsts = 2\n"
           "0000 00000003 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 0 0 NoVal \n"
           "0010 ffffffff 0 EXIT 0 0 0 0 NoVal \nwarp = 1\ninsts = 0\n#END_TB\n"
           "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 1\n"
           "0000 00000001 1 R2 LDG.E 1 R4 4 0 0x7f0000005000 0 0 NoVal \n"
           "warp = 1\ninsts = 3\n"
           "0000 ffffffff 1 R2 IADD3 2 R4 R6 0 0 0 NoVal \n"
           "0010 0000000f 0 STG.E 2 R4 R6 4 1 0x7f0000009000 4 0 0 NoVal \n"
           "0020 ffffffff 0 EXIT 0 0 0 0 NoVal \n#END_TB\n";

static enum status open_packed(const struct packed *packed, struct trace_source **source,
                               struct diagnostics *diagnostics)
{
    char path[TEMPORARY_PATH];
    *source = NULL;
    return trace_open(
        temporary_file(temporary_folder, "kernel-1.tracez", packed->bytes, packed->size, path),
        NULL, source, diagnostics);
}

static void test_tracez(void **state)
{
    (void)state;
    struct trace_source *text = open_clean("kernel-1.traceg", body_packed), *source;
    const char *const dictionaries[] = {"", "LDG.E 1 R4 4 1 0x7f000000 NoVal EXIT 0 0 0 0 NoVal"};
    static struct packed packed;
    for (unsigned lines = 1; lines <= 4; lines++)
        for (size_t i = 0; i < 2; i++) {
            struct diagnostics diagnostics = DIAGNOSTICS_INIT;
            pack_tracez(body_packed, lines, dictionaries[i], &packed);
            enum status status = open_packed(&packed, &source, &diagnostics);
            diagnostics_print(&diagnostics, stderr);
            assert_int_equal(status, STATUS_OK);
            assert_int_equal(diagnostics.count, 0);
            assert_string_equal(source->digest, text->digest);
            trace_source_free(source);
            diagnostics_free(&diagnostics);
        }
    trace_source_free(text);
    /* A list may name it. */
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, "mine.list", "kernel-1.tracez\n", 0, path);
    assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_OK);
    assert_int_equal(source->launch_count, 1);
    trace_source_free(source);
}

/* Whatever a damaged file says, it is read in part or refused with a reason. */
static void test_damaged_tracez(void **state)
{
    (void)state;
    static struct packed good, packed;
    struct trace_source *source;
    pack_tracez(body_packed, 2, "STG.E 2 R4 R6 4 1", &good);
    for (uint64_t seed = 0; seed < ROLLS(3000); seed++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        packed = good;
        if (seed < good.size)
            packed.size = (size_t)seed; /* cut */
        else
            for (unsigned i = 0; i <= seed % 4; i++)
                packed.bytes[random_at(seed, 2 * i) % packed.size] =
                    (uint8_t)(random_at(seed, 2 * i + 1) % 3 ? random_at(seed, 99 + i) : 0xff);
        enum status status = open_packed(&packed, &source, &diagnostics);
        if (status)
            assert_true(diagnostics.errors > 0);
        else
            trace_source_free(source);
        if (seed < good.size)
            assert_true(diagnostics.count > 0);
        diagnostics_free(&diagnostics);
    }
}

/* ---- short ways of the parser ---- */

struct dice {
    uint64_t seed, rolled;
};

static uint64_t roll(struct dice *dice, uint64_t faces)
{
    return random_below(random_at(dice->seed, dice->rolled++), faces);
}

/* The deltas from lane to lane of a memory instruction. */
struct deltas {
    uint32_t mask;
    int64_t items[WARP_SIZE];
};

/* Rolls other deltas, or changes one of those there are, or none. */
static void roll_deltas(struct dice *dice, uint32_t mask, struct deltas *deltas)
{
    const uint64_t way = roll(dice, 4);
    if (way >= 2 && deltas->mask) {
        int64_t *const changed = &deltas->items[roll(dice, WARP_SIZE)];
        if (way == 2 && llabs(*changed) <= INT32_MAX)
            *changed *= 10; /* "4" is the start of "40" */
        return;
    }
    deltas->mask = mask;
    for (unsigned i = 0; i < WARP_SIZE; i++) {
        const int64_t sign = roll(dice, 4) ? 1 : -1;
        const uint64_t most = roll(dice, 3) ? 10 : UINT64_C(1) << roll(dice, 34);
        deltas->items[i] =
            roll(dice, 8) ? (int64_t)roll(dice, 10) : sign * (int64_t)roll(dice, most);
    }
}

/* A memory instruction of these lanes in two texts: as a base and deltas after single blanks, where
 * the parser has short ways, and as a list after blanks of any number. */
static void put_access(struct dice *dice, const struct deltas *deltas, char *quick, char *slow)
{
    uint64_t address = UINT64_C(0x7f2a00000000) + roll(dice, 1 << 20) * 4;
    uint32_t mask = deltas->mask;
    const char *const blanks = &"   "[roll(dice, 2)];    /* two or three */
    const char *const rest = &" 0\n"[2 * roll(dice, 2)]; /* the last delta may end the line */
    quick +=
        sprintf(quick, "0040 %08x 1 R8 LDG.E 1 R4 4 2 0x%llx", mask, (unsigned long long)address);
    slow += sprintf(slow, "0040%s%08x%s1 R8 LDG.E 1 R4%s4 0", blanks, mask, blanks, blanks);
    for (unsigned i = 0; mask; mask &= mask - 1, i++) {
        if (i) {
            quick += sprintf(quick, " %lld", (long long)deltas->items[i]);
            address += (uint64_t)deltas->items[i];
        }
        slow += sprintf(slow, "%s0x%llx", blanks, (unsigned long long)address);
    }
    strcpy(quick, rest);
    strcpy(slow, rest);
}

/* Deltas and lists of the same addresses are the same records, whatever line came before. */
static void test_deltas_and_lists(void **state)
{
    (void)state;
    enum { LINES = 400, TEXT = LINES * 1200 };
    static char quick[TEXT], slow[TEXT];
    static const char *const others[] = {"0050", "1 R10 FFMA 3 R8 R9 R10 0 0\n", //
                                         "0060", "1 R10 FFMA 3 R8 R9 R10 0 0\n", //
                                         "0060", "1 R11 FFMA 3 R8 R9 R10 0 0\n"};
    for (uint64_t seed = 0; seed < ROLLS(20); seed++) {
        struct dice dice = {seed, 0};
        struct deltas deltas = {0};
        char *at = quick, *to = slow;
        const char *const begin =
            HEADER "\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 400\n";
        at = stpcpy(at, begin);
        to = stpcpy(to, begin);
        for (unsigned i = 0; i < LINES; i++) {
            uint32_t mask = roll(&dice, 2) ? UINT32_MAX : (uint32_t)roll(&dice, UINT64_C(1) << 32);
            if (roll(&dice, 2)) {
                roll_deltas(&dice, mask | 1, &deltas);
                put_access(&dice, &deltas, at, to);
            } else {
                const char *const *other = &others[2 * roll(&dice, 3)];
                sprintf(at, "%s %08x %s", other[0], mask, other[1]);
                sprintf(to, "%s%s%08x %s", other[0], &"   "[roll(&dice, 2)], mask, other[1]);
            }
            at += strlen(at);
            to += strlen(to);
        }
        strcpy(at, "#END_TB\n");
        strcpy(to, "#END_TB\n");
        struct trace_source *quick_source = open_clean("quick.traceg", quick);
        struct trace_source *slow_source = open_clean("slow.traceg", slow);
        assert_string_equal(quick_source->digest, slow_source->digest);
        assert_string_equal(quick_source->code_digest, slow_source->code_digest);
        trace_source_free(quick_source);
        trace_source_free(slow_source);
    }
}

static void test_real_traces(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    if (!shared_data("traces/accelsim/vectoradd/kernelslist.g", path, sizeof path)) {
        print_message("skipped: no shared traces\n");
        skip();
    }
    struct trace_source *source = NULL;
    struct trace_totals totals;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(trace_open(path, NULL, &source, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    assert_string_equal(source->name, "vectoradd/kernelslist.g");
    assert_int_equal(trace_walk(source, WINDOW_RECORDS, &totals, NULL), STATUS_OK);
    assert_int_equal(totals.lanes, 3 * 50000); /* two loads and a store of each element */
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_local_is_interleaved),
        cmocka_unit_test(test_wrong_lines),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_list_under_any_name),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_tracez),
        cmocka_unit_test(test_damaged_tracez),
        cmocka_unit_test(test_deltas_and_lists),
        cmocka_unit_test(test_real_traces),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
