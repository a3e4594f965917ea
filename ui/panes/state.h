/* All that the screen shows: the model that commands change and drawing reads. One thread owns it.
 * Background threads (engine, workers) hand over results only in explorer_receive, so nothing here
 * needs a lock.
 *
 * The cycle: explorer_execute or explorer_key changes the model, explorer_settle makes rows, scroll
 * positions and requests follow, explorer_draw draws it from scratch. */
#pragma once

#include <poll.h>

#include "explore/live/engine.h"
#include "ui/jobs/worker.h"
#include "ui/panes/measured_marks.h"
#include "ui/panes/pane_chart.h"
#include "ui/panes/pane_live.h"
#include "ui/panes/pane_machine.h"
#include "ui/panes/pane_sweep.h"
#include "ui/panes/prompt.h"
#include "ui/panes/shown_points.h"
#include "ui/panes/tour.h"
#include "ui/session/file_watch.h"
#include "ui/session/session.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/explorer_options.h"
#include "ui/terminal/keymap.h"
#include "ui/terminal/line_editor.h"
#include "ui/terminal/messages.h"
#include "ui/terminal/screen_settings.h"

/* What a pane or view keeps that no other reads, and its job (struct pane_ops). */
struct pane_slot {
    void *state;           /* NULL: it keeps nothing */
    struct worker *worker; /* NULL: it has no job */
    void *answer;          /* the newest; NULL: none yet */
    bool waiting;          /* a newer one is on its way */
};

struct script; /* ui/explorer/script.h */

struct explorer {
    struct explorer_options options;
    struct session *session;
    struct engine *engine;
    struct engine_snapshot snapshot;
    struct engine_evaluation last; /* the newest with values; may be of an older machine */
    struct pane_slot slots[CONTEXT_COUNT];
    struct keymap keymap;
    struct screen_settings settings;
    struct tour tour;
    enum glyphs glyphs;
    struct messages messages;

    int rows, columns;
    struct layout layout;
    enum view view, beneath; /* where Escape goes from an aside */
    enum pane focus;
    bool zoomed;

    struct machine_pane machine;
    struct live_pane live;
    struct measured_marks measured;
    struct chart_pane chart;
    struct shown_points shown;
    struct sweep_state sweep;

    struct prompt prompt;
    struct line_history commands, searches, values, filters;
    char searched[LINE_MAX_BYTES];

    char workload[256];
    char opened[256]; /* the last workload that could be opened; restored if the next one cannot */
    uint64_t evaluated;   /* revision of the session that was last requested */
    uint64_t request;     /* number of that request in the engine */
    uint64_t pin_request; /* the last for a pinned machine */

    bool writing;      /* a file is being made in the background (write_later) */
    bool write_failed; /* ... and it could not, which ends a script */
    struct script *script;
    struct file_watch watch; /* of the machine's file */
    unsigned nested;         /* commands that are being run, each by the one before: keys, open */
    bool changed;            /* the screen is out of date */
    bool redraw;             /* redraw everything */
    bool suspend;
    bool quit;
};

/* The context for commands: the pane or view with the keyboard focus. */
enum context explorer_context(const struct explorer *explorer);

/* Runs the command line "name arguments". False: it was refused; a message says why. */
bool explorer_execute(struct explorer *explorer, const char *command);
/* Handles a key: passes it to the prompt, or looks it up in the key map. */
void explorer_key(struct explorer *explorer, uint32_t key);
/* Pasted text goes into an open line; it is never interpreted as keys. */
void explorer_paste(struct explorer *explorer, const char *text);

/* What becomes readable when a background thread has a result. */
enum { BACKGROUND_THREADS = 1 + CONTEXT_COUNT };
void explorer_background(const struct explorer *explorer, struct pollfd fds[BACKGROUND_THREADS]);
/* Takes new results if one of `fds` is readable. */
void explorer_take(struct explorer *explorer, const struct pollfd fds[BACKGROUND_THREADS]);

/* Call this after any change: updates rows and scroll positions, and requests what is missing. */
void explorer_settle(struct explorer *explorer);

/* Draws the whole screen at its size into cells of its own. STATUS_MEMORY. */
enum status explorer_cells(const struct explorer *explorer, struct cells *cells,
                           struct spot *cursor);
/* ... and shows them. */
enum status explorer_draw(const struct explorer *explorer);
/* Makes theme and glyphs those of the settings. */
void explorer_apply_settings(struct explorer *explorer);

/* Whether commands of a script are left. */
bool script_pending(const struct explorer *explorer);
/* Runs no further command of the script until the values, or the sweep, are final. */
void script_wait(struct explorer *explorer, bool sweep);
/* Somebody sits at the terminal: what was done is worth remembering for the next time. */
bool explorer_is_attended(const struct explorer *explorer);
/* The newest evaluation is of the machine on the screen and has values. */
bool explorer_has_metrics(const struct explorer *explorer);
/* How exact the values of an engine state are, for a pin. */
enum pin_values explorer_pin_values(enum engine_state state);
/* The first pin whose values are to come; NULL: there is none. */
const struct pin *explorer_pin_pending(const struct explorer *explorer);
/* Whether the values of a pin, and of the first, can be compared with those on the screen. */
bool explorer_compares(const struct explorer *explorer, const struct pin *pin);
bool explorer_has_baseline(const struct explorer *explorer);
