/* What `warpscape area` prints: each structure of a machine and the memories that it consists of,
 * with their bits, area, share of the whole, time, energy and leakage, what each estimate rests on
 * and between what bounds it is; or, of an FPGA, its primitives. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "report/drawing/table.h"
#include "schema/machine.h"

struct area_report {
    const struct machine *machine;
    const char *machine_name;
    bool explain;     /* as a tree that says what each memory is (area_tree.h); in formats for
                       * programs one more column */
    unsigned columns; /* of the terminal; 0: no limit */
};

/* STATUS_MEMORY, STATUS_IO. */
enum status area_report_print(const struct area_report *report, enum table_format format,
                              FILE *out);
