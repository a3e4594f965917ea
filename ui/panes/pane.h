/* The interface between a pane (or full-screen view) and the code for motions, search, mouse and
 * footer: a table of functions, struct pane_ops. A pane is its list, its rows as text and a draw
 * function; everything else is common to all panes.
 *
 * Invariant: drawing gets a const explorer and cannot change the model. */
#pragma once

#include "ui/panes/state.h"

struct set_place; /* model/pass/set_stream.h */

struct hint {
    enum command command;
    const char *word; /* NULL: the hint of the command */
};

struct pane_ops {
    const char *title;
    bool pager; /* motions move its text, not a selected row */
    bool aside; /* Escape goes back to the view that it was opened over */
    int heads;  /* rows of the body above the list */
    int (*heads_now)(const struct explorer *explorer); /* the same if they vary; or NULL */
    /* Its list; NULL: what the pane keeps begins with it. */
    struct list *(*list)(struct explorer *explorer);
    int (*count)(const struct explorer *explorer);
    /* Writes a row as text, for the search. NULL: nothing to search. */
    void (*text)(const struct explorer *explorer, int row, char text[ROW_TEXT]);
    /* Writes the headings of the columns as text. NULL: the rows need none. */
    void (*headings)(const struct explorer *explorer, char text[ROW_TEXT]);
    /* Describes the selected row, for the message line. NULL: nothing to say. */
    void (*describe)(const struct explorer *explorer, char text[ROW_TEXT]);
    /* Writes the text at the right end of the title; NULL: nothing. */
    void (*status)(const struct explorer *explorer, char text[ROW_TEXT]);
    /* Of what it keeps to itself: bytes, which are zero at first, and what frees what they point to
     * (NULL: nothing). */
    size_t state_size;
    void (*free)(void *state);
    /* What takes longer than a frame, on a thread of its own (pane_ask); NULL: nothing does. */
    const struct job_kind *job;
    /* Looks at an answer before it replaces the one before; false: it is dropped instead. NULL:
     * every answer replaces it. */
    bool (*takes)(struct explorer *explorer, void *answer);
    /* Makes what a view shows that is opened; NULL: nothing. */
    enum status (*open)(struct explorer *explorer);
    /* The commands left and right, goto (NULL: to a row of the list), next and previous with and
     * without an event, look and watch, reload, and a click on row -1 of the list; NULL: they mean
     * nothing here. */
    void (*across)(struct explorer *explorer, int by);
    bool (*go)(struct explorer *explorer, const char *where);
    bool (*jump)(struct explorer *explorer, const char *event, bool back);
    bool (*offer)(struct explorer *explorer, const char *command);
    bool (*look)(struct explorer *explorer, const char *what);
    bool (*watch)(struct explorer *explorer, const struct set_place *set);
    void (*reload)(struct explorer *explorer);
    void (*click)(struct explorer *explorer, int column);
    /* A press or a drag at this place of the body, or beside it; false: it means a row of the list.
     * NULL: it always does. */
    bool (*point)(struct explorer *explorer, int row, int column);
    /* The command change, and the parameter that axis means where none is named; NULL: those of the
     * parameter selected in Machine. */
    bool (*enter)(struct explorer *explorer);
    const struct parameter *(*parameter)(const struct explorer *explorer);
    /* Brings the pane up to date after a change of the model, cheaply if it is; NULL: it always is.
     */
    void (*settle)(struct explorer *explorer);
    /* Draws the body, without the title row. */
    void (*draw)(const struct explorer *explorer, const struct canvas *canvas, bool focused);
    /* Whether a command means nothing for what is shown now, so that the footer leaves it out;
     * NULL: none. */
    bool (*lacks)(const struct explorer *explorer, enum command command);
    struct hint hints[10]; /* for the footer, most useful first; unused entries are COMMAND_QUIT */
    struct hint opens[5];  /* the same while there are no rows: what may bring some; none: hints */
};

/* The operations of a panel of a large screen: miss classes, and the front or the curve. */
const struct pane_ops *panel_ops(const struct explorer *explorer, int panel);
#define PANE_OPS(constant, name, help) extern const struct pane_ops name##_pane_ops;
PANE_LIST(PANE_OPS)
VIEW_LIST(PANE_OPS)
#undef PANE_OPS

/* Of a pane or view; CONTEXT_GLOBAL has those of the first. */
const struct pane_ops *pane_ops(enum context context);
int pane_heads(const struct explorer *explorer, const struct pane_ops *ops);
/* What a pane or view keeps. */
void *pane_state(struct explorer *explorer, enum context context);
const void *pane_seen(const struct explorer *explorer, enum context context);
struct list *pane_list(struct explorer *explorer, enum context context);

/* Asks the job of a pane, whose question replaces the one before; NULL: forgets question and
 * answer.
 */
void pane_ask(struct explorer *explorer, enum context context, void *question);
/* Whether its newest question is not answered yet. */
bool pane_waits(const struct explorer *explorer, enum context context);
/* The newest answer, perhaps of an older question, or NULL. */
const void *pane_answer(const struct explorer *explorer, enum context context);
/* That of the newest question if it did not fail, or NULL. */
const void *pane_usable(const struct explorer *explorer, enum context context);
/* Why that of the newest question failed, or NULL. */
const char *pane_failure(const struct explorer *explorer, enum context context);
/* What stands where the answer will be: why there is none, or what is being done. */
void pane_draw_waiting(const struct explorer *explorer, enum context context,
                       const struct canvas *canvas, const char *doing);

/* All slots. */
enum status panes_open(struct explorer *explorer);
void panes_receive(struct explorer *explorer);
bool panes_wait(const struct explorer *explorer);
void panes_free(struct explorer *explorer);

/* How many rows the list of the focused pane or view can show. */
int pane_visible(const struct explorer *explorer, enum context context);
