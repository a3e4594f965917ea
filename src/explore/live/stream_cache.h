/* The streams of one workload that are kept in memory for explore/live/live_answers.h. Request logs
 * have the key of the stage that sent them, miss masks the key of their L1D; slice streams belong
 * to a log and a geometry of slices.
 *
 * Invariants: the total stays within `limit`. The stream used least recently goes first, and with a
 * log goes everything that refers to it. A lookup scans STREAM_CACHE_PLACES places. */
#pragma once

#include "explore/plan/stage_key.h"
#include "model/replay/miss_mask.h"
#include "model/replay/slice_streams.h"

enum { STREAM_CACHE_PLACES = 64 };

struct cached_stream { /* a log, a mask or slice streams; a free place if all are NULL */
    struct stage_key key;
    struct request_log *log;
    struct miss_mask *mask;
    struct slice_streams *streams;
    uint64_t used;
};

struct stream_cache { /* zero it, then set the limit */
    struct cached_stream items[STREAM_CACHE_PLACES];
    uint64_t limit; /* bytes of all streams together */
    uint64_t clock; /* counts uses */
    uint64_t since; /* streams used after this time are held */
};

void stream_cache_forget(struct stream_cache *kept);

/* Bytes of all streams together. */
uint64_t stream_cache_bytes(const struct stream_cache *kept);

/* From here on, streams that are found or kept stay where they are, until the next call. */
void stream_cache_hold(struct stream_cache *kept);

/* Find a stream and mark it as used. NULL if it is not there. */
const struct request_log *kept_log(struct stream_cache *kept, const struct stage_key *key);
const struct miss_mask *kept_mask(struct stream_cache *kept, const struct stage_key *key);
/* `placed` as in slice_streams_create. */
const struct slice_streams *kept_slices(struct stream_cache *kept, const struct request_log *log,
                                        const struct cache_config *l2, bool placed);

/* Take ownership of a stream; NULL is allowed. A log must have been finished. If there is no room,
 * they free the stream and return false. */
bool keep_log(struct stream_cache *kept, const struct stage_key *key, struct request_log *log);
bool keep_mask(struct stream_cache *kept, const struct stage_key *key, struct miss_mask *mask);
bool keep_slices(struct stream_cache *kept, struct slice_streams *streams);
