#include "explore/live/kept_loads.h"

#include <string.h>

#include "model/reuse/reuse.h"

void kept_loads_forget(struct kept_loads *kept)
{
    for (size_t i = 0; i < LOADS_MAX; i++) {
        reuse_loads_free(kept->places[i]);
        kept->places[i] = NULL;
    }
}

enum status kept_loads_get(struct kept_loads *kept, const struct machine *machine,
                           const struct trace_source *source,
                           const struct evaluate_options *options, const struct reuse_loads **loads,
                           struct diagnostics *diagnostics)
{
    struct reuse_loads **places = kept->places, *found = NULL;
    size_t place = 0;
    while (place < LOADS_MAX && !reuse_loads_serve(places[place], machine))
        place++;
    enum status status = STATUS_OK;
    if (place < LOADS_MAX) {
        found = places[place];
    } else { /* replaces the loads used least recently */
        status =
            reuse_loads_create(machine, source, REUSE_LOADS_BYTES, options, &found, diagnostics);
        place = LOADS_MAX - 1;
        if (found)
            reuse_loads_free(places[place]);
    }
    if (found) {
        memmove(places + 1, places, place * sizeof(struct reuse_loads *));
        places[0] = found;
    }
    *loads = found;
    return status;
}
