#include "model/area/area.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/area/array.h"
#include "model/area/bits.h"
#include "model/bypass/bypass.h"
#include "model/translation/pwc.h"

/* The figures of one structure of a machine, summed over its arrays. */
struct structure {
    bool exists;
    double bits;
    double area, time, energy, leakage; /* as struct array_estimate */
    double flop_area;                   /* part of area */
    enum array_basis basis;
};

/* Adds `count` equal arrays, one of which serves an access. Arrays added earlier are accessed in
 * parallel, so times take the maximum and energies add up. */
static void add_arrays(struct structure *structure, struct array_estimate array, double count)
{
    structure->exists = true;
    structure->area += count * array.area;
    structure->leakage += count * array.leakage;
    structure->time = fmax(structure->time, array.time);
    structure->energy += array.energy;
    structure->flop_area += array.flops ? count * array.area : 0;
    if (array.basis > structure->basis)
        structure->basis = array.basis;
}

/* `instances` caches of `size` bytes each. */
static struct structure cache_structure(const struct cache_config *config, uint64_t size,
                                        uint64_t instances, double nm)
{
    struct cache_bits bits = cache_bits(config, size);
    double banks = (double)config->banks;
    struct cache_array cache = {.banks = banks,
                                .data_bits = (double)bits.data / banks,
                                .state_bits = (double)bits.state / banks,
                                .state_width = (double)bits.line_state,
                                .output = fmin((double)config->output, 8.0 * (double)config->line),
                                .ways = (double)bits.ways,
                                .extra_ports = ports_extra[config->ports],
                                .associative = bits.sets == 1,
                                .entries = ceil((double)bits.lines / banks)};
    struct structure structure = {.bits = (double)instances * (double)(bits.data + bits.state)};
    add_arrays(&structure, cache_estimate(&cache, nm), (double)instances);
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
    struct cache_array cache = {.banks = 1,
                                .data_bits = entries * frame,
                                .state_bits = (double)bits.all - entries * frame,
                                .state_width = (double)bits.tag,
                                .output = frame,
                                .ways = (double)tlb_ways(config),
                                .entries = entries};
    add_arrays(&structure, cache_estimate(&cache, nm), 1);
    return structure;
}

/* A CPWC: the L4 and L3 levels are small RAMs, the L2 level consists of searched blocks. Blocks of
 * one entry are estimated as a single searched array, because each entry has its own comparator
 * anyway. */
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
    structure->energy +=
        (blocks - 1) *
        block.energy; /* add_arrays counted the search of one block; all are searched */
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

/* A TPC: searched, or where it has sets, a cache of paths. */
static void add_tpc(struct structure *structure, const struct pwc_config *config, double nm)
{
    enum { VALID = 1, PAYLOAD = 3 * PWC_ADDRESS_BITS };
    const double entries = (double)config->entries, sets = (double)pwc_tpc_sets(config);
    const double tag = 3 * PWC_INDEX_BITS + VALID - log2(sets);
    if (sets == 1) {
        add_arrays(structure, associative_estimate(entries, tag, PAYLOAD, nm), 1);
        return;
    }
    struct cache_array cache = {.banks = 1,
                                .data_bits = entries * PAYLOAD,
                                .state_bits = entries * tag,
                                .state_width = tag,
                                .output = PAYLOAD,
                                .ways = (double)pwc_ways(config),
                                .entries = entries};
    add_arrays(structure, cache_estimate(&cache, nm), 1);
}

static struct structure pwc_structure(const struct pwc_config *config, double nm)
{
    struct structure structure = {.bits = (double)pwc_kinds[config->organization]->bits(config)};
    double entries = (double)config->entries;
    switch ((enum pwc_organization)config->organization) {
    case PWC_NONE:
        break;
    case PWC_TPC:
        add_tpc(&structure, config, nm);
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

static struct structure l1d_of(const struct machine *machine, double nm)
{
    return cache_structure(&machine->l1d, l1d_largest(machine), 1, nm);
}

static struct structure l1d_mshr_of(const struct machine *machine, double nm)
{
    return mshr_structure(&machine->l1d, nm);
}

static struct structure l1d_bypass_of(const struct machine *machine, double nm)
{
    struct bypass_array arrays[BYPASS_ARRAYS];
    struct structure structure = {.exists = true}; /* of no bits where nothing is bypassed */
    const size_t count = bypass_arrays(machine, l1d_largest(machine) / machine->l1d.line, arrays);
    for (size_t i = 0; i < count; i++) {
        const double entries = (double)arrays[i].entries, key = (double)arrays[i].key_bits,
                     payload = (double)arrays[i].payload_bits;
        structure.bits += entries * (key + payload);
        add_arrays(&structure,
                   key > 0 ? associative_estimate(entries, key, payload, nm)
                           : ram_estimate(entries * payload, payload, 0, nm),
                   1);
    }
    return structure;
}

static struct structure l2_of(const struct machine *machine, double nm)
{
    return l2_structure(&machine->l2, nm);
}

static struct structure tlb_of(const struct machine *machine, double nm)
{
    return tlb_structure(&machine->tlb, machine->page.size, nm);
}

static struct structure l2tlb_of(const struct machine *machine, double nm)
{
    return machine->l2tlb.enabled ? tlb_structure(&machine->l2tlb, machine->page.size, nm)
                                  : (struct structure){0};
}

static struct structure pwc_of(const struct machine *machine, double nm)
{
    return pwc_structure(&machine->pwc, nm);
}

/* The figures of one structure; all zero if the machine does not have it. */
static struct structure describe(const struct machine *machine, enum structure_id id)
{
    static struct structure (*const describers[STRUCTURE_COUNT])(const struct machine *, double) = {
        [STRUCTURE_l1d] = l1d_of,
        [STRUCTURE_l1d_mshr] = l1d_mshr_of,
        [STRUCTURE_l1d_bypass] = l1d_bypass_of,
        [STRUCTURE_l2] = l2_of,
        [STRUCTURE_tlb] = tlb_of,
        [STRUCTURE_l2tlb] = l2tlb_of,
        [STRUCTURE_pwc] = pwc_of};
    const double nm = fmin(fmax(machine->tech.node * 1e9, 3), 90);
    return machine_has(machine, structure_table[id].stage) ? describers[id](machine, nm)
                                                           : (struct structure){0};
}

/* Number of metrics of a structure, in the order of ARRAY_METRICS. */
enum { ARRAY_VALUES = 5 };

static void put(const struct structure *from, const struct structure_info *info,
                struct metrics *metrics)
{
    const double values[ARRAY_VALUES] = {from->bits, from->area, from->time, from->energy,
                                         from->leakage};
    const struct metric *first = &metric_table[info->bits / sizeof(double)];
    for (size_t i = 0; i < ARRAY_VALUES; i++)
        metric_set(first + i, metrics, from->exists ? values[i] : NAN);
}

/* The redundancy formula of table 7 in the CPWC paper. It assumes one L4 index and four L3 indices,
 * so N paths need N + 5 of their 3 N pairs. The other organizations have no formula. */
static double table7_redundancy(const struct machine *machine)
{
    enum { UPPER_PAIRS = 5 };
    if (!machine->tlb.enabled)
        return NAN;
    if (machine->pwc.organization == PWC_TPC)
        return pwc_redundancy(machine->pwc.entries, UPPER_PAIRS);
    return machine->pwc.organization == PWC_CPWC ? 0 : NAN;
}

void area_evaluate(const struct machine *wanted, struct metrics *metrics)
{
    struct machine machine = *wanted;
    machine_apply_kind(&machine);
    metrics->total_bits = metrics->total_area = 0;
    for (int i = 0; i < STRUCTURE_COUNT; i++) {
        const struct structure_info *info = &structure_table[i];
        const struct structure found = describe(&machine, (enum structure_id)i);
        const double copies = info->copies == ONE_AN_SM ? (double)machine.gpu.sms : 1;
        put(&found, info, metrics);
        metrics->total_bits += copies * found.bits;
        metrics->total_area += copies * found.area;
    }
    metrics->pwc_table7_redundancy = table7_redundancy(&machine);
}

static enum area_confidence structure_confidence(const struct structure *structure)
{
    if (structure->flop_area > structure->area / 2)
        return AREA_FLOPS;
    return (enum area_confidence)structure->basis;
}

/* Whether `metric` is one of the structure's metrics. */
static bool owns(const struct structure_info *info, const struct metric *metric)
{
    return metric->offset >= info->bits &&
           metric->offset < info->bits + ARRAY_VALUES * sizeof(double);
}

enum area_confidence area_confidence(const struct machine *machine, const struct metric *metric)
{
    if (metric->stage != STAGE_AREA || metric->provenance == FROM_FORMULA)
        return AREA_EXACT;
    enum array_basis basis = ARRAY_TABLE;
    for (int i = 0; i < STRUCTURE_COUNT; i++) {
        const struct structure found = describe(machine, (enum structure_id)i);
        if (owns(&structure_table[i], metric))
            return structure_confidence(&found);
        /* A total is as trustworthy as its largest parts, the caches. */
        if (found.basis > basis && stage_info(structure_table[i].stage)->traits & STAGE_TRANSPARENT)
            basis = found.basis;
    }
    return (enum area_confidence)basis;
}

const char *area_confidence_text(enum area_confidence confidence)
{
    switch (confidence) {
    case AREA_TABLE:
        return "table";
    case AREA_CLOSED_FORM:
        return "closed form";
    case AREA_EXTRAPOLATED:
        return "extrapolated";
    case AREA_FLOPS:
        return "flip-flops";
    case AREA_EXACT:
        return "exact";
    }
    return "unknown";
}
