/* Published measurements of real GPUs beside ours as a table (explore/papers/row_study.h). */
#pragma once

#include <stdio.h>

#include "explore/papers/row_study.h"
#include "report/drawing/table.h"

/* Every row: measured, ours, the error in percent, the source. As text also the mean. */
enum status row_study_report_table(const struct row_study *study, enum table_format format,
                                   FILE *out);
