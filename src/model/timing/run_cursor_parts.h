/* The inside of a cursor (run_cursor.h): what run_cursor.c asks of whatever it goes through, SMs
 * (run_cursor_sms.c) or a tile cache (run_cursor_tiles.c). */
#pragma once

#include "model/tile/tile_feed.h"
#include "model/timing/run_cursor.h"

enum cursor_use { CURSOR_ONWARD, CURSOR_NEAR, CURSOR_WATCHED }; /* NEAR: over short ways only */

struct cursor_copy {
    void *run;
    size_t bytes;
};

struct run_cursor {
    const struct cursor_kind *kind;
    const struct machine *machine;
    const struct trace_source *source;
    struct evaluate_options evaluate;
    struct diagnostics *diagnostics;
    size_t memory;
    struct gpu_options uses[CURSOR_WATCHED + 1]; /* of SMs */
    struct tile_feed feed;                       /* of a scene: what is dealt */
    struct event_watch watch;
    void *head;                 /* the run, as far as it has come */
    struct cursor_copy *copies; /* in the order of their cycles, the first in front of cycle 0 */
    size_t copy_count, copy_capacity, copy_bytes;
    uint64_t apart;       /* cycles between two copies */
    void *near;           /* at the end of a span, not far before the cursor; */
    uint64_t before_near; /* ... where the span before that one ended */
    void *shown;          /* where the cursor is */
    uint64_t cycle;
    uint64_t wanted; /* where it is on its way to */
    bool ended;
    uint32_t units, slots, columns; /* units: SMs, or the one tile cache */
    uint8_t *states;
    struct timing_event *events; /* of the window, or what a search has found */
    size_t event_count, event_capacity;
    bool lost; /* no memory for an event */
};

struct cursor_kind {
    const struct strip_state *states;
    unsigned state_count;
    uint32_t span;   /* `advance` ends less than so many cycles behind where it was to go */
    uint32_t stride; /* cycles at a time, where it looks for events */
    bool outlasts;   /* what is no part of the run goes on after its end, and tells of it */
    enum status (*open)(struct run_cursor *cursor);
    enum status (*copy)(struct run_cursor *cursor, const void *from, enum cursor_use use,
                        void **run);
    void (*close)(void *run); /* NULL is allowed */
    /* Goes on to the end of the first span that ends at or after `cycle`; of those that are watched
     * no span is longer than `most`. STATUS_CANCELLED leaves a run that goes on. */
    enum status (*advance)(struct run_cursor *cursor, void *run, uint64_t cycle, uint64_t most);
    uint64_t (*cycle)(const void *run);
    uint64_t (*end)(const void *run); /* of the run; UINT64_MAX: it has not ended */
    size_t (*bytes)(const void *run);
    uint8_t (*state)(const void *run, uint32_t unit, uint32_t slot);
    uint8_t (*mark)(const struct timing_event *event); /* the state that it stands for; 0: none */
};

extern const struct cursor_kind cursor_sms, cursor_tiles;
