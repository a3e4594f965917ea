#include "trace/accelsim_tracez.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "trace/wtr.h"

enum {
    HEADER_MAX = 1 << 16,     /* bytes of the kernel's text header */
    DICTIONARY_MAX = 1 << 26, /* bytes */
    IN_BYTES = 1 << 16,
    OUT_BYTES = 1 << 17,
    BLOCK_BYTES = 44, /* of the index: 10 numbers that name a thread block, and its warps */
    WARP_BYTES = 16,  /* instructions, frames u32; offset u64; then a u32 for each frame */
    WARP_HEADER_BYTES = 8
};

/* What the next piece of text will be. */
enum step { STEP_HEADER, STEP_BLOCK, STEP_WARP, STEP_FRAME, STEP_LINES, STEP_DONE };

struct tracez {
    int fd;
    uint64_t bytes; /* of the file */
    enum step step;
    char *header;
    void *dictionary; /* as in the file; `prepared` refers to it */
    ZSTD_DDict *prepared;
    ZSTD_DCtx *unpacker;
    uint64_t index; /* next byte of the index, which ends 8 bytes before the end of the file */
    uint32_t blocks_left, warps_left, warp, frames_left;
    uint64_t at;         /* next byte of the warp's frames */
    uint32_t frame_left; /* bytes of the frame that were not read yet */
    bool line_open;      /* the text of the last frame did not end with a newline */
    ZSTD_inBuffer in;
    uint8_t packed[IN_BYTES];
    char text[OUT_BYTES];
    char why[160];
};

static bool read_at(const struct tracez *tracez, uint64_t offset, void *bytes, size_t size)
{
    uint8_t *next = bytes;
    if (offset > tracez->bytes || size > tracez->bytes - offset)
        return false;
    while (size) {
        ssize_t got = pread(tracez->fd, next, size, (off_t)offset);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        if (got < 0)
            continue;
        next += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

/* Remembers why the file cannot be read; text.c reports it with the line. */
static ptrdiff_t tracez_fail(struct tracez *tracez, const char *what)
{
    snprintf(tracez->why, sizeof tracez->why, "damaged .tracez: %s", what);
    return -1;
}

/* Formats a piece of text that consists of numbers; returns its length. */
static ptrdiff_t tracez_say(struct tracez *tracez, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static ptrdiff_t tracez_say(struct tracez *tracez, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(tracez->text, sizeof tracez->text, format, arguments);
    va_end(arguments);
    return length;
}

/* Reads the next entry of the index. */
static bool read_index(struct tracez *tracez, uint8_t *entry, size_t size)
{
    if (tracez->index > tracez->bytes - 8 || size > tracez->bytes - 8 - tracez->index ||
        !read_at(tracez, tracez->index, entry, size))
        return false;
    tracez->index += size;
    return true;
}

static ptrdiff_t begin_block(struct tracez *tracez)
{
    uint8_t entry[BLOCK_BYTES];
    if (!tracez->blocks_left) {
        tracez->step = STEP_DONE;
        return tracez->index == tracez->bytes - 8
                   ? 0
                   : tracez_fail(tracez, "its index is not the last");
    }
    if (!read_index(tracez, entry, sizeof entry))
        return tracez_fail(tracez, "its index ends within a thread block");
    tracez->blocks_left--;
    tracez->warp = UINT32_MAX;
    tracez->warps_left = wtr_get32(entry + 40);
    tracez->step = STEP_WARP;
    return tracez_say(tracez, "#BEGIN_TB\nthread block = %u,%u,%u\n", wtr_get32(entry),
                      wtr_get32(entry + 4), wtr_get32(entry + 8));
}

static ptrdiff_t begin_warp(struct tracez *tracez)
{
    uint8_t entry[WARP_BYTES];
    if (!tracez->warps_left) {
        tracez->step = STEP_BLOCK;
        return tracez_say(tracez, "#END_TB\n");
    }
    if (!read_index(tracez, entry, sizeof entry))
        return tracez_fail(tracez, "its index ends within a warp");
    tracez->warps_left--;
    tracez->warp++;
    tracez->frames_left = wtr_get32(entry + 4);
    tracez->at = wtr_get64(entry + 8);
    uint64_t counts = 4 * (uint64_t)tracez->frames_left;
    if (counts > tracez->bytes - 8 - tracez->index ||
        tracez->at > tracez->bytes - WARP_HEADER_BYTES)
        return tracez_fail(tracez, "a warp of its index is beyond the end of the file");
    tracez->index += counts;
    tracez->at += WARP_HEADER_BYTES; /* skip a header that repeats the index */
    tracez->step = STEP_FRAME;
    return tracez_say(tracez, "warp = %u\ninsts = %u\n", tracez->warp, wtr_get32(entry));
}

/* A frame may end in the middle of a line; the next frame or the next warp then starts a new
 * one. */
static ptrdiff_t begin_frame(struct tracez *tracez)
{
    uint8_t size[4];
    bool open = tracez->line_open;
    tracez->line_open = false;
    tracez->step = tracez->frames_left ? STEP_LINES : STEP_WARP;
    if (tracez->frames_left) {
        if (!read_at(tracez, tracez->at, size, sizeof size))
            return tracez_fail(tracez, "a warp ends beyond the end of the file");
        tracez->at += sizeof size;
        tracez->frames_left--;
        tracez->frame_left = wtr_get32(size);
        tracez->in = (ZSTD_inBuffer){tracez->packed, 0, 0};
        ZSTD_DCtx_reset(tracez->unpacker, ZSTD_reset_session_only);
    }
    return open ? tracez_say(tracez, "\n") : 0;
}

static ptrdiff_t read_lines(struct tracez *tracez)
{
    ZSTD_outBuffer out = {tracez->text, OUT_BYTES, 0};
    while (!out.pos) {
        if (tracez->in.pos == tracez->in.size && tracez->frame_left) {
            uint32_t more = tracez->frame_left < IN_BYTES ? tracez->frame_left : IN_BYTES;
            if (!read_at(tracez, tracez->at, tracez->packed, more))
                return tracez_fail(tracez, "a warp ends beyond the end of the file");
            tracez->at += more;
            tracez->frame_left -= more;
            tracez->in = (ZSTD_inBuffer){tracez->packed, more, 0};
        }
        /* zstd may still hold output after it has taken all input, so only an empty result with no
         * input left means that the frame was cut off. */
        bool all = tracez->in.pos == tracez->in.size;
        size_t left = ZSTD_decompressStream(tracez->unpacker, &out, &tracez->in);
        if (ZSTD_isError(left))
            return tracez_fail(tracez, ZSTD_getErrorName(left));
        if (!left && !out.pos && tracez->in.pos == tracez->in.size && !tracez->frame_left) {
            tracez->step = STEP_FRAME;
            return 0;
        }
        if (all && !out.pos)
            return tracez_fail(tracez, "a warp's lines are cut off");
        if (!left && tracez->in.pos == tracez->in.size && !tracez->frame_left)
            tracez->step = STEP_FRAME;
    }
    tracez->line_open = tracez->text[out.pos - 1] != '\n';
    return (ptrdiff_t)out.pos;
}

static ptrdiff_t take_step(struct tracez *tracez, const void **bytes)
{
    *bytes = tracez->text;
    switch (tracez->step) {
    case STEP_HEADER:
        *bytes = tracez->header;
        tracez->step = STEP_BLOCK;
        return (ptrdiff_t)strlen(tracez->header);
    case STEP_BLOCK:
        return begin_block(tracez);
    case STEP_WARP:
        return begin_warp(tracez);
    case STEP_FRAME:
        return begin_frame(tracez);
    case STEP_LINES:
        return read_lines(tracez);
    case STEP_DONE:
        break;
    }
    return 0;
}

static ptrdiff_t tracez_read(void *argument, const void **bytes, const char **why)
{
    struct tracez *tracez = argument;
    ptrdiff_t got = 0;
    while (!got && tracez->step != STEP_DONE)
        got = take_step(tracez, bytes);
    *why = tracez->why;
    return got;
}

static void close_tracez(void *argument)
{
    struct tracez *tracez = argument;
    if (!tracez)
        return;
    if (tracez->fd >= 0)
        close(tracez->fd);
    ZSTD_freeDCtx(tracez->unpacker);
    ZSTD_freeDDict(tracez->prepared);
    free(tracez->dictionary);
    free(tracez->header);
    free(tracez);
}

/* Reads the kernel's header up to its NUL and appends a newline; *end is the position of the
 * NUL. */
static enum status read_header(struct tracez *tracez, uint64_t *end)
{
    size_t size = tracez->bytes < HEADER_MAX ? (size_t)tracez->bytes : HEADER_MAX;
    tracez->header = malloc(size + 2);
    if (!tracez->header)
        return STATUS_MEMORY;
    if (!read_at(tracez, 0, tracez->header, size))
        return STATUS_IO;
    const char *nul = memchr(tracez->header, '\0', size);
    if (!nul) {
        tracez_fail(tracez, "its header has no end");
        return STATUS_CORRUPT;
    }
    *end = (uint64_t)(nul - tracez->header);
    memcpy(tracez->header + *end, "\n", 2);
    return STATUS_OK;
}

static enum status read_dictionary(struct tracez *tracez, uint64_t at)
{
    uint8_t sizes[8]; /* of the dictionary; instructions of a frame, which are not needed */
    if (!read_at(tracez, at, sizes, sizeof sizes)) {
        tracez_fail(tracez, "it ends before its dictionary");
        return STATUS_CORRUPT;
    }
    uint32_t size = wtr_get32(sizes);
    if (size > DICTIONARY_MAX || size > tracez->bytes - at - sizeof sizes) {
        tracez_fail(tracez, "its dictionary is larger than the file, or than 64 MiB");
        return STATUS_CORRUPT;
    }
    tracez->unpacker = ZSTD_createDCtx();
    tracez->dictionary = malloc(size + (size_t)1);
    if (!tracez->unpacker || !tracez->dictionary)
        return STATUS_MEMORY;
    if (!size)
        return STATUS_OK;
    if (!read_at(tracez, at + sizeof sizes, tracez->dictionary, size))
        return STATUS_IO;
    tracez->prepared = ZSTD_createDDict(tracez->dictionary, size);
    if (!tracez->prepared) {
        tracez_fail(tracez, "its dictionary is none of zstd");
        return STATUS_CORRUPT;
    }
    ZSTD_DCtx_refDDict(tracez->unpacker, tracez->prepared);
    return STATUS_OK;
}

static enum status find_index(struct tracez *tracez)
{
    uint8_t number[8];
    if (tracez->bytes < 16 || !read_at(tracez, tracez->bytes - 8, number, 8)) {
        tracez_fail(tracez, "it has no index");
        return STATUS_CORRUPT;
    }
    tracez->index = wtr_get64(number);
    if (!read_index(tracez, number, 4)) {
        tracez_fail(tracez, "its index is beyond the end of the file");
        return STATUS_CORRUPT;
    }
    tracez->blocks_left = wtr_get32(number);
    return STATUS_OK;
}

enum status tracez_open(const char *path, struct text_reader *reader,
                        struct diagnostics *diagnostics)
{
    struct stat file;
    uint64_t end = 0;
    struct tracez *tracez = calloc(1, sizeof *tracez);
    if (!tracez)
        return STATUS_MEMORY;
    tracez->fd = open(path, O_RDONLY | O_CLOEXEC);
    enum status status = STATUS_OK;
    if (tracez->fd < 0 || fstat(tracez->fd, &file))
        status = STATUS_IO;
    else
        tracez->bytes = (uint64_t)file.st_size;
    if (!status)
        status = read_header(tracez, &end);
    if (!status)
        status = read_dictionary(tracez, end + 1);
    if (!status)
        status = find_index(tracez);
    if (!status) {
        const struct text_source source = {tracez_read, close_tracez, tracez};
        return text_open_source(path, &source, reader, diagnostics);
    }
    if (status != STATUS_MEMORY)
        diagnostics_error(diagnostics, status, "%s: %s", path,
                          status == STATUS_IO ? strerror(errno) : tracez->why);
    close_tracez(tracez);
    return status;
}
