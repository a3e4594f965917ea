/* Bits (exact), area, access time, read energy and leakage (closed forms fitted to CACTI 7) of the
 * structures of a machine. Pure arithmetic: about a microsecond a machine. */
#pragma once

#include "schema/machine.h"
#include "schema/metrics.h"

/* Fills every STAGE_AREA metric; NaN where the machine has no such structure. */
void area_evaluate(const struct machine *machine, struct metrics *metrics);

enum area_confidence {
    AREA_CLOSED_FORM,  /* inside the fitted box */
    AREA_EXTRAPOLATED, /* geometry or node outside it */
    AREA_FLOPS         /* so small that flip-flops are the better reading */
};

/* How far to trust the closed-form metrics of the structure that `metric` belongs to. */
enum area_confidence area_confidence(const struct machine *machine, const struct metric *metric);
const char *area_confidence_text(enum area_confidence confidence);
