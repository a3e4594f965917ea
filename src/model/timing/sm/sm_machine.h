/* What all SMs of a machine share, read only: what instructions cost, the kernels' code as SMs need
 * it, and numbers that follow from the machine. */
#pragma once

#include "schema/ideals.h"
#include "schema/machine.h"
#include "trace/stream.h"

enum {
    WARPS_MAX = 128, /* of an SM */
    SCHEDULERS_MAX = 16,
    UNITS_MAX = 64,      /* of a pipe */
    COLLECTORS_MAX = 64, /* of an SM */
    LATENCIES_MAX = 512,
    ACCESSES_MAX = 32 * 4 * 4, /* of one instruction: sectors may be as small as 16 B */
    LATENCY_BUCKETS = 64 * 24,
    ENDLESS_RATE = 1 << 16 /* packets in a cycle, of a network of any bandwidth */
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

/* One more flag than those of `code`: nothing waits for what the load brings (IDEAL_LOADS). */
enum { INSTRUCTION_UNAWAITED = 1 << 7 };
_Static_assert((int)INSTRUCTION_FLOAT < (int)INSTRUCTION_UNAWAITED, "a bit of its own");

struct sm_instruction { /* what an SM must know of an instruction */
    const struct instruction *code;
    struct register_masks first;        /* the first word of: */
    const struct register_masks *masks; /* [words of its kernel] */
    uint16_t latency, occupied;
    uint8_t pipe, action, flags;         /* action, flags: those of `code`, but for ideals */
    bool releases;                       /* it writes registers that something waits for */
    uint8_t writes, reads;               /* banks written; registers read */
    uint8_t banks[INSTRUCTION_OPERANDS]; /* of those, for warp 0: distinct written ones first */
};

struct sm_code {                  /* a kernel */
    struct sm_instruction *items; /* as in the trace's code */
    uint32_t count, words;
    struct register_masks *masks;
    uint16_t numbers[REGISTER_COUNT]; /* new ones of registers */
};

struct sm_machine {                /* what all SMs of a machine share, read only */
    const struct machine *machine; /* the user's, or `built` */
    struct machine built;          /* with an ideal network; else not used */
    struct ideal_set ideals;
    const struct trace_source *source;
    struct class_timing classes[CLASS_COUNT];
    struct sm_code *codes; /* of the source's kernels */
    uint32_t code_count;
    uint32_t units[PIPE_COUNT], latches[PIPE_COUNT];
    unsigned page_bits;    /* log2 of a page; 0: addresses are not translated */
    unsigned spaces;       /* that the L1D serves, or what is behind it */
    uint64_t address_mask; /* of gpu.address_bits */
    uint64_t l1_latency;   /* at least 1 */
    uint32_t l1_gap;     /* cycles from an access of a bank of the L1D to the next; 0: any number */
    uint64_t l1_places;  /* accesses on the way to the tags of a bank */
    uint32_t l1_entries; /* accesses that enter the L1D in a cycle */
    uint8_t l1_waits;    /* PACKET_WAITS, or 0 where lines need not wait for each other */
    bool wide;           /* the load/store unit takes any number of instructions a cycle */
    uint64_t shared_places; /* of its pipe to shared memory */
    uint32_t wavefronts;    /* of an access to shared memory, at most */
    bool packs;             /* the lanes of an instruction access consecutive bytes (ideals) */
    bool joins;             /* accesses of an instruction use the L1D as one (ideals) */
    bool takes_all;         /* all that is ready of a load is written back together */
    uint32_t l1_banks;      /* sectors that the L1D looks up in a cycle */
    uint32_t bank_words;    /* of a set of them */
    uint32_t sectors;       /* that it asks the network for, and takes, in a cycle */
    uint32_t received;      /* replies that it takes off the network in a cycle */
    uint32_t written;       /* results of the load/store unit, and replies to it, in a cycle */
    uint32_t lane_cycles;   /* until the load/store units have taken a warp's lanes */
    uint32_t l1_sectors;    /* of a line, if all of them are looked up at once; otherwise 1 */
    uint32_t bank_bits;     /* log2 of the bytes to one bank of the L1D */
    uint32_t schedulers;
    bool subcores;
    uint32_t fetches;       /* in a cycle */
    uint64_t fetch_latency; /* of a hit in the first cache of instructions; 0: there is none */
    bool fetch_looks;       /* fetches look up these caches */
    bool clusters;          /* SMs get their replies together (gpu_clusters.c) */
    uint32_t banks;         /* of registers, of an SM or of a subcore */
    uint32_t part_bytes;    /* a wider request is answered in parts of so many (enter_slice) */
    unsigned part_bits;     /* log2 of that */
    /* The most that an SM sends in a cycle, and what its fetches alone send. 0 for an SM that
     * always finds room. */
    uint32_t most_sent, most_fetched;
    uint32_t users; /* its owner's: runs that share it */
};

enum status sm_machine_init(struct sm_machine *shared, const struct machine *machine,
                            struct ideal_set ideals, const struct trace_source *source);
void sm_machine_free(struct sm_machine *shared);
