/* The ladder of a machine (explore/papers/ladder.h): what a pointer chase found, next to what the
 * machine is configured as. */
#pragma once

#include <stdio.h>

#include "explore/papers/ladder.h"
#include "report/drawing/table.h"

/* `machine` may be NULL: nothing is known of what was measured. */
enum status ladder_report_table(const struct ladder *ladder, const struct machine *machine,
                                enum table_format format, FILE *out);
