#include "model/tile/tile.h"

#include <math.h>

#include "base/bits.h"
#include "model/cache/cache_arrays.h"
#include "model/gpu/structure_arrays.h"
#include "model/tile/binned.h"
#include "model/tile/tile_run.h"

bool tile_has_bins(const struct machine *machine)
{
    return machine_has(machine, STAGE_TILE) &&
           tile_queue_traits[machine->tile.queue.kind] & TILE_BINS;
}

bool tile_has_cache(const struct machine *machine)
{
    return machine_has(machine, STAGE_TILE) && !tile_has_bins(machine);
}

enum status tile_check_cache(const struct machine *machine, struct diagnostics *diagnostics)
{
    return tile_has_cache(machine)
               ? STATUS_OK
               : diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "the machine has no tile cache whose banks could be watched; "
                                   "tile-gpu has one");
}

static void put_load(const struct screen_load *load, uint32_t banks, struct metrics *metrics)
{
    const struct screen_balance balance = screen_load_balance(load, banks);
    metrics->tile_load_most = balance.most;
    metrics->tile_imbalance = balance.imbalance;
    metrics->tile_imbalance_window = balance.window_imbalance;
}

void tile_put_dealt(const struct dealt *dealt, uint32_t banks, struct metrics *metrics)
{
    metrics->tile_requests = (double)dealt->requests;
    metrics->tile_cleared = (double)dealt->cleared;
    put_load(&dealt->load, banks, metrics);
}

static void put_cycles(uint64_t cycles, const struct tile_stream *tiles, struct metrics *metrics)
{
    metrics->tile_cycles = (double)cycles;
    metrics->tile_frame_cycles = (double)cycles / tile_frames(tiles);
}

enum status tile_put_bins(const struct machine *machine, const struct tile_stream *tiles,
                          const struct evaluate_options *options, bool timed,
                          struct metrics *metrics, struct diagnostics *diagnostics)
{
    struct binned_counts counts;
    const enum status status =
        binned_run(machine, tiles, options->cancel, &counts, NULL, diagnostics);
    if (status)
        return status;
    metrics->tile_requests = (double)counts.requests;
    metrics->tile_bus_reads = (double)counts.reads;
    metrics->tile_writebacks = (double)counts.writes;
    metrics->tile_read_bytes = (double)counts.read_bytes;
    metrics->tile_write_bytes = (double)counts.write_bytes;
    metrics->tile_bin_bytes = (double)counts.list_bytes;
    metrics->tile_eliminated = (double)counts.eliminated;
    if (timed)
        put_cycles(counts.cycles, tiles, metrics);
    return STATUS_OK;
}

static void put_stalls(const uint64_t stalls[BANK_STALLS], struct metrics *metrics)
{
    metrics->tile_stall_queue = (double)stalls[BANK_STALL_QUEUE];
    metrics->tile_stall_miss = (double)stalls[BANK_STALL_MISS];
    metrics->tile_stall_writeback = (double)stalls[BANK_STALL_WRITEBACK];
    metrics->tile_stall_execute = (double)stalls[BANK_STALL_EXECUTE];
}

static void put_banks(const struct bank_counts *banks, struct metrics *metrics)
{
    metrics->tile_cleared = (double)banks->cleared;
    metrics->tile_accesses = (double)banks->accesses;
    metrics->tile_misses = (double)banks->misses;
    metrics->tile_chained = (double)banks->chained;
    metrics->tile_chain_mean = (double)banks->misses / (double)banks->chains; /* none: NaN */
    metrics->tile_chain_max = (double)banks->longest;
    metrics->tile_unread = (double)banks->unread;
    metrics->tile_prefetches = (double)banks->prefetches;
    metrics->tile_cache_writes = (double)banks->cache_writes;
    metrics->tile_refills = (double)banks->refills;
    metrics->tile_tag_updates = (double)banks->tag_updates;
    metrics->tile_writebacks = (double)banks->writebacks;
    metrics->tile_write_bytes = (double)(banks->writebacks * TILE_BYTES);
    put_stalls(banks->stalls, metrics);
}

void tile_put_part(const struct tile_part *part, uint32_t banks, uint64_t cycles,
                   struct metrics *metrics)
{
    double requests = 0, most = 0;
    for (uint32_t i = 0; i < banks; i++) {
        requests += (double)part->requests[i];
        most = fmax(most, (double)part->requests[i]);
    }
    metrics_clear(metrics);
    metrics->tile_cycles = (double)cycles;
    metrics->tile_requests = requests;
    metrics->tile_load_most = most;
    metrics->tile_imbalance = most / (requests / banks); /* none: NaN */
    put_stalls(part->stalls, metrics);
    metrics->tile_stall_input = (double)part->input_stalls;
    metrics->tile_stall_bank = (double)part->bank_stalls;
    metrics->tile_queue_mean = (double)part->queued / (double)cycles / banks;
}

/* Between it and memory; what passes between the banks and it are bus reads and write-backs. */
static void put_l2(const struct tile_counts *counts, struct metrics *metrics)
{
    metrics->tile_l2_accesses = (double)(counts->reads + counts->banks.writebacks);
    metrics->tile_l2_misses = (double)counts->loaded;
    metrics->tile_read_bytes = (double)(counts->loaded * TILE_BYTES);
    metrics->tile_write_bytes = (double)(counts->stored * TILE_BYTES);
}

enum status tile_time(const struct machine *machine, const struct tile_stream *tiles,
                      const struct evaluate_options *options, struct tile_parts *parts,
                      struct metrics *metrics, struct diagnostics *diagnostics)
{
    const struct tile_run_options run = {
        .ideals = options->ideals, .cancel = options->cancel, .parts = parts};
    struct tile_run timed;
    if (tile_has_bins(machine))
        return tile_put_bins(machine, tiles, options, true, metrics, diagnostics);
    enum status status = tile_run_open(&timed, machine, tiles, &run, NULL, diagnostics);
    if (status)
        return status;
    status = tile_run_advance(&timed, UINT64_MAX, diagnostics);
    const struct tile_counts *counts = &timed.tiles.counts;
    put_banks(&counts->banks, metrics);
    put_load(&counts->load, timed.tiles.bank_count, metrics);
    put_cycles(counts->cycles, tiles, metrics);
    metrics->tile_requests = (double)counts->requests;
    metrics->tile_bus_reads = (double)counts->reads;
    metrics->tile_read_bytes = (double)(counts->reads * TILE_BYTES);
    if (machine->tile.l2.size)
        put_l2(counts, metrics);
    metrics->tile_stall_input = (double)counts->input_stalls;
    metrics->tile_stall_bank = (double)counts->bank_stalls;
    metrics->tile_queue_mean = (double)counts->queue_sum / (double)counts->bank_cycles;
    metrics->tile_queue_p99 = (double)counts->queue_p99;
    tile_run_close(&timed);
    return status;
}

/* A request that waits brings its new values, its mask and its operation. */
enum { REQUEST_BITS = 8 * TILE_BYTES + TILE_VALUES + 3, LINE_ADDRESS_BITS = 48 - 6 };

/* Two buffers, so that one is drawn into while the other goes to memory: colour and depth. */
static size_t block_arrays(const struct tile_config *config, struct memory_array *arrays)
{
    *arrays = (struct memory_array){.name = "pixels",
                                    .kind = MEMORY_RAM,
                                    .count = 2,
                                    .entries = config->bin.side * config->bin.side / TILE_VALUES,
                                    .payload_bits = UINT64_C(2) * 8 * TILE_BYTES,
                                    .extra_ports = 1};
    return 1;
}

/* The banks have the ports that their miss queue needs. */
size_t structure_arrays_tile(const struct machine *machine,
                             struct memory_array arrays[MEMORY_ARRAYS])
{
    struct cache_config config = machine->tile.cache;
    config.ports = tile_queue_ports[machine->tile.queue.kind];
    return tile_has_cache(machine) ? cache_arrays(&config, config.size / config.slices,
                                                  config.slices, machine->gpu.address_bits, arrays)
                                   : 0;
}

size_t structure_arrays_tile_l2(const struct machine *machine,
                                struct memory_array arrays[MEMORY_ARRAYS])
{
    const struct cache_config *l2 = &machine->tile.l2;
    return tile_has_cache(machine) && l2->size
               ? cache_arrays(l2, l2->size, 1, machine->gpu.address_bits, arrays)
               : 0;
}

/* The miss queues of the banks, or the buffers of blocks. */
size_t structure_arrays_tile_queue(const struct machine *machine,
                                   struct memory_array arrays[MEMORY_ARRAYS])
{
    const struct tile_config *config = &machine->tile;
    const unsigned traits = tile_queue_traits[config->queue.kind];
    const uint64_t entries = traits & TILE_ENTRIES ? config->queue.entries : 1;
    const uint64_t of_entry = traits & TILE_MERGES ? config->queue.merge : 1;
    if (traits & TILE_BINS)
        return block_arrays(config, arrays);
    /* Compared are the line's address and whether the entry is valid; beside them it says whether
     * it is a tail, was read and is ready, and which entry is next. What requests bring is not on
     * the way of the comparison. */
    arrays[0] = (struct memory_array){.name = "awaited lines",
                                      .kind = MEMORY_SEARCHED,
                                      .count = config->cache.slices,
                                      .entries = entries,
                                      .key_bits = LINE_ADDRESS_BITS + 1,
                                      .payload_bits = 3 + log2_ceil(entries * of_entry)};
    arrays[1] = (struct memory_array){.name = "requests that wait",
                                      .kind = MEMORY_RAM,
                                      .count = config->cache.slices,
                                      .entries = entries * of_entry,
                                      .payload_bits = REQUEST_BITS,
                                      .extra_ports = 1};
    return 2;
}
