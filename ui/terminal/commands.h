/* The list of all commands. A key, the ':' line, a script and a picker run commands by these names;
 * help, completion and the footer are made from the same rows.
 *
 * X(CONSTANT, function, OFFER, "name", "arguments", "hint", "help"): the function is
 * action_<function>, the offer what Tab completes arguments with (OFFER_LIST in
 * complete.c). The hint is the word in the footer, "" if the command is never shown there. */
#pragma once

#include <stdbool.h>

#include "schema/depths.h"

#define COMMAND_LIST(X)                                                                            \
    X(QUIT, quit, NOTHING, "quit", "", "quit", "leave; asks when edits are not saved")             \
    X(QUIT_NOW, quit_now, NOTHING, "quit!", "", "", "leave and drop unsaved edits")                \
    X(HELP, help, TOPICS, "help", "[TOPIC]", "help",                                               \
      "the keys here and the topics; TOPIC: keys, commands, views or a name")                      \
    X(COMMAND, command, NOTHING, "command", "", "command", "type a command; Tab completes")        \
    X(START, start, NOTHING, "start", "", "start",                                                 \
      "what can be explored: families, your own files, studies, papers")                           \
    X(TOUR, tour, NOTHING, "tour", "[off]", "tour",                                                \
      "a walk of two minutes: tune, pin, why, sweep, front, export; off: leave it")                \
    X(PALETTE, palette, NOTHING, "palette", "[WORDS]", "palette",                                  \
      "find a command, parameter, metric, machine, workload, study, paper or file by any words")   \
    X(CANCEL, cancel, NOTHING, "cancel", "", "back", "close what is open, clear the message")      \
    X(FOCUS_NEXT, focus_next, NOTHING, "focus-next", "", "pane", "go to the next pane")            \
    X(FOCUS_PREVIOUS, focus_previous, NOTHING, "focus-previous", "", "",                           \
      "go to the previous pane")                                                                   \
    X(FOCUS, focus, PANES, "focus", "PANE", "", "go to a pane of the workspace")                   \
    X(ZOOM, zoom, NOTHING, "zoom", "", "zoom", "show this pane alone, or all again")               \
    X(VIEW, view, VIEWS, "view", "SCREEN", "points", "open a full-screen view; workspace: none")   \
    X(UP, up, NOTHING, "up", "", "", "one up")                                                     \
    X(DOWN, down, NOTHING, "down", "", "", "one down")                                             \
    X(LEFT, left, NOTHING, "left", "", "", "one to the left")                                      \
    X(RIGHT, right, NOTHING, "right", "", "", "one to the right")                                  \
    X(PAGE_UP, page_up, NOTHING, "page-up", "[full]", "", "half a page up, or a full one")         \
    X(PAGE_DOWN, page_down, NOTHING, "page-down", "[full]", "", "half a page down, or a full one") \
    X(TOP, top, NOTHING, "top", "", "", "to the first")                                            \
    X(BOTTOM, bottom, NOTHING, "bottom", "", "", "to the last")                                    \
    X(FIND, find, NAMES, "find", "[TEXT]", "find", "find a parameter, metric or line")             \
    X(FIND_NEXT, find_next, NOTHING, "find-next", "", "", "the next match")                        \
    X(FIND_PREVIOUS, find_previous, NOTHING, "find-previous", "", "", "the previous match")        \
    X(SELECT, select, PARAMETERS, "select", "PATH", "", "go to a parameter")                       \
    X(STEP_UP, step_up, NOTHING, "step-up", "", "step", "the next larger legal value")             \
    X(STEP_DOWN, step_down, NOTHING, "step-down", "", "", "the next smaller legal value")          \
    X(CHANGE, change, NOTHING, "change", "", "change",                                             \
      "type or choose a value; fold or unfold a group")                                            \
    X(FOLD, fold, NOTHING, "fold", "", "fold", "fold or unfold the group")                         \
    X(FOLD_ALL, fold_all, NOTHING, "fold-all", "", "", "fold or unfold all groups")                \
    X(SET, set, SETTINGS, "set", "PATH VALUE...", "", "set parameters, all at once")               \
    X(RESET, reset, PARAMETERS, "reset", "[PATH]", "", "back to the value in the file")            \
    X(ACCEPT, accept, NOTHING, "accept", "", "accept", "make the edit that the message proposes")  \
    X(UNDO, undo, NOTHING, "undo", "", "undo", "take back the last edit")                          \
    X(REDO, redo, NOTHING, "redo", "", "", "make the edit again")                                  \
    X(PIN, pin, PINS, "pin", "[NAME]", "pin",                                                      \
      "compare with this machine from now on, or again with what was pinned under NAME")           \
    X(PIN_NOW, pin_now, PINS, "pin!", "NAME", "", "pin this machine under a name that is taken")   \
    X(RETURN, return, PINS, "return", "[NAME]", "",                                                \
      "make the machine again what is pinned under NAME; none: what changes are shown against")    \
    X(AXIS, axis, PARAMETERS, "axis", "[PATH [VALUES]]", "axis",                                   \
      "mark as an axis of the sweep: 4KiB..64KiB, a list, or off; axis off: none at all")          \
    X(OBJECTIVE, objective, METRICS, "objective", "[METRIC...]", "",                               \
      "metrics that the sweep optimises; a leading '-': larger is better; none: chosen from the "  \
      "axes")                                                                                      \
    X(EQUAL, equal, BUDGET, "equal", "[METRIC LIMIT PARAMETER]", "equal",                          \
      "a budget: METRIC at most LIMIT for every point, solved for PARAMETER; off; none: say "      \
      "which")                                                                                     \
    X(SEARCH, search, SEARCHES, "search", "[NAME [KEY=VALUE...]]", "search",                       \
      "how the sweep explores: search nsga2 population=64; none: choose")                          \
    X(SWEEP, sweep, SWEEPS, "sweep", "[start|stop|STUDY]", "sweep",                                \
      "start the sweep over the axes, stop it, or go on with one that was stopped; STUDY: open "   \
      "that study and sweep it")                                                                   \
    X(WORKLOAD, workload, WORKLOAD, "workload", "[NAME]", "workload", "choose the workload")       \
    X(WORKLOADS, workloads, WORKLOADS, "workloads", "[NAME...]", "workloads",                      \
      "sweep over these workloads; off: over the one on the screen; none: say which")              \
    X(OPEN, open, MACHINE, "machine", "[MACHINE]", "machine",                                      \
      "open a machine by name or path; one of another kind brings a workload that suits it")       \
    X(OPEN_NOW, open_now, MACHINE, "machine!", "MACHINE", "",                                      \
      "open a machine and drop unsaved edits")                                                     \
    X(CARD, card, FILE, "card", "NAME|FILE", "",                                                   \
      "the machine of a GPU, from its name or from what nvidia-smi -q or deviceQuery prints")      \
    X(PAPER, paper, PAPERS, "paper", "[NAME|next|previous]", "paper",                              \
      "the claims of a paper, or of an experiment in a file, beside our numbers")                  \
    X(STUDY, study, STUDY, "study", "[STUDY]", "study",                                            \
      "open a study by name or path: its machine, workloads, axes and budgets")                    \
    X(STUDY_NOW, study_now, STUDY, "study!", "STUDY", "", "open a study and drop unsaved edits")   \
    X(EDIT, edit, PARAMETERS, "edit", "[PATH]", "edit",                                            \
      "the machine's text in $EDITOR, at the selected parameter")                                  \
    X(MERGE, merge, MERGES, "merge", "mine|theirs", "",                                            \
      "read the file that another program wrote: whose value stays where both changed one")        \
    X(SAVE, save, FILE, "save", "[FILE]", "save", "save the machine, comments and order kept")     \
    X(EXPORT, export, FILE, "export", "[--best [METRIC]] FILE", "export",                          \
      "write the machine, or the best point of the sweep, as YAML, or as gpgpusim.config where "   \
      "FILE ends in .config")                                                                      \
    X(EXPORT_NOW, export_now, FILE, "export!", "[--best [METRIC]] FILE", "",                       \
      "the same, over a file that is there already")                                               \
    X(SAVE_STUDY, save_study, FILE, "save-study", "FILE", "",                                      \
      "write axes and objectives as a study")                                                      \
    X(COPY, copy, NOTHING, "copy", "", "", "copy path and value to the clipboard (OSC 52)")        \
    X(DEPTH, depth, DEPTHS, "depth", "[DEPTH]", "depth", DEPTH_HELP "none: the next")              \
    X(ASSUME, assume, ASSUMED, "assume", "[HOW]", "",                                              \
      "dependences to assume for a trace without instructions (depth timing): serial, "            \
      "independent or none")                                                                       \
    X(CHART, chart, CHARTS, "chart", "[KIND]", "chart",                                            \
      "the next chart: curve, front, matrix, importance (of axes), distances (reuse), "            \
      "instructions (misses per PC; at depth timing stalls) or time (cycles over time, timing)")   \
    X(METRIC, metric, METRIC, "metric", "[METRIC]", "metric",                                      \
      "choose the metric of the chart; auto: it follows the selected parameter")                   \
    X(EXPLAIN, explain, METRIC, "explain", "[METRIC]", "explain",                                  \
      "run the machine without each of its limits, and with each lever: what a metric (time, or "  \
      "misses) is due to, and what would help")                                                    \
    X(WANT, want, CONDITION, "want", "[CONDITIONS min|max METRIC]", "want",                        \
      "the cheapest machine that satisfies a wish, over the marked axes or else the levers that "  \
      "matter: want core.ipc >= 1 min total.area; none: what was found")                           \
    X(ALL_METRICS, all_metrics, NOTHING, "all-metrics", "", "all",                                 \
      "show every metric, or the key ones")                                                        \
    X(FILTER, filter, CONDITION, "filter", "[CONDITION]", "filter",                                \
      "keep points where an expression over parameters and metrics holds, or all: none")           \
    X(FRONT, front, NOTHING, "front", "", "front", "only the Pareto front, or all points")         \
    X(SORT, sort, COLUMNS, "sort", "[COLUMN]", "sort",                                             \
      "sort by the column of the cursor; again: reverse")                                          \
    X(COMPARE, compare, NOTHING, "compare", "", "compare",                                         \
      "mark a point; two marked stand side by side, with what each setting does")                  \
    X(ACROSS, across, AGGREGATES, "across", "[HOW]", "across",                                     \
      "one row per machine, over all workloads: mean, geomean, min or max; off; none: the next")   \
    X(PROFILE, profile, FILE, "profile", "[FILE]", "profile",                                      \
      "show the counters of an ncu or nvprof profile beside the live values; off: hide them")      \
    X(LAUNCHES, launches, PAIRINGS, "launches", "[WAY]", "",                                       \
      "which launches of the profile stand for the workload's: best, match, mean or all; none: "   \
      "the next")                                                                                  \
    X(RELOAD, reload, NOTHING, "reload", "", "", "read the store again")                           \
    X(RESUME, resume, NOTHING, "resume", "", "",                                                   \
      "bring back the last session: machine, edits, pin, axes, filter")                            \
    X(WATCH, watch, NOTHING, "watch", "[CACHE[:SM[:SET]]]", "set",                                 \
      "step through a set: watch l1d:0:12, l2 with a slice, l1i; next or previous set")            \
    X(GOTO, goto, NOTHING, "goto", "WHERE", "goto",                                                \
      "to a step, or in a run to a cycle: 200, end, launch:1, instruction:9 of the selected warp") \
    X(NEXT, next, EVENTS, "next", "[EVENT [WHOSE]]", "event",                                      \
      "to the next event: of a set miss or eviction, of a queue miss, return or wait, of a run "   \
      "l1d_miss or another, of the warp, the sm or an address; .: once more; none: choose")        \
    X(PREVIOUS, previous, EVENTS, "previous", "[EVENT [WHOSE]]", "", "to the event before")        \
    X(DIFF, diff, NOTHING, "diff", "[other]", "",                                                  \
      "find where the runs of this machine and of the pinned one part; other: show that of the "   \
      "other one in front of the same cycle, or go back")                                          \
    X(SM, sm, NOTHING, "sm", "[NUMBER|next|previous]", "SM", "show another SM of a run")           \
    X(LOOK, look, MAPS, "look", "[MAP|next|previous]", "map",                                      \
      "a map of the frame: frame, banks, overdraw, misses, reads, chains, stalls or time; "        \
      "beside a run: events, queues, blocks, banks or set")                                        \
    X(BANK, bank, NOTHING, "bank", "[NUMBER [STEP]]", "bank",                                      \
      "step through the miss queue of a bank, from a step on; next or previous bank")              \
    X(STORE, store, STORE, "store", "[FILE]", "",                                                  \
      "look at the points of another store; none: choose")                                         \
    X(REPORT, report, STORE, "report", "[STORE]", "report",                                        \
      "read the report of the points on the screen, or of another store")                          \
    X(SAVE_REPORT, save_report, FILE, "save-report", "[FILE]", "save",                             \
      "write that report as HTML, or as Markdown where FILE ends in .md")                          \
    X(SAVE_SCREEN, save_screen, FILE, "save-screen", "FILE", "",                                   \
      "write what the screen shows as text")                                                       \
    X(PICTURE, picture, FILE, "picture", "FILE", "",                                               \
      "write what the screen shows as a picture: FILE.svg, FILE.png or FILE.txt")                  \
    X(WAIT, wait, WAITS, "wait", "[sweep]", "",                                                    \
      "in a script: wait until every value is exact, or the sweep has ended")                      \
    X(KEYS, keys, NOTHING, "keys", "KEY...", "", "press keys: keys j j l Enter")                   \
    X(SETTINGS, settings, SCREEN, "settings", "[NAME VALUE]", "settings",                          \
      "themes and glyphs, and the file that keeps them; NAME VALUE: choose one")                   \
    X(GLYPHS, glyphs, GLYPHS, "glyphs", "TIER", "", "draw with braille, block or ascii")           \
    X(REDRAW, redraw, NOTHING, "redraw", "", "", "draw the whole screen again")                    \
    X(SUSPEND, suspend, NOTHING, "suspend", "", "", "stop; the shell's fg brings the program back")

#define COMMAND_ENUM(constant, ...) COMMAND_##constant,
enum command { COMMAND_LIST(COMMAND_ENUM) COMMAND_COUNT };
#undef COMMAND_ENUM

/* What a command does; false: it refused, after a message that says why. */
struct explorer;
#define ACTION_DECLARATION(constant, function, ...)                                                \
    bool action_##function(struct explorer *explorer, const char *arguments);
COMMAND_LIST(ACTION_DECLARATION)
#undef ACTION_DECLARATION

struct command_info {
    const char *name, *arguments, *hint, *help;
};

extern const struct command_info command_table[COMMAND_COUNT];

/* The command with this name or alias; COMMAND_COUNT if there is none. */
enum command command_find(const char *name);
const char *command_nearest(const char *name); /* the most similar name, or NULL */
