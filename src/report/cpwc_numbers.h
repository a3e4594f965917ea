/* What the text of the CPWC paper says beside what came out here. */
#pragma once

#include "report/cpwc_report.h"
#include "report/paper_numbers.h"

/* Appends the rows; the report must have a study. */
void cpwc_numbers(const struct cpwc_report *report, struct paper_numbers *numbers);
