/* A timed run at a cycle (model/timing/run_cursor.h): a strip of an SM's warps over the last
 * cycles, why each of them waits, queues, blocks in flight, banks of the DRAM and a set of a cache.
 */
#pragma once

#include "model/pass/set_stream.h"
#include "model/timing/run_cursor.h"
#include "model/timing/run_state.h"
#include "report/drawing/table.h"

struct step_report {
    const char *name; /* machine and workload */
    const struct run_cursor *cursor;
    uint32_t sm;
    const struct set_place *set; /* of an L1D or the L2; NULL: not asked for */
    uint64_t limit; /* at most so many sentences, events, blocks in flight and banks; 0: all */
};

/* X(name, title): what there is beside the warps. */
#define STEP_PART_LIST(X)                                                                          \
    X(events, "In the last cycle")                                                                 \
    X(queues, "Queues")                                                                            \
    X(blocks, "Blocks in flight, and who waits")                                                   \
    X(banks, "Banks of the DRAM (rest: its ticks until a bank takes a command)")                   \
    X(set, "Set")

enum step_part {
#define STEP_PART_ENUM(name, title) STEP_PART_##name,
    STEP_PART_LIST(STEP_PART_ENUM)
#undef STEP_PART_ENUM
        STEP_PARTS
};
extern const char *const step_part_names[STEP_PARTS + 1], *const step_part_titles[STEP_PARTS];

/* A warp slot of an SM, over the window of the cursor and at its end. */
struct step_warp {
    uint32_t slot;
    char marks[CURSOR_COLUMNS + 1]; /* of warp_states */
    struct warp_wait wait;
};
/* False: there was no warp in it. */
bool step_warp_find(const struct run_cursor *cursor, uint32_t sm, uint32_t slot,
                    struct step_warp *warp);

enum { WAIT_TEXT = 320 };
/* "0x210 waits for R4 from the load at 0x1e8, which waits in the miss queue of the L1D after 7
 * others". Returns `text`. */
const char *step_wait_print(const struct warp_wait *wait, char text[WAIT_TEXT]);

/* One part for people, without its title; nothing if there is nothing of it. */
enum status step_report_part(const struct step_report *report, enum step_part part, FILE *out);

/* For people, or JSON as in docs/FORMATS.md; CSV: a row a warp. STATUS_MEMORY, STATUS_IO. */
enum status step_report_print(const struct step_report *report, enum table_format format,
                              FILE *out);
