#include "ui/terminal/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool user_file(const char *variable, const char *usual, const char *name, char *path,
                      size_t size)
{
    const char *folder = getenv(variable), *home = getenv("HOME");
    int length;
    if (folder && *folder)
        length = snprintf(path, size, "%s/warpscape/%s", folder, name);
    else
        length = snprintf(path, size, "%s/%s/warpscape/%s", home ? home : ".", usual, name);
    return length > 0 && (size_t)length < size;
}

bool state_file(const char *name, char *path, size_t size)
{
    return user_file("XDG_STATE_HOME", ".local/state", name, path, size) && make_folders(path);
}

bool config_file(const char *name, bool make, char *path, size_t size)
{
    return user_file("XDG_CONFIG_HOME", ".config", name, path, size) &&
           (!make || make_folders(path));
}

enum { USER_FILE_MAX = 1 << 20, USER_PATH = 4096 };

bool state_file_exists(const char *name)
{
    char path[USER_PATH];
    return state_file(name, path, sizeof path) && !access(path, R_OK);
}

/* At most `size` bytes; fewer than the file has if it shrinks meanwhile. */
static size_t user_read_all(int file, char *text, size_t size)
{
    size_t used = 0;
    for (ssize_t got; used < size && (got = read(file, text + used, size - used)) > 0;)
        used += (size_t)got;
    return used;
}

static enum status user_file_read(const char *path, char **text, size_t *length,
                                  struct diagnostics *diagnostics)
{
    struct stat there;
    enum status status = STATUS_OK;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? STATUS_NOT_FOUND
                   : diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
    if (fstat(file, &there) || !S_ISREG(there.st_mode))
        status = diagnostics_error(diagnostics, STATUS_INVALID, "%s: not a regular file", path);
    else if (there.st_size > USER_FILE_MAX)
        status = diagnostics_error(diagnostics, STATUS_INVALID, "%s: larger than 1 MiB", path);
    else if (!(*text = malloc((size_t)there.st_size + 1)))
        status = STATUS_MEMORY;
    if (*text) {
        *length = user_read_all(file, *text, (size_t)there.st_size);
        (*text)[*length] = '\0';
    }
    close(file);
    return status;
}

enum status state_file_read(const char *name, char **text, size_t *length,
                            struct diagnostics *diagnostics)
{
    char path[USER_PATH];
    *text = NULL;
    return state_file(name, path, sizeof path) ? user_file_read(path, text, length, diagnostics)
                                               : STATUS_NOT_FOUND;
}

enum status config_file_read(const char *name, char **text, size_t *length,
                             struct diagnostics *diagnostics)
{
    char path[USER_PATH];
    *text = NULL;
    return config_file(name, false, path, sizeof path)
               ? user_file_read(path, text, length, diagnostics)
               : STATUS_NOT_FOUND;
}
