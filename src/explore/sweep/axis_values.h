/* The values of an axis that somebody names in a line (":axis l1d.size 4KiB..64KiB", "--fit
 * l1d.size"): as typed, or those around the machine's own if none are. */
#pragma once

#include "schema/study.h"

/* Up to three values to each side of the machine's own; all choices of a parameter that has some.
 * The caller frees axis->values. Fails only with STATUS_MEMORY. */
enum status axis_values_around(const struct parameter *parameter, const struct machine *machine,
                               struct axis *axis);

/* "a..b" is a range in steps of the parameter, "a..b*2" one with a factor, "a..b+4" one with a
 * step; words are a list, "all" is every choice; text in brackets or braces is YAML. */
enum status axis_values_parse(const struct parameter *parameter, const char *text,
                              struct axis *axis, struct diagnostics *diagnostics);

/* "l1d.index,l1d.ways=2,4,8,l2.size=1MiB..4MiB": adds these axes to a study, those without values
 * around its machine's. Errors begin with `what`, the option. */
enum status axes_parse(const char *text, const char *what, struct study *study,
                       struct diagnostics *diagnostics);
