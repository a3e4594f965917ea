/* What the loop, the motions and the search know of a pane or a full-screen view. Drawing gets a
 * const explorer: it cannot change the model. */
#pragma once

#include "ui/state.h"

enum { ROW_TEXT = 512 };

struct hint {
    enum command command;
    const char *word; /* NULL: the command's own */
};

struct pane_ops {
    const char *title;
    int heads;                                         /* rows of its body above the list */
    int (*heads_now)(const struct explorer *explorer); /* likewise, where they vary; or NULL */
    struct list *(*list)(struct explorer *explorer);
    int (*count)(const struct explorer *explorer);
    /* A row as text, for the search; NULL: nothing to search. */
    void (*text)(const struct explorer *explorer, int row, char text[ROW_TEXT]);
    /* What stands in the rows' columns, as text; NULL: rows speak for themselves. */
    void (*headings)(const struct explorer *explorer, char text[ROW_TEXT]);
    /* What the selected row is, for the message line; NULL: nothing to say. */
    void (*describe)(const struct explorer *explorer, char text[ROW_TEXT]);
    /* Stands at the right of the title; NULL: nothing. */
    void (*status)(const struct explorer *explorer, char text[ROW_TEXT]);
    /* Draws the body, without the title row. */
    void (*draw)(const struct explorer *explorer, const struct canvas *canvas, bool focused);
    struct hint hints[10]; /* for the footer, most useful first; the rest is COMMAND_QUIT */
};

/* Of the panels of a large screen: classes of misses, and the front or the curve. */
const struct pane_ops *panel_ops(const struct explorer *explorer, int panel);
extern const struct pane_ops machine_ops, live_ops, chart_ops, sweep_ops, explore_ops, trace_ops,
    walks_ops, report_ops, log_ops, help_ops;

const struct pane_ops *pane_ops(enum context context);
enum context pane_context(enum pane pane);
int pane_heads(const struct explorer *explorer, const struct pane_ops *ops);
/* Rows that the list of the focused pane or view can show. */
int pane_visible(const struct explorer *explorer, enum context context);

/* A path with ~ for the home folder. Returns `text`. */
const char *path_print(const char *path, char text[ROW_TEXT]);

/* The end of a long path, from a slash on. */
const char *path_tail(const char *path, int columns);

/* Moves the selection by `by`, kept inside; `count` 0 selects 0. */
void list_move(struct list *list, int count, int by);
/* Scrolls so that the selection is among the `visible` rows and no rows are wasted. */
void list_reveal(struct list *list, int count, int visible);

/* Machine. */
enum status machine_pane_init(struct explorer *explorer);
void machine_pane_free(struct machine_pane *pane);
enum status machine_pane_settle(struct explorer *explorer);
void machine_pane_fold(struct explorer *explorer, bool all);
/* Unfolds what hides a parameter and selects it. False: it is not relevant to this machine. */
bool machine_pane_select(struct explorer *explorer, const struct parameter *parameter);

/* Live. */
/* Why there are no metrics of what was asked for, or NULL. */
const char *live_pane_problem(const struct explorer *explorer);
enum status live_pane_settle(struct explorer *explorer);
/* The classes of the misses of every cache, a bar each. */
void live_pane_draw_classes(const struct explorer *explorer, const struct canvas *canvas);
void live_pane_free(struct live_pane *pane);

/* Chart. */
void chart_pane_receive(struct explorer *explorer);
void chart_pane_settle(struct explorer *explorer);
/* The curve is of this metric, on other parameters too where they change it; NULL: of the one that
 * shows best what the parameter changes. */
void chart_pane_choose(struct explorer *explorer, const struct metric *metric);
/* Draws one kind of chart, or why it has nothing to show. */
void chart_pane_draw(const struct explorer *explorer, enum chart_kind kind,
                     const struct canvas *canvas, bool focused);
/* The kind that stands in the panel beside the chosen one. */
enum chart_kind chart_pane_second(const struct explorer *explorer);
bool chart_pane_shows(const struct explorer *explorer, enum chart_kind kind);
/* What the point of the curve under the cursor assigns; returns how many, 0: there is none. */
size_t chart_pane_value(const struct explorer *explorer, struct assignment assignments[2]);

/* Explore. */
void explore_view_settle(struct explorer *explorer);
void explore_view_read(struct explorer *explorer);
/* All points of another store are wanted: no filter, no order, no marks. */
void explore_view_open(struct explore_view *view, const char *store);
/* Takes what a reading gave. One that failed leaves the table and what it asked for as they were.
 */
void explore_view_receive(struct explorer *explorer, struct points *points);
/* One row a machine, its metrics over all workloads; AGGREGATE_NONE: one a workload. */
void explore_view_across(struct explorer *explorer, enum aggregate across);
/* What the points that tables and charts show are narrowed to: "where l1d.ways = 4, front only", ""
 * where all are there. */
void explore_view_narrowed(const struct explorer *explorer, char text[ROW_TEXT]);
size_t explore_view_columns(const struct explorer *explorer);
/* Name of a column as expressions and sorting know it. */
const char *explore_view_column(const struct explorer *explorer, size_t column);
/* Puts the column cursor where the mouse is, `column` of the view; false: no column there. */
bool explore_view_click(struct explorer *explorer, int column);
void explore_view_free(struct explore_view *view);

/* Sweep. */
void sweep_pane_settle(struct explorer *explorer);
/* The plan on the screen is still counted. */
bool sweep_pane_waits(const struct explorer *explorer);

/* Trace. */
void trace_view_settle(struct explorer *explorer);

/* Walks. */
void walks_view_settle(struct explorer *explorer);
void walks_view_free(struct walks_view *view);

/* Report. */
void report_view_settle(struct explorer *explorer);
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
/* Whether help has something to say of a parameter, metric, command or pane of this name. */
bool text_view_knows(const char *topic);
/* Lines are wrapped again when the width has changed. */
void text_view_settle(struct explorer *explorer);
void text_view_free(struct text_view *view);
/* The lines of such a view. */
void text_view_clear(struct text_view *view);
enum status text_view_add(struct text_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `text` behind `head`, the rest of a long one in lines below, at the same column. */
enum status text_view_wrap(struct text_view *view, const char *head, const char *text);
