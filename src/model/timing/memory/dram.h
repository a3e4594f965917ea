/* One memory channel's DRAM and its controller, tick by tick.
 *
 * Requests come in through a line of fixed latency, wait in lists by bank and row, and are chosen
 * first ready, first come, first served (Rixner et al., ISCA 2000) or in order. Banks obey the
 * times of the parameters dram.*. The rules are GPGPU-Sim's, but for refreshes, batches of writes
 * and the folded hash of banks (docs/MODELS.md, "Timing", "DRAM"). Times are ticks of the DRAM's
 * clock. Invariant: a request that was taken is returned once, a write-back is only counted as
 * done.
 *
 * Cost: a tick in which a bank may take a command visits those that serve a request. */
#pragma once

#include "base/arrays.h"
#include "model/timing/base/gauge.h"
#include "model/timing/base/limit.h"
#include "model/timing/base/packet.h"
#include "model/timing/base/timing_events.h"
#include "model/timing/memory/address_map.h"

static inline bool packet_writes(const struct packet *packet)
{
    return packet->kind == PACKET_WRITE || packet->kind == PACKET_WRITEBACK;
}

struct dram_request {
    struct packet packet;
    uint64_t row;
    uint32_t bank;
    uint32_t next;          /* in its bank's list, or of free ones */
    uint32_t sent, arrived; /* bytes asked for, bytes there */
};

struct dram_bank {
    uint64_t row;
    uint32_t current;     /* the request that it serves; NO_REQUEST */
    uint32_t first, last; /* requests that wait, oldest first */
    uint32_t group;
    bool active, serving_row[2];
    uint64_t serving[2]; /* of reads, of writes apart: the row that goes first until none is left */
    uint64_t read, write; /* ticks from which a read, a write may come (RCD) */
    uint64_t precharge;   /* RAS, WTP, RTP */
    uint64_t activate;    /* RP, RC */
};

struct dram_group {
    uint64_t column, precharge; /* CCDL, RTPL */
};

enum { DRAM_BANKS_MAX = 64, NO_REQUEST = UINT32_MAX };

struct dram_counts {
    uint64_t reads, writes; /* bursts */
    uint64_t activates, precharges, busy;
};

/* The commands of a span of ticks, a bit for each tick that has one. Channels are simulated ahead
 * of the SMs, so a launch may end before what its last span counted. */
enum dram_command { COMMAND_READ, COMMAND_WRITE, COMMAND_ACTIVATE, COMMAND_PRECHARGE, COMMANDS };
enum { SPAN_TICKS = 1024 };

struct dram {
    const struct dram_config *config;
    uint32_t burst; /* bytes of a column command */
    struct limit queue, returns;
    struct gauge waiting, returned; /* of these limits; `waiting` has all writes, too */
    uint64_t rcd_write, read_to_write, write_to_read, write_to_precharge, transfer;
    uint64_t
        apart_columns; /* of column commands: tCCD, and no transfer begins before the last ends */
    struct dram_request *requests;
    uint32_t request_count, free_request;
    struct dram_bank banks[DRAM_BANKS_MAX];
    struct dram_group groups[DRAM_BANKS_MAX];
    uint32_t prio, queued, writes, input[2], input_count; /* writes: of those queued */
    bool apart;                                           /* reads and writes go in turns, */
    bool draining;                                        /* ... the writes now */
    uint64_t refreshes, next_refresh;                     /* that have begun; the next one's tick */
    uint64_t serving_banks, waiting_banks;                /* with a current request; with others */
    uint64_t column, activate, to_write, to_read;         /* CCD, RRD, RTW, WTR */
    uint64_t due; /* no bank takes a command before this tick */
    bool writing;
    /* The bus: what was asked for comes out after `pipe_least` ticks. NO_REQUEST: nothing. */
    uint32_t *pipe; /* [pipe_most + 1] */
    uint32_t pipe_first, pipe_count, pipe_least, pipe_most, in_pipe;
    uint32_t return_first, return_last, return_count; /* requests that are done, in a list */
    bool failed; /* no memory: what it counts means nothing any more */
    struct dram_counts counts;
    struct event_log *events;    /* its owner's: gets what happens; NULL: nobody watches */
    const uint64_t *event_cycle; /* ... in this cycle of the channel, */
    uint16_t number;             /* ... of this number */
    uint64_t span_tick;          /* the first of the span */
    uint64_t commands[COMMANDS][SPAN_TICKS / 64];
};

enum status dram_init(struct dram *dram, const struct dram_config *config);
void dram_free(struct dram *dram);
/* The DRAM is a copy of the bytes of another one, and gets memory of its own (base/arrays.h). */
MUST_CHECK bool dram_copy(struct dram *dram);
/* Whether the controller takes another request, a write or a read, and takes it. */
bool dram_has_room(struct dram *dram, bool write);
MUST_CHECK bool dram_put(struct dram *dram, const struct packet *packet, struct dram_place place,
                         uint64_t tick);
/* The first request that is done, if `return_count` says that there is one; it is taken. */
static inline const struct packet *dram_returned(const struct dram *dram)
{
    return &dram->requests[dram->return_first].packet;
}
void dram_take(struct dram *dram, uint64_t tick);
/* Tells whoever watches of a request and a bank. */
void dram_tell(const struct dram *dram, enum event_kind kind, const struct packet *request,
               uint32_t bank, uint64_t bytes);
/* One tick. Returns the slice whose write-back is done, or -1. */
int dram_tick(struct dram *dram, uint64_t tick);
/* A span of up to SPAN_TICKS ticks begins. */
void dram_begin_span(struct dram *dram, uint64_t tick);
/* The counts without those of the span's ticks from `tick` on. */
struct dram_counts dram_counts_before(const struct dram *dram, uint64_t tick);
/* Whether it holds any request. */
bool dram_busy(const struct dram *dram);
