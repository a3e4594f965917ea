/* The distinct settings of one part of a plan (explore/plan/planner.h), numbered in the order in
 * which they are first met. The planner numbers all of them; explore/search/search_memo.h numbers
 * only those that a search asks for.
 *
 * A setting also has numbers for what it may share with other settings: its stream, its first
 * level, its family of first levels, and all its levels. Each of these is a view of the machine
 * (simulate_form), and two machines that look equal in a view get the same number. To add a view,
 * add a row to the table in settings.c. Numbering a machine takes some microseconds. */
#pragma once

#include "explore/plan/simulate.h"
#include "explore/space/setting_table.h"
#include "explore/space/space.h"

/* The views of a machine that get numbers. */
enum setting_number {
    NUMBER_SETTING,
    NUMBER_STREAM, /* the stream that the setting consumes */
    NUMBER_FIRST,  /* its first level: an L1D or TLB on that stream, or the level that several of
                    * them share */
    NUMBER_FAMILY, /* first levels that share work with each other */
    NUMBER_LEVEL,  /* all its levels: further settings with the same ones cost nothing */
    SETTING_NUMBERS
};

struct setting {
    uint64_t machine;                      /* index of the first machine that has it */
    uint32_t stream, first, family, level; /* by enum setting_number */
    bool shared;                           /* others with the same first level cost nothing */
    bool cheap; /* its last level shares a pass, so its first level dominates the cost */
};

struct settings {
    const struct space *space;
    struct stage_question question;
    struct setting_table *tables[SETTING_NUMBERS];
    struct setting *items; /* by number */
    size_t count, capacity;
};

/* `space` must outlive the settings. */
enum status settings_open(const struct space *space, const struct stage_question *question,
                          struct settings *settings);
void settings_close(struct settings *settings); /* also one that was not opened, if zeroed */

/* Finds the number of the setting that machine `index` of the space has, and numbers it if it is
 * new. Fails only with STATUS_MEMORY. */
enum status settings_find(struct settings *settings, uint64_t index, uint32_t *number);

/* How many distinct values this view has so far. */
size_t settings_distinct(const struct settings *settings, enum setting_number what);

/* Machine `index` of the space as the part sees it: what the part does not need is switched off,
 * and parameters that do not matter have their fallback values. */
void settings_machine(const struct settings *settings, uint64_t index, struct machine *machine);
