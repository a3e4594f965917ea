#include "cli/shared/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status failed(const char *path, struct diagnostics *diagnostics)
{
    return diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
}

/* Writes the text and closes `out`, which may be NULL after a failed open. */
static enum status write_into(FILE *out, const char *path, const char *text,
                              struct diagnostics *diagnostics)
{
    bool written = out && fputs(text, out) != EOF;
    if (out && fclose(out))
        written = false;
    return written ? STATUS_OK : failed(path, diagnostics);
}

/* Writes a temporary file in the same folder and renames it over the target. */
static enum status replace(const char *path, mode_t mode, const char *text,
                           struct diagnostics *diagnostics)
{
    char *target = realpath(path, NULL), *temporary = NULL;
    int descriptor = -1;
    enum status status = STATUS_OK;
    if (!target || asprintf(&temporary, "%s.XXXXXX", target) < 0) {
        temporary = NULL;
        status = target ? STATUS_MEMORY : failed(path, diagnostics);
        goto cleanup;
    }
    descriptor = mkstemp(temporary);
    if (descriptor < 0) {
        status = failed(path, diagnostics);
        goto cleanup;
    }
    fchmod(descriptor, mode & 07777);
    status = write_into(fdopen(descriptor, "w"), path, text, diagnostics);
    if (!status && rename(temporary, target))
        status = failed(path, diagnostics);
    if (status)
        unlink(temporary);
cleanup:
    free(temporary);
    free(target);
    return status;
}

enum status output_check(const char *path, bool force, struct diagnostics *diagnostics)
{
    struct stat there;
    if (stat(path, &there))
        return STATUS_OK;
    if (!S_ISREG(there.st_mode))
        return diagnostics_error(diagnostics, STATUS_IO, "%s: not a regular file", path);
    return force ? STATUS_OK
                 : diagnostics_error(diagnostics, STATUS_CONFLICT,
                                     "%s: exists already; --force overwrites it", path);
}

/* Checks that files can be created in the folder of `path`. */
static enum status check_folder(const char *path, struct diagnostics *diagnostics)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    enum status status = folder ? STATUS_OK : STATUS_MEMORY;
    if (folder && access(folder, W_OK | X_OK))
        status = diagnostics_error(diagnostics, STATUS_IO, "%s cannot be written: %s: %s", path,
                                   folder, strerror(errno));
    free(folder);
    return status;
}

enum status output_check_place(const char *path, struct diagnostics *diagnostics)
{
    struct stat there;
    if (stat(path, &there))
        return check_folder(path, diagnostics);
    if (S_ISDIR(there.st_mode) || access(path, W_OK)) {
        errno = S_ISDIR(there.st_mode) ? EISDIR : errno;
        return failed(path, diagnostics);
    }
    if (!S_ISREG(there.st_mode))
        return STATUS_OK; /* a device or a pipe is written to directly */
    char *target = realpath(path, NULL);
    enum status status = target ? check_folder(target, diagnostics) : failed(path, diagnostics);
    free(target);
    return status;
}

enum status output_write(const char *path, const char *text, bool force,
                         struct diagnostics *diagnostics)
{
    struct stat there;
    if (!path || !strcmp(path, "-"))
        return fputs(text, stdout) == EOF ? STATUS_IO : STATUS_OK;
    if (stat(path, &there)) {
        FILE *out = fopen(path, "wx");
        enum status status = write_into(out, path, text, diagnostics);
        if (status && out)
            unlink(path);
        return status;
    }
    if (!S_ISREG(there.st_mode))
        return write_into(fopen(path, "w"), path, text, diagnostics);
    enum status status = output_check(path, force, diagnostics);
    return status ? status : replace(path, there.st_mode, text, diagnostics);
}

bool output_lost(void)
{
    return ferror(stdout);
}

int output_finish(int exit_status)
{
    if (!fflush(stdout) && !output_lost())
        return exit_status;
    fputs("warpscape: standard output cannot be written\n", stderr);
    return exit_status ? exit_status : 1;
}
