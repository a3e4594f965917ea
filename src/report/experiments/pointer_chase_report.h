/* The pointer chase of a machine (explore/papers/pointer_chase.h): what a pointer chase found, next
 * to what the machine is configured as. */
#pragma once

#include <stdio.h>

#include "explore/papers/pointer_chase.h"
#include "report/drawing/table.h"

/* `machine` may be NULL: nothing is known of what was measured. */
enum status pointer_chase_report_table(const struct pointer_chase *chase,
                                       const struct machine *machine, enum table_format format,
                                       FILE *out);
