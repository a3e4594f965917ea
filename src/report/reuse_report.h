/* The reproduction of the reuse-distance paper (HPCA 2014) as tables: its text numbers beside ours,
 * the workloads, the ablation and the design space. */
#pragma once

#include <stdio.h>

#include "explore/papers/probe.h"
#include "explore/papers/reuse_study.h"
#include "report/cells.h"
#include "report/table.h"

struct reuse_report {
    const struct reuse_study *study;
    const struct probe *small, *large; /* of the paper's two machines */
    enum glyphs glyphs;
};

enum reuse_table { REUSE_NUMBERS, REUSE_WORKLOADS, REUSE_RUNS };

/* For people: every table and chart. */
enum status reuse_report_print(const struct reuse_report *report, FILE *out);

/* One table in any format; REUSE_RUNS has a row for each run of the study. */
enum status reuse_report_table(const struct reuse_report *report, enum reuse_table which,
                               enum table_format format, FILE *out);
