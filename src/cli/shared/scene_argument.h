/* Scenes on the command line. */
#pragma once

#include "base/diag.h"
#include "trace/stream.h"

/* Opens "refract:width=640" as the workload "raster-refract:width=640", and anything else as it is.
 * STATUS_INVALID: it is no scene. */
enum status scene_argument_open(const char *text, struct trace_source **source,
                                struct diagnostics *diagnostics);
