#include "cli/shared/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/data_files.h"
#include "base/embedded.h"
#include "cli/shared/command.h"
#include "cli/shared/output.h"
#include "cli/shared/reproduce.h"
#include "config/card_table.h"
#include "schema/ideals.h"
#include "schema/metrics.h"
#include "schema/parameters.h"
#include "schema/search_methods.h"
#include "workload/workload.h"

/* The command line to complete: the cursor is in words[count - 1]. */
static struct {
    char **words;
    int count;
} asked;

bool completing(void)
{
    return asked.count > 0;
}

/* A place to complete: every candidate keeps `prefix` ("--format=", "l1d.index="), and `text` is
 * what was typed after it. */
struct place_typed {
    const char *prefix;
    size_t prefix_length;
    const char *text;
};

/* Skip names that a shell would split or expand: the scripts do not quote candidates. */
static void offer(const struct place_typed *typed, const char *word, const char *end,
                  const char *help)
{
    if (!*word || strncmp(word, typed->text, strlen(typed->text)) ||
        strpbrk(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!"))
        return;
    printf("%.*s%s%s\t%s\n", (int)typed->prefix_length, typed->prefix, word, end, help);
}

/* ---- kinds of values ---- */

static void offer_names(const struct place_typed *typed, enum data_kind kind,
                        const struct embedded_file *embedded)
{
    struct data_names names;
    if (data_names_list(kind, embedded, &names))
        return;
    for (size_t i = 0; i < names.count; i++)
        offer(typed, names.items[i], "", "");
    data_names_free(&names);
}

static void offer_machines(const struct place_typed *typed)
{
    offer_names(typed, DATA_MACHINES, embedded_machines);
}

static void offer_studies(const struct place_typed *typed)
{
    offer_names(typed, DATA_STUDIES, embedded_studies);
}

static void offer_files(const struct place_typed *typed)
{
    offer_machines(typed);
    offer_studies(typed);
}

static void offer_workloads(const struct place_typed *typed)
{
    struct workload_entry *entries = NULL;
    size_t count = 0;
    if (workload_list(&entries, &count))
        return;
    for (size_t i = 0; i < count; i++)
        offer(typed, entries[i].name, "", entries[i].help);
    workload_list_free(entries, count);
}

static void offer_parameters(const struct place_typed *typed)
{
    for (size_t i = 0; i < parameter_count; i++)
        offer(typed, parameters[i].path, "", parameters[i].help);
}

static void offer_choices(const struct place_typed *typed, const struct parameter *parameter)
{
    for (size_t i = 0; parameter && i < parameter->choice_count; i++)
        offer(typed, parameter->choices[i].name, "", parameter->choices[i].help);
}

static void offer_replacements(const struct place_typed *typed)
{
    offer_choices(typed, parameter_find("l1d.replacement"));
}

static void offer_schedulers(const struct place_typed *typed)
{
    offer_choices(typed, parameter_find("scheduler.policy"));
}

/* Offers the paths with "=", and after the "=" the choices of the parameter. */
static void offer_settings(const struct place_typed *typed)
{
    const char *equals = strchr(typed->text, '=');
    if (!equals) {
        for (size_t i = 0; i < parameter_count; i++)
            offer(typed, parameters[i].path, "=", parameters[i].help);
        return;
    }
    char path[80];
    snprintf(path, sizeof path, "%.*s", (int)(equals - typed->text), typed->text);
    const size_t taken = (size_t)(equals + 1 - typed->prefix);
    const struct place_typed value = {
        .prefix = typed->prefix, .prefix_length = taken, .text = equals + 1};
    offer_choices(&value, parameter_find(path));
}

static void offer_metrics(const struct place_typed *typed)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        offer(typed, metric_table[i].path, "", metric_table[i].help);
}

static void offer_ideals(const struct place_typed *typed)
{
    for (size_t i = 0; i < IDEAL_COUNT; i++)
        offer(typed, ideal_table[i].name, "", ideal_table[i].help);
}

static void offer_searches(const struct place_typed *typed)
{
    for (size_t i = 0; i < SEARCH_COUNT; i++)
        offer(typed, search_table[i].name, "", search_table[i].help);
}

static void offer_papers(const struct place_typed *typed)
{
    offer(typed, reproduce_accelsim_name, "", "");
    offer_names(typed, DATA_EXPERIMENTS, embedded_experiments);
}

/* Names of cards mean the same with dashes for spaces, which a shell would split. */
static void offer_cards(const struct place_typed *typed)
{
    struct card_table cards;
    if (card_table_open(&cards, NULL))
        return;
    for (size_t i = 0; i < cards.count; i++) {
        char name[CARD_NAME];
        size_t used = 0;
        for (const char *at = cards.rows[i].name; *at && used + 1 < sizeof name; at++)
            if (*at != '(' && *at != ')')
                name[used++] = *at == ' ' ? '-' : *at;
        name[used] = '\0';
        offer(typed, name, "", cards.rows[i].chip->name);
    }
    card_table_free(&cards);
}

/* Maps the placeholders in the help (MACHINE, METRIC, ...) to what completes them. */
static const struct {
    const char *value;
    void (*offer)(const struct place_typed *typed);
} kinds[] = {{"MACHINE", offer_machines},
             {"STUDY", offer_studies},
             {"MACHINE|STUDY", offer_files},
             {"CARD", offer_cards},
             {"NAME|FILE", offer_workloads},
             {"PATH=VALUE", offer_settings},
             {"PARAMETER", offer_parameters},
             {"PARAMETER[=LOW..HIGH]", offer_parameters},
             {"PARAMETER,...", offer_parameters},
             {"REPLACEMENT|LINE", offer_replacements},
             {"SCHEDULER|CYCLE", offer_schedulers},
             {"METRIC", offer_metrics},
             {"METRIC,...", offer_metrics},
             {"IDEAL", offer_ideals},
             {"IDEAL,...", offer_ideals},
             {"SEARCH[:KEY=VALUE,...]", offer_searches},
             {"PAPER", offer_papers}};

static void offer_values(const struct option_row *row, const struct place_typed *typed)
{
    for (size_t i = 0; row->words && row->words[i]; i++)
        offer(typed, row->words[i], "", "");
    for (size_t i = 0; row->value && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(row->value, kinds[i].value))
            kinds[i].offer(typed);
}

/* ---- where the cursor is ---- */

/* The option that `word` names as "--name" or "-x"; `length` is the length of the word without
 * "=value". */
static const struct option_row *find_option(const struct command_line *line, const char *word,
                                            size_t length)
{
    const struct option_row *row = line->options;
    for (; row && (row->name || row->help); row++) {
        bool is_long = row->name && length == strlen(row->name) + 2 && !strncmp(word, "--", 2) &&
                       !strncmp(word + 2, row->name, length - 2);
        bool is_short = row->letter && length == 2 && word[0] == '-' && word[1] == row->letter;
        if (is_long || is_short)
            return row;
    }
    return NULL;
}

static void offer_options(const struct command_line *line, const char *word)
{
    const struct place_typed typed = {
        .prefix = "--", .prefix_length = 2, .text = word + 1 + !!word[1]};
    for (const struct option_row *row = line->options; row && (row->name || row->help); row++)
        if (row->name)
            offer(&typed, row->name, "", row->help);
    offer(&typed, "help", "", "give this help list");
}

void complete_command_line(const struct command_line *line)
{
    const char *word = asked.words[asked.count - 1];
    const char *before = asked.count > 2 ? asked.words[asked.count - 2] : "";
    const char *equals = strchr(word, '=');
    const struct place_typed whole = {.prefix = word, .text = word};
    const struct option_row *row;
    if (!strncmp(word, "--", 2) && equals &&
        (row = find_option(line, word, (size_t)(equals - word))) && row->value) {
        const struct place_typed value = {
            .prefix = word, .prefix_length = (size_t)(equals + 1 - word), .text = equals + 1};
        offer_values(row, &value);
    } else if ((row = find_option(line, before, strlen(before))) && row->value &&
               row->words != option_may_miss) {
        offer_values(row, &whole);
    } else if (*word == '-') {
        offer_options(line, word);
    } else if (line->operand.read) {
        offer_values(&line->operand, &whole);
    }
    exit(output_finish(0));
}

int complete_words(int argc, char **argv)
{
    if (argc < 1)
        return 0;
    if (argc == 1) {
        const struct place_typed typed = {.prefix = "", .text = argv[0]};
        for (size_t i = 0; subcommands[i].name; i++)
            offer(&typed, subcommands[i].name, "", subcommands[i].help);
        return 0;
    }
    for (size_t i = 0; subcommands[i].name; i++) {
        if (strcmp(subcommands[i].name, argv[0]))
            continue;
        asked.words = argv;
        asked.count = argc;
        return subcommands[i].run(1, argv);
    }
    return 0;
}
