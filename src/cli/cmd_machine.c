/* warpscape machine: the machine of a card that somebody has (config/card_machine.h), from what its
 * own tools print of it or from its name; and the table of data sheets that it knows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "config/card_machine.h"
#include "config/card_text.h"
#include "config/document.h"
#include "config/machine_file.h"

struct arguments {
    struct options_list words;
    struct options_list settings;
    const char *from, *card, *like, *output;
    uint64_t gpu;
    bool force;
    enum table_format format;
};

enum { GPU_UNSAID = UINT32_MAX };

static const char *const actions[] = {"new", "cards", NULL};

static void cmd_machine_parse(int argc, char **argv, struct arguments *arguments)
{
    const struct option_row options[] = {
        {"from", 0, "FILE",
         "what deviceQuery, nvidia-smi -q, clinfo or nvaccelinfo print; -: standard input",
         option_text, &arguments->from, NULL},
        {"card", 0, "CARD", "a card by its name; with --from, instead of the name there",
         option_text, &arguments->card, NULL},
        {"gpu", 0, "NUMBER", "which card of FILE, counted from 0", option_count, &arguments->gpu,
         NULL},
        {"like", 0, "MACHINE", "inherit from this machine (default: the nearest measured one)",
         option_text, &arguments->like, NULL},
        OPTION_SET(&arguments->settings),
        {"output", 'o', "FILE", "write this file (default: standard output)", option_file,
         &arguments->output, NULL},
        OPTION_FORCE("FILE", &arguments->force),
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "new --from FILE|--card CARD\ncards [NAME]",
        .help = "Make the machine of a card, or list the cards that are known by name.\vSMs, "
                "clock, L2, bus and memory are what FILE says; what it leaves out comes "
                "from the table of data sheets (warpscape machine cards), and everything else is "
                "inherited from a measured machine of the same architecture. A comment after each "
                "value says which of these it is.",
        .operand = {.name = "new or cards",
                    .value = "new|cards",
                    .help = "expected new or cards",
                    .read = option_list,
                    .slot = &arguments->words,
                    .words = actions}};
    options_parse(&line, argc, argv);
}

/* ---- cards ---- */

static void fact_cell(struct table *table, const struct card *card, enum card_fact fact,
                      enum unit unit)
{
    const uint64_t value = card->facts[fact];
    char text[QUANTITY_TEXT];
    table_number(table, value ? (double)value : NAN,
                 value ? quantity_print_uint(value, unit, text) : "-");
}

static enum status list_cards(const struct card_table *cards, const char *name,
                              enum table_format format, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {
        "card",   "chip", "architecture", ">CC|sm",          ">SMs|sms", ">clock",
        ">L2|l2", ">bus", "memory",       ">GB/s|bandwidth", "source",   NULL};
    bool near = false;
    const struct card_row *only = name ? card_table_find(cards, name, 0, &near) : NULL;
    if (name && !only)
        return card_table_missing(cards, name, diagnostics);
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cards->count; i++) {
        const struct card_row *row = &cards->rows[i];
        const double bandwidth = (double)row->card.facts[CARD_BANDWIDTH];
        char text[QUANTITY_TEXT], gigabytes[QUANTITY_TEXT] = "-";
        if (only && row != only)
            continue;
        table_text(table, row->name);
        table_text(table, row->chip->name);
        table_text(table, row->chip->capability->architecture);
        const unsigned capability = row->chip->capability->number; /* as in sm_86 */
        snprintf(text, sizeof text, "%u.%u", capability / 10, capability % 10);
        table_number(table, capability, text);
        fact_cell(table, &row->card, CARD_SMS, UNIT_NONE);
        fact_cell(table, &row->card, CARD_CLOCK, UNIT_HERTZ);
        fact_cell(table, &row->card, CARD_L2, UNIT_BYTES);
        fact_cell(table, &row->card, CARD_BUS, UNIT_NONE);
        table_text(table, row->memory);
        if (bandwidth > 0)
            snprintf(gigabytes, sizeof gigabytes, "%.4g", bandwidth / 1e9);
        table_number(table, bandwidth > 0 ? bandwidth : NAN, gigabytes);
        table_text(table, row->source);
    }
    return table_finish(table, format, stdout);
}

/* ---- new ---- */

/* The card of several that was asked for. All of one kind are as good as one. */
static enum status choose_card(const struct card_list *list, const struct arguments *arguments,
                               struct card *card, struct diagnostics *diagnostics)
{
    bool alike = true;
    for (size_t i = 1; i < list->count; i++)
        alike = alike && !strcmp(list->items[i].name, list->items[0].name);
    const bool said = arguments->gpu != GPU_UNSAID;
    if ((said && arguments->gpu < list->count) || (!said && alike)) {
        *card = list->items[said ? arguments->gpu : 0];
        return STATUS_OK;
    }
    diagnostics_error(diagnostics, STATUS_INVALID, "%s: %zu cards; choose one with --gpu NUMBER",
                      arguments->from, list->count);
    for (size_t i = 0; i < list->count; i++)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "--gpu %zu: %s", i, list->items[i].name);
    return STATUS_INVALID;
}

static enum status read_card(const struct arguments *arguments, struct card *card,
                             struct diagnostics *diagnostics)
{
    *card = (struct card){0};
    if (arguments->from) {
        char *text = NULL;
        size_t size;
        struct card_list list = {0};
        const char *path = strcmp(arguments->from, "-") ? arguments->from : "/dev/stdin";
        enum status status = file_read(path, &text, &size, diagnostics);
        if (!status)
            status = card_text_read(text, size, arguments->from, &list, diagnostics);
        if (!status)
            status = choose_card(&list, arguments, card, diagnostics);
        card_list_free(&list);
        free(text);
        if (status)
            return status;
    }
    if (arguments->card)
        snprintf(card->name, sizeof card->name, "%s", arguments->card);
    return STATUS_OK;
}

/* What --set changes comes from the command line, and is checked with the rest. */
static enum status apply_settings(const struct arguments *arguments, struct card_machine *made,
                                  struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arguments->settings.count; i++) {
        const char *text = arguments->settings.items[i];
        char path[80];
        if (machine_set_text(&made->machine, text, diagnostics)) {
            status = STATUS_INVALID;
            continue;
        }
        snprintf(path, sizeof path, "%.*s", (int)strcspn(text, "="), text);
        made->marks[parameter_find(path) - parameters] = "--set";
    }
    return status ? status : card_machine_check(made, diagnostics);
}

static enum status write_card_machine(const struct card_table *cards,
                                      const struct arguments *arguments,
                                      struct diagnostics *diagnostics)
{
    struct card card;
    const struct card_row *row;
    struct card_machine made = {0};
    char *text = NULL;
    enum status status = read_card(arguments, &card, diagnostics);
    if (!status)
        status = card_machine_complete(cards, &card, &row, diagnostics);
    if (!status)
        status = card_machine_make(cards, &card, row, arguments->like, &made, diagnostics);
    if (!status)
        status = apply_settings(arguments, &made, diagnostics);
    if (!status)
        status = card_machine_to_yaml(&made, &card, row, &text);
    if (!status)
        status = output_write(arguments->output, text, arguments->force, diagnostics);
    card_machine_free(&made);
    free(text);
    return status;
}

int command_machine(int argc, char **argv)
{
    struct arguments arguments = {.gpu = GPU_UNSAID};
    cmd_machine_parse(argc, argv, &arguments);
    const char *word = arguments.words.items[0];
    const bool makes = !strcmp(word, actions[0]);
    if (!makes && strcmp(word, actions[1]))
        usage_error("expected new or cards, got '%.40s'", word);
    if (arguments.words.count > (makes ? 1 : 2))
        usage_error("unexpected argument '%.40s'",
                    arguments.words.items[arguments.words.count - 1]);
    if (makes && !arguments.from && !arguments.card)
        usage_error("expected --from FILE or --card CARD");
    if (makes && arguments.format != TABLE_TEXT)
        usage_error("--format belongs to cards: a machine is YAML");
    if (!makes && (arguments.from || arguments.card || arguments.like || arguments.output ||
                   arguments.settings.count || arguments.force || arguments.gpu != GPU_UNSAID))
        usage_error("cards takes a name and --format only");
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct card_table cards;
    enum status status = card_table_open(&cards, &diagnostics);
    if (!status && makes)
        status = write_card_machine(&cards, &arguments, &diagnostics);
    else if (!status)
        status = list_cards(&cards, arguments.words.count > 1 ? arguments.words.items[1] : NULL,
                            arguments.format, &diagnostics);
    card_table_free(&cards);
    options_list_free(&arguments.words);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
