/* The reproduction of the reuse-distance paper (Nugteren et al., HPCA 2014): its text numbers next
 * to ours, the workloads, the ablation of the model and the design space. The report only formats:
 * the runs are in reuse_study.h. */
#pragma once

#include <stdio.h>

#include "explore/papers/probe.h"
#include "explore/papers/reuse_study.h"
#include "report/drawing/cells.h"
#include "report/drawing/table.h"

struct reuse_report {
    const struct reuse_study *study;
    const struct probe *small, *large; /* probes of the two machines of the paper */
    enum glyphs glyphs;
};

enum reuse_table { REUSE_NUMBERS, REUSE_WORKLOADS, REUSE_RUNS };

/* Prints every table and chart, for people. */
enum status reuse_report_print(const struct reuse_report *report, FILE *out);

/* Prints one table in any format; REUSE_RUNS has one row for each run of the study. */
enum status reuse_report_table(const struct reuse_report *report, enum reuse_table which,
                               enum table_format format, FILE *out);
