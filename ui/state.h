/* All that the screen shows: the model that commands change and that drawing only reads. */
#pragma once

#include <poll.h>

#include "explore/live/engine.h"
#include "model/translation/pwc.h"
#include "ui/canvas.h"
#include "ui/census_job.h"
#include "ui/explorer.h"
#include "ui/keymap.h"
#include "ui/line_editor.h"
#include "ui/messages.h"
#include "ui/points.h"
#include "ui/report_job.h"
#include "ui/session.h"
#include "ui/stream_job.h"
#include "ui/walk_job.h"

enum view {
    VIEW_WORKSPACE,
    VIEW_EXPLORE,
    VIEW_TRACE,
    VIEW_WALKS,
    VIEW_REPORT,
    VIEW_LOG,
    VIEW_HELP,
    VIEW_COUNT
};

struct list { /* a selected row, and the first one that is shown */
    int selected, top;
};

struct machine_row {
    const struct parameter *parameter; /* NULL: the head of a group */
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
    const char *label;                          /* of the head of a group */
    const struct metric *metric;                /* NULL: only a head */
    bool whole;                                 /* with its whole path */
    const struct metric *classes[MISS_CLASSES]; /* else of this row; the rest NULL */
    bool stacked;                               /* they are a bar instead of words */
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
    CHART_COUNT
};

struct chart_pane {
    enum chart_kind kind;
    const struct metric *metric;       /* of the curve */
    const struct metric *chosen;       /* by the user; NULL: it follows the parameter */
    const struct parameter *parameter; /* of the curve */
    uint64_t request;                  /* of the newest curve asked for; 0: ask again */
    struct machine machine;            /* for which it was asked */
    struct engine_curve shown;         /* the newest with values; older while one is computed */
    uint64_t detail_request;           /* as request, of distances and instructions */
    struct machine detail_machine;
    struct engine_detail detail; /* the newest with values */
    struct list list;            /* the point under the cursor */
    bool moved;                  /* the cursor was moved; else it sits on the machine */
};

struct marked_point { /* wherever the table has it, or leaves it out */
    bool set;
    uint64_t index; /* in the space */
    uint64_t workloads;
    double values[METRIC_COUNT];
};

struct explore_view {
    struct points *points; /* NULL: none read yet */
    struct points_query wanted;
    bool reading;
    struct list list;
    int column;
    struct marked_point marked[2]; /* to compare: A and B */
    bool comparing;
    uint64_t read_at; /* points done when the store was last asked for */
};

struct trace_view {
    struct list list;
    struct stream_result *result;
    char wanted[256];
};

struct walk_entry { /* of the page-walk cache */
    enum pwc_hit level;
    struct page_indices path;
    char text[160]; /* long masks are cut */
    int indent;
    bool lit; /* the selected walk found or filled it */
};

struct walks_view {
    struct list list; /* of walks */
    struct walk_result *result;
    bool waiting; /* for another result */
    char wanted[256];
    struct machine machine;           /* for which walks and contents are */
    const struct walk_result *walked; /* the result that these are of; NULL: none */
    int shown;                        /* the walk whose contents these are */
    enum pwc_hit hits[WALKS_MAX];
    struct pwc_counts counts; /* up to the shown walk */
    struct pwc_lookup lookup;
    struct walk_entry *entries;
    size_t entry_count, entry_capacity;
};

struct text_view { /* lines made when the view opens (help) or grow (log) */
    struct list list;
    char **lines;
    int count;
    int columns;          /* for which they were wrapped */
    enum context context; /* of help: what it is about first */
    char topic[64];       /* of help; "" = none */
    size_t capacity;
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
    uint64_t revision, axes_revision; /* of the session whose plan was last asked for */
    uint64_t questions;               /* asked so far */
    uint64_t asked;               /* number of the newest; 0: there is no plan, or none to count */
    struct census_result *result; /* the newest; of this plan where it has its number */
};

struct prompt {
    enum prompt_kind kind;
    char label[80];
    char command[80]; /* run with the text behind it; "" = the text is the command */
    char empty[32];   /* run where nothing was typed; "" = nothing */
    struct line_editor line;
    struct list list; /* picker: among the items that match */
    struct picker_item *items;
    size_t item_count, item_capacity;
    char candidates[256]; /* what Tab could still mean */
};

struct script {
    char *text, *next; /* NULL: none, or at its end */
    const char *name;
    unsigned line;
    enum { WAIT_NOTHING, WAIT_EXACT, WAIT_SWEEP } waiting;
    bool failed;
};

struct sweep_state {
    bool has_study; /* of the sweep that runs or ran last */
    struct study study;
    struct space space;
    char store[4096];
    bool reported; /* its end has been said */
};

struct explorer {
    struct explorer_options options;
    struct session *session;
    struct engine *engine;
    struct engine_snapshot snapshot;
    struct engine_evaluation last; /* the newest with values; may be of an older machine */
    struct worker *reader, *counter, *walker, *planner, *reporter;
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
    struct chart_pane chart;
    struct plan_pane plan;
    struct explore_view explore;
    struct trace_view trace;
    struct walks_view walks;
    struct report_view report;
    struct text_view help, log;
    struct sweep_state sweep;

    struct prompt prompt;
    struct line_history commands, searches, values, filters;
    char searched[LINE_MAX_BYTES];

    char workload[256];
    char opened[256];   /* the last workload that could be opened: it stays where one cannot */
    uint64_t evaluated; /* revision of the session that was last asked for */
    uint64_t request;   /* its number in the engine */
    uint64_t
        pin_request; /* of the pinned machine, the last; after `request`: it is evaluated now */

    struct script script;
    bool changed; /* something that the screen shows is not what it showed */
    bool redraw;  /* draw everything again */
    bool suspend;
    bool quit;
};

/* What commands work on: the pane or view that has the keyboard. */
enum context explorer_context(const struct explorer *explorer);

/* What commands call them; NULL ends. */
extern const char *const view_names[VIEW_COUNT + 1];
extern const char *const chart_names[CHART_COUNT + 1];

/* Runs "name arguments". False: it was refused; the message says why. */
bool explorer_execute(struct explorer *explorer, const char *command);
/* One key: to the prompt, or through the key map. */
void explorer_key(struct explorer *explorer, uint32_t key);
/* What the user pasted goes into an open line and is never taken for keys. */
void explorer_paste(struct explorer *explorer, const char *text);

/* What becomes readable when a background thread has a result. */
enum { BACKGROUND_THREADS = 6 };
void explorer_background(const struct explorer *explorer, struct pollfd fds[BACKGROUND_THREADS]);
/* Takes the newest results of the background threads, where one of `fds` says that there is one. */
void explorer_take(struct explorer *explorer, const struct pollfd fds[BACKGROUND_THREADS]);
/* Takes the newest results of the background threads. */
void explorer_receive(struct explorer *explorer);

/* After any change: rows, scroll positions and requests follow the model. */
void explorer_settle(struct explorer *explorer);

/* Draws the whole screen. *cursor.row is -1 where nothing has the focus. */
void explorer_draw(const struct explorer *explorer, struct cells *cells, struct spot *cursor);

/* The census of the plan on the screen, or NULL while there is none. */
const struct census_result *explorer_census(const struct explorer *explorer);
/* The selected parameter of the Machine pane, or NULL. */
const struct parameter *explorer_parameter(const struct explorer *explorer);
/* Somebody sits at the terminal: what was done is worth remembering for the next time. */
bool explorer_is_attended(const struct explorer *explorer);
/* The newest evaluation is of the machine on the screen and has values. */
bool explorer_has_metrics(const struct explorer *explorer);
/* What a state that has values is worth to a pin. */
enum pin_values explorer_pin_values(enum engine_state state);
/* The pinned values can be compared with those on the screen. */
bool explorer_has_baseline(const struct explorer *explorer);
