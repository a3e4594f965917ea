/* A machine: plain values, one field for each row of the parameter table (schema/parameters.h), so
 * it can be copied by assignment. Enum fields are `int` and hold a member of schema/families.h.
 * Sizes are bytes and times are cycles unless a comment says otherwise. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "schema/families.h"

enum { SIZES_MAX = 8 };

struct sizes { /* a short ascending list of sizes in bytes */
    uint64_t item[SIZES_MAX];
    uint32_t count;
};

struct gpu_config {
    uint64_t sms;
    uint64_t address_bits;
    uint64_t clock;              /* Hz */
    uint64_t max_threads;        /* per SM */
    uint64_t max_blocks;         /* per SM */
    uint64_t registers;          /* 32-bit registers per SM */
    uint64_t shared_memory;      /* bytes per SM */
    uint64_t launch_latency;     /* cycles of an empty launch, before its first block starts */
    uint64_t block_latency;      /* cycles more for each of its blocks */
    uint64_t cluster;            /* SMs that share a port of the network */
    int simulator_faults;        /* what GPGPU-Sim 4.2 gets wrong is done as it does it */
    struct sizes shared_options; /* carve-outs of an L1 that shares its SRAM with shared memory */
};

struct scheduler_config {
    int policy;      /* enum scheduler_policy */
    uint64_t count;  /* schedulers per SM */
    uint64_t issue;  /* instructions of one warp per cycle */
    int same_pipe;   /* the second of them may go to the pipe of the first */
    uint64_t active; /* warps: two_level active set or swl limit */
    int throttle;    /* enum throttle_policy */
};

/* Execution units of one class of instructions (trace/instructions.h). */
struct pipe_config {
    uint64_t units;    /* of one SM; 0: another pipe serves the class */
    uint64_t latency;  /* cycles from acceptance until the result leaves */
    uint64_t interval; /* cycles between two instructions that one unit accepts */
};

/* How an SM moves instructions from fetch to write-back. */
struct core_config {
    int subcores;        /* each scheduler has collectors, banks and units of its own */
    uint64_t fetch;      /* instruction fetches per cycle */
    uint64_t decode;     /* instructions of one fetch */
    uint64_t collectors; /* operand collectors for every pipe; 0: each pipe has its own */
    uint64_t sp_collectors, sfu_collectors, memory_collectors;
    uint64_t dp_collectors;    /* 0: the dp pipe has those of the sp pipe */
    uint64_t collector_ports;  /* instructions that enter and leave the common collectors at once */
    uint64_t sp_ports;         /* the same of the collectors of the sp pipe */
    uint64_t sfu_ports;        /* ... of the sfu pipe; the others have one */
    uint64_t banks;            /* of the register file */
    uint64_t reads;            /* reads of one register bank per cycle */
    uint64_t results;          /* results written back per cycle */
    uint64_t responses;        /* replies of the network that wait for the load/store unit */
    uint64_t shared_latency;   /* cycles of an access to shared memory */
    uint64_t load_store_units; /* lanes of a load or store per cycle */
    uint64_t barrier_threads;  /* that arrive at barriers per cycle; 0: all that issue them */
};

struct pipes_config { /* the pipes, in the order in which an SM serves them */
    struct pipe_config sp, dp, integer, sfu, tensor, branch, texture, uniform;
};

/* The cache of instructions of one SM. */
struct instruction_cache_config {
    int enabled; /* off: every fetch hits */
    int fetches; /* the functional depth fetches every instruction from it */
    uint64_t size, ways, line;
    int index;             /* enum index_function */
    int replacement;       /* enum replacement */
    int reset;             /* enum reset_value */
    int same_line;         /* a fetch from the line of the fetch before it reads no tags */
    int blocking;          /* no fetch while a line is on its way */
    uint64_t block_stride; /* bytes from the instructions of a block to those of the next */
    uint64_t latency;      /* cycles of a hit */
    uint64_t buffer;       /* lines of the stream buffer after it; 0: none */
    struct {               /* in front of it, fully associative, LRU */
        uint64_t size;     /* of each; 0: none */
        uint64_t count;    /* of an SM, which its warps share out */
        uint64_t latency;  /* cycles of a hit */
    } l0;
    uint64_t entries, merge, miss_queue;
};

struct network_config {
    int kind;         /* enum network_kind */
    uint64_t clock;   /* Hz */
    uint64_t flit;    /* bytes; fly */
    uint64_t queue;   /* packets, of an input or output; fly: flits */
    uint64_t inject;  /* flits that wait to enter an input; fly */
    uint64_t ejected; /* packets that wait at an SM */
    uint64_t sectors; /* that an SM requests, and receives, per cycle; without flits */
};

/* Times are in cycles of the DRAM's clock, unless a comment says otherwise. */
struct dram_config {
    uint64_t latency;       /* core cycles on the way to the controller (dram_latency) */
    uint64_t latency_clock; /* the core clock of these cycles in Hz; 0: gpu.clock */
    uint64_t clock;         /* Hz, of commands */
    int scheduler;          /* enum dram_scheduler */
    int fixed;              /* every access takes `latency`, without banks and rows */
    uint64_t queue;         /* requests of one channel that the scheduler sees */
    uint64_t returns;       /* requests of one channel whose data wait for the L2 */
    uint64_t bus;           /* bytes a transfer of one channel */
    uint64_t burst;         /* transfers of one column command */
    uint64_t rate;          /* transfers per cycle of the clock */
    int dual;               /* a row and a column command in one cycle */
    uint64_t banks, groups;
    uint64_t bank_mask, row_mask, column_mask; /* bits of an address within its channel */
    int bank_hash;                             /* enum bank_hash: how the row turns the bank */
    int group_bits;                            /* enum bank_group: which bits name the group */
    uint64_t ccd, rrd, rcd, ras, rp, rc, cl, wl, cdlr, wr, ccdl, rtpl;
    uint64_t write_batch; /* writes that wait for each other; 0: they go as they come */
    uint64_t write_queue; /* writes with a queue of their own; 0: they share that of the reads */
    uint64_t write_high, write_low; /* writes from which they go, and below which reads go again */
    uint64_t refi, rfc; /* every `refi` cycles all banks are refreshed for `rfc`; 0: never */
    uint64_t rfcsb;     /* ... or one after the other, each for so long; 0: all at once */
};

/* Parameters that only the reuse depth reads. Times count issue slots; one warp memory instruction
 * takes one slot. */
struct reuse_parameters {
    int mode; /* enum reuse_mode */
    int wait; /* enum reuse_wait */
    uint64_t latency;
    double latency_sigma;
    uint64_t hit_latency;
    struct { /* which extensions of reuse distance theory are on (Nugteren et al., HPCA 2014) */
        int hierarchy, latency, associativity, mshr, divergence;
        int merge, allocate; /* not of the paper: l1d.mshr.merge limits the accesses that wait for
                              * a line in flight; l1d.allocate says when a miss allocates */
    } model;
};

/* Which load misses bypass an L1D; only the timing depth reads it. */
struct bypass_config {
    int policy;         /* enum bypass_policy */
    uint64_t loads;     /* list: bit i is the load with the i-th lowest pc of its kernel, from 0 */
    double chance;      /* chance: probability */
    uint64_t threshold; /* evicted lines a hit */
    int adaptive;       /* enum bypass_adaptive */
    uint64_t entries;   /* of the table of instructions */
    uint64_t tokens;    /* pcal: warps that may allocate */
    uint64_t distance;  /* pdp: accesses to a set for which a line is protected */
    int reset;          /* what was learned is forgotten when a launch begins */
    int shared;         /* sampled: all SMs have one table */
    int pending;        /* a request that joins a line in flight counts as a hit of the line */
    int mshr;           /* a bypassed miss takes an MSHR and can be joined */
    uint64_t queues, queue_entries; /* mrpb: in front of the L1D */
    int signature, drain;           /* enum bypass_signature, bypass_drain */
    int stores, stalls;             /* enum bypass_stores, bypass_stalls */
    uint64_t tags, reuses; /* locality: tags a line; earlier accesses from which lines are taken */
    int dynamic;           /* pcal, pdp, dacache: their number is found at run time */
};

struct cache_config {
    int enabled;
    uint64_t size; /* bytes of one SM's L1D, or of all slices of an L2 */
    uint64_t ways;
    uint64_t line;
    uint64_t sector;    /* bytes; equal to `line`: not sectored */
    int index;          /* enum index_function */
    int replacement;    /* enum replacement */
    int reset;          /* enum reset_value: the state of its sets at power-up */
    int write;          /* enum write_policy */
    int allocate;       /* enum allocate_policy */
    int write_allocate; /* enum write_allocate */
    struct {
        int kind; /* enum mshr_kind */
        uint64_t entries, merge;
        uint64_t per_warp; /* L1D: lines that one warp may have in flight; 0: no separate limit */
        int tags;          /* L1D: tags note what is in flight, so only lines limit the misses */
    } mshr;
    uint64_t miss_queue; /* entries */
    uint64_t result_fifo;
    uint64_t port;    /* bytes per cycle of the data port */
    uint64_t latency; /* cycles */
    uint64_t banks;
    uint64_t output;               /* bits read out of one data array per access (area model) */
    int ports;                     /* enum sram_ports (area model) */
    int flush;                     /* emptied between launches */
    struct reuse_parameters reuse; /* L1D */
    struct bypass_config bypass;   /* L1D */
    int same_line;                 /* L1D: an access to the line of the one before reads no tags */
    int blocking;                  /* L1D: no access while a line is on its way */
    int texture;                   /* L1D: it serves textures too */
    int skip;                      /* L1D: accesses to global memory pass it by */
    double dirty;                  /* L1D: share of dirty lines below which none is replaced */
    uint64_t queue;                /* L2: entries of each queue of a slice */
    uint64_t unified;            /* L1D: SRAM shared with shared memory, bytes; 0 = size is fixed */
    uint64_t slices;             /* L2 */
    uint64_t slices_per_channel; /* L2 */
    uint64_t clock;              /* L2: Hz; 0: that of the network */
    uint64_t interleave;         /* L2: bytes before the next slice */
    int partition;               /* L2: enum partition_hash */
    int halves;                  /* L2: each half of the SMs has slices of its own near by */
    uint64_t crossing;           /* L2: cycles from one half to the other */
    uint64_t partial;            /* L2: cycles more for a write of part of a sector */
    int evict_port;              /* L2: what a read evicts takes the data port as well */
    uint64_t atomic, atomic_float; /* L2: cycles of its port for the first 8 B of an atomic */
    uint64_t wavefront;            /* L1D: cycles of its data banks for a wavefront */
    uint64_t load_cycles;          /* L1D: the fewest that an instruction keeps them */
    uint64_t tags;                 /* L1D: lines that are looked up at once; 0: sectors, by banks */
};

/* The tile cache in front of the colour and depth surfaces of a GPU that draws, and what it sends
 * its misses through (model/tile). A line is that of trace/tile_stream.h. */
struct tile_config {
    struct cache_config cache; /* `slices` are its banks */
    int partition;             /* enum tile_partition */
    int unit;                  /* enum tile_unit */
    uint64_t pipelines;        /* requests per cycle from the rasteriser */
    uint64_t fifo;             /* requests that wait in front of a bank */
    struct {
        int kind; /* enum tile_queue_kind */
        uint64_t entries;
        uint64_t merge; /* mshr: requests of one entry */
    } queue;
    uint64_t prefetch;        /* lines that a bank reads ahead of their requests */
    uint64_t latency, jitter; /* of a read: cycles, and at most this many more at random */
    uint64_t bandwidth;       /* bytes per cycle from and to memory */
    struct cache_config l2;   /* between the banks and memory; size 0: none */
    struct {
        uint64_t side;      /* binned: pixels */
        uint64_t primitive; /* bytes of a primitive, after the vertex shader */
        int eliminate;      /* blocks that equal what memory holds are not written */
    } bin;
};

struct tlb_config {
    int enabled;
    uint64_t entries;
    uint64_t ways; /* read it through tlb_ways (schema/parameters.h), which resolves WAYS_FULL */
    int replacement;
};

/* A number of ways that means fully associative, whatever the number of entries. */
enum { WAYS_FULL = 1 << 20 };

struct pwc_config {
    int organization;                /* enum pwc_organization */
    uint64_t entries;                /* TPC and UPTC: of the whole cache; STC and CPWC: of the L2
                                      * level */
    uint64_t ways;                   /* TPC; read it through pwc_ways, which resolves WAYS_FULL */
    uint64_t l4_entries, l3_entries; /* STC and CPWC */
    uint64_t block_entries;          /* CPWC: entries of one fully associative block */
    int mask;                        /* enum pwc_mask */
    int invalidate;                  /* CPWC: replacing an L4 or L3 entry drops its children */
};

struct walker_config {
    uint64_t count;      /* walks in progress at once */
    uint64_t queue;      /* entries of the buffer in which walks wait */
    int policy;          /* enum walker_policy */
    uint64_t patience;   /* sjf: how many younger walks may overtake one */
    int merge;           /* one walk serves all requests for its page */
    uint64_t interval;   /* cycles between two memory instructions of an SM */
    uint64_t lookup;     /* cycles of one search of the page-walk cache */
    uint64_t latency;    /* cycles of reading a page-table entry in memory */
    int l2;              /* page-table entries are read through the L2 */
    uint64_t l2_latency; /* cycles of reading a page-table entry through the L2 */
};

struct coalescer_config {
    uint64_t arch; /* coalescing generation, e.g. 20 (Fermi), 70 (Volta), 86 (Ampere) */
    int order;     /* enum request_order */
};

struct machine {
    int kind; /* enum machine_kind */
    struct gpu_config gpu;
    struct coalescer_config coalescer;
    struct scheduler_config scheduler;
    struct core_config core;
    struct pipes_config pipe;
    struct instruction_cache_config l1i;
    struct cache_config l1d, l2;
    struct tile_config tile;
    struct network_config network;
    struct dram_config dram;
    struct tlb_config tlb, l2tlb;
    struct {
        uint64_t size; /* bytes */
    } page;
    struct pwc_config pwc;
    struct walker_config walker;
    struct {
        int target;  /* enum build_target */
        double node; /* feature size in metres */
        struct {     /* factors on what the area model says, from measurements */
            double area, time, energy, leakage;
        } scale;
    } tech;
    uint64_t seed;
};
