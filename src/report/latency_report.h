/* Latencies of real GPUs beside ours as a table (explore/papers/latency_study.h). */
#pragma once

#include <stdio.h>

#include "explore/papers/latency_study.h"
#include "report/table.h"

/* Every row: measured, ours, the error in percent, the source. As text also the mean. */
enum status latency_report_table(const struct latency_study *study, enum table_format format,
                                 FILE *out);
