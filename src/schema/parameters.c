#include "schema/parameters.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE(constant, name, help, ...) {name, help},

const struct choice parameter_roles[] = {ROLE_LIST(CHOICE)};
const char *const counting_whys[] = {
#define COUNTING_WHY(id, why) why,
    COUNTING_LIST(COUNTING_WHY)
#undef COUNTING_WHY
};

static const struct choice kind_choices[] = {KIND_LIST(CHOICE)};
static const struct choice replacement_choices[] = {REPLACEMENT_LIST(CHOICE)};
static const struct choice reset_choices[] = {RESET_LIST(CHOICE)};
static const struct choice index_choices[] = {INDEX_LIST(CHOICE)};
static const struct choice write_choices[] = {WRITE_LIST(CHOICE)};
static const struct choice allocate_choices[] = {ALLOCATE_LIST(CHOICE)};
static const struct choice write_allocate_choices[] = {WRITE_ALLOCATE_LIST(CHOICE)};
static const struct choice mshr_choices[] = {MSHR_LIST(CHOICE)};
static const struct choice scheduler_choices[] = {SCHEDULER_LIST(CHOICE)};
static const struct choice throttle_choices[] = {THROTTLE_LIST(CHOICE)};
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
static const struct choice order_choices[] = {REQUEST_ORDER_LIST(CHOICE)};
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

/* With the paper's size formula, a block is one entry. */
static bool has_block_entries(const struct machine *machine)
{
    return has_blocks(machine) && machine->pwc.mask != PWC_MASK_FORMULA;
}

/* SIMT programs have no doubles, tensors, textures and uniform instructions. */
static bool is_gpu(const struct machine *machine)
{
    return machine->kind == KIND_COMPUTE;
}

static bool has_active(const struct machine *machine)
{
    return machine_runs_kernels(machine) &&
           scheduler_facts[machine->scheduler.policy].traits & SCHEDULER_ACTIVE;
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

static bool has_tile_l2(const struct machine *machine)
{
    return has_tile_cache(machine) && machine->tile.l2.size;
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
    return machine_runs_kernels(machine) && machine->core.collectors;
}

static bool has_own_collectors(const struct machine *machine)
{
    return machine_runs_kernels(machine) && !machine->core.collectors;
}

static bool has_dp_collectors(const struct machine *machine)
{
    return is_gpu(machine) && has_own_collectors(machine);
}

static bool has_flits(const struct machine *machine)
{
    return machine_runs_kernels(machine) && network_traits[machine->network.kind] & NETWORK_FLITS;
}

static bool has_packets(const struct machine *machine)
{
    return machine_runs_kernels(machine) && !has_flits(machine);
}

static bool has_dram_banks(const struct machine *machine)
{
    return machine_runs_kernels(machine) && !machine->dram.fixed;
}

static bool has_write_queue(const struct machine *machine)
{
    return has_dram_banks(machine) && machine->dram.write_queue;
}

static bool has_second_issue(const struct machine *machine)
{
    return machine_runs_kernels(machine) && machine->scheduler.issue > 1;
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
    return has_dram_banks(machine) ||
           (machine_runs_kernels(machine) && machine->l2.slices_per_channel > 1);
}

static bool has_carveout(const struct machine *machine)
{
    return has_l1d(machine) && machine->l1d.unified;
}

#define ROW(path_, type_, field, unit_, min_, max_, stepping_, step_, role_, stages_, relevant_,   \
            help_)                                                                                 \
    .path = path_, .type = type_, .unit = unit_, .min = min_, .max = max_, .stepping = stepping_,  \
    .step = step_, .role = role_, .stages = stages_, .relevant = relevant_, .help = help_,         \
    .offset = offsetof(struct machine, field)

/* An integer; `part` says whether it determines the number of sets (geometry_part). */
#define GEOMETRY(part, path, field, unit, min, max, stepping, step, value, role, stages, relevant, \
                 help)                                                                             \
    {                                                                                              \
        ROW(path, PARAMETER_UINT, field, unit, min, max, stepping, step, role, stages, relevant,   \
            help),                                                                                 \
            .fallback.uint = value, .geometry = part                                               \
    }
#define UINT(path, field, unit, min, max, stepping, step, value, role, stages, relevant, help)     \
    GEOMETRY(NO_GEOMETRY, path, field, unit, min, max, stepping, step, value, role, stages,        \
             relevant, help)
#define COUNT(path, field, min, max, value, role, stages, relevant, help)                          \
    UINT(path, field, UNIT_NONE, min, max, STEP_ADD, 1, value, role, stages, relevant, help)
#define BYTES(path, field, min, max, stepping, value, role, stages, relevant, help)                \
    UINT(path, field, UNIT_BYTES, min, max, stepping, 0, value, role, stages, relevant, help)
/* What a cache fetches at a time, or keeps under a tag: counts of requests change with it. */
#define GRAIN(path, field, value, role, stages, relevant, help)                                    \
    {                                                                                              \
        ROW(path, PARAMETER_UINT, field, UNIT_BYTES, 16, 512, STEP_POWER, 0, role, stages,         \
            relevant, help),                                                                       \
            .fallback.uint = value, .counting = COUNTS_OTHER_SIZES                                 \
    }
#define CYCLES(path, field, value, relevant, help)                                                 \
    UINT(path, field, UNIT_NONE, 0, 100000, STEP_ADD, 1, value, ROLE_TECHNOLOGY, AT_TIMING,        \
         relevant, help)
#define WAYS(part, path, field, value, stages, relevant)                                           \
    {                                                                                              \
        ROW(path, PARAMETER_UINT, field, UNIT_NONE, 1, WAYS_FULL, STEP_DOUBLE, 0, ROLE_LEVER,      \
            stages, relevant, "associativity; full: fully associative, whatever the entries"),     \
            .fallback.uint = value, .geometry = part, .top = "full"                                \
    }
#define SWITCH(path, field, value, role, stages, relevant, help)                                   \
    {                                                                                              \
        ROW(path, PARAMETER_BOOL, field, UNIT_NONE, 0, 1, STEP_ADD, 1, role, stages, relevant,     \
            help),                                                                                 \
            .fallback.uint = value                                                                 \
    }
#define ENUM(path, field, list, value, role, stages, relevant, help)                               \
    {                                                                                              \
        ROW(path, PARAMETER_ENUM, field, UNIT_NONE, 0, sizeof list / sizeof *list - 1, STEP_ADD,   \
            1, role, stages, relevant, help),                                                      \
            .fallback.uint = value, .choices = list, .choice_count = sizeof list / sizeof *list    \
    }
#define REAL(path, field, unit, min, max, step, value, role, stages, relevant, help)               \
    {                                                                                              \
        ROW(path, PARAMETER_REAL, field, unit, min, max, STEP_ADD, step, role, stages, relevant,   \
            help),                                                                                 \
            .fallback.real = value                                                                 \
    }
#define SCALE(path, field, what)                                                                   \
    REAL(path, field, UNIT_NONE, 0.001, 1000, 0.1, 1, ROLE_TECHNOLOGY, STAGE_AREA, is_chip,        \
         "scale factor of estimated " what                                                         \
         ", calibrated by a measurement (warpscape area --anchor)")
#define SIZES(path, field, max, role, stages, relevant, help)                                      \
    {                                                                                              \
        ROW(path, PARAMETER_SIZES, field, UNIT_BYTES, 0, max, STEP_NONE, 0, role, stages,          \
            relevant, help)                                                                        \
    }

#define KIB 1024.0
#define MIB (1024.0 * 1024)
#define GIB (1024.0 * 1024 * 1024)

/* The rows that an L1D and an L2 share; `what` is "L1D, per SM" or "L2, all slices". */
#define CACHE_ROWS(p, c, stage, has, what, max_size)                                               \
    SWITCH(p ".enabled", c.enabled, 1, ROLE_FACT, stage | STAGE_AREA, may_have_##c,                \
           "whether the machine has this cache"),                                                  \
        GEOMETRY(GEOMETRY_CAPACITY, p ".size", c.size, UNIT_BYTES, 128, max_size, STEP_DOUBLE, 0,  \
                 c##_SIZE, ROLE_LEVER, stage | STAGE_AREA, has, "capacity of the " what),          \
        GEOMETRY(GEOMETRY_WAYS, p ".ways", c.ways, UNIT_NONE, 1, 4096, STEP_ADD, 1, c##_WAYS,      \
                 ROLE_LEVER, stage | STAGE_AREA, has,                                              \
                 "associativity; any number that divides size / line"),                            \
        GRAIN(p ".line", c.line, 128, ROLE_LEVER, stage | STAGE_AREA, has,                         \
              "line size: bytes per tag"),                                                         \
        GRAIN(p ".sector", c.sector, c##_SECTOR, ROLE_LEVER, stage | STAGE_AREA, has,              \
              "sector size: bytes fetched per miss; equal to the line: not sectored"),             \
        ENUM(p ".index", c.index, index_choices, c##_INDEX, ROLE_LEVER, stage | STAGE_AREA, has,   \
             "set index function"),                                                                \
        ENUM(p ".replacement", c.replacement, replacement_choices, REPLACEMENT_LRU, ROLE_LEVER,    \
             stage | STAGE_AREA | NOT_AT(DEPTH_REUSE), has, "replacement policy"),                 \
        ENUM(p ".reset", c.reset, reset_choices, RESET_PAPER, ROLE_FACT,                           \
             stage | NOT_AT(DEPTH_REUSE), has##_reset,                                             \
             "initial replacement state of a set, at power-up"),                                   \
        ENUM(p ".write", c.write, write_choices, c##_WRITE, ROLE_LEVER,                            \
             stage | STAGE_AREA | NOT_AT(DEPTH_REUSE), has, "write policy"),                       \
        ENUM(p ".write_allocate", c.write_allocate, write_allocate_choices, c##_WRITE_ALLOCATE,    \
             ROLE_LEVER, stage | NOT_AT(DEPTH_REUSE), has,                                         \
             "write-allocate policy of store misses"),                                             \
        ENUM(p ".allocate", c.allocate, allocate_choices, ALLOCATE_ON_MISS, ROLE_LEVER,            \
             AT_TIMING | c##_REUSE, has, "allocation policy: when a miss allocates its line"),     \
        SWITCH(p ".flush", c.flush, c##_FLUSH, ROLE_FACT, stage, has,                              \
               "flush the cache between launches"),                                                \
        ENUM(p ".mshr.kind", c.mshr.kind, mshr_choices, c##_MSHR, ROLE_FACT, FOR_FILES, has,       \
             "MSHR type in simulator files; no model reads it"),                                   \
        COUNT(p ".mshr.entries", c.mshr.entries, 1, 65536, c##_MSHR_ENTRIES, ROLE_LEVER,           \
              AT_TIMING | STAGE_AREA | c##_REUSE, has, "MSHR entries: blocks in flight"),          \
        COUNT(p ".mshr.merge", c.mshr.merge, 1, 1024, c##_MSHR_MERGE, ROLE_LEVER,                  \
              AT_TIMING | STAGE_AREA | c##_REUSE, has, "requests merged per MSHR"),                \
        c##_MSHR_PER_WARP COUNT(p ".miss_queue", c.miss_queue, 1, 4096, c##_MISS_QUEUE,            \
                                ROLE_LEVER, AT_TIMING | STAGE_AREA, has,                           \
                                "miss queue entries to the next level"),                           \
        COUNT(p ".result_fifo", c.result_fifo, 0, 4096, 0, ROLE_FACT, FOR_FILES, has,              \
              "texture-cache result FIFO in simulator files; no model reads it"),                  \
        BYTES(p ".port", c.port, 0, 1024, STEP_DOUBLE, c##_PORT, ROLE_LEVER, AT_TIMING, has,       \
              "data port width, in bytes per cycle; 0: one line"),                                 \
        COUNT(p ".banks", c.banks, 1, 64, 1, ROLE_LEVER, c##_BANKS | STAGE_AREA, has,              \
              "banks of the " what),                                                               \
        CYCLES(p ".latency", c.latency, c##_LATENCY, c##_WAITS, "hit latency, in cycles"),         \
        UINT(p ".output", c.output, UNIT_BITS, 8, 4096, STEP_DOUBLE, 0, 256, ROLE_LEVER,           \
             STAGE_AREA, has, "data array output width: bits read per access"),                    \
        ENUM(p ".ports", c.ports, ports_choices, PORTS_1RW, ROLE_LEVER, STAGE_AREA, has,           \
             "ports of the SRAM arrays")

/* The rows of one pipe. */
#define PIPE_ROWS(p, f, units_, latency_, interval_, has, what)                                    \
    COUNT("pipe." p ".units", pipe.f.units, 0, 64, units_, ROLE_LEVER, AT_TIMING, has,             \
          "execution units per SM: " what),                                                        \
        COUNT("pipe." p ".latency", pipe.f.latency, 1, 500, latency_, ROLE_TECHNOLOGY, AT_TIMING,  \
              has, "latency: cycles from dispatch to result"),                                     \
        COUNT("pipe." p ".interval", pipe.f.interval, 1, 500, interval_, ROLE_LEVER, AT_TIMING,    \
              has, "initiation interval: cycles before a unit accepts the next instruction")

/* A time of the DRAM, in cycles of its clock. */
#define DRAM_TIME(name, value, help)                                                               \
    COUNT("dram." #name, dram.name, 0, 500, value, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks, help)

/* Masks work as in GPGPU-Sim: with a power of two of channels on the whole address, otherwise on
 * the address from which the channel is divided out. */
#define MASK(name, value, role, stages, relevant, what)                                            \
    UINT("dram." #name "_mask", dram.name##_mask, UNIT_MASK, 0, 9007199254740991.0, STEP_NONE, 0,  \
         value, role, stages, relevant,                                                            \
         "address bits, without those of the channel, that select " what)

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
#define l1d_BANKS          AT_TIMING
#define l1d_LATENCY        35
#define l1d_WAITS          has_l1d
#define l1d_REUSE          AT_REUSE
#define l1d_FLUSH          1
#define l1d_MSHR_PER_WARP                                                                          \
    COUNT("l1d.mshr.per_warp", l1d.mshr.per_warp, 0, 65536, 0, ROLE_LEVER, AT_REUSE, has_l1d,      \
          "lines in flight per warp; 0: no limit per warp (textbook)"),                            \
        SWITCH("l1d.mshr.tags", l1d.mshr.tags, 0, ROLE_LEVER, AT_TIMING | STAGE_AREA, has_l1d,     \
               "track misses in flight in the tags: MSHR entries and merges set no limit"),
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
#define l2_BANKS          0 /* its ports and queues decide what a slice takes at once */
#define l2_LATENCY        120
#define l2_WAITS          machine_runs_kernels /* what misses takes as long without an L2 */
#define l2_REUSE          0
#define l2_FLUSH          0
#define l2_MSHR_PER_WARP

#define STREAM_AND_L1D (STAGE_STREAM | STAGE_L1D)
#define TILE_AND_AREA  (STAGE_TILE | STAGE_AREA)

/* NOLINTBEGIN(bugprone-integer-division): the index of the last choice is an integer */
const struct parameter parameters[] = {
    COUNT("gpu.sms", gpu.sms, 1, 1024, 15, ROLE_FACT, STAGE_STREAM | STAGE_AREA,
          machine_runs_kernels, "streaming multiprocessors (SMs)"),
    COUNT("gpu.address_bits", gpu.address_bits, 16, 64, 48, ROLE_FACT, STAGE_STREAM | STAGE_AREA,
          NULL, "address width in bits, which sets the tag width; wider addresses are refused"),
    UINT("gpu.clock", gpu.clock, UNIT_HERTZ, 1e6, 1e10, STEP_ADD, 1e7, 700000000, ROLE_TECHNOLOGY,
         AT_TIMING, NULL, "SM clock (core clock)"),
    UINT("gpu.max_threads", gpu.max_threads, UNIT_NONE, 32, 4096, STEP_ADD, 32, 1536, ROLE_LEVER,
         STAGE_STREAM | STAGE_AREA, machine_runs_kernels, "maximum resident threads per SM"),
    COUNT("gpu.max_blocks", gpu.max_blocks, 1, 256, 8, ROLE_LEVER, STAGE_STREAM,
          machine_runs_kernels, "maximum resident thread blocks per SM"),
    UINT("gpu.registers", gpu.registers, UNIT_NONE, 1024, 1048576, STEP_DOUBLE, 0, 32768,
         ROLE_LEVER, STAGE_STREAM, machine_runs_kernels, "32-bit registers per SM"),
    BYTES("gpu.shared_memory", gpu.shared_memory, 0, 1 * MIB, STEP_DOUBLE, 49152, ROLE_LEVER,
          STREAM_AND_L1D, machine_runs_kernels, "shared memory per SM"),
    COUNT("gpu.launch_latency", gpu.launch_latency, 0, 10000000, 0, ROLE_FACT, AT_TIMING,
          machine_runs_kernels,
          "launch latency: cycles of an empty launch, or until the first block starts"),
    CYCLES("gpu.block_latency", gpu.block_latency, 0, machine_runs_kernels,
           "additional launch latency per thread block, in cycles"),
    COUNT("gpu.cluster", gpu.cluster, 1, 64, 1, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "SMs per cluster: they share a network port and get one new block per cycle"),
    SWITCH("gpu.simulator_faults", gpu.simulator_faults, 0, ROLE_FACT, AT_TIMING,
           machine_runs_kernels,
           "reproduce two faults of GPGPU-Sim 4.2, for cycle-exact comparison with it"),
    SIZES("gpu.shared_options", gpu.shared_options, 1 * MIB, ROLE_FACT, STREAM_AND_L1D | STAGE_AREA,
          has_carveout,
          "shared-memory carve-outs of a unified L1D; a launch uses the smallest that fits"),
    COUNT("coalescer.arch", coalescer.arch, 13, 99, 20, ROLE_FACT, STAGE_STREAM | STAGE_AREA,
          machine_runs_kernels,
          "coalescing by compute capability: 20-38 to 128 B segments, from 40 on to 32 B sectors"),
    ENUM("coalescer.order", coalescer.order, order_choices, ORDER_FALLING, ROLE_FACT, STAGE_STREAM,
         machine_runs_kernels, "order in which the requests of an instruction leave"),
    ENUM("scheduler.policy", scheduler.policy, scheduler_choices, SCHEDULER_GTO, ROLE_LEVER,
         AT_TIMING, machine_runs_kernels,
         "warp scheduling policy; depth functional always issues round robin"),
    COUNT("scheduler.count", scheduler.count, 1, 16, 2, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "warp schedulers per SM"),
    COUNT("scheduler.issue", scheduler.issue, 1, 2, 1, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "issue width: instructions of one warp per cycle"),
    SWITCH("scheduler.same_pipe", scheduler.same_pipe, 0, ROLE_LEVER, AT_TIMING, has_second_issue,
           "dual issue may send both instructions to the same pipe"),
    COUNT("scheduler.active", scheduler.active, 1, 128, 6, ROLE_LEVER, AT_TIMING, has_active,
          "active warps: size of the active set (two_level) or warp limit (swl)"),
    ENUM("scheduler.throttle", scheduler.throttle, throttle_choices, THROTTLE_NONE, ROLE_LEVER,
         AT_TIMING | STAGE_AREA, has_l1d,
         "warp throttling: which warps may issue no loads, so that the others keep their lines"),
    SWITCH("core.subcores", core.subcores, 0, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
           "sub-cores: each scheduler has its own collectors, register banks and units"),
    COUNT("core.fetch", core.fetch, 1, 16, 1, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "instruction fetches per cycle"),
    COUNT("core.decode", core.decode, 1, 2, 2, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "instructions decoded per fetch"),
    COUNT("core.collectors", core.collectors, 0, 64, 0, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "operand collectors shared by all pipes; 0: each pipe has its own"),
    COUNT("core.collector_ports", core.collector_ports, 1, 64, 8, ROLE_LEVER, AT_TIMING,
          has_common_collectors,
          "ports of the shared collectors: instructions in and out per cycle"),
    COUNT("core.sp_collectors", core.sp_collectors, 1, 64, 6, ROLE_LEVER, AT_TIMING,
          has_own_collectors,
          "operand collectors of the sp and int pipes, and of dp if it has none of its own"),
    COUNT("core.dp_collectors", core.dp_collectors, 0, 64, 0, ROLE_LEVER, AT_TIMING,
          has_dp_collectors,
          "operand collectors of the dp pipe; 0: it shares those of the sp pipe"),
    COUNT("core.sp_ports", core.sp_ports, 1, 64, 2, ROLE_LEVER, AT_TIMING, has_own_collectors,
          "instructions in and out of these collectors per cycle"),
    COUNT("core.sfu_collectors", core.sfu_collectors, 1, 64, 8, ROLE_LEVER, AT_TIMING,
          has_own_collectors, "operand collectors of the sfu and tensor pipes"),
    COUNT("core.sfu_ports", core.sfu_ports, 1, 64, 1, ROLE_LEVER, AT_TIMING, has_own_collectors,
          "instructions in and out of these collectors per cycle"),
    COUNT("core.memory_collectors", core.memory_collectors, 1, 64, 2, ROLE_LEVER, AT_TIMING,
          has_own_collectors, "operand collectors of the load/store unit"),
    COUNT("core.banks", core.banks, 1, 256, 16, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "register file banks per SM"),
    COUNT("core.reads", core.reads, 1, 16, 1, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "read ports per register bank: reads per cycle"),
    COUNT("core.results", core.results, 1, 64, 2, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "writeback width: results per cycle"),
    COUNT("core.responses", core.responses, 1, 1024, 2, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "reply queue entries of the load/store unit"),
    COUNT("core.shared_latency", core.shared_latency, 1, 1000, 26, ROLE_TECHNOLOGY, AT_TIMING,
          machine_runs_kernels, "shared-memory latency, in cycles"),
    COUNT("core.load_store_units", core.load_store_units, 1, 32, 32, ROLE_LEVER, AT_TIMING,
          machine_runs_kernels, "load/store units per SM: lanes of a load or store per cycle"),
    COUNT("core.barrier_threads", core.barrier_threads, 0, 128, 0, ROLE_LEVER, AT_TIMING,
          machine_runs_kernels, "barrier throughput: threads per cycle and SM; 0: unlimited"),
    PIPE_ROWS("sp", sp, 2, 4, 1, machine_runs_kernels, "32-bit floating point"),
    PIPE_ROWS("dp", dp, 0, 4, 1, is_gpu, "64-bit floating point; 0: on the sfu pipe"),
    PIPE_ROWS("int", integer, 0, 4, 1, machine_runs_kernels,
              "integer operations, moves and the rest; 0: on the sp pipe"),
    PIPE_ROWS("sfu", sfu, 1, 4, 1, machine_runs_kernels,
              "special functions (roots, sines, reciprocals)"),
    PIPE_ROWS("tensor", tensor, 0, 4, 1, is_gpu, "matrix operations; 0: on the sp pipe"),
    PIPE_ROWS("branch", branch, 0, 4, 1, machine_runs_kernels,
              "branches; 0: with integer operations"),
    PIPE_ROWS("texture", texture, 0, 4, 1, is_gpu,
              "texture operations; 0: with integer operations"),
    PIPE_ROWS("uniform", uniform, 0, 4, 1, is_gpu, "uniform datapath; 0: with integer operations"),
    SWITCH("l1i.enabled", l1i.enabled, 1, ROLE_FACT, AT_TIMING | STAGE_AREA, may_have_l1i,
           "instruction cache per SM; off: every fetch hits"),
    SWITCH("l1i.fetches", l1i.fetches, 0, ROLE_FACT, STAGE_L1I | STAGE_AREA | NOT_AT(DEPTH_TIMING),
           may_have_l1i, "depth functional fetches every warp instruction through the L1I"),
    BYTES("l1i.size", l1i.size, 128, 1 * MIB, STEP_DOUBLE, 2048, ROLE_LEVER, STAGE_L1I | STAGE_AREA,
          has_l1i, "capacity of the L1I per SM"),
    COUNT("l1i.ways", l1i.ways, 1, 1024, 4, ROLE_LEVER, STAGE_L1I | STAGE_AREA, has_l1i,
          "associativity of the L1I"),
    GRAIN("l1i.line", l1i.line, 128, ROLE_LEVER, STAGE_L1I | STAGE_AREA, has_l1i,
          "line size: bytes per tag"),
    ENUM("l1i.index", l1i.index, index_choices, INDEX_MODULO, ROLE_LEVER, STAGE_L1I | STAGE_AREA,
         has_l1i, "set index function"),
    ENUM("l1i.replacement", l1i.replacement, replacement_choices, REPLACEMENT_LRU, ROLE_LEVER,
         STAGE_L1I | STAGE_AREA, has_l1i, "replacement policy"),
    ENUM("l1i.reset", l1i.reset, reset_choices, RESET_PAPER, ROLE_FACT, STAGE_L1I, has_l1i_reset,
         "initial replacement state of a set, at power-up"),
    SWITCH("l1i.same_line", l1i.same_line, 0, ROLE_LEVER, STAGE_L1I, has_l1i,
           "a repeated fetch from the same line skips the tag read and the replacement update"),
    UINT("l1i.block_stride", l1i.block_stride, UNIT_BYTES, 0, 1 * GIB, STEP_DOUBLE, 0, 0, ROLE_FACT,
         STAGE_STREAM | STAGE_L1I | NOT_AT(DEPTH_REUSE), has_l1i,
         "distance between the code of consecutive blocks; 0: all blocks share one copy"),
    COUNT("l1i.buffer", l1i.buffer, 0, 64, 0, ROLE_LEVER, STAGE_L1I | STAGE_AREA, has_l1i,
          "stream buffer: lines prefetched after a miss; 0: no buffer"),
    BYTES("l1i.l0.size", l1i.l0.size, 0, 65536, STEP_DOUBLE, 0, ROLE_LEVER, STAGE_L1I | STAGE_AREA,
          has_l1i, "capacity of each L0 in front of the L1I, with its line size; 0: no L0"),
    COUNT("l1i.l0.count", l1i.l0.count, 1, 16, 4, ROLE_LEVER, STAGE_L1I | STAGE_AREA, has_l0,
          "L0 instruction caches per SM, with warps assigned in turn"),
    COUNT("l1i.l0.latency", l1i.l0.latency, 1, 100, 1, ROLE_TECHNOLOGY, AT_TIMING, at_timing_l0,
          "L0 hit latency, in cycles; a miss reaches the L1I after as many"),
    SWITCH("l1i.blocking", l1i.blocking, 0, ROLE_LEVER, AT_TIMING, at_timing_l1i,
           "blocking cache: no fetch while a line is in flight"),
    COUNT("l1i.latency", l1i.latency, 1, 100, 1, ROLE_TECHNOLOGY, AT_TIMING, at_timing_l1i,
          "hit latency, in cycles"),
    COUNT("l1i.mshr.entries", l1i.entries, 1, 1024, 2, ROLE_LEVER, AT_TIMING | STAGE_AREA, has_l1i,
          "MSHR entries of the L1I: lines in flight"),
    COUNT("l1i.mshr.merge", l1i.merge, 1, 1024, 32, ROLE_LEVER, AT_TIMING | STAGE_AREA, has_l1i,
          "fetches merged per MSHR"),
    COUNT("l1i.miss_queue", l1i.miss_queue, 1, 1024, 4, ROLE_LEVER, AT_TIMING | STAGE_AREA, has_l1i,
          "miss queue entries to the network"),
    CACHE_ROWS("l1d", l1d, STAGE_L1D, has_l1d, "L1D, per SM", 64 * MIB),
    BYTES("l1d.unified", l1d.unified, 0, 64 * MIB, STEP_DOUBLE, 0, ROLE_LEVER,
          STREAM_AND_L1D | STAGE_AREA, has_l1d,
          "unified SRAM of L1D and shared memory; 0: l1d.size is fixed"),
    SWITCH("l1d.same_line", l1d.same_line, 0, ROLE_LEVER, AT_TIMING, has_l1d,
           "a repeated access to the same line skips the tag read and the replacement update"),
    SWITCH("l1d.blocking", l1d.blocking, 0, ROLE_LEVER, AT_TIMING, has_l1d,
           "blocking cache: no access while a line is in flight"),
    SWITCH("l1d.texture", l1d.texture, 0, ROLE_FACT, STREAM_AND_L1D, may_have_l1d,
           "texture accesses take the path of global ones, as from Maxwell on"),
    COUNT("l1d.wavefront", l1d.wavefront, 1, 64, 1, ROLE_LEVER, AT_TIMING, has_l1d,
          "data-bank cycles per wavefront, in which an instruction accesses each bank once"),
    COUNT("l1d.load_cycles", l1d.load_cycles, 1, 64, 1, ROLE_LEVER, AT_TIMING, has_l1d,
          "minimum data-bank cycles per instruction"),
    COUNT("l1d.tags", l1d.tags, 0, 16, 0, ROLE_LEVER, AT_TIMING, has_l1d,
          "tag look-ups per cycle: lines of one instruction; 0: one sector per bank (l1d.banks)"),
    {ROW("l1d.skip", PARAMETER_BOOL, l1d.skip, UNIT_NONE, 0, 1, STEP_ADD, 1, ROLE_LEVER,
         STREAM_AND_L1D, may_have_l1d, "global accesses bypass the L1D, in sectors of 32 B"),
     .fallback.uint = 0, .counting = COUNTS_OTHER_REQUESTS},
    REAL("l1d.dirty", l1d.dirty, UNIT_PERCENT, 0, 1, 0.05, 0, ROLE_LEVER, AT_TIMING, has_l1d,
         "share of dirty lines below which no dirty line is evicted"),
    ENUM("l1d.bypass.policy", l1d.bypass.policy, bypass_choices, BYPASS_NEVER, ROLE_LEVER,
         AT_TIMING | STAGE_AREA, has_l1d, "which load misses bypass the L1D"),
    UINT("l1d.bypass.loads", l1d.bypass.loads, UNIT_MASK, 0, 9007199254740991.0, STEP_ADD, 1, 0,
         ROLE_FACT, AT_TIMING, has_bypass_loads,
         "loads that bypass: bit i is the load with the i-th lowest pc of its kernel, from 0"),
    REAL("l1d.bypass.chance", l1d.bypass.chance, UNIT_PERCENT, 0, 1, 0.05, 0.5, ROLE_LEVER,
         AT_TIMING, has_bypass_chance, "bypass probability per load miss"),
    COUNT("l1d.bypass.threshold", l1d.bypass.threshold, 1, 100000, 10, ROLE_LEVER, AT_TIMING,
          has_bypass_threshold, "bypass a load whose lines see this many evictions per hit"),
    ENUM("l1d.bypass.adaptive", l1d.bypass.adaptive, adaptive_choices, BYPASS_FIXED, ROLE_LEVER,
         AT_TIMING, has_bypass_adaptive, "how the threshold of evictions per hit is found"),
    COUNT("l1d.bypass.entries", l1d.bypass.entries, 1, 65536, 32, ROLE_LEVER,
          AT_TIMING | STAGE_AREA, has_bypass_entries,
          "entries of the table of loads; loads without an entry always allocate"),
    COUNT("l1d.bypass.tokens", l1d.bypass.tokens, 1, 128, 8, ROLE_LEVER, AT_TIMING,
          has_bypass_tokens, "how many of an SM's oldest warps may allocate"),
    COUNT("l1d.bypass.distance", l1d.bypass.distance, 0, 65535, 8, ROLE_LEVER,
          AT_TIMING | STAGE_AREA, has_bypass_distance,
          "protecting distance: accesses to its set for which a line is protected"),
    SWITCH("l1d.bypass.reset", l1d.bypass.reset, 1, ROLE_LEVER, AT_TIMING, has_bypass_reset,
           "clear what was learned at each launch"),
    SWITCH("l1d.bypass.shared", l1d.bypass.shared, 0, ROLE_LEVER, AT_TIMING, has_bypass_shared,
           "one table for all SMs, with the counts of all of them"),
    SWITCH("l1d.bypass.pending", l1d.bypass.pending, 0, ROLE_LEVER, AT_TIMING, has_bypass_reset,
           "a pending hit counts as a hit of its line"),
    SWITCH("l1d.bypass.mshr", l1d.bypass.mshr, 1, ROLE_LEVER, AT_TIMING, has_bypass_mshr,
           "a bypassed miss allocates an MSHR, so others can merge; no: it bypasses MSHRs too"),
    COUNT("l1d.bypass.queues", l1d.bypass.queues, 1, 128, 48, ROLE_LEVER, AT_TIMING | STAGE_AREA,
          has_bypass_queues, "request queues in front of each L1D"),
    COUNT("l1d.bypass.queue_entries", l1d.bypass.queue_entries, 1, 1024, 8, ROLE_LEVER,
          AT_TIMING | STAGE_AREA, has_bypass_queues, "entries per request queue"),
    ENUM("l1d.bypass.signature", l1d.bypass.signature, signature_choices, BYPASS_BY_WARP,
         ROLE_LEVER, AT_TIMING, has_bypass_queues,
         "what selects the queue of a request, modulo the queues"),
    ENUM("l1d.bypass.drain", l1d.bypass.drain, drain_choices, BYPASS_DRAIN_FIXED, ROLE_LEVER,
         AT_TIMING, has_bypass_queues, "which queue issues next"),
    ENUM("l1d.bypass.stores", l1d.bypass.stores, stores_choices, BYPASS_STORES_QUEUE, ROLE_LEVER,
         AT_TIMING, has_bypass_queues, "how stores pass the queues"),
    ENUM("l1d.bypass.stalls", l1d.bypass.stalls, stalls_choices, BYPASS_STALLS_LINE, ROLE_LEVER,
         AT_TIMING, has_bypass_queues, "which reservation fails make a miss bypass"),
    COUNT("l1d.bypass.tags", l1d.bypass.tags, 1, 64, 4, ROLE_LEVER, AT_TIMING | STAGE_AREA,
          has_bypass_tags, "tracked blocks per line of the L1D, whose accesses are counted"),
    COUNT("l1d.bypass.reuses", l1d.bypass.reuses, 0, 15, 1, ROLE_LEVER, AT_TIMING, has_bypass_tags,
          "tracked accesses to a block after which its misses allocate"),
    SWITCH("l1d.bypass.dynamic", l1d.bypass.dynamic, 0, ROLE_LEVER, AT_TIMING | STAGE_AREA,
           has_bypass_dynamic, "adapt tokens, distance or protected ways at run time"),
    ENUM("l1d.reuse.mode", l1d.reuse.mode, reuse_mode_choices, REUSE_TEXTBOOK, ROLE_FACT, AT_REUSE,
         has_l1d, "which definition depth reuse follows"),
    ENUM("l1d.reuse.wait", l1d.reuse.wait, reuse_wait_choices, REUSE_WAIT_LOAD, ROLE_FACT, AT_REUSE,
         has_l1d, "what stalls a warp (textbook)"),
    COUNT("l1d.reuse.latency", l1d.reuse.latency, 0, 100000, 100, ROLE_TECHNOLOGY, AT_REUSE,
          has_l1d, "minimum miss latency, in issue slots"),
    REAL("l1d.reuse.latency_sigma", l1d.reuse.latency_sigma, UNIT_NONE, 0, 10000, 1, 5,
         ROLE_TECHNOLOGY, AT_REUSE, has_l1d,
         "sigma of the half-normal part of the miss latency, in issue slots"),
    COUNT("l1d.reuse.hit_latency", l1d.reuse.hit_latency, 0, 100000, 0, ROLE_TECHNOLOGY, AT_REUSE,
          has_l1d, "hit latency, in issue slots (textbook)"),
    SWITCH("l1d.reuse.model.hierarchy", l1d.reuse.model.hierarchy, 1, ROLE_FACT, AT_REUSE, has_l1d,
           "resident warps interleave; off: one warp after another"),
    SWITCH("l1d.reuse.model.latency", l1d.reuse.model.latency, 1, ROLE_FACT, AT_REUSE, has_l1d,
           "accesses take time; off: all latencies are 0"),
    SWITCH("l1d.reuse.model.associativity", l1d.reuse.model.associativity, 1, ROLE_FACT, AT_REUSE,
           has_l1d, "lines map to sets; off: fully associative"),
    SWITCH("l1d.reuse.model.mshr", l1d.reuse.model.mshr, 1, ROLE_FACT, AT_REUSE, has_l1d,
           "l1d.mshr.entries limits the misses in flight; off: no limit"),
    SWITCH("l1d.reuse.model.merge", l1d.reuse.model.merge, 0, ROLE_FACT, AT_REUSE, has_l1d,
           "l1d.mshr.merge limits the accesses to a line in flight; off: no limit (textbook)"),
    SWITCH("l1d.reuse.model.allocate", l1d.reuse.model.allocate, 0, ROLE_FACT, AT_REUSE, has_l1d,
           "l1d.allocate says when a miss allocates; off: on fill (textbook)"),
    SWITCH("l1d.reuse.model.divergence", l1d.reuse.model.divergence, 1, ROLE_FACT, AT_REUSE,
           has_l1d, "warps stall for their data and drift apart; off: plain round robin"),
    CACHE_ROWS("l2", l2, STAGE_L2, has_l2, "L2, all slices", 4 * GIB),
    COUNT("l2.slices", l2.slices, 1, 1024, 12, ROLE_LEVER, STAGE_L2 | STAGE_AREA, has_l2,
          "L2 slices, over which addresses are interleaved"),
    COUNT("l2.slices_per_channel", l2.slices_per_channel, 1, 64, 2, ROLE_LEVER, AT_TIMING, has_l2,
          "L2 slices per memory channel"),
    UINT("l2.clock", l2.clock, UNIT_HERTZ, 0, 1e10, STEP_ADD, 1e7, 0, ROLE_TECHNOLOGY, AT_TIMING,
         has_l2, "L2 clock; 0: network.clock"),
    BYTES("l2.interleave", l2.interleave, 32, 65536, STEP_POWER, 256, ROLE_LEVER, STAGE_L2, has_l2,
          "interleaving granularity: consecutive bytes per slice"),
    ENUM("l2.partition", l2.partition, partition_choices, PARTITION_LINEAR, ROLE_LEVER, STAGE_L2,
         has_l2, "slice hash: how an address selects its slice"),
    SWITCH("l2.halves", l2.halves, 0, ROLE_FACT, STAGE_L2, has_l2,
           "L2 of two halves, each near every other SM; reads keep copies of far lines"),
    COUNT("l2.crossing", l2.crossing, 1, 100000, 70, ROLE_TECHNOLOGY, AT_TIMING, has_halves,
          "latency between the halves, in cycles"),
    COUNT("l2.queue", l2.queue, 8, 65536, 64, ROLE_LEVER, AT_TIMING, has_l2,
          "entries per queue to and from a slice"),
    SWITCH("l2.evict_port", l2.evict_port, 0, ROLE_FACT, AT_TIMING, has_l2,
           "evictions by reads occupy the data port, as those by stores do; no: as GPGPU-Sim"),
    CYCLES("l2.partial", l2.partial, 0, has_l2,
           "additional data-port cycles of a partial-sector write"),
    CYCLES("l2.atomic", l2.atomic, 0, has_l2,
           "data-port cycles of the first 8 B of an atomic; 8 B more add one; 0: as l2.partial"),
    CYCLES("l2.atomic_float", l2.atomic_float, 0, has_l2,
           "the same for floating-point atomics; 0: as l2.atomic"),
    ENUM("network.kind", network.kind, network_choices, NETWORK_FLY, ROLE_LEVER, AT_TIMING,
         machine_runs_kernels, "interconnect between SMs and L2 slices"),
    UINT("network.clock", network.clock, UNIT_HERTZ, 1e6, 1e10, STEP_ADD, 1e7, 700000000,
         ROLE_TECHNOLOGY, AT_TIMING, machine_runs_kernels,
         "interconnect clock, and that of the L2 where l2.clock is 0"),
    BYTES("network.flit", network.flit, 4, 1024, STEP_DOUBLE, 40, ROLE_LEVER, AT_TIMING, has_flits,
          "flit size"),
    COUNT("network.queue", network.queue, 1, 65536, 64, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "buffer entries per input and output, in packets; fly: in flits"),
    COUNT("network.inject", network.inject, 1, 65536, 9, ROLE_LEVER, AT_TIMING, has_flits,
          "injection queue entries per input, in flits"),
    COUNT("network.ejected", network.ejected, 1, 4096, 32, ROLE_LEVER, AT_TIMING,
          machine_runs_kernels, "ejection queue entries per SM, in packets"),
    COUNT("network.sectors", network.sectors, 1, 16, 1, ROLE_LEVER, AT_TIMING, has_packets,
          "sectors that an SM requests, and receives, per cycle"),
    CYCLES("dram.latency", dram.latency, 100, machine_runs_kernels,
           "memory access latency beyond the L2, in cycles"),
    UINT("dram.latency_clock", dram.latency_clock, UNIT_HERTZ, 0, 1e10, STEP_ADD, 1e7, 0,
         ROLE_TECHNOLOGY, AT_TIMING, machine_runs_kernels,
         "SM clock whose cycles dram.latency is in, so that it is a time; 0: gpu.clock"),
    UINT("dram.clock", dram.clock, UNIT_HERTZ, 1e6, 1e10, STEP_ADD, 1e6, 924000000, ROLE_TECHNOLOGY,
         AT_TIMING, machine_runs_kernels, "DRAM command clock"),
    SWITCH("dram.fixed", dram.fixed, 0, ROLE_FACT, AT_TIMING, machine_runs_kernels,
           "fixed-latency DRAM: every access takes dram.latency; no banks, no rows"),
    ENUM("dram.scheduler", dram.scheduler, dram_choices, DRAM_FRFCFS, ROLE_LEVER, AT_TIMING,
         has_dram_banks, "DRAM scheduling policy"),
    COUNT("dram.queue", dram.queue, 1, 4096, 64, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "scheduler queue entries per channel"),
    COUNT("dram.returns", dram.returns, 1, 4096, 116, ROLE_LEVER, AT_TIMING, machine_runs_kernels,
          "return queue entries per channel, to the L2"),
    BYTES("dram.bus", dram.bus, 1, 1024, STEP_DOUBLE, 8, ROLE_LEVER, AT_TIMING, has_dram_banks,
          "data bus width per channel"),
    COUNT("dram.burst", dram.burst, 1, 64, 8, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks,
          "burst length: transfers per column command"),
    COUNT("dram.rate", dram.rate, 1, 16, 4, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks,
          "data rate: transfers per cycle of the command clock"),
    SWITCH("dram.dual", dram.dual, 0, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks,
           "dual command bus: one row and one column command per cycle"),
    COUNT("dram.banks", dram.banks, 1, 64, 16, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks,
          "banks per channel"),
    COUNT("dram.groups", dram.groups, 1, 64, 4, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks,
          "bank groups per channel"),
    MASK(bank, 0xe100, ROLE_LEVER, AT_TIMING, has_bank_mask, "the bank"),
    MASK(row, 0xfff0000, ROLE_LEVER, AT_TIMING, has_dram_banks, "the row"),
    MASK(column, 0x1eff, ROLE_FACT, FOR_FILES, has_dram_banks, "the column, in simulator files"),
    ENUM("dram.bank_hash", dram.bank_hash, bank_hash_choices, BANK_PLAIN, ROLE_LEVER, AT_TIMING,
         has_dram_banks, "bank hash: how row bits permute the bank"),
    ENUM("dram.group_bits", dram.group_bits, bank_group_choices, BANK_GROUP_LOW, ROLE_LEVER,
         AT_TIMING, has_dram_banks, "which bits of the bank number select the bank group"),
    DRAM_TIME(ccd, 2, "tCCD: cycles between column commands"),
    DRAM_TIME(rrd, 6, "tRRD: cycles between activates of different banks"),
    DRAM_TIME(rcd, 12, "tRCD: cycles from activate to read"),
    DRAM_TIME(ras, 28, "tRAS: cycles from activate to precharge"),
    DRAM_TIME(rp, 12, "tRP: cycles from precharge to activate"),
    DRAM_TIME(rc, 40, "tRC: cycles between activates of one bank"),
    DRAM_TIME(cl, 12, "CL: cycles from read to its data"),
    DRAM_TIME(wl, 4, "WL: cycles from write to its data"),
    DRAM_TIME(cdlr, 5, "tCDLR: cycles from write data to read"),
    DRAM_TIME(wr, 12, "tWR: cycles from write data to precharge"),
    DRAM_TIME(ccdl, 3, "tCCDL: cycles between column commands within a bank group"),
    DRAM_TIME(rtpl, 2, "tRTPL: cycles from read to precharge within a bank group"),
    COUNT("dram.write_batch", dram.write_batch, 0, 4096, 0, ROLE_LEVER, AT_TIMING, has_dram_banks,
          "write batch per channel: writes drained together; 0: each as it comes"),
    COUNT("dram.write_queue", dram.write_queue, 0, 4096, 0, ROLE_LEVER, AT_TIMING, has_dram_banks,
          "write queue entries per channel; 0: writes share the queue of the reads"),
    COUNT("dram.write_high", dram.write_high, 1, 4096, 28, ROLE_LEVER, AT_TIMING, has_write_queue,
          "high watermark of the write queue, at which writes drain"),
    COUNT("dram.write_low", dram.write_low, 0, 4096, 16, ROLE_LEVER, AT_TIMING, has_write_queue,
          "low watermark of the write queue, below which reads resume"),
    COUNT("dram.refi", dram.refi, 0, 1000000, 0, ROLE_TECHNOLOGY, AT_TIMING, has_dram_banks,
          "tREFI: cycles between refreshes of all banks; 0: no refresh"),
    COUNT("dram.rfc", dram.rfc, 0, 1000000, 0, ROLE_TECHNOLOGY, AT_TIMING, has_refresh_of_all,
          "tRFC: cycles of a refresh, in which its channel accepts no command"),
    COUNT("dram.rfcsb", dram.rfcsb, 0, 1000000, 0, ROLE_TECHNOLOGY, AT_TIMING, has_refresh,
          "tRFCsb: cycles of a per-bank refresh, bank after bank; 0: all banks at once"),
    SWITCH("tlb.enabled", tlb.enabled, 1, ROLE_FACT, STAGE_TLB | STAGE_AREA, may_have_tlb,
           "address translation, with one TLB per SM"),
    GEOMETRY(GEOMETRY_CAPACITY, "tlb.entries", tlb.entries, UNIT_NONE, 1, 65536, STEP_ADD, 1, 64,
             ROLE_LEVER, STAGE_TLB | STAGE_AREA, has_tlb, "entries per TLB"),
    WAYS(GEOMETRY_WAYS, "tlb.ways", tlb.ways, WAYS_FULL, STAGE_TLB | STAGE_AREA, has_tlb),
    ENUM("tlb.replacement", tlb.replacement, replacement_choices, REPLACEMENT_LRU, ROLE_LEVER,
         STAGE_TLB | STAGE_AREA, has_tlb, "replacement policy"),
    SWITCH("l2tlb.enabled", l2tlb.enabled, 0, ROLE_LEVER, STAGE_PWC | STAGE_AREA, has_tlb,
           "L2 TLB, shared by all SMs"),
    GEOMETRY(GEOMETRY_CAPACITY, "l2tlb.entries", l2tlb.entries, UNIT_NONE, 1, 1048576, STEP_ADD, 1,
             512, ROLE_LEVER, STAGE_PWC | STAGE_AREA, has_l2tlb, "entries of the L2 TLB"),
    WAYS(GEOMETRY_WAYS, "l2tlb.ways", l2tlb.ways, 16, STAGE_PWC | STAGE_AREA, has_l2tlb),
    ENUM("l2tlb.replacement", l2tlb.replacement, replacement_choices, REPLACEMENT_LRU, ROLE_LEVER,
         STAGE_PWC | STAGE_AREA, has_l2tlb, "replacement policy"),
    BYTES("page.size", page.size, 4096, 2 * MIB, STEP_POWER, 4096, ROLE_LEVER,
          STAGE_TLB | STAGE_PWC | STAGE_AREA, has_tlb, "page size: 4KiB, 64KiB or 2MiB"),
    ENUM("pwc.organization", pwc.organization, pwc_choices, PWC_TPC, ROLE_LEVER,
         STAGE_PWC | STAGE_AREA, has_tlb, "page-walk cache organization"),
    COUNT("pwc.entries", pwc.entries, 1, 65536, 24, ROLE_LEVER, STAGE_PWC | STAGE_AREA, has_pwc,
          "entries: paths (tpc), of all levels (uptc), of the L2 level (stc, cpwc)"),
    WAYS(NO_GEOMETRY, "pwc.ways", pwc.ways, WAYS_FULL, STAGE_PWC | STAGE_AREA, has_pwc_sets),
    COUNT("pwc.l4_entries", pwc.l4_entries, 1, 512, 2, ROLE_LEVER, STAGE_PWC | STAGE_AREA,
          has_levels, "L4 entries, direct-mapped (cpwc) or fully associative (stc)"),
    COUNT("pwc.l3_entries", pwc.l3_entries, 1, 4096, 4, ROLE_LEVER, STAGE_PWC | STAGE_AREA,
          has_levels, "L3 entries, likewise"),
    COUNT("pwc.block_entries", pwc.block_entries, 1, 4096, 1, ROLE_LEVER, STAGE_PWC | STAGE_AREA,
          has_block_entries, "entries per fully associative block of the L2 level"),
    ENUM("pwc.mask", pwc.mask, pwc_mask_choices, PWC_MASK_FORMULA, ROLE_LEVER,
         STAGE_PWC | STAGE_AREA, has_blocks, "width of the block mask of an L3 entry"),
    SWITCH("pwc.invalidate", pwc.invalidate, 1, ROLE_LEVER, STAGE_PWC, has_blocks,
           "replacing an L4 or L3 entry invalidates the entries below it"),
    COUNT("walker.count", walker.count, 1, 1024, 8, ROLE_LEVER, STAGE_PWC, has_tlb,
          "page-table walkers: concurrent page walks"),
    COUNT("walker.queue", walker.queue, 1, 65536, 256, ROLE_LEVER, STAGE_PWC | STAGE_AREA, has_tlb,
          "walk queue entries; while the queue is full, SMs request no translations"),
    ENUM("walker.policy", walker.policy, walker_choices, WALKER_FCFS, ROLE_LEVER, STAGE_PWC,
         has_tlb, "walk scheduling policy"),
    COUNT("walker.patience", walker.patience, 0, 1e9, 2000000, ROLE_LEVER, STAGE_PWC, has_patience,
          "starvation limit: younger walks that may overtake one; 0: fcfs"),
    SWITCH("walker.merge", walker.merge, 0, ROLE_LEVER, STAGE_PWC | STAGE_AREA, has_tlb,
           "a walk serves all requests for its page until it ends"),
    COUNT("walker.interval", walker.interval, 0, 100000, 4, ROLE_FACT,
          STAGE_PWC | NOT_AT(DEPTH_TIMING), has_tlb,
          "functional: cycles of the issue clock between memory instructions of an SM"),
    COUNT("walker.lookup", walker.lookup, 0, 100000, 1, ROLE_TECHNOLOGY, STAGE_PWC, has_tlb,
          "page-walk cache look-up latency, in cycles; uptc: per level"),
    COUNT("walker.latency", walker.latency, 0, 100000, 100, ROLE_TECHNOLOGY, STAGE_PWC, has_tlb,
          "memory latency per page-table entry read, in cycles"),
    SWITCH("walker.l2", walker.l2, 0, ROLE_LEVER, STAGE_PWC, has_walks_in_l2,
           "page walks read through the L2, among the L1D misses"),
    COUNT("walker.l2_latency", walker.l2_latency, 0, 100000, 120, ROLE_TECHNOLOGY,
          STAGE_PWC | NOT_AT(DEPTH_TIMING), machine_couples,
          "functional: L2 latency per page-table entry read; a miss adds walker.latency"),
    SWITCH("tile.enabled", tile.cache.enabled, 0, ROLE_FACT, TILE_AND_AREA, may_have_tile,
           "tile cache of colour and depth surfaces"),
    GEOMETRY(GEOMETRY_CAPACITY, "tile.size", tile.cache.size, UNIT_BYTES, 128, 4 * MIB, STEP_DOUBLE,
             0, 32768, ROLE_LEVER, TILE_AND_AREA, has_tile_cache,
             "capacity of the tile cache, all banks"),
    GEOMETRY(GEOMETRY_WAYS, "tile.ways", tile.cache.ways, UNIT_NONE, 1, 4096, STEP_ADD, 1, 4,
             ROLE_LEVER, TILE_AND_AREA, has_tile_cache,
             "associativity; any number that divides a bank's lines"),
    ENUM("tile.index", tile.cache.index, index_choices, INDEX_MODULO, ROLE_LEVER, TILE_AND_AREA,
         has_tile_cache, "set index function within a bank"),
    ENUM("tile.replacement", tile.cache.replacement, replacement_choices, REPLACEMENT_LRU,
         ROLE_LEVER, TILE_AND_AREA, has_tile_cache, "replacement policy"),
    ENUM("tile.reset", tile.cache.reset, reset_choices, RESET_PAPER, ROLE_FACT, STAGE_TILE,
         has_tile_reset, "initial replacement state of a set, at power-up"),
    ENUM("tile.write_allocate", tile.cache.write_allocate, write_allocate_choices,
         WRITE_ALLOCATE_ON_WRITE, ROLE_LEVER, STAGE_TILE, has_tile_cache,
         "whether a miss on a cleared or wholly overwritten line reads it from memory"),
    COUNT("tile.output", tile.cache.output, 8, 4096, 512, ROLE_LEVER, STAGE_AREA, has_tile_cache,
          "data array output width: bits read per access"),
    UINT("tile.banks", tile.cache.slices, UNIT_NONE, 1, 16, STEP_POWER, 0, 4, ROLE_LEVER,
         TILE_AND_AREA, has_tile_cache, "banks, each with its own pipeline; a power of two"),
    ENUM("tile.partition", tile.partition, tile_partition_choices, SCREEN_SQUARES, ROLE_LEVER,
         STAGE_TILE, has_tile_cache, "screen partition: how tiles map to banks"),
    ENUM("tile.unit", tile.unit, tile_unit_choices, TILE_UNIT_QUAD, ROLE_LEVER, STAGE_TILE,
         has_tile_cache, "granularity of the screen partition"),
    COUNT("tile.pipelines", tile.pipelines, 1, 64, 4, ROLE_LEVER, AT_TIMING, has_tile,
          "requests per cycle from the rasteriser, in order"),
    COUNT("tile.fifo", tile.fifo, 1, 1024, 8, ROLE_LEVER, AT_TIMING, has_tile_cache,
          "input FIFO entries per bank"),
    ENUM("tile.queue.kind", tile.queue.kind, tile_queue_choices, TILE_LINKED, ROLE_LEVER,
         TILE_AND_AREA, has_tile, "miss handling of a bank"),
    COUNT("tile.queue.entries", tile.queue.entries, 1, 256, 16, ROLE_LEVER, AT_TIMING | STAGE_AREA,
          has_tile_entries, "miss queue entries per bank; mshr: lines in flight"),
    COUNT("tile.queue.merge", tile.queue.merge, 1, 256, 8, ROLE_LEVER, AT_TIMING | STAGE_AREA,
          has_tile_merge, "requests merged per line in flight"),
    COUNT("tile.prefetch", tile.prefetch, 0, 16, 0, ROLE_LEVER, AT_TIMING, has_tile_entries,
          "prefetch degree: lines right of a miss read ahead, which lowers saved.tile_reads"),
    CYCLES("tile.latency", tile.latency, 100, has_tile, "memory read latency, in cycles"),
    CYCLES("tile.jitter", tile.jitter, 0, has_tile,
           "maximum random latency added per read; reads then return out of order"),
    COUNT("tile.bandwidth", tile.bandwidth, 1, 4096, 16, ROLE_LEVER, AT_TIMING, has_tile,
          "memory bandwidth, in bytes per cycle"),
    BYTES("tile.l2.size", tile.l2.size, 0, 16 * MIB, STEP_DOUBLE, 0, ROLE_LEVER, TILE_AND_AREA,
          has_tile_cache, "capacity of the L2 between the banks and memory; 0: no L2"),
    COUNT("tile.l2.ways", tile.l2.ways, 1, 4096, 16, ROLE_LEVER, TILE_AND_AREA, has_tile_l2,
          "associativity of this L2"),
    ENUM("tile.l2.replacement", tile.l2.replacement, replacement_choices, REPLACEMENT_LRU,
         ROLE_LEVER, TILE_AND_AREA, has_tile_l2, "replacement policy of this L2"),
    CYCLES("tile.l2.latency", tile.l2.latency, 30, has_tile_l2,
           "latency of a look-up in this L2, in cycles; a miss adds that of memory"),
    COUNT("tile.l2.port", tile.l2.port, 1, 4096, 64, ROLE_LEVER, AT_TIMING, has_tile_l2,
          "bandwidth between the banks and this L2, in bytes per cycle"),
    UINT("tile.bin.side", tile.bin.side, UNIT_NONE, 4, 64, STEP_POWER, 0, 16, ROLE_LEVER,
         TILE_AND_AREA, has_bins, "bin size: side of the buffered block, in pixels"),
    COUNT("tile.bin.primitive", tile.bin.primitive, 0, 4096, 96, ROLE_FACT, STAGE_TILE, has_bins,
          "bytes per primitive after the vertex shader: three vertices of 32 B"),
    SWITCH("tile.bin.eliminate", tile.bin.eliminate, 0, ROLE_LEVER, STAGE_TILE, has_bins,
           "transaction elimination: blocks that equal memory are not written"),
    ENUM("machine.kind", kind, kind_choices, KIND_COMPUTE, ROLE_FACT,
         (STAGE_EVERY & ~STAGE_STREAM) | NOT_AT(DEPTH_REUSE), NULL,
         "purpose of the machine, which decides what it may consist of"),
    ENUM("tech.target", tech.target, target_choices, TARGET_ASIC, ROLE_TECHNOLOGY, STAGE_AREA, NULL,
         "implementation technology"),
    REAL("tech.node", tech.node, UNIT_METRES, 3e-9, 90e-9, 1e-9, 40e-9, ROLE_TECHNOLOGY, STAGE_AREA,
         is_chip, "process node (feature size)"),
    SCALE("tech.scale.area", tech.scale.area, "areas"),
    SCALE("tech.scale.time", tech.scale.time, "access times"),
    SCALE("tech.scale.energy", tech.scale.energy, "energies of reads"),
    SCALE("tech.scale.leakage", tech.scale.leakage, "leakages"),
    UINT("seed", seed, UNIT_NONE, 0, 9007199254740991.0, STEP_ADD, 1, 1, ROLE_FACT,
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
    machine->tile.l2 = machine->tile.cache;
    machine->tile.l2.slices = 1;
    machine->tile.l2.write_allocate = WRITE_ALLOCATE_ON_WRITE; /* banks write whole lines */
    machine->tile.l2.output = 8 * machine->tile.l2.line;
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
