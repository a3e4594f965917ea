/* Compares the text of the reuse-distance paper (Nugteren et al., HPCA 2014) with the same
 * experiments here, one row for each number or claim. We do not have the paper's tables and
 * figures, only its text. */
#pragma once

#include "report/experiments/paper_numbers.h"
#include "report/experiments/reuse_report.h"

/* Appends the rows of the report to `numbers`. */
void reuse_numbers(const struct reuse_report *report, struct paper_numbers *numbers);
