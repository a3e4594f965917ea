/* One SM in time: warps that fetch, issue, wait and retire, its execution pipes, its load/store
 * unit with the L1D, and what it exchanges with the network.
 *
 * An SM is advanced alone, cycle by cycle, up to a given cycle (sm_advance). Nothing that it does
 * depends on another SM but for two things that its owner supplies: replies, each with the cycle
 * from which it can be taken, and blocks. It leaves the packets that it sends, each with its cycle,
 * in `sent`. Cycles in which nothing can change are counted and skipped.
 *
 * The stages run from last to first within a cycle, as in GPGPU-Sim 4.2: write-back, execution,
 * operand collection, issue, fetch. docs/MODELS.md, "Timing", has the rules.
 *
 * Cost: a cycle in which something happens visits the warps of a scheduler as bit masks and the
 * occupied latches and collectors; memory is bounded by resident warps and accesses in flight. */
#pragma once

#include "model/gpu/coalesce_memo.h"
#include "model/timing/cache/cache_unit.h"
#include "model/timing/schedulers/scheduler.h"
#include "model/timing/sm/reorder.h"
#include "model/timing/sm/stream_buffer.h"
#include "schema/metrics.h"
#include "trace/stream.h"

enum {
    WARPS_MAX = 128, /* of an SM */
    SCHEDULERS_MAX = 16,
    UNITS_MAX = 64,      /* of a pipe */
    COLLECTORS_MAX = 64, /* of an SM */
    LATENCIES_MAX = 512,
    ACCESSES_MAX = 32 * 4 * 4, /* of one instruction: sectors may be as small as 16 B */
    LATENCY_BUCKETS = 64 * 24
};

/* The pipes in the order in which units advance; collectors take them in another order. */
enum pipe {
    PIPE_SP,
    PIPE_DP,
    PIPE_INT,
    PIPE_SFU,
    PIPE_TENSOR,
    PIPE_BRANCH,
    PIPE_TEXTURE,
    PIPE_UNIFORM,
    PIPE_MEMORY,
    PIPE_COUNT
};

struct class_timing { /* how instructions of a class execute */
    uint8_t pipe;
    uint16_t latency, occupied; /* occupied: cycles in the unit's latch */
};

/* Registers of a kernel are numbered anew, densely, so that most kernels need one word of them. */
enum { REGISTER_WORDS = REGISTER_COUNT / 64 };

struct register_masks { /* one word of what an instruction does with registers */
    uint64_t used, written, read;
};

struct sm_instruction { /* what an SM must know of an instruction */
    const struct instruction *code;
    struct register_masks first;        /* the first word of: */
    const struct register_masks *masks; /* [words of its kernel] */
    uint16_t latency, occupied;
    uint8_t pipe, action, flags;         /* action, flags: those of `code` */
    uint8_t writes, reads;               /* banks written; registers read */
    uint8_t banks[INSTRUCTION_OPERANDS]; /* of those, for warp 0: distinct written ones first */
};

struct sm_code {                  /* a kernel */
    struct sm_instruction *items; /* as in the trace's code */
    uint32_t count, words;
    struct register_masks *masks;
    uint16_t numbers[REGISTER_COUNT]; /* new ones of registers */
};

/* An instruction between issue and completion. */
enum { ABSENT_LINES = 4 };

struct op {
    const struct sm_instruction *code;
    uint64_t issued;
    uint32_t order;     /* of issue */
    uint32_t next;      /* in the list of free ops or of completions */
    uint32_t remaining; /* accesses that have no data yet */
    uint32_t record;    /* index of the copy of its record; NO_RECORD */
    uint16_t warp;
    uint8_t scheduler, pipe, unit, banks;
    uint8_t first_bank,
        turn;            /* of its scheduler's register banks; by how many its warp turns them */
    uint8_t translating; /* pages whose translations it waits for */
    bool translated;     /* it has them all */
    uint8_t copy_group;
    bool passed;           /* it passes the L1D by */
    uint8_t tried, missed; /* its accesses at the L1D so far, of an SM that counts by instruction */
    uint64_t absent[ABSENT_LINES]; /* of a store: 1 + the line that it lacked last, by place */
};

struct record_copy { /* a memory record with its lanes, between issue and the load/store unit */
    struct warp_access access;
    const uint64_t *offsets;   /* of a pattern: the window's */
    uint64_t lanes[WARP_SIZE]; /* of a listed record */
    uint32_t next;
};

enum { COPY_GROUPS = 8 };

struct register_word { /* sets of a warp's registers: those that ... */
    uint64_t pending;  /* wait for their value */
    uint64_t awaited;  /* ... which a load writes */
    uint64_t loading;  /* a load wrote last (two_level) */
};

struct sm_warp {              /* what most cycles need comes first */
    uint32_t lanes;           /* threads that have not ended */
    uint32_t in_pipe;         /* instructions decoded and not completed */
    uint16_t block;           /* slot */
    uint8_t scheduler, slot;  /* its place there */
    uint8_t first_bank, turn; /* as of its ops */
    uint8_t buffered, next;   /* instructions in `buffer` and the next of them */
    struct warp_instruction buffer[2];
    struct register_word registers[REGISTER_WORDS];
    uint32_t translating;     /* instructions that wait for translations */
    uint32_t inside;          /* accesses that the L1D has not taken yet */
    uint32_t in_shared;       /* instructions under way in shared memory */
    uint32_t stores, atomics; /* not yet acknowledged */
    uint32_t instruction_at, record_at;
    struct instruction_window instructions;
    struct access_window records;
    uint64_t away; /* cycles that a scheduler saw it wait for what is outside of the SM */
    uint64_t age;  /* order in which warps came to the SM */
    uint16_t copies[COPY_GROUPS]; /* asynchronous copies in flight by group */
    uint8_t copy_group;
    uint8_t copy_wait; /* 1 + groups that may remain; 0: does not wait */
    bool present, barrier, fence;
};

struct sm_block {
    struct block_reader *reader;
    uint32_t warps;   /* not retired; 0: the slot is free */
    uint32_t waiting; /* warps at the barrier */
    uint64_t arrived; /* the cycle in which the last of them has arrived there */
    uint32_t running; /* warps that have not ended */
    uint64_t order;   /* of its coming to the SM */
    uint64_t number;  /* in its launch */
};

struct execution_unit {                 /* one execution unit */
    uint64_t free_at;                   /* when its latch can take the next instruction */
    uint64_t exits[LATENCIES_MAX / 64]; /* cycles, modulo LATENCIES_MAX, in which one leaves */
};

struct collector {
    uint32_t op;
    uint16_t unread;         /* source registers that it still has to read */
    uint8_t pipe, scheduler; /* of its op */
};

struct read_queue {      /* reads that wait for a register bank */
    uint16_t *items;     /* [mask + 1]: collectors, in a ring */
    uint32_t first, end; /* the next to be served, and after the last: modulo 2^32 */
    uint32_t mask;
};

/* Fetches that hit and take more than a cycle (l1i.latency). A warp has at most one. */
struct fetch_pipe {
    struct fetch {
        uint64_t due;  /* the cycle in which it is decoded, or comes to its L0 */
        uint32_t warp; /* or whose it is of the L0s' (l0_miss_id) */
    } items[WARPS_MAX];
    uint32_t first, count;
};

struct collect;
struct code_counts;
struct warp_counts;

struct sm_counts {
    uint64_t cycles; /* with a block */
    uint64_t warp_cycles;
    uint64_t instructions, thread_instructions;
    uint64_t memory_instructions, spaces[SPACE_COUNT], thread_accesses, transactions;
    uint64_t global[OP_COUNT]; /* memory instructions on global memory */
    uint64_t past_l1;          /* as in struct issue_counts */
    uint64_t slots[SLOT_COUNT], memory_slots[MEMORY_SLOT_COUNT];
    uint64_t fails[UNIT_RESULTS - UNIT_FAIL]; /* of the L1D, by reason */
    uint64_t port_fails;                      /* cycles in which an access found its bank taken */
    uint64_t shared_conflicts;
    uint64_t tag_misses; /* of stores, as in struct cache_counts */
    uint64_t sent_bytes;
    uint64_t loads, load_cycles;
};

struct sm_machine { /* what all SMs of a machine share, read only */
    const struct machine *machine;
    const struct trace_source *source;
    struct class_timing classes[CLASS_COUNT];
    struct sm_code *codes; /* of the source's kernels */
    uint32_t code_count;
    uint32_t units[PIPE_COUNT], latches[PIPE_COUNT];
    unsigned page_bits;    /* log2 of a page; 0: addresses are not translated */
    unsigned spaces;       /* that the L1D serves, or what is behind it */
    uint64_t address_mask; /* of gpu.address_bits */
    uint64_t l1_latency;   /* at least 1 */
    uint32_t l1_banks;     /* sectors that the L1D looks up in a cycle */
    uint32_t sectors;      /* that it asks the network for, and takes, in a cycle */
    uint32_t lane_cycles;  /* until the load/store units have taken a warp's lanes */
    uint32_t l1_sectors;   /* of a line, if all of them are looked up at once; otherwise 1 */
    uint32_t bank_bits;    /* log2 of the bytes to one bank of the L1D */
    uint32_t schedulers;
    bool subcores;
    bool clusters;       /* SMs get their replies together (gpu_clusters.c) */
    uint32_t banks;      /* of registers, of an SM or of a subcore */
    uint32_t part_bytes; /* a wider request is answered in parts of so many (enter_slice) */
    unsigned part_bits;  /* log2 of that */
    /* The most that an SM sends in a cycle, and what its fetches alone send. 0 for an SM that
     * always finds room. */
    uint32_t most_sent, most_fetched;
};

struct sm {
    const struct sm_machine *shared;
    uint16_t number;
    uint64_t now;          /* the next cycle to simulate */
    uint64_t barrier_work; /* threads times cycles until all arrivals at barriers are taken */
    uint64_t next_release; /* the next cycle in which a barrier ends by itself */
    enum status status;
    struct diagnostics *diagnostics;

    /* The launch that runs. */
    uint32_t launch;
    const struct sm_code *code;
    uint32_t warps_per_block, block_slots, warp_slots;
    uint32_t live_blocks;
    uint64_t ages;

    struct sm_warp *warps;
    struct sm_block *blocks;
    struct scheduler schedulers[SCHEDULERS_MAX];
    uint32_t first_scheduler;

    /* Fetch. */
    uint64_t fetchable[WARPS_MAX / 64], endable[WARPS_MAX / 64];
    uint32_t fetched;      /* the warp served last */
    uint32_t fetch_buffer; /* the warp whose instructions come; NO_WARP */
    struct fetch_pipe fetch_pipe;
    struct cache_unit l1i;
    struct stream_buffer stream; /* behind it */
    struct cache_unit *l0s;      /* [l0_count], in front of it */
    uint32_t l0_count;           /* 0: there are none */
    uint32_t l0_asks, l0_gives;  /* whose turn it is to ask the L1I, and to give to decode */
    struct fetch_pipe l0_pipe;   /* on the way from the L1I to an L0 */

    /* Instructions in flight. */
    struct op *ops;
    uint32_t op_count, free_op;
    uint32_t orders;
    struct record_copy *records;
    uint32_t record_count, free_record;

    uint32_t *latches[PIPE_COUNT];                    /* issued, not collected: ops in order */
    uint32_t *outputs[PIPE_COUNT];                    /* collected, not accepted: ops or NO_OP */
    uint32_t latched[PIPE_COUNT], output[PIPE_COUNT]; /* how many */
    uint32_t latched_turns,
        output_pipes;              /* sets of pipes with any: by turn (pipe_turns), by pipe */
    uint32_t full[SCHEDULERS_MAX]; /* full_pipes */
    struct collector *collectors;
    struct collect *collect; /* collect.c */
    uint32_t collector_count, collecting;
    struct read_queue *banks;
    uint32_t reads_waiting;
    bool banks_written;    /* some were in this cycle */
    uint64_t fill_free;    /* when the L1D takes the next fill */
    bool blocked_network;  /* a packet found no room in the network */
    uint32_t l1_waiting;   /* accesses in l1_banks */
    uint8_t *bank_blocked; /* why the head of a bank was refused; 0: it was not */
    uint64_t *bank_tried;  /* the changes that the L1D had seen then */
    struct execution_unit *units[PIPE_COUNT];
    uint8_t bus[LATENCIES_MAX];          /* results that leave in a cycle */
    uint32_t completions[LATENCIES_MAX]; /* ops whose registers are free in a cycle */
    uint64_t completing[LATENCIES_MAX / 64];

    /* Load/store unit. */
    struct cache_unit l1d;
    uint32_t memory_latch;            /* the op whose accesses go on; NO_OP */
    uint64_t latch_ready;             /* shared memory: when its banks are done */
    uint64_t units_free;              /* when the load/store units take another instruction, */
    uint64_t data_free;               /* when the data banks of the L1D take another instruction, */
    uint64_t data_cycles;             /* and for how long the one in the latch keeps them */
    uint32_t access_count, access_at; /* of `accesses` */
    uint32_t transactions;            /* what the record of the latch counts as */
    struct reorder reorder;           /* in front of the L1D, where its bypass policy has queues */
    struct packet_pool packets;       /* of all queues here */
    struct packet_queue *l1_banks;    /* on the way to the tags */
    uint64_t *bank_entered;           /* the cycle after the last access entered a bank */
    uint64_t *bank_served;            /* the cycle after the last look-up of a bank */
    struct packet_queue shared_pipe;
    uint64_t shared_served, shared_entered;
    uint32_t written_back; /* the op in the write-back register; NO_OP */
    uint32_t write_port;   /* the client that comes first */
    uint32_t passed_reply; /* the op of a reply that passed the L1D; NO_OP */
    struct cache_unit tlb;
    struct packet_queue untranslated; /* pages asked for, with their cycle */
    /* Translations, with the cycle in which they come; `id` NO_OP: a walker took a miss. */
    struct packet_queue answers;
    bool translating;         /* the TLB has refused an access of the latch, from `access_at` on */
    uint64_t translate_tried; /* the changes that the TLB had seen then */
    uint32_t *retries;        /* ops that got their translations */
    size_t retry_first, retry_count, retry_capacity;
    struct packet_queue arriving, cluster, responses;
    struct packet_queue sent;
    uint64_t inject_free;  /* flits: the cycle from which the next one may enter the network */
    uint32_t sent_flits;   /* in `sent` */
    uint32_t network_room; /* flits that the network surely takes until its owner looks again, */
    uint64_t room_cycle;   /* and the cycle in which it takes no more */
    bool network_empty;    /* nothing of this SM waits to enter it */

    uint32_t resident; /* warps */
    uint64_t emptied;  /* the cycle after the one in which its last block retired */
    uint64_t block_orders, first_order;  /* the next block's order, the launch's first one's */
    bool progress;                       /* something changed in this cycle */
    bool stopped;                        /* its owner's: it waits for a block */
    bool starved;                        /* it waits for its owner to look at the network */
    bool block_retired;                  /* since sm_advance was called */
    bool fetch_refused;                  /* the L1I could not take a fetch in this cycle */
    uint32_t cycle_away[SCHEDULERS_MAX]; /* the warp that a scheduler saw wait; NO_WARP */
    uint8_t cycle_slots[SCHEDULERS_MAX], cycle_memory[SCHEDULERS_MAX];
    bool cycle_failed; /* any of these is not 0 */
    uint64_t cycle_fails[UNIT_RESULTS - UNIT_FAIL], cycle_port_fails;
    struct sm_counts counts;
    uint32_t *latencies;         /* histogram of loads, see latency_bucket */
    struct code_counts *by_code; /* counts by instruction (code_counts.h); NULL: not asked for */
    struct warp_counts *by_warp; /* counts by warp (warp_counts.h); NULL: not asked for */
    struct packet accesses[ACCESSES_MAX]; /* of the op in the memory latch */
    struct coalesce_memo coalesced;
};

enum { NO_OP = UINT32_MAX, NO_WARP = UINT32_MAX, NO_RECORD = UINT32_MAX };

enum status sm_machine_init(struct sm_machine *shared, const struct machine *machine,
                            const struct trace_source *source);
void sm_machine_free(struct sm_machine *shared);

enum status sm_init(struct sm *sm, const struct sm_machine *shared, uint16_t number,
                    uint64_t ways_max, struct diagnostics *diagnostics);
void sm_free(struct sm *sm);

/* Prepares the SM, which has no blocks, for a launch. */
enum status sm_prepare(struct sm *sm, uint32_t launch, uint32_t block_slots, uint64_t l1d_ways);
bool sm_has_room(const struct sm *sm);
/* Empties the L1D where that is due between kernels and at fences (l1d.flush). */
void sm_empty_l1d(struct sm *sm);
/* Starts a block at the end of the cycle before sm->now. */
enum status sm_start_block(struct sm *sm, uint64_t block);

/* Simulates cycles until `end`, or until the end of a cycle in which a block retired while
 * `hungry`: its owner has more blocks; or until a cycle (`starved`) that may send more than
 * network_room and is not room_cycle. */
void sm_advance(struct sm *sm, uint64_t end, bool hungry);

/* Whether it could go on; else why not. */
static inline enum status sm_status(const struct sm *sm)
{
    bool failed = sm->l1i.failed || sm->l1d.failed || sm->tlb.failed;
    for (uint32_t i = 0; i < sm->l0_count; i++)
        failed |= sm->l0s[i].failed;
    if (sm->status || failed)
        return sm->status ? sm->status : STATUS_MEMORY;
    return sm->l1d.bypass ? sm->l1d.bypass->status : STATUS_OK;
}
