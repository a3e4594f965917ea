#include "cli/shared/standard_streams.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/printable.h"

enum { CHUNK = 4096, CHARACTER_MAX = 4 /* of a character in UTF-8 */ };

struct guarded {
    int descriptor;
    char held[CHARACTER_MAX]; /* the start of a UTF-8 character that was cut between two writes */
    size_t held_length;
};

static int write_all(int descriptor, const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* The number of bytes at the end of the text that start a UTF-8 character without completing it. */
static size_t unfinished(const char *text, size_t length)
{
    for (size_t back = 1; back < CHARACTER_MAX && back <= length; back++) {
        unsigned char byte = (unsigned char)text[length - back];
        if ((byte & 0xc0) == 0x80)
            continue;
        size_t whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

static int print_chunk(struct guarded *guarded, const char *text, size_t length)
{
    char raw[CHARACTER_MAX + CHUNK + 1], clean[(CHARACTER_MAX + CHUNK) * PRINTABLE_ESCAPE + 1];
    memcpy(raw, guarded->held, guarded->held_length);
    memcpy(raw + guarded->held_length, text, length);
    length += guarded->held_length;
    guarded->held_length = unfinished(raw, length);
    length -= guarded->held_length;
    memcpy(guarded->held, raw + length, guarded->held_length);
    raw[length] = '\0';
    size_t size = 0;
    for (size_t i = 0; i < length;) {
        size_t bytes = printable_length(raw + i);
        if (bytes)
            memcpy(clean + size, raw + i, bytes);
        else
            snprintf(clean + size, PRINTABLE_ESCAPE + 1, "\\x%02x", (unsigned char)raw[i]);
        size += bytes ? bytes : PRINTABLE_ESCAPE;
        i += bytes ? bytes : 1;
    }
    return write_all(guarded->descriptor, clean, size);
}

static ssize_t take(void *argument, const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        size_t chunk = length - done < CHUNK ? length - done : CHUNK;
        if (print_chunk(argument, text + done, chunk))
            return 0; /* fopencookie: 0 reports an error */
        done += chunk;
    }
    return (ssize_t)length;
}

static void guard(FILE **stream, struct guarded *guarded, int buffering)
{
    FILE *taken = fopencookie(guarded, "w", (cookie_io_functions_t){.write = take});
    if (!taken)
        return;
    setvbuf(taken, NULL, buffering, BUFSIZ);
    *stream = taken;
}

/* Buffers like the streams that it replaces: by lines on a terminal, stderr not at all. */
void standard_streams_guard(void)
{
    static struct guarded output = {.descriptor = STDOUT_FILENO};
    static struct guarded errors = {.descriptor = STDERR_FILENO};
    guard(&stdout, &output, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    guard(&stderr, &errors, _IONBF);
}

void standard_streams_control(FILE *stream, const char *sequence)
{
    fflush(stream);
    /* An error means that the terminal is gone; then the sequence does not matter. */
    (void)write_all(stream == stdout ? STDOUT_FILENO : STDERR_FILENO, sequence, strlen(sequence));
}
