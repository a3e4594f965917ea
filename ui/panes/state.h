/* All that the screen shows: the model that commands change and drawing reads. One thread owns it.
 * Background threads (engine, workers) hand over results only in explorer_receive, so nothing here
 * needs a lock.
 *
 * The cycle: explorer_execute or explorer_key changes the model, explorer_settle makes rows, scroll
 * positions and requests follow, explorer_draw draws it from scratch. */
#pragma once

#include <poll.h>

#include "explore/live/engine.h"
#include "model/translation/pwc.h"
#include "report/runs/area_tree.h"
#include "ui/jobs/census_job.h"
#include "ui/jobs/lane_job.h"
#include "ui/jobs/points.h"
#include "ui/jobs/queue_job.h"
#include "ui/jobs/report_job.h"
#include "ui/jobs/set_job.h"
#include "ui/jobs/stream_job.h"
#include "ui/jobs/tile_job.h"
#include "ui/jobs/walk_job.h"
#include "ui/panes/measured_marks.h"
#include "ui/session/session.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/explorer_options.h"
#include "ui/terminal/keymap.h"
#include "ui/terminal/line_editor.h"
#include "ui/terminal/messages.h"

struct list { /* the selected row, and the first row on the screen */
    int selected, top;
};

struct machine_row {
    const struct parameter *parameter; /* NULL: the heading of a group */
    int group;                         /* index into groups; -1: no group */
    int depth;
};

struct machine_group {
    char prefix[32];
    int parent; /* -1: none */
    int depth;
    bool folded;
};

struct machine_pane {
    struct list list;
    struct machine_row *rows;
    int count;
    size_t capacity;
    struct machine_group *groups;
    int group_count;
    size_t group_capacity;
};

struct live_row {
    const char *label;                          /* text of the heading of a group */
    const struct metric *metric;                /* NULL: a heading without values */
    bool whole;                                 /* show its full path */
    const struct metric *classes[MISS_CLASSES]; /* miss classes of this row; the rest NULL */
    bool stacked; /* the classes, or the stack, are drawn as a bar, not as text */
    int stack;    /* 1 + the level of the cycle stack (ui/panes/stack_bars.h); 0: none */
};

struct live_pane {
    struct list list;
    struct live_row *rows;
    int count;
    size_t capacity;
    bool all;
};

enum chart_kind {
    CHART_CURVE,
    CHART_FRONT,
    CHART_MATRIX,
    CHART_IMPORTANCE,
    CHART_DISTANCES,
    CHART_INSTRUCTIONS,
    CHART_TIME,
    CHART_COUNT
};

struct chart_pane {
    enum chart_kind kind;
    const struct metric *metric;       /* of the curve */
    const struct metric *chosen;       /* chosen by the user; NULL: follows the parameter */
    const struct parameter *parameter; /* of the curve */
    uint64_t request;                  /* number of the newest requested curve; 0: request again */
    struct machine machine;            /* the machine that it was requested for */
    struct engine_curve shown;         /* the newest with values; older while one is computed */
    uint64_t detail_request;           /* the same for distances, instructions and time */
    struct machine detail_machine;
    struct engine_detail detail; /* the newest with values */
    struct list list;            /* selects the point under the cursor */
    bool moved;                  /* the user moved the cursor; else it is on the machine */
};

struct marked_point { /* a marked point, also if the table does not show it */
    bool set;
    uint64_t index; /* in the space */
    uint64_t workloads;
    double values[METRIC_COUNT];
};

struct explore_view {
    struct points *points; /* NULL: nothing read yet */
    struct points_query wanted;
    bool reading;
    struct list list;
    int column;
    struct marked_point marked[2]; /* A and B, to compare */
    bool comparing;
    uint64_t read_at; /* number of finished points at the last reading */
};

struct trace_view {
    struct list list;
    struct stream_result *result;
    char wanted[256];
};

struct walk_entry { /* an entry of the page-walk cache */
    enum pwc_hit level;
    struct page_indices path;
    char text[160]; /* long masks are truncated */
    int indent;
    bool lit; /* the selected walk hit or filled it */
};

struct walks_view {
    struct list list; /* of walks */
    struct walk_result *result;
    bool waiting; /* a new result is on its way */
    char wanted[256];
    struct machine machine;           /* the machine of the walks and the contents */
    const struct walk_result *walked; /* the result that hits and entries belong to; NULL: none */
    int shown;                        /* the walk after which the contents are shown */
    enum pwc_hit hits[WALKS_MAX];
    struct pwc_counts counts; /* sums up to the shown walk */
    struct pwc_lookup lookup;
    struct walk_entry *entries;
    size_t entry_count, entry_capacity;
};

struct sets_view {
    struct list list; /* of steps */
    struct set_result *result;
    struct set_place place; /* what is watched; stage 0: not chosen yet */
    bool waiting;           /* a new result is on its way */
    char wanted[256];       /* what it was asked for */
    struct machine machine;
    struct set_place asked;
};

struct lanes_view {
    struct list list; /* of instructions */
    struct lane_result *result;
    bool waiting; /* a new result is on its way */
    char wanted[256];
};

struct tile_pane {
    struct list list;             /* of surfaces */
    enum tile_view map;           /* what is looked at */
    struct tile_drawing *drawing; /* the newest */
    bool waiting;                 /* a newer one is on its way */
    struct tile_question asked;
    struct machine machine; /* that it was asked for */
};

struct queue_view {
    struct list list; /* of steps */
    struct queue_result *result;
    bool waiting; /* a new result is on its way */
    uint32_t bank;
    uint64_t from;    /* the first step */
    char wanted[256]; /* what it was asked for */
    struct machine machine;
    uint32_t asked_bank;
    uint64_t asked_from;
};

struct text_view { /* lines that are made when the view opens (help) or grows (log) */
    struct list list;
    char **lines;
    int count;
    int columns;          /* the width that they are wrapped for */
    enum context context; /* for help: what comes first */
    char topic[64];       /* for help; "": none */
    size_t capacity;
};

struct area_view { /* made anew when the machine, its run or the width changed */
    struct list list;
    struct area_tree tree;
    uint64_t revision; /* of the session */
    double energy;     /* of the run that it shows; NaN: none */
    int columns;
};

struct report_view {
    struct text_view lines;
    int left;                     /* columns that are scrolled away */
    struct report_result *result; /* the newest for the screen; NULL: none yet */
    char asked[4096];             /* the store that it is or will be of; "" = ask again */
    uint64_t made_at;             /* points done when it was asked for */
    bool making;
};

enum prompt_kind { PROMPT_NONE, PROMPT_LINE, PROMPT_PICKER, PROMPT_UNSAVED };

struct picker_item {
    char *name, *help;
};

struct plan_pane {
    struct list list;
    uint64_t revision, axes_revision; /* of the session, when last requested */
    uint64_t questions;               /* number of requests so far */
    uint64_t asked; /* number of the newest request; 0: no plan, or nothing to count */
    struct census_result *result; /* the newest; for this plan if the numbers match */
};

struct prompt {
    enum prompt_kind kind;
    char label[80];
    char command[80]; /* the text becomes its argument; "": the text is the command */
    char empty[32];   /* command for an empty line; "": none */
    struct line_editor line;
    struct list list; /* picker: position in the matching items */
    struct picker_item *items;
    size_t item_count, item_capacity;
    char candidates[256]; /* the candidates of Tab */
};

struct script {
    char *text, *next; /* NULL: no script, or at its end */
    const char *name;
    unsigned line;
    enum { WAIT_NOTHING, WAIT_EXACT, WAIT_SWEEP } waiting;
    bool failed;
};

struct sweep_state {
    bool has_study; /* `study` is that of the running or the last sweep */
    struct study study;
    struct space space;
    char store[4096];
    bool reported; /* its end has been reported to the user */
};

struct explorer {
    struct explorer_options options;
    struct session *session;
    struct engine *engine;
    struct engine_snapshot snapshot;
    struct engine_evaluation last; /* the newest with values; may be of an older machine */
    struct worker *reader, *counter, *walker, *stepper, *profiler, *drawer, *queuer, *planner,
        *reporter;
    struct keymap keymap;
    enum glyphs glyphs;
    struct messages messages;

    int rows, columns;
    struct layout layout;
    enum view view;
    enum pane focus;
    bool zoomed;

    struct machine_pane machine;
    struct live_pane live;
    struct measured_marks measured;
    struct chart_pane chart;
    struct plan_pane plan;
    struct explore_view explore;
    struct trace_view trace;
    struct walks_view walks;
    struct sets_view sets;
    struct lanes_view lanes;
    struct tile_pane tile;
    struct queue_view queue;
    struct report_view report;
    struct area_view area;
    struct text_view help, log;
    struct sweep_state sweep;

    struct prompt prompt;
    struct line_history commands, searches, values, filters;
    char searched[LINE_MAX_BYTES];

    char workload[256];
    char opened[256]; /* the last workload that could be opened; restored if the next one cannot */
    uint64_t evaluated;   /* revision of the session that was last requested */
    uint64_t request;     /* number of that request in the engine */
    uint64_t pin_request; /* the last for the pinned machine; after `request`: being evaluated */

    struct script script;
    unsigned nested; /* commands that are being run, each by the one before: keys, open */
    bool changed;    /* the screen is out of date */
    bool redraw;     /* redraw everything */
    bool suspend;
    bool quit;
};

/* The context for commands: the pane or view with the keyboard focus. */
enum context explorer_context(const struct explorer *explorer);

/* Their names in commands, ended by NULL. */
extern const char *const chart_names[CHART_COUNT + 1];

/* Runs the command line "name arguments". False: it was refused; a message says why. */
bool explorer_execute(struct explorer *explorer, const char *command);
/* Handles a key: passes it to the prompt, or looks it up in the key map. */
void explorer_key(struct explorer *explorer, uint32_t key);
/* Pasted text goes into an open line; it is never interpreted as keys. */
void explorer_paste(struct explorer *explorer, const char *text);

/* What becomes readable when a background thread has a result. */
enum { BACKGROUND_THREADS = 10 };
void explorer_background(const struct explorer *explorer, struct pollfd fds[BACKGROUND_THREADS]);
/* Takes new results if one of `fds` is readable. */
void explorer_take(struct explorer *explorer, const struct pollfd fds[BACKGROUND_THREADS]);
/* Takes new results of all background threads. */
void explorer_receive(struct explorer *explorer);

/* Call this after any change: updates rows and scroll positions, and requests what is missing. */
void explorer_settle(struct explorer *explorer);

/* Draws the whole screen at its size. STATUS_MEMORY. */
enum status explorer_draw(const struct explorer *explorer);

/* The census of the plan on the screen, or NULL if there is none yet. */
const struct census_result *explorer_census(const struct explorer *explorer);
/* The selected parameter of the Machine pane, or NULL. */
const struct parameter *explorer_parameter(const struct explorer *explorer);
/* Whether commands of a script are left. */
bool script_pending(const struct explorer *explorer);
/* Somebody sits at the terminal: what was done is worth remembering for the next time. */
bool explorer_is_attended(const struct explorer *explorer);
/* The newest evaluation is of the machine on the screen and has values. */
bool explorer_has_metrics(const struct explorer *explorer);
/* How exact the values of an engine state are, for a pin. */
enum pin_values explorer_pin_values(enum engine_state state);
/* Whether the pinned values can be compared with those on the screen. */
bool explorer_has_baseline(const struct explorer *explorer);
