/* warpscape step: a timed run at any cycle (model/timing/run_cursor.h), forwards and backwards:
 * what each warp did over the last cycles and why it waits, queues, blocks in flight, banks, a set
 * of a cache. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/timed_run.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "report/runs/set_report.h"
#include "report/runs/step_report.h"
#include "report/runs/step_words.h"
#include "trace/assumed.h"

enum { ROWS_USUAL = 8 };

struct step_arguments {
    const char *machine, *workload, *format_in, *at, *set, *memory, *address;
    struct options_list settings;
    enum table_format format;
    uint64_t limit, sm, warp, bank;
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
        {"workload", 'w', "NAME|FILE", "program, recipe or trace " EXPLORED_HELP, option_once,
         &arguments->workload, NULL},
        {"at", 0, "WHERE,...",
         "one after the other: " STEP_WORDS " (default: " STEP_FIRST
         ", of a scene " STEP_FIRST_SCENE ")",
         option_text, &arguments->at, NULL},
        {"sm", 0, "SM",
         "show this SM, and find events of it alone (default: any, and the one found)",
         option_count, &arguments->sm, NULL},
        {"warp", 0, "SLOT", "find events of the warps in this slot alone", option_count,
         &arguments->warp, NULL},
        {"bank", 0, "BANK", "of a scene: find events of this bank alone, and show its chains",
         option_count, &arguments->bank, NULL},
        {"address", 0, "ADDRESS", "find only events that concern this byte", option_text,
         &arguments->address, NULL},
        {"cache-set", 0, "CACHE:NUMBER:SET",
         "show a set, for example l1d:3:12 of SM 3, l2:0:7 of slice 0 or tile:1:5 of bank 1",
         option_text, &arguments->set, NULL},
        {"memory", 0, "BYTES",
         "memory for copies of the run, from which it goes back (default: 256MiB)", option_text,
         &arguments->memory, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        OPTION_SET(&arguments->settings),
        OPTION_ASSUME(&arguments->assumed),
        OPTION_FORMAT(&arguments->format),
        OPTION_LIMIT(
            "at most this many sentences, events, blocks in flight, banks and rows of chains", "8",
            &arguments->limit),
        OPTION_THREADS(&arguments->threads),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help = "Look at a run at depth timing in front of any cycle.\v"
                "Shows the warps of an SM over the 64 cycles before, why each of them waits, what "
                "happened in the last cycle, queues, blocks in flight, and banks of the DRAM. Of a "
                "scene: what each bank of the tile cache did, its miss queue, rasteriser and bus.",
        .more = print_kinds,
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, arguments->format_in);
    arguments->limit = limit_meant(arguments->limit, ROWS_USUAL, arguments->format);
}

/* ---- the run ---- */

static enum status step_check_scene(const struct step_arguments *arguments,
                                    const struct machine *machine, struct diagnostics *diagnostics)
{
    if (arguments->sm != UINT64_MAX || arguments->warp != UINT64_MAX)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "a scene runs on a tile cache: it has --bank, no --sm and --warp");
    if (arguments->bank == UINT64_MAX || arguments->bank < machine->tile.cache.slices)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "--bank: this machine has banks 0 to %llu",
                             (unsigned long long)machine->tile.cache.slices - 1);
}

static enum status step_check(const struct step_arguments *arguments, const struct machine *machine,
                              bool scene, struct set_place *set, struct diagnostics *diagnostics)
{
    enum status status = scene ? step_check_scene(arguments, machine, diagnostics) : STATUS_OK;
    if (!scene && arguments->bank != UINT64_MAX)
        status = diagnostics_error(diagnostics, STATUS_INVALID, "--bank is of scenes");
    if (!status && !scene && arguments->sm < UINT32_MAX && arguments->sm >= machine->gpu.sms)
        status =
            diagnostics_error(diagnostics, STATUS_INVALID, "--sm: this machine has SMs 0 to %llu",
                              (unsigned long long)machine->gpu.sms - 1);
    if (!status && arguments->set)
        status = set_place_parse(arguments->set, set, diagnostics);
    return !status && arguments->set ? set_place_check(machine, set, diagnostics) : status;
}

static enum status step_run(const struct step_arguments *arguments, const struct timed_run *run,
                            struct diagnostics *diagnostics)
{
    const struct evaluate_options how = timed_run_options(run, arguments->threads);
    struct run_cursor *cursor = NULL;
    struct set_place set;
    struct cursor_wish narrow = {0};
    struct timing_event event = {.kind = EVENT_KINDS};
    uint64_t memory = CURSOR_MEMORY;
    const bool scene = run->source->tiles;
    const char *at = arguments->at ? arguments->at : scene ? STEP_FIRST_SCENE : STEP_FIRST;
    enum status status = step_check(arguments, &run->machine, scene, &set, diagnostics);
    if (!status)
        status = timed_run_memory(arguments->memory, &memory, diagnostics);
    if (!status)
        status = timed_run_narrow(arguments->sm, scene ? arguments->bank : arguments->warp,
                                  arguments->address, &narrow, diagnostics);
    if (!status)
        status = run_cursor_open(&run->machine, run->source, &how, memory, diagnostics, &cursor);
    if (!status)
        status = step_go(cursor, at, &narrow, &event, diagnostics);
    /* Whoever stops it sees where it is. */
    enum status shown = status == STATUS_CANCELLED && cursor ? run_cursor_settle(cursor) : status;
    progress_end();
    if (!shown) {
        uint32_t sm = 0, slot;
        const bool found = event.kind < EVENT_KINDS && event_row(&event, &sm, &slot);
        const struct step_report report = {.name = run->name,
                                           .cursor = cursor,
                                           .sm = narrow.sm != CURSOR_ANY ? narrow.sm
                                                 : found                 ? sm
                                                                         : 0,
                                           .bank = scene ? narrow.slot : CURSOR_ANY,
                                           .set = arguments->set ? &set : NULL,
                                           .limit = arguments->limit};
        shown = step_report_print(&report, arguments->format, stdout);
    }
    run_cursor_close(cursor);
    return status ? status : shown;
}

int command_step(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct step_arguments arguments = {
        .limit = LIMIT_UNSAID, .sm = UINT64_MAX, .warp = UINT64_MAX, .bank = UINT64_MAX};
    cmd_step_parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "gtx480";
    struct timed_run run;
    enum status status = timed_run_open(arguments.machine, arguments.workload, &arguments.settings,
                                        arguments.assumed, NULL, &run, &diagnostics);
    if (!status)
        status = step_run(&arguments, &run, &diagnostics);
    timed_run_close(&run);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
