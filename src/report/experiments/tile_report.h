/* The reproduction of the tile cache paper (2022, see docs/MODELS.md): its tables as our models
 * fill them, rivals, partitions, and the numbers of its text next to ours. The report only formats:
 * the runs are in explore/papers/tile_study.h. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "explore/papers/tile_study.h"
#include "report/drawing/table.h"

enum tile_table {
    TILE_NUMBERS,
    TILE_REQUESTS,    /* table 2 */
    TILE_RIVALS,      /* designs beside each other */
    TILE_PARTITIONED, /* figure 5: loads */
    TILE_SILICON,     /* tables 3 and 4 */
    TILE_TABLES
};

/* Whether a table needs the runs of the study, not only its machines. */
bool tile_table_needs_study(enum tile_table table);

/* Prints every table and the map of figure 5, for people. */
enum status tile_report_print(const struct tile_study *study, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status tile_report_table(const struct tile_study *study, enum tile_table which,
                              enum table_format format, FILE *out);
