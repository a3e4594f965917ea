/* The Live pane: the metrics of the machine on the screen, beside those of the pinned one. */
#pragma once

#include "schema/metrics.h"
#include "ui/panes/list.h"
#include "ui/terminal/canvas.h"

struct explorer;

struct live_row {
    const char *label;                          /* text of the heading of a group */
    const struct metric *metric;                /* NULL: a heading without values */
    bool whole;                                 /* show its full path */
    const struct metric *classes[MISS_CLASSES]; /* miss classes of this row; the rest NULL */
    bool stacked; /* the classes, or the stack, are drawn as a bar, not as text */
    bool limit;   /* what limits the machine, in one line */
    int line;     /* of the words of the stack */
    int pinned;   /* 1 + the pin whose stack the bar is; 0: the machine on the screen */
    int stack;    /* 1 + the level of the cycle stack (stack_bars.h); 0: none */
};

struct live_pane {
    struct list list;
    struct live_row *rows;
    int count;
    size_t capacity;
    bool all;
};

/* How exact the values are, and of which machine if not of the one on the screen. */
void live_pane_status(const struct explorer *explorer, char text[ROW_TEXT]);
/* Why there are no metrics for the current question, or NULL. */
const char *live_pane_problem(const struct explorer *explorer);
/* Whether it is listed early: headlines, what the machine's file names, what was measured. */
bool live_pane_is_top(const struct explorer *explorer, const struct metric *metric);
/* Draws the miss classes of every cache, one bar each. */
void live_pane_draw_classes(const struct explorer *explorer, const struct canvas *canvas);
/* The same for the cycle stack. */
void live_pane_draw_cycles(const struct explorer *explorer, const struct canvas *canvas);
void live_pane_free(struct live_pane *pane);
