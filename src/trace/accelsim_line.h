/* The lines of Accel-Sim / NVBit traces: headers and instructions (docs/FORMATS.md). */
#pragma once

#include "trace/stream.h"
#include "trace/text.h"

/* What stands before the first '#' of a kernel's trace. */
struct accelsim_header {
    struct trace_launch launch; /* name is owned */
    uint64_t version;           /* of the tracer, 0 = not said */
    uint64_t lineinfo;          /* lines begin with a source line number */
    uint64_t shared_base, local_base;
};

/* Reads up to the first '#' line. Garbage in a value is a warning and leaves it unknown; a launch
 * without a usable grid or block is an error. */
enum status accelsim_read_header(struct text_reader *reader, struct accelsim_header *header);

enum accelsim_kind {
    ACCELSIM_OTHER,  /* touches no memory that is modelled */
    ACCELSIM_MEMORY, /* access and addresses are filled */
    ACCELSIM_UNKNOWN /* has addresses, but is not understood; like OTHER */
};

enum { ACCELSIM_PREFIX_MAX = 6 };

struct accelsim_instruction {
    enum accelsim_kind kind;
    uint64_t prefix[ACCELSIM_PREFIX_MAX]; /* the numbers before the pc (block, warp, ...) */
    const char *opcode;                   /* in the line */
    size_t opcode_length;
    struct warp_access access; /* affine unless `listed` */
    bool listed;
    uint64_t addresses[WARP_SIZE]; /* of the active lanes, if listed */
};

/* How many numbers stand before the pc in instruction lines like this one: what the version says
 * is not always so, but the mask is the only token of eight hex digits behind the first. */
unsigned accelsim_prefix(const char *line);

/* Parses an instruction line; reports a problem of `severity` where it is none. */
enum status accelsim_parse(struct text_reader *reader, const struct accelsim_header *header,
                           unsigned prefix, enum severity severity,
                           struct accelsim_instruction *instruction);

/* Puts a local access where LOCAL_WORD_STRIDE (trace/stream.h) says. */
void accelsim_place_local(const struct accelsim_header *header, uint64_t block, uint32_t warp,
                          struct accelsim_instruction *instruction);
