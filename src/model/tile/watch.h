/* One bank of a tile cache event by event: each look-up, each entry of the miss
 * queue that is executed, and the queue as it is then. A request that has to wait is one event,
 * however long. */
#pragma once

#include "model/tile/subsystem.h"

struct tile_step {
    uint64_t number; /* from 1 on */
    const struct bank_event *event;
    const struct bank *bank; /* after it */
};

/* STATUS_CANCELLED: enough; any other but STATUS_OK is an error. */
typedef enum status tile_watcher(void *context, const struct tile_step *step);

/* Runs a scene in time on the tile cache of a machine and shows what happens in a bank. *whole:
 * the watcher saw the end. STATUS_UNSUPPORTED without such a cache, STATUS_INVALID without such a
 * bank, STATUS_CANCELLED. */
enum status tile_watch(const struct machine *machine, const struct tile_stream *stream,
                       uint32_t bank, tile_watcher *watcher, void *context,
                       const atomic_bool *cancel, bool *whole, struct diagnostics *diagnostics);

/* A request that waits in a miss queue. */
struct tile_waiting {
    uint64_t serial, due; /* due: the cycle in which the data of its chain are there */
    uint32_t entry, next; /* next: BANK_NONE for a tail */
    uint16_t x, y;
    uint8_t surface, op;
    bool head, running, unread, behind; /* running: its chain has begun to execute */
};

/* Those of all chains, the oldest chain first and each from its head on. `out` has room for
 * bank->used; returns that. */
size_t tile_waiting_list(const struct bank *bank, struct tile_waiting *out);
