/* What a sweep says when it has ended. */
#pragma once

#include "explore/sweep/sweep.h"

/* New points, the best of each objective, the front, and what to type next. */
enum status sweep_result_print(const struct sweep_progress *progress, const char *path,
                               struct diagnostics *diagnostics);
