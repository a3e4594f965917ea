/* warpscape replace: what a replacement policy does in one set, access by access, with every victim
 * explained in a sentence: a set of its own (model/cache/set_steps.h), or one of a workload
 * (model/pass/set_stream.h). Without a policy, the facts of all. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/counts.h"
#include "base/diag.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "model/cache/set_steps.h"
#include "report/runs/set_report.h"
#include "schema/families.h"
#include "schema/stages.h"
#include "workload/workload.h"

enum { LIMIT_USUAL = 40 }; /* steps */

static const char *const resets[] = {"paper", "zeros", "ones", NULL};

struct arguments {
    struct options_list words; /* the policy, then the lines; with a workload the machine */
    struct options_list settings;
    const char *workload, *watch;
    uint64_t ways, limit;
    unsigned reset;
    enum table_format format;
};

static void cmd_replace_parse(int argc, char **argv, struct arguments *arguments)
{
    const char *format_in = NULL;
    const struct option_row options[] = {
        {"ways", 0, "COUNT", "ways of the set (default: 4)", option_count, &arguments->ways, NULL},
        {"reset", 0, "VALUE", "state of the set at power-up: paper (default), zeros or ones",
         option_index, &arguments->reset, resets},
        {"workload", 'w', "NAME|FILE", "step through a set of this workload instead", option_once,
         &arguments->workload, NULL},
        OPTION_FORMAT_IN(&format_in),
        {"watch", 0, "CACHE[:NUMBER[:SET]]",
         "of a workload: l1d, l2 or l1i, the SM or slice, the set (default: l1d:0:0)", option_text,
         &arguments->watch, NULL},
        OPTION_LIMIT("of a workload: steps at most", "40", &arguments->limit),
        OPTION_SET(&arguments->settings),
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[POLICY LINE...|-w WORKLOAD [POLICY] [MACHINE]]",
        .help =
            "Replace lines in one set, access by access.\v"
            "A line is any word; what follows a slash is the instruction that accesses it: A/2. "
            "With a workload, the set is one of a cache of the machine (default: gtx480), "
            "which gets the policy, at the functional depth. Without a policy, all are listed: "
            "bits of a set of 4 and of 16 ways with "
            "tags of 20 bits, bits that all 64 sets of a cache of 16 ways share, and where they "
            "come from; and with which "
            "policy they share passes in a sweep.",
        .operand = {.name = "policy",
                    .value = "REPLACEMENT|LINE",
                    .read = option_list,
                    .slot = &arguments->words}};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, format_in);
}

/* ---- the table of all ---- */

static enum status print_facts(enum table_format format)
{
    static const char *const headers[] = {"policy",       ">bits of 4", ">bits of 16",
                                          ">shared",      "made for",   "sweeps",
                                          "what it does", "where from", NULL};
    enum { TAG = 20, SETS = 64 };
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (int i = 0; i < REPLACEMENT_COUNT; i++) {
        const struct replacement_facts *facts = &replacement_facts[i];
        table_text(table, facts->name);
        table_whole(table, (double)replacement_bits(i, 4, TAG));
        table_whole(table, (double)replacement_bits(i, 16, TAG));
        table_whole(table, (double)replacement_shared_bits(i, SETS, 16, TAG));
        table_text(table, facts->traits & REPLACEMENT_WHOLE    ? "whole caches"
                          : facts->traits & REPLACEMENT_FUTURE ? "limits"
                                                               : "sets");
        const int pass = replacement_shares(i);
        table_printf(table, "%s%s", pass < REPLACEMENT_COUNT ? "as " : "alone",
                     pass < REPLACEMENT_COUNT ? replacement_facts[pass].name : "");
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

static enum status replace_start(const struct arguments *arguments, int policy,
                                 struct set_steps **steps, struct diagnostics *diagnostics)
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
            "--reset: expected paper: the counters of %s must differ, started from %s it could "
            "not pick a victim",
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
static void print_names(const struct arguments *arguments, const struct set_step *step, char *text,
                        size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t way = 0; way < step->ways && used < size; way++) {
        const char *name = step->tags[way] ? arguments->words.items[step->tags[way] - 1] : ".";
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", way ? " " : "",
                                 name_length(name), name);
    }
}

static void replace_add_step(const struct arguments *arguments, size_t word,
                             const struct set_step *step, struct table *table)
{
    char text[SET_STEP_TEXT];
    table_text(table, arguments->words.items[word]);
    table_text(table, set_step_result(step));
    table_whole(table, step->way);
    if (step->replaced) {
        const char *left = arguments->words.items[step->left];
        table_printf(table, "%.*s", name_length(left), left);
    } else {
        table_text(table, "");
    }
    print_names(arguments, step, text, sizeof text);
    table_text(table, text);
    table_text(table, step->state);
    table_text(table, set_step_explain(step, text, sizeof text));
}

static enum status print_words(const struct arguments *arguments, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"line", "|result", ">way", "replaces",
                                          "ways", "state",   "why",  NULL};
    struct set_steps *steps = NULL;
    int policy = REPLACEMENT_LRU;
    enum status status = find_policy(arguments->words.items[0], &policy, diagnostics);
    if (!status)
        status = replace_start(arguments, policy, &steps, diagnostics);
    if (status)
        return status;
    struct table *table = table_create(headers);
    for (size_t word = 1; table && word < arguments->words.count && !status; word++) {
        const struct set_step *step;
        status = set_steps_access(steps, number_of(arguments, word),
                                  instruction_of(arguments->words.items[word]), &step);
        if (!status)
            replace_add_step(arguments, word, step, table);
    }
    set_steps_free(steps);
    if (status)
        table_free(table);
    return status ? status : table ? table_finish(table, arguments->format, stdout) : STATUS_MEMORY;
}

/* ---- a set of a workload ---- */

struct listing {
    struct table *table;
    const struct cache_config *config;
    uint64_t steps, limit, misses, replaced;
};

/* The lines by ways, as addresses without the bits below a line. */
static void print_lines(const struct set_step *step, uint64_t line, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t way = 0; way < step->ways && used < size; way++) {
        char name[24] = ".";
        if (step->tags[way])
            snprintf(name, sizeof name, "%" PRIx64, (step->tags[way] - 1) * line);
        used += (size_t)snprintf(text + used, size - used, "%s%s", way ? " " : "", name);
    }
}

static enum status list_step(void *argument, const struct set_step *step)
{
    struct listing *listing = argument;
    struct table *table = listing->table;
    const uint64_t line = listing->config->line;
    char text[4 * SET_STEP_TEXT];
    if (listing->limit && listing->steps == listing->limit)
        return STATUS_CANCELLED;
    table_whole(table, (double)++listing->steps);
    listing->misses += step->request && !step->hit;
    listing->replaced += step->replaced;
    if (step->request) {
        table_text(table, op_names[step->request->op]);
        table_printf(table, "0x%x", step->request->pc);
        table_printf(table, "0x%" PRIx64, step->line * line);
    } else {
        table_text(table, "");
        table_text(table, "");
        table_text(table, "");
    }
    table_text(table, set_step_result(step));
    if (step->found || step->stays)
        table_whole(table, step->way);
    else
        table_text(table, "");
    if (step->replaced)
        table_printf(table, "0x%" PRIx64, step->left * line);
    else
        table_text(table, "");
    print_lines(step, line, text, sizeof text);
    table_text(table, text);
    table_text(table, step->state);
    table_text(table, set_step_explain(step, text, SET_STEP_TEXT));
    return STATUS_OK;
}

/* The machine whose cache has the policy of the first word, if that names one. */
static enum status load_machine(struct arguments *arguments, unsigned stage,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    char setting[64];
    const char **words = arguments->words.items;
    size_t count = arguments->words.count;
    struct diagnostics unknown = DIAGNOSTICS_INIT;
    int policy;
    const bool named = count && !find_policy(words[0], &policy, &unknown);
    diagnostics_free(&unknown);
    if (count > 2 || (count == 2 && !named))
        usage_error("with a workload, expected [POLICY] [MACHINE]");
    snprintf(setting, sizeof setting, "%s.replacement=%s", stage_info(stage)->name,
             named ? words[0] : "");
    if (named)
        option_list(&(struct option_row){.slot = &arguments->settings}, setting);
    return machine_argument_load(count > named ? words[named] : "gtx480", &arguments->settings,
                                 DEPTH_FUNCTIONAL, machine, diagnostics);
}

static enum status print_listing(struct listing *listing, enum table_format format,
                                 const struct set_place *place, bool whole)
{
    char where[SET_PLACE_TEXT], steps[COUNT_TEXT], misses[COUNT_TEXT], lines[COUNT_TEXT];
    enum status status = table_finish(listing->table, format, stdout);
    if (!status && format == TABLE_TEXT)
        printf("%s: %s%s, %s, %s replaced\n", set_place_words(place, where),
               whole ? "" : "the first ", counted_print(listing->steps, "step", steps),
               counted_print(listing->misses, "miss", misses),
               counted_print(listing->replaced, "line", lines));
    return status;
}

static enum status print_workload(struct arguments *arguments, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {">step",   "access", "pc",        ">line",
                                          "|result", ">way",   ">replaces", "ways",
                                          "state",   "why",    NULL};
    static struct machine machine; /* large */
    struct set_place place = {.stage = STAGE_L1D};
    struct trace_source *source = NULL;
    uint64_t instances;
    bool whole = false;
    enum status status = set_place_parse(arguments->watch, &place, diagnostics);
    if (!status)
        status = load_machine(arguments, place.stage, &machine, diagnostics);
    if (!status)
        status = set_stream_check(&machine, &place, diagnostics);
    if (!status)
        status = workload_open(arguments->workload, &source, diagnostics);
    if (status)
        return status;
    const struct cache_config config = set_stream_cache(&machine, place.stage, &instances);
    struct listing listing = {.table = table_create(headers),
                              .config = &config,
                              .limit =
                                  limit_meant(arguments->limit, LIMIT_USUAL, arguments->format)};
    status = listing.table ? set_stream(&machine, source, &place, list_step, &listing,
                                        interrupt_flag(), &whole, diagnostics)
                           : STATUS_MEMORY;
    trace_source_free(source);
    if (!status)
        return print_listing(&listing, arguments->format, &place, whole);
    table_free(listing.table);
    return status;
}

int command_replace(int argc, char **argv)
{
    struct arguments arguments = {.ways = 4, .watch = "l1d", .limit = LIMIT_UNSAID};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    cmd_replace_parse(argc, argv, &arguments);
    enum status status = arguments.workload      ? print_workload(&arguments, &diagnostics)
                         : arguments.words.count ? print_words(&arguments, &diagnostics)
                                                 : print_facts(arguments.format);
    options_list_free(&arguments.words);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
