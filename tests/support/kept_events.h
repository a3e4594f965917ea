/* All events of a timed run in a list, for tests that look at them afterwards. */
#pragma once

#include "model/timing/base/timing_events.h"

struct kept_events { /* zeroed memory is an empty list; free(items) */
    struct timing_event *items;
    size_t count, capacity;
};

/* For event_watch.put; the context is a struct kept_events. Aborts the test if memory is short. */
void kept_events_put(void *context, const struct timing_event *events, size_t count);
