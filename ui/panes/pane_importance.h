/* The importance chart: which axes of a sweep matter to its first objective, as shares of the
 * variance within the workloads. The numbers are those of `warpscape importance --within`
 * (explore/store/importance.h), computed when the points are read. */
#pragma once

#include "ui/panes/pane.h"

/* Why there is nothing to show, or NULL. */
const char *importance_missing(const struct explorer *explorer);
void importance_draw(const struct explorer *explorer, const struct canvas *canvas);
