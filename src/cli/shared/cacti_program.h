/* An installed CACTI asked for one memory of a machine, to be shown beside our own estimate.
 *
 * CACTI reads its technology files from the working folder, ends itself on bad input and reports
 * success where it refuses, so it runs as a process of its own in its own folder, with a time
 * limit, and only a complete answer counts. The question is the cache.cfg that lies beside the
 * program, and lines after it that override what decides: geometry, ports, node, and the settings
 * under which our table was made (itrs-hp, 350 K, no ECC). */
#pragma once

#include "base/diag.h"
#include "model/area/array.h"
#include "schema/memory_array.h"

/* Asks for one of the equal ones of `array` at `nm`. STATUS_UNSUPPORTED: a node that CACTI does not
 * have. STATUS_INVALID: it refused the array. STATUS_IO, STATUS_NOT_FOUND: it could not be run.
 * Each with the reason in `diagnostics`. `found` has neither basis nor flip-flops. */
enum status cacti_program_ask(const char *program, const struct memory_array *array, double nm,
                              struct array_estimate *found, struct diagnostics *diagnostics);
