/* Storage bits (exact), area, access time, read energy and leakage of the structures of a machine:
 * L1D, MSHRs, L2, TLBs and page-walk cache. Bits come from bits.h, the rest from closed forms
 * fitted to CACTI 7 (array.h). Pure arithmetic without state or allocation: about a microsecond per
 * machine. docs/MODELS.md, Area, has the definitions and errors. */
#pragma once

#include "model/area/array.h"
#include "schema/machine.h"
#include "schema/metrics.h"

/* Fills every STAGE_AREA metric. Metrics of a structure that the machine does not have are NaN. */
void area_evaluate(const struct machine *machine, struct metrics *metrics);

enum area_confidence {
    AREA_TABLE = ARRAY_TABLE,
    AREA_CLOSED_FORM = ARRAY_CLOSED_FORM,
    AREA_EXTRAPOLATED = ARRAY_EXTRAPOLATED,
    AREA_FLOPS, /* most of its arrays are so small that flip-flops are smaller */
    AREA_EXACT  /* bits, and what is counted from them */
};

/* How far to trust the closed-form metrics of the structure that `metric` belongs to; for a total,
 * of the caches, which dominate it. */
enum area_confidence area_confidence(const struct machine *machine, const struct metric *metric);
const char *area_confidence_text(enum area_confidence confidence);
