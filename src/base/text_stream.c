#include "base/text_stream.h"

#include <stdbool.h>
#include <stdlib.h>

FILE *text_stream_open(struct text_stream *stream)
{
    *stream = (struct text_stream){0};
    stream->out = open_memstream(&stream->text, &stream->size);
    return stream->out;
}

char *text_stream_take(struct text_stream *stream)
{
    if (!stream->out)
        return NULL;
    /* A failed write that later ones hide is seen by ferror alone, one of the last bytes by fclose
     * alone. */
    const bool failed = ferror(stream->out);
    if (fclose(stream->out) || failed) {
        free(stream->text);
        stream->text = NULL;
    }
    stream->out = NULL;
    return stream->text;
}

enum status text_stream_finish(struct text_stream *stream, enum status status, char **text)
{
    *text = text_stream_take(stream);
    if (!*text && !status)
        status = STATUS_MEMORY;
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}
