/* The instructions of Accel-Sim traces: what each line says of its row, in every version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tests/support/issue_walk.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary.h"
#include "trace/trace_file.h"

#define HEADER                                                                                     \
    "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n"          \
    "-shmem = 128\n-nregs = 16\n-binary version = 80\n-cuda stream id = 0\n"                       \
    "-shmem base_addr = 0x00007f0067000000\n-local mem base_addr = 0x00007f0065000000\n"           \
    "-nvbit version = 1.5\n"
#define KERNEL "#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"
#define BODY_OF(count, lines)                                                                      \
    HEADER "-accelsim tracer version = 5\n" KERNEL "insts = " count "\n" lines "\n#END_TB\n"
#define BODY(line) BODY_OF("1", line)

static struct trace_source *open_named(const char *name, const char *text, size_t warnings)
{
    char path[TEMPORARY_PATH];
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = trace_open(temporary_file(temporary_folder, name, text, 0, path), NULL,
                                    &source, &diagnostics);
    if (status || diagnostics.count != warnings)
        diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diagnostics.count, warnings);
    diagnostics_free(&diagnostics);
    return source;
}

static struct trace_source *open_clean(const char *text)
{
    return open_named("kernel-1.traceg", text, 0);
}

/* The instructions of the only warp; the window is the caller's. */
static void read_issued(const struct trace_source *source, struct instruction_window *window)
{
    struct block_reader *reader;
    assert_true(trace_source_timed(source));
    assert_int_equal(instruction_window_init(window, 64), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read_instructions(reader, 0, window, NULL), STATUS_OK);
    assert_true(window->end);
    source->ops->close_block(reader);
}

enum { U = UNIFORM_REGISTER, NONE = -1 };

/* One line, and its row; registers end with NONE. */
static const struct {
    const char *text;
    int class, action, flags, argument, banks;
    int written[3], read[6];
} lines[] = {
    {BODY("0 1 1 R1 FFMA 3 R2 R255 R4 0 0"),
     CLASS_SINGLE,
     0,
     0,
     0,
     0,
     {1, NONE},
     {2, 255, 4, NONE}},
    {BODY("0 1 0 FSETP.GEU.AND 2 R2 R2 0 0"), CLASS_SINGLE, 0, 0, 0, 0, {NONE}, {2, 2, NONE}},
    {BODY("0 1 1 R1 HFMA2.MMA 2 R2 RZ 0 0"), CLASS_HALF, 0, 0, 0, 0, {1, NONE}, {2, NONE}},
    {BODY("0 1 1 R254 DFMA 3 R2 R4 R6 0 0"),
     CLASS_DOUBLE,
     0,
     0,
     0,
     0,
     {254, NONE},
     {2, 4, 6, NONE}},
    {BODY("0 1 1 R1 MUFU.RCP 1 R2 0 0"), CLASS_SPECIAL, 0, 0, 0, 0, {1, NONE}, {2, NONE}},
    {BODY("0 1 1 R4 HMMA.16816.F32 3 R2 R3 R4 0 0"),
     CLASS_TENSOR,
     0,
     0,
     0,
     0,
     {4, NONE},
     {2, 3, 4, NONE}},
    {BODY("0 1 0 HGMMA.64x128x16.F32 2 R4 R6 1 0 16"),
     CLASS_TENSOR,
     0,
     0,
     0,
     0,
     {NONE},
     {4, 6, NONE}},
    {BODY("0 1 0 BRA 0 0 64"), CLASS_BRANCH, 0, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 BSYNC 0 0 0"), CLASS_BRANCH, 0, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 SSY 0 0 0"), CLASS_BRANCH, 0, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 1 UR4 UIADD3 2 UR5 UR63 0 0"),
     CLASS_UNIFORM,
     0,
     0,
     0,
     0,
     {U + 4, NONE},
     {U + 5, NONE}},
    {BODY("0 1 1 UR62 R2UR 1 R9 0 0"), CLASS_UNIFORM, 0, 0, 0, 0, {U + 62, NONE}, {9, NONE}},
    {BODY("0 1 1 UR4 ULDC.64 0 0 0"), CLASS_UNIFORM, 0, 0, 0, 0, {U + 4, NONE}, {NONE}},
    {BODY("0 1 1 R4 TEX.SCR 1 R2 0 0"), CLASS_TEXTURE, 0, 0, 0, 0, {4, NONE}, {2, NONE}},
    {BODY("0 1 1 R3 S2R 0 0 0"), CLASS_INTEGER, 0, 0, 0, 0, {3, NONE}, {NONE}},
    {BODY("0 1 1 R3 LDC 1 R2 0 0"), CLASS_INTEGER, 0, 0, 0, 0, {3, NONE}, {2, NONE}},
    {BODY("0 1 0 CCTL.IVALL 0 0 0"), CLASS_INTEGER, 0, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 1 P0 ISETP 3 R2 P1 PT 0 0"), CLASS_INTEGER, 0, 0, 0, 0, {NONE}, {2, NONE}},
    {BODY("0 1 0 BAR.SYNC 0 0 0"), CLASS_CONTROL, ACTION_BARRIER, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 BAR.SYNC.DEFER_BLOCKING 0 0 0"),
     CLASS_CONTROL,
     ACTION_BARRIER,
     0,
     0,
     0,
     {NONE},
     {NONE}},
    {BODY("0 1 0 BAR.ARV 0 0 0"), CLASS_CONTROL, ACTION_NONE, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 EXIT 0 0 0"), CLASS_CONTROL, ACTION_EXIT, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 MEMBAR.SC.GPU 0 0 0"), CLASS_MEMORY, ACTION_FENCE, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 LDGDEPBAR 0 0 0"), CLASS_CONTROL, ACTION_COMMIT, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 0 DEPBAR.LE 0 0 3"), CLASS_CONTROL, ACTION_WAIT, 0, 3, 0, {NONE}, {NONE}},
    {BODY("0 1 0 DEPBAR.LE 0 0"), CLASS_CONTROL, ACTION_WAIT, 0, 0, 0, {NONE}, {NONE}},
    {BODY("0 1 1 R8 LDG.E 1 R4 4 2 0x7f0000000000 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_LOAD,
     0,
     0,
     {8, NONE},
     {4, NONE}},
    {BODY("0 1 0 STG.E 2 R4 R255 4 2 0x7f0000000000 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_STORE,
     0,
     0,
     {NONE},
     {4, 255, NONE}},
    {BODY("0 1 0 RED.E.ADD 2 R4 R5 4 2 0x7f0000000000 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_ATOMIC,
     0,
     0,
     {NONE},
     {4, 5, NONE}},
    {BODY("0 1 0 LDGSTS.E.128 2 R4 R5 16 2 0x7f0000000000 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_COPY,
     0,
     0,
     {NONE},
     {4, 5, NONE}},
    {BODY("0 1 1 R0 LDL 1 R4 4 2 0xfffdc4 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_LOAD,
     0,
     0,
     {0, NONE},
     {4, NONE}},
    {BODY("0 3 1 R0 LDS 1 R4 4 1 0x10 128 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_LOAD | INSTRUCTION_SHARED,
     0,
     2,
     {0, NONE},
     {4, NONE}},
    {BODY("0 1 0 ATOMS.ADD 2 R4 R5 4 2 0x10 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_ATOMIC | INSTRUCTION_SHARED,
     0,
     1,
     {NONE},
     {4, 5, NONE}},
    /* Generic accesses are of shared memory where Accel-Sim says so; without addresses nobody
     * knows. */
    {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0067000010 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_LOAD | INSTRUCTION_SHARED,
     0,
     1,
     {0, NONE},
     {4, NONE}},
    {BODY("0 1 1 R0 LD.E 1 R4 4 2 0x7f0000000010 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_LOAD,
     0,
     0,
     {0, NONE},
     {4, NONE}},
    {BODY("0 0 1 R0 LD.E 1 R4 4 1 0x0 0 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_LOAD,
     0,
     0,
     {0, NONE},
     {4, NONE}},
    {BODY("0 0 0 STS 2 R4 R5 4 1 0x0 0 0"),
     CLASS_MEMORY,
     0,
     INSTRUCTION_STORE | INSTRUCTION_SHARED,
     0,
     0,
     {NONE},
     {4, 5, NONE}},
};

static void expect_registers(const int *want, const uint16_t *registers, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(registers[i], want[i]);
    assert_int_equal(want[count], NONE);
}

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct trace_source *source = open_clean(lines[i].text);
        struct instruction_window window;
        read_issued(source, &window);
        assert_int_equal(source->code_count, 1);
        assert_int_equal(source->codes[0].count, 1);
        assert_int_equal(window.count, 1);
        assert_int_equal(window.items[0].banks, lines[i].banks);
        const struct instruction *row = &source->codes[0].items[0];
        assert_int_equal(row->class, lines[i].class);
        assert_int_equal(row->action, lines[i].action);
        assert_int_equal(row->flags, lines[i].flags);
        assert_int_equal(row->argument, lines[i].argument);
        expect_registers(lines[i].written, row->registers, row->written);
        expect_registers(lines[i].read, row->registers + row->written, row->read);
        instruction_window_free(&window);
        trace_source_free(source);
    }
}

/* The same instructions in the words of each version. */
static void test_versions(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"kernel-1.traceg", HEADER
         "-accelsim tracer version = 3\n" KERNEL "insts = 6\n"
         "0000 ffffffff 1 R1 MOV 0 0 \n0010 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8\n"
         "0020 ffffffff 1 R2 LDS 1 R4 4 1 0x10 8 \n0030 ffffffff 0 BAR.SYNC 0 0 \n"
         "0010 00000000 1 R2 LDG.E.64 1 R4 8 1 0x0 0\n0040 ffffffff 0 EXIT 0 0 \n#END_TB\n"},
        {"kernel-1.traceg",
         HEADER "-accelsim tracer version = 6\n-enable lineinfo = 1\n" KERNEL "insts = 6\n"
                "12 0000 ffffffff 1 R1 MOV 0 0 5 -1 Val 0x3 0x4\n"
                "12 0010 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8 0 0 NoVal\n"
                "12 0020 ffffffff 1 R2 LDS 1 R4 4 1 0x10 8 0 0 NoVal\n"
                "13 0030 ffffffff 0 BAR.SYNC 0 0 0 0 NoVal\n"
                "13 0010 00000000 1 R2 LDG.E.64 1 R4 8 1 0x0 0 0 0 NoVal\n"
                "14 0040 ffffffff 0 EXIT 0 0 0 0 NoVal\n#END_TB\n"},
        {"kernel-1.traceg", HEADER "-accelsim tracer version = 2\n" KERNEL "insts = 6\n"
                                   "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 \n"
                                   "0 0 0 0 0010 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8\n"
                                   "0 0 0 0 0020 ffffffff 1 R2 LDS 1 R4 4 1 0x10 8 \n"
                                   "0 0 0 0 0030 ffffffff 0 BAR.SYNC 0 0 \n"
                                   "0 0 0 0 0010 00000000 1 R2 LDG.E.64 1 R4 8 1 0x0 0\n"
                                   "0 0 0 0 0040 ffffffff 0 EXIT 0 0 \n#END_TB\n"},
        {"kernel-1.trace",
         HEADER "-accelsim tracer version = 3\n#traces\n"
                "0 0 0 0 7 3 0000 ffffffff 1 R1 MOV 0 0 \n"
                "0 0 0 1 7 3 0040 00000000 0 EXIT 0 0 \n"
                "0 0 0 0 7 3 0010 00000070 1 R2 LDG.E.64 1 R4 8 1 0x7f0000001000 8\n"
                "0 0 0 0 7 3 0020 ffffffff 1 R2 LDS 1 R4 4 1 0x10 8 \n"
                "0 0 0 0 7 3 0030 ffffffff 0 BAR.SYNC 0 0 \n"
                "0 0 0 0 7 3 0010 00000000 1 R2 LDG.E.64 1 R4 8 1 0x0 0\n"
                "0 0 0 0 7 3 0040 ffffffff 0 EXIT 0 0 \n"}};
    static const struct {
        uint32_t pc, mask;
        int class, banks, record;
    } want[] = {{0x00, UINT32_MAX, CLASS_INTEGER, 0, 0}, {0x10, 0x70, CLASS_MEMORY, 0, 1},
                {0x20, UINT32_MAX, CLASS_MEMORY, 2, 0},  {0x30, UINT32_MAX, CLASS_CONTROL, 0, 0},
                {0x10, 0, CLASS_MEMORY, 0, 0},           {0x40, UINT32_MAX, CLASS_CONTROL, 0, 0}};
    static const uint32_t source_lines[] = {12, 12, 12, 13, 12, 14}; /* of a pc the first */
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct trace_source *source = open_named(bodies[i][0], bodies[i][1], 0);
        struct instruction_window window;
        struct issue_totals totals;
        read_issued(source, &window);
        assert_int_equal(source->codes[0].count, 5);
        assert_int_equal(window.count, 6);
        for (int k = 0; k < 6; k++) {
            const struct warp_instruction *item = &window.items[k];
            const struct instruction *row = &source->codes[0].items[item->code];
            assert_int_equal(row->pc, want[k].pc);
            assert_int_equal(row->line, i == 1 ? source_lines[k] : 0);
            assert_int_equal(row->class, want[k].class);
            assert_int_equal(item->mask, want[k].mask);
            assert_int_equal(item->banks, want[k].banks);
            assert_int_equal(item->flags, want[k].record);
        }
        assert_int_equal(issue_walk(source, 2, 0, &totals, NULL), STATUS_OK);
        instruction_window_free(&window);
        trace_source_free(source);
    }
}

/* A pc has a row for each text, even if they share their beginning; other pcs do not disturb it. */
static void test_rows(void **state)
{
    (void)state;
    struct trace_source *source =
        open_clean(BODY_OF("10", "0 1 1 R1 MOV 1 R2 0 0\n"
                                 "0 1 1 R1 MOV 1 R21 0 0\n"
                                 "4000 1 1 R1 MOV 1 R2 0 0\n"
                                 "0 1 1 R1 MOV 1 R2 0 0\n"
                                 "0 3 1 R1 MOV 1 R2\t0 0\n"
                                 "10 1 0 DEPBAR.LE 0 0 1\n"
                                 "10 1 0 DEPBAR.LE 0 0 2\n"
                                 "20 1 1 R0 LD 1 R4 4 2 0x7f0067000010 0\n"
                                 "20 1 1 R0 LD 1 R4 4 2 0x7f0000000010 0\n"
                                 "20 1 1 R0 LD 1 R4 4 2 0x7f0067000010 0\n"));
    static const uint32_t want[] = {0, 1, 2, 0, 0, 3, 4, 5, 6, 5};
    struct instruction_window window;
    read_issued(source, &window);
    assert_int_equal(window.count, sizeof want / sizeof *want);
    for (uint32_t i = 0; i < window.count; i++)
        assert_int_equal(window.items[i].code, want[i]);
    instruction_window_free(&window);
    trace_source_free(source);
}

static void test_unknown_opcode(void **state)
{
    (void)state;
    struct trace_source *source =
        open_named("kernel-1.traceg",
                   BODY_OF("2", "0 1 1 R1 QUUX.U32 1 R2 0 0\n10 1 1 R3 FROB 1 R2 0 0\n"), 1);
    assert_int_equal(source->codes[0].count, 2);
    assert_int_equal(source->codes[0].items[0].class, CLASS_INTEGER);
    assert_int_equal(source->codes[0].items[0].registers[1], 2);
    trace_source_free(source);
}

/* The most distinct words in one bank, counted with a table of everything. */
static unsigned slow_banks(const uint64_t *addresses, unsigned count)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
        unsigned distinct = 0;
        for (unsigned i = 0; i < count; i++) {
            bool first = addresses[i] / 4 % 32 == bank;
            for (unsigned k = 0; k < i; k++)
                first = first && addresses[k] / 4 != addresses[i] / 4;
            distinct += first;
        }
        most = distinct > most ? distinct : most;
    }
    return most;
}

static void test_banks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        char text[2048];
        uint64_t addresses[WARP_SIZE];
        const uint32_t mask = (uint32_t)random_at(seed, 0) | 1;
        const unsigned range = 1u << (2 + seed % 14);
        unsigned count = 0;
        int length = snprintf(text, sizeof text,
                              HEADER "-accelsim tracer version = 5\n" KERNEL
                                     "insts = 1\n0 %x 1 R0 LDS.64 1 R4 8 0",
                              mask);
        for (uint32_t rest = mask; rest; rest &= rest - 1, count++) {
            addresses[count] = random_at(seed, 9 + count) % range;
            length += snprintf(text + length, sizeof text - (size_t)length, " %llx",
                               (unsigned long long)addresses[count]);
        }
        snprintf(text + length, sizeof text - (size_t)length, " 0\n#END_TB\n");
        struct trace_source *source = open_clean(text);
        struct instruction_window window;
        read_issued(source, &window);
        assert_int_equal(window.items[0].banks, slow_banks(addresses, count));
        instruction_window_free(&window);
        trace_source_free(source);
    }
}

/* Instructions of one launch of a trace, as Accel-Sim counts them. */
static uint64_t launch_instructions(const struct trace_source *source, uint32_t launch)
{
    const struct trace_slice slice = {launch, 0, launch_blocks(&source->launches[launch])};
    struct trace_source *part;
    struct issue_totals totals;
    assert_int_equal(trace_source_slice(source, &slice, 1, &part), STATUS_OK);
    assert_int_equal(issue_walk(part, 256, 0, &totals, NULL), STATUS_OK);
    trace_source_free(part);
    return totals.instructions;
}

/* The field of a line of comma-separated values, in which quotes protect commas. */
static const char *csv_field(const char *line, int field)
{
    bool quoted = false;
    for (; *line && field; line++) {
        quoted ^= *line == '"';
        field -= *line == ',' && !quoted;
    }
    return line;
}

static struct trace_source *open_list(const char *path)
{
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(trace_open(path, NULL, &source, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    return source;
}

static void test_real_kernels(void **state)
{
    (void)state;
    enum { INSTRUCTIONS = 9 }; /* the field */
    char path[TEMPORARY_PATH], rows[TEMPORARY_PATH], line[1024];
    if (!shared_data("traces/accelsim/bfs/kernelslist.g", path, sizeof path) ||
        !shared_data("reference/accelsim/bfs-rtx3070.csv", rows, sizeof rows)) {
        print_message("skipped: no shared traces\n");
        skip();
    }
    struct trace_source *source = open_list(path);
    FILE *file = fopen(rows, "r");
    uint32_t launch = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); launch++)
        assert_int_equal(launch_instructions(source, launch),
                         strtoull(csv_field(line, INSTRUCTIONS), NULL, 10));
    assert_true(launch >= 8);
    assert_int_equal(source->launch_count, 16);
    fclose(file);
    trace_source_free(source);
}

/* Makes a trace as a row of runs.csv was made; "" if the generator is missing. */
static void generate(const char *arguments, char path[TEMPORARY_PATH])
{
    char tool[TEMPORARY_PATH], command[3 * TEMPORARY_PATH];
    *path = '\0';
    if (!shared_data("tools/gen_kernels.py", tool, sizeof tool))
        return;
    const char *out = strstr(arguments, " OUT");
    assert_non_null(out);
    snprintf(command, sizeof command, "python3 %s %.*s %s%s >/dev/null", tool,
             (int)(out - arguments), arguments, temporary_folder, out + 4);
    if (!system(command))
        temporary_path(temporary_folder, "kernelslist.g", path);
}

/* Synthetic kernels have as many instructions as Accel-Sim counted when it ran them. */
static void test_generated_kernels(void **state)
{
    (void)state;
    enum { COMMAND = 2, KERNEL_FIELD = 5, INSTRUCTIONS = 12 };
    static const char *const made[] = {"atax OUT --bin 35 n=128 bs=64",
                                       "smem OUT --bin 70 blocks=2 bs=64 reps=32 stride=8",
                                       "smem OUT --bin 86 blocks=2 bs=64 reps=32 stride=2"};
    char rows[TEMPORARY_PATH], path[TEMPORARY_PATH], line[4096];
    unsigned compared = 0;
    if (!shared_data("reference/accelsim/runs.csv", rows, sizeof rows)) {
        print_message("skipped: no reference runs\n");
        skip();
    }
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        generate(made[i], path);
        if (!*path)
            skip();
        struct trace_source *source = open_list(path);
        FILE *file = fopen(rows, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) {
            const char *command = strstr(csv_field(line, COMMAND), made[i]);
            if (!command || command[strlen(made[i])] != ',' || command > csv_field(line, 3))
                continue;
            const uint32_t kernel = (uint32_t)atoi(csv_field(line, KERNEL_FIELD));
            assert_int_equal(launch_instructions(source, kernel - 1),
                             strtoull(csv_field(line, INSTRUCTIONS), NULL, 10));
            compared++;
        }
        fclose(file);
        trace_source_free(source);
    }
    assert_true(compared >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_unknown_opcode),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_real_kernels),
        cmocka_unit_test(test_generated_kernels),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
