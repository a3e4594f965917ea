/* A walk through what the explorer is for, on the screen itself: each step says what to press, and
 * the next one comes when its command has been run, by whatever key or name. Nothing is shown that
 * the program does not work out. */
#pragma once

#include "ui/terminal/commands.h"

struct explorer;

/* Where it begins: a machine whose curve has a cliff, and a workload that is simulated at once. */
#define TOUR_MACHINE  "gtx480"
#define TOUR_WORKLOAD "ATAX:n=256"

/* X(command that ends the step, whether it must have been given a name, "what to do") */
#define TOUR_LIST(X)                                                                               \
    X(STEP_UP, false,                                                                              \
      "tune: l makes the L1D larger, h smaller. Live has the miss rate, and how far it is from "   \
      "that of the file; Chart shows where on the curve you are")                                  \
    X(PIN, true,                                                                                   \
      "pin: step on until the miss rate falls, then type :pin larger and Enter. Changes are "      \
      "shown "                                                                                     \
      "against this machine from now on, and :return larger comes back to it")                     \
    X(EXPLAIN, false,                                                                              \
      "why: X runs the machine without each of its limits and with each lever, and says what the " \
      "misses are due to; Escape leaves")                                                          \
    X(AXIS, false,                                                                                 \
      "axis: Escape, then 1 for Machine; a on l1d.size makes its values the axis of a sweep")      \
    X(SWEEP, false, "sweep: S simulates every value. You can tune on meanwhile")                   \
    X(FRONT, false,                                                                                \
      "front: 5 lists the points; F leaves those that none beats in misses and in area. Enter "    \
      "takes a point to Machine")                                                                  \
    X(EXPORT, true,                                                                                \
      "export: e, a name such as best.yaml, and Enter writes the machine on the screen; "          \
      ":export --best l1d.miss_rate best.yaml writes the best of the sweep")

struct tour {
    int step; /* from 1 on; 0: there is none */
};

/* After a command that was not refused. */
void tour_advance(struct explorer *explorer, enum command command, const char *arguments);
/* What to do next, or NULL. */
enum { TOUR_TEXT = 320 };
const char *tour_text(const struct explorer *explorer, char text[TOUR_TEXT]);
