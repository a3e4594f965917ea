/* What the text of the reuse-distance paper says, and what the same experiments say here. Its
 * tables and figures are lost, so the text is all there is to compare with. */
#pragma once

#include "report/paper_numbers.h"
#include "report/reuse_report.h"

/* Appends the rows. */
void reuse_numbers(const struct reuse_report *report, struct paper_numbers *numbers);
