/* What the timing depth asks of a machine beside its rules (schema/rules.c): sizes that could never
 * let a request through, and those that the model has no room for. Other depths do not read these
 * parameters, so they are no rules of machines. */
#pragma once

#include "base/diag.h"
#include "schema/machine.h"

/* STATUS_INVALID with a sentence if the machine cannot run in time. */
enum status timing_check(const struct machine *machine, struct diagnostics *diagnostics);
