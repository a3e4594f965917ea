/* A program of the SIMT processor as it lies in memory, from assembly or from an ELF file.
 *
 * Invariant: the text lies in the image, starts at a multiple of four bytes and ends at one of four
 * (two, if it has compressed instructions), and the image is no larger than SIMT_IMAGE_MAX (the
 * text: SIMT_TEXT_MAX), whatever the file says. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* Where programs and their memory lie (docs/SIMT.md). */
#define SIMT_TEXT_BASE    UINT32_C(0x00010000)
#define SIMT_DATA_BASE    UINT32_C(0x00100000)
#define SIMT_STACK_TOP    UINT32_C(0x80000000) /* of lane 0; further lanes are below */
#define SIMT_STACK_BYTES  UINT32_C(0x1000)     /* per lane, unless the program is given more */
#define SIMT_ABOVE_STACKS UINT32_C(0x1000)     /* zeros: where a C library looks for arguments */
#define SIMT_SHARED_BASE  UINT32_C(0xff000000)
#define SIMT_SHARED_BYTES UINT32_C(0x10000)    /* per block */
#define SIMT_EXIT         UINT32_C(0xfffffff0) /* returning there ends a lane */
#define SIMT_IMAGE_MAX    (UINT32_C(64) << 20)
#define SIMT_TEXT_MAX     (UINT32_C(1) << 20)
#define SIMT_FILE_MAX     (UINT32_C(8) << 20)

struct simt_symbol {
    char *name;
    uint32_t value;
};

struct simt_image { /* zero-initialized: empty */
    char *name;     /* of the file */
    unsigned char *bytes;
    uint32_t base, size;
    uint32_t text, text_size; /* what can be executed */
    uint32_t place_shift;     /* 2: instructions begin at multiples of 4 bytes; 1: of 2 */
    uint32_t entry;
    struct simt_symbol *symbols; /* in order of their values */
    size_t symbol_count, symbol_capacity;
    uint32_t *lines; /* of assembly: the line of each instruction of the text, 0: none */
    char *source;    /* the assembly; NULL: ELF */
};

/* Values that replace those of .equ: "N=64". */
struct simt_define {
    const char *name;
    int64_t value;
};
enum { SIMT_DEFINES_MAX = 8 };
struct simt_defines {
    struct simt_define items[SIMT_DEFINES_MAX];
    size_t count;
};

/* Reads assembly or an ELF file, told apart by the first bytes. Reports everything that is wrong.
 */
enum status simt_image_open(const char *path, const struct simt_defines *defines,
                            struct simt_image *image, struct diagnostics *diagnostics);
void simt_image_free(struct simt_image *image);

/* The value of a symbol; NULL if there is none. */
const struct simt_symbol *simt_symbol_find(const struct simt_image *image, const char *name);
/* The last symbol at or before an address of the text; NULL: none. */
const struct simt_symbol *simt_symbol_before(const struct simt_image *image, uint32_t address);

/* The places of the text at which instructions may begin, numbered from 0. */
static inline uint32_t simt_places(const struct simt_image *image)
{
    return image->text_size >> image->place_shift;
}
static inline uint32_t simt_place_of(const struct simt_image *image, uint32_t pc)
{
    return (pc - image->text) >> image->place_shift;
}
static inline uint32_t simt_pc_of(const struct simt_image *image, uint32_t place)
{
    return image->text + (place << image->place_shift);
}
/* The instruction at a place, and how many bytes it takes; a compressed one as what it abbreviates.
 */
uint32_t simt_word_at(const struct simt_image *image, uint32_t place, uint8_t *size);

/* The source line of an instruction, copied without its blanks at the ends; "" if it is not known.
 * Returns its number, 0: not known. */
uint32_t simt_image_line(const struct simt_image *image, uint32_t pc, char *text, size_t size);

/* For readers: adds a symbol, and sorts them in the end. */
enum status simt_image_add(struct simt_image *image, const char *name, size_t length,
                           uint32_t value);
void simt_image_finish(struct simt_image *image);
