#include "cli/shared/scene_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const size_t length = strcspn(text, ":");
    char *full = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !full; i++)
        if (length == strlen(names[i]) && !strncmp(text, names[i], length) &&
            asprintf(&full, "raster-%s", text) < 0)
            return STATUS_MEMORY;
    const enum status status = workload_open(full ? full : text, source, diagnostics);
    free(full);
    if (status || (*source)->tiles)
        return status;
    trace_source_free(*source);
    *source = NULL;
    return diagnostics_error(diagnostics, STATUS_INVALID, "%s is no scene", text);
}
