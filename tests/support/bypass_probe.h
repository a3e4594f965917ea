/* A bypass policy by itself (model/bypass), told what an L1D would tell it. */
#pragma once

#include "model/bypass/bypass.h"
#include "schema/parameters.h"

enum { PROBE_SETS = 4, PROBE_WAYS = 4, PROBE_PC = 0x160 };

/* Of one L1D of PROBE_SETS x PROBE_WAYS lines, in its first launch, whose kernel has loads at
 * PROBE_PC, PROBE_PC + 0x70 and PROBE_PC + 0x18. NULL: nothing is bypassed. */
struct bypass *bypass_probe_create(struct machine *machine, int policy);
/* Begins another launch. */
void bypass_probe_launch(struct bypass *bypass, const char *kernel);

/* What a miss would do, in a set whose lines all have data and of which `way` would be replaced. A
 * second question is answered alike. */
enum bypass_verdict bypass_probe_ask(struct bypass *bypass, const struct bypass_access *access,
                                     uint32_t way);
/* The same, and unless it waits it is accepted; a line that it takes is line 0. */
enum bypass_verdict bypass_probe_miss(struct bypass *bypass, const struct bypass_access *access,
                                      uint32_t way);
/* A line (line 0) of an access comes, is hit by it so often, and goes. */
void bypass_probe_pass_through(struct bypass *bypass, const struct bypass_access *access,
                               uint64_t hits);
