/* Which axes of a table matter to a value for certain, if only a sample of its rows is there.
 *
 * Two rows that differ in one axis alone and in value prove that it matters; if at least half of
 * the rows have such a partner and none differs, nothing speaks for it. Else chance is asked: what
 * the means of the axis explain of the residuals (of the sums of what those axes do that are known
 * to matter) must be more than after nearly any shuffle of them (Freedman and Lane, J. Business &
 * Economic Statistics 1(4), 1983), so rarely less that of a table whose axes all do nothing, one is
 * named in at most 5 % of samples. Axes are tried again as long as others are found. An axis that
 * does something only together with others may be missed.
 *
 * Cost: looking for partners of up to 2^16 rows; some hundred shuffles of up to 2^13 rows for each
 * axis that no partners settle. */
#pragma once

#include "explore/results/shapley.h"

/* The cells of the table ascend. `tables` is how many such tables are asked for one answer: each
 * must be surer then. Which shuffles are tried depends on nothing else. Fails only with
 * STATUS_MEMORY. */
enum status told_axes(const struct shapley_table *table, size_t tables, bool *told);
