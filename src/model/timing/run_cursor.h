/* A cursor in the time of a run at the timing depth: to any cycle of it, forwards and backwards,
 * and to the next or the previous event of some kinds.
 *
 * The run goes on once, and leaves copies of itself (gpu_copy) on its way; a cycle is reached from
 * the last copy before it. Where copies take more memory than they may, every second one goes and
 * the next ones come half as often. Invariant: the state in front of a cycle, and what happened
 * before it, depend on the cycle alone, not on the way to it: copies stand at ends of spans that
 * nobody cut short, and only the last cycles are simulated one by one.
 *
 * Cost: a copy of the run, and as many cycles as lie between two of them. */
#pragma once

#include "model/timing/warp_wait.h"

enum { CURSOR_COLUMNS = 64, CURSOR_MEMORY = 256 << 20 };

struct run_cursor;

/* What the machine was doing in the last cycles before the cursor. */
struct cursor_window {
    uint64_t
        first; /* the first of `columns` cycles; the cursor is in front of the one after them */
    uint32_t columns, sms, slots; /* slots: of warps in an SM, the most of all launches */
    const uint8_t *states;        /* enum warp_state, [sms][slots][CURSOR_COLUMNS] */
    const struct timing_event *events;
    size_t event_count;
};

/* `evaluate` as for gpu_options, and `memory` bytes for copies; both runs and machine must outlive
 * the cursor, which stands in front of cycle 0. */
enum status run_cursor_open(const struct machine *machine, const struct trace_source *source,
                            const struct evaluate_options *evaluate, size_t memory,
                            struct diagnostics *diagnostics, struct run_cursor **cursor);
void run_cursor_close(struct run_cursor *cursor); /* NULL is allowed */

/* Goes in front of `cycle`, or to the end of the run if that comes first. */
enum status run_cursor_go(struct run_cursor *cursor, uint64_t cycle);
uint64_t run_cursor_cycle(const struct run_cursor *cursor);
bool run_cursor_ended(const struct run_cursor *cursor);
const struct gpu *run_cursor_gpu(const struct run_cursor *cursor);
struct cursor_window run_cursor_window(const struct run_cursor *cursor);

/* What is looked for: kinds (bits of EVENT_...), and of those that have a warp and an SM only the
 * ones of `sm` and `slot` unless these are CURSOR_ANY. */
enum { CURSOR_ANY = UINT32_MAX };
struct cursor_wish {
    uint64_t kinds;
    uint64_t times; /* of cycles with such events the so many-th; 0: the first */
    bool each;      /* count events instead, of one cycle, too */
    uint32_t sm, slot;
    bool touching; /* only what contains the byte at `address`: */
    uint64_t address;
};

bool cursor_wishes(const struct cursor_wish *wish, const struct timing_event *event);

/* Goes behind the cycle of the next event, which then is the last one in the window, or of the one
 * before the last cycle. *found: there are so many; else the cursor stays where it is. */
enum status run_cursor_next(struct run_cursor *cursor, const struct cursor_wish *wish,
                            struct timing_event *event, bool *found);
enum status run_cursor_previous(struct run_cursor *cursor, const struct cursor_wish *wish,
                                struct timing_event *event, bool *found);

/* Whatever was cancelled (evaluate_options.cancel) may be asked for again. This goes as far towards
 * it as the run had come, and does not listen to being cancelled. */
enum status run_cursor_settle(struct run_cursor *cursor);

/* Copies that are kept, and their bytes. */
size_t run_cursor_copies(const struct run_cursor *cursor, size_t *bytes);
