/* The lines of Accel-Sim / NVBit traces: headers and instructions (docs/FORMATS.md). The two orders
 * of lines share this parser. It allocates nothing per instruction. */
#pragma once

#include "trace/accelsim_deltas.h"
#include "trace/accelsim_opcode.h"
#include "trace/text.h"

/* The header of a kernel's trace: the lines before the first '#'. */
struct accelsim_header {
    struct trace_launch launch; /* name is owned */
    uint64_t version;           /* of the tracer; 0 = not given */
    uint64_t lineinfo;          /* lines begin with a source line number */
    uint64_t shared_base, local_base;
};

/* Reads up to the first '#' line. An implausible value is a warning and stays unknown; a launch
 * without a usable grid or block is STATUS_INVALID. The caller frees launch.name in any case. */
enum status accelsim_read_header(struct text_reader *reader, struct accelsim_header *header);

enum accelsim_kind {
    ACCELSIM_OTHER,  /* accesses no memory that is modelled */
    ACCELSIM_MEMORY, /* access and addresses are filled */
    ACCELSIM_UNKNOWN /* has addresses that are not understood; treat it like OTHER */
};

enum { ACCELSIM_PREFIX_MAX = 6, OPERATION_SLOTS = 2048, OPERATION_TEXT = 92, START_TEXT = 120 };

/* The part of a line between mask and width: registers and opcode. It is nearly always the same
 * text for one pc, so each is parsed once and recognised from then on. Most often even the whole
 * line up to the width is the same as when the line before it came last. */
struct accelsim_operation {
    uint32_t pc;
    uint32_t length; /* of `text`; 0: the slot is free, or the text is too long to be kept */
    char text[OPERATION_TEXT];
    char start[START_TEXT];         /* its last line, up to the blank after the width */
    uint32_t start_length;          /* 0: not kept */
    uint32_t mask;                  /* of that line, */
    uint32_t width;                 /* whether its width is not 0, */
    uint32_t opcode_at;             /* and where its opcode begins */
    uint32_t follower;              /* the slot of the line after it */
    struct accelsim_deltas deltas;  /* of its last line that had some */
    struct instruction instruction; /* its argument is that of a line */
    struct opcode opcode;
    uint16_t bytes;             /* per thread */
    uint16_t name, name_length; /* the opcode in the text */
    bool bypass;                /* skips the L1D */
    /* Hopper's matrix instructions read shared memory through descriptors, and their lines have an
     * additional column before the width. */
    bool descriptors;
    /* The caller's: rows of the instruction, also if it goes to shared memory; KEY_NONE at first.
     */
    uint32_t rows[2];
};

/* Must be zeroed before the first line of each kernel; 1.3 MiB. */
struct accelsim_operations {
    struct accelsim_operation slots[OPERATION_SLOTS];
    uint32_t last; /* the slot of the last line */
};

struct accelsim_instruction {
    enum accelsim_kind kind;
    uint64_t prefix[ACCELSIM_PREFIX_MAX]; /* the numbers before the pc (block, warp, ...) */
    struct accelsim_operation *operation; /* valid until the next line */
    const char *opcode;                   /* points into the line */
    bool shared;                          /* accesses shared memory, */
    uint8_t banks;                        /* for so many cycles (struct warp_instruction) */
    uint8_t argument;                     /* as in struct instruction */
    struct warp_access access;            /* affine unless `listed` */
    bool listed;
    uint64_t addresses[WARP_SIZE]; /* of the active lanes, if listed */
};

/* How many numbers precede the pc in instruction lines like this one. The tracer version is not a
 * reliable guide, but the mask is the only token of exactly eight hex digits after the first. */
unsigned accelsim_prefix(const char *line);

/* The instruction of a line as a row of its kernel. */
struct instruction accelsim_row(const struct accelsim_instruction *instruction);

/* Parses an instruction line. If it is malformed, reports that with `severity` and returns
 * STATUS_INVALID. */
enum status accelsim_parse(struct text_reader *reader, const struct accelsim_header *header,
                           unsigned prefix, enum severity severity,
                           struct accelsim_operations *operations,
                           struct accelsim_instruction *instruction);

/* Moves a local access to the interleaved addresses that LOCAL_WORD_STRIDE (trace/stream.h)
 * describes. */
void accelsim_place_local(const struct accelsim_header *header, uint64_t block, uint32_t warp,
                          struct accelsim_instruction *instruction);
