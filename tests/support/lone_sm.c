#include "support/lone_sm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/gpu/occupancy.h"

static void answer(struct sm *sm, uint64_t latency)
{
    for (; sm->port.sent.count; packet_queue_pop(&sm->packets, &sm->port.sent)) {
        struct packet reply = *packet_queue_head(&sm->packets, &sm->port.sent);
        const uint32_t part = sm->shared->part_bytes;
        reply.ready += latency;
        if (reply.kind == PACKET_WRITEBACK)
            continue;
        for (uint32_t parts = (reply.bytes - 1u) / part + 1; parts; parts--)
            assert_true(packet_queue_push(&sm->packets, &sm->port.arriving, &reply));
    }
}

/* What is not in the list of free ones that begins at `at`. */
#define HELD(count, items, at)                                                                     \
    do {                                                                                           \
        held += count;                                                                             \
        for (uint32_t i = at; i != UINT32_MAX; i = (items)[i].next)                                \
            held--;                                                                                \
    } while (0)

static uint32_t count_held(const struct sm *sm)
{
    uint32_t held = 0;
    HELD(sm->ops.count, sm->ops.items, sm->ops.free);
    HELD(sm->records.count, sm->records.items, sm->records.free);
    if (sm->shared->machine->l1d.enabled)
        HELD(sm->load_store.l1d.target_count, sm->load_store.l1d.targets,
             sm->load_store.l1d.free_target);
    return held + sm->load_store.l1d.mshrs_used;
}

struct lone_sm lone_sm_run(const struct machine *machine, const struct trace_source *source,
                           uint64_t latency, uint64_t span, uint64_t limit)
{
    struct sm *sm = calloc(1, sizeof *sm);
    assert_non_null(sm);
    const struct trace_launch *launch = &source->launches[0];
    const uint64_t blocks = launch_blocks(launch), ways = occupancy_l1d_ways(machine, launch);
    struct sm_machine shared;
    struct lone_sm result = {0};
    assert_int_equal(sm_machine_init(&shared, machine, (struct ideal_set){{0}}, source), STATUS_OK);
    assert_int_equal(sm_init(sm, &shared, 0, ways, NULL), STATUS_OK);
    sm->port.places = limit_of(LIMIT_NONE);
    const uint32_t slots = occupancy_of(machine, launch).blocks;
    assert_int_equal(sm_prepare(sm, 0, blocks < slots ? (uint32_t)blocks : slots, ways), STATUS_OK);
    for (uint64_t next = 0; next < blocks || sm->live_blocks;) {
        for (; next < blocks && sm_has_room(sm); next++)
            assert_int_equal(sm_start_block(sm, next), STATUS_OK);
        sm->port.room = UINT32_MAX / 2;
        sm_advance(sm, sm->now + span, next < blocks);
        assert_int_equal(sm->status, STATUS_OK);
        assert_true(sm->now < limit);
        answer(sm, latency);
    }
    result.cycles = sm->emptied;
    result.counts = sm->counts;
    result.l1d = sm->load_store.l1d.counts;
    result.l1i = sm->fetch.l1i.counts;
    result.stream = sm->fetch.stream.counts;
    for (uint32_t i = 0; i < sm->fetch.l0_count; i++) {
        for (unsigned k = 0; k < UNIT_OUTCOMES; k++)
            result.l0.reads[k] += sm->fetch.l0s[i].counts.reads[k];
        result.l0.read_bytes += sm->fetch.l0s[i].counts.read_bytes;
    }
    /* Tries that were skipped are not among the cache's own counts, but in sm_counts. */
    memset(result.l1d.fails, 0, sizeof result.l1d.fails);
    memcpy(result.latencies, sm->latencies, sizeof result.latencies);
    result.held = count_held(sm);
    sm_free(sm);
    sm_machine_free(&shared);
    free(sm);
    return result;
}
