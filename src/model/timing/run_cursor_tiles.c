#include <stdlib.h>

#include "model/timing/run_cursor_parts.h"
#include "model/timing/tile_events.h"

const struct strip_state bank_marks[BANK_MARKS] = {
#define BANK_MARK_ROW(name, mark, help) {#name, mark, help},
    BANK_MARK_LIST(BANK_MARK_ROW)
#undef BANK_MARK_ROW
};

static struct tile_run_options tiles_options(struct run_cursor *cursor, enum cursor_use use)
{
    return (struct tile_run_options){.cancel = cursor->evaluate.cancel,
                                     .saw = use == CURSOR_WATCHED ? tile_events_see : NULL,
                                     .context = &cursor->watch};
}

static enum status tiles_open(struct run_cursor *cursor)
{
    const struct tile_stream *stream = cursor->source->tiles;
    const struct tile_run_options options = tiles_options(cursor, CURSOR_ONWARD);
    cursor->units = 1;
    cursor->slots = (uint32_t)cursor->machine->tile.cache.slices;
    struct tile_run *run = malloc(sizeof *run);
    enum status status = run ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = tile_feed_open(&cursor->feed, stream, false, true, cursor->diagnostics);
    if (!status)
        status = tile_run_open(run, cursor->machine, stream, &options, &cursor->feed,
                               cursor->diagnostics);
    if (status)
        free(run);
    else
        cursor->head = run;
    return status;
}

static enum status tiles_copy(struct run_cursor *cursor, const void *from, enum cursor_use use,
                              void **run)
{
    const struct tile_run_options options = tiles_options(cursor, use);
    struct tile_run *made = malloc(sizeof *made);
    *run = NULL;
    if (!made)
        return STATUS_MEMORY;
    const enum status status = tile_run_copy(made, from, &options);
    if (status)
        free(made);
    else
        *run = made;
    return status;
}

static void tiles_close(void *run)
{
    if (run)
        tile_run_close(run);
    free(run);
}

static enum status tiles_advance(struct run_cursor *cursor, void *run, uint64_t cycle,
                                 uint64_t most)
{
    (void)most;
    ((struct tile_run *)run)->cancel = cursor->evaluate.cancel;
    return tile_run_advance(run, cycle, cursor->diagnostics);
}

static uint64_t tiles_cycle(const void *run)
{
    return ((const struct tile_run *)run)->tiles.now;
}

static uint64_t tiles_end(const void *run)
{
    return ((const struct tile_run *)run)->stage == TILE_ENDED ? tiles_cycle(run) : UINT64_MAX;
}

static size_t tiles_bytes(const void *run)
{
    return tile_run_bytes(run);
}

static uint8_t tiles_state(const void *run, uint32_t unit, uint32_t slot)
{
    static const uint8_t stalls[BANK_STALLS] = {[BANK_STALL_QUEUE] = BANK_MARK_queue,
                                                [BANK_STALL_MISS] = BANK_MARK_blocked,
                                                [BANK_STALL_WRITEBACK] = BANK_MARK_ports,
                                                [BANK_STALL_EXECUTE] = BANK_MARK_unit};
    const struct tile_run *timed = run;
    const struct bank *bank = &timed->tiles.banks[slot];
    (void)unit;
    if (timed->stage == TILE_WRITES)
        return BANK_MARK_writing;
    if (bank->fifo_count && bank->stall)
        return stalls[bank->stall];
    return bank->chain_count ? BANK_MARK_data : BANK_MARK_idle;
}

/* The look-up of a cycle comes after the queue's event of it, and is what is shown. */
static uint8_t tiles_mark(const struct timing_event *event)
{
    static const uint8_t marks[EVENT_KINDS] = {
        [EVENT_tile_cleared] = BANK_MARK_cleared,   [EVENT_tile_hit] = BANK_MARK_hit,
        [EVENT_tile_miss] = BANK_MARK_miss,         [EVENT_tile_join] = BANK_MARK_join,
        [EVENT_tile_prefetch] = BANK_MARK_prefetch, [EVENT_tile_forward] = BANK_MARK_executed,
        [EVENT_tile_write] = BANK_MARK_written,     [EVENT_tile_fill] = BANK_MARK_filled,
        [EVENT_tile_execute] = BANK_MARK_executed,  [EVENT_tile_read_again] = BANK_MARK_reread};
    return marks[event->kind];
}

const struct cursor_kind cursor_tiles = {.states = bank_marks,
                                         .state_count = BANK_MARKS,
                                         .span = 1,
                                         .stride = 256,
                                         .open = tiles_open,
                                         .copy = tiles_copy,
                                         .close = tiles_close,
                                         .advance = tiles_advance,
                                         .cycle = tiles_cycle,
                                         .end = tiles_end,
                                         .bytes = tiles_bytes,
                                         .state = tiles_state,
                                         .mark = tiles_mark};
