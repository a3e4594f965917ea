#include "tests/support/shared_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *shared_data(const char *name, char *path, size_t size)
{
    const char *folder = getenv("WARPSCAPE_SHARED");
    snprintf(path, size, "%s/%s", folder && *folder ? folder : "../shared", name);
    return access(path, R_OK) ? NULL : path;
}
