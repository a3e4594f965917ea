/* The reproduction of the paper on the caches of a SIMT processor (2019, see docs/SIMT.md): its
 * programs under its policies and others, what the caches take on an FPGA, and the numbers of its
 * text next to ours. The report only formats: the runs are in simt_study.h. */
#pragma once

#include <stdio.h>

#include "explore/papers/simt_study.h"
#include "report/drawing/table.h"

enum simt_table {
    SIMT_NUMBERS,
    SIMT_PROGRAMS, /* with the paper's caches */
    SIMT_SMALL,    /* with small ones */
    SIMT_FPGA,
    SIMT_TABLES
};

/* Prints every table, for people. */
enum status simt_report_print(const struct simt_study *study, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status simt_report_table(const struct simt_study *study, enum simt_table which,
                              enum table_format format, FILE *out);
