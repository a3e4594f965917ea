/* What a memory hierarchy delivers (explore/papers/rates.h), next to what the machine is configured
 * to deliver at most; and what a load costs over the places of a warp's lanes. */
#pragma once

#include <stdio.h>

#include "explore/papers/rates.h"
#include "report/drawing/table.h"

/* One row a level. `machine` may be NULL: nothing is known of what was measured. */
enum status rates_report_table(const struct rates *rates, const struct machine *machine,
                               enum table_format format, FILE *out);

/* One row a place of the lanes: strides from the first word on, then neighbours from each of the
 * first words on. */
enum status lanes_report_table(const struct rates *rates, enum table_format format, FILE *out);
