/* Runs of the timing depth on random programs, and what holds for all of them. */
#pragma once

#include "model/timing/gpu.h"
#include "support/roll_machine.h"
#include "support/timed_source.h"

struct gpu_trial {
    struct gpu_counts counts;
    struct gpu_totals totals;
    enum status status;
};

/* Programs of all kinds of instructions: on few lines, and on more pages than a TLB has entries. */
extern const struct timed_shape timed_small, timed_wide;

/* Prints what went wrong. */
struct gpu_trial gpu_trial_with(const struct machine *machine, const struct timed_source *source,
                                const struct gpu_options *options);

struct gpu_trial gpu_trial_run(const struct machine *machine, const struct timed_source *source,
                               uint32_t threads);

/* Says which parameters differ from the defaults, for a failing machine. */
void print_machine(uint64_t seed, const struct machine *machine);

uint64_t slot_sum(const uint64_t *counts, unsigned count);

/* Every cycle of every scheduler is in one slot, every memory slot in one reason. */
void check_slots(const struct machine *machine, const struct gpu_counts *counts);

/* A random machine without TLBs on which all launches fit. */
void roll_fitting(struct dice *dice, const struct timed_source *source, unsigned rarity, bool tight,
                  struct machine *machine);
/* One whose TLBs have few entries and whose walkers are few and have few places. */
void roll_translating(struct dice *dice, const struct timed_source *source,
                      struct machine *machine);
