/* Cycles of a load over strides on real GPUs beside ours as a table
 * (explore/papers/stride_study.h). */
#pragma once

#include <stdio.h>

#include "explore/papers/stride_study.h"
#include "report/table.h"

/* Every row: measured, ours, the error in percent. As text also the mean. */
enum status stride_report_table(const struct stride_study *study, enum table_format format,
                                FILE *out);
