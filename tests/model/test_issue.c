/* The order of issue against a twin that follows its definition word by word, and occupancy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "model/gpu/coalescer.h"
#include "model/gpu/issue.h"
#include "model/gpu/occupancy.h"
#include "schema/parameters.h"
#include "support/list_source.h"

struct recording {
    struct request *items;
    size_t count, capacity;
    unsigned launches;
};

static enum status record_launch(void *argument, const struct trace_launch *launch)
{
    (void)launch;
    ((struct recording *)argument)->launches++;
    return STATUS_OK;
}

static enum status record_requests(void *argument, const struct request *requests, size_t count)
{
    struct recording *recording = argument;
    assert_int_equal(
        array_reserve(&recording->items, &recording->capacity, recording->count + count), 0);
    memcpy(recording->items + recording->count, requests, count * sizeof *requests);
    recording->count += count;
    return STATUS_OK;
}

static enum status record_progress(void *argument, const struct issue_counts *counts)
{
    (void)argument;
    (void)counts;
    return STATUS_OK;
}

/* One resident block of the twin. */
struct twin_slot {
    bool used;
    uint64_t block, begun; /* in which round */
    uint32_t left[4];      /* instructions of each warp, records among them */
    uint32_t position[4];  /* records of each warp that were issued */
    uint32_t gap[4];       /* instructions before the next record */
};

static const struct list_warp *twin_warp(const struct list_launch *launch,
                                         const struct twin_slot *slot, uint32_t w)
{
    return &launch->warp[slot->block * launch->warps + w];
}

static bool twin_ended(const struct list_launch *launch, const struct twin_slot *slot)
{
    uint32_t left = 0;
    for (uint32_t w = 0; w < launch->warps; w++)
        left += slot->left[w];
    return !left;
}

/* Starts blocks until one has an instruction, or the SM's share is used up. */
static void twin_start(const struct list_launch *launch, struct twin_slot *slot, uint64_t *next,
                       uint64_t sms, uint64_t round)
{
    slot->used = false;
    for (; *next < launch->blocks && !slot->used; *next += sms) {
        memset(slot, 0, sizeof *slot);
        slot->block = *next;
        slot->begun = round;
        for (uint32_t w = 0; w < launch->warps; w++) {
            const struct list_warp *warp = twin_warp(launch, slot, w);
            slot->left[w] = warp->tail + warp->count;
            for (uint32_t i = 0; i < warp->count; i++)
                slot->left[w] += warp->items[i].gap;
            slot->gap[w] = warp->count ? warp->items[0].gap : 0;
        }
        slot->used = !twin_ended(launch, slot);
    }
}

/* Issues one instruction of a warp; of its gaps and its tail they ask for nothing. */
static void twin_step(const struct machine *machine, const struct list_launch *launch,
                      struct twin_slot *slot, uint32_t w, uint64_t sm, struct recording *out)
{
    const struct list_warp *warp = twin_warp(launch, slot, w);
    slot->left[w]--;
    if (slot->gap[w] || slot->position[w] == warp->count) {
        slot->gap[w] -= slot->gap[w] > 0;
        return;
    }
    struct access_window window = {0};
    struct request requests[COALESCED_MAX];
    unsigned made = coalesce(&machine->coalescer, &warp->items[slot->position[w]++], &window,
                             (uint16_t)sm, requests);
    assert_int_equal(record_requests(out, requests, made), STATUS_OK);
    if (slot->position[w] < warp->count)
        slot->gap[w] = warp->items[slot->position[w]].gap;
}

enum { TWIN_SMS = 4, TWIN_SLOTS = 16 };

static void twin_launch(const struct machine *machine, const struct list_source *source,
                        uint32_t number, struct recording *out)
{
    const struct list_launch *launch = &source->lists[number];
    uint32_t slots = occupancy_of(machine, &source->base.launches[number]).blocks;
    assert_true(slots <= TWIN_SLOTS);
    struct twin_slot slot[TWIN_SMS][TWIN_SLOTS] = {0};
    uint64_t next[TWIN_SMS];
    for (uint64_t s = 0; s < machine->gpu.sms; s++) {
        next[s] = s;
        for (uint32_t k = 0; k < slots; k++)
            twin_start(launch, &slot[s][k], &next[s], machine->gpu.sms, 0);
    }
    bool busy = true;
    for (uint64_t round = 0; busy; round++) {
        busy = false;
        for (uint64_t s = 0; s < machine->gpu.sms; s++)
            for (uint32_t k = 0; k < slots; k++) {
                struct twin_slot *place = &slot[s][k];
                busy |= place->used;
                for (uint32_t w = 0; w < launch->warps; w++) {
                    if (!place->used || place->begun > round || !place->left[w])
                        continue;
                    twin_step(machine, launch, place, w, s, out);
                    if (twin_ended(launch, place))
                        twin_start(launch, place, &next[s], machine->gpu.sms, round + 1);
                }
            }
    }
}

static void test_equals_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct list_source *source = list_source_random(seed, 3, 25, 90, 64);
        struct machine machine;
        machine_defaults(&machine);
        machine.gpu.sms = 1 + seed % TWIN_SMS;
        machine.gpu.max_blocks = 1 + seed % 7;
        machine.coalescer.arch = seed & 1 ? 20 : 70;
        machine.coalescer.order = seed & 2 ? ORDER_RISING : ORDER_FALLING;

        struct recording issued = {0}, expected = {0};
        struct issue_counts counts;
        const struct issue_sink sink = {.launch = record_launch,
                                        .requests = record_requests,
                                        .progress = record_progress,
                                        .argument = &issued};
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(issue_source(&machine, &source->base, &sink, &counts, &diagnostics), 0);
        for (uint32_t i = 0; i < source->base.launch_count; i++)
            twin_launch(&machine, source, i, &expected);

        assert_int_equal(issued.launches, 3);
        assert_int_equal(issued.count, expected.count);
        assert_int_equal(counts.transactions, expected.count);
        assert_memory_equal(issued.items, expected.items, issued.count * sizeof *issued.items);

        uint64_t instructions = 0, blocks = 0;
        for (uint32_t i = 0; i < source->base.launch_count; i++) {
            const struct list_launch *launch = &source->lists[i];
            blocks += launch->blocks;
            for (uint32_t w = 0; w < launch->blocks * launch->warps; w++) {
                instructions += launch->warp[w].tail + launch->warp[w].count;
                for (uint32_t k = 0; k < launch->warp[w].count; k++)
                    instructions += launch->warp[w].items[k].gap;
            }
        }
        assert_int_equal(counts.records.warp_instructions, instructions);
        assert_int_equal(counts.blocks, blocks);
        free(issued.items);
        free(expected.items);
        trace_source_free(&source->base);
    }
}

static void test_occupancy(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    struct trace_launch launch = {.grid = {1, 1, 1}, .block = {32, 8, 1}};
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 6); /* 1536 / 256 */
    launch.registers = 21;                                       /* 24 x 256 registers a block */
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 5);
    assert_int_equal(occupancy_of(&machine, &launch).limit, LIMIT_REGISTERS);
    static const struct launch_registers compiled = {{75, 80}, {40, 21}};
    launch.compiled = &compiled; /* by the machine's architecture */
    machine.coalescer.arch = 70;
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 3);
    machine.coalescer.arch = 86;
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 5);
    launch.shared_bytes = 20000;
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 2);
    assert_int_equal(occupancy_of(&machine, &launch).limit, LIMIT_SHARED);
    launch = (struct trace_launch){.grid = {1, 1, 1}, .block = {33, 1, 1}};
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 8); /* the block limit */
    assert_int_equal(occupancy_of(&machine, &launch).warps, 16);
    launch.shared_bytes = 50000;
    assert_int_equal(occupancy_of(&machine, &launch).blocks, 0);
}

static void test_too_large_launch_is_refused(void **state)
{
    (void)state;
    struct list_source *source = list_source_random(1, 1, 3, 3, 8);
    source->base.launches[0].shared_bytes = 1 << 20;
    struct machine machine;
    machine_defaults(&machine);
    struct recording issued = {0};
    struct issue_counts counts;
    const struct issue_sink sink = {.launch = record_launch,
                                    .requests = record_requests,
                                    .progress = record_progress,
                                    .argument = &issued};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(issue_source(&machine, &source->base, &sink, &counts, &diagnostics),
                     STATUS_INVALID);
    assert_non_null(strstr(diagnostics.items[0].message, "shared memory"));
    diagnostics_free(&diagnostics);
    trace_source_free(&source->base);
}

/* The QV100 of the GPGPU-Sim files: 32 KB written, up to 128 KB simulated. */
static void test_carve_out(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.gpu.max_threads = 2048;
    machine.gpu.max_blocks = 32;
    machine.gpu.shared_memory = 98304;
    machine.gpu.shared_options = (struct sizes){{0, 8192, 16384, 32768, 65536, 98304}, 6};
    machine.l1d.size = 32768;
    machine.l1d.ways = 64;
    machine.l1d.unified = 131072;
    struct trace_launch launch = {.grid = {1, 1, 1}, .block = {256, 1, 1}};
    assert_int_equal(occupancy_l1d_ways(&machine, &launch), 256);
    launch.shared_bytes = 2048; /* 8 blocks: 16 KiB */
    assert_int_equal(occupancy_l1d_ways(&machine, &launch), 224);
    launch.shared_bytes = 12288; /* 8 blocks: 96 KiB */
    assert_int_equal(occupancy_l1d_ways(&machine, &launch), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_twin),
        cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_too_large_launch_is_refused),
        cmocka_unit_test(test_carve_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
