#include "model/area/area.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/area/array.h"
#include "model/area/bits.h"
#include "model/translation/pwc.h"

/* What the machine has of one kind, summed over its arrays. */
struct structure {
    bool exists;
    double bits;
    double area, time, energy, leakage; /* as struct array_estimate */
    double flop_area;                   /* part of area */
    bool outside;
};

struct structures {
    struct structure l1d, l1d_mshr, l2, tlb, l2tlb, pwc;
};

/* Adds `count` equal arrays, of which one is used by an access, beside the others. */
static void add_arrays(struct structure *structure, struct array_estimate array, double count)
{
    structure->exists = true;
    structure->area += count * array.area;
    structure->leakage += count * array.leakage;
    structure->time = fmax(structure->time, array.time);
    structure->energy += array.energy;
    structure->flop_area += array.flops ? count * array.area : 0;
    structure->outside |= array.outside;
}

/* `instances` caches of `size` bytes each. */
static struct structure cache_structure(const struct cache_config *config, uint64_t size,
                                        uint64_t instances, double nm)
{
    struct cache_bits bits = cache_bits(config, size);
    double banks = (double)config->banks;
    struct cache_bank bank = {.data_bits = (double)bits.data / banks,
                              .state_bits = (double)bits.state / banks,
                              .state_width = (double)bits.line_state,
                              .output = fmin((double)config->output, 8.0 * (double)config->line),
                              .ways = (double)bits.ways,
                              .extra_ports = ports_extra[config->ports],
                              .associative = bits.sets == 1,
                              .entries = ceil((double)bits.lines / banks)};
    struct structure structure = {.bits = (double)instances * (double)(bits.data + bits.state)};
    add_arrays(&structure, cache_bank_estimate(&bank, nm), (double)instances * banks);
    return structure;
}

static struct structure mshr_structure(const struct cache_config *config, double nm)
{
    struct mshr_bits bits = mshr_bits(config);
    struct structure structure = {.bits = (double)bits.all};
    add_arrays(
        &structure,
        associative_estimate((double)bits.entries, (double)bits.tag, (double)bits.payload, nm), 1);
    return structure;
}

static struct structure l2_structure(const struct cache_config *config, double nm)
{
    struct structure l2 =
        cache_structure(config, config->size / config->slices, config->slices, nm);
    struct structure mshr = mshr_structure(config, nm);
    double slices = (double)config->slices;
    l2.bits += slices * mshr.bits;
    l2.area += slices * mshr.area;
    l2.leakage += slices * mshr.leakage;
    l2.flop_area += slices * mshr.flop_area;
    return l2;
}

static struct structure tlb_structure(const struct tlb_config *config, uint64_t page_size,
                                      double nm)
{
    struct tlb_bits bits = tlb_bits(config, page_size);
    struct structure structure = {.bits = (double)bits.all};
    double entries = (double)config->entries, frame = (double)bits.frame;
    if (bits.sets == 1) {
        add_arrays(&structure, associative_estimate(entries, (double)bits.tag, frame, nm), 1);
        return structure;
    }
    struct cache_bank bank = {.data_bits = entries * frame,
                              .state_bits = (double)bits.all - entries * frame,
                              .state_width = (double)bits.tag,
                              .output = frame,
                              .ways = (double)tlb_ways(config),
                              .entries = entries};
    add_arrays(&structure, cache_bank_estimate(&bank, nm), 1);
    return structure;
}

/* A CPWC: L4 and L3 are small RAMs, the L2 level as many searched blocks; one-entry blocks are one
 * searched array, since each of its entries has its own comparator anyway. */
static void add_cpwc(struct structure *structure, const struct pwc_config *config, double nm)
{
    enum { INDEX_AND_VALID = PWC_INDEX_BITS + 1 };
    double l3_width = (double)PWC_ENTRY_BITS + (double)cpwc_blocks(config);
    double l4 = (double)config->l4_entries, l3 = (double)config->l3_entries;
    add_arrays(structure, ram_estimate(l4 * PWC_ENTRY_BITS, PWC_ENTRY_BITS, 0, nm), 1);
    add_arrays(structure, ram_estimate(l3 * l3_width, l3_width, 0, nm), 1);
    double size = (double)cpwc_block_entries(config), blocks = (double)cpwc_blocks(config);
    if (size == 1) {
        size = blocks;
        blocks = 1;
    }
    struct array_estimate block = associative_estimate(size, INDEX_AND_VALID, PWC_ADDRESS_BITS, nm);
    add_arrays(structure, block, blocks);
    structure->energy += (blocks - 1) * block.energy; /* all blocks are searched */
}

/* An STC: three searched banks side by side. */
static void add_stc(struct structure *structure, const struct pwc_config *config, double nm)
{
    const uint64_t entries[] = {config->l4_entries, config->l3_entries, config->entries};
    for (int level = 0; level < 3; level++)
        add_arrays(structure,
                   associative_estimate((double)entries[level], 1 + PWC_INDEX_BITS * (level + 1),
                                        PWC_ADDRESS_BITS, nm),
                   1);
}

static struct structure pwc_structure(const struct pwc_config *config, double nm)
{
    struct structure structure = {.bits = (double)pwc_kinds[config->organization]->bits(config)};
    double entries = (double)config->entries;
    switch ((enum pwc_organization)config->organization) {
    case PWC_NONE:
        break;
    case PWC_TPC:
        add_arrays(&structure,
                   associative_estimate(entries, 3 * PWC_INDEX_BITS + 1, 3 * PWC_ADDRESS_BITS, nm),
                   1);
        break;
    case PWC_STC:
        add_stc(&structure, config, nm);
        break;
    case PWC_UPTC:
        add_arrays(&structure,
                   associative_estimate(entries, PWC_ENTRY_ADDRESS_BITS + 1, PWC_ADDRESS_BITS, nm),
                   1);
        break;
    case PWC_CPWC:
        add_cpwc(&structure, config, nm);
        break;
    }
    return structure;
}

static struct structures machine_structures(const struct machine *machine)
{
    double nm = fmin(fmax(machine->tech.node * 1e9, 3), 90);
    struct structures all = {0};
    if (machine->l1d.enabled) {
        all.l1d = cache_structure(&machine->l1d, l1d_largest(machine), 1, nm);
        all.l1d_mshr = mshr_structure(&machine->l1d, nm);
    }
    if (machine->l2.enabled)
        all.l2 = l2_structure(&machine->l2, nm);
    if (machine->tlb.enabled) {
        all.tlb = tlb_structure(&machine->tlb, machine->page.size, nm);
        if (machine->l2tlb.enabled)
            all.l2tlb = tlb_structure(&machine->l2tlb, machine->page.size, nm);
        all.pwc = pwc_structure(&machine->pwc, nm);
    }
    return all;
}

/* The metrics of one ARRAY_METRICS line. */
#define PUT(metrics, field, from)                                                                  \
    do {                                                                                           \
        (metrics)->field##_bits = (from).exists ? (from).bits : NAN;                               \
        (metrics)->field##_area = (from).exists ? (from).area : NAN;                               \
        (metrics)->field##_access_time = (from).exists ? (from).time : NAN;                        \
        (metrics)->field##_read_energy = (from).exists ? (from).energy : NAN;                      \
        (metrics)->field##_leakage = (from).exists ? (from).leakage : NAN;                         \
    } while (0)

/* Table 7 of the paper: one L4 and four L3 indices, so that N paths need N + 5 of their 3 N pairs.
 * The other members have no formula. */
static double table7_redundancy(const struct machine *machine)
{
    enum { UPPER_PAIRS = 5 };
    if (!machine->tlb.enabled)
        return NAN;
    if (machine->pwc.organization == PWC_TPC)
        return pwc_redundancy(machine->pwc.entries, UPPER_PAIRS);
    return machine->pwc.organization == PWC_CPWC ? 0 : NAN;
}

void area_evaluate(const struct machine *machine, struct metrics *metrics)
{
    struct structures all = machine_structures(machine);
    PUT(metrics, l1d, all.l1d);
    PUT(metrics, l1d_mshr, all.l1d_mshr);
    PUT(metrics, l2, all.l2);
    PUT(metrics, tlb, all.tlb);
    PUT(metrics, l2tlb, all.l2tlb);
    PUT(metrics, pwc, all.pwc);
    metrics->pwc_table7_redundancy = table7_redundancy(machine);
    double sms = (double)machine->gpu.sms;
    metrics->total_bits = sms * (all.l1d.bits + all.l1d_mshr.bits + all.tlb.bits) + all.l2.bits +
                          all.l2tlb.bits + all.pwc.bits;
    metrics->total_area = sms * (all.l1d.area + all.l1d_mshr.area + all.tlb.area) + all.l2.area +
                          all.l2tlb.area + all.pwc.area;
}

static enum area_confidence structure_confidence(const struct structure *structure)
{
    if (structure->flop_area > structure->area / 2)
        return AREA_FLOPS;
    return structure->outside ? AREA_EXTRAPOLATED : AREA_CLOSED_FORM;
}

/* The fields of one ARRAY_METRICS line stand together, from _bits to _leakage. */
#define OWNS(metric, field)                                                                        \
    ((metric)->offset >= offsetof(struct metrics, field##_bits) &&                                 \
     (metric)->offset <= offsetof(struct metrics, field##_leakage))

enum area_confidence area_confidence(const struct machine *machine, const struct metric *metric)
{
    if (metric->stage != STAGE_AREA || metric->provenance == FROM_FORMULA)
        return AREA_CLOSED_FORM;
    struct structures all = machine_structures(machine);
    const struct structure *owner = OWNS(metric, l1d)        ? &all.l1d
                                    : OWNS(metric, l1d_mshr) ? &all.l1d_mshr
                                    : OWNS(metric, l2)       ? &all.l2
                                    : OWNS(metric, tlb)      ? &all.tlb
                                    : OWNS(metric, l2tlb)    ? &all.l2tlb
                                    : OWNS(metric, pwc)      ? &all.pwc
                                                             : NULL;
    if (owner)
        return structure_confidence(owner);
    /* A total is as good as its two large parts. */
    bool outside = all.l1d.outside || all.l2.outside;
    return outside ? AREA_EXTRAPOLATED : AREA_CLOSED_FORM;
}

const char *area_confidence_text(enum area_confidence confidence)
{
    switch (confidence) {
    case AREA_CLOSED_FORM:
        return "closed form";
    case AREA_EXTRAPOLATED:
        return "extrapolated";
    case AREA_FLOPS:
        return "flip-flops";
    }
    return "unknown";
}
