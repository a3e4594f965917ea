/* Machines of cards: legal for every card and any bus, with the card's own numbers; and near the
 * measured machine of the same card where they are made from others. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/embedded.h"
#include "config/card_machine.h"
#include "config/card_memory.h"
#include "config/machine_file.h"
#include "support/message_text.h"
#include "support/roll_cache.h"

static struct card_table table;

static int open_table(void **state)
{
    (void)state;
    return card_table_open(&table, NULL);
}

static int close_table(void **state)
{
    (void)state;
    card_table_free(&table);
    return 0;
}

static void assert_legal(const struct machine *machine, const char *what)
{
    struct violation found[VIOLATION_MAX];
    if (machine_check(machine, found))
        fail_msg("%s: %s: %s", what, found[0].parameter->path, found[0].message);
}

static double relative(double a, double b)
{
    return fabs(a - b) / b;
}

/* Makes the machine of a row, of `like` or the nearest. */
static struct card_machine make(const struct card_row *row, const char *like)
{
    struct card_machine made;
    struct card card = row->card;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const enum status status = card_machine_make(&table, &card, row, like, &made, &diagnostics);
    char *messages = messages_take(&diagnostics);
    if (status)
        fail_msg("%s: %s", row->name, messages);
    free(messages);
    return made;
}

static void test_every_card(void **state)
{
    (void)state;
    for (size_t i = 0; i < table.count; i++) {
        const struct card_row *row = &table.rows[i];
        struct card_machine made = make(row, NULL);
        const struct machine *machine = &made.machine;
        const struct card_memory has = card_memory_of(machine);
        const uint64_t *facts = row->card.facts;
        assert_legal(machine, row->name);
        assert_int_equal(machine->gpu.sms, facts[CARD_SMS]);
        assert_int_equal(machine->gpu.max_threads, facts[CARD_THREADS]);
        assert_int_equal(machine->gpu.shared_memory, facts[CARD_SHARED]);
        if (facts[CARD_CLOCK])
            assert_int_equal(machine->gpu.clock, facts[CARD_CLOCK]);
        if (facts[CARD_L2] && relative((double)has.l2, (double)facts[CARD_L2]) > 0.02)
            fail_msg("%s has an L2 of %" PRIu64, row->name, has.l2);
        if (facts[CARD_BANDWIDTH] &&
            relative((double)has.bandwidth, (double)facts[CARD_BANDWIDTH]) > 0.006)
            fail_msg("%s moves %" PRIu64 " bytes a second", row->name, has.bandwidth);
        assert_true(machine->gpu.launch_latency < 5000); /* never the simulator's */
        card_machine_free(&made);
    }
}

/* The file is read back as the machine, and says of each value where it is from. */
static void test_file(void **state)
{
    (void)state;
    bool near;
    const struct card_row *row = card_table_find(&table, "RTX 4060", 0, &near);
    struct card_machine made = make(row, NULL);
    struct machine machine;
    struct number_origins about;
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char *text;
    assert_int_equal(card_machine_to_yaml(&made, &row->card, row, &text), STATUS_OK);
    assert_non_null(strstr(text, "sms: 24                     # data sheet: "));
    assert_non_null(strstr(text, "# as l40: "));
    assert_non_null(strstr(text, "# * data sheet: GeForce RTX 4060, AD107: Ada GPU Architecture"));
    for (const char *at = text; (at = strchr(at, '\n')) != NULL && at[1];)
        if (*++at == ' ' && !strncmp(at + strspn(at, " "), "sms", 3)) /* values have a mark */
            assert_non_null(strchr(at, '#'));
    assert_int_equal(document_parse(text, strlen(text), "m", &document, NULL), STATUS_OK);
    assert_int_equal(machine_from_document(document, &machine, NULL), STATUS_OK);
    assert_true(machine_same(&machine, &made.machine, ~0u));
    provenance_read(document, &about, &diagnostics);
    assert_int_equal(diagnostics.errors, 0);
    assert_string_equal(about.card, "GeForce RTX 4060");
    assert_string_equal(about.like, "l40");
    assert_int_equal(about.origins[PROVENANCE_sizes], ORIGIN_data_sheet);
    assert_int_equal(about.origins[PROVENANCE_latencies], ORIGIN_related);
    document_free(document);
    card_machine_free(&made);
    free(text);
}

static const struct card_row *card_of(const char *name, struct machine *machine,
                                      struct number_origins *about)
{
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    bool near;
    assert_int_equal(machine_load(name, NULL, machine, &document, NULL), STATUS_OK);
    provenance_read(document, about, &diagnostics);
    document_free(document);
    if (diagnostics.errors)
        fail_msg("%s: about is wrong", name);
    for (int i = 0; i < PROVENANCE_COUNT; i++)
        if (!about->origins[i])
            fail_msg("%s does not say where its %s are from", name, provenance_names[i]);
    const struct card_row *row = card_table_find(&table, about->card, 0, &near);
    if (*about->card && !row)
        fail_msg("%s stands for '%s', which is no card", name, about->card);
    return row;
}

/* A machine that was made by hand from data sheets, beside the one made from another machine. */
static void compare(const char *name, const struct card_row *row, const struct machine *by_hand,
                    const char *like)
{
    struct card_machine made = make(row, like);
    const struct card_memory a = card_memory_of(&made.machine), b = card_memory_of(by_hand);
    if (made.machine.gpu.sms != by_hand->gpu.sms)
        fail_msg("%s like %s has %" PRIu64 " SMs", name, like, made.machine.gpu.sms);
    if (relative((double)a.bandwidth, (double)b.bandwidth) > 0.04)
        fail_msg("%s like %s moves %" PRIu64 " bytes a second", name, like, a.bandwidth);
    if (relative((double)a.l2, (double)b.l2) > 0.02)
        fail_msg("%s like %s has an L2 of %" PRIu64, name, like, a.l2);
    assert_legal(&made.machine, name);
    card_machine_free(&made);
}

static void test_near_those_by_hand(void **state)
{
    (void)state;
    size_t compared = 0;
    for (const struct embedded_file *file = embedded_machines; file->name; file++) {
        struct machine by_hand, other;
        struct number_origins about, unread;
        const struct card_row *row = card_of(file->name, &by_hand, &about);
        if (!row || about.origins[PROVENANCE_sizes] != ORIGIN_data_sheet)
            continue;
        for (const struct embedded_file *like = embedded_machines; like->name; like++) {
            const struct card_row *related = card_of(like->name, &other, &unread);
            if (!related || related == row ||
                related->chip->capability->architecture != row->chip->capability->architecture ||
                unread.origins[PROVENANCE_sizes] != ORIGIN_data_sheet)
                continue;
            compare(file->name, row, &by_hand, like->name);
            compared++;
        }
    }
    assert_true(compared > 40);
}

static void test_itself(void **state)
{
    (void)state;
    struct machine by_hand;
    bool near;
    const struct card_row *row = card_table_find(&table, "RTX 3080", 0, &near);
    struct card_machine made = make(row, NULL);
    assert_int_equal(machine_load("rtx3080", NULL, &by_hand, NULL, NULL), STATUS_OK);
    assert_string_equal(made.about.like, "rtx3080");
    assert_int_equal(made.machine.gpu.clock, by_hand.gpu.clock);
    assert_int_equal(made.machine.l2.slices, by_hand.l2.slices);
    assert_int_equal(made.machine.dram.clock, by_hand.dram.clock);
    assert_int_equal(made.machine.l1d.latency, by_hand.l1d.latency);
    card_machine_free(&made);
}

/* Facts of three kinds of origin, and clocks: the driver's limit, and lanes of Fermi. */
static void test_origins(void **state)
{
    (void)state;
    const struct card_row *row;
    struct card card = {.name = "NVIDIA GeForce RTX 3080"};
    card_say(&card, CARD_MEMORY_CLOCK, 9501000000, "nvidia-smi");
    card_say(&card, CARD_MAX_CLOCK, 1200000000, "nvidia-smi");
    assert_int_equal(card_machine_complete(&table, &card, &row, NULL), STATUS_OK);
    assert_string_equal(row->name, "GeForce RTX 3080");
    assert_int_equal(card.facts[CARD_SMS], 68);
    assert_string_equal(card.from[CARD_SMS], CARD_SHEET);
    assert_int_equal(card.facts[CARD_CLOCK], 1200000000);
    assert_int_equal(card.facts[CARD_BANDWIDTH], 760080000000);
    assert_string_equal(card.from[CARD_BANDWIDTH], "nvidia-smi");
    assert_string_equal(card.from[CARD_BLOCKS], CARD_GUIDE);
    card = (struct card){.name = "Tesla C2050"};
    card_say(&card, CARD_CAPABILITY, 20, "deviceQuery");
    card_say(&card, CARD_SMS, 14, "deviceQuery");
    card_say(&card, CARD_CLOCK, 1150000000, "deviceQuery");
    assert_int_equal(card_machine_complete(&table, &card, &row, NULL), STATUS_OK);
    assert_null(row);
    assert_int_equal(card.facts[CARD_CLOCK], 575000000);
    assert_int_equal(card.facts[CARD_THREADS], 1536);
    card = (struct card){.name = "Some board"};
    card_say(&card, CARD_SMS, 14, "clinfo");
    assert_int_equal(card_machine_complete(&table, &card, &row, NULL), STATUS_NOT_FOUND);
}

/* No address bit of a channel is one of its banks, rows or columns, and no bit was lost. */
static void check_masks(const struct machine *before, const struct machine *after)
{
    const uint64_t channels = after->l2.slices / after->l2.slices_per_channel;
    const unsigned at = log2_floor(after->l2.interleave);
    const uint64_t taken =
        is_power_of_two(channels) ? ((UINT64_C(1) << log2_floor(channels)) - 1) << at : 0;
    const struct dram_config *a = &after->dram, *b = &before->dram;
    assert_int_equal((a->bank_mask | a->row_mask | a->column_mask) & taken, 0);
    assert_int_equal(__builtin_popcountll(a->bank_mask), __builtin_popcountll(b->bank_mask));
    assert_int_equal(__builtin_popcountll(a->column_mask), __builtin_popcountll(b->column_mask));
    assert_int_equal(__builtin_popcountll(a->row_mask), __builtin_popcountll(b->row_mask));
}

/* Any bus, bandwidth and L2, after any machine. */
static void test_any_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"titanx", "gtx1080", "p100",    "v100", "titanv",
                                        "a100",   "rtx3080", "rtx4090", "h100", "b200"};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct machine before, after;
        struct dice dice = {.seed = seed};
        assert_int_equal(machine_load(names[seed % 10], NULL, &before, NULL, NULL), STATUS_OK);
        const struct card_memory wanted = {.bus = 32 * (1 + roll(&dice, 256)),
                                           .bandwidth = 1000000000 * (10 + roll(&dice, 8000)),
                                           .l2 = 131072 * (1 + roll(&dice, 1024))};
        /* A channel has a clock that the parameter allows. */
        const double clock =
            (double)wanted.bandwidth * 8 / (double)wanted.bus / (double)before.dram.rate;
        if (clock < 2e8 || clock > 9e9)
            continue;
        after = before;
        card_memory_fit(&after, &wanted);
        const struct card_memory got = card_memory_of(&after);
        assert_legal(&after, names[seed % 10]);
        assert_true(relative((double)got.bandwidth, (double)wanted.bandwidth) < 0.006);
        assert_true(got.bus >= wanted.bus && got.bus < wanted.bus + 8 * before.dram.bus);
        /* One set of eight ways of each channel. */
        const double row = (double)got.bus / (8 * (double)before.dram.bus) * 8 * 128;
        if ((double)wanted.l2 > 2 * row) /* there are more ways than one to come near */
            if (relative((double)got.l2, (double)wanted.l2) > 0.04)
                fail_msg("seed %" PRIu64 " bus %" PRIu64 ": %" PRIu64 " for %" PRIu64, seed,
                         wanted.bus, got.l2, wanted.l2);
        assert_true(relative((double)after.dram.refi / (double)after.dram.clock,
                             (double)before.dram.refi / (double)before.dram.clock) < 0.02 ||
                    !before.dram.refi);
        /* A row's cycle is as long as before, but for what its parts were rounded up by. */
        const uint64_t parts = after.dram.ras + after.dram.rp;
        const uint64_t cycle = (uint64_t)llround((double)before.dram.rc * (double)after.dram.clock /
                                                 (double)before.dram.clock);
        assert_int_equal(after.dram.rc, cycle > parts ? cycle : parts);
        check_masks(&before, &after);
    }
}

/* By its name, and from what a tool printed: the same machine but for what the tool says. */
static void a_card_opens_by_name_or_file(void **state)
{
    (void)state;
    char *by_name, *by_file, called[CARD_NAME];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(card_machine_open("RTX A6000", &by_name, called, &diagnostics), STATUS_OK);
    assert_non_null(strstr(called, "A6000"));
    assert_int_equal(
        card_machine_open("tests/cards/nvidia_smi_q_a6000.txt", &by_file, called, &diagnostics),
        STATUS_OK);
    assert_non_null(strstr(called, "A6000"));
    assert_non_null(strstr(by_name, "  sms: 84"));
    assert_non_null(strstr(by_file, "  sms: 84"));
    free(by_name);
    free(by_file);
    assert_int_equal(card_machine_open("no such card", &by_name, called, &diagnostics),
                     STATUS_NOT_FOUND);
    assert_null(by_name);
    diagnostics_free(&diagnostics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_card_opens_by_name_or_file),
                                       cmocka_unit_test(test_every_card),
                                       cmocka_unit_test(test_file),
                                       cmocka_unit_test(test_near_those_by_hand),
                                       cmocka_unit_test(test_itself),
                                       cmocka_unit_test(test_origins),
                                       cmocka_unit_test(test_any_memory)};
    return cmocka_run_group_tests(tests, open_table, close_table);
}
