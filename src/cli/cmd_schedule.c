/* warpscape schedule: which warp a scheduler picks in each cycle of a sequence, and why in a
 * sentence (model/timing/schedulers/schedule_steps.h). Without cycles, the policy's facts. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "model/timing/schedulers/schedule_steps.h"
#include "schema/parameters.h"

struct arguments {
    struct options_list words; /* the policy, then the cycles */
    uint64_t warps, block, active;
    enum table_format format;
};

static void parse(int argc, char **argv, struct arguments *arguments)
{
    const struct option_row options[] = {
        {"warps", 0, "COUNT", "warps of the scheduler, up to 64 (default: 8)", option_count,
         &arguments->warps, NULL},
        {"block", 0, "COUNT", "warps per thread block (default: 4)", option_count,
         &arguments->block, NULL},
        {"active", 0, "COUNT", "scheduler.active (default: 4)", option_count, &arguments->active,
         NULL},
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[POLICY [CYCLE...]]",
        .help =
            "Pick warps with a scheduler, cycle by cycle.\v"
            "A cycle is a word that says what the warps do, by numbers and ranges: 0-3,6 are "
            "ready, "
            "and m4 waits for memory, b5 at a barrier, x7 has ended, n7 is the warp of a new "
            "block; "
            "all others wait for their registers, and - is a cycle without a ready warp. Warp 0 is "
            "the oldest, and before the first cycle the last warp counts as the one that issued "
            "last, as in a run. Without cycles, the policy's facts, or those of all: which ready "
            "warp issues, what decides between equals, and where it comes from.",
        .operand = {.name = "policy",
                    .value = "SCHEDULER|CYCLE",
                    .read = option_list,
                    .slot = &arguments->words}};
    options_parse(&line, argc, argv);
}

static enum status read_policy(const char *name, int *policy, struct diagnostics *diagnostics)
{
    const struct parameter *parameter = parameter_find("scheduler.policy");
    struct value value;
    char why[VALUE_TEXT];
    *policy = 0;
    if (parameter_parse(parameter, name, &value, why))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: %s", parameter->path, why);
    *policy = (int)value.uint;
    return STATUS_OK;
}

/* ---- the facts ---- */

/* Of the policies from `first` to before `end`. */
static enum status print_facts(int first, int end, enum table_format format)
{
    static const char *const headers[] = {"policy", "what it is", "what issues", "between equals",
                                          "reads",  "where from", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (int i = first; i < end; i++) {
        const struct scheduler_facts *facts = &scheduler_facts[i];
        table_text(table, facts->name);
        table_text(table, facts->help);
        table_text(table, facts->rule);
        table_text(table, facts->ties);
        table_text(table, facts->traits & SCHEDULER_ACTIVE ? "scheduler.active" : "");
        table_text(table, facts->source);
    }
    table_fit(table, options_columns(STDOUT_FILENO));
    return table_finish(table, format, stdout);
}

/* Of the policy that is named, or of all. */
static enum status print_asked_facts(const struct arguments *arguments,
                                     struct diagnostics *diagnostics)
{
    int policy;
    if (!arguments->words.count)
        return print_facts(0, SCHEDULER_COUNT, arguments->format);
    const enum status status = read_policy(arguments->words.items[0], &policy, diagnostics);
    return status ? status : print_facts(policy, policy + 1, arguments->format);
}

/* ---- a cycle in a word ---- */

static bool schedule_read_number(const char **text, uint64_t *number)
{
    const char *at = *text;
    for (*number = 0; *at >= '0' && *at <= '9' && *number < SCHEDULER_WARPS; at++)
        *number = 10 * *number + (uint64_t)(*at - '0');
    const bool any = at != *text;
    *text = at;
    return any;
}

/* Adds "3" or "0-3" to the slots. False, with *text where it was: it is no such thing. */
static bool read_range(const char **text, uint64_t warps, uint64_t *slots)
{
    const char *at = *text;
    uint64_t first, last;
    if (!schedule_read_number(&at, &first))
        return false;
    last = first;
    if (*at == '-') {
        at++;
        if (!schedule_read_number(&at, &last))
            return false;
    }
    if (first > last || last >= warps || (*at && *at != ','))
        return false;
    for (; first <= last; first++)
        *slots |= slot_bit((uint32_t)first);
    *text = at;
    return true;
}

static enum status read_cycle(const char *word, uint64_t warps, struct schedule_cycle *cycle,
                              struct diagnostics *diagnostics)
{
    const struct {
        char letter;
        uint64_t *slots;
    } kinds[] = {
        {'m', &cycle->memory}, {'b', &cycle->barrier}, {'x', &cycle->ended}, {'n', &cycle->come}};
    *cycle = (struct schedule_cycle){0};
    for (const char *at = strcmp(word, "-") ? word : ""; *at; at += *at == ',') {
        uint64_t *slots = &cycle->ready;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (*at == kinds[i].letter)
                slots = kinds[i].slots;
        at += slots != &cycle->ready;
        if (!read_range(&at, warps, slots))
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "cycle '%.80s': expected numbers or ranges below %llu, such "
                                     "as 0-3,m4,b5, got '%.40s'",
                                     word, (unsigned long long)warps, at);
    }
    return STATUS_OK;
}

/* A warp that is ready must be there and wait for nothing. */
static enum status check_cycle(const char *word, const struct schedule_steps *steps,
                               const struct schedule_cycle *cycle, struct diagnostics *diagnostics)
{
    const uint64_t present = (steps->scheduler.present & ~cycle->ended) | cycle->come;
    const uint64_t here = cycle->ready | cycle->memory | cycle->barrier;
    const uint64_t twice =
        (cycle->ready & (cycle->memory | cycle->barrier)) | (cycle->memory & cycle->barrier);
    char warps[SLOTS_TEXT];
    if (here & ~present)
        return diagnostics_error(diagnostics, STATUS_INVALID, "cycle '%.80s': %s ended before",
                                 word, slots_print(here & ~present, warps));
    if (cycle->come & steps->scheduler.present & ~cycle->ended)
        return diagnostics_error(
            diagnostics, STATUS_INVALID, "cycle '%.80s': %s must end (x) before others come (n)",
            word, slots_print(cycle->come & steps->scheduler.present & ~cycle->ended, warps));
    if (twice)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "cycle '%.80s': %s cannot be two of ready, m and b", word,
                                 slots_print(twice, warps));
    return STATUS_OK;
}

/* ---- the steps of one ---- */

static void schedule_add_step(const char *word, const struct schedule_step *step,
                              struct table *table)
{
    char order[SLOTS_TEXT];
    size_t used = 0;
    order[0] = '\0';
    for (uint32_t i = 0; i < step->ordered; i++)
        used += (size_t)snprintf(order + used, sizeof order - used, "%sw%u", i ? " " : "",
                                 step->order[i]);
    table_whole(table, (double)table_rows(table) + 1);
    table_printf(table, "%s", word); /* "-" is a cycle, not a missing value */
    if (step->slot >= 0)
        table_printf(table, "w%d", step->slot);
    else
        table_text(table, NULL);
    table_text(table, order);
    table_text(table, step->why);
}

static enum status schedule_start(const struct arguments *arguments, struct schedule_steps *steps,
                                  struct diagnostics *diagnostics)
{
    int policy;
    const enum status status = read_policy(arguments->words.items[0], &policy, diagnostics);
    if (status)
        return status;
    if (!arguments->warps || arguments->warps > SCHEDULER_WARPS)
        return diagnostics_error(diagnostics, STATUS_INVALID, "--warps: expected 1 to %d, got %llu",
                                 SCHEDULER_WARPS, (unsigned long long)arguments->warps);
    if (!arguments->block || !arguments->active)
        return diagnostics_error(diagnostics, STATUS_INVALID, "--%s: expected 1 or more, got 0",
                                 arguments->block ? "active" : "block");
    const uint64_t block =
        arguments->block < arguments->warps ? arguments->block : arguments->warps;
    const uint64_t active =
        arguments->active < arguments->warps ? arguments->active : arguments->warps;
    const struct scheduler_config config = {.policy = policy, .count = 1, .active = active};
    schedule_steps_init(steps, &config, (uint32_t)arguments->warps, (uint32_t)block);
    return STATUS_OK;
}

static enum status print_cycles(const struct arguments *arguments, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {">cycle", "warps", "issues", "order", "why", NULL};
    struct schedule_steps steps = {0};
    enum status status = schedule_start(arguments, &steps, diagnostics);
    if (status)
        return status;
    struct table *table = table_create(headers);
    for (size_t i = 1; table && i < arguments->words.count && !status; i++) {
        const char *word = arguments->words.items[i];
        struct schedule_cycle cycle;
        struct schedule_step step;
        status = read_cycle(word, arguments->warps, &cycle, diagnostics);
        if (!status)
            status = check_cycle(word, &steps, &cycle, diagnostics);
        if (status)
            break;
        schedule_steps_cycle(&steps, &cycle, &step);
        schedule_add_step(word, &step, table);
    }
    if (status || !table) {
        table_free(table);
        return status ? status : STATUS_MEMORY;
    }
    table_fit(table, options_columns(STDOUT_FILENO));
    return table_finish(table, arguments->format, stdout);
}

int command_schedule(int argc, char **argv)
{
    struct arguments arguments = {.warps = 8, .block = 4, .active = 4};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    parse(argc, argv, &arguments);
    const enum status status = arguments.words.count > 1
                                   ? print_cycles(&arguments, &diagnostics)
                                   : print_asked_facts(&arguments, &diagnostics);
    options_list_free(&arguments.words);
    return command_finish(status, &diagnostics);
}
