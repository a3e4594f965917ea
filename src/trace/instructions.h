/* Every instruction that a warp issues, for models in which time passes.
 *
 * The records of a stream (trace/stream.h) are its accesses to memory. A source may know all
 * instructions besides: what a kernel consists of (`struct instruction`, one row a pc; more where
 * it depends on registers what an instruction does, as a load that may go to shared memory) and
 * which of them each warp issues in which order (`struct warp_instruction`). Whoever reads both
 * cursors of a warp takes the next record at each instruction with ISSUE_RECORD. Invariant: a warp
 * has as many such instructions as records, and their gaps and masks agree. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* What executes an instruction. A machine says which of its pipes serves each class, with which
 * latency (schema/machine.h). */
enum instruction_class {
    CLASS_INTEGER, /* integer arithmetic, logic, moves, conversions, constant loads */
    CLASS_SINGLE,  /* 32-bit floating point */
    CLASS_HALF,    /* packed 16-bit floating point, on the pipe of CLASS_SINGLE */
    CLASS_DOUBLE,
    CLASS_SPECIAL, /* MUFU: reciprocals, roots, sines */
    CLASS_TENSOR,
    CLASS_BRANCH,  /* jumps and the convergence of threads */
    CLASS_UNIFORM, /* the uniform datapath of Turing and later */
    CLASS_TEXTURE,
    CLASS_CONTROL, /* barriers, exits, waits: no latency of their own */
    CLASS_MEMORY,  /* loads, stores, atomics and fences */
    CLASS_CONVERT, /* integers to floating point (of generated kernels; traces have CLASS_INTEGER)
                    */
    CLASS_COUNT
};

enum instruction_action {
    ACTION_NONE,
    ACTION_BARRIER, /* waits for all warps of the block */
    ACTION_EXIT,    /* ends the active threads */
    ACTION_FENCE,   /* waits for the warp's own accesses and empties the L1D (MEMBAR) */
    ACTION_COMMIT,  /* closes a group of asynchronous copies (LDGDEPBAR) */
    ACTION_WAIT     /* waits for asynchronous copies (DEPBAR) */
};

enum instruction_flags {
    INSTRUCTION_LOAD = 1 << 0, /* writes registers once its data are there */
    INSTRUCTION_STORE = 1 << 1,
    INSTRUCTION_ATOMIC = 1 << 2, /* the warp waits for it, even if nobody reads the result */
    INSTRUCTION_COPY = 1 << 3,   /* from global to shared memory, without a register (LDGSTS) */
    INSTRUCTION_SHARED = 1 << 4, /* accesses shared memory and nothing else */
    INSTRUCTION_FLOAT = 1 << 5   /* an atomic on floating-point numbers */
};

enum { INSTRUCTION_OPERANDS = 8, UNIFORM_REGISTER = 256, REGISTER_COUNT = 320 };

/* One instruction of a kernel. Registers are R0 = 0 to R255, uniform ones UNIFORM_REGISTER + n;
 * only those that a warp can wait for are listed. */
struct instruction {
    uint32_t pc;
    uint32_t line;                            /* of its source; 0: not known */
    uint8_t class;                            /* enum instruction_class */
    uint8_t action;                           /* enum instruction_action */
    uint8_t flags;                            /* enum instruction_flags */
    uint8_t argument;                         /* ACTION_WAIT: groups that may remain in flight */
    uint8_t written, read;                    /* how many registers */
    uint16_t registers[INSTRUCTION_OPERANDS]; /* the written ones, then the read ones */
};

/* The instructions of a kernel in order of first issue. */
struct trace_code {
    struct instruction *items;
    uint32_t count;
};

enum issue_flags {
    ISSUE_RECORD = 1 << 0 /* the warp's next record is its access */
};

/* One instruction as a warp issues it. */
struct warp_instruction {
    uint32_t code; /* index in the code of the launch */
    uint32_t mask; /* active lanes; 0 if all are predicated off */
    /* An access to shared memory: how many cycles its banks need, i.e. the most distinct 4 B words
     * in one of 32 banks, and 1 for those of programs that are predicated off, which load/store
     * units take all the same. 0: it accesses none. */
    uint8_t banks;
    uint8_t flags; /* enum issue_flags */
    uint16_t reserved;
};

/* A piece of a warp's instructions, as struct access_window. */
struct instruction_window {
    struct warp_instruction *items;
    uint32_t count, capacity;
    bool end; /* none follow */
};

enum status instruction_window_init(struct instruction_window *window, uint32_t capacity);
void instruction_window_free(struct instruction_window *window);
