/* A stream of tile requests that is drawn once: the first reader without values that comes to its
 * end leaves the requests behind, and later ones read those. So machines that are simulated one
 * after another share one rasterisation.
 *
 * Readers with values are those of the stream itself. Streams of more than `most` requests are not
 * kept. Any number of threads may have readers open. Cost: 24 B a request. */
#pragma once

#include "trace/tile_stream.h"

enum { KEPT_TILES_MOST = 1 << 21 };

struct kept_log;

struct kept_tiles {            /* zero-initialized: empty */
    struct tile_stream stream; /* first, so that a stream is its kept one */
    const struct tile_stream *from;
    struct kept_log *log;
};

/* `from` must outlive it. STATUS_MEMORY. */
enum status kept_tiles_init(struct kept_tiles *kept, const struct tile_stream *from, uint64_t most);
void kept_tiles_free(struct kept_tiles *kept);
/* Whether a reader that is opened now reads what was left behind. */
bool kept_tiles_ready(const struct kept_tiles *kept);
