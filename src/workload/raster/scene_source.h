/* A scene as a workload. A pass is a launch of one warp that issues the record of each request
 * (trace/tile_stream.h); models that know tiles read the requests themselves, with their values. */
#pragma once

#include "trace/stream.h"
#include "workload/raster/render.h"

/* Opens a mesh as a scene that shows it, with arguments ("scene=shadow,width=640"). */
enum status raster_source_open(const char *path, const char *name, const char *arguments,
                               struct trace_source **source, struct diagnostics *diagnostics);

/* `model`: a file of a mesh; NULL: what the setup names. */
enum status raster_source_create(const char *name, const struct scene_kind *kind,
                                 const struct scene_setup *setup, const char *model,
                                 struct trace_source **source, struct diagnostics *diagnostics);

/* The stream of such a source that is drawn by every reader, whose readers have render_counts and
 * render_memory. NULL: it is another source. */
const struct tile_stream *raster_source_drawing(const struct trace_source *source);
