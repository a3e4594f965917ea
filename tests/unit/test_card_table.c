/* The table of data sheets, and what names mean in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/card_table.h"
#include "support/message_text.h"

static struct card_table table;

static int open_table(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const enum status status = card_table_open(&table, &diagnostics);
    char *messages = messages_take(&diagnostics);
    if (status)
        print_error("%s", messages);
    free(messages);
    return status;
}

static int close_table(void **state)
{
    (void)state;
    card_table_free(&table);
    return 0;
}

/* Every row has what no tool prints, and its own name finds it. */
static void test_rows(void **state)
{
    (void)state;
    assert_true(table.count > 150);
    for (size_t i = 0; i < table.count; i++) {
        const struct card_row *row = &table.rows[i];
        bool near;
        if (!row->card.facts[CARD_SMS] || !row->card.facts[CARD_BUS] ||
            !row->card.facts[CARD_CAPABILITY] || !row->card.facts[CARD_THREADS])
            fail_msg("%s lacks something", row->name);
        if (row->base_clock && row->card.facts[CARD_CLOCK])
            assert_true(row->base_clock <= row->card.facts[CARD_CLOCK]);
        if (card_table_find(&table, row->name, 0, &near) != row)
            fail_msg("%s means another card", row->name);
        assert_false(near);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t memory; /* GiB */
        const char *card;
    } names[] = {
        {"NVIDIA GeForce RTX 4060 Ti", 0, "GeForce RTX 4060 Ti"},
        {"rtx4060ti", 0, "GeForce RTX 4060 Ti"},
        {"4060", 0, "GeForce RTX 4060"},
        {"RTX 4070 TI SUPER", 0, "GeForce RTX 4070 Ti SUPER"},
        {"Tesla V100-SXM2-16GB", 0, "Tesla V100-SXM2"},
        {"Tesla V100-PCIE-32GB", 0, "Tesla V100-PCIE"},
        {"Tesla V100-DGXS-32GB", 0, "Tesla V100-SXM2"},
        {"V100", 0, "Tesla V100-SXM2"},
        {"NVIDIA A100-SXM4-80GB", 0, "A100-SXM4-80GB"},
        {"NVIDIA A100 80GB PCIe", 0, "A100 80GB PCIe"},
        {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", 0, "A100-SXM4-40GB"},
        {"NVIDIA H100 80GB HBM3", 0, "H100 80GB HBM3 SXM5"},
        {"H100", 0, "H100 80GB HBM3 SXM5"},
        {"NVIDIA H100 NVL", 0, "H100 NVL 94GB"},
        {"NVIDIA GH200 480GB", 0, "GH200 96GB HBM3"},
        {"GeForce RTX 3070 Laptop GPU", 0, "GeForce RTX 3070 Laptop GPU"},
        {"RTX 3070 mobile", 0, "GeForce RTX 3070 Laptop GPU"},
        {"NVIDIA GeForce RTX 3070", 0, "GeForce RTX 3070"},
        {"GeForce GTX 1070 with Max-Q Design", 0, "GeForce GTX 1070 with Max-Q Design"},
        {"GeForce GTX 1080 with Max-Q Design", 0, "GeForce GTX 1080"},
        {"NVIDIA GeForce RTX 3080", 10, "GeForce RTX 3080"},
        {"NVIDIA GeForce RTX 3080", 12, "GeForce RTX 3080 12GB"},
        {"GeForce GTX 1060", 3, "GeForce GTX 1060 3GB"},
        {"NVIDIA TITAN X (Pascal)", 0, "TITAN X (Pascal)"},
        {"GeForce GTX TITAN X", 0, "GeForce GTX TITAN X"},
        {"NVIDIA RTX A6000", 0, "RTX A6000"},
        {"NVIDIA RTX 6000 Ada Generation", 0, "RTX 6000 Ada Generation"},
        {"Quadro RTX 6000", 0, "Quadro RTX 6000"},
        {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 0, "RTX PRO 6000 Blackwell"},
        {"L40S", 0, "L40S"},
        {"NVIDIA L40", 0, "L40"},
        /* not these: another series, another generation, no card */
        {"GTX 4060", 0, NULL},
        {"Quadro 4000", 0, NULL},
        {"RTX 4060 Super", 0, NULL},
        {"Radeon RX 6800", 0, NULL},
        {"NVIDIA GeForce", 0, NULL},
        {"", 0, NULL},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool near;
        const struct card_row *row =
            card_table_find(&table, names[i].name, names[i].memory << 30, &near);
        if (!row != !names[i].card || (row && strcmp(row->name, names[i].card)))
            fail_msg("'%s' is %s", names[i].name, row ? row->name : "no card");
        assert_int_equal(near, !strcmp(names[i].name, "GeForce GTX 1080 with Max-Q Design"));
    }
}

static void assert_missing(const char *name, const char *expected)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(card_table_missing(&table, name, &diagnostics), STATUS_NOT_FOUND);
    char *found = messages_take(&diagnostics);
    if (!strstr(found, expected))
        fail_msg("%s: %s", name, found);
    free(found);
}

static void test_nearest(void **state)
{
    (void)state;
    assert_missing("RTX 4065", "did you mean 'GeForce RTX 4060'?");
    assert_missing("RTX 4060 Super", "'GeForce RTX 4060'");
    assert_missing("GeForce GTX 980 Laptop", "'GeForce GTX 980'");
    assert_missing("Voodoo", "is no card of the table of data sheets");
}

static void assert_faulty(const char *text, const char *expected)
{
    struct card_table faulty;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_not_equal(card_table_read(text, strlen(text), &faulty, &diagnostics), STATUS_OK);
    char *found = messages_take(&diagnostics);
    if (!strstr(found, expected))
        fail_msg("%s", found);
    free(found);
}

static void test_faults(void **state)
{
    (void)state;
#define REST                                                                                       \
    "sources: {s: S}\ncapabilities: {\"8.6\": {architecture: Ampere}}\n"                           \
    "chips: {GA1: {capability: \"8.6\", process: 8nm}}\n"
    assert_faulty("cards: {}\n", "a table called");
    assert_faulty(REST "cards: {A: {chip: GA2, source: s}}\n", "a chip and a source");
    assert_faulty(REST "cards: {A: {chip: GA1, source: t}}\n", "a chip and a source");
    assert_faulty(REST "cards: {A: {chip: GA1, source: s, sms: many}}\n", "a quantity");
    assert_faulty(REST "cards: {A: {chip: GA1, source: s, cores: 7}}\n", "a key of this table");
    struct card_table good;
    static const char text[] = REST "cards: {A: {chip: GA1, source: s, sms: 7}}\n";
    assert_int_equal(card_table_read(text, strlen(text), &good, NULL), STATUS_OK);
    assert_int_equal(good.rows[0].card.facts[CARD_SMS], 7);
    assert_int_equal(good.rows[0].card.facts[CARD_CAPABILITY], 86);
    card_table_free(&good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_nearest),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, open_table, close_table);
}
