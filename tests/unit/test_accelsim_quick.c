/* Lines of Accel-Sim traces that are taken without being parsed, against the same lines parsed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/sanitized.h"
#include "tests/support/temporary.h"
#include "tests/support/trace_walk.h"
#include "trace/hex_digits.h"
#include "trace/trace_file.h"

struct dice {
    uint64_t seed, rolled;
};

static uint64_t roll(struct dice *dice, uint64_t faces)
{
    return random_below(random_at(dice->seed, dice->rolled++), faces);
}

/* ---- numbers ---- */

static uint64_t slow_hex(const char *at, unsigned *count)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    uint64_t value = 0;
    const char *digit;
    for (*count = 0; *count < HEX_DIGITS && at[*count] && (digit = strchr(digits, at[*count]));
         ++*count)
        value = value << 4 | (uint64_t)(digit - digits) % 16;
    return value;
}

static void test_hex_digits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(200000); seed++) {
        struct dice dice = {seed, 0};
        char text[HEX_DIGITS];
        const unsigned other = (unsigned)roll(&dice, 24);
        for (unsigned i = 0; i < sizeof text; i++)
            text[i] =
                i == other ? (char)roll(&dice, 256) : "0123456789abcdefABCDEF"[roll(&dice, 22)];
        unsigned count, slow_count;
        const uint64_t value = hex_digits(text, &count), slow = slow_hex(text, &slow_count);
        assert_int_equal(count, slow_count);
        assert_true(value == slow);
    }
}

/* ---- lines ---- */

#define HEADER                                                                                     \
    "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (128,1,1)\n-nregs = 16\n"                 \
    "-binary version = 80\n-shmem base_addr = 0x00007f0067000000\n"                                \
    "-local mem base_addr = 0x00007f0065000000\n\n#BEGIN_TB\nthread block = 1,0,0\nwarp = 1\n"     \
    "insts = 600\n"

enum { LINES = 600, LINE = 1000, TEXT = LINES * LINE };

/* A file, as it is and with a carriage return before each newline. Those make no other trace, but
 * no line that has one is kept. */
struct twins {
    char quick[TEXT], slow[TEXT];
    size_t quick_size, slow_size;
};

static void put_line(struct twins *twins, const char *line, size_t length)
{
    memcpy(twins->quick + twins->quick_size, line, length);
    twins->quick_size += length;
    twins->quick[twins->quick_size++] = '\n';
    memcpy(twins->slow + twins->slow_size, line, length);
    twins->slow_size += length;
    twins->slow[twins->slow_size++] = '\r';
    twins->slow[twins->slow_size++] = '\n';
}

static void put_text(struct twins *twins, const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        put_line(twins, text, (size_t)(end - text));
}

/* Addresses of the lanes from `base` on, in one of the forms. */
static char *put_addresses(struct dice *dice, uint32_t mask, uint64_t base, char *at)
{
    static const char *const steps[] = {" 4", " 0", " -60", " 512", " 4000000000", " 7"};
    static const char *const heads[] = {"0x", "0x", "0x", "", "0x0000000000"};
    const unsigned lanes = (unsigned)__builtin_popcount(mask), form = (unsigned)roll(dice, 9) / 3;
    at += sprintf(at, " %u %s%llx", form, heads[roll(dice, 5)], (unsigned long long)base);
    if (form == 1)
        at = stpcpy(at, steps[roll(dice, 6)]);
    const uint64_t first = roll(dice, 6), second = roll(dice, 6), place = roll(dice, 3) * 8;
    for (unsigned i = 1; i < lanes && form != 1; i++)
        at = form == 2 ? stpcpy(at, steps[i == place ? second : first])
                       : at + sprintf(at, " 0x7f00000000%02x", i * (unsigned)first);
    return at;
}

/* An instruction of one of a few pcs, two of which share a slot, and two a place where patterns of
 * addresses are remembered (wtr_kept.c). */
static size_t put_instruction(struct dice *dice, uint32_t mask, uint64_t base, char *line)
{
    static const char *const plain[] = {
        "1 R4 IADD 1 R4 0",        "0 ISETP.LT.AND 1 R5 0",   "0 EXIT 0 0",
        "0 DEPBAR.LE 0 0 1",       "0 DEPBAR.LE 0 0 2",       "1 R1 FOO 0 0",
        "0 HGMMA.64x8.F32 1 R2 1", "0 HGMMA.64x8.F32 1 R2 2", "1 R0 UBLKCP 1 R4 4 3 1 0x10"};
    static const char *const memory[] = {"1 R8 LDG.E 1 R4 4",     "1 R8 LDG.E.STRONG.GPU 1 R4 4",
                                         "1 R8 LDS 1 R4 4",       "0 STS.64 2 R4 R6 8",
                                         "1 R8 LD.E 1 R4 4",      "0 STL.256 1 R4 32",
                                         "1 R0 ATOMG.ADD 1 R4 4", "1 R0 LDC 1 R4 4",
                                         "1 R0 NEWLD 1 R4 4"};
    static const char *const pcs[] = {"0040", "1151", "4040", "12345678", "0060", "60"};
    static const char *const tails[] = {"", " ", " 0 NoVal", " 1 NoVal", "\t"};
    const uint64_t pc = roll(dice, 6), which = roll(dice, 3) ? pc : roll(dice, 9);
    char *at = line + sprintf(line, "%s %08x ", pcs[pc], mask);
    if (roll(dice, 2))
        at = put_addresses(dice, mask, base, stpcpy(at, memory[which]));
    else
        at = stpcpy(at, plain[which]);
    return (size_t)(stpcpy(at, tails[roll(dice, 8) ? pc % 5 : roll(dice, 5)]) - line);
}

/* Changes a character of a line, most often one of its last. */
static void damage(struct dice *dice, char *line, size_t length)
{
    const size_t back = roll(dice, 2) ? (size_t)roll(dice, length) : (size_t)roll(dice, 3) % length;
    const char other = roll(dice, 2) ? " 0x\t,)9f\0-"[roll(dice, 10)] : (char)roll(dice, 256);
    line[length - 1 - back] = other == '\n' || other == '\r' ? ' ' : other;
}

/* A line that comes again, perhaps with another mask and first address. */
struct recent {
    uint64_t instruction, mask, base, harm; /* seeds; harm 0: none */
};

static uint32_t roll_mask(struct dice *dice)
{
    const uint64_t way = roll(dice, 6);
    return way < 4 ? UINT32_MAX : (uint32_t)roll(dice, way == 4 ? 2 : UINT64_C(1) << 32);
}

static void put_recent(struct twins *twins, const struct recent *recent)
{
    static const uint64_t bases[] = {
        0x10, 0x7f0067000100, 0x7f0065000100, 0x7f2a00000000, 0x7f0066fffff0, 0xffffffffffffff00,
        0};
    struct dice line_dice = {recent->instruction, 0}, base_dice = {recent->base, 0};
    struct dice mask_dice = {recent->mask, 0}, harm_dice = {recent->harm, 0};
    const uint64_t base = bases[roll(&base_dice, 7)], low = roll(&base_dice, 4);
    char line[LINE];
    const size_t length = put_instruction(&line_dice, roll_mask(&mask_dice),
                                          base + low * (roll(&base_dice, 4) ? 4 : 1), line);
    if (recent->harm)
        damage(&harm_dice, line, length);
    put_line(twins, line, length);
}

/* Lines, of which many come again. One in `damaged` is damaged, 0: none. */
static void roll_twins(uint64_t seed, uint64_t damaged, struct twins *twins)
{
    enum { RECENT = 8 };
    struct dice dice = {seed, 0};
    struct recent recent[RECENT] = {0};
    twins->quick_size = twins->slow_size = 0;
    put_text(twins, HEADER);
    for (unsigned i = 0; i < LINES - 40; i++) {
        struct recent *line = &recent[roll(&dice, RECENT)];
        if (!line->instruction || !roll(&dice, 6))
            *line = (struct recent){.instruction = 1 + roll(&dice, 1 << 30)};
        if (roll(&dice, 2))
            line->base = roll(&dice, 64);
        if (!roll(&dice, 3))
            line->mask = roll(&dice, 64);
        if (damaged && !roll(&dice, damaged))
            line->harm = roll(&dice, 1 << 30);
        put_recent(twins, line);
    }
    put_text(twins, "warp = 2\n");
    put_recent(twins, &recent[0]);
    put_text(twins, "#END_TB\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n");
    put_recent(twins, &recent[0]);
    twins->quick_size--; /* cut off */
    twins->slow_size -= 2;
}

static enum status open_bytes(const char *name, const char *bytes, size_t size,
                              struct trace_source **source, struct diagnostics *diagnostics)
{
    char path[TEMPORARY_PATH];
    *source = NULL;
    return trace_open(temporary_file(temporary_folder, name, bytes, size, path), NULL, source,
                      diagnostics);
}

/* The hash of all records of a trace, as a reader sees them. */
static uint64_t walked(const struct trace_source *source)
{
    struct trace_totals totals;
    assert_int_equal(trace_walk(source, 64, &totals, NULL), STATUS_OK);
    return totals.hash;
}

/* Opens both twins: one trace, and the same is said of both. Returns whether there is a trace. */
static bool expect_equal(const struct twins *twins)
{
    struct trace_source *quick, *slow;
    struct diagnostics said = DIAGNOSTICS_INIT, expected = DIAGNOSTICS_INIT;
    const enum status status =
        open_bytes("quick.traceg", twins->quick, twins->quick_size, &quick, &said);
    assert_int_equal(status,
                     open_bytes("slow.traceg", twins->slow, twins->slow_size, &slow, &expected));
    assert_int_equal(said.count, expected.count);
    assert_int_equal(said.errors, expected.errors);
    for (size_t i = 0; i < said.count; i++) {
        assert_int_equal(said.items[i].severity, expected.items[i].severity);
        assert_int_equal(said.items[i].line, expected.items[i].line);
        assert_int_equal(said.items[i].column, expected.items[i].column);
        assert_int_equal(said.items[i].span, expected.items[i].span);
        assert_string_equal(said.items[i].message, expected.items[i].message);
    }
    if (!status) {
        assert_string_equal(quick->digest, slow->digest);
        assert_string_equal(quick->code_digest, slow->code_digest);
        assert_true(walked(quick) == walked(slow));
    }
    trace_source_free(quick);
    trace_source_free(slow);
    diagnostics_free(&said);
    diagnostics_free(&expected);
    return !status;
}

static void test_known_lines(void **state)
{
    (void)state;
    static struct twins twins;
    for (uint64_t seed = 0; seed < ROLLS(300); seed++) {
        roll_twins(seed, 0, &twins);
        assert_true(expect_equal(&twins));
    }
}

static void test_damaged_lines(void **state)
{
    (void)state;
    static struct twins twins;
    unsigned traces = 0;
    for (uint64_t seed = 0; seed < ROLLS(600); seed++) {
        roll_twins(seed, seed % 2 ? 500 : 20, &twins);
        traces += expect_equal(&twins);
    }
    assert_in_range(traces, 10, 590);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hex_digits),
        cmocka_unit_test(test_known_lines),
        cmocka_unit_test(test_damaged_lines),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
