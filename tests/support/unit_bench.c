#include "support/unit_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct bench bench_of(const struct cache_config *config)
{
    struct bench bench = {.now = 1};
    assert_int_equal(cache_unit_init(&bench.unit, config, config->ways, 1), STATUS_OK);
    return bench;
}

enum unit_outcome bench_access(struct bench *bench, const struct packet *request)
{
    return cache_unit_access(&bench->unit, request,
                             request->address >> bench->unit.geometry.line_bits, bench->now,
                             &bench->effect);
}

void bench_fill(struct bench *bench, uint32_t id)
{
    cache_unit_fill(&bench->unit, &(struct packet){.id = id}, bench->now);
}

unsigned bench_settle(struct bench *bench, unsigned kind)
{
    unsigned sent = 0;
    for (struct packet_queue *misses = &bench->unit.misses; misses->count;) {
        const struct packet miss = *packet_queue_head(&bench->unit.packets, misses);
        packet_queue_pop(&bench->unit.packets, misses);
        sent += miss.kind == kind;
        if (miss.kind == PACKET_READ)
            bench_fill(bench, miss.id);
    }
    while (cache_unit_has_ready(&bench->unit))
        cache_unit_take(&bench->unit, bench->now);
    bench->now++;
    return sent;
}
