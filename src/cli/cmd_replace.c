/* warpscape replace: what a replacement policy does in one set, access by access, with every victim
 * explained in a sentence; without a policy, the facts of all. The set is model/cache/set_steps.h.
 */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "model/cache/set_steps.h"
#include "schema/families.h"

static const char *const resets[] = {"paper", "zeros", "ones", NULL};

struct arguments {
    struct options_list words; /* the policy, then the lines */
    uint64_t ways;
    unsigned reset;
    enum table_format format;
};

static void parse(int argc, char **argv, struct arguments *arguments)
{
    const struct option_row options[] = {
        {"ways", 0, "COUNT", "ways of the set (default: 4)", option_count, &arguments->ways, NULL},
        {"reset", 0, "VALUE", "its state at power-up: paper (default), zeros or ones", option_index,
         &arguments->reset, resets},
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[POLICY LINE...]",
        .help =
            "Replace lines in one set, access by access.\v"
            "A line is any word, and the letter behind a slash is the instruction that accesses "
            "it: A/2. Without a policy, all are listed: bits of a set of 4 and of 16 ways with "
            "tags of 20 bits, bits that all 64 sets of a cache of 16 ways share, and where they "
            "come from.",
        .operand = {
            .name = "policy", .value = "WORD", .read = option_list, .slot = &arguments->words}};
    options_parse(&line, argc, argv);
}

/* ---- the table of all ---- */

static enum status print_facts(enum table_format format)
{
    static const char *const headers[] = {"policy",   ">bits of 4",   ">bits of 16", ">shared",
                                          "made for", "what it does", "where from",  NULL};
    enum { TAG = 20, SETS = 64 };
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (int i = 0; i < REPLACEMENT_COUNT; i++) {
        const struct replacement_facts *facts = &replacement_facts[i];
        table_text(table, facts->name);
        table_printf(table, "%llu", (unsigned long long)replacement_bits(i, 4, TAG));
        table_printf(table, "%llu", (unsigned long long)replacement_bits(i, 16, TAG));
        table_printf(table, "%llu", (unsigned long long)replacement_shared_bits(i, SETS, 16, TAG));
        table_text(table, facts->traits & REPLACEMENT_WHOLE    ? "whole caches"
                          : facts->traits & REPLACEMENT_FUTURE ? "limits"
                                                               : "sets");
        table_text(table, facts->help);
        table_text(table, facts->source);
    }
    return table_finish(table, format, stdout);
}

/* ---- the steps of one ---- */

static enum status find_policy(const char *name, int *policy, struct diagnostics *diagnostics)
{
    const char *names[REPLACEMENT_COUNT];
    char hint[SUGGESTION_TEXT];
    for (int i = 0; i < REPLACEMENT_COUNT; i++) {
        names[i] = replacement_facts[i].name;
        if (!strcmp(names[i], name)) {
            *policy = i;
            return STATUS_OK;
        }
    }
    return diagnostics_error(diagnostics, STATUS_INVALID, "unknown replacement policy '%s'%s", name,
                             suggestion(nearest_name(name, names, REPLACEMENT_COUNT), hint));
}

static enum status start(const struct arguments *arguments, int policy, struct set_steps **steps,
                         struct diagnostics *diagnostics)
{
    const struct replacement_facts *facts = &replacement_facts[policy];
    char needs[FAMILY_NEEDS];
    const uint64_t ways = arguments->ways;
    if (facts->traits & REPLACEMENT_FUTURE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s needs the whole stream in advance and takes no steps",
                                 facts->name);
    if (!ways || ways > 4096 || !replacement_holds(policy, ways))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s needs %s, 4,096 at most, not %llu", facts->name,
                                 replacement_needs(policy, needs), (unsigned long long)ways);
    if (!replacement_starts(policy, (int)arguments->reset))
        return diagnostics_error(
            diagnostics, STATUS_INVALID,
            "the counters of %s must differ: started from %s it could not pick "
            "a victim",
            facts->name, resets[arguments->reset]);
    return set_steps_create(policy, (int)arguments->reset, (uint32_t)ways, steps);
}

/* How long the name of a line is: up to the slash in front of its instruction. */
static int name_length(const char *word)
{
    return (int)strcspn(word, "/");
}

/* Lines are numbered by the first word that names them. */
static uint64_t number_of(const struct arguments *arguments, size_t word)
{
    const char *name = arguments->words.items[word];
    size_t first = 1;
    while (name_length(arguments->words.items[first]) != name_length(name) ||
           strncmp(arguments->words.items[first], name, (size_t)name_length(name)) != 0)
        first++;
    return first;
}

static uint32_t instruction_of(const char *word)
{
    uint32_t pc = 0;
    for (const char *at = word + name_length(word); *at; at++)
        pc = 31 * pc + (unsigned char)*at;
    return pc;
}

/* "A B . D": the names of the lines by ways. */
static void print_ways(const struct arguments *arguments, const struct set_steps *steps, char *text,
                       size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t way = 0; way < arguments->ways && used < size; way++) {
        uint64_t line;
        const bool held = set_steps_line(steps, way, &line);
        const char *name = held ? arguments->words.items[line] : ".";
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", way ? " " : "",
                                 name_length(name), name);
    }
}

static void add_step(const struct arguments *arguments, const struct set_steps *steps, size_t word,
                     const struct set_step *step, struct table *table)
{
    char ways[SET_STEP_TEXT];
    const char *left = arguments->words.items[step->left];
    table_text(table, arguments->words.items[word]);
    table_text(table, step->hit ? "hit" : "miss");
    table_printf(table, "%u", step->way);
    if (step->replaced)
        table_printf(table, "%.*s", name_length(left), left);
    else
        table_text(table, "");
    print_ways(arguments, steps, ways, sizeof ways);
    table_text(table, ways);
    table_text(table, step->state);
    if (*step->why)
        table_printf(table, "%s: way %u", step->why, step->way);
    else
        table_text(table, step->hit        ? ""
                          : step->replaced ? "as the policy chooses"
                                           : "the first empty way");
}

static enum status print_steps(const struct arguments *arguments, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"line", "",      ">way", "replaces",
                                          "ways", "state", "why",  NULL};
    static struct set_step step; /* large */
    struct set_steps *steps = NULL;
    int policy = REPLACEMENT_LRU;
    enum status status = find_policy(arguments->words.items[0], &policy, diagnostics);
    if (!status)
        status = start(arguments, policy, &steps, diagnostics);
    if (status)
        return status;
    struct table *table = table_create(headers);
    for (size_t word = 1; table && word < arguments->words.count; word++) {
        set_steps_access(steps, number_of(arguments, word),
                         instruction_of(arguments->words.items[word]), &step);
        add_step(arguments, steps, word, &step, table);
    }
    set_steps_free(steps);
    return table ? table_finish(table, arguments->format, stdout) : STATUS_MEMORY;
}

int command_replace(int argc, char **argv)
{
    struct arguments arguments = {.ways = 4};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    parse(argc, argv, &arguments);
    enum status status = arguments.words.count ? print_steps(&arguments, &diagnostics)
                                               : print_facts(arguments.format);
    options_list_free(&arguments.words);
    return command_finish(status, &diagnostics);
}
