/* A program of the SIMT processor as a workload: its loads and stores are records, its instructions
 * are what its warps fetch and issue (trace/instructions.h), with their real addresses as pcs.
 *
 * A block is executed as its warps are read: once if instructions are read first, else by an
 * execution for either cursor. What one warp or cursor is behind the others waits in a queue; since
 * the warps of a block issue in turn, queues are short if warps are read in turn. A warp has 32
 * lanes in the stream, of which the processor's 8 are the first.
 *
 * Accesses to the shared RAM are instructions, but no records. Barriers of fewer warps than a block
 * has hold back all of them where time passes. */
#pragma once

#include "trace/stream.h"
#include "workload/simt/processor.h"
#include "workload/workload.h"

/* The parameters of every program. */
enum { SIMT_PARAMETERS = 6, SIMT_STACK_UNIT = 4096 };
enum { SIMT_SIZES = 1 << 5 }; /* the stack, as workload.sizes */
#define SIMT_PARAMETER_ROWS                                                                        \
    {"blocks", 1, 1, SIMT_BLOCKS, "thread blocks; each executes the whole program"},               \
        {"warps", SIMT_WARPS, 1, SIMT_WARPS, "warps of a block"},                                  \
        {"lanes", SIMT_LANES, 1, SIMT_LANES, "lanes of a warp"},                                   \
        {"masks", 0, 0, 1,                                                                         \
         "how lanes diverge: 0 a pc a lane, the lowest first; 1 masks that the program sets"},     \
        {"limit", 100000000, 1, UINT64_C(1) << 40, "instructions that a block may issue"},         \
    {                                                                                              \
        "stack", SIMT_STACK_BYTES, SIMT_STACK_UNIT, 4 << 20,                                       \
            "bytes of a lane's stack, in whole units of 4096"                                      \
    }
extern const struct workload_parameter simt_parameters[SIMT_PARAMETERS];
struct simt_setup simt_setup_of(const uint64_t values[SIMT_PARAMETERS]);

/* Whether a file is a program of this processor: its name ends in ".s" or ".elf", or it begins as
 * an ELF file. */
bool simt_recognise(const char *path);

/* Opens FILE or a program with arguments ("warps=4,lanes=4"). Arguments that are no parameter are
 * defines, which replace values of .equ. */
enum status simt_open(const char *path, const char *arguments, struct simt_program *program,
                      struct diagnostics *diagnostics);

/* simt_open and simt_source_create. */
enum status simt_source_open(const char *path, const char *name, const char *arguments,
                             struct trace_source **source, struct diagnostics *diagnostics);

/* Makes a source of a program, which it takes over also if it fails. */
enum status simt_source_create(const char *name, struct simt_program *program,
                               struct trace_source **source, struct diagnostics *diagnostics);

/* The program of a source, which keeps it; NULL: the source is something else. */
const struct simt_program *simt_source_program(const struct trace_source *source);
