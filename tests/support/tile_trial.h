/* Small random streams of tile requests, as a rasteriser could make them: surfaces of both kinds,
 * passes that clear some of them, and requests that prefer lines worked on not long before. What
 * passes and which lines are cleared is found by executing them in order. */
#pragma once

#include "trace/stream.h"
#include "trace/tile_stream.h"

struct tile_trial {
    struct tile_stream stream; /* first, so that a stream is its trial */
    struct tile_pass passes[4];
    struct tile_request *requests;
    uint32_t (*values)[TILE_VALUES];
    uint32_t ends[4]; /* of each pass: the first request after it */
    struct trace_launch launches[4];
    struct trace_source source; /* a scene; it has no records */
};

/* `count` requests; `spread`: lines away from the last one that most requests lie. */
struct tile_trial *tile_trial_random(uint64_t seed, uint32_t count, uint32_t spread);
/* One pass over one surface of 64 x 64 pixels; request i works on line lines[i] of its first row.
 */
struct tile_trial *tile_trial_lines(const uint32_t *lines, uint32_t count);
void tile_trial_free(struct tile_trial *trial);
