/* warpscape step: a timed run at any cycle (model/timing/run_cursor.h), forwards and backwards:
 * what each warp did over the last cycles and why it waits, queues, blocks in flight, a set of a
 * cache. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/run/timed_run.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "report/runs/set_report.h"
#include "report/runs/step_report.h"
#include "trace/assumed.h"

enum { ROWS_USUAL = 8 };

struct step_arguments {
    const char *machine, *workload, *format_in, *at, *set, *memory, *address;
    struct options_list settings;
    enum table_format format;
    uint64_t limit, sm, warp;
    unsigned assumed; /* enum assumed_dependences */
    int threads;
};

static void print_kinds(FILE *out)
{
    fputs("\nEvents:\n", out);
    for (unsigned i = 0; i < EVENT_KINDS; i++)
        fprintf(out, "  %-16s %s\n", event_kinds[i].name, event_kinds[i].help);
}

static void cmd_step_parse(int argc, char **argv, struct step_arguments *arguments)
{
    const struct option_row options[] = {
        {"workload", 'w', "NAME|FILE",
         "program, recipe or trace (default: what suits the kind of machine)", option_text,
         &arguments->workload, NULL},
        {"at", 0, "WHERE,...",
         "one after the other: CYCLE, end, launch:N, next:EVENT or previous:EVENT, where hit, "
         "miss, "
         "refusal, fill and eviction are those of any cache, each perhaps with *TIMES (default: "
         "next:issue)",
         option_text, &arguments->at, NULL},
        {"sm", 0, "SM",
         "show this SM, and find events of it alone (default: any, and the one found)",
         option_count, &arguments->sm, NULL},
        {"warp", 0, "SLOT", "find events of the warps in this slot alone", option_count,
         &arguments->warp, NULL},
        {"address", 0, "ADDRESS", "find events alone that have to do with this byte", option_text,
         &arguments->address, NULL},
        {"cache-set", 0, "CACHE:NUMBER:SET",
         "show a set, for example l1d:3:12 of SM 3 or l2:0:7 of slice 0", option_text,
         &arguments->set, NULL},
        {"memory", 0, "BYTES", "for copies of the run, from which it goes back (default: 256MiB)",
         option_text, &arguments->memory, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_SET(&arguments->settings),
        OPTION_ASSUME(&arguments->assumed),
        OPTION_FORMAT(&arguments->format),
        OPTION_LIMIT("at most so many sentences, events and blocks in flight", "8",
                     &arguments->limit),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help = "Look at a run at depth timing in front of any cycle.\v"
                "Shows the warps of an SM over the 64 cycles before, why each of them waits, what "
                "happened in the last cycle, queues, and blocks in flight.",
        .more = print_kinds,
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, arguments->format_in);
    arguments->limit = limit_meant(arguments->limit, ROWS_USUAL, arguments->format);
}

/* ---- where to ---- */

static enum status refuse_word(const char *word, size_t length, struct diagnostics *diagnostics)
{
    const char *names[EVENT_KINDS];
    char hint[SUGGESTION_TEXT], event[32];
    const char *colon = memchr(word, ':', length);
    for (unsigned i = 0; i < EVENT_KINDS; i++)
        names[i] = event_kinds[i].name;
    const char *start = colon ? colon + 1 : word;
    const int left = (int)(length - (size_t)(start - word));
    snprintf(event, sizeof event, "%.*s", left < 31 ? left : 31, start);
    return diagnostics_error(
        diagnostics, STATUS_INVALID,
        "--at: expected CYCLE, end, launch:N, next:EVENT or previous:EVENT, got '%.*s'%s",
        (int)(length < 60 ? length : 60), word,
        suggestion(colon ? nearest_name(event, names, EVENT_KINDS) : NULL, hint));
}

static bool read_whole(const char *text, size_t length, uint64_t *number)
{
    char *end;
    if (!length || *text < '0' || *text > '9')
        return false;
    *number = strtoull(text, &end, 10);
    return end == text + length && *number < UINT64_MAX / 2;
}

/* Goes to the next or the previous event, `times` times. */
static enum status go_to_events(struct run_cursor *cursor, bool previous, uint64_t times,
                                struct cursor_wish *wish, const char *word, size_t length,
                                uint64_t *sm, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    bool found = true;
    for (uint64_t i = 0; !status && found && i < times; i++) {
        struct timing_event event;
        status = (previous ? run_cursor_previous : run_cursor_next)(cursor, wish, &event, &found);
        const enum event_part part = found ? event_kinds[event.kind].part : PART_GPU;
        if (!status && found && (part == PART_CORE || part == PART_L1D))
            *sm = event.place;
        if (!status && !found)
            return diagnostics_error(
                diagnostics, STATUS_NOT_FOUND, "--at %.*s: no such event %s cycle %llu",
                (int)(length < 60 ? length : 60), word, previous ? "before" : "from",
                (unsigned long long)run_cursor_cycle(cursor));
    }
    return status;
}

/* Goes where one word says. */
static enum status go_word(struct run_cursor *cursor, const char *word, size_t length,
                           const struct cursor_wish *wish, uint64_t *sm,
                           struct diagnostics *diagnostics)
{
    static const char next[] = "next:", previous[] = "previous:", launch[] = "launch:";
    struct cursor_wish wanted = *wish;
    uint64_t number, times = 1;
    const char *star = memchr(word, '*', length);
    const size_t whole = star ? (size_t)(star - word) : length;
    if (star && (!read_whole(star + 1, length - whole - 1, &times) || !times))
        return refuse_word(word, length, diagnostics);
    if (read_whole(word, length, &number))
        return run_cursor_go(cursor, number);
    if (length == 3 && !strncmp(word, "end", length))
        return run_cursor_go(cursor, UINT64_MAX);
    const bool back = !strncmp(word, previous, strlen(previous));
    const size_t skip = back ? strlen(previous) : strlen(next);
    if (back || !strncmp(word, next, skip)) {
        wanted.kinds = whole > skip ? event_kinds_named(word + skip, whole - skip) : 0;
        return wanted.kinds
                   ? go_to_events(cursor, back, times, &wanted, word, length, sm, diagnostics)
                   : refuse_word(word, length, diagnostics);
    }
    const size_t head = strlen(launch);
    if (strncmp(word, launch, head) || !read_whole(word + head, length - head, &number))
        return refuse_word(word, length, diagnostics);
    const struct cursor_wish begins = {
        .kinds = UINT64_C(1) << EVENT_launch_start, .sm = CURSOR_ANY, .slot = CURSOR_ANY};
    wanted = begins;
    const enum status status = run_cursor_go(cursor, 0);
    return status ? status
                  : go_to_events(cursor, false, number + 1, &wanted, word, length, sm, diagnostics);
}

static enum status step_go(const struct step_arguments *arguments, struct run_cursor *cursor,
                           uint64_t *sm, struct diagnostics *diagnostics)
{
    struct cursor_wish wish = {
        .sm = arguments->sm < UINT32_MAX ? (uint32_t)arguments->sm : CURSOR_ANY,
        .slot = arguments->warp < UINT32_MAX ? (uint32_t)arguments->warp : CURSOR_ANY};
    enum status status = STATUS_OK;
    if (arguments->address) {
        char *end;
        wish.touching = true;
        wish.address = strtoull(arguments->address, &end, 0);
        if (*end || end == arguments->address)
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "--address: expected a number, as 0x1000, got '%.60s'",
                                     arguments->address);
    }
    for (const char *word = arguments->at; !status && *word;) {
        const size_t length = strcspn(word, ",");
        status = go_word(cursor, word, length, &wish, sm, diagnostics);
        word += length + (word[length] == ',');
    }
    return status;
}

/* ---- the run ---- */

static enum status step_check(const struct step_arguments *arguments, const struct machine *machine,
                              struct set_place *set, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    if (arguments->sm < UINT32_MAX && arguments->sm >= machine->gpu.sms)
        status =
            diagnostics_error(diagnostics, STATUS_INVALID, "--sm: this machine has SMs 0 to %llu",
                              (unsigned long long)machine->gpu.sms - 1);
    if (!status && arguments->set)
        status = set_place_parse(arguments->set, set, diagnostics);
    if (!status && arguments->set && set->stage == STAGE_L1I)
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "--cache-set shows sets of an l1d or the l2");
    return !status && arguments->set ? set_stream_check(machine, set, diagnostics) : status;
}

static enum status step_memory(const struct step_arguments *arguments, size_t *memory,
                               struct diagnostics *diagnostics)
{
    uint64_t bytes = CURSOR_MEMORY;
    if (arguments->memory && quantity_parse_uint(arguments->memory, UNIT_BYTES, &bytes))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--memory: expected a size, as 64MiB, got '%.60s'",
                                 arguments->memory);
    *memory = bytes;
    return STATUS_OK;
}

static enum status step_run(const struct step_arguments *arguments, const struct timed_run *run,
                            struct diagnostics *diagnostics)
{
    const struct evaluate_options how = {.depth = DEPTH_TIMING,
                                         .threads = threads_meant(arguments->threads),
                                         .cancel = interrupt_flag(),
                                         .progress = progress_show,
                                         .argument = run->source->name};
    struct run_cursor *cursor = NULL;
    struct set_place set;
    uint64_t sm = arguments->sm;
    size_t memory = 0;
    enum status status = step_check(arguments, &run->machine, &set, diagnostics);
    if (!status)
        status = step_memory(arguments, &memory, diagnostics);
    if (!status)
        status = run_cursor_open(&run->machine, run->source, &how, memory, diagnostics, &cursor);
    if (!status)
        status = step_go(arguments, cursor, &sm, diagnostics);
    progress_end();
    if (!status) {
        const struct step_report report = {.name = run->name,
                                           .cursor = cursor,
                                           .sm = sm < UINT32_MAX ? (uint32_t)sm : 0,
                                           .set = arguments->set ? &set : NULL,
                                           .limit = arguments->limit};
        status = step_report_print(&report, arguments->format, stdout);
    }
    run_cursor_close(cursor);
    return status;
}

int command_step(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct step_arguments arguments = {
        .at = "next:issue", .limit = LIMIT_UNSAID, .sm = UINT64_MAX, .warp = UINT64_MAX};
    cmd_step_parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "gtx480";
    struct timed_run run;
    enum status status = timed_run_open(
        arguments.machine, arguments.workload, &arguments.settings, arguments.assumed,
        ": warpscape tile --steps goes through it", &run, &diagnostics);
    if (!status)
        status = step_run(&arguments, &run, &diagnostics);
    timed_run_close(&run);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
