/* Where a cursor in the time of a run goes, in words: those of `warpscape step --at` and of :goto
 * in the explorer.
 *
 * Cost: that of the cursor (model/timing/run_cursor.h). */
#pragma once

#include "model/timing/run_cursor.h"

/* For help texts. */
#define STEP_WORDS                                                                                 \
    "CYCLE, end, launch:N (of a scene pass:N), instruction:N of a warp, next:EVENT or "            \
    "previous:EVENT, where hit, miss, refusal, fill and eviction are those of any cache and any "  \
    "is all events, each perhaps with *TIMES"

/* Where the first look goes: to the first issue, of a scene to the first event. */
#define STEP_FIRST       "next:issue"
#define STEP_FIRST_SCENE "next:any"

/* Goes where `words` say, one after the other with commas between them; only events that `narrow`
 * allows are found (its kinds and times mean nothing). *event is the last that was found; its kind
 * is EVENT_KINDS if there was none. STATUS_INVALID, with the nearest legal name;
 * STATUS_NOT_FOUND: there is no such event, and the cursor is where the words before led. */
enum status step_go(struct run_cursor *cursor, const char *words, const struct cursor_wish *narrow,
                    struct timing_event *event, struct diagnostics *diagnostics);
