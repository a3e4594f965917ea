/* What to try of a lever: which settings of one parameter are designs beside a machine's own.
 *
 * A choice has all members of its family but limits that nobody can build. A number has half and
 * double, and from there half and double again: steps of one find noise (docs/IDEALS.md, Levers).
 * Where a cache's size or ways alone are not legal, the other follows, as on a curve
 * (explore/sweep/curve.h). Pure; a step checks the rules of a few machines. */
#pragma once

#include "schema/metrics.h"
#include "schema/parameters.h"

struct lever_setting {
    const struct parameter *parameter;
    struct value value;
};

/* Settings that are made together: a parameter and its follower, or those of a pair of levers. */
enum { LEVER_SETTINGS = 4 };
struct lever_change {
    struct lever_setting settings[LEVER_SETTINGS];
    size_t count;
};

/* Whether a parameter is a lever that can move the metric of this machine at this depth. */
bool lever_moves(const struct parameter *parameter, const struct machine *machine,
                 const struct metric *metric, enum depth depth);

/* Whether machines that differ in it count the same things in the metric: twice the bytes a miss is
 * half the misses, and no gain. */
bool lever_compares(const struct parameter *parameter, const struct metric *metric);

/* The same of one choice, by what a run with it counted: a policy may let requests pass its cache
 * without a look-up. */
bool lever_counts_alike(const struct lever_change *change, const struct metric *metric,
                        const struct metrics *base, const struct metrics *changed);

/* The metric in bytes that says instead what such a lever does; NULL: none is answered. */
const struct metric *lever_comparable(const struct parameter *parameter,
                                      const struct metric *metric, enum depth depth);

/* Whether it is tried by choices, which lever_choice lists, and not by steps. */
bool lever_has_choices(const struct parameter *parameter);

/* Fills in choice `number` of a parameter; false: it is the machine's own, a limit, or breaks a
 * rule. */
bool lever_choice(const struct parameter *parameter, uint64_t number, const struct machine *machine,
                  struct lever_change *change);

/* Fills in the next legal value that is at least twice (`direction` > 0) or at most half `from`;
 * false: there is none. A value of 0 has a meaning of its own, so that nothing is halved to it, and
 * what doubles it is the least value above. */
bool lever_step(const struct parameter *parameter, struct value from, int direction,
                const struct machine *machine, struct lever_change *change);

/* Makes the settings; false: the machine would break a rule, and is left as it was. */
bool lever_apply(const struct lever_change *change, struct machine *machine);

/* "l1d.size=32KiB": what --set takes. Returns `text`. */
enum { LEVER_TEXT = VALUE_TEXT + 64 };
const char *lever_setting_print(const struct lever_setting *setting, char text[LEVER_TEXT]);
/* All settings of a change, each after `before`: "-s l1d.size=32KiB -s l1d.ways=8". Returns `text`.
 */
enum { LEVER_CHANGE_TEXT = LEVER_SETTINGS * (LEVER_TEXT + 4) };
const char *lever_change_print(const struct lever_change *change, const char *before,
                               char text[LEVER_CHANGE_TEXT]);
