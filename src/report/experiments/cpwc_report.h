/* The reproduction of the CPWC paper (2020, see docs/MODELS.md): its tables as our models fill
 * them, and the numbers of its text next to ours. The report only formats: the runs are in
 * cpwc_study.h. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "explore/papers/cpwc_study.h"
#include "report/drawing/cells.h"
#include "report/drawing/table.h"

struct cpwc_report {
    const struct cpwc_study *study; /* without subjects: only the tables that need no runs */
    const struct cpwc_example_step *example; /* [CPWC_EXAMPLE_STEPS] */
    const struct pwc_config *config;         /* of machine cpwc-gtx480 */
    enum glyphs glyphs;
};

enum cpwc_table {
    CPWC_NUMBERS,
    CPWC_INDICES,       /* table 1 */
    CPWC_EXAMPLE,       /* table 3 and the steps after it */
    CPWC_SIZES,         /* table 5 */
    CPWC_CAPACITIES,    /* table 6 */
    CPWC_REDUNDANCY,    /* table 7 */
    CPWC_HITS,          /* figure 3 */
    CPWC_ACCESSES,      /* table 8 */
    CPWC_ORGANIZATIONS, /* with STC and UPTC */
    CPWC_TABLES
};

/* Whether a table needs the runs of the study. */
bool cpwc_table_needs_study(enum cpwc_table table);

/* Prints every table and the chart, for people. */
enum status cpwc_report_print(const struct cpwc_report *report, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status cpwc_report_table(const struct cpwc_report *report, enum cpwc_table which,
                              enum table_format format, FILE *out);
