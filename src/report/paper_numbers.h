/* What the text of a paper says, and what the same experiments say here: rows with a mark, which
 * tells where the paper's value comes from, and a verdict. */
#pragma once

#include <stdbool.h>

#include "report/table.h"

enum { PAPER_TEXT = 240, PAPER_NUMBERS_MAX = 128 };

enum number_mark {
    MARK_TEXT,    /* a number in the paper's text */
    MARK_CLAIM,   /* a statement of the paper's text, made one of numbers by us */
    MARK_DERIVED, /* follows from what the text says, by calculation */
    MARK_UNKNOWN  /* it was in a figure or a table that is lost */
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

/* A new row, "cannot be compared" until something is said. */
struct paper_number *paper_numbers_add(struct paper_numbers *numbers, const char *what,
                                       const char *paper, enum number_mark mark);

/* Ours, and whether it agrees. */
__attribute__((format(printf, 3, 4))) void paper_number_say(struct paper_number *number,
                                                            bool agrees, const char *format, ...);

/* The verdict on a statement that holds for so many of those that can tell. */
void paper_number_judge(struct paper_number *number, size_t holds, size_t count);

const char *number_mark_name(enum number_mark mark);
const char *number_verdict_name(enum number_verdict verdict);

/* The rows as a table, or for people below a title. */
enum status paper_numbers_table(const struct paper_numbers *numbers, enum table_format format,
                                FILE *out);
void paper_numbers_print(const struct paper_numbers *numbers, FILE *out);

/* Cells of tables: percent (of `rate`, which is in percent) or "-" for people, the ratio for
 * programs; a count. */
void paper_rate(struct table *table, double rate);
void paper_count(struct table *table, double count);
