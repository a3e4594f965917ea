/* A timed run at a cycle (model/timing/run_cursor.h): a strip of an SM's warps over the last
 * cycles, why each of them waits, queues, blocks in flight, banks of the DRAM and a set of a cache.
 * Of a scene: the banks of the tile cache, what each does, their queues and chains, and the bus. */
#pragma once

#include "model/pass/set_stream.h"
#include "model/timing/run_cursor.h"
#include "model/timing/run_state.h"
#include "report/drawing/table.h"

struct step_report {
    const char *name; /* machine and workload */
    const struct run_cursor *cursor;
    uint32_t sm;                 /* of a scene 0 */
    uint32_t bank;               /* of a scene: only its chains; CURSOR_ANY: those of all */
    const struct set_place *set; /* of a cache; NULL: not asked for */
    uint64_t limit; /* at most this many sentences, events, blocks in flight, banks and rows of
                       chains; 0: all */
};

/* X(name, of, title): what there is beside the warps, or the banks of a tile cache, and in runs of
 * which of them. */
#define STEP_PART_LIST(X)                                                                          \
    X(events, ANY, "In the last cycle")                                                            \
    X(queues, ANY, "Queues")                                                                       \
    X(blocks, SMS, "Blocks in flight, and who waits")                                              \
    X(banks, SMS, "Banks of the DRAM (rest: its ticks until a bank takes a command)")              \
    X(set, ANY, "Set")                                                                             \
    X(chains, SCENE, "Chains of the miss queues (H: head, T: tail)")                               \
    X(bus, SCENE, "Rasteriser and bus")

enum step_part_of { STEP_OF_ANY, STEP_OF_SMS, STEP_OF_SCENE };

enum step_part {
#define STEP_PART_ENUM(name, of, title) STEP_PART_##name,
    STEP_PART_LIST(STEP_PART_ENUM)
#undef STEP_PART_ENUM
        STEP_PARTS
};
extern const char *const step_part_names[STEP_PARTS + 1], *const step_part_titles[STEP_PARTS];
bool step_part_is_of(enum step_part part, bool scene);

enum { WAIT_TEXT = 480 };

/* A warp slot of an SM, or a bank, over the window of the cursor and at its end. */
struct strip_row {
    uint32_t slot;
    char marks[CURSOR_COLUMNS + 1]; /* of the window's state_rows */
    uint8_t state;                  /* at its end: one of these */
    struct warp_wait wait;          /* of a warp */
    char why[WAIT_TEXT]; /* "0x210 waits for R4 from the load at 0x1e8, which waits in the miss
                            queue of the L1D after 7 others" */
};
/* False: there was no warp in it. */
bool strip_row_find(const struct run_cursor *cursor, uint32_t sm, uint32_t slot,
                    struct strip_row *row);

/* One part for people, without its title; nothing if there is nothing of it. */
enum status step_report_part(const struct step_report *report, enum step_part part, FILE *out);

/* For people, or JSON as in docs/FORMATS.md; CSV: a row a warp. STATUS_MEMORY, STATUS_IO. */
enum status step_report_print(const struct step_report *report, enum table_format format,
                              FILE *out);
