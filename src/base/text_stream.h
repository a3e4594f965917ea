/* Text that is built in memory through a stream, for whatever prints into a FILE.
 *
 * Invariant: a caller gets the whole text or none. A write that found no memory is remembered by
 * the stream and told at its end, so the writes between need no checks. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

struct text_stream { /* stays where it is while it is open */
    FILE *out;       /* NULL: not open */
    char *text;
    size_t size; /* after the end: bytes of the text, without the zero that ends it */
};

/* Returns where to print. NULL: no memory, and ending the stream then says so. */
FILE *text_stream_open(struct text_stream *stream);
/* Ends the stream and gives its text, for free(). NULL: no memory for all of it. */
MUST_CHECK char *text_stream_take(struct text_stream *stream);
/* The same for a caller whose writing had a status, which it returns, or else STATUS_MEMORY. *text
 * is NULL after either. */
enum status text_stream_finish(struct text_stream *stream, enum status status, char **text);
