#include "ui/state_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = !mkdir(path, 0777) || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

bool state_file(const char *name, char *path, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;
    if (state && *state)
        length = snprintf(path, size, "%s/warpscape/%s", state, name);
    else
        length = snprintf(path, size, "%s/.local/state/warpscape/%s", home ? home : ".", name);
    return length > 0 && (size_t)length < size && make_folders(path);
}
