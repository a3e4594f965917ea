/* The lines of Accel-Sim / NVBit traces: headers and instructions (docs/FORMATS.md). The two orders
 * of lines share this parser. It allocates nothing per instruction. */
#pragma once

#include "trace/accelsim_deltas.h"
#include "trace/accelsim_opcode.h"
#include "trace/text.h"

/* The header of a kernel's trace: "-key = value". */
struct accelsim_header {
    struct trace_launch launch; /* name is owned */
    uint64_t version;           /* of the tracer; 0 = not given */
    uint64_t lineinfo;          /* lines begin with a source line number */
    uint64_t shared_base, local_base;
};

/* Reads the keys before the line that names the columns, or before the first block. Comments may
 * stand anywhere. An implausible value is a warning and stays unknown; a launch
 * without a usable grid or block is STATUS_INVALID. The caller frees launch.name in any case. */
enum status accelsim_read_header(struct text_reader *reader, struct accelsim_header *header);

enum accelsim_kind {
    ACCELSIM_OTHER,  /* accesses no memory that is modelled */
    ACCELSIM_MEMORY, /* access and addresses are filled */
    ACCELSIM_UNKNOWN /* has addresses that are not understood; treat it like OTHER */
};

enum {
    ACCELSIM_PREFIX_MAX = 12, /* block, warp, where its cluster is, and a line number */
    OPERATION_SLOTS = 2048,
    OPERATION_START = 24,
    OPERATION_TEXT = 112
};

/* What is remembered of the lines of a pc. The registers and the opcode are nearly always the same
 * text, so each is parsed once and recognised from then on. Most often even the whole line is that
 * of the last time, but for its mask and its first address (trace/accelsim_quick.h). */
struct accelsim_operation {
    uint32_t pc;
    uint32_t length;   /* of what follows the mask, up to the blank after the registers; 0: none is
                        * kept */
    uint32_t known;    /* of what follows the mask, so much is that of the last line; 0: none */
    uint32_t start;    /* length of the pc and the mask of that line, as text; 0: not kept */
    uint32_t follower; /* the slot of the line after it */
    /* The pc and the mask end where the rest begins, at OPERATION_START. */
    char text[OPERATION_START + OPERATION_TEXT];
    struct accelsim_deltas deltas;  /* of its last line that had some */
    struct instruction instruction; /* its argument is that of a line */
    struct opcode opcode;
    uint16_t bytes;             /* per thread */
    uint16_t name, name_length; /* the opcode in the text */
    bool bypass;                /* skips the L1D */
    /* Hopper's matrix instructions read shared memory through descriptors, and their lines have an
     * additional column before the width. */
    bool descriptors;
    /* Of the last line, if it is kept: as in struct accelsim_instruction. */
    bool addressed, shared;
    uint8_t kind, banks, argument, form;
    uint16_t form_end; /* of what follows the mask, so much goes up to the form of the addresses */
    struct warp_access access; /* its base is the first address */
    /* The caller's: rows of the instruction, also if it goes to shared memory; KEY_NONE at first.
     */
    uint32_t rows[2];
};

struct accelsim_operations {
    uint32_t last;              /* the slot of the last line that is known */
    uint32_t deltas;            /* so many were kept */
    bool used[OPERATION_SLOTS]; /* of each slot: it was written */
    struct accelsim_operation slots[OPERATION_SLOTS];
};

/* Nothing is known before the first line of each kernel. 1.3 MiB; NULL if there is no memory. The
 * caller frees it. */
struct accelsim_operations *accelsim_operations_new(void);

/* The slot of a pc, which may be that of another one. Instructions have 8 B up to Pascal, and 16 B
 * since. */
static inline uint32_t accelsim_slot(uint32_t pc)
{
    return pc / 8 % OPERATION_SLOTS;
}

struct accelsim_instruction {
    enum accelsim_kind kind;
    uint64_t prefix[ACCELSIM_PREFIX_MAX]; /* the numbers before the pc (block, warp, ...) */
    struct accelsim_operation *operation; /* valid until the next line */
    const char *opcode;                   /* points into the line */
    bool shared;                          /* accesses shared memory, */
    uint8_t banks;                        /* for so many cycles (struct warp_instruction) */
    uint8_t argument;                     /* as in struct instruction, */
    uint32_t line;                        /* as this */
    struct warp_access access;            /* affine unless `listed` */
    bool listed;
    bool unequal; /* listed, and known not to be at equal distances */
    uint64_t
        addresses[WARP_SIZE]; /* of the active lanes, if listed, but for a line that was taken: */
    const struct accelsim_deltas *deltas; /* how they follow from `first`; NULL: they are there */
    /* Of a line that was parsed: what follows the mask, the form of the addresses (NULL if they
     * were not read), and the first address, which a line that was taken has, too. */
    const char *after_mask, *after_form, *after_first;
    bool width;     /* is not 0, so that addresses should follow */
    uint64_t form;  /* 0: a list, 1: base and stride, 2: base and deltas */
    uint64_t first; /* the address of the first active lane */
};

/* Where the access of an operation goes whose first address this is. */
enum opcode_space accelsim_space(const struct accelsim_header *header,
                                 const struct accelsim_operation *operation, uint64_t address);

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

/* Parses a line from its first address on. Before that it is that of the last line of `operation`,
 * with all that is kept of it. */
enum status accelsim_parse_addresses(struct text_reader *reader,
                                     const struct accelsim_header *header, enum severity severity,
                                     struct accelsim_operation *operation,
                                     struct accelsim_instruction *instruction);

/* Moves a local access to the interleaved addresses that LOCAL_WORD_STRIDE (trace/stream.h)
 * describes. */
void accelsim_place_local(const struct accelsim_header *header, uint64_t block, uint32_t warp,
                          struct accelsim_instruction *instruction);
