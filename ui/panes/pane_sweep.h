/* The Sweep pane: the plan of a sweep, and how far one is. */
#pragma once

#include "explore/space/space.h"

struct explorer;
struct census_result;

struct sweep_state {
    bool has_study; /* `study` is that of the running or the last sweep */
    struct study study;
    struct space space;
    char store[4096];
    bool reported;          /* its end has been reported to the user */
    uint64_t axes_revision; /* of the session when it started */
};

/* Whether the last sweep was stopped and no axes were marked since: S goes on with it. */
bool sweep_resumes(const struct explorer *explorer);

/* The census of the plan on the screen, or NULL if there is none yet. */
const struct census_result *explorer_census(const struct explorer *explorer);
