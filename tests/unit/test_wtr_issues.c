/* The instructions in .wtr files: what goes in comes out, beside the same records as without them,
 * and damage is an error wherever it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <xxhash.h>

#include "base/rng.h"
#include "tests/support/issue_walk.h"
#include "tests/support/trace_walk.h"
#include "trace/wtr.h"
#include "trace/wtr_write.h"

enum { ROWS = 40 };

static char first_kernel[] = "_Z5firstPf", second_kernel[] = "_Z6secondPf";

/* A random trace, of which the seed alone decides every instruction. */
struct shape {
    uint64_t seed;
    uint32_t launches;
    struct trace_launch launch[3];
    uint32_t most;           /* instructions of a warp */
    uint32_t jumps, masks;   /* one in so many instructions does not follow the one before, or has
                              * another mask */
    uint32_t records, banks; /* one in so many memory instructions has a record, or banks */
    bool known;              /* the instructions are written too */
    bool backwards;          /* the blocks come last to first */
    size_t kept;             /* at most so many bytes of chunks stay in memory; 0: none */
};

static const struct shape small_shape = {
    .seed = 3,
    .launches = 3,
    .launch = {{.name = first_kernel, .grid = {3, 2, 1}, .block = {96, 1, 1}, .arch = 80},
               {.name = second_kernel, .grid = {2, 1, 1}, .block = {32, 2, 1}, .arch = 80},
               {.name = first_kernel, .grid = {2, 1, 1}, .block = {64, 1, 1}, .arch = 80}},
    .most = 60,
    .jumps = 6,
    .masks = 8,
    .records = 2,
    .banks = 2,
    .known = true,
};

/* Row r of every kernel; every third accesses memory. */
static struct instruction make_row(uint32_t r)
{
    struct instruction row = {.pc = r * 16,
                              .line = r % 4 ? 0 : 1 + r * 7919,
                              .class = (uint8_t)(r % 3 ? r % CLASS_MEMORY : CLASS_MEMORY),
                              .action = r % 7 == 6 ? ACTION_BARRIER : ACTION_NONE,
                              .flags = r % 3 ? 0 : INSTRUCTION_LOAD,
                              .argument = (uint8_t)r,
                              .written = (uint8_t)(r % 3),
                              .read = (uint8_t)(r % 5)};
    for (unsigned i = 0; i < INSTRUCTION_OPERANDS; i++) /* unused ones mean nothing */
        row.registers[i] = (uint16_t)((r * 31 + i) % REGISTER_COUNT);
    return row;
}

/* An instruction of a warp, and its record if it has one. */
struct step {
    struct warp_instruction issued;
    struct warp_access access;
};

static uint32_t warp_steps(const struct shape *shape, uint64_t warp)
{
    uint64_t bits = random_at(shape->seed, warp);
    return bits % 5 ? (uint32_t)random_below(random_at(bits, 0), shape->most + 1) : 0;
}

/* Makes instruction i of a warp from the one before it. */
static void make_step(const struct shape *shape, uint64_t warp, uint32_t i, struct step *step)
{
    const uint64_t bits = random_at(shape->seed ^ 99, warp * 10000000 + i);
    const uint32_t next = step->issued.code + 1;
    const bool jump = !i || next == ROWS || bits % shape->jumps == 0;
    const uint32_t mask =
        i && random_at(bits, 1) % shape->masks ? step->issued.mask : (uint32_t)random_at(bits, 2);
    *step = (struct step){
        .issued = {.code = jump ? (uint32_t)(random_at(bits, 3) % ROWS) : next, .mask = mask}};
    if (step->issued.code % 3)
        return;
    if (step->issued.mask && random_at(bits, 4) % shape->records == 0) {
        step->issued.flags = ISSUE_RECORD;
        step->access = (struct warp_access){.mask = step->issued.mask,
                                            .pc = step->issued.code * 16,
                                            .bytes = 4,
                                            .base = bits,
                                            .stride = 4};
    } else if (random_at(bits, 5) % shape->banks == 0) {
        step->issued.banks = (uint8_t)(1 + random_at(bits, 6) % 32);
    }
}

static void write_warp(struct wtr_writer *writer, const struct shape *shape, uint64_t warp)
{
    struct step step = {0};
    const uint32_t count = warp_steps(shape, warp);
    uint32_t gap = 0;
    for (uint32_t i = 0; i < count; i++) {
        make_step(shape, warp, i, &step);
        if (!(step.issued.flags & ISSUE_RECORD)) {
            gap++;
            if (shape->known)
                (void)wtr_put_instruction(writer, step.issued.code, step.issued.mask,
                                          step.issued.banks);
            continue;
        }
        step.access.gap = gap;
        gap = 0;
        if (shape->known)
            (void)wtr_put_issued(writer, step.issued.code, &step.access, NULL);
        else
            (void)wtr_put(writer, &step.access, NULL);
    }
    (void)wtr_end_warp(writer, gap);
}

static void write_block(struct wtr_writer *writer, const struct shape *shape, uint32_t launch,
                        uint64_t block)
{
    (void)wtr_begin_block(writer, block);
    for (uint32_t warp = 0; warp < launch_warps(&shape->launch[launch]); warp++) {
        (void)wtr_begin_warp(writer, warp);
        write_warp(writer, shape, (launch * 100 + block) * 100 + warp);
    }
}

static void begin_launch(struct wtr_writer *writer, const struct shape *shape, uint32_t launch)
{
    (void)wtr_begin_launch(writer, &shape->launch[launch]);
    if (!shape->known)
        return;
    (void)wtr_begin_code(writer, &shape->launch[launch]);
    for (uint32_t r = 0; r < ROWS; r++) {
        const struct instruction row = make_row(r);
        uint32_t number;
        assert_int_equal(wtr_code_row(writer, &row, &number), STATUS_OK);
        assert_int_equal(number, r); /* a kernel that came before knows them already */
    }
}

/* Writes the trace, with a dropped copy of block 1 first. */
static int write_trace(const struct shape *shape, struct wtr_kept *kept)
{
    int fd = memfd_create("trace", 0);
    struct wtr_writer *writer;
    assert_true(fd >= 0);
    assert_int_equal(wtr_writer_create(fd, "test.wtr", &writer, NULL), STATUS_OK);
    wtr_writer_keep(writer, kept);
    for (uint32_t launch = 0; launch < shape->launches; launch++) {
        begin_launch(writer, shape, launch);
        const uint64_t blocks = launch_blocks(&shape->launch[launch]);
        for (uint64_t i = 0; i < blocks; i++) {
            const uint64_t block = shape->backwards ? blocks - 1 - i : i;
            if (block == 1) {
                write_block(writer, shape, launch, block);
                (void)wtr_drop_block(writer);
            }
            write_block(writer, shape, launch, block);
            (void)wtr_end_block(writer);
        }
    }
    assert_int_equal(wtr_finish(writer), STATUS_OK);
    wtr_writer_free(writer);
    return fd;
}

static struct trace_source *open_trace(const struct shape *shape)
{
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct wtr_kept kept = {.most = shape->kept};
    const int fd = write_trace(shape, shape->kept ? &kept : NULL);
    assert_true((kept.count > 0) == (shape->kept > 0));
    enum status status = wtr_open(fd, "test.wtr", "test", "test", &source, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(wtr_take_kept(source, &kept), STATUS_OK);
    assert_true(!kept.count && !kept.items);
    return source;
}

static void expect_warp(const struct shape *shape, const struct trace_source *source,
                        struct block_reader *reader, uint32_t launch, uint64_t block, uint32_t warp,
                        struct instruction_window *window)
{
    const uint64_t number = (launch * 100 + block) * 100 + warp;
    struct step step = {0};
    uint32_t next = 0;
    do {
        assert_int_equal(source->ops->read_instructions(reader, warp, window, NULL), STATUS_OK);
        assert_true(window->count || window->end);
        for (uint32_t i = 0; i < window->count; i++, next++) {
            make_step(shape, number, next, &step);
            assert_memory_equal(&window->items[i], &step.issued, sizeof step.issued);
        }
    } while (!window->end);
    assert_int_equal(next, warp_steps(shape, number));
    /* The end stays the end. */
    assert_int_equal(source->ops->read_instructions(reader, warp, window, NULL), STATUS_OK);
    assert_true(window->end && !window->count);
}

/* Writes a shape and compares everything that is read; at both orders of the two cursors. */
static void expect_shape(const struct shape *shape, uint32_t capacity)
{
    struct trace_source *source = open_trace(shape);
    struct instruction_window window;
    struct issue_totals totals;
    assert_true(trace_source_timed(source));
    assert_int_equal(instruction_window_init(&window, capacity), STATUS_OK);
    for (uint32_t launch = 0; launch < shape->launches; launch++)
        for (uint64_t block = 0; block < launch_blocks(&shape->launch[launch]); block++) {
            struct block_reader *reader;
            assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL),
                             STATUS_OK);
            for (uint32_t warp = 0; warp < launch_warps(&shape->launch[launch]); warp++)
                expect_warp(shape, source, reader, launch, block, warp, &window);
            source->ops->close_block(reader);
        }
    assert_int_equal(issue_walk(source, capacity, 0, &totals, NULL), STATUS_OK);
    instruction_window_free(&window);
    trace_source_free(source);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct shape shape = small_shape;
        shape.seed = seed;
        shape.most = (uint32_t)(5 + seed * 20);
        shape.backwards = seed % 2;
        shape.kept = (size_t)(seed % 3) << 20;
        expect_shape(&shape, (uint32_t)(1 + seed * 7 % 50));
    }
}

/* Warps that fill chunks: with straight code and few records, with a run for each instruction, with
 * many bank conflicts, and with more records than a chunk may have. */
static void test_long_warps(void **state)
{
    (void)state;
    const struct {
        uint32_t most, jumps, masks, records, banks;
    } extremes[] = {{6000000, 500, 500, 100000, 100000},
                    {700000, 1, 8, 1000, 1000},
                    {700000, 4, 8, 1000, 1},
                    {700000, 4, 8, 1, 1000}};
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
        struct shape shape = small_shape;
        shape.launches = 1;
        shape.launch[0].grid[0] = shape.launch[0].grid[1] = 2;
        shape.launch[0].block[0] = 32;
        shape.seed = 11 + i;
        shape.most = extremes[i].most;
        shape.jumps = extremes[i].jumps;
        shape.masks = extremes[i].masks;
        shape.records = extremes[i].records;
        shape.banks = extremes[i].banks;
        expect_shape(&shape, 256);
        shape.kept = (size_t)6 << 20;
        expect_shape(&shape, 256);
    }
}

/* The records do not change, and their digest does not: neither if the instructions are known, nor
 * with the order of blocks. */
static void test_digests(void **state)
{
    (void)state;
    struct shape plain = small_shape, backwards = small_shape, other = small_shape;
    plain.known = false;
    backwards.backwards = true;
    other.banks = 3;
    struct trace_source *with = open_trace(&small_shape), *without = open_trace(&plain);
    struct trace_source *turned = open_trace(&backwards), *changed = open_trace(&other);
    struct trace_totals a, b;
    assert_int_equal(trace_walk(with, 64, &a, NULL), STATUS_OK);
    assert_int_equal(trace_walk(without, 64, &b, NULL), STATUS_OK);
    assert_true(a.hash == b.hash && a.instructions == b.instructions);
    assert_string_equal(with->digest, without->digest);
    assert_string_equal(with->digest, turned->digest);
    assert_string_equal(with->digest, changed->digest);
    assert_string_equal(with->code_digest, turned->code_digest);
    assert_string_not_equal(with->code_digest, changed->code_digest);
    assert_int_equal(strlen(with->code_digest), 32);
    assert_string_equal(without->code_digest, "");
    assert_false(trace_source_timed(without));
    assert_null(without->ops->read_instructions);
    trace_source_free(with);
    trace_source_free(without);
    trace_source_free(turned);
    trace_source_free(changed);
}

/* Launches of one kernel share its code; what is unused in a row does not make another one. */
static void test_codes(void **state)
{
    (void)state;
    struct trace_source *source = open_trace(&small_shape);
    assert_int_equal(source->code_count, 2);
    assert_int_equal(source->launches[0].code, 1);
    assert_int_equal(source->launches[1].code, 2);
    assert_int_equal(source->launches[2].code, 1);
    for (uint32_t r = 0; r < ROWS; r++) {
        struct instruction want = make_row(r), got = source->codes[1].items[r];
        for (int i = want.written + want.read; i < INSTRUCTION_OPERANDS; i++)
            want.registers[i] = 0;
        assert_int_equal(got.pc, want.pc);
        assert_int_equal(got.line, want.line);
        assert_int_equal(got.class, want.class);
        assert_int_equal(got.action, want.action);
        assert_int_equal(got.flags, want.flags);
        assert_int_equal(got.argument, want.argument);
        assert_int_equal(got.written, want.written);
        assert_int_equal(got.read, want.read);
        assert_memory_equal(got.registers, want.registers, sizeof want.registers);
    }
    trace_source_free(source);
}

/* A part of a source has the instructions of its blocks. */
static void test_slice(void **state)
{
    (void)state;
    struct trace_source *source = open_trace(&small_shape), *part, *whole;
    const struct trace_slice slices[] = {{2, 0, 2}, {0, 0, 6}};
    struct issue_totals totals;
    assert_int_equal(trace_source_slice(source, slices, 1, &part), STATUS_OK);
    assert_int_equal(trace_source_slice(source, slices, 2, &whole), STATUS_OK);
    assert_true(trace_source_timed(part));
    assert_int_equal(strlen(part->code_digest), 32);
    assert_string_not_equal(part->code_digest, part->digest);
    assert_string_not_equal(part->code_digest, whole->code_digest);
    assert_int_equal(issue_walk(part, 16, 0, &totals, NULL), STATUS_OK);
    uint64_t steps = 0;
    for (uint64_t block = 0; block < 2; block++)
        for (uint32_t warp = 0; warp < 2; warp++)
            steps += warp_steps(&small_shape, (200 + block) * 100 + warp);
    assert_int_equal(totals.instructions, steps);
    trace_source_free(part);
    trace_source_free(whole);
    trace_source_free(source);
}

/* Opens and reads everything; STATUS_OK only where nothing was noticed. */
static enum status read_all(const uint8_t *bytes, size_t size)
{
    int fd = memfd_create("damaged", 0);
    assert_int_equal(write(fd, bytes, size), size);
    struct trace_source *source;
    struct issue_totals totals = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = wtr_open(fd, "damaged.wtr", "test", "test", &source, &diagnostics);
    if (!status) {
        /* A changed grid may have very many empty blocks. */
        if (source->ops->read_instructions && trace_source_blocks(source) < 1000)
            status = issue_walk(source, 64, 0, &totals, &diagnostics);
        trace_source_free(source);
    }
    if (status) {
        assert_int_equal(status == STATUS_INVALID, 0); /* the reader saw it, not its user */
        assert_true(diagnostics.errors == 1 && diagnostics.items[0].offset <= size);
    }
    diagnostics_free(&diagnostics);
    return status;
}

struct file {
    uint8_t *bytes;
    size_t size;
};

static struct file trace_bytes(const struct shape *shape)
{
    int fd = write_trace(shape, NULL);
    struct file file = {.size = (size_t)lseek(fd, 0, SEEK_END)};
    file.bytes = malloc(file.size);
    assert_int_equal(pread(fd, file.bytes, file.size, 0), file.size);
    close(fd);
    return file;
}

static void test_damage_is_found(void **state)
{
    (void)state;
    struct file file = trace_bytes(&small_shape);
    assert_int_equal(read_all(file.bytes, file.size), STATUS_OK);
    for (size_t cut = 0; cut < file.size; cut += 3)
        assert_int_not_equal(read_all(file.bytes, cut), STATUS_OK);
    for (size_t at = 0; at < file.size; at++) {
        const uint8_t good = file.bytes[at];
        file.bytes[at] ^= (uint8_t)(1u << random_at(1, at) % 8);
        assert_int_not_equal(read_all(file.bytes, file.size), STATUS_OK);
        file.bytes[at] = good;
    }
    free(file.bytes);
}

/* An index whose checksum is right is not trusted: what opens has only possible instructions. */
static void test_codes_never_trust(void **state)
{
    (void)state;
    struct file file = trace_bytes(&small_shape);
    uint8_t *trailer = file.bytes + file.size - WTR_TRAILER_BYTES;
    const uint64_t index = wtr_get64(trailer), size = wtr_get64(trailer + 8);
    unsigned refused = 0;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        uint8_t *at = file.bytes + index + random_below(random_at(seed, 0), size);
        const uint8_t good = *at;
        *at = (uint8_t)(seed % 2 ? random_at(seed, 1) : 255);
        wtr_put64(trailer + 16, XXH64(file.bytes + index, size, 0));
        wtr_put64(trailer + 48, XXH64(trailer, 48, 0));
        refused += read_all(file.bytes, file.size) != STATUS_OK;
        *at = good;
    }
    assert_true(refused > 1000);
    free(file.bytes);
}

/* A chunk whose columns lie about its instructions: what is decoded fits the code and the records.
 */
static void test_columns_never_trust(void **state)
{
    (void)state;
    struct instruction rows[4] = {{.pc = 0},
                                  {.pc = 16, .class = CLASS_MEMORY},
                                  {.pc = 32},
                                  {.pc = 48, .class = CLASS_MEMORY}};
    const struct trace_code code = {rows, 4};
    struct warp_access items[2] = {{.mask = 3, .bytes = 4, .pc = 16, .gap = 1},
                                   {.mask = 7, .bytes = 4, .pc = 48, .gap = 5}};
    uint32_t places[2] = {1, 2};
    struct wtr_run runs[4] = {{0, 3, 2}, {0, 7, 1}, {1, 1, 1}, {2, 7, 2}};
    struct wtr_bank banks[2] = {{2, 5}, {1, 32}};
    struct wtr_span spans[2] = {
        {.block = 1, .warp = 2, .count = 1, .tail = 1},
        {.block = 4, .first = 1, .count = 1, .run = 2, .bank = 1},
    };
    struct wtr_chunk chunk = {.items = items,
                              .spans = spans,
                              .runs = runs,
                              .places = places,
                              .banks = banks,
                              .count = 2,
                              .span_count = 2,
                              .run_count = 4,
                              .bank_count = 2};
    struct wtr_bytes raw = {0};
    unsigned good = 0;
    assert_int_equal(wtr_encode(&chunk, true, &raw), STATUS_OK);
    for (uint64_t seed = 0; seed < 40000; seed++) {
        uint8_t bytes[512];
        memcpy(bytes, raw.items, raw.count);
        for (unsigned k = 0; k <= seed % 3 && seed; k++)
            bytes[random_at(seed, k) % raw.count] = (uint8_t)(random_at(seed, 10 + k) % 9);
        size_t size = seed % 5 == 4 ? random_at(seed, 20) % raw.count : raw.count;
        struct wtr_chunk decoded = {0};
        const char *what = "";
        enum status status = wtr_decode(bytes, size, 2, 2, 0, &code, &decoded, &what);
        if (!seed) {
            assert_int_equal(status, STATUS_OK);
            assert_memory_equal(decoded.runs, runs, sizeof runs);
            assert_memory_equal(decoded.places, places, sizeof places);
            assert_int_equal(decoded.banks[1].place, 1);
            assert_int_equal(decoded.banks[1].cycles, 32);
            assert_int_equal(decoded.spans[1].issued, 3);
        }
        for (size_t i = 0; !status && i < decoded.run_count; i++)
            assert_true(decoded.runs[i].code + (uint64_t)decoded.runs[i].count <= 4);
        for (size_t s = 0; !status && s < 2; s++)
            for (uint32_t i = 0; i < decoded.spans[s].count; i++)
                assert_true(decoded.places[decoded.spans[s].first + i] < decoded.spans[s].issued);
        good += !status;
        wtr_chunk_free(&decoded);
    }
    assert_true(good > 100 && good < 30000);
    free(raw.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_long_warps),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_damage_is_found),
        cmocka_unit_test(test_codes_never_trust),
        cmocka_unit_test(test_columns_never_trust),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
