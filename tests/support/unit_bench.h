/* A cache of the timing depth on its own, access by access, whose misses are answered by hand. */
#pragma once

#include "model/timing/cache/cache_unit.h"

struct bench {
    struct cache_unit unit;
    struct unit_effect effect; /* of the last access */
    uint64_t now;
};

/* The cache is not shared; free bench.unit. */
struct bench bench_of(const struct cache_config *config);

enum unit_outcome bench_access(struct bench *bench, const struct packet *request);

/* The data of a miss are there. */
void bench_fill(struct bench *bench, uint32_t id);

/* Answers every miss at once. Returns how many packets of a kind were sent. */
unsigned bench_settle(struct bench *bench, unsigned kind);
