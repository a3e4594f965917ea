/* What the text of the reuse-distance paper says, and what the same experiments say here. Its
 * tables and figures are lost, so the text is all there is to compare with. */
#pragma once

#include "report/reuse_report.h"

enum { NUMBER_TEXT = 240 };

enum number_mark {
    MARK_TEXT,   /* a number in the paper's text */
    MARK_CLAIM,  /* a statement of the paper's text, made one of numbers by us */
    MARK_UNKNOWN /* it was in a figure */
};

enum number_verdict { VERDICT_AGREES, VERDICT_MOSTLY, VERDICT_DIFFERS, VERDICT_INCOMPARABLE };

struct reuse_number {
    const char *what, *paper;
    enum number_mark mark;
    char ours[NUMBER_TEXT];
    enum number_verdict verdict;
    const char *remark;
};

enum { REUSE_NUMBERS_MAX = 24 };

/* Returns how many. */
size_t reuse_numbers(const struct reuse_report *report,
                     struct reuse_number numbers[REUSE_NUMBERS_MAX]);

const char *number_mark_name(enum number_mark mark);
const char *number_verdict_name(enum number_verdict verdict);
