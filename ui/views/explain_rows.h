/* The rows of the pages of the Explain view: what there is of an explanation, as text.
 *
 * Invariant: rows point into the explanation that they were made of, and are made anew whenever
 * another takes its place. */
#pragma once

#include "explore/explain/explain.h"
#include "report/runs/cycle_stack.h"
#include "ui/terminal/canvas.h"

#define EXPLAIN_PAGE_LIST(X)                                                                       \
    X(LIMITS, "Limits", "each alone; held: same placement")                                        \
    X(LADDER, "Ladder", "the best next, then pairs")                                               \
    X(LEVERS, "Levers", "what can be built")                                                       \
    X(CHART, "Chart", "levers, worst and best")                                                    \
    X(STACK, "Stack", "waits, and what they cost")

#define EXPLAIN_PAGE(constant, ...) PAGE_##constant,
enum explain_page { EXPLAIN_PAGE_LIST(EXPLAIN_PAGE) PAGE_COUNT };
#undef EXPLAIN_PAGE

struct explain_page_info {
    const char *title, *help;
};
extern const struct explain_page_info explain_pages[PAGE_COUNT];

enum { EXPLAIN_CELLS = 5, EXPLAIN_CELL = 16, EXPLAIN_NAME = 200 };

struct explain_row {
    char cells[EXPLAIN_CELLS][EXPLAIN_CELL];
    char name[EXPLAIN_NAME];   /* cut where it is longer than any screen */
    const char *label;         /* dim, behind the name; may be NULL */
    double bar;                /* share that the bar shows; NaN: none */
    const struct lever *lever; /* or NULL */
    enum ideal ideal;          /* IDEAL_COUNT: none, or several */
    const char *part;          /* path of a part of the cycle stack, or NULL */
    uint32_t glyph;            /* of that part */
    enum role role;
    bool quiet; /* within the noise, or beaten */
};

struct explain_row_list {
    struct explain_row *items;
    size_t count, capacity;
};

struct explain_rows {
    struct explain_row_list pages[PAGE_COUNT];
    bool more; /* more of the metric is better */
};

/* Short of memory, rows are missing. */
void explain_rows_make(struct explain_rows *rows, const struct explanation *explanation);
/* Those of the cycle stack, beside that of the pinned machine (NULL: none). */
void explain_rows_stack(struct explain_rows *rows, const struct explanation *explanation,
                        const struct metrics *pinned, enum glyphs glyphs);
void explain_rows_clear(struct explain_rows *rows);

void explain_headings_draw(const struct explain_rows *rows, enum explain_page page,
                           const struct canvas *canvas, int row);
void explain_row_draw(const struct explain_row *item, enum explain_page page,
                      const struct canvas *canvas, int row, bool now);
/* What the row is, and how to repeat its experiment. */
void explain_row_describe(const struct explain_row *row, char text[ROW_TEXT]);
/* The parameter that a row is about, or with which one begins to move its limit; NULL: none. */
const struct parameter *explain_row_parameter(const struct explain_row *row);
