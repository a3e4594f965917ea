/* Compares the numbers in the text of the CPWC paper (2020, see docs/MODELS.md) with those of our
 * study: one row for each number or claim, with a verdict. */
#pragma once

#include "report/experiments/cpwc_report.h"
#include "report/experiments/paper_numbers.h"

/* Appends the rows. The report must have a study with results. */
void cpwc_numbers(const struct cpwc_report *report, struct paper_numbers *numbers);
