/* Our estimate of each memory of a machine beside what an installed CACTI says of it, or why it
 * says nothing. */
#pragma once

#include <stdio.h>

#include "model/area/array.h"
#include "report/drawing/table.h"

struct cacti_row {
    const char *structure, *memory;
    struct array_estimate ours, cacti; /* of one */
    char *reason;                      /* why CACTI has no answer; NULL: it has one */
};

/* STATUS_MEMORY, STATUS_IO. */
enum status cacti_report_print(const struct cacti_row *rows, size_t count, enum table_format format,
                               FILE *out);
