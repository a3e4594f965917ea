#include "schema/parameters.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE(constant, name, help, ...) {name, help},

static const struct choice kind_choices[] = {KIND_LIST(CHOICE)};
static const struct choice replacement_choices[] = {REPLACEMENT_LIST(CHOICE)};
static const struct choice reset_choices[] = {RESET_LIST(CHOICE)};
static const struct choice index_choices[] = {INDEX_LIST(CHOICE)};
static const struct choice write_choices[] = {WRITE_LIST(CHOICE)};
static const struct choice allocate_choices[] = {ALLOCATE_LIST(CHOICE)};
static const struct choice write_allocate_choices[] = {WRITE_ALLOCATE_LIST(CHOICE)};
static const struct choice mshr_choices[] = {MSHR_LIST(CHOICE)};
static const struct choice scheduler_choices[] = {SCHEDULER_LIST(CHOICE)};
static const struct choice bypass_choices[] = {BYPASS_LIST(CHOICE)};
static const struct choice adaptive_choices[] = {BYPASS_ADAPTIVE_LIST(CHOICE)};
static const struct choice signature_choices[] = {BYPASS_SIGNATURE_LIST(CHOICE)};
static const struct choice drain_choices[] = {BYPASS_DRAIN_LIST(CHOICE)};
static const struct choice stores_choices[] = {BYPASS_STORES_LIST(CHOICE)};
static const struct choice stalls_choices[] = {BYPASS_STALLS_LIST(CHOICE)};
static const struct choice network_choices[] = {NETWORK_LIST(CHOICE)};
static const struct choice dram_choices[] = {DRAM_SCHEDULER_LIST(CHOICE)};
static const struct choice bank_hash_choices[] = {BANK_HASH_LIST(CHOICE)};
static const struct choice bank_group_choices[] = {BANK_GROUP_LIST(CHOICE)};
static const struct choice partition_choices[] = {PARTITION_LIST(CHOICE)};
static const struct choice ports_choices[] = {PORTS_LIST(CHOICE)};
static const struct choice target_choices[] = {TARGET_LIST(CHOICE)};
static const struct choice pwc_choices[] = {PWC_LIST(CHOICE)};
static const struct choice reuse_mode_choices[] = {REUSE_MODE_LIST(CHOICE)};
static const struct choice reuse_wait_choices[] = {REUSE_WAIT_LIST(CHOICE)};
static const struct choice walker_choices[] = {WALKER_LIST(CHOICE)};
static const struct choice pwc_mask_choices[] = {PWC_MASK_LIST(CHOICE)};
static const struct choice tile_partition_choices[] = {TILE_PARTITION_LIST(CHOICE)};
static const struct choice tile_unit_choices[] = {TILE_UNIT_LIST(CHOICE)};
static const struct choice tile_queue_choices[] = {TILE_QUEUE_LIST(CHOICE)};

static bool may_have_l1d(const struct machine *machine)
{
    return machine_may_have(machine, STAGE_L1D);
}

static bool may_have_l2(const struct machine *machine)
{
    return machine_may_have(machine, STAGE_L2);
}

static bool may_have_l1i(const struct machine *machine)
{
    return machine_may_have(machine, STAGE_L1I);
}

static bool has_l1d(const struct machine *machine)
{
    return machine_has(machine, STAGE_L1D);
}

/* Whether the state at power-up changes what misses. Where a repeated access is idle, an access
 * puts its way in the same place whatever the state was, so another start only renames the ways. */
static bool resets(int policy)
{
    const unsigned traits = replacement_facts[policy].traits;
    return traits & REPLACEMENT_RESETS && !(traits & REPLACEMENT_REPEAT_IDLE);
}

static bool has_l1d_reset(const struct machine *machine)
{
    return has_l1d(machine) && resets(machine->l1d.replacement);
}

/* Whether its bypass policy reads what a trait names. */
static bool bypass_reads(const struct machine *machine, unsigned trait)
{
    return has_l1d(machine) && bypass_traits[machine->l1d.bypass.policy] & trait;
}

static bool has_bypass_loads(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_LOADS);
}

static bool has_bypass_chance(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_CHANCE);
}

static bool has_bypass_adaptive(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_THRESHOLD);
}

static bool has_bypass_threshold(const struct machine *machine)
{
    return has_bypass_adaptive(machine) && machine->l1d.bypass.adaptive != BYPASS_BY_LATENCY;
}

static bool has_bypass_entries(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_ENTRIES);
}

static bool has_bypass_reset(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_RESET);
}

static bool has_bypass_tokens(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_TOKENS);
}

static bool has_bypass_distance(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_DISTANCE);
}

static bool has_bypass_queues(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_QUEUES);
}

static bool has_bypass_tags(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_TAGS);
}

static bool has_bypass_dynamic(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_DYNAMIC);
}

static bool has_bypass_throttle(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_THROTTLE);
}

static bool has_bypass_shared(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_SHARES);
}

static bool has_bypass_mshr(const struct machine *machine)
{
    return bypass_reads(machine, BYPASS_SKIPS);
}

static bool has_l2(const struct machine *machine)
{
    return machine_has(machine, STAGE_L2);
}

static bool has_halves(const struct machine *machine)
{
    return has_l2(machine) && machine->l2.halves;
}

static bool has_l2_reset(const struct machine *machine)
{
    return has_l2(machine) && resets(machine->l2.replacement);
}

static bool has_tlb(const struct machine *machine)
{
    return machine_has(machine, STAGE_TLB);
}

static bool may_have_tlb(const struct machine *machine)
{
    return machine_may_have(machine, STAGE_TLB);
}

static bool has_l2tlb(const struct machine *machine)
{
    return has_tlb(machine) && machine->l2tlb.enabled;
}

static bool is_chip(const struct machine *machine)
{
    return machine->tech.target == TARGET_ASIC;
}

static bool has_walks_in_l2(const struct machine *machine)
{
    return has_tlb(machine) && has_l2(machine);
}

static bool has_patience(const struct machine *machine)
{
    return has_tlb(machine) && walker_traits[machine->walker.policy] & WALKER_REORDERS;
}

static bool has_pwc(const struct machine *machine)
{
    return has_tlb(machine) && pwc_traits[machine->pwc.organization] & PWC_ENTRIES;
}

static bool has_pwc_sets(const struct machine *machine)
{
    return has_tlb(machine) && pwc_traits[machine->pwc.organization] & PWC_SETS;
}

static bool has_levels(const struct machine *machine)
{
    return has_tlb(machine) && pwc_traits[machine->pwc.organization] & PWC_LEVELS;
}

static bool has_blocks(const struct machine *machine)
{
    return has_tlb(machine) && pwc_traits[machine->pwc.organization] & PWC_BLOCKS;
}

static bool has_active(const struct machine *machine)
{
    return scheduler_facts[machine->scheduler.policy].traits & SCHEDULER_ACTIVE;
}

static bool has_l1i(const struct machine *machine)
{
    return may_have_l1i(machine) && (machine->l1i.enabled || machine->l1i.fetches);
}

static bool has_l1i_reset(const struct machine *machine)
{
    return has_l1i(machine) && resets(machine->l1i.replacement);
}

static bool has_l0(const struct machine *machine)
{
    return has_l1i(machine) && machine->l1i.l0.size;
}

/* Depth timing reads the switch of its own. */
static bool at_timing_l1i(const struct machine *machine)
{
    return may_have_l1i(machine) && machine->l1i.enabled;
}

static bool at_timing_l0(const struct machine *machine)
{
    return at_timing_l1i(machine) && machine->l1i.l0.size;
}

static bool may_have_tile(const struct machine *machine)
{
    return machine_may_have(machine, STAGE_TILE);
}

static bool tile_is(const struct machine *machine, unsigned trait)
{
    return machine_has(machine, STAGE_TILE) && tile_queue_traits[machine->tile.queue.kind] & trait;
}

static bool has_tile(const struct machine *machine)
{
    return machine_has(machine, STAGE_TILE);
}

static bool has_tile_cache(const struct machine *machine)
{
    return has_tile(machine) && !tile_is(machine, TILE_BINS);
}

static bool has_tile_reset(const struct machine *machine)
{
    return has_tile_cache(machine) && resets(machine->tile.cache.replacement);
}

static bool has_tile_entries(const struct machine *machine)
{
    return tile_is(machine, TILE_ENTRIES);
}

static bool has_tile_merge(const struct machine *machine)
{
    return tile_is(machine, TILE_MERGES);
}

static bool has_bins(const struct machine *machine)
{
    return tile_is(machine, TILE_BINS);
}

static bool has_common_collectors(const struct machine *machine)
{
    return machine->core.collectors;
}

static bool has_own_collectors(const struct machine *machine)
{
    return !machine->core.collectors;
}

static bool has_flits(const struct machine *machine)
{
    return network_traits[machine->network.kind] & NETWORK_FLITS;
}

static bool has_packets(const struct machine *machine)
{
    return !has_flits(machine);
}

static bool has_dram_banks(const struct machine *machine)
{
    return !machine->dram.fixed;
}

static bool has_write_queue(const struct machine *machine)
{
    return has_dram_banks(machine) && machine->dram.write_queue;
}

static bool has_second_issue(const struct machine *machine)
{
    return machine->scheduler.issue > 1;
}

static bool has_refresh(const struct machine *machine)
{
    return has_dram_banks(machine) && machine->dram.refi;
}

static bool has_refresh_of_all(const struct machine *machine)
{
    return has_refresh(machine) && !machine->dram.rfcsb;
}

/* Its lowest bits choose the slice of a channel, also where the DRAM has no banks. */
static bool has_bank_mask(const struct machine *machine)
{
    return has_dram_banks(machine) || machine->l2.slices_per_channel > 1;
}

static bool has_carveout(const struct machine *machine)
{
    return has_l1d(machine) && machine->l1d.unified;
}

#define ROW(path_, type_, field, unit_, min_, max_, stepping_, step_, stages_, relevant_, help_)   \
    .path = path_, .type = type_, .unit = unit_, .min = min_, .max = max_, .stepping = stepping_,  \
    .step = step_, .stages = stages_, .relevant = relevant_, .help = help_,                        \
    .offset = offsetof(struct machine, field)

/* An integer; `part` says whether it determines the number of sets (geometry_part). */
#define GEOMETRY(part, path, field, unit, min, max, stepping, step, value, stages, relevant, help) \
    {                                                                                              \
        ROW(path, PARAMETER_UINT, field, unit, min, max, stepping, step, stages, relevant, help),  \
            .fallback.uint = value, .geometry = part                                               \
    }
#define UINT(path, field, unit, min, max, stepping, step, value, stages, relevant, help)           \
    GEOMETRY(NO_GEOMETRY, path, field, unit, min, max, stepping, step, value, stages, relevant,    \
             help)
#define COUNT(path, field, min, max, value, stages, relevant, help)                                \
    UINT(path, field, UNIT_NONE, min, max, STEP_ADD, 1, value, stages, relevant, help)
#define BYTES(path, field, min, max, stepping, value, stages, relevant, help)                      \
    UINT(path, field, UNIT_BYTES, min, max, stepping, 0, value, stages, relevant, help)
#define CYCLES(path, field, value, relevant, help)                                                 \
    UINT(path, field, UNIT_NONE, 0, 100000, STEP_ADD, 1, value, AT_TIMING, relevant, help)
#define WAYS(part, path, field, value, stages, relevant)                                           \
    {                                                                                              \
        ROW(path, PARAMETER_UINT, field, UNIT_NONE, 1, WAYS_FULL, STEP_DOUBLE, 0, stages,          \
            relevant, "associativity; full: fully associative, whatever the entries"),             \
            .fallback.uint = value, .geometry = part, .top = "full"                                \
    }
#define SWITCH(path, field, value, stages, relevant, help)                                         \
    {                                                                                              \
        ROW(path, PARAMETER_BOOL, field, UNIT_NONE, 0, 1, STEP_ADD, 1, stages, relevant, help),    \
            .fallback.uint = value                                                                 \
    }
#define ENUM(path, field, list, value, stages, relevant, help)                                     \
    {                                                                                              \
        ROW(path, PARAMETER_ENUM, field, UNIT_NONE, 0, sizeof list / sizeof *list - 1, STEP_ADD,   \
            1, stages, relevant, help),                                                            \
            .fallback.uint = value, .choices = list, .choice_count = sizeof list / sizeof *list    \
    }
#define REAL(path, field, unit, min, max, step, value, stages, relevant, help)                     \
    {                                                                                              \
        ROW(path, PARAMETER_REAL, field, unit, min, max, STEP_ADD, step, stages, relevant, help),  \
            .fallback.real = value                                                                 \
    }
#define SCALE(path, field, what)                                                                   \
    REAL(path, field, UNIT_NONE, 0.001, 1000, 0.1, 1, STAGE_AREA, is_chip,                         \
         "factor on all estimated " what ", for one that was measured (warpscape area --anchor)")
#define SIZES(path, field, max, stages, relevant, help)                                            \
    {                                                                                              \
        ROW(path, PARAMETER_SIZES, field, UNIT_BYTES, 0, max, STEP_NONE, 0, stages, relevant,      \
            help)                                                                                  \
    }

#define KIB 1024.0
#define MIB (1024.0 * 1024)
#define GIB (1024.0 * 1024 * 1024)

/* The rows that an L1D and an L2 share; `what` is "L1D of one SM" or "L2, all slices". */
#define CACHE_ROWS(p, c, stage, has, what, max_size)                                               \
    SWITCH(p ".enabled", c.enabled, 1, stage | STAGE_AREA, may_have_##c,                           \
           "the machine has this cache"),                                                          \
        GEOMETRY(GEOMETRY_CAPACITY, p ".size", c.size, UNIT_BYTES, 128, max_size, STEP_DOUBLE, 0,  \
                 c##_SIZE, stage | STAGE_AREA, has, "capacity of the " what),                      \
        GEOMETRY(GEOMETRY_WAYS, p ".ways", c.ways, UNIT_NONE, 1, 4096, STEP_ADD, 1, c##_WAYS,      \
                 stage | STAGE_AREA, has, "associativity; any number that divides size / line"),   \
        BYTES(p ".line", c.line, 16, 512, STEP_POWER, 128, stage | STAGE_AREA, has,                \
              "bytes covered by one tag"),                                                         \
        BYTES(p ".sector", c.sector, 16, 512, STEP_POWER, c##_SECTOR, stage | STAGE_AREA, has,     \
              "bytes fetched by one miss; equal to the line: not sectored"),                       \
        ENUM(p ".index", c.index, index_choices, c##_INDEX, stage | STAGE_AREA, has,               \
             "set index function"),                                                                \
        ENUM(p ".replacement", c.replacement, replacement_choices, REPLACEMENT_LRU,                \
             stage | STAGE_AREA | NOT_AT(DEPTH_REUSE), has, "which way a miss replaces"),          \
        ENUM(p ".reset", c.reset, reset_choices, RESET_PAPER, stage | NOT_AT(DEPTH_REUSE),         \
             has##_reset, "replacement state of a set at power-up"),                               \
        ENUM(p ".write", c.write, write_choices, c##_WRITE,                                        \
             stage | STAGE_AREA | NOT_AT(DEPTH_REUSE), has, "what a store does"),                  \
        ENUM(p ".write_allocate", c.write_allocate, write_allocate_choices, c##_WRITE_ALLOCATE,    \
             stage | NOT_AT(DEPTH_REUSE), has, "what a store that misses does"),                   \
        ENUM(p ".allocate", c.allocate, allocate_choices, ALLOCATE_ON_MISS, AT_TIMING | c##_REUSE, \
             has, "when a miss takes its line"),                                                   \
        SWITCH(p ".flush", c.flush, c##_FLUSH, stage, has, "emptied between launches"),            \
        ENUM(p ".mshr.kind", c.mshr.kind, mshr_choices, c##_MSHR, FOR_FILES, has,                  \
             "what files for simulators call its miss-status holding registers"),                  \
        COUNT(p ".mshr.entries", c.mshr.entries, 1, 65536, c##_MSHR_ENTRIES,                       \
              AT_TIMING | STAGE_AREA | c##_REUSE, has, "blocks in flight"),                        \
        COUNT(p ".mshr.merge", c.mshr.merge, 1, 1024, c##_MSHR_MERGE,                              \
              AT_TIMING | STAGE_AREA | c##_REUSE, has,                                             \
              "requests merged into one block in flight"),                                         \
        c##_MSHR_PER_WARP COUNT(p ".miss_queue", c.miss_queue, 1, 4096, c##_MISS_QUEUE,            \
                                AT_TIMING | STAGE_AREA, has, "misses waiting for the next level"), \
        COUNT(p ".result_fifo", c.result_fifo, 0, 4096, 0, FOR_FILES, has,                         \
              "what files for simulators call the result FIFO of a texture cache"),                \
        BYTES(p ".port", c.port, 0, 1024, STEP_DOUBLE, c##_PORT, AT_TIMING, has,                   \
              "bytes a cycle of the data port; 0: one line"),                                      \
        COUNT(p ".banks", c.banks, 1, 64, 1, AT_TIMING | STAGE_AREA, has, "banks of the " what),   \
        CYCLES(p ".latency", c.latency, c##_LATENCY, c##_WAITS, "cycles of a hit"),                \
        UINT(p ".output", c.output, UNIT_BITS, 8, 4096, STEP_DOUBLE, 0, 256, STAGE_AREA, has,      \
             "bits read out of one data array per access"),                                        \
        ENUM(p ".ports", c.ports, ports_choices, PORTS_1RW, STAGE_AREA, has,                       \
             "ports of its arrays")

/* The rows of one pipe. */
#define PIPE_ROWS(p, f, units_, latency_, interval_, what)                                         \
    COUNT("pipe." p ".units", pipe.f.units, 0, 64, units_, AT_TIMING, NULL,                        \
          "units of one SM for " what),                                                            \
        COUNT("pipe." p ".latency", pipe.f.latency, 1, 500, latency_, AT_TIMING, NULL,             \
              "cycles from acceptance to result"),                                                 \
        COUNT("pipe." p ".interval", pipe.f.interval, 1, 500, interval_, AT_TIMING, NULL,          \
              "cycles before a unit accepts the next instruction")

/* A time of the DRAM, in cycles of its clock. */
#define DRAM_TIME(name, value, help)                                                               \
    COUNT("dram." #name, dram.name, 0, 500, value, AT_TIMING, has_dram_banks, help)

/* Masks work as in GPGPU-Sim: with a power of two of channels on the whole address, otherwise on
 * the address from which the channel is divided out. */
#define MASK(name, value, relevant, what)                                                          \
    UINT("dram." #name "_mask", dram.name##_mask, UNIT_MASK, 0, 9007199254740991.0, STEP_NONE, 0,  \
         value, AT_TIMING, relevant, "address bits, none of the channel's, that make " what)

/* The fallbacks are the GTX 480 of the GPGPU-Sim configuration files. */
#define l1d_SIZE           16384
#define l1d_WAYS           4
#define l1d_SECTOR         128
#define l1d_INDEX          INDEX_FERMI
#define l1d_WRITE          WRITE_LOCAL_BACK
#define l1d_WRITE_ALLOCATE WRITE_ALLOCATE_NONE
#define l1d_MSHR           MSHR_SECTOR
#define l1d_MSHR_ENTRIES   64
#define l1d_MSHR_MERGE     8
#define l1d_MISS_QUEUE     8
#define l1d_PORT           0
#define l1d_LATENCY        35
#define l1d_WAITS          has_l1d
#define l1d_REUSE          AT_REUSE
#define l1d_FLUSH          1
#define l1d_MSHR_PER_WARP                                                                          \
    COUNT("l1d.mshr.per_warp", l1d.mshr.per_warp, 0, 65536, 0, AT_REUSE, has_l1d,                  \
          "lines that one warp may have in flight; 0: no limit of its own (textbook)"),            \
        SWITCH("l1d.mshr.tags", l1d.mshr.tags, 0, AT_TIMING | STAGE_AREA, has_l1d,                 \
               "the tags note what is in flight, so no entries and merges limit the misses"),
#define l2_SIZE           786432
#define l2_WAYS           8
#define l2_SECTOR         32
#define l2_INDEX          INDEX_MODULO
#define l2_WRITE          WRITE_BACK
#define l2_WRITE_ALLOCATE WRITE_ALLOCATE_LAZY
#define l2_MSHR           MSHR_ASSOCIATIVE
#define l2_MSHR_ENTRIES   256
#define l2_MSHR_MERGE     4
#define l2_MISS_QUEUE     4
#define l2_PORT           32
#define l2_LATENCY        120
#define l2_WAITS          NULL /* what misses takes as long without an L2 */
#define l2_REUSE          0
#define l2_FLUSH          0
#define l2_MSHR_PER_WARP

#define STREAM_AND_L1D (STAGE_STREAM | STAGE_L1D)
#define TILE_AND_AREA  (STAGE_TILE | STAGE_AREA)

/* NOLINTBEGIN(bugprone-integer-division): the index of the last choice is an integer */
const struct parameter parameters[] = {
    COUNT("gpu.sms", gpu.sms, 1, 1024, 15, STAGE_STREAM | STAGE_AREA, NULL,
          "streaming multiprocessors"),
    COUNT("gpu.address_bits", gpu.address_bits, 16, 64, 48, STAGE_STREAM | STAGE_AREA, NULL,
          "bits of an address, from which tags follow; a stream that has wider ones is refused"),
    UINT("gpu.clock", gpu.clock, UNIT_HERTZ, 1e6, 1e10, STEP_ADD, 1e7, 700000000, AT_TIMING, NULL,
         "SM clock"),
    UINT("gpu.max_threads", gpu.max_threads, UNIT_NONE, 32, 4096, STEP_ADD, 32, 1536,
         STAGE_STREAM | STAGE_AREA, NULL, "threads resident on one SM"),
    COUNT("gpu.max_blocks", gpu.max_blocks, 1, 256, 8, STAGE_STREAM, NULL,
          "thread blocks resident on one SM"),
    UINT("gpu.registers", gpu.registers, UNIT_NONE, 1024, 1048576, STEP_DOUBLE, 0, 32768,
         STAGE_STREAM, NULL, "32-bit registers of one SM"),
    BYTES("gpu.shared_memory", gpu.shared_memory, 0, 1 * MIB, STEP_DOUBLE, 49152, STREAM_AND_L1D,
          NULL, "shared memory of one SM"),
    COUNT("gpu.launch_latency", gpu.launch_latency, 0, 10000000, 0, AT_TIMING, NULL,
          "cycles of an empty launch; with blocks, those before the first one starts"),
    CYCLES("gpu.block_latency", gpu.block_latency, 0, NULL,
           "cycles more for each block of the launch"),
    COUNT("gpu.cluster", gpu.cluster, 1, 64, 1, AT_TIMING, NULL,
          "SMs that share a port of the network, and of which one gets a block in a cycle"),
    SWITCH("gpu.simulator_faults", gpu.simulator_faults, 0, AT_TIMING, NULL,
           "two faults of GPGPU-Sim 4.2 are repeated, for comparisons with it to the cycle"),
    SIZES("gpu.shared_options", gpu.shared_options, 1 * MIB, STREAM_AND_L1D | STAGE_AREA,
          has_carveout,
          "shared-memory carve-outs of a unified L1D; the smallest that fits is taken"),
    COUNT("coalescer.arch", coalescer.arch, 13, 99, 20, STAGE_STREAM | STAGE_AREA, NULL,
          "coalescing generation: 20-38 make 128 B segments, from 40 on 32 B sectors"),
    ENUM("scheduler.policy", scheduler.policy, scheduler_choices, SCHEDULER_GTO, AT_TIMING, NULL,
         "warp scheduler; the functional depth issues round robin whatever it says"),
    COUNT("scheduler.count", scheduler.count, 1, 16, 2, AT_TIMING, NULL, "schedulers of one SM"),
    COUNT("scheduler.issue", scheduler.issue, 1, 2, 1, AT_TIMING, NULL,
          "instructions of one warp a cycle"),
    SWITCH("scheduler.same_pipe", scheduler.same_pipe, 0, AT_TIMING, has_second_issue,
           "the second instruction may go to the pipe of the first"),
    COUNT("scheduler.active", scheduler.active, 1, 128, 6, AT_TIMING, has_active,
          "warps of the active set (two_level) or limit (swl)"),
    SWITCH("core.subcores", core.subcores, 0, AT_TIMING, NULL,
           "each scheduler has collectors, register banks and units of its own"),
    COUNT("core.fetch", core.fetch, 1, 16, 1, AT_TIMING, NULL, "fetches a cycle"),
    COUNT("core.decode", core.decode, 1, 2, 2, AT_TIMING, NULL, "instructions of one fetch"),
    COUNT("core.collectors", core.collectors, 0, 64, 0, AT_TIMING, NULL,
          "operand collectors that all pipes share; 0: pipes have their own"),
    COUNT("core.collector_ports", core.collector_ports, 1, 64, 8, AT_TIMING, has_common_collectors,
          "instructions that may enter and leave the shared collectors at once"),
    COUNT("core.sp_collectors", core.sp_collectors, 1, 64, 6, AT_TIMING, has_own_collectors,
          "operand collectors of the sp and int pipes, and of dp without its own"),
    COUNT("core.dp_collectors", core.dp_collectors, 0, 64, 0, AT_TIMING, has_own_collectors,
          "operand collectors of the dp pipe; 0: those of the sp pipe"),
    COUNT("core.sp_ports", core.sp_ports, 1, 64, 2, AT_TIMING, has_own_collectors,
          "instructions that may enter and leave those at once"),
    COUNT("core.sfu_collectors", core.sfu_collectors, 1, 64, 8, AT_TIMING, has_own_collectors,
          "operand collectors of the sfu and tensor pipes"),
    COUNT("core.sfu_ports", core.sfu_ports, 1, 64, 1, AT_TIMING, has_own_collectors,
          "instructions that may enter and leave those at once"),
    COUNT("core.memory_collectors", core.memory_collectors, 1, 64, 2, AT_TIMING, has_own_collectors,
          "operand collectors of the load/store unit"),
    COUNT("core.banks", core.banks, 1, 256, 16, AT_TIMING, NULL,
          "banks of the register file of one SM"),
    COUNT("core.reads", core.reads, 1, 16, 1, AT_TIMING, NULL,
          "reads of one register bank a cycle"),
    COUNT("core.results", core.results, 1, 64, 2, AT_TIMING, NULL,
          "results that may be written back in one cycle"),
    COUNT("core.responses", core.responses, 1, 1024, 2, AT_TIMING, NULL,
          "replies that wait for the load/store unit"),
    COUNT("core.shared_latency", core.shared_latency, 1, 1000, 26, AT_TIMING, NULL,
          "cycles of an access to shared memory"),
    COUNT("core.load_store_units", core.load_store_units, 1, 32, 32, AT_TIMING, NULL,
          "lanes of a load or store that an SM takes in a cycle"),
    COUNT("core.barrier_threads", core.barrier_threads, 0, 128, 0, AT_TIMING, NULL,
          "threads that arrive at barriers of an SM in a cycle; 0: all that issue them"),
    PIPE_ROWS("sp", sp, 2, 4, 1, "32-bit floating point"),
    PIPE_ROWS("dp", dp, 0, 4, 1, "64-bit floating point; 0: the sfu pipe does it"),
    PIPE_ROWS("int", integer, 0, 4, 1, "integers, moves and the rest; 0: the sp pipe does it"),
    PIPE_ROWS("sfu", sfu, 1, 4, 1, "roots, sines, reciprocals"),
    PIPE_ROWS("tensor", tensor, 0, 4, 1, "matrices; 0: the sp pipe does it"),
    PIPE_ROWS("branch", branch, 0, 4, 1, "branches; 0: as integers"),
    PIPE_ROWS("texture", texture, 0, 4, 1, "textures; 0: as integers"),
    PIPE_ROWS("uniform", uniform, 0, 4, 1, "the uniform datapath; 0: as integers"),
    SWITCH("l1i.enabled", l1i.enabled, 1, AT_TIMING | STAGE_AREA, may_have_l1i,
           "an instruction cache an SM; off: every fetch hits"),
    SWITCH("l1i.fetches", l1i.fetches, 0, STAGE_L1I | STAGE_AREA | NOT_AT(DEPTH_TIMING),
           may_have_l1i, "the functional depth fetches every instruction of a warp from it"),
    BYTES("l1i.size", l1i.size, 128, 1 * MIB, STEP_DOUBLE, 2048, STAGE_L1I | STAGE_AREA, has_l1i,
          "capacity of the instruction cache of one SM"),
    COUNT("l1i.ways", l1i.ways, 1, 1024, 4, STAGE_L1I | STAGE_AREA, has_l1i, "its associativity"),
    BYTES("l1i.line", l1i.line, 16, 512, STEP_POWER, 128, STAGE_L1I | STAGE_AREA, has_l1i,
          "bytes covered by one tag"),
    ENUM("l1i.index", l1i.index, index_choices, INDEX_MODULO, STAGE_L1I | STAGE_AREA, has_l1i,
         "set index function"),
    ENUM("l1i.replacement", l1i.replacement, replacement_choices, REPLACEMENT_LRU,
         STAGE_L1I | STAGE_AREA, has_l1i, "which way a miss replaces"),
    ENUM("l1i.reset", l1i.reset, reset_choices, RESET_PAPER, STAGE_L1I, has_l1i_reset,
         "replacement state of a set at power-up"),
    SWITCH("l1i.same_line", l1i.same_line, 0, STAGE_L1I, has_l1i,
           "a fetch from the line of the fetch before it reads no tags and changes no order"),
    UINT("l1i.block_stride", l1i.block_stride, UNIT_BYTES, 0, 1 * GIB, STEP_DOUBLE, 0, 0,
         STAGE_STREAM | STAGE_L1I | NOT_AT(DEPTH_REUSE), has_l1i,
         "from the instructions of a block to those of the next; 0: blocks share theirs"),
    COUNT("l1i.buffer", l1i.buffer, 0, 64, 0, STAGE_L1I | STAGE_AREA, has_l1i,
          "lines that a stream buffer reads ahead of a miss; 0: there is none"),
    BYTES("l1i.l0.size", l1i.l0.size, 0, 65536, STEP_DOUBLE, 0, STAGE_L1I | STAGE_AREA, has_l1i,
          "capacity of each L0 in front of the L1I, of its lines; 0: there is none"),
    COUNT("l1i.l0.count", l1i.l0.count, 1, 16, 4, STAGE_L1I | STAGE_AREA, has_l0,
          "L0s of an SM: its warps take turns"),
    COUNT("l1i.l0.latency", l1i.l0.latency, 1, 100, 1, AT_TIMING, at_timing_l0,
          "cycles of a hit in an L0; a miss asks the L1I after as many"),
    SWITCH("l1i.blocking", l1i.blocking, 0, AT_TIMING, at_timing_l1i,
           "no fetch while a line is on its way"),
    COUNT("l1i.latency", l1i.latency, 1, 100, 1, AT_TIMING, at_timing_l1i, "cycles of a hit"),
    COUNT("l1i.mshr.entries", l1i.entries, 1, 1024, 2, AT_TIMING | STAGE_AREA, has_l1i,
          "its lines in flight"),
    COUNT("l1i.mshr.merge", l1i.merge, 1, 1024, 32, AT_TIMING | STAGE_AREA, has_l1i,
          "fetches merged into one line in flight"),
    COUNT("l1i.miss_queue", l1i.miss_queue, 1, 1024, 4, AT_TIMING | STAGE_AREA, has_l1i,
          "its misses waiting for the network"),
    CACHE_ROWS("l1d", l1d, STAGE_L1D, has_l1d, "L1D of one SM", 64 * MIB),
    BYTES("l1d.unified", l1d.unified, 0, 64 * MIB, STEP_DOUBLE, 0, STREAM_AND_L1D | STAGE_AREA,
          has_l1d, "SRAM that L1D and shared memory split; 0: l1d.size is fixed"),
    SWITCH("l1d.same_line", l1d.same_line, 0, AT_TIMING, has_l1d,
           "an access to the line of the one before it reads no tags and changes no order"),
    SWITCH("l1d.blocking", l1d.blocking, 0, AT_TIMING, has_l1d,
           "no access while a line is on its way"),
    SWITCH("l1d.texture", l1d.texture, 0, STREAM_AND_L1D, may_have_l1d,
           "textures go where global memory does, as from Maxwell on"),
    COUNT("l1d.wavefront", l1d.wavefront, 1, 64, 1, AT_TIMING, has_l1d,
          "cycles of its data banks for a wavefront: what one instruction asks each bank for once"),
    COUNT("l1d.load_cycles", l1d.load_cycles, 1, 64, 1, AT_TIMING, has_l1d,
          "fewest cycles for which an instruction keeps its data banks"),
    COUNT("l1d.tags", l1d.tags, 0, 16, 0, AT_TIMING, has_l1d,
          "lines of an instruction that are looked up in a cycle; 0: a sector a bank (l1d.banks)"),
    SWITCH("l1d.skip", l1d.skip, 0, STREAM_AND_L1D, may_have_l1d,
           "accesses to global memory pass the L1D by, in sectors of 32 B"),
    REAL("l1d.dirty", l1d.dirty, UNIT_PERCENT, 0, 1, 0.05, 0, AT_TIMING, has_l1d,
         "no dirty line is replaced while fewer lines than this share are dirty"),
    ENUM("l1d.bypass.policy", l1d.bypass.policy, bypass_choices, BYPASS_NEVER,
         AT_TIMING | STAGE_AREA, has_l1d, "which misses of loads take no line"),
    UINT("l1d.bypass.loads", l1d.bypass.loads, UNIT_MASK, 0, 9007199254740991.0, STEP_ADD, 1, 0,
         AT_TIMING, has_bypass_loads,
         "bit i: the load with the i-th lowest pc of its kernel, counted from 0"),
    REAL("l1d.bypass.chance", l1d.bypass.chance, UNIT_PERCENT, 0, 1, 0.05, 0.5, AT_TIMING,
         has_bypass_chance, "probability that a miss takes no line"),
    COUNT("l1d.bypass.threshold", l1d.bypass.threshold, 1, 100000, 10, AT_TIMING,
          has_bypass_threshold, "evicted lines a hit from which a load takes no lines"),
    ENUM("l1d.bypass.adaptive", l1d.bypass.adaptive, adaptive_choices, BYPASS_FIXED, AT_TIMING,
         has_bypass_adaptive, "how that threshold is found"),
    COUNT("l1d.bypass.entries", l1d.bypass.entries, 1, 65536, 32, AT_TIMING | STAGE_AREA,
          has_bypass_entries, "instructions that its table holds; others always take a line"),
    COUNT("l1d.bypass.tokens", l1d.bypass.tokens, 1, 128, 8, AT_TIMING, has_bypass_tokens,
          "warps of an SM that take lines, the oldest ones"),
    COUNT("l1d.bypass.distance", l1d.bypass.distance, 0, 65535, 8, AT_TIMING | STAGE_AREA,
          has_bypass_distance, "accesses to its set for which a line is protected"),
    SWITCH("l1d.bypass.reset", l1d.bypass.reset, 1, AT_TIMING, has_bypass_reset,
           "what was learned is forgotten when a launch begins"),
    SWITCH("l1d.bypass.shared", l1d.bypass.shared, 0, AT_TIMING, has_bypass_shared,
           "all SMs have one table: they tell each other what they counted"),
    SWITCH("l1d.bypass.pending", l1d.bypass.pending, 0, AT_TIMING, has_bypass_reset,
           "a request that joins a line in flight counts as a hit of that line"),
    SWITCH("l1d.bypass.mshr", l1d.bypass.mshr, 1, AT_TIMING, has_bypass_mshr,
           "a bypassed miss takes an MSHR, which others of its block join; no: it passes all by"),
    COUNT("l1d.bypass.queues", l1d.bypass.queues, 1, 128, 48, AT_TIMING | STAGE_AREA,
          has_bypass_queues, "queues in front of an L1D"),
    COUNT("l1d.bypass.queue_entries", l1d.bypass.queue_entries, 1, 1024, 8, AT_TIMING | STAGE_AREA,
          has_bypass_queues, "requests that each of them holds"),
    ENUM("l1d.bypass.signature", l1d.bypass.signature, signature_choices, BYPASS_BY_WARP, AT_TIMING,
         has_bypass_queues, "what chooses the queue of a request, modulo the queues"),
    ENUM("l1d.bypass.drain", l1d.bypass.drain, drain_choices, BYPASS_DRAIN_FIXED, AT_TIMING,
         has_bypass_queues, "which queue goes on"),
    ENUM("l1d.bypass.stores", l1d.bypass.stores, stores_choices, BYPASS_STORES_QUEUE, AT_TIMING,
         has_bypass_queues, "what stores do at the queues"),
    ENUM("l1d.bypass.stalls", l1d.bypass.stalls, stalls_choices, BYPASS_STALLS_LINE, AT_TIMING,
         has_bypass_queues, "which refusals make a miss take no line"),
    COUNT("l1d.bypass.tags", l1d.bypass.tags, 1, 64, 4, AT_TIMING | STAGE_AREA, has_bypass_tags,
          "blocks a line of the L1D whose accesses are counted"),
    COUNT("l1d.bypass.reuses", l1d.bypass.reuses, 0, 15, 1, AT_TIMING, has_bypass_tags,
          "accesses counted of a block from which a miss on it takes a line"),
    SWITCH("l1d.bypass.dynamic", l1d.bypass.dynamic, 0, AT_TIMING | STAGE_AREA, has_bypass_dynamic,
           "tokens, distance or protected ways are found at run time"),
    SWITCH("l1d.bypass.throttle", l1d.bypass.throttle, 0, AT_TIMING | STAGE_AREA,
           has_bypass_throttle, "warps wait while the network is congested"),
    ENUM("l1d.reuse.mode", l1d.reuse.mode, reuse_mode_choices, REUSE_TEXTBOOK, AT_REUSE, has_l1d,
         "which rules the reuse depth follows"),
    ENUM("l1d.reuse.wait", l1d.reuse.wait, reuse_wait_choices, REUSE_WAIT_LOAD, AT_REUSE, has_l1d,
         "what a warp waits for (textbook)"),
    COUNT("l1d.reuse.latency", l1d.reuse.latency, 0, 100000, 100, AT_REUSE, has_l1d,
          "least latency of a miss, in issue slots"),
    REAL("l1d.reuse.latency_sigma", l1d.reuse.latency_sigma, UNIT_NONE, 0, 10000, 1, 5, AT_REUSE,
         has_l1d, "spread of the half-normal part of a miss's latency"),
    COUNT("l1d.reuse.hit_latency", l1d.reuse.hit_latency, 0, 100000, 0, AT_REUSE, has_l1d,
          "latency of a hit, in issue slots (textbook)"),
    SWITCH("l1d.reuse.model.hierarchy", l1d.reuse.model.hierarchy, 1, AT_REUSE, has_l1d,
           "warps of the resident blocks take turns; off: one after another"),
    SWITCH("l1d.reuse.model.latency", l1d.reuse.model.latency, 1, AT_REUSE, has_l1d,
           "accesses take time; off: all latencies are 0"),
    SWITCH("l1d.reuse.model.associativity", l1d.reuse.model.associativity, 1, AT_REUSE, has_l1d,
           "lines map to sets; off: fully associative"),
    SWITCH("l1d.reuse.model.mshr", l1d.reuse.model.mshr, 1, AT_REUSE, has_l1d,
           "l1d.mshr.entries limit the misses in flight; off: no limit"),
    SWITCH("l1d.reuse.model.merge", l1d.reuse.model.merge, 0, AT_REUSE, has_l1d,
           "l1d.mshr.merge limits the accesses to a line in flight; off: no limit (textbook)"),
    SWITCH("l1d.reuse.model.allocate", l1d.reuse.model.allocate, 0, AT_REUSE, has_l1d,
           "l1d.allocate says when a miss takes its line; off: when its data come (textbook)"),
    SWITCH("l1d.reuse.model.divergence", l1d.reuse.model.divergence, 1, AT_REUSE, has_l1d,
           "warps wait for their data and drift apart; off: plain round robin"),
    CACHE_ROWS("l2", l2, STAGE_L2, has_l2, "L2, all slices", 4 * GIB),
    COUNT("l2.slices", l2.slices, 1, 1024, 12, STAGE_L2 | STAGE_AREA, has_l2,
          "slices; addresses are spread over them"),
    COUNT("l2.slices_per_channel", l2.slices_per_channel, 1, 64, 2, AT_TIMING, has_l2,
          "slices that share a memory channel"),
    UINT("l2.clock", l2.clock, UNIT_HERTZ, 0, 1e10, STEP_ADD, 1e7, 0, AT_TIMING, has_l2,
         "clock of the slices; 0: network.clock"),
    BYTES("l2.interleave", l2.interleave, 32, 65536, STEP_POWER, 256, STAGE_L2, has_l2,
          "bytes that go to one slice before the next"),
    ENUM("l2.partition", l2.partition, partition_choices, PARTITION_LINEAR, STAGE_L2, has_l2,
         "how addresses choose a slice"),
    SWITCH("l2.halves", l2.halves, 0, STAGE_L2, has_l2,
           "two halves, each near to every other SM; reads keep copies of the far half's lines"),
    COUNT("l2.crossing", l2.crossing, 1, 100000, 70, AT_TIMING, has_halves,
          "cycles from one half to the other"),
    COUNT("l2.queue", l2.queue, 8, 65536, 64, AT_TIMING, has_l2,
          "entries of each queue to and from a slice"),
    SWITCH("l2.evict_port", l2.evict_port, 0, AT_TIMING, has_l2,
           "what a read evicts takes the data port, as what a store evicts does; no: as GPGPU-Sim"),
    CYCLES("l2.partial", l2.partial, 0, has_l2,
           "more that a write of part of a sector keeps its slice's data port"),
    CYCLES("l2.atomic", l2.atomic, 0, has_l2,
           "that 8 B of an atomic keep their slice's port, 8 B more one more; 0: as l2.partial"),
    CYCLES("l2.atomic_float", l2.atomic_float, 0, has_l2,
           "the same for floating-point numbers; 0: as l2.atomic"),
    ENUM("network.kind", network.kind, network_choices, NETWORK_FLY, AT_TIMING, NULL,
         "between SMs and slices"),
    UINT("network.clock", network.clock, UNIT_HERTZ, 1e6, 1e10, STEP_ADD, 1e7, 700000000, AT_TIMING,
         NULL, "clock of the network, and of the L2 where l2.clock is 0"),
    BYTES("network.flit", network.flit, 4, 1024, STEP_DOUBLE, 40, AT_TIMING, has_flits,
          "bytes of a flit"),
    COUNT("network.queue", network.queue, 1, 65536, 64, AT_TIMING, NULL,
          "packets that wait at an input or output; fly: flits"),
    COUNT("network.inject", network.inject, 1, 65536, 9, AT_TIMING, has_flits,
          "flits that wait in front of an input"),
    COUNT("network.ejected", network.ejected, 1, 4096, 32, AT_TIMING, NULL,
          "packets that wait at an SM"),
    COUNT("network.sectors", network.sectors, 1, 16, 1, AT_TIMING, has_packets,
          "sectors that an SM asks for, and takes, in a cycle"),
    CYCLES("dram.latency", dram.latency, 100, NULL, "cycles of a memory access behind the L2"),
    UINT("dram.clock", dram.clock, UNIT_HERTZ, 1e6, 1e10, STEP_ADD, 1e6, 924000000, AT_TIMING, NULL,
         "clock of the commands to the DRAM"),
    SWITCH("dram.fixed", dram.fixed, 0, AT_TIMING, NULL,
           "every access takes dram.latency; no banks, no rows"),
    ENUM("dram.scheduler", dram.scheduler, dram_choices, DRAM_FRFCFS, AT_TIMING, has_dram_banks,
         "which request of a channel goes first"),
    COUNT("dram.queue", dram.queue, 1, 4096, 64, AT_TIMING, NULL,
          "requests of a channel that its scheduler chooses from"),
    COUNT("dram.returns", dram.returns, 1, 4096, 116, AT_TIMING, NULL,
          "requests of a channel that wait for the L2 to take them"),
    BYTES("dram.bus", dram.bus, 1, 1024, STEP_DOUBLE, 8, AT_TIMING, has_dram_banks,
          "bytes of one transfer of a channel"),
    COUNT("dram.burst", dram.burst, 1, 64, 8, AT_TIMING, has_dram_banks,
          "transfers of one column command"),
    COUNT("dram.rate", dram.rate, 1, 16, 4, AT_TIMING, has_dram_banks,
          "transfers in one cycle of the clock"),
    SWITCH("dram.dual", dram.dual, 0, AT_TIMING, has_dram_banks,
           "a row command beside a column command in one cycle"),
    COUNT("dram.banks", dram.banks, 1, 64, 16, AT_TIMING, has_dram_banks, "banks of a channel"),
    COUNT("dram.groups", dram.groups, 1, 64, 4, AT_TIMING, has_dram_banks, "groups of banks"),
    MASK(bank, 0xe100, has_bank_mask, "the bank"),
    MASK(row, 0xfff0000, has_dram_banks, "the row"),
    MASK(column, 0x1eff, has_dram_banks, "the column"),
    ENUM("dram.bank_hash", dram.bank_hash, bank_hash_choices, BANK_PLAIN, AT_TIMING, has_dram_banks,
         "how the row turns the bank"),
    ENUM("dram.group_bits", dram.group_bits, bank_group_choices, BANK_GROUP_LOW, AT_TIMING,
         has_dram_banks, "which bits of a bank's number are that of its group"),
    DRAM_TIME(ccd, 2, "between column commands"),
    DRAM_TIME(rrd, 6, "between activations of different banks"),
    DRAM_TIME(rcd, 12, "from an activation to a read"),
    DRAM_TIME(ras, 28, "from an activation to the precharge"),
    DRAM_TIME(rp, 12, "from a precharge to the activation"),
    DRAM_TIME(rc, 40, "between activations of one bank"),
    DRAM_TIME(cl, 12, "from a read to its data"),
    DRAM_TIME(wl, 4, "from a write to its data"),
    DRAM_TIME(cdlr, 5, "from a write's data to a read"),
    DRAM_TIME(wr, 12, "from a write's data to the precharge"),
    DRAM_TIME(ccdl, 3, "between column commands to one group of banks"),
    DRAM_TIME(rtpl, 2, "from a read to a precharge in its group of banks"),
    COUNT("dram.write_batch", dram.write_batch, 0, 4096, 0, AT_TIMING, has_dram_banks,
          "writes of a channel that wait for each other, to go together; 0: each as it comes"),
    COUNT("dram.write_queue", dram.write_queue, 0, 4096, 0, AT_TIMING, has_dram_banks,
          "writes of a channel that wait in a queue of their own; 0: in that of the reads"),
    COUNT("dram.write_high", dram.write_high, 1, 4096, 28, AT_TIMING, has_write_queue,
          "writes in it from which writes go"),
    COUNT("dram.write_low", dram.write_low, 0, 4096, 16, AT_TIMING, has_write_queue,
          "writes in it below which reads go again"),
    COUNT("dram.refi", dram.refi, 0, 1000000, 0, AT_TIMING, has_dram_banks,
          "cycles between refreshes of all banks; 0: none"),
    COUNT("dram.rfc", dram.rfc, 0, 1000000, 0, AT_TIMING, has_refresh_of_all,
          "cycles of a refresh, in which a channel takes no command"),
    COUNT("dram.rfcsb", dram.rfcsb, 0, 1000000, 0, AT_TIMING, has_refresh,
          "cycles of the refresh of one bank, one after the other; 0: all banks at once"),
    SWITCH("tlb.enabled", tlb.enabled, 1, STAGE_TLB | STAGE_AREA, may_have_tlb,
           "addresses are translated (one TLB an SM)"),
    GEOMETRY(GEOMETRY_CAPACITY, "tlb.entries", tlb.entries, UNIT_NONE, 1, 65536, STEP_ADD, 1, 64,
             STAGE_TLB | STAGE_AREA, has_tlb, "translations held by one TLB"),
    WAYS(GEOMETRY_WAYS, "tlb.ways", tlb.ways, WAYS_FULL, STAGE_TLB | STAGE_AREA, has_tlb),
    ENUM("tlb.replacement", tlb.replacement, replacement_choices, REPLACEMENT_LRU,
         STAGE_TLB | STAGE_AREA, has_tlb, "which translation a miss replaces"),
    SWITCH("l2tlb.enabled", l2tlb.enabled, 0, STAGE_PWC | STAGE_AREA, has_tlb,
           "a second TLB that all SMs share, before the page walks"),
    GEOMETRY(GEOMETRY_CAPACITY, "l2tlb.entries", l2tlb.entries, UNIT_NONE, 1, 1048576, STEP_ADD, 1,
             512, STAGE_PWC | STAGE_AREA, has_l2tlb, "translations held by the shared TLB"),
    WAYS(GEOMETRY_WAYS, "l2tlb.ways", l2tlb.ways, 16, STAGE_PWC | STAGE_AREA, has_l2tlb),
    ENUM("l2tlb.replacement", l2tlb.replacement, replacement_choices, REPLACEMENT_LRU,
         STAGE_PWC | STAGE_AREA, has_l2tlb, "which translation a miss replaces"),
    BYTES("page.size", page.size, 4096, 2 * MIB, STEP_POWER, 4096,
          STAGE_TLB | STAGE_PWC | STAGE_AREA, has_tlb, "4KiB, 64KiB or 2MiB"),
    ENUM("pwc.organization", pwc.organization, pwc_choices, PWC_TPC, STAGE_PWC | STAGE_AREA,
         has_tlb, "page-walk cache behind the TLBs"),
    COUNT("pwc.entries", pwc.entries, 1, 65536, 24, STAGE_PWC | STAGE_AREA, has_pwc,
          "tpc: paths held; uptc: of all levels; stc and cpwc: entries of the L2 level"),
    WAYS(NO_GEOMETRY, "pwc.ways", pwc.ways, WAYS_FULL, STAGE_PWC | STAGE_AREA, has_pwc_sets),
    COUNT("pwc.l4_entries", pwc.l4_entries, 1, 512, 2, STAGE_PWC | STAGE_AREA, has_levels,
          "entries of the L4 level; cpwc: direct-mapped, stc: associative"),
    COUNT("pwc.l3_entries", pwc.l3_entries, 1, 4096, 4, STAGE_PWC | STAGE_AREA, has_levels,
          "entries of the L3 level, likewise"),
    COUNT("pwc.block_entries", pwc.block_entries, 1, 4096, 1, STAGE_PWC | STAGE_AREA, has_blocks,
          "entries of one fully associative block of the L2 level"),
    ENUM("pwc.mask", pwc.mask, pwc_mask_choices, PWC_MASK_FORMULA, STAGE_PWC | STAGE_AREA,
         has_blocks, "how many bits the block mask of an L3 entry has"),
    SWITCH("pwc.invalidate", pwc.invalidate, 1, STAGE_PWC, has_blocks,
           "replacing an L4 or L3 entry drops the entries below it"),
    COUNT("walker.count", walker.count, 1, 1024, 8, STAGE_PWC, has_tlb,
          "page-table walkers: walks under way at once"),
    COUNT("walker.queue", walker.queue, 1, 65536, 256, STAGE_PWC | STAGE_AREA, has_tlb,
          "places where misses wait for a walker; while they are full, SMs ask for no more"),
    ENUM("walker.policy", walker.policy, walker_choices, WALKER_FCFS, STAGE_PWC, has_tlb,
         "which waiting walk a free walker takes"),
    COUNT("walker.patience", walker.patience, 0, 1e9, 2000000, STAGE_PWC, has_patience,
          "younger walks that may overtake one before it goes first; 0: fcfs"),
    SWITCH("walker.merge", walker.merge, 0, STAGE_PWC | STAGE_AREA, has_tlb,
           "one walk serves all requests for its page that come until it ends"),
    COUNT("walker.interval", walker.interval, 0, 100000, 4, STAGE_PWC | NOT_AT(DEPTH_TIMING),
          has_tlb,
          "functional: cycles between two memory instructions of an SM that does not stall"),
    COUNT("walker.lookup", walker.lookup, 0, 100000, 1, STAGE_PWC, has_tlb,
          "cycles of one search of the page-walk cache; uptc: of each level"),
    COUNT("walker.latency", walker.latency, 0, 100000, 100, STAGE_PWC, has_tlb,
          "cycles of reading one page-table entry in memory"),
    SWITCH("walker.l2", walker.l2, 0, STAGE_PWC, has_walks_in_l2,
           "walks read page-table entries through the L2, among the L1Ds' misses"),
    COUNT("walker.l2_latency", walker.l2_latency, 0, 100000, 120, STAGE_PWC | NOT_AT(DEPTH_TIMING),
          machine_couples,
          "functional: cycles of reading one through the L2; where it misses, walker.latency more"),
    SWITCH("tile.enabled", tile.cache.enabled, 0, TILE_AND_AREA, may_have_tile,
           "colour and depth surfaces are accessed through a tile cache"),
    GEOMETRY(GEOMETRY_CAPACITY, "tile.size", tile.cache.size, UNIT_BYTES, 128, 4 * MIB, STEP_DOUBLE,
             0, 32768, TILE_AND_AREA, has_tile_cache, "capacity of all banks of the tile cache"),
    GEOMETRY(GEOMETRY_WAYS, "tile.ways", tile.cache.ways, UNIT_NONE, 1, 4096, STEP_ADD, 1, 4,
             TILE_AND_AREA, has_tile_cache,
             "associativity; any number that divides a bank's lines"),
    ENUM("tile.index", tile.cache.index, index_choices, INDEX_MODULO, TILE_AND_AREA, has_tile_cache,
         "set index function, of the lines of one bank"),
    ENUM("tile.replacement", tile.cache.replacement, replacement_choices, REPLACEMENT_LRU,
         TILE_AND_AREA, has_tile_cache, "which way a miss replaces"),
    ENUM("tile.reset", tile.cache.reset, reset_choices, RESET_PAPER, STAGE_TILE, has_tile_reset,
         "replacement state of a set at power-up"),
    ENUM("tile.write_allocate", tile.cache.write_allocate, write_allocate_choices,
         WRITE_ALLOCATE_ON_WRITE, STAGE_TILE, has_tile_cache,
         "whether a miss that overwrites its whole line, or finds it cleared, reads it"),
    COUNT("tile.output", tile.cache.output, 8, 4096, 512, STAGE_AREA, has_tile_cache,
          "bits read out of one data array per access"),
    UINT("tile.banks", tile.cache.slices, UNIT_NONE, 1, 16, STEP_POWER, 0, 4, TILE_AND_AREA,
         has_tile_cache, "banks, each with a pipeline of its own; a power of two"),
    ENUM("tile.partition", tile.partition, tile_partition_choices, SCREEN_SQUARES, STAGE_TILE,
         has_tile_cache, "how the screen is dealt out to the banks"),
    ENUM("tile.unit", tile.unit, tile_unit_choices, TILE_UNIT_QUAD, STAGE_TILE, has_tile_cache,
         "what the partition deals out"),
    COUNT("tile.pipelines", tile.pipelines, 1, 64, 4, AT_TIMING, has_tile,
          "requests that the rasteriser hands over in a cycle, in its order"),
    COUNT("tile.fifo", tile.fifo, 1, 1024, 8, AT_TIMING, has_tile_cache,
          "requests that wait in front of a bank"),
    ENUM("tile.queue.kind", tile.queue.kind, tile_queue_choices, TILE_LINKED, TILE_AND_AREA,
         has_tile, "what a bank does with its misses"),
    COUNT("tile.queue.entries", tile.queue.entries, 1, 256, 16, AT_TIMING | STAGE_AREA,
          has_tile_entries, "entries of a bank's miss queue; mshr: lines in flight"),
    COUNT("tile.queue.merge", tile.queue.merge, 1, 256, 8, AT_TIMING | STAGE_AREA, has_tile_merge,
          "requests for one line in flight"),
    CYCLES("tile.latency", tile.latency, 100, has_tile, "cycles of a read from memory"),
    CYCLES("tile.jitter", tile.jitter, 0, has_tile,
           "at most so many cycles more, drawn for each read; reads then return out of order"),
    COUNT("tile.bandwidth", tile.bandwidth, 1, 4096, 16, AT_TIMING, has_tile,
          "bytes from and to memory in a cycle"),
    UINT("tile.bin.side", tile.bin.side, UNIT_NONE, 4, 64, STEP_POWER, 0, 16, TILE_AND_AREA,
         has_bins, "pixels of a side of the block that the buffer holds"),
    COUNT("tile.bin.primitive", tile.bin.primitive, 0, 4096, 96, STAGE_TILE, has_bins,
          "bytes of a primitive's data behind the vertex shader: three vertices of 32 B"),
    SWITCH("tile.bin.eliminate", tile.bin.eliminate, 0, STAGE_TILE, has_bins,
           "blocks that equal what memory holds are not written"),
    ENUM("machine.kind", kind, kind_choices, KIND_COMPUTE,
         (STAGE_EVERY & ~STAGE_STREAM) | NOT_AT(DEPTH_REUSE), NULL,
         "what the machine is for, which decides what it may consist of"),
    ENUM("tech.target", tech.target, target_choices, TARGET_ASIC, STAGE_AREA, NULL,
         "what the machine is made of"),
    REAL("tech.node", tech.node, UNIT_METRES, 3e-9, 90e-9, 1e-9, 40e-9, STAGE_AREA, is_chip,
         "feature size of the process"),
    SCALE("tech.scale.area", tech.scale.area, "areas"),
    SCALE("tech.scale.time", tech.scale.time, "access times"),
    SCALE("tech.scale.energy", tech.scale.energy, "energies of reads"),
    SCALE("tech.scale.leakage", tech.scale.leakage, "leakages"),
    UINT("seed", seed, UNIT_NONE, 0, 9007199254740991.0, STEP_ADD, 1, 1,
         STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC | STAGE_L1I | STAGE_TILE | AT_REUSE, NULL,
         "seed of every random choice"),
};
/* NOLINTEND(bugprone-integer-division) */

const size_t parameter_count = sizeof parameters / sizeof *parameters;

bool parameter_answers(const struct parameter *parameter, enum depth depth)
{
    const unsigned stages = parameter->stages;
    return stages & (depth_reads(depth) | STAGE_AREA) && !(stages & NOT_AT(depth));
}

const struct parameter *parameter_find(const char *path)
{
    for (size_t i = 0; i < parameter_count; i++)
        if (!strcmp(parameters[i].path, path))
            return &parameters[i];
    return NULL;
}

const char *parameter_nearest(const char *path)
{
    const char *names[sizeof parameters / sizeof *parameters];
    for (size_t i = 0; i < parameter_count; i++)
        names[i] = parameters[i].path;
    return nearest_name(path, names, parameter_count);
}

struct value parameter_get(const struct parameter *parameter, const struct machine *machine)
{
    const char *field = (const char *)machine + parameter->offset;
    struct value value = {0};
    switch (parameter->type) {
    case PARAMETER_BOOL:
    case PARAMETER_ENUM: {
        int choice;
        memcpy(&choice, field, sizeof choice);
        value.uint = (uint64_t)choice;
        break;
    }
    case PARAMETER_UINT:
        memcpy(&value.uint, field, sizeof value.uint);
        break;
    case PARAMETER_REAL:
        memcpy(&value.real, field, sizeof value.real);
        break;
    case PARAMETER_SIZES:
        memcpy(&value.sizes, field, sizeof value.sizes);
        break;
    }
    return value;
}

void parameter_set(const struct parameter *parameter, struct machine *machine, struct value value)
{
    char *field = (char *)machine + parameter->offset;
    switch (parameter->type) {
    case PARAMETER_BOOL:
    case PARAMETER_ENUM: {
        int choice = (int)value.uint;
        memcpy(field, &choice, sizeof choice);
        break;
    }
    case PARAMETER_UINT:
        memcpy(field, &value.uint, sizeof value.uint);
        break;
    case PARAMETER_REAL:
        memcpy(field, &value.real, sizeof value.real);
        break;
    case PARAMETER_SIZES:
        memcpy(field, &value.sizes, sizeof value.sizes);
        break;
    }
}

bool parameter_equal(const struct parameter *parameter, struct value a, struct value b)
{
    if (parameter->type == PARAMETER_REAL)
        return a.real == b.real;
    if (parameter->type != PARAMETER_SIZES)
        return a.uint == b.uint;
    return a.sizes.count == b.sizes.count &&
           !memcmp(a.sizes.item, b.sizes.item, a.sizes.count * sizeof *a.sizes.item);
}

void machine_defaults(struct machine *machine)
{
    memset(machine, 0, sizeof *machine);
    /* An L1D has no rows for these fields of cache_config. */
    machine->l1d.slices = machine->l1d.slices_per_channel = 1;
    machine->l1d.interleave = 256;
    /* Nor has a tile cache: its lines are those of trace/tile_stream.h. */
    machine->tile.cache.line = machine->tile.cache.sector = machine->tile.cache.interleave = 64;
    machine->tile.cache.slices_per_channel = 1;
    machine->tile.cache.write = WRITE_BACK;
    machine->tile.cache.banks = 1;
    machine->tile.cache.flush = 1;
    for (size_t i = 0; i < parameter_count; i++)
        parameter_set(&parameters[i], machine, parameters[i].fallback);
}

/* FNV-1a over the bytes of each value, least significant first, so that the hash is the same on
 * every platform. */
static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        hash = (hash ^ ((number >> (8 * i)) & 0xff)) * 0x100000001b3u;
    return hash;
}

uint64_t machine_hash(const struct machine *machine, unsigned stages)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (!(parameter->stages & stages))
            continue;
        struct value value = parameter_get(parameter, machine);
        uint64_t number = value.uint;
        if (parameter->type == PARAMETER_REAL)
            memcpy(&number, &value.real, sizeof number);
        hash = hash_number(hash, number);
        for (uint32_t k = 0; k < value.sizes.count; k++)
            hash = hash_number(hash, value.sizes.item[k]);
    }
    return hash;
}

bool machine_same(const struct machine *a, const struct machine *b, unsigned stages)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if ((parameter->stages & stages) &&
            !parameter_equal(parameter, parameter_get(parameter, a), parameter_get(parameter, b)))
            return false;
    }
    return true;
}

bool machine_couples(const struct machine *machine)
{
    return has_tlb(machine) && has_l2(machine) && machine->walker.l2;
}

uint64_t cache_sets(const struct cache_config *cache)
{
    return cache->size / cache->slices / cache->ways / cache->line;
}

bool parameter_chooses_replacement(const struct parameter *parameter)
{
    return parameter->choices == replacement_choices;
}

bool parameter_is_limit(const struct parameter *parameter, struct value value)
{
    return parameter_chooses_replacement(parameter) &&
           replacement_facts[value.uint].traits & REPLACEMENT_FUTURE;
}

/* Whether some value of `other` makes `parameter` relevant. Tries every choice of a switch or an
 * enum, and the two limits of a number. */
static bool unblocks(const struct parameter *other, const struct parameter *parameter,
                     struct machine machine)
{
    const bool number = other->type == PARAMETER_UINT;
    const uint64_t count = other->type == PARAMETER_ENUM ? other->choice_count : 2;
    if (!number && other->type != PARAMETER_BOOL && other->type != PARAMETER_ENUM)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        const double limit = i ? other->max : other->min;
        parameter_set(other, &machine, (struct value){.uint = number ? (uint64_t)limit : i});
        if (parameter_relevant(parameter, &machine))
            return true;
    }
    return false;
}

bool parameter_idle(const struct parameter *parameter, const struct machine *machine,
                    char why[VALUE_TEXT])
{
    char value[VALUE_TEXT];
    snprintf(why, VALUE_TEXT, " in this machine");
    if (parameter_relevant(parameter, machine))
        return false;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *other = &parameters[i];
        if (!parameter_relevant(other, machine) || !unblocks(other, parameter, *machine))
            continue;
        parameter_print(other, parameter_get(other, machine), value);
        snprintf(why, VALUE_TEXT, " while %s is %.80s", other->path, value);
        break;
    }
    return true;
}
