/* The reproduction of Jia et al. (2023, see docs/VALIDATION.md): the figures of the paper as our
 * models fill them, its numbers next to ours, and the table of all bypass policies. The report only
 * formats: the runs are in explore/papers/bypass_study.h. */
#pragma once

#include <stdio.h>

#include "explore/papers/bypass_study.h"
#include "report/drawing/table.h"

enum bypass_table {
    BYPASS_NUMBERS,
    BYPASS_SIZE,     /* figure 2 */
    BYPASS_PCS,      /* figures 3, 8 and 9 */
    BYPASS_VERDICTS, /* section 4.2.2 */
    BYPASS_READINGS, /* the same under each reading of what the paper leaves open */
    BYPASS_WARPS,    /* figure 4 */
    BYPASS_STALLS,   /* figure 7, and what changes it */
    BYPASS_ALL,      /* every policy */
    BYPASS_TABLES
};

/* The parts of the study that a table needs. */
unsigned bypass_table_parts(enum bypass_table table);

/* Prints every table, for people. */
enum status bypass_report_print(const struct bypass_study *study, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status bypass_report_table(const struct bypass_study *study, enum bypass_table which,
                                enum table_format format, FILE *out);
