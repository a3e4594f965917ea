/* No knob does nothing at depth timing (support/knobs.h).
 *
 * Most parameters change the cycles of the first programs that are tried. The hints are for those
 * that need a machine on which what they limit is short.
 *
 * cost: 40 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/knobs.h"

static const struct knob_hint hints[] = {
    /* Replies wait for a fill that takes the port for long, and hold up what comes after them. */
    {"network.ejected",
     KNOB_LOADS,
     {"l1d.port=4B", "network.kind=crossbar", "network.queue=2", "core.responses=1"}},
    {"core.responses",
     KNOB_MIXED,
     {"l1d.port=4B", "l1d.mshr.entries=64", "l1i.size=512B", "l1i.line=32B", "l1i.ways=2",
      "network.kind=crossbar"}},
    {"dram.returns",
     KNOB_LOADS,
     {"dram.returns=1", "dram.queue=2", "l2.size=4KiB", "l2.ways=4", "l2.slices=4",
      "l2.slices_per_channel=2", "network.kind=crossbar"}},
    /* Two pipes have results of one set of collectors at once. */
    {"core.sfu_",
     KNOB_SPECIAL,
     {"gpu.sms=1", "gpu.cluster=1", "pipe.sfu.units=4", "pipe.sfu.interval=1", "core.fetch=8",
      "l1i.enabled=no", "pipe.tensor.units=4", "scheduler.count=4", "core.banks=64", "core.reads=4",
      "core.results=8"}},
    {"core.results",
     KNOB_DOUBLES,
     {"core.results=1", "core.banks=64", "core.reads=4", "scheduler.count=4", "pipe.sp.units=4"}},
    {"core.dp_collectors",
     KNOB_DOUBLES,
     {"pipe.dp.units=2", "core.dp_collectors=1", "scheduler.count=4"}},
    {"pipe.dp.", KNOB_DOUBLES, {"pipe.dp.units=1"}},
    {"pipe.sfu.", KNOB_SPECIAL, {"pipe.tensor.units=1"}},
    {"pipe.tensor.", KNOB_SPECIAL, {"pipe.tensor.units=1"}},
    {"pipe.branch.", KNOB_BRANCHES, {"pipe.branch.units=1"}},
    {"pipe.texture.", KNOB_BRANCHES, {"pipe.texture.units=1"}},
    {"pipe.uniform.", KNOB_BRANCHES, {"pipe.uniform.units=1"}},
    /* One set, whose lines are all dirty but those that loads take. */
    {"l1d.dirty",
     KNOB_STORES,
     {"l1d.size=2KiB", "l1d.ways=16", "l1d.line=128B", "l1d.index=linear", "l1d.unified=0B",
      "l1d.write=write_back", "l1d.write_allocate=lazy_fetch", "l1d.dirty=50%"}},
    {"l2.atomic_float", KNOB_STORES, {"l2.atomic=4"}},
    /* Policies that learn need many accesses of one launch to few sets. */
    {"l1d.bypass.",
     KNOB_LOADS,
     {"gpu.sms=1", "gpu.cluster=1", "l1d.size=2KiB", "l1d.ways=4", "l1d.line=128B",
      "l1d.index=linear", "l1d.unified=0B", "l1d.blocking=no", "network.kind=crossbar",
      "l2.latency=10", "dram.latency=10"}},
    {"scheduler.throttle",
     KNOB_LOADS,
     {"l1d.size=2KiB", "l1d.ways=4", "l1d.line=128B", "l1d.index=linear", "l1d.unified=0B"}},
    {"l1d.bypass.mshr", KNOB_MIXED, {"l1d.bypass.loads=0xff"}},
    /* Shared collectors of which many are ready at once. */
    {"core.collector_ports",
     KNOB_SPECIAL,
     {"core.collectors=16", "core.collector_ports=1", "pipe.sfu.units=4", "pipe.tensor.units=4",
      "scheduler.count=4"}},
    /* Fetches that the network is slow to take. */
    {"l1i.miss_queue",
     KNOB_MIXED,
     {"l1i.size=128B", "l1i.line=16B", "l1i.ways=8", "l1i.mshr.entries=64", "l1i.buffer=8",
      "network.kind=axi", "network.flit=4B", "network.inject=1", "network.queue=1"}},
    /* Writes that wait until many have come. */
    {"dram.write_",
     KNOB_STORES,
     {"dram.write_queue=16", "dram.write_high=8", "dram.write_low=2", "l2.size=4KiB", "l2.ways=4",
      "l2.slices=2", "l2.slices_per_channel=2", "l2.write=write_back"}},
    {"pwc.", KNOB_WIDE, {"tlb.entries=2", "tlb.ways=2", "l2tlb.enabled=no"}},
    {"pwc.",
     KNOB_WIDE,
     {"tlb.entries=2", "tlb.ways=2", "l2tlb.enabled=no", "pwc.mask=blocks", "pwc.entries=8",
      "pwc.block_entries=2"}},
    {"l1d.allocate", KNOB_STORES, {"l1d.write=write_through", "l1d.write_allocate=none"}},
    {"dram.rf", KNOB_STORES, {"dram.refi=1000", "dram.rfc=100", "l2.size=4KiB", "l2.slices=4"}},
    {"dram.ref", KNOB_STORES, {"dram.refi=1000", "dram.rfc=100", "l2.size=4KiB", "l2.slices=4"}},
    {"core.subcores", KNOB_MIXED, {"scheduler.count=2", "core.collectors=8", "core.banks=16"}},
    {"core.sp_ports",
     KNOB_DOUBLES,
     {"core.sp_ports=1", "core.banks=64", "core.reads=4", "scheduler.count=4", "pipe.sp.units=4",
      "pipe.int.units=4"}},
    {"l2.allocate",
     KNOB_STORES,
     {"l2.write=write_through", "l2.write_allocate=none", "l2.size=4KiB", "l2.ways=4",
      "l2.slices=2", "l2.slices_per_channel=2"}},
    {"l2.reset",
     KNOB_MIXED,
     {"l2.size=4KiB", "l2.ways=8", "l2.slices=4", "l2.slices_per_channel=2"}},
};

static void timing_knobs(void **state)
{
    (void)state;
    const struct knobs knobs = {DEPTH_TIMING, hints, sizeof hints / sizeof *hints};
    assert_int_equal(knobs_without_witness(&knobs), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(timing_knobs)};
    return cmocka_run_group_tests(tests, knob_sources_open, knob_sources_free);
}
