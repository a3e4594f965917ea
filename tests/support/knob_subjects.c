#include "support/knob_subjects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/timed_source.h"
#include "trace/instructions.h"
#include "workload/workload.h"

const struct knob_ground knob_grounds[] = {
    {"gtx480",
     {"gpu.sms=2", "l2.size=24KiB", "l1i.size=512B", "l1i.line=32B", "l1i.ways=2",
      "tlb.replacement=random", "gpu.shared_options=[0B, 16KiB, 32KiB]"}},
    {"rtx3070",
     {"gpu.sms=2", "l2.size=64KiB", "l2.ways=16", "l2.slices=2", "l2.slices_per_channel=1"}},
    {"cpwc-gtx480",
     {"gpu.sms=2", "tlb.entries=8", "tlb.ways=4", "l2tlb.enabled=yes", "l2tlb.entries=16",
      "l2tlb.ways=4", "pwc.entries=4", "pwc.block_entries=2", "l2.replacement=random"}},
    {"reuse-gtx470-16k",
     {"gpu.sms=2", "l1d.size=2KiB", "l1d.index=linear", "l1d.unified=16KiB", "l1d.mshr.merge=1",
      "gpu.shared_options=[0B, 8KiB, 12KiB]"}},
    {"simt-processor",
     {"gpu.sms=4",
      "gpu.address_bits=48",
      "gpu.shared_memory=48KiB",
      "scheduler.count=2",
      "core.decode=2",
      "pipe.sp.units=2",
      "pipe.sfu.units=2",
      "pipe.branch.units=2",
      "l1i.size=512B",
      "l1i.line=64B",
      "l1i.ways=4",
      "l1i.blocking=no",
      "l1i.mshr.entries=2",
      "l1i.mshr.merge=2",
      "l1i.miss_queue=2",
      "l1d.size=512B",
      "l1d.blocking=no",
      "l1d.mshr.entries=4",
      "l1d.mshr.merge=2",
      "l2.enabled=yes",
      "l2.size=16KiB",
      "l2.slices=4",
      "l2.slices_per_channel=2",
      "dram.fixed=no"}},
    {"simt-processor",
     {"l1i.size=512B", "l1i.line=64B", "l1i.ways=8", "l1d.size=512B", "l1d.ways=8",
      "l1d.replacement=random", "l1d.write=write_through", "l1d.write_allocate=none",
      "l1d.reuse.model.allocate=yes", "l1d.mshr.entries=4", "l2.size=8KiB", "l2.slices=4",
      "l2.slices_per_channel=1", "gpu.shared_options=[0B, 16KiB, 32KiB]"}},
    {"tile-gpu", {"tile.size=4KiB", "tile.ways=8", "tile.replacement=random"}},
};
const size_t knob_ground_count = sizeof knob_grounds / sizeof *knob_grounds;

#define ONLY(class) TIMED_ONLY(CLASS_##class)

/* By enum knob_source; scenes have none. */
static const struct timed_shape shapes[KNOB_SOURCES] = {
    [KNOB_MIXED] = {4, 12, 4, 60, 200, TIMED_ALL | TIMED_TEXTURES},
    [KNOB_WIDE] = {2, 4, 4, 300, 3000, TIMED_ALL},
    [KNOB_BLOCKS] = {1, 60, 1, 40, 64, TIMED_ALL | TIMED_TEXTURES},
    [KNOB_LOADS] = {1, 16, 8, 80, 120, TIMED_LOADS | ONLY(MEMORY)},
    [KNOB_STORES] = {1, 12, 4, 80, 60, TIMED_LOADS | TIMED_STORES | TIMED_FLOATS | ONLY(MEMORY)},
    [KNOB_SPECIAL] = {1, 12, 8, 80, 1, ONLY(SPECIAL) | ONLY(TENSOR)},
    [KNOB_DOUBLES] = {1, 4, 8, 80, 1, ONLY(DOUBLE) | ONLY(SINGLE) | ONLY(INTEGER)},
    [KNOB_BRANCHES] = {1, 4, 8, 80, 1, ONLY(BRANCH) | ONLY(TEXTURE) | ONLY(UNIFORM)},
};

static const char *const scenes[KNOB_SOURCES] = {
    [KNOB_SCENE] = "raster-jellyfish:width=64,height=48,frames=2,detail=6,samples=1",
    [KNOB_SHADOWS] = "raster-shadow:width=64,height=48,samples=4"};

struct trace_source *knob_sources[KNOB_SOURCES];

/* Moves accesses far apart, so that walks differ in every level of the page table. */
static void spread(struct timed_source *source)
{
    for (uint32_t i = 0; i < source->base.launch_count; i++)
        for (uint32_t w = 0; w < source->lists[i].blocks * source->lists[i].warps; w++)
            for (uint32_t k = 0; k < source->lists[i].warp[w].record_count; k++)
                source->lists[i].warp[w].records[k].base += (random_at(w, k) % 16 << 21) +
                                                            (random_at(k, w) % 4 << 38) +
                                                            (random_at(k, w) / 4 % 4 << 30);
}

int knob_sources_open(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOB_SOURCES; i++) {
        if (scenes[i]) {
            assert_int_equal(workload_open(scenes[i], &knob_sources[i], NULL), STATUS_OK);
            continue;
        }
        struct timed_source *timed = timed_source_random(7 + i, &shapes[i]);
        for (uint32_t k = 0; k < timed->base.launch_count; k++)
            timed->base.launches[k].shared_bytes = 6000;
        if (i == KNOB_WIDE)
            spread(timed);
        knob_sources[i] = &timed->base;
    }
    assert_true(knob_sources[KNOB_MIXED]->launch_count > 1);
    return 0;
}

int knob_sources_free(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOB_SOURCES; i++)
        trace_source_free(knob_sources[i]);
    return 0;
}
