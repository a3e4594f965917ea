/* The distinct settings of one part of a plan (explore/plan/planner.h), numbered in the order in
 * which machines that have them are met: all of them by the planner, those that a search asks for
 * by explore/search/search_memo.h.
 *
 * Beside its own number a setting has those of what it may share with others: its stream, its first
 * level, its family of first levels, and all its levels. Each is a view of the machine
 * (simulate_form), and two machines that look equal in it have one number. A new view is one row of
 * the table in settings.c. Numbering a machine takes some microseconds. */
#pragma once

#include "explore/plan/simulate.h"
#include "explore/space/setting_table.h"
#include "explore/space/space.h"

/* What settings are numbered by. */
enum setting_number {
    NUMBER_SETTING,
    NUMBER_STREAM, /* the stream that it consumes */
    NUMBER_FIRST,  /* its first level: the L1D or TLB on that stream, or the level that several of
                    * them have */
    NUMBER_FAMILY, /* the levels that share work with this one */
    NUMBER_LEVEL,  /* all its levels: another setting of them costs nothing */
    SETTING_NUMBERS
};

struct setting {
    uint64_t machine;                      /* index of the first machine that has it */
    uint32_t stream, first, family, level; /* by enum setting_number */
    bool shared;                           /* another setting of its first level costs nothing */
    bool cheap; /* its last level shares passes, so that its first costs the most */
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

/* The number of the setting that machine `index` of the space has; a new one where it is the first.
 */
enum status settings_find(struct settings *settings, uint64_t index, uint32_t *number);

/* How many distinct values there are. */
size_t settings_distinct(const struct settings *settings, enum setting_number what);

/* Machine `index` of the space as the part sees it: what it does not need is switched off, what
 * does not matter stands at its fallback. */
void settings_machine(const struct settings *settings, uint64_t index, struct machine *machine);
