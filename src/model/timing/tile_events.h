/* What happens in the banks of a tile cache as events of a timed run
 * (model/timing/base/timing_events.h), for cursors and for whoever writes those to files. */
#pragma once

#include "model/tile/tile_run.h"
#include "model/timing/base/timing_events.h"

/* Hands an event of a bank over to a struct event_watch. A line that has to leave is an event of
 * its own. */
void tile_events_see(void *watch, const struct bank *bank, const struct bank_event *event);

/* Runs a scene in time and gives `watch` its events. What fails is what tile_check_cache and
 * tile_run_open say. */
enum status tile_events_watch(const struct machine *machine, const struct tile_stream *stream,
                              const struct event_watch *watch, const atomic_bool *cancel,
                              struct diagnostics *diagnostics);
