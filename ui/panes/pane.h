/* The interface between a pane (or full-screen view) and the code for motions, search, mouse and
 * footer: a table of functions, struct pane_ops. A pane is its list, its rows as text and a draw
 * function; everything else is common to all panes.
 *
 * Invariant: drawing gets a const explorer and cannot change the model. */
#pragma once

#include "ui/panes/state.h"

struct hint {
    enum command command;
    const char *word; /* NULL: the hint of the command */
};

struct pane_ops {
    const char *title;
    int heads;                                         /* rows of the body above the list */
    int (*heads_now)(const struct explorer *explorer); /* the same if they vary; or NULL */
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
    /* Brings the pane up to date after a change of the model, cheaply if it is; NULL: it always is.
     */
    void (*settle)(struct explorer *explorer);
    /* Whether what it shows is still being made; NULL: never. */
    bool (*waits)(const struct explorer *explorer);
    /* Draws the body, without the title row. */
    void (*draw)(const struct explorer *explorer, const struct canvas *canvas, bool focused);
    struct hint hints[10]; /* for the footer, most useful first; unused entries are COMMAND_QUIT */
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
/* How many rows the list of the focused pane or view can show. */
int pane_visible(const struct explorer *explorer, enum context context);

/* Moves the selection by `by`, kept inside; `count` 0 selects 0. */
void list_move(struct list *list, int count, int by);
/* Scrolls so that the selection is visible and no rows stay empty at the end. */
void list_reveal(struct list *list, int count, int visible);

/* Machine. */
enum status machine_pane_init(struct explorer *explorer);
void machine_pane_free(struct machine_pane *pane);
void machine_pane_fold(struct explorer *explorer, bool all);
/* Unfolds the groups that hide a parameter, and selects it. False: it is not relevant to this
 * machine. */
bool machine_pane_select(struct explorer *explorer, const struct parameter *parameter);

/* Live. */
/* Why there are no metrics for the current question, or NULL. */
const char *live_pane_problem(const struct explorer *explorer);
/* Draws the miss classes of every cache, one bar each. */
void live_pane_draw_classes(const struct explorer *explorer, const struct canvas *canvas);
/* The same for the cycle stack. */
void live_pane_draw_cycles(const struct explorer *explorer, const struct canvas *canvas);
void live_pane_free(struct live_pane *pane);

/* Chart. */
void chart_pane_receive(struct explorer *explorer);
/* Chooses the metric of the curve. It stays for other parameters if they affect it. NULL: use the
 * metric that shows best what the parameter changes. */
void chart_pane_choose(struct explorer *explorer, const struct metric *metric);
/* Draws one kind of chart, or the reason why it is empty. */
void chart_pane_draw(const struct explorer *explorer, enum chart_kind kind,
                     const struct canvas *canvas, bool focused);
/* The kind of chart in the panel next to the chosen one. */
enum chart_kind chart_pane_second(const struct explorer *explorer);
bool chart_pane_shows(const struct explorer *explorer, enum chart_kind kind);
/* The assignments of the point of the curve under the cursor; returns how many, 0 if there is none.
 */
size_t chart_pane_value(const struct explorer *explorer, struct assignment assignments[2]);

/* Explore. */
void explore_view_read(struct explorer *explorer);
/* Opens another store: no filter, no order, no marks. */
void explore_view_open(struct explore_view *view, const char *store);
/* Takes the result of a reading. If it failed, the table and its query stay as they were. */
void explore_view_receive(struct explorer *explorer, struct points *points);
/* Shows one row for each machine, with its metrics over all workloads; AGGREGATE_NONE: one row for
 * each workload. */
void explore_view_across(struct explorer *explorer, enum aggregate across);
/* Describes what tables and charts are restricted to: "where l1d.ways = 4, front only", "" if they
 * show all points. */
void explore_view_narrowed(const struct explorer *explorer, char text[ROW_TEXT]);
size_t explore_view_columns(const struct explorer *explorer);
/* The name of a column, as in expressions and for sorting. */
const char *explore_view_column(const struct explorer *explorer, size_t column);
/* Puts the column cursor under the mouse at `column` of the view; false: no column is there. */
bool explore_view_click(struct explorer *explorer, int column);
void explore_view_free(struct explore_view *view);

/* Sweep. */
/* The plan on the screen is still being counted. */
bool sweep_pane_waits(const struct explorer *explorer);

/* Walks. */
void walks_view_free(struct walks_view *view);

/* Sets. */
/* Selects the next step with a miss or an eviction, or the one before. */
bool sets_view_jump(struct explorer *explorer, const char *event, bool back);
/* Takes the result. */
void sets_view_receive(struct explorer *explorer, struct set_result *result);
void sets_view_free(struct sets_view *view);

/* Lanes. */
/* Takes the result. */
void lanes_view_receive(struct explorer *explorer, struct lane_result *result);
void lanes_view_free(struct lanes_view *view);

/* Tile: maps of a frame. */
/* Takes the drawing. */
void tile_pane_receive(struct explorer *explorer, struct tile_drawing *drawing);
void tile_pane_free(struct tile_pane *pane);

/* Queue: the steps of a bank. */
/* Takes the result. */
void queue_view_receive(struct explorer *explorer, struct queue_result *result);
/* Selects the next step with an event ("miss", "return", "wait"), or the one before; or the step
 * with a number. */
bool queue_view_jump(struct explorer *explorer, const char *event, bool back);
void queue_view_free(struct queue_view *view);

/* Report. */
/* It is made anew from what the store has now. */
void report_view_again(struct explorer *explorer);
/* Takes the result. */
void report_view_receive(struct explorer *explorer, struct report_result *result);
/* Wide tables scroll to the right (1) or back (-1). */
void report_view_scroll(struct explorer *explorer, int by);
void report_view_free(struct report_view *view);

/* Log and help. */
enum status text_view_log(struct explorer *explorer);
enum status text_view_help(struct explorer *explorer);
/* Whether help knows a parameter, metric, command or pane with this name. */
bool text_view_knows(const char *topic);
void text_view_free(struct text_view *view);
/* The lines of such a view. */
void text_view_clear(struct text_view *view);
enum status text_view_add(struct text_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `text` behind `head`, the rest of a long one in lines below, at the same column. */
enum status text_view_wrap(struct text_view *view, const char *head, const char *text);
