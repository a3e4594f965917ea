/* Where keys mean something: everywhere, in a pane of the workspace, or in a view that takes the
 * whole screen. A pane or view is a row here and a struct pane_ops (pane.h) with its name; keys,
 * commands, help and completion come from the rows. */
#pragma once

/* X(CONSTANT, name, "what it shows") */
#define PANE_LIST(X)                                                                               \
    X(MACHINE, machine, "the parameters of the machine, to change and to mark as axes")            \
    X(LIVE, live, "the metrics of the machine on the screen, beside those of the pinned one")      \
    X(CHART, chart, "a curve over a parameter, and other charts of the machine or the sweep")      \
    X(SWEEP, sweep, "axes, objectives and progress of the sweep")

#define VIEW_LIST(X)                                                                               \
    X(START, start, "what can be explored: families, your own files, studies, papers")             \
    X(EXPLORE, explore, "the points of a sweep: sorted, filtered, compared, taken")                \
    X(TRACE, trace, "the workload: its launches, their accesses and what the caches count")        \
    X(WALKS, walks, "walks of the page table through the page-walk cache, step by step")           \
    X(STEP, step, "a run in time: what each warp does and waits for, cycle by cycle")              \
    X(SETS, sets, "one set of a cache: its ways and replacement state, access by access")          \
    X(LANES, lanes, "active lanes of a SIMT program, instruction by instruction")                  \
    X(TILE, tile, "a scene on a tile cache: frame, banks and maps of their activity")              \
    X(QUEUE, queue, "the miss queue of a tile cache with its chains, step by step")                \
    X(REPORT, report, "the report of the points of a sweep")                                       \
    X(EXPLAIN, explain, "what limits the machine and what would help, by exact experiments")       \
    X(WANT, want, "the machines that satisfy a wish, best first, with what proves it")             \
    X(PAPERS, papers, "the claims of a paper beside our numbers; each opens its experiment")       \
    X(MEMORY, memory, "the memory chart: what the hierarchy is made of, with its numbers")         \
    X(PINS, pins, "the machine beside those that are pinned: what differs and what they score")    \
    X(AREA, area, "area, access time and energy of the machine's structures")                      \
    X(TEXT, text, "the machine's file as it would be saved, with its comments")                    \
    X(SETTINGS, settings, "themes and glyphs, and the file that keeps the choice")                 \
    X(LOG, log, "the messages so far")                                                             \
    X(HELP, help, "the keys in force, and what a name means")

#define CONTEXT_LIST(X)                                                                            \
    X(GLOBAL, global, "")                                                                          \
    PANE_LIST(X)                                                                                   \
    VIEW_LIST(X)

#define CONTEXT_ROW(constant, name, help) CONTEXT_##constant,
#define PANE_ROW(constant, name, help)    PANE_##constant,
#define VIEW_ROW(constant, name, help)    VIEW_##constant,
enum context { CONTEXT_LIST(CONTEXT_ROW) CONTEXT_COUNT };
enum pane { PANE_LIST(PANE_ROW) PANE_COUNT };
enum view { VIEW_WORKSPACE, VIEW_LIST(VIEW_ROW) VIEW_COUNT };
#undef CONTEXT_ROW
#undef PANE_ROW
#undef VIEW_ROW

enum { WORKSPACE_CONTEXTS = CONTEXT_GLOBAL + PANE_COUNT }; /* a view's context is so many on */

extern const char *const context_names[CONTEXT_COUNT], *const context_helps[CONTEXT_COUNT];
/* With "workspace" for no view; a NULL ends them. */
extern const char *const pane_names[PANE_COUNT + 1], *const view_names[VIEW_COUNT + 1];

/* CONTEXT_COUNT: there is none with this name. */
enum context context_find(const char *name);
enum context pane_context(enum pane pane);
/* Of a view other than the workspace. */
enum context view_context(enum view view);
