/* What the queues, blocks in flight, sets and banks of a machine hold between two cycles of a timed
 * run, for people who look at it (run_cursor.h). Nothing is changed by looking. */
#pragma once

#include "model/timing/gpu.h"

struct queue_state {
    const char *name; /* "miss queue of the L1D" */
    const char *of;   /* "slice"; NULL: the SM that was asked for */
    uint32_t place;
    uint64_t count, most; /* most: 0 without a limit of its own */
    uint64_t address;     /* of what is at the head; 0: there is none */
};

struct block_state { /* a block in flight of an L1D, and one of what waits for it */
    uint64_t address;
    uint32_t slot, pc; /* of the warp that waits */
    uint32_t nth;      /* among those that wait, in order */
    bool writes, here; /* here: the data have come */
};

struct way_state {         /* of a set */
    uint32_t way, sectors; /* sectors: of a line */
    bool holds;
    uint64_t address;
    uint32_t valid, reserved, dirty; /* sectors, as bits */
    uint64_t used;                   /* cycle, of an L2 its own */
};

struct bank_state { /* of a DRAM */
    uint32_t channel, bank;
    bool open; /* with this row: */
    uint64_t row;
    bool serves, writes; /* a request, which is a write */
    uint64_t address;    /* ... of this */
    uint32_t waiting;    /* others for this bank */
    uint64_t rest; /* ticks of the DRAM until the bank takes its next command: a column of an open
                      row that is the right one, else the opening or closing of a row */
};

/* Calls `visit` for the queues of an SM, and for those of the network and memory that hold
 * anything. */
void run_state_queues(const struct gpu *gpu, uint32_t sm,
                      void (*visit)(void *context, const struct queue_state *queue), void *context);
/* ... for whatever waits for a block of an SM's L1D. */
void run_state_blocks(const struct gpu *gpu, uint32_t sm,
                      void (*visit)(void *context, const struct block_state *block), void *context);
/* ... for the banks of all channels at which a request is, and then for others with an open row. A
 * DRAM of fixed latency has none. */
void run_state_banks(const struct gpu *gpu,
                     void (*visit)(void *context, const struct bank_state *bank), void *context);
/* ... for the ways of a set of a cache: STAGE_L1D or STAGE_L1I of an SM, or STAGE_L2 of a slice.
 * False: there is no such set. */
bool run_state_set(const struct gpu *gpu, unsigned stage, uint32_t place, uint64_t set,
                   void (*visit)(void *context, const struct way_state *way), void *context);
