/* Published bandwidths of real GPUs beside ours as a table (explore/papers/bandwidth_study.h). */
#pragma once

#include <stdio.h>

#include "explore/papers/bandwidth_study.h"
#include "report/table.h"

/* Every row: measured, ours, the error in percent. As text also the mean. */
enum status bandwidth_report_table(const struct bandwidth_study *study, enum table_format format,
                                   FILE *out);
