/* Operand collectors: an issued instruction waits in the latch of its pipe, moves to a free
 * collector, reads its registers there, one of each bank at a time, and goes on to the output latch
 * of its pipe. */
#pragma once

#include "model/timing/base/gauge.h"
#include "model/timing/sm/ops.h"

struct sm;

struct collector {
    uint32_t op;
    uint16_t unread;         /* source registers that it still has to read */
    uint8_t pipe, scheduler; /* of its op */
};

struct read_queue {      /* reads that wait for a register bank, in a ring of `reads` */
    uint32_t first, end; /* the next to be served, and after the last: modulo 2^32 */
};

/* A set of collectors with the ports through which instructions enter and leave it. */
struct collector_set {
    uint32_t first, count, ports;
    uint32_t turns; /* of the pipes that it serves: bits */
    uint64_t mask;  /* of its collectors */
};

enum { SETS_MAX = 4, PORTS_MAX = 64, BANKS_MAX = 256 };

struct collect {
    uint32_t *latches[PIPE_COUNT];                    /* issued, not collected: ops in order */
    uint32_t *outputs[PIPE_COUNT];                    /* collected, not accepted: ops or NO_OP */
    uint32_t latched[PIPE_COUNT], output[PIPE_COUNT]; /* how many */
    uint32_t latched_turns,
        output_pipes;              /* sets of pipes with any: by turn (pipe_turns), by pipe */
    uint32_t full[SCHEDULERS_MAX]; /* pipes whose latches are taken (full_pipes) */
    uint32_t count, collecting;    /* collectors; those with an instruction */
    struct gauge in_use;           /* ... over time */
    struct collector *collectors;
    struct read_queue *banks;
    uint16_t *reads;    /* [banks << read_bits]: collectors */
    unsigned read_bits; /* log2 of the length of a ring */
    uint32_t reads_waiting;
    bool banks_written; /* some were in this cycle */
    bool stuck; /* what is here waits for what is before or behind: nothing moved in the last cycle
                 */
    uint64_t ready;                   /* collectors whose instruction has its registers */
    uint64_t free;                    /* collectors without one */
    uint64_t waiting[BANKS_MAX / 64]; /* banks with reads */
    uint64_t written[BANKS_MAX / 64]; /* banks that are written in this cycle */
    uint32_t words;                   /* of those two */
    uint32_t steps;                   /* a cycle */
    uint32_t per_scheduler;           /* collectors; 0: no subcores */
    uint32_t set_count;
    struct collector_set sets[SETS_MAX];
    uint32_t from[SETS_MAX][PORTS_MAX]; /* the collector that a port looks at first */
    uint8_t after[COLLECTORS_MAX];      /* the one that follows a dispatched one in turn */
};

/* The turn of each pipe in the order in which the collectors' ports look at them. */
static const uint8_t pipe_turns[PIPE_COUNT] = {
    [PIPE_SP] = 0,  [PIPE_SFU] = 1,    [PIPE_MEMORY] = 2,  [PIPE_TENSOR] = 3, [PIPE_DP] = 4,
    [PIPE_INT] = 5, [PIPE_BRANCH] = 6, [PIPE_TEXTURE] = 7, [PIPE_UNIFORM] = 8};

void collect_init(struct sm *sm);
void collect_cycle(struct sm *sm);
/* Whether the banks of an instruction's results can be written in this cycle; marks them. ALU
 * results ignore the answer. */
bool collect_write(struct sm *sm, const struct op *op);

/* The set of pipes whose latches are taken, for a scheduler: with subcores each has one of its own.
 */
static inline uint32_t *full_pipes(struct collect *collect, const struct sm_machine *shared,
                                   uint32_t scheduler)
{
    return &collect->full[shared->subcores ? scheduler : 0];
}

/* An instruction that issued goes to the latch of its pipe, which has room. */
static inline void collect_put(struct collect *collect, const struct sm_machine *shared,
                               uint32_t scheduler, unsigned pipe, uint32_t op)
{
    collect->latches[pipe][collect->latched[pipe]++] = op;
    collect->stuck = false;
    collect->latched_turns |= 1u << pipe_turns[pipe];
    if (shared->subcores || collect->latched[pipe] == shared->latches[pipe])
        *full_pipes(collect, shared, scheduler) |= 1u << pipe;
}

/* The instruction in an output latch has gone on. */
static inline void collect_taken(struct collect *collect, unsigned pipe, uint32_t *latch)
{
    *latch = NO_OP;
    collect->stuck = false;
    if (!--collect->output[pipe])
        collect->output_pipes &= ~(1u << pipe);
}
