/* The points of a store that tables and charts show: which are wanted, and those that were read
 * last (ui/jobs/points.h), which may be older. */
#pragma once

#include "schema/metrics.h"
#include "ui/jobs/points.h"
#include "ui/terminal/canvas.h"

struct explorer;

struct marked_point { /* a marked point, also if the table does not show it */
    bool set;
    uint64_t index; /* in the space */
    uint64_t workloads;
    double values[METRIC_COUNT];
};

struct shown_points {
    struct points_query wanted;
    struct marked_point marked[2]; /* A and B, to compare */
    bool comparing;
    uint64_t read_at; /* number of finished points at the last reading */
};

/* Those that were read last, perhaps with a failure; NULL: nothing was read. */
const struct points *points_shown(const struct explorer *explorer);
/* The same, NULL if that failed. */
const struct points *points_usable(const struct explorer *explorer);
void shown_points_read(struct explorer *explorer);
/* Whether the sweep that runs fills the store that is shown. */
bool shown_points_grow(const struct explorer *explorer);
/* Those of a store whose run did not come to its end and that no sweep of ours fills; or NULL. */
const struct points *points_unfinished(const struct explorer *explorer);
/* Opens another store: no filter, no order, no marks. */
void shown_points_open(struct shown_points *shown, const char *store);
/* Shows one row for each machine, with its metrics over all workloads; AGGREGATE_NONE: one row for
 * each workload. */
void shown_points_across(struct explorer *explorer, enum aggregate across);
/* Describes what tables and charts are restricted to: "where l1d.ways = 4, front only", "" if they
 * show all points. */
void shown_points_narrowed(const struct explorer *explorer, char text[ROW_TEXT]);

/* The columns of a table: workload (if there are several), the axes, the metrics of the store. */
struct points_shape {
    size_t workload, axes, metrics;
};
struct points_shape points_shape(const struct points *points);
size_t shown_points_columns(const struct explorer *explorer);
/* The name of a column, as in expressions and for sorting. */
const char *shown_points_column(const struct explorer *explorer, size_t column);
