/* Instructions for a stream that knows its records only, under an assumption that is stated and
 * never a default: what its instructions wait for.
 *
 * Each record becomes an instruction of CLASS_MEMORY, each instruction of a gap or a tail one of
 * CLASS_INTEGER, and a warp that issues anything ends with an EXIT, which its tail does not count.
 * The truth lies between the two assumptions: SERIAL waits for every load before the next
 * instruction, INDEPENDENT for none before the end of the warp.
 *
 * Every pair of a pc and an operation has rows of its own: one for the gap before it, and the
 * access once for each register that its data may come in. So reports by pc see the pcs of the
 * records. The rows are found in one pass over the stream when the source is opened. */
#pragma once

#include "base/diag.h"
#include "schema/families.h"
#include "trace/stream.h"

/* The same records, and instructions under an assumption, which is not ASSUMED_NOTHING. The
 * original must outlive the result. STATUS_UNSUPPORTED: too many different instructions access
 * memory. */
enum status trace_source_assume(const struct trace_source *original,
                                enum assumed_dependences assumed, struct trace_source **source,
                                struct diagnostics *diagnostics);

/* The same in place of *source, which then belongs to the result. A source that knows its
 * instructions stays as it is, and so does any under ASSUMED_NOTHING. */
enum status trace_source_replace_assumed(struct trace_source **source,
                                         enum assumed_dependences assumed,
                                         struct diagnostics *diagnostics);
