/* Random legal machines for property tests of the timing depth, drawn from the parameter table: a
 * new knob is covered without a change here. */
#pragma once

#include "schema/parameters.h"
#include "support/roll_cache.h"
#include "trace/stream.h"

/* Changes each parameter that the timing depth reads with a chance of one in `rarity`, and keeps
 * what machine_check allows, of kinds that run kernels. Sizes stay small and clocks near each
 * other, so that runs are short. `tight`: queues and counts are drawn near their least values more
 * often than not. */
void roll_machine(struct dice *dice, struct machine *machine, unsigned rarity, bool tight);

/* Changes each parameter that `depth` reads in the same way, the purpose of the machine included.
 */
void roll_machine_at(enum depth depth, struct dice *dice, struct machine *machine, unsigned rarity,
                     bool tight);

/* Whether a depth can run it. A set full of dirty lines that may not be replaced hangs at depth
 * timing, as it does in GPGPU-Sim. */
bool machine_can_run(const struct machine *machine, enum depth depth);
/* A clock times 1 to `most`, over 1 to 6. The dice are rolled in this order in every build: that of
 * two rolls in one quotient is the compiler's, and sanitizers change it. */
uint64_t roll_clock(struct dice *dice, uint64_t clock, uint64_t most);

/* 1 to 4 SMs, in clusters that divide them. */
void roll_sms(struct dice *dice, struct machine *machine);

/* Changes one parameter, unless that breaks a rule of machine_check. */
void roll_parameter(struct dice *dice, const struct parameter *parameter, struct machine *machine,
                    bool tight);

/* Sets each count (entries, ports, places in queues) to its least value with a chance of `percent`
 * in a hundred, where the rules and the launches of `source` allow that. */
void roll_least(struct dice *dice, struct machine *machine, const struct trace_source *source,
                unsigned percent);

/* Whether every launch of a source fits an SM. */
bool machine_fits(const struct machine *machine, const struct trace_source *source);
