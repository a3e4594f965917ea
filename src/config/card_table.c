#include "config/card_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "config/document.h"
#include "config/parameter_keys.h"

/* What the keys of a mapping mean: text goes to a field, quantities become facts. */
struct key {
    const char *name;
    enum unit unit;
    double scale; /* of the number in base units; 0: the value is text */
    int fact;     /* enum card_fact; of text the number of its slot */
};

enum { CARD_CHIP, CARD_MEMORY_KIND, CARD_SOURCE, CARD_BASE };
static const struct key card_keys[] = {{"chip", 0, 0, CARD_CHIP},
                                       {"memory", 0, 0, CARD_MEMORY_KIND},
                                       {"source", 0, 0, CARD_SOURCE},
                                       {"base", 0, 0, CARD_BASE},
                                       {"sms", UNIT_NONE, 1, CARD_SMS},
                                       {"boost", UNIT_HERTZ, 1, CARD_CLOCK},
                                       {"l2", UNIT_BYTES, 1, CARD_L2},
                                       {"bus", UNIT_NONE, 1, CARD_BUS},
                                       {"bandwidth", UNIT_NONE, 1e9, CARD_BANDWIDTH},
                                       {0}};
enum { CHIP_CAPABILITY, CHIP_PROCESS };
static const struct key chip_keys[] = {
    {"capability", 0, 0, CHIP_CAPABILITY}, {"process", 0, 0, CHIP_PROCESS}, {0}};
enum { CAPABILITY_ARCHITECTURE, CAPABILITY_LIKE, CAPABILITY_OPTIONS, CAPABILITY_CLOCK };
static const struct key capability_keys[] = {
    {"architecture", 0, 0, CAPABILITY_ARCHITECTURE}, {"like", 0, 0, CAPABILITY_LIKE},
    {"options", 0, 0, CAPABILITY_OPTIONS},           {"clock", 0, 0, CAPABILITY_CLOCK},
    {"threads", UNIT_NONE, 1, CARD_THREADS},         {"blocks", UNIT_NONE, 1, CARD_BLOCKS},
    {"registers", UNIT_NONE, 1, CARD_REGISTERS},     {"shared", UNIT_BYTES, 1, CARD_SHARED},
    {"unified", UNIT_BYTES, 1, CARD_UNIFIED},        {0}};
enum { TEXTS_MAX = 4 };

struct reading {
    const struct document *document;
    struct diagnostics *diagnostics;
};

static void complain(const struct reading *reading, const struct node *node, const char *what,
                     const char *got)
{
    const struct place place = node_place(reading->document, node);
    diagnostics_add(reading->diagnostics, SEVERITY_ERROR, &place, "expected %s, got '%.60s'", what,
                    got);
}

static const struct key *find_key(const struct key *keys, const char *name)
{
    for (; keys->name; keys++)
        if (!strcmp(keys->name, name))
            return keys;
    return NULL;
}

static void card_read_row(const struct reading *reading, const struct node *mapping,
                          const struct key *keys, struct card *card, const char *from,
                          const char *texts[TEXTS_MAX])
{
    for (size_t i = 0; i < node_count(mapping); i++) {
        const struct key *key = find_key(keys, node_key(mapping, i));
        const struct node *node = node_at(mapping, i);
        double number = 0;
        if (!key)
            complain(reading, node, "a key of this table", node_key(mapping, i));
        else if (!key->scale)
            texts[key->fact] = node_text(node);
        else if (quantity_parse_real(node_text(node), key->unit, &number) || number <= 0)
            complain(reading, node, "a quantity", node_text(node));
        else
            card_say(card, key->fact, (uint64_t)llround(number * key->scale), from);
    }
}

/* "8.6" as 86; 0 if it is none. */
static unsigned capability_number(const char *text)
{
    double number;
    if (quantity_parse_real(text, UNIT_NONE, &number) || number < 1 || number > 99)
        return 0;
    return (unsigned)lround(number * 10);
}

static void read_capability(const struct reading *reading, const struct node *list, size_t i,
                            struct capability_row *row)
{
    const char *texts[TEXTS_MAX] = {0};
    row->number = capability_number(node_key(list, i));
    if (!row->number)
        complain(reading, node_at(list, i), "a compute capability", node_key(list, i));
    card_read_row(reading, node_at(list, i), capability_keys, &row->card, CARD_GUIDE, texts);
    card_say(&row->card, CARD_CAPABILITY, row->number, CARD_GUIDE);
    row->architecture = texts[CAPABILITY_ARCHITECTURE];
    row->like = texts[CAPABILITY_LIKE];
    row->options = texts[CAPABILITY_OPTIONS];
    row->clock = 1;
    if (texts[CAPABILITY_CLOCK] &&
        quantity_parse_real(texts[CAPABILITY_CLOCK], UNIT_PERCENT, &row->clock))
        complain(reading, node_at(list, i), "a share", texts[CAPABILITY_CLOCK]);
    if (!row->architecture)
        complain(reading, node_at(list, i), "an architecture", node_key(list, i));
}

static void read_chip(const struct reading *reading, const struct card_table *table,
                      const struct node *list, size_t i, struct chip_row *row)
{
    const char *texts[TEXTS_MAX] = {0};
    struct card none = {0};
    card_read_row(reading, node_at(list, i), chip_keys, &none, NULL, texts);
    row->name = node_key(list, i);
    row->process = texts[CHIP_PROCESS];
    if (texts[CHIP_CAPABILITY])
        row->capability = card_table_capability(table, capability_number(texts[CHIP_CAPABILITY]));
    if (!row->capability || !row->process)
        complain(reading, node_at(list, i), "a known capability and a process", row->name);
}

static void read_card(const struct reading *reading, const struct card_table *table,
                      const struct node *list, size_t i, struct card_row *row)
{
    const struct node *node = node_at(list, i);
    const struct node *sources = document_find(reading->document, "sources");
    const char *texts[TEXTS_MAX] = {0};
    double base = 0;
    card_read_row(reading, node, card_keys, &row->card, CARD_SHEET, texts);
    row->name = node_key(list, i);
    row->memory = texts[CARD_MEMORY_KIND];
    snprintf(row->card.name, sizeof row->card.name, "%s", row->name);
    for (size_t j = 0; texts[CARD_CHIP] && j < table->chip_count; j++)
        if (!strcmp(table->chips[j].name, texts[CARD_CHIP]))
            row->chip = &table->chips[j];
    if (row->chip && row->chip->capability)
        card_merge(&row->card, &row->chip->capability->card);
    const struct node *source =
        sources && texts[CARD_SOURCE] ? node_find(sources, texts[CARD_SOURCE]) : NULL;
    row->source = source ? node_text(source) : NULL;
    if (texts[CARD_BASE] && quantity_parse_real(texts[CARD_BASE], UNIT_HERTZ, &base))
        complain(reading, node, "a clock", texts[CARD_BASE]);
    row->base_clock = (uint64_t)llround(base);
    if (!row->chip || !row->source)
        complain(reading, node, "a chip and a source of these tables", row->name);
}

static const struct node *section(const struct reading *reading, const char *name, size_t *count)
{
    const struct node *node = document_find(reading->document, name);
    *count = node && node_kind(node) == NODE_MAPPING ? node_count(node) : 0;
    if (!*count)
        complain(reading, document_root(reading->document), "a table called", name);
    return node;
}

static enum status read_all(struct card_table *table, struct diagnostics *diagnostics)
{
    const struct reading reading = {table->document, diagnostics};
    const struct node *capabilities = section(&reading, "capabilities", &table->capability_count);
    const struct node *chips = section(&reading, "chips", &table->chip_count);
    const struct node *cards = section(&reading, "cards", &table->count);
    table->capabilities = calloc(table->capability_count + 1, sizeof *table->capabilities);
    table->chips = calloc(table->chip_count + 1, sizeof *table->chips);
    table->rows = calloc(table->count + 1, sizeof *table->rows);
    if (!table->capabilities || !table->chips || !table->rows)
        return STATUS_MEMORY;
    for (size_t i = 0; i < table->capability_count; i++)
        read_capability(&reading, capabilities, i, &table->capabilities[i]);
    for (size_t i = 0; i < table->chip_count; i++)
        read_chip(&reading, table, chips, i, &table->chips[i]);
    for (size_t i = 0; i < table->count; i++)
        read_card(&reading, table, cards, i, &table->rows[i]);
    return diagnostics->errors ? STATUS_INVALID : STATUS_OK;
}

enum status card_table_read(const char *text, size_t size, struct card_table *table,
                            struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    *table = (struct card_table){0};
    enum status status = document_parse(text, size, "cards.yaml", &table->document, &found);
    if (!status)
        status = read_all(table, &found);
    if (status)
        card_table_free(table);
    if (diagnostics)
        diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    return status;
}

enum status card_table_open(struct card_table *table, struct diagnostics *diagnostics)
{
    return card_table_read(embedded_cards[0].text, embedded_cards[0].size, table, diagnostics);
}

void card_table_free(struct card_table *table)
{
    document_free(table->document);
    free(table->capabilities);
    free(table->chips);
    free(table->rows);
    *table = (struct card_table){0};
}

const struct capability_row *card_table_capability(const struct card_table *table, unsigned number)
{
    for (size_t i = 0; i < table->capability_count; i++)
        if (table->capabilities[i].number == number)
            return &table->capabilities[i];
    return NULL;
}
