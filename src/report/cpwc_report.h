/* The reproduction of the CPWC paper (2020): its tables on our models, and the numbers of its text
 * beside ours. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "explore/papers/cpwc_study.h"
#include "report/cells.h"
#include "report/table.h"

struct cpwc_report {
    const struct cpwc_study *study;          /* empty: only the tables that need none */
    const struct cpwc_example_step *example; /* [CPWC_EXAMPLE_STEPS] */
    const struct pwc_config *config;         /* of machine cpwc-gtx480 */
    enum glyphs glyphs;
};

enum cpwc_table {
    CPWC_NUMBERS,
    CPWC_INDICES,       /* table 1 */
    CPWC_EXAMPLE,       /* table 3 and what follows it */
    CPWC_SIZES,         /* table 5 */
    CPWC_CAPACITIES,    /* table 6 */
    CPWC_REDUNDANCY,    /* table 7 */
    CPWC_HITS,          /* figure 3 */
    CPWC_ACCESSES,      /* table 8 */
    CPWC_ORGANIZATIONS, /* STC and UPTC too */
    CPWC_TABLES
};

/* Whether a table shows runs. */
bool cpwc_table_needs_study(enum cpwc_table table);

/* For people: every table and the chart. */
enum status cpwc_report_print(const struct cpwc_report *report, FILE *out);

enum status cpwc_report_table(const struct cpwc_report *report, enum cpwc_table which,
                              enum table_format format, FILE *out);
