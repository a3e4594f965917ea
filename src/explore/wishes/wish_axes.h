/* The axes along which a wish is looked for where nobody names any: the levers that matter
 * (explore/explain/lever_steps.h), found by exact runs of each alone.
 *
 * A setting matters if it makes something that is asked for better by WISH_MATTERS: the goal, or a
 * metric that a condition reads, by the direction of its row (any change where it has none). The
 * WISH_AXES_MOST levers with the best such settings become axes: the machine's own value with the
 * choices that matter, or with two steps towards where the first one matters. Cost: a run for each
 * setting, some hundred. */
#pragma once

#include "explore/explain/trials.h"
#include "explore/wishes/wish.h"

#define WISH_MATTERS 0.01 /* of the goal, or of a metric that a condition reads */
enum { WISH_AXES_MOST = 8 };

/* Adds to the axes of a study, up to WISH_AXES_MOST, from runs of its machine. `base` are the
 * machine's own metrics. STATUS_CANCELLED: cut short, and the axes are those of the runs until
 * then. */
enum status wish_axes_choose(struct trials *trials, const struct wish *wish,
                             const struct metrics *base, struct study *study,
                             struct diagnostics *diagnostics);
