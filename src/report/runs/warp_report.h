/* A run at the timing depth by warp or by thread block (model/timing/base/timing_log.h): what each
 * issued, how often it found its instructions and its data in the caches of its SM, and how long it
 * waited for them. */
#pragma once

#include "model/timing/base/timing_log.h"
#include "report/drawing/table.h"
#include "trace/stream.h"

/* A row a warp of the source that ran, or with `by_block` the sum of a block's. `most`: only so
 * many rows, and what was left out in a last line; 0: all. STATUS_MEMORY, STATUS_IO. */
enum status warps_print(const struct timing_warps *warps, const struct trace_source *source,
                        bool by_block, size_t most, enum table_format format, FILE *out);
