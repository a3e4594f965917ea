/* How a machine is explored: its key `explore`, which changes no answer.
 *
 *     explore:
 *       family: tile caches
 *       workload: raster-shadow
 *       depth: timing
 *       metrics: [tile.frame_cycles, tile.hit_rate]
 *       select: tile.size
 *       chart: curve
 *       hint: "tile.queue.kind sets the rivals of the linked lists"
 *
 * Invariant: what was read without an error fits the machine: the depth answers the metrics, and
 * the machine has what they are of. What it does not have is left out, since an edit of the machine
 * may take away a stage that its file names here. Whether the workload can be opened shows only
 * when it is. */
#pragma once

#include <stdbool.h>

#include "config/document.h"
#include "schema/charts.h"
#include "schema/depths.h"
#include "schema/metrics.h"

enum { EXPLORATION_METRICS = 8 };

struct exploration {
    char family[32];    /* the start page lists the machine as this; "": it does not */
    char workload[256]; /* what suits the kind of machine where the file names none */
    enum depth depth;
    const struct metric *metrics[EXPLORATION_METRICS]; /* that are shown first */
    size_t metric_count;
    const struct parameter *selected; /* NULL: none */
    enum chart_kind chart;
    char hint[160]; /* "": none */
    bool said;      /* the file has the section */
};

/* Reads `explore`; what it leaves out is as for any machine of the kind. Reports unknown keys and
 * names. `document` may be NULL: no file says anything. */
void exploration_read(const struct document *document, const struct machine *machine,
                      struct exploration *exploration, struct diagnostics *diagnostics);

/* The section as YAML, malloc'ed. */
enum status exploration_to_yaml(const struct exploration *exploration, char **text);
