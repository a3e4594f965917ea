/* warpscape explore: the interactive explorer. */
#include <stdlib.h>

#include "base/units.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "ui/explorer.h"

enum {
    OPTION_GLYPHS = 256,
    OPTION_NO_COLOR,
    OPTION_NO_MOUSE,
    OPTION_PLAIN,
    OPTION_SIZE,
    OPTION_STUDY,
    OPTION_DEPTH
};

static const struct argp_option options[] = {
    {"machine", 'm', "MACHINE", 0, "machine to open (default: gtx480); the same as the argument",
     0},
    {"workload", 'w', "NAME|FILE", 0, "program, recipe or trace to run (default: 2DCONV)", 0},
    {"study", OPTION_STUDY, "STUDY", 0,
     "study, a file or a name, to take axes, constraints and objectives from", 0},
    {"depth", OPTION_DEPTH, "DEPTH", 0,
     "functional, or reuse: latencies, lines in flight and MSHRs of the L1D (default: the study's)",
     0},
    {"script", 's', "FILE", 0, "run the commands of this file first", 0},
    {"glyphs", OPTION_GLYPHS, "TIER", 0, "auto (default), braille, block or ascii", 0},
    {"no-color", OPTION_NO_COLOR, NULL, 0, "no colours, as with NO_COLOR set", 0},
    {"no-mouse", OPTION_NO_MOUSE, NULL, 0, "leave the mouse to the terminal", 0},
    {"plain", OPTION_PLAIN, NULL, 0,
     "for screen readers: commands from standard input, one a line; sentences instead of a screen",
     0},
    {"threads", 'j', "COUNT", 0, "threads of a sweep; 0: all (default)", 0},
    {"size", OPTION_SIZE, "ROWSxCOLUMNS", 0,
     "no terminal: a screen of this size, for --script with :save-screen", 0},
    {0}};

static void parse_size(struct argp_state *state, const char *text,
                       struct explorer_options *explorer)
{
    enum { SIDE_MAX = 1000 };
    char *middle, *end;
    long rows = strtol(text, &middle, 10), columns = 0;
    if (*middle == 'x')
        columns = strtol(middle + 1, &end, 10);
    if (*middle != 'x' || *end || rows < 1 || columns < 1 || rows > SIDE_MAX || columns > SIDE_MAX)
        argp_error(state, "--size: expected ROWSxCOLUMNS of at most %dx%d, got '%s'", SIDE_MAX,
                   SIDE_MAX, text);
    explorer->rows = (int)rows;
    explorer->columns = (int)columns;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct explorer_options *explorer = state->input;
    switch (key) {
    case 'm':
    case ARGP_KEY_ARG:
        options_take(state, &explorer->machine, text, "machine");
        return 0;
    case 'w':
        explorer->workload = text;
        return 0;
    case 's':
        explorer->script = text;
        return 0;
    case 'j':
        explorer->threads = options_threads(state, text);
        return 0;
    case OPTION_STUDY:
        explorer->study = text;
        return 0;
    case OPTION_DEPTH:
        explorer->depth = options_choice(state, "depth", text,
                                         (const char *const[]){"functional", "reuse", NULL});
        return 0;
    case OPTION_GLYPHS:
        explorer->glyphs =
            options_choice(state, "glyphs", text,
                           (const char *const[]){"auto", "braille", "block", "ascii", NULL});
        return 0;
    case OPTION_NO_COLOR:
        explorer->color = false;
        return 0;
    case OPTION_NO_MOUSE:
        explorer->mouse = false;
        return 0;
    case OPTION_PLAIN:
        explorer->plain = true;
        return 0;
    case OPTION_SIZE:
        parse_size(state, text, explorer);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[MACHINE]",
    "Explore a machine on a workload in the terminal.\v"
    "MACHINE is a YAML file or the name of a machine that comes with the program. Press ? in the "
    "explorer for its keys. Without a terminal, `warpscape run` answers the same questions.",
    NULL,
    NULL,
    NULL};

int command_explore(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct explorer_options explorer = {.glyphs = "auto", .color = true, .mouse = true};
    options_parse(&argp, argc, argv, &explorer);
    return command_finish(explorer_run(&explorer, &diagnostics), &diagnostics);
}
