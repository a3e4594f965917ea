/* What limits the machine on the screen, as far as the job of the Explain view has found out: for
 * that view and for the line of Live. */
#pragma once

#include "ui/jobs/explain_job.h"
#include "ui/terminal/canvas.h"

struct explorer;

/* The question about the machine on the screen; without parts. */
struct explain_query limits_query(const struct explorer *explorer, const struct metric *metric);

/* The newest answer in which a metric is explained, or NULL. `now`: it is of the machine, workload
 * and depth on the screen. */
const struct explain_result *limits_known(const struct explorer *explorer, bool *now);

/* How sure it is: "exact, 12 of 31 experiments", or without the numbers once it is whole. */
enum { SURE_TEXT = 64 };
const char *limits_sure(const struct explain_result *result, char text[SURE_TEXT]);

/* "limit: 53.6% address translation, of core.time, exact, 12 of 31 experiments", without the metric
 * where that exceeds `columns`, and of a depth without limits its best lever; "" while nothing is
 * known of this machine. Returns `text`. */
const char *limits_line(const struct explorer *explorer, int columns, char text[ROW_TEXT]);
/* What stands there meanwhile: what is to come. Returns `text`. */
const char *limits_unknown(const struct explorer *explorer, char text[ROW_TEXT]);
