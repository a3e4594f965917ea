/* The rules that involve several parameters (machine_check of schema/parameters.h). The census of a
 * space runs them once per point, so a machine that breaks no rule costs no formatting. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "schema/parameters.h"

struct report {
    struct violation *found;
    size_t count;
};

__attribute__((format(printf, 4, 5))) static void broken(struct report *report, const char *rule,
                                                         const char *path, const char *format, ...)
{
    if (report->count < VIOLATION_MAX) {
        struct violation *violation = &report->found[report->count];
        violation->rule = rule;
        violation->parameter = parameter_find(path);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(violation->message, sizeof violation->message, format, arguments);
        va_end(arguments);
    }
    report->count++;
}

struct cache_paths { /* the parameters that a cache's rules blame, and the name of the rules */
    const char *rule, *size, *sector, *index, *allocate, *replacement, *reset;
};

static void check_index(struct report *report, const struct cache_config *cache,
                        const struct cache_paths *paths)
{
    uint64_t sets = cache_sets(cache);
    /* The published reuse-distance program takes its hash modulo any number of sets. */
    if (cache->reuse.mode == REUSE_PUBLISHED && cache->index == INDEX_FERMI)
        return;
    char needs[FAMILY_NEEDS];
    if (!index_holds(cache->index, sets))
        broken(report, paths->rule, paths->index,
               "the %s hash needs %s, size / (ways x line) gives %" PRIu64,
               index_facts[cache->index].name, index_needs(cache->index, needs), sets);
}

static void check_ways(struct report *report, int policy, uint64_t ways, const char *rule,
                       const char *path)
{
    char needs[FAMILY_NEEDS];
    if (!replacement_holds(policy, ways))
        broken(report, rule, path, "%s needs %s, not %" PRIu64, replacement_facts[policy].name,
               replacement_needs(policy, needs), ways);
}

static void check_reset(struct report *report, int policy, int reset, const char *rule,
                        const char *path)
{
    if (!replacement_starts(policy, reset))
        broken(report, rule, path,
               "expected paper: the counters of %s must differ, started from equal bits it could "
               "not pick a victim",
               replacement_facts[policy].name);
}

static void check_cache(struct report *report, const struct cache_config *cache,
                        const struct cache_paths *paths)
{
    char size[QUANTITY_TEXT], line[QUANTITY_TEXT], sector[QUANTITY_TEXT];
    uint64_t row = cache->slices * cache->ways * cache->line;
    bool divides = cache->size >= row && cache->size % row == 0;
    bool sectors_fit = cache->sector <= cache->line && cache->line / cache->sector <= 32;
    if (!divides || !sectors_fit) { /* a census checks millions of machines: format text only for
                                     * an error */
        quantity_print_uint(cache->size, UNIT_BYTES, size);
        quantity_print_uint(cache->line, UNIT_BYTES, line);
        quantity_print_uint(cache->sector, UNIT_BYTES, sector);
    }
    if (divides)
        check_index(report, cache, paths);
    else if (cache->slices > 1)
        broken(report, paths->rule, paths->size,
               "%s is not a multiple of slices x ways x line (%" PRIu64 " x %" PRIu64 " x %s)",
               size, cache->slices, cache->ways, line);
    else
        broken(report, paths->rule, paths->size,
               "%s is not a multiple of ways x line (%" PRIu64 " x %s)", size, cache->ways, line);
    if (!sectors_fit)
        broken(report, paths->rule, paths->sector,
               "a sector of %s does not fit a line of %s (1 to 32 sectors)", sector, line);
    check_ways(report, cache->replacement, cache->ways, paths->rule, paths->replacement);
    check_reset(report, cache->replacement, cache->reset, paths->rule, paths->reset);
    /* GPGPU-Sim refuses the same combinations (gpu-cache.h, cache_config::init). */
    bool fetches_late = write_allocate_traits[cache->write_allocate] & WRITE_ALLOCATE_LATE;
    bool on_miss = cache->allocate == ALLOCATE_ON_MISS;
    const char *name = cache->allocate == ALLOCATE_STREAMING ? "streaming" : "on_fill";
    if (!on_miss && fetches_late)
        broken(report, paths->rule, paths->allocate,
               "%s cannot be combined with fetch_on_write or lazy_fetch", name);
    if (!on_miss && cache->write == WRITE_BACK)
        broken(report, paths->rule, paths->allocate, "%s cannot be combined with write_back", name);
}

static void check_halves(struct report *report, const struct cache_config *l2)
{
    if (l2->slices % (2 * l2->slices_per_channel))
        broken(report, "l2 halves", "l2.halves",
               "%" PRIu64 " slices in channels of %" PRIu64 " are no two equal halves", l2->slices,
               l2->slices_per_channel);
    if (cache_is_offline(l2))
        broken(report, "l2 halves", "l2.replacement",
               "opt decides its misses at the end, so the other half cannot be asked for them");
}

static void check_carveout(struct report *report, const struct machine *machine)
{
    const struct sizes *options = &machine->gpu.shared_options;
    if (!machine->l1d.unified)
        return;
    if (!options->count)
        broken(report, "l1d carve-out", "gpu.shared_options",
               "a unified L1D needs the list of shared-memory carve-outs");
    else if (options->item[0] >= machine->l1d.unified)
        broken(report, "l1d carve-out", "gpu.shared_options",
               "the smallest carve-out leaves nothing of l1d.unified for the L1D");
    if (machine->l1d.unified % machine->l1d.size)
        broken(report, "l1d carve-out", "l1d.unified", "must be a multiple of l1d.size");
    const struct replacement_facts *policy = &replacement_facts[machine->l1d.replacement];
    char needs[FAMILY_NEEDS];
    const uint64_t row = cache_sets(&machine->l1d) * machine->l1d.line;
    const uint64_t ways = row ? machine->l1d.unified / row : 0;
    if (policy->traits & REPLACEMENT_POWER_OF_TWO || ways > policy->ways_max)
        broken(report, "l1d carve-out", "l1d.replacement",
               "%s needs %s; those of a unified L1D change with the carve-out", policy->name,
               replacement_needs(machine->l1d.replacement, needs));
}

uint64_t tlb_ways(const struct tlb_config *tlb)
{
    return tlb->ways == WAYS_FULL ? tlb->entries : tlb->ways;
}

uint64_t pwc_ways(const struct pwc_config *pwc)
{
    bool sets = pwc_traits[pwc->organization] & PWC_SETS;
    return sets && pwc->ways != WAYS_FULL ? pwc->ways : pwc->entries;
}

/* Entries in sets of so many ways, for each of which some bits of an address choose. */
static void check_sets(struct report *report, uint64_t entries, uint64_t ways, const char *rule,
                       const char *entries_path, const char *ways_path)
{
    if (entries % ways)
        broken(report, rule, entries_path,
               "%" PRIu64 " is not a multiple of the ways (%" PRIu64 ")", entries, ways);
    else if (!is_power_of_two(entries / ways))
        broken(report, rule, ways_path, "entries / ways must be a power of two, not %" PRIu64,
               entries / ways);
}

struct tlb_paths {
    const char *rule, *entries, *ways, *replacement;
};

static void check_tlb(struct report *report, const struct tlb_config *tlb,
                      const struct tlb_paths *paths)
{
    const uint64_t ways = tlb_ways(tlb);
    check_sets(report, tlb->entries, ways, paths->rule, paths->entries, paths->ways);
    check_ways(report, tlb->replacement, ways, paths->rule, paths->replacement);
    if (replacement_facts[tlb->replacement].traits & REPLACEMENT_FUTURE)
        broken(report, paths->rule, paths->replacement,
               "%s is the limit of a cache; a TLB needs a policy that can be built",
               replacement_facts[tlb->replacement].name);
    if (replacement_facts[tlb->replacement].traits & REPLACEMENT_READS_PC)
        broken(report, paths->rule, paths->replacement,
               "%s learns from instructions, and a TLB sees pages of whole warps",
               replacement_facts[tlb->replacement].name);
}

static void check_translation(struct report *report, const struct machine *machine)
{
    static const struct tlb_paths tlb = {"tlb geometry", "tlb.entries", "tlb.ways",
                                         "tlb.replacement"};
    static const struct tlb_paths l2tlb = {"l2tlb geometry", "l2tlb.entries", "l2tlb.ways",
                                           "l2tlb.replacement"};
    const struct pwc_config *pwc = &machine->pwc;
    check_tlb(report, &machine->tlb, &tlb);
    if (machine->l2tlb.enabled)
        check_tlb(report, &machine->l2tlb, &l2tlb);
    if (machine->page.size != 4096 && machine->page.size != 65536 && machine->page.size != 2097152)
        broken(report, "page size", "page.size", "only 4KiB, 64KiB and 2MiB pages exist");
    check_sets(report, pwc->entries, pwc_ways(pwc), "pwc geometry", "pwc.entries", "pwc.ways");
    if (!(pwc_traits[pwc->organization] & PWC_BLOCKS))
        return;
    if (pwc->mask != PWC_MASK_FORMULA && pwc->entries % pwc->block_entries)
        broken(report, "pwc geometry", "pwc.entries",
               "%" PRIu64 " is not a multiple of pwc.block_entries (%" PRIu64 ")", pwc->entries,
               pwc->block_entries);
    const bool l4 = is_power_of_two(pwc->l4_entries), l3 = is_power_of_two(pwc->l3_entries);
    if (!l4)
        broken(report, "pwc geometry", "pwc.l4_entries", "%" PRIu64 " is not a power of two",
               pwc->l4_entries);
    if (!l3)
        broken(report, "pwc geometry", "pwc.l3_entries", "%" PRIu64 " is not a power of two",
               pwc->l3_entries);
    if (l4 && l3 && pwc->l3_entries < pwc->l4_entries)
        broken(report, "pwc geometry", "pwc.l3_entries",
               "l3_entries (%" PRIu64 ") must be at least l4_entries (%" PRIu64 ")",
               pwc->l3_entries, pwc->l4_entries);
}

static void check_instructions(struct report *report, const struct instruction_cache_config *l1i)
{
    const uint64_t row = l1i->ways * l1i->line;
    if (l1i->size % row || !is_power_of_two(l1i->size / row))
        broken(report, "l1i geometry", "l1i.size",
               "%" PRIu64 " B must be a power of two of sets of ways x line (%" PRIu64 " x %" PRIu64
               " B)",
               l1i->size, l1i->ways, l1i->line);
    else if (!index_holds(l1i->index, l1i->size / row)) {
        char needs[FAMILY_NEEDS];
        broken(report, "l1i geometry", "l1i.index",
               "the %s hash needs %s, size / (ways x line) gives %" PRIu64,
               index_facts[l1i->index].name, index_needs(l1i->index, needs), l1i->size / row);
    }
    if (l1i->l0.size % l1i->line)
        broken(report, "l0 geometry", "l1i.l0.size",
               "%" PRIu64 " B must be a multiple of l1i.line (%" PRIu64 " B)", l1i->l0.size,
               l1i->line);
    check_ways(report, l1i->replacement, l1i->ways, "l1i replacement", "l1i.replacement");
    check_reset(report, l1i->replacement, l1i->reset, "l1i replacement", "l1i.reset");
    if (replacement_facts[l1i->replacement].traits & REPLACEMENT_FUTURE)
        broken(report, "l1i replacement", "l1i.replacement",
               "%s is the limit of a cache; fetches need a policy that can be built",
               replacement_facts[l1i->replacement].name);
}

static void check_tile_l2(struct report *report, const struct cache_config *l2)
{
    static const struct cache_paths paths = {
        "tile L2",      "tile.l2.size",        "tile.l2.size",       "tile.l2.size",
        "tile.l2.size", "tile.l2.replacement", "tile.l2.replacement"};
    check_cache(report, l2, &paths);
    if (replacement_facts[l2->replacement].traits & (REPLACEMENT_FUTURE | REPLACEMENT_READS_PC))
        broken(report, "tile L2", "tile.l2.replacement",
               "%s needs the future or instructions; tiles have neither",
               replacement_facts[l2->replacement].name);
}

static void check_tile(struct report *report, const struct tile_config *tile)
{
    static const struct cache_paths paths = {"tile geometry", "tile.size", "tile.size",
                                             "tile.index",    "tile.size", "tile.replacement",
                                             "tile.reset"};
    const unsigned policy = replacement_facts[tile->cache.replacement].traits;
    const unsigned allocate = write_allocate_traits[tile->cache.write_allocate];
    check_cache(report, &tile->cache, &paths);
    if (!is_power_of_two(tile->cache.slices))
        broken(report, "tile banks", "tile.banks", "must be a power of two, not %" PRIu64,
               tile->cache.slices);
    if (policy & (REPLACEMENT_FUTURE | REPLACEMENT_READS_PC))
        broken(report, "tile replacement", "tile.replacement",
               "%s needs the future or instructions; tiles have neither",
               replacement_facts[tile->cache.replacement].name);
    if (!(allocate & WRITE_ALLOCATE_BRINGS) || allocate & WRITE_ALLOCATE_PARTIAL)
        broken(
            report, "tile write allocate", "tile.write_allocate",
            "a tile that is drawn to allocates a line: expected write_allocate or fetch_on_write");
    if (tile->l2.size)
        check_tile_l2(report, &tile->l2);
    if (!is_power_of_two(tile->bin.side))
        broken(report, "tile bins", "tile.bin.side", "must be a power of two, not %" PRIu64,
               tile->bin.side);
}

struct pipe_paths { /* of the units and the interval; 0 units are an error if it is needed */
    const char *units, *interval;
    bool needed;
};

static void check_pipe(struct report *report, const struct machine *machine,
                       const struct pipe_config *pipe, const struct pipe_paths *paths)
{
    const uint64_t schedulers = machine->scheduler.count;
    if (paths->needed && !pipe->units)
        broken(report, "pipe units", paths->units,
               "must not be 0: other classes of instructions go there without units of their own");
    if (machine->core.subcores && pipe->units % schedulers)
        broken(report, "subcores", paths->units,
               "%" PRIu64
               " cannot be shared out equally to the subcores, of which there are as many "
               "as scheduler.count (%" PRIu64 ")",
               pipe->units, schedulers);
    if (pipe->interval > pipe->latency)
        broken(report, "pipe interval", paths->interval,
               "%" PRIu64 " is more than the latency (%" PRIu64
               "): a unit accepts the next instruction once it has a result at the latest",
               pipe->interval, pipe->latency);
}

static void check_core(struct report *report, const struct machine *machine)
{
    static const struct pipe_paths paths[] = {
        {"pipe.sp.units", "pipe.sp.interval", true},
        {"pipe.dp.units", "pipe.dp.interval", false},
        {"pipe.int.units", "pipe.int.interval", false},
        {"pipe.sfu.units", "pipe.sfu.interval", true},
        {"pipe.tensor.units", "pipe.tensor.interval", false},
        {"pipe.branch.units", "pipe.branch.interval", false},
        {"pipe.texture.units", "pipe.texture.interval", false},
        {"pipe.uniform.units", "pipe.uniform.interval", false}};
    const struct pipes_config *pipe = &machine->pipe;
    const struct pipe_config *const pipes[] = {&pipe->sp,      &pipe->dp,     &pipe->integer,
                                               &pipe->sfu,     &pipe->tensor, &pipe->branch,
                                               &pipe->texture, &pipe->uniform};
    const struct core_config *core = &machine->core;
    const uint64_t schedulers = machine->scheduler.count;
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++)
        check_pipe(report, machine, pipes[i], &paths[i]);
    if (!core->subcores)
        return;
    if (!core->collectors || core->collectors % schedulers)
        broken(report, "subcores", "core.collectors",
               "subcores need a multiple of scheduler.count (%" PRIu64
               ") of collectors that pipes share, not %" PRIu64,
               schedulers, core->collectors);
    if (core->banks % schedulers)
        broken(report, "subcores", "core.banks",
               "%" PRIu64
               " cannot be shared out equally to the subcores, of which there are as many "
               "as scheduler.count (%" PRIu64 ")",
               core->banks, schedulers);
}

static unsigned mask_bits(uint64_t mask)
{
    return bits_count((uint32_t)mask) + bits_count((uint32_t)(mask >> 32));
}

static void check_dram_masks(struct report *report, const struct dram_config *dram)
{
    const unsigned bits = mask_bits(dram->bank_mask);
    if (dram->bank_mask & dram->row_mask)
        broken(report, "dram masks", "dram.row_mask",
               "an address bit must not choose both the bank and the row: 0x%" PRIx64
               " is in both masks",
               dram->bank_mask & dram->row_mask);
    if ((dram->bank_mask | dram->row_mask) & dram->column_mask)
        broken(report, "dram masks", "dram.column_mask",
               "0x%" PRIx64 " is in the mask of the bank or the row too",
               (dram->bank_mask | dram->row_mask) & dram->column_mask);
    if (log2_floor(dram->banks) < bits)
        broken(report, "dram masks", "dram.bank_mask",
               "its %u bits number more banks than dram.banks (%" PRIu64 ")", bits, dram->banks);
}

static void check_dram(struct report *report, const struct dram_config *dram)
{
    check_dram_masks(report, dram);
    const uint64_t refresh = dram->rfcsb ? dram->rfcsb : dram->rfc;
    const uint64_t opened = refresh + 2 * (dram->rc + dram->rcd + dram->ras + dram->rp);
    if (dram->refi && dram->refi <= opened)
        broken(report, "dram refresh", "dram.refi",
               "between refreshes there must be time to open rows and to close them: more than "
               "%" PRIu64 " cycles",
               opened);
    if (dram->banks % dram->groups)
        broken(report, "dram banks", "dram.groups",
               "%" PRIu64 " groups cannot share %" PRIu64 " banks equally", dram->groups,
               dram->banks);
    if (dram->burst % dram->rate)
        broken(report, "dram times", "dram.burst",
               "%" PRIu64 " transfers take no whole number of cycles at %" PRIu64 " per cycle",
               dram->burst, dram->rate);
    if (dram->wl + 1 > dram->rcd)
        broken(report, "dram times", "dram.wl",
               "a write follows its activation by rcd - (wl + 1), which rcd (%" PRIu64
               ") makes negative",
               dram->rcd);
    if (dram->wl > dram->cl + dram->burst / dram->rate + 2)
        broken(report, "dram times", "dram.wl",
               "a write follows a read by cl + burst / rate + 2 - wl, which must not be negative");
    if (dram->ras > dram->rc)
        broken(report, "dram times", "dram.rc",
               "must not be less than ras (%" PRIu64 "): a row is open for ras of the rc cycles",
               dram->ras);
}

/* Writes of a queue of their own may wait for ever, so nothing may wait for them. */
static void check_write_queue(struct report *report, const struct machine *machine)
{
    const struct dram_config *dram = &machine->dram;
    if (!dram->write_queue)
        return;
    if (dram->write_low > dram->write_high || dram->write_high > dram->write_queue)
        broken(report, "dram writes", "dram.write_high",
               "must be from dram.write_low (%" PRIu64 ") to dram.write_queue (%" PRIu64 ")",
               dram->write_low, dram->write_queue);
    const uint64_t credits = dram->queue + dram->returns + 1;
    if (dram->write_high + machine->l2.slices_per_channel > credits)
        broken(report, "dram writes", "dram.write_high",
               "writes that wait must leave reads a place in dram.queue and dram.returns: at most "
               "dram.queue + dram.returns + 1 - l2.slices_per_channel");
    if (dram->write_batch)
        broken(report, "dram writes", "dram.write_batch",
               "writes cannot wait for each other in a queue of their own (dram.write_queue) too");
    if (!machine->l2.enabled || machine->l2.write != WRITE_BACK)
        broken(report, "dram writes", "dram.write_queue",
               "needs an L2 that writes back: nothing else may wait for such writes");
}

static void check_clusters(struct report *report, const struct gpu_config *gpu)
{
    if (gpu->sms % gpu->cluster)
        broken(report, "gpu clusters", "gpu.cluster",
               "clusters of %" PRIu64 " SMs cannot be made of %" PRIu64, gpu->cluster, gpu->sms);
}

size_t machine_check(const struct machine *wanted, struct violation found[VIOLATION_MAX])
{
    static const struct cache_paths l1d = {"l1d geometry", "l1d.size",     "l1d.sector",
                                           "l1d.index",    "l1d.allocate", "l1d.replacement",
                                           "l1d.reset"};
    static const struct cache_paths l2 = {"l2 geometry", "l2.size",        "l2.sector", "l2.index",
                                          "l2.allocate", "l2.replacement", "l2.reset"};
    struct report report = {found, 0};
    struct machine built = *wanted;
    const struct machine *machine = &built;
    /* Check what will be simulated: a stage that machines of this kind never have cannot break a
     * rule. */
    machine_apply_kind(&built);
    if (machine->l1d.enabled) {
        check_cache(&report, &machine->l1d, &l1d);
        check_carveout(&report, machine);
    }
    if (machine->l2.enabled) {
        check_cache(&report, &machine->l2, &l2);
        if (!index_holds(partition_index[machine->l2.partition], machine->l2.slices))
            broken(&report, "l2 slices", "l2.partition",
                   "a hashed partition needs a power of two of slices, not %" PRIu64,
                   machine->l2.slices);
        if (machine->l2.partition == PARTITION_RANDOM && machine->l1d.enabled &&
            machine->l2.line < machine->l1d.line)
            broken(&report, "l2 slices", "l2.partition",
                   "random slices need an l2.line as large as l1d.line: a fetch goes to one slice");
        if (machine->l2.interleave < machine->l2.line)
            broken(&report, "l2 slices", "l2.interleave", "must not be smaller than l2.line");
        if (machine->l1d.enabled && machine->l2.interleave < machine->l1d.line)
            broken(&report, "l2 slices", "l2.interleave",
                   "must not be smaller than l1d.line: a fetch goes to one slice");
        if (machine->l2.halves)
            check_halves(&report, &machine->l2);
    }
    if (machine->tile.cache.enabled)
        check_tile(&report, &machine->tile);
    if (machine->tlb.enabled)
        check_translation(&report, machine);
    check_core(&report, machine);
    if (machine->l1i.enabled || machine->l1i.fetches)
        check_instructions(&report, &machine->l1i);
    if (!machine->dram.fixed) {
        check_dram(&report, &machine->dram);
        check_write_queue(&report, machine);
    }
    check_clusters(&report, &machine->gpu);
    bool offline =
        (machine->l1d.enabled && cache_is_offline(&machine->l1d)) || cache_is_offline(&machine->l2);
    if (machine_couples(machine) && offline)
        broken(
            &report, "walker l2", "walker.l2",
            "walks cannot go through an L2 whose hits, or whose L1Ds' misses, opt decides at the "
            "end");
    return report.count;
}
