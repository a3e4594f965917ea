#include "cli/shared/scene_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload/raster/scene.h"
#include "workload/workload.h"

enum status scene_argument_open(const char *text, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    static const char *const names[] = {
#define SCENE_NAME(name) #name,
        SCENE_LIST(SCENE_NAME)
#undef SCENE_NAME
    };
    enum { SCENES = sizeof names / sizeof *names };
    const size_t length = strcspn(text, ":");
    char *full = NULL, hint[SUGGESTION_TEXT];
    for (size_t i = 0; i < SCENES && !full; i++)
        if (length == strlen(names[i]) && !strncmp(text, names[i], length) &&
            asprintf(&full, "raster-%s", text) < 0)
            return STATUS_MEMORY;
    const char *nearest = full ? NULL : nearest_name(text, names, SCENES);
    if (nearest && access(text, F_OK))
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "'%s' is no scene or file%s", text,
                                 suggestion(nearest, hint));
    const enum status status = workload_open(full ? full : text, source, diagnostics);
    free(full);
    if (status || (*source)->tiles)
        return status;
    trace_source_free(*source);
    *source = NULL;
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "%s is not a scene (scenes: `warpscape workloads`)", text);
}
