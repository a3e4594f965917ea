/* The regions of memory that a source touches, for sources whose arrays nobody knows.
 *
 * A region is a run of touched pieces of REGION_BYTES without a gap; where that makes more than
 * REGIONS_MOST of them, pieces are doubled. Cost: the source is issued once without caches, and 12
 * bytes for each piece. */
#pragma once

#include "base/diag.h"
#include "schema/machine.h"
#include "trace/stream.h"

enum { REGION_BYTES = 65536, REGIONS_MOST = 32, REGION_NAME = 24 };

struct region {
    struct trace_array array; /* its name is `name` */
    char name[REGION_NAME];   /* its address */
};

/* In order of addresses. The machine decides nothing but whether the source can be issued. *regions
 * is one block of memory, which the caller frees. STATUS_MEMORY, and those of issue_source. */
enum status regions_find(const struct machine *machine, const struct trace_source *source,
                         struct region **regions, size_t *count, struct diagnostics *diagnostics);
