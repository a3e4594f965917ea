/* A timed run at a cycle (model/timing/run_cursor.h): a strip of an SM's warps over the last
 * cycles, why each of them waits, queues, blocks in flight and a set of a cache. */
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
    uint64_t limit; /* at most so many sentences, events and blocks in flight; 0: all */
};

enum { WAIT_TEXT = 320 };
/* "0x210 waits for R4 from the load at 0x1e8, which waits in the miss queue of the L1D after 7
 * others". Returns `text`. */
const char *step_wait_print(const struct warp_wait *wait, char text[WAIT_TEXT]);

/* For people, or JSON as in docs/FORMATS.md; CSV: a row a warp. STATUS_MEMORY, STATUS_IO. */
enum status step_report_print(const struct step_report *report, enum table_format format,
                              FILE *out);
