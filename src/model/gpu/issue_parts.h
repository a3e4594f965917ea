/* What issue.c and issue_stepped.c share with each other and with nobody else. */
#pragma once

#include "base/bits.h"
#include "model/gpu/coalesce_memo.h"
#include "model/gpu/issue.h"

enum {
    BATCH_REQUESTS = 4096, /* 96 KiB: stays in the host's L2 while the stages read it */
    WARP_WINDOW = 32,      /* records a warp reads ahead */
    ISSUED_WINDOW = 64,    /* instructions, likewise */
    FETCH_BYTES = 1,       /* only the line of an instruction counts */
    STRETCH = 1 << 16      /* instructions at most between two looks at the progress */
};

#define NEVER UINT64_MAX

struct slot { /* a resident block's place on an SM */
    struct block_reader *reader;
    uint32_t running; /* warps that have not ended yet */
    bool aside;       /* the block is not counted */
    uint64_t begun;   /* round in which the block started */
    uint64_t base;    /* what its instructions lie behind their pcs */
};

struct warp {
    uint32_t slot, number; /* its block's place, and its number in the block */
    struct access_window window;
    uint32_t next; /* in the window */
    struct instruction_window issued;
    uint32_t at; /* in `issued` */
    /* Of what is in `issued`: a bit for each instruction with a record; and, where fetches join,
     * the lowest and the highest pc. */
    uint64_t records;
    uint32_t low, high;
};

struct sm {
    uint64_t *due;      /* [warps]: round of the next record, or of the tail's last, or NEVER */
    struct warp *warps; /* [slots x warps_per_block] */
    struct slot *slots;
    uint64_t next_block;  /* next block of this SM's share */
    uint64_t next_due;    /* minimum of due[] */
    struct request *last; /* its last fetch, which those that follow from the same line join; NULL:
                             they do not */
};

struct issue {
    const struct machine *machine;
    const struct trace_source *source;
    const struct issue_sink *sink;
    struct issue_counts *counts;
    struct issue_counts aside; /* of blocks that are not counted */
    struct diagnostics *diagnostics;
    struct sm *sms;
    uint32_t sm_count;
    unsigned spaces;               /* spaces that some part of the machine serves */
    uint32_t launch;               /* launch being issued */
    const struct trace_code *code; /* of its instructions, where they are stepped through */
    uint64_t before;               /* blocks of the earlier launches */
    uint64_t blocks;               /* blocks of this launch */
    uint64_t end;                  /* latest round in which one of its warps ended */
    uint32_t slots, warps_per_block;
    struct coalesce_memo memo;
    struct request *batch;
    size_t batch_count;
    bool stepped;            /* warps issue instruction by instruction, so that each is fetched */
    struct request *fetched; /* [BATCH_REQUESTS + COALESCED_MAX]; NULL: nobody wants them */
    size_t fetched_count;
    unsigned line_bits; /* of the lines in which fetches join (issue_sink) */
    uint32_t stretch;   /* instructions since the last batch */
};

/* ---- issue.c ---- */

/* Sends the batches on. */
enum status issue_flush(struct issue *issue);
/* Sends the record that is due; it or its fetches go to whoever wants them. */
void issue_send(struct issue *issue, struct sm *sm, uint32_t index);
/* Goes on after the last instruction of what was read: reads more, or ends the warp, and starts a
 * block in its place. */
enum status issue_turn_page(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round);

static inline struct issue_counts *counts_of(struct issue *issue, const struct slot *slot)
{
    return slot->aside ? &issue->aside : issue->counts;
}

/* Ends a warp that issued its last instruction in the round before. */
static inline void end_warp(struct issue *issue, struct slot *slot, uint64_t round)
{
    issue->counts->warp_rounds += round - slot->begun;
    issue->end = round > issue->end ? round : issue->end;
    slot->running--;
}

static inline bool batch_full(const struct issue *issue)
{
    return issue->batch_count > BATCH_REQUESTS - COALESCED_MAX ||
           issue->fetched_count > BATCH_REQUESTS - COALESCED_MAX;
}

/* ---- issue_stepped.c ---- */

/* Reads the next instructions of a warp, or ends it. */
enum status issue_refill_stepped(struct issue *issue, struct sm *sm, uint32_t index,
                                 uint64_t round);
/* Issues the instructions of an SM that are due in this round, and those of the rounds that follow
 * if it is the only SM and nothing else happens in them. */
enum status issue_stepped(struct issue *issue, struct sm *sm, uint64_t round);
