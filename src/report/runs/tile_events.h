/* What happens in the banks of a tile cache (model/tile/watch.h) as events of a timed run
 * (model/timing/base/timing_events.h), for whoever writes those to files. */
#pragma once

#include "model/tile/watch.h"
#include "model/timing/base/timing_events.h"

/* Runs a scene in time and gives `watch` its events. What fails is what tile_watch says. */
enum status tile_events_watch(const struct machine *machine, const struct tile_stream *stream,
                              const struct event_watch *watch, const atomic_bool *cancel,
                              struct diagnostics *diagnostics);
