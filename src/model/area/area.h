/* Storage bits (exact), area, access time, read energy and leakage of the structures of a machine
 * (STRUCTURE_LIST). A structure is a list of memories (schema/memory_array.h) that the model which
 * owns it describes (model/gpu/structure_arrays.h): nothing here names a structure. Bits count from
 * there, the rest follows CACTI 7 (array.h). Pure arithmetic without state or allocation: about a
 * microsecond per memory. docs/AREA.md has the definitions and errors. */
#pragma once

#include "model/area/array.h"
#include "model/area/band.h"
#include "model/area/fpga.h"
#include "schema/machine.h"
#include "schema/memory_array.h"
#include "schema/metrics.h"

/* Fills every STAGE_AREA metric. Metrics of a structure that the machine does not have are NaN. */
void area_evaluate(const struct machine *machine, struct metrics *metrics);

/* A structure of a machine, one instance of it. */
struct area_structure {
    bool exists; /* the machine has it; the rest is zero where not */
    double copies;
    double bits;
    double area, time, energy, leakage; /* as struct array_estimate; NaN on an FPGA */
    double fill;                        /* J, of writing what a miss brought; 0: not counted */
    double octaves;                     /* of its large memories, as struct array_estimate */
    struct fpga_cost fpga;              /* zero in a chip */
    enum area_confidence confidence;
    size_t count; /* of its memories */
    struct area_memory {
        struct memory_array array;
        struct array_estimate one; /* one of array.count */
        struct fpga_cost fpga;     /* likewise */
    } memories[MEMORY_ARRAYS];
};

void area_describe(const struct machine *machine, enum structure_id id,
                   struct area_structure *structure);

/* The structures of the machine that was evaluated last; zero before the first. */
struct area_kept {
    double technology[6];
    struct area_structure structures[STRUCTURE_COUNT];
};

/* area_evaluate, but takes over the structures whose memories are those of the machine before:
 * neighbours in a study differ in few. */
void area_evaluate_next(const struct machine *machine, struct area_kept *kept,
                        struct metrics *metrics);

/* How far to trust the estimated metrics of the structure that `metric` belongs to; for a total,
 * of the caches, which dominate it. */
enum area_confidence area_confidence(const struct machine *machine, const struct metric *metric);
enum area_confidence area_memory_confidence(const struct area_memory *memory);
const char *area_confidence_text(enum area_confidence confidence);
/* Scales the estimates of a machine so that `metric` has this value, which someone measured.
 * Returns the parameter that says so, or NULL if the metric is no estimate of a chip or has no
 * value. */
const struct parameter *area_anchor(struct machine *machine, const struct metric *metric,
                                    double value);
/* What it means; how far such an estimate may be off says area_band. */
const char *area_confidence_help(enum area_confidence confidence);
