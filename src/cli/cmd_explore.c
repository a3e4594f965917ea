/* warpscape explore: parses the options of the interactive explorer and starts it
 * (ui/explorer/explorer.h). It is the default command on a terminal. */
#include <stdlib.h>

#include "base/units.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "ui/explorer/explorer.h"
#include "ui/terminal/screen_settings.h"

static void read_size(const struct option_row *row, const char *text)
{
    enum { SIDE_MAX = 1000 };
    struct explorer_options *explorer = row->slot;
    char *middle, *end;
    long rows = strtol(text, &middle, 10), columns = 0;
    if (*middle == 'x')
        columns = strtol(middle + 1, &end, 10);
    if (*middle != 'x' || *end || rows < 1 || columns < 1 || rows > SIDE_MAX || columns > SIDE_MAX)
        usage_error("--size: expected ROWSxCOLUMNS of at most %dx%d, got '%s'", SIDE_MAX, SIDE_MAX,
                    text);
    explorer->rows = (int)rows;
    explorer->columns = (int)columns;
}

static void cmd_explore_parse(int argc, char **argv, struct explorer_options *explorer)
{
    bool no_color = false, no_mouse = false;
    const char *format_in = NULL;
    unsigned launches = PAIRING_BEST;
    const struct option_row options[] = {
        {"machine", 'm', "MACHINE", "machine to open (default: gtx480)", option_once,
         &explorer->machine, NULL},
        {"workload", 'w', "NAME|FILE", "program, recipe or trace to run " EXPLORED_HELP,
         option_once, &explorer->workload, NULL},
        OPTION_FORMAT_IN(&format_in),
        {"study", 0, "STUDY",
         "study, a file or a name, to take axes, constraints and objectives from", option_text,
         &explorer->study, NULL},
        {"depth", 0, "DEPTH", DEPTH_HELP "default: that of the study or the machine's file",
         option_word, &explorer->depth, depth_words},
        {"assume", 0, "HOW",
         "dependences to assume for a trace without instructions (depth timing): serial, "
         "independent or none; default: the study's",
         option_word, &explorer->assume, assumed_words},
        {"profile", 0, "FILE",
         "show the counters of an ncu or nvprof profile beside the live values", option_text,
         &explorer->profile, NULL},
        {"launches", 0, "WAY", PAIRING_HELP, option_index, &launches, pairing_names},
        {"script", 0, "FILE", "run the commands of this file first", option_text, &explorer->script,
         NULL},
        {"glyphs", 0, "TIER", "auto, braille, block or ascii (default: that of the settings)",
         option_word, &explorer->glyphs, glyph_names},
        {"theme", 0, "THEME",
         "dark, light, contrast, colour-blind or mono (default: that of the settings)", option_word,
         &explorer->theme, theme_names},
        {"no-color", 0, NULL, "no colours, as with NO_COLOR set", option_flag, &no_color, NULL},
        {"no-mouse", 0, NULL, "leave the mouse to the terminal", option_flag, &no_mouse, NULL},
        {"plain", 0, NULL,
         "for screen readers: commands from standard input, one per line; sentences instead of a "
         "screen",
         option_flag, &explorer->plain, NULL},
        {"threads", 'j', "COUNT", "threads of a sweep; 0: all (default)", option_threads,
         &explorer->threads, NULL},
        {"size", 0, "ROWSxCOLUMNS",
         "no terminal: a screen of this size, for --script with :save-screen", read_size, explorer,
         NULL},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE|FILE]",
        .help = "Explore a machine on a workload in the terminal.\v"
                "MACHINE is the name of a machine that comes with the program, FILE a machine, a "
                "study, the store of a sweep, a paper's experiment, a profile of ncu or nvprof, a "
                "recipe or a trace: what it holds decides. Press ? in the explorer for its keys. "
                "Without a terminal, `warpscape run` answers "
                "the same questions.",
        .operand = {.name = "file",
                    .value = "MACHINE|STUDY",
                    .read = option_once,
                    .slot = &explorer->file}};
    options_parse(&line, argc, argv);
    if (format_in && !explorer->workload) { /* only a workload has a format */
        explorer->workload = explorer->file;
        explorer->file = NULL;
    }
    options_name_format(&explorer->workload, format_in);
    explorer->color = !no_color;
    explorer->mouse = !no_mouse;
    explorer->launches = (enum pairing_way)launches;
}

int command_explore(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct explorer_options explorer = {.color = true, .mouse = true};
    cmd_explore_parse(argc, argv, &explorer);
    return command_finish(explorer_run(&explorer, &diagnostics), &diagnostics);
}
