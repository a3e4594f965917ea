/* The streams of one workload that are kept in memory (live_answers.h): logs under the key of the
 * stage that sent them, miss masks under that of their L1D, and slice streams of both. Bounded:
 * what was used longest ago goes, and with a log all that needs it. */
#pragma once

#include "explore/plan/stage_key.h"
#include "model/replay/miss_mask.h"
#include "model/replay/slice_streams.h"

enum { STREAM_CACHE_PLACES = 64 };

struct cached_stream { /* one of three things, or a free place */
    struct stage_key key;
    struct request_log *log;
    struct miss_mask *mask;
    struct slice_streams *streams;
    uint64_t used;
};

struct stream_cache { /* zeroed at first, but the limit */
    struct cached_stream items[STREAM_CACHE_PLACES];
    uint64_t limit; /* bytes of all together */
    uint64_t clock; /* of uses */
    uint64_t since; /* what was used after this stays */
};

void stream_cache_forget(struct stream_cache *kept);

/* From here on what is found and kept stays where it is, until the next call. */
void stream_cache_hold(struct stream_cache *kept);

/* NULL: it is not there. What is found has been used. */
const struct request_log *kept_log(struct stream_cache *kept, const struct stage_key *key);
const struct miss_mask *kept_mask(struct stream_cache *kept, const struct stage_key *key);
/* `placed` as in slice_streams_create. */
const struct slice_streams *kept_slices(struct stream_cache *kept, const struct request_log *log,
                                        const struct cache_config *l2, bool placed);

/* Take it over, NULL too. The log has to have been finished. False, and it is freed: there is no
 * room for it. */
bool keep_log(struct stream_cache *kept, const struct stage_key *key, struct request_log *log);
bool keep_mask(struct stream_cache *kept, const struct stage_key *key, struct miss_mask *mask);
bool keep_slices(struct stream_cache *kept, struct slice_streams *streams);
