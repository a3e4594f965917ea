/* A cursor in the time of a run at the timing depth, of SMs or of a tile cache: to any cycle of it,
 * forwards and backwards, and to the next or the previous event of some kinds.
 *
 * The run goes on once, and leaves copies of itself (gpu_copy, tile_run_copy) on its way; a cycle
 * is reached from the last copy before it. Where copies take more memory than they may, every
 * second one goes and the next ones come half as often. Invariant: the state in front of a cycle,
 * and what happened before it, depend on the cycle alone, not on the way to it: copies stand at
 * ends of spans that nobody cut short, and only the last cycles are simulated one by one. A tile
 * cache has no spans.
 *
 * Cost: a copy of the run, and as many cycles as lie between two of them; of a scene 24 B a
 * request besides. */
#pragma once

#include "model/tile/tile_run.h"
#include "model/timing/warp_wait.h"

enum { CURSOR_COLUMNS = 64, CURSOR_MEMORY = 256 << 20 };

struct run_cursor;

/* X(name, mark, help): what a bank of a tile cache does in a cycle, its look-up first. */
#define BANK_MARK_LIST(X)                                                                          \
    X(absent, ' ', "no bank")                                                                      \
    X(idle, '.', "has nothing to do")                                                              \
    X(data, 'd', "has nothing to look up; its chains wait for data")                               \
    X(hit, 'h', "a request hits, and is executed")                                                 \
    X(cleared, 'c', "clear bits answer a request")                                                 \
    X(miss, 'm', "a miss begins a chain")                                                          \
    X(join, 'j', "a miss joins a chain")                                                           \
    X(prefetch, 'a', "a line is read ahead")                                                       \
    X(queue, 'q', "a miss finds no place in the queue")                                            \
    X(blocked, 'o', "a request must not pass the miss that is outstanding")                        \
    X(ports, 'p', "a request waits for the ports")                                                 \
    X(unit, 'u', "a hit waits for the unit that executes")                                         \
    X(executed, 'x', "an entry of the queue is executed")                                          \
    X(written, 'w', "the last entry of a chain is executed, its line written back")                \
    X(filled, 'f', "data are written into the cache")                                              \
    X(reread, 'r', "a line is read once more")                                                     \
    X(writing, 'b', "the pass has ended; changed lines go to memory")

enum bank_mark {
#define BANK_MARK_ENUM(name, mark, help) BANK_MARK_##name,
    BANK_MARK_LIST(BANK_MARK_ENUM)
#undef BANK_MARK_ENUM
        BANK_MARKS
};
extern const struct strip_state bank_marks[BANK_MARKS];

/* What the machine was doing in the last cycles before the cursor. */
struct cursor_window {
    uint64_t
        first; /* the first of `columns` cycles; the cursor is in front of the one after them */
    uint32_t columns, sms, slots; /* slots: of warps in an SM, the most of all launches; a tile
                                   * cache is one SM whose slots are its banks */
    const uint8_t *states;        /* of state_rows, [sms][slots][CURSOR_COLUMNS] */
    const struct strip_state *state_rows; /* warp_states or bank_marks; the first: nothing there */
    unsigned state_count;
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
const struct gpu *run_cursor_gpu(const struct run_cursor *cursor);        /* NULL: a scene's */
const struct tile_run *run_cursor_tiles(const struct run_cursor *cursor); /* NULL: of SMs */
const struct tile_stream *run_cursor_scene(const struct run_cursor *cursor);
struct cursor_window run_cursor_window(const struct run_cursor *cursor);

/* What is looked for: kinds (bits of EVENT_...), and of those that have a warp and an SM, or a
 * bank, only the ones of `sm` and `slot` unless these are CURSOR_ANY. */
enum { CURSOR_ANY = UINT32_MAX };
struct cursor_wish {
    uint64_t kinds;
    uint64_t times; /* of cycles with such events the so many-th; 0: the first */
    bool each;      /* count events instead, of one cycle, too */
    uint32_t sm, slot;
    bool touching; /* only what contains the byte at `address`: */
    uint64_t address;
};

/* The kinds that can happen in this run, as bits. */
uint64_t run_cursor_kinds(const struct run_cursor *cursor);
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
