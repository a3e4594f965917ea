/* The streams of one workload that are kept in memory (live_memory.h): tapes under the key of the
 * stage that sent them, passages under that of their L1D, and deals of both. Bounded: what was used
 * longest ago goes, and with a tape all that needs it. */
#pragma once

#include "explore/stage_key.h"
#include "model/deal.h"
#include "model/passage.h"

enum { KEPT_STREAMS = 64 };

struct kept_stream { /* one of three things, or a free place */
    struct stage_key key;
    struct tape *tape;
    struct passage *passage;
    struct deal *deal;
    uint64_t used;
};

struct kept_streams { /* zeroed at first, but the limit */
    struct kept_stream items[KEPT_STREAMS];
    uint64_t limit; /* bytes of all together */
    uint64_t clock; /* of uses */
    uint64_t since; /* what was used after this stays */
};

void kept_streams_forget(struct kept_streams *kept);

/* Of all together. */
uint64_t kept_streams_bytes(const struct kept_streams *kept);

/* From here on what is found and kept stays where it is, until the next call. */
void kept_streams_hold(struct kept_streams *kept);

/* NULL: it is not there. What is found has been used. */
const struct tape *kept_tape(struct kept_streams *kept, const struct stage_key *key);
const struct passage *kept_passage(struct kept_streams *kept, const struct stage_key *key);
/* `placed` as in deal_create. */
const struct deal *kept_deal(struct kept_streams *kept, const struct tape *tape,
                             const struct cache_config *l2, bool placed);

/* Take it over, NULL too. The tape has to have been finished. False, and it is freed: there is no
 * room for it. */
bool keep_tape(struct kept_streams *kept, const struct stage_key *key, struct tape *tape);
bool keep_passage(struct kept_streams *kept, const struct stage_key *key, struct passage *passage);
bool keep_deal(struct kept_streams *kept, struct deal *deal);
