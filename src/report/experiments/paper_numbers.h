/* Compares the text of a paper with the same experiments on our models: a list of rows, each with
 * the paper's number or claim, ours, a verdict, and a mark that says how reliable the paper's value
 * is. Reproductions (bypass_numbers.h) fill such a list; it is a fixed array
 * without allocation. */
#pragma once

#include <stdbool.h>

#include "report/drawing/table.h"

enum { PAPER_TEXT = 240, PAPER_NUMBERS_MAX = 128 };

enum number_mark {
    MARK_TEXT,    /* a number in the paper's text */
    MARK_CLAIM,   /* a claim of the text that we turned into numbers */
    MARK_DERIVED, /* we calculated it from the text */
    MARK_UNKNOWN  /* it was in a figure or table that we do not have */
};

enum number_verdict { VERDICT_AGREES, VERDICT_MOSTLY, VERDICT_DIFFERS, VERDICT_INCOMPARABLE };

struct paper_number {
    const char *what, *paper;
    enum number_mark mark;
    char ours[PAPER_TEXT];
    enum number_verdict verdict;
    const char *remark;
};

struct paper_numbers {
    size_t count;
    struct paper_number items[PAPER_NUMBERS_MAX];
};

/* Appends a row. Its verdict is "cannot be compared" until one of the next two functions is called.
 */
struct paper_number *paper_numbers_add(struct paper_numbers *numbers, const char *what,
                                       const char *paper, enum number_mark mark);

/* Sets our number and whether it agrees with the paper. */
__attribute__((format(printf, 3, 4))) void paper_number_say(struct paper_number *number,
                                                            bool agrees, const char *format, ...);

/* The verdict on a claim that holds in `holds` of the `count` cases that can tell: agrees if in
 * all, holds for most if in more than half. */
void paper_number_judge(struct paper_number *number, size_t holds, size_t count);

const char *number_mark_name(enum number_mark mark);
const char *number_verdict_name(enum number_verdict verdict);

/* Prints the rows: as a table in any format, or as a numbered list for people. */
enum status paper_numbers_table(const struct paper_numbers *numbers, enum table_format format,
                                FILE *out);
void paper_numbers_print(const struct paper_numbers *numbers, FILE *out);

/* Cells of a table. paper_rate: `rate` in percent for people ("-" if NaN), as a ratio for programs.
 * paper_count: a count, for people with about four digits. */
void paper_rate(struct table *table, double rate);
void paper_count(struct table *table, double count);
