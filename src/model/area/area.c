#include "model/area/area.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "model/area/array.h"
#include "model/gpu/structure_arrays.h"
#include "model/translation/pwc.h"

/* ---- their estimates ---------------------------------------------------------------------------
 */

static struct array_estimate estimate_cache(const struct memory_array *array, double nm)
{
    const double banks = fmax(1, (double)array->banks), entries = (double)array->entries,
                 payload = (double)array->payload_bits;
    const double state =
        entries * (double)array->key_bits + (double)(array->sets * array->set_bits);
    const struct cache_array cache = {.banks = banks,
                                      .data_bits = entries * payload / banks,
                                      .state_bits = state / banks,
                                      .state_width = (double)array->key_bits,
                                      .output = array->output ? fmin((double)array->output, payload)
                                                              : payload,
                                      .ways = entries / (double)array->sets,
                                      .extra_ports = array->extra_ports,
                                      .associative = array->sets == 1,
                                      .entries = ceil(entries / banks)};
    return cache_estimate(&cache, nm);
}

/* One of the equal ones. */
static struct array_estimate estimate(const struct memory_array *array, double nm)
{
    const double entries = (double)array->entries, key = (double)array->key_bits,
                 payload = (double)array->payload_bits;
    switch (array->kind) {
    case MEMORY_RAM:
        break;
    case MEMORY_SEARCHED:
        return payload > 0 ? associative_estimate(entries, key, payload, nm)
                           : cam_estimate(entries, key, nm);
    case MEMORY_CACHE:
        return estimate_cache(array, nm);
    }
    return ram_estimate(entries * (key + payload), key + payload, array->extra_ports, nm);
}

/* Energy of a fill: it writes as many bits at once as an access reads, and a word takes about as
 * much as a read of it (median of CACTI's caches of four ways and more: 1.05 times). */
static double fill_energy(const struct memory_array *array, double read)
{
    const uint64_t entry = array->key_bits + array->payload_bits,
                   width = array->kind == MEMORY_CACHE && array->output ? array->output : entry;
    return read * ceil((double)array->fill_bits / (double)(width < entry ? width : entry));
}

/* What was measured of one structure holds for all. */
static struct array_estimate scaled(struct array_estimate one, const struct machine *machine)
{
    one.area *= machine->tech.scale.area;
    one.time *= machine->tech.scale.time;
    one.energy *= machine->tech.scale.energy;
    one.leakage *= machine->tech.scale.leakage;
    return one;
}

static const struct array_estimate not_a_chip = {
    .area = NAN, .time = NAN, .energy = NAN, .leakage = NAN};

/* Memories are accessed side by side, so times take the maximum and energies add up. */
static void add_memory(struct area_structure *structure, const struct memory_array *array,
                       const struct machine *machine)
{
    const double nm = fmin(fmax(machine->tech.node * 1e9, 3), 90);
    const bool fpga = machine->tech.target == TARGET_FPGA;
    const struct array_estimate one = fpga ? not_a_chip : scaled(estimate(array, nm), machine);
    const double count = (double)array->count;
    struct area_memory *memory = &structure->memories[structure->count++];
    *memory = (struct area_memory){.array = *array, .one = one};
    structure->bits += (double)memory_array_bits(array);
    if (fpga) {
        memory->fpga = fpga_cost(array);
        memory->fpga.time *= array->aside ? 0 : 1;
        structure->fpga = fpga_add(structure->fpga, memory->fpga, count);
    }
    structure->area += count * one.area;
    structure->leakage += count * one.leakage;
    if (array->aside)
        return;
    structure->time = fmax(structure->time, one.time);
    structure->energy += (array->all_accessed ? count : 1) * one.energy;
    structure->fill += fill_energy(array, one.energy);
}

/* What the estimate of a structure rests on, and how far from CACTI's runs: the worst of what makes
 * at least a tenth of it. */
static void judge_structure(struct area_structure *structure)
{
    double flops = 0;
    enum array_basis basis = ARRAY_TABLE;
    for (size_t i = 0; i < structure->count; i++) {
        const struct array_estimate *one = &structure->memories[i].one;
        const double area = (double)structure->memories[i].array.count * one->area;
        flops += one->flops ? area : 0;
        if (area < structure->area / 10)
            continue;
        structure->octaves = fmax(structure->octaves, one->octaves);
        basis = one->basis > basis ? one->basis : basis;
    }
    structure->confidence = flops > structure->area / 2 ? AREA_FLOPS : (enum area_confidence)basis;
}

/* The memories of a structure that the machine has. */
static size_t describe_arrays(const struct machine *machine, enum structure_id id,
                              struct memory_array arrays[MEMORY_ARRAYS])
{
    static size_t (*const describers[STRUCTURE_COUNT])(const struct machine *,
                                                       struct memory_array[MEMORY_ARRAYS]) = {
#define DESCRIBER(X, path, field, ...) structure_arrays_##field,
        STRUCTURE_LIST(DESCRIBER, )
#undef DESCRIBER
    };
    return describers[id](machine, arrays);
}

static double copies_of(const struct machine *machine, enum structure_id id)
{
    return structure_table[id].copies == ONE_AN_SM ? (double)machine->gpu.sms : 1;
}

static void estimate_structure(const struct machine *machine, enum structure_id id,
                               const struct memory_array *arrays, size_t count,
                               struct area_structure *structure)
{
    const struct structure_info *info = &structure_table[id];
    const bool fpga = machine->tech.target == TARGET_FPGA;
    *structure = (struct area_structure){.exists = false};
    /* What is there and takes nothing: a policy that bypasses or throttles nothing. */
    structure->exists = count > 0 || info->sparse;
    structure->copies = copies_of(machine, id);
    if (fpga)
        structure->area = structure->time = structure->energy = structure->fill =
            structure->leakage = NAN;
    for (size_t i = 0; i < count; i++)
        add_memory(structure, &arrays[i], machine);
    structure->confidence = AREA_FPGA;
    if (!fpga)
        judge_structure(structure);
}

void area_describe(const struct machine *machine, enum structure_id id,
                   struct area_structure *structure)
{
    struct memory_array arrays[MEMORY_ARRAYS];
    *structure = (struct area_structure){.exists = false};
    if (machine_has(machine, structure_table[id].stage))
        estimate_structure(machine, id, arrays, describe_arrays(machine, id, arrays), structure);
}

/* Whether a structure, one of as many copies, consists of these memories. */
static bool consists_of(const struct area_structure *structure, const struct memory_array *arrays,
                        size_t count)
{
    bool same = structure->exists && structure->count == count;
    for (size_t i = 0; i < count && same; i++)
        same = memory_array_equal(&structure->memories[i].array, &arrays[i]);
    return same;
}

/* Turns a structure of the machine before, of the same technology, into that of `machine`. */
static void describe_next(const struct machine *machine, enum structure_id id,
                          struct area_structure *structure)
{
    struct memory_array arrays[MEMORY_ARRAYS];
    if (!machine_has(machine, structure_table[id].stage)) {
        *structure = (struct area_structure){.exists = false};
        return;
    }
    const size_t count = describe_arrays(machine, id, arrays);
    if (consists_of(structure, arrays, count))
        structure->copies = copies_of(machine, id);
    else
        estimate_structure(machine, id, arrays, count, structure);
}

/* ---- metrics -----------------------------------------------------------------------------------
 */

/* Number of metrics of a structure, in the order of ARRAY_METRICS. */
enum { ARRAY_VALUES = 6 };

static void put_structure(const struct area_structure *from, const struct structure_info *info,
                          struct metrics *metrics)
{
    const double fill = from->fill > 0 ? from->fill : NAN; /* nothing fills it */
    const double values[ARRAY_VALUES] = {from->bits,   from->area, from->time,
                                         from->energy, fill,       from->leakage};
    const struct metric *first = &metric_table[info->bits / sizeof(double)];
    for (size_t i = 0; i < ARRAY_VALUES; i++)
        metric_set(first + i, metrics, from->exists ? values[i] : NAN);
}

static void put_fpga(const struct fpga_cost *cost, struct metrics *metrics)
{
    metrics->fpga_ram36 = cost ? ceil(cost->ram18 / 2) : NAN;
    metrics->fpga_lutram = cost ? cost->lutram : NAN;
    metrics->fpga_luts = cost ? cost->luts : NAN;
    metrics->fpga_luts_most = cost ? FPGA_LOGIC_MOST * cost->luts : NAN;
    metrics->fpga_registers = cost ? cost->registers : NAN;
    metrics->fpga_time = cost ? cost->time : NAN;
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

/* Forgets the structures of a machine of another technology. */
static void keep_technology(const struct machine *machine, struct area_kept *kept)
{
    const double technology[] = {machine->tech.target,       machine->tech.node,
                                 machine->tech.scale.area,   machine->tech.scale.time,
                                 machine->tech.scale.energy, machine->tech.scale.leakage};
    _Static_assert(sizeof technology == sizeof kept->technology, "all of it");
    bool same = true;
    for (size_t i = 0; i < sizeof technology / sizeof *technology; i++)
        same &= technology[i] == kept->technology[i];
    if (same)
        return;
    *kept = (struct area_kept){.structures = {{.exists = false}}};
    memcpy(kept->technology, technology, sizeof technology);
}

void area_evaluate(const struct machine *machine, struct metrics *metrics)
{
    struct area_kept kept = {.structures = {{.exists = false}}};
    area_evaluate_next(machine, &kept, metrics);
}

void area_evaluate_next(const struct machine *wanted, struct area_kept *kept,
                        struct metrics *metrics)
{
    struct machine machine = *wanted;
    machine_apply_kind(&machine);
    keep_technology(&machine, kept);
    struct fpga_cost fpga = {0};
    const bool chip = machine.tech.target != TARGET_FPGA;
    metrics->total_bits = 0;
    metrics->total_area = metrics->total_leakage = chip ? 0 : NAN;
    for (int i = 0; i < STRUCTURE_COUNT; i++) {
        struct area_structure *found = &kept->structures[i];
        describe_next(&machine, (enum structure_id)i, found);
        put_structure(found, &structure_table[i], metrics);
        metrics->total_bits += found->copies * found->bits;
        metrics->total_area += found->copies * found->area;
        metrics->total_leakage += found->copies * found->leakage;
        fpga = fpga_add(fpga, found->fpga, found->copies);
    }
    put_fpga(chip ? NULL : &fpga, metrics);
    metrics->pwc_table7_redundancy = table7_redundancy(&machine);
}

/* The factor on metrics of each unit. */
static const struct {
    enum unit unit;
    const char *parameter;
} scales[] = {{UNIT_AREA, "tech.scale.area"},
              {UNIT_SECONDS, "tech.scale.time"},
              {UNIT_JOULES, "tech.scale.energy"},
              {UNIT_WATTS, "tech.scale.leakage"}};

const struct parameter *area_anchor(struct machine *machine, const struct metric *metric,
                                    double value)
{
    struct metrics metrics;
    metrics_clear(&metrics);
    area_evaluate(machine, &metrics);
    const double ours = metric_get(metric, &metrics);
    if (metric->stage != STAGE_AREA || metric->provenance != FROM_CACTI || !(ours > 0))
        return NULL;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (scales[i].unit != metric->unit)
            continue;
        const struct parameter *parameter = parameter_find(scales[i].parameter);
        const double scale = parameter_get(parameter, machine).real * value / ours;
        if (!(scale >= parameter->min && scale <= parameter->max))
            return NULL;
        parameter_set(parameter, machine, (struct value){.real = scale});
        return parameter;
    }
    return NULL;
}

/* Whether `metric` is one of the structure's metrics. */
static bool owns(const struct structure_info *info, const struct metric *metric)
{
    return metric->offset >= info->bits &&
           metric->offset < info->bits + ARRAY_VALUES * sizeof(double);
}

enum area_confidence area_confidence(const struct machine *machine, const struct metric *metric)
{
    if (metric_exact(metric))
        return AREA_EXACT;
    if (metric->provenance == FROM_FPGA)
        return AREA_FPGA;
    enum area_confidence worst = AREA_TABLE;
    for (int i = 0; i < STRUCTURE_COUNT; i++) {
        struct area_structure found;
        area_describe(machine, (enum structure_id)i, &found);
        if (owns(&structure_table[i], metric))
            return found.confidence;
        /* A total is as trustworthy as its largest parts, the caches. */
        if (found.confidence > worst &&
            stage_info(structure_table[i].stage)->traits & STAGE_TRANSPARENT)
            worst = found.confidence;
    }
    return worst;
}

_Static_assert((int)AREA_TABLE == (int)ARRAY_TABLE &&
                   (int)AREA_EXTRAPOLATED == (int)ARRAY_EXTRAPOLATED,
               "a basis is a confidence");

enum area_confidence area_memory_confidence(const struct area_memory *memory)
{
    if (isnan(memory->one.area))
        return AREA_FPGA;
    return memory->one.flops ? AREA_FLOPS : (enum area_confidence)memory->one.basis;
}

static const struct {
    const char *text, *help;
} confidences[AREA_CONFIDENCES] = {
    [AREA_TABLE] = {"table", "between runs of CACTI 7"},
    [AREA_CLOSED_FORM] = {"closed form",
                          "the nearest runs of CACTI 7, carried on by a closed form"},
    [AREA_EXTRAPOLATED] = {"extrapolated", "a node below 22 nm or an array that CACTI refuses"},
    [AREA_FLOPS] = {"flip-flops", "so small that flip-flops take less than an SRAM: 25 bit cells a "
                                  "bit"},
    [AREA_FPGA] = {"UltraScale", "primitives: RAM as a synthesis maps it, registers within 5 %, "
                                 "logic up to 2.5 times as many look-up tables"},
    [AREA_EXACT] = {"exact", "counted"},
};

const char *area_confidence_text(enum area_confidence confidence)
{
    return confidences[confidence].text;
}

const char *area_confidence_help(enum area_confidence confidence)
{
    return confidences[confidence].help;
}
