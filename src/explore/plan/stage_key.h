/* The key of a stage's result: a 128-bit hash of everything that the result depends on. That is the
 * workload, the parameters of the stage and of all stages that it consumes, and the code that
 * simulates it. Equal keys mean equal results, in this process and in any other (up to a collision
 * of XXH3-128). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "schema/machine.h"
#include "schema/metrics.h"

/* A digest of the sources of all floors below explore/; the build generates it. */
extern const char evaluator_fingerprint[];

/* Reduces a machine to the one that simulates `stages` alone. Units that the stages do not need are
 * switched off, and parameters that do not matter to them get their fallback values. `stages` has
 * enum stage flags, and the bit of a depth if that depth reads more than the stages do. */
void stage_machine(const struct machine *machine, unsigned stages, struct machine *reduced);

struct stage_key {
    unsigned char bytes[16];
};

/* The same for an evaluation that changes its machine (evaluate_changes); `family`: of all machines
 * that a proof of its run may hold for (depth_model.widen). */
struct stage_key stage_key_changed(const char *identity, const char *changes,
                                   const struct machine *machine, unsigned reader);
struct stage_key stage_key_family(const char *identity, const char *changes,
                                  const struct machine *machine, unsigned reader);
/* `reader` is one stage, or the bit of a depth for everything that depth computes (depth_results).
 * `identity` is that of the source (evaluate_identity); the part of it that names the instructions
 * counts only where the result depends on them. */
struct stage_key stage_key(const char *identity, const struct machine *machine, unsigned reader);
