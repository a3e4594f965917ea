/* Reading files with a size limit, and saving them so that a crash leaves either the old file or
 * the new one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/document_tree.h"

static enum status system_error(struct diagnostics *diagnostics, const char *path)
{
    int error = errno;
    return diagnostics_error(diagnostics, error == ENOENT ? STATUS_NOT_FOUND : STATUS_IO, "%s: %s",
                             path, strerror(error));
}

static enum status read_all(int descriptor, char *text, size_t *size)
{
    *size = 0;
    while (*size <= DOCUMENT_SIZE_MAX) {
        ssize_t got = read(descriptor, text + *size, DOCUMENT_SIZE_MAX + 1 - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return STATUS_IO;
        if (!got)
            return STATUS_OK;
        *size += (size_t)got;
    }
    return STATUS_INVALID;
}

enum status file_read(const char *path, char **text, size_t *size, struct diagnostics *diagnostics)
{
    *text = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return system_error(diagnostics, path);
    enum status status = STATUS_MEMORY;
    char *buffer = malloc(DOCUMENT_SIZE_MAX + 1);
    if (!buffer)
        goto cleanup;
    status = read_all(descriptor, buffer, size);
    if (status == STATUS_IO) {
        status = system_error(diagnostics, path);
    } else if (status) {
        status = diagnostics_error(diagnostics, status, "%s: larger than %d MiB", path,
                                   DOCUMENT_SIZE_MAX >> 20);
    } else {
        /* Shrinking may fail; the large buffer is as good then. */
        char *fitted = realloc(buffer, *size + 1);
        *text = fitted ? fitted : buffer;
        (*text)[*size] = '\0';
        buffer = NULL;
    }
cleanup:
    free(buffer);
    close(descriptor);
    return status;
}

/* Refuses to overwrite a file that changed since we last saw it, or one that we never saw. A file
 * that has been deleted is written again. */
static enum status check_unchanged(const struct document *document, const char *path,
                                   const char *target, struct stat *before,
                                   struct diagnostics *diagnostics)
{
    if (stat(target, before)) {
        if (errno != ENOENT)
            return system_error(diagnostics, path);
        before->st_mode = 0;
        return STATUS_OK;
    }
    if (!S_ISREG(before->st_mode))
        return diagnostics_error(diagnostics, STATUS_IO, "%s: not a regular file", path);
    if (access(target, W_OK))
        return system_error(diagnostics, path);
    if (!document->path || !document->disk || strcmp(path, document->path))
        return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                 "%s: exists already and is not overwritten", path);
    char *now = NULL;
    size_t size = 0;
    enum status status = file_read(target, &now, &size, diagnostics);
    if (status)
        return status;
    bool same = now && size == document->disk_size && !memcmp(now, document->disk, size);
    free(now);
    if (!same)
        return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                 "%s: changed on disk since it was loaded", path);
    return STATUS_OK;
}

static bool write_all(int descriptor, const char *text, size_t size)
{
    while (size) {
        ssize_t put = write(descriptor, text, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        text += put;
        size -= (size_t)put;
    }
    return true;
}

/* Creates a new file next to `target`; *name is malloc'ed. */
static int create_beside(const char *target, char **name)
{
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        if (asprintf(name, "%.*s.%s.%ld-%u", (int)folder, target, target + folder, (long)getpid(),
                     attempt) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            return descriptor;
        int error = errno;
        free(*name);
        *name = NULL;
        errno = error;
        if (error != EEXIST)
            return -1;
    }
    return -1;
}

/* Makes the rename durable too. A folder that cannot be synced is no reason to fail. */
static void sync_folder(const char *target)
{
    char *folder = strdup(target);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    int descriptor = folder ? open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

/* Writes a new file and renames it over the old one, so that every moment has one complete file.
 * The mode is set before the rename. */
static enum status replace_file(const struct document *document, const char *path,
                                const char *target, const struct stat *before,
                                struct diagnostics *diagnostics)
{
    char *temporary = NULL;
    int descriptor = create_beside(target, &temporary);
    if (descriptor < 0)
        return system_error(diagnostics, path);
    bool done = write_all(descriptor, document->text, document->size) &&
                (!before->st_mode || !fchmod(descriptor, before->st_mode & 07777)) &&
                !fsync(descriptor);
    done = !close(descriptor) && done;
    enum status status = STATUS_OK;
    if (!done || rename(temporary, target)) {
        status = system_error(diagnostics, path);
        unlink(temporary);
    } else {
        sync_folder(target);
    }
    free(temporary);
    return status;
}

/* What is on disk now is what the next save must find there. */
static enum status remember_saved(struct document *document, const char *path)
{
    char *disk = malloc(document->size + 1);
    char *name = strdup(path);
    if (!disk || !name) {
        free(disk);
        free(name);
        return STATUS_MEMORY;
    }
    memcpy(disk, document->text, document->size + 1);
    free(document->disk);
    free(document->path);
    document->disk = disk;
    document->disk_size = document->size;
    document->path = name;
    return STATUS_OK;
}

enum status document_save(struct document *document, const char *path,
                          struct diagnostics *diagnostics)
{
    if (!path)
        path = document->path;
    if (!path)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s has no file yet: name one",
                                 document->name);
    /* Replace what a symbolic link points at, not the link. */
    char *resolved = realpath(path, NULL);
    const char *target = resolved ? resolved : path;
    struct stat before;
    enum status status = check_unchanged(document, path, target, &before, diagnostics);
    if (!status)
        status = replace_file(document, path, target, &before, diagnostics);
    if (!status)
        status = remember_saved(document, path);
    free(resolved);
    return status;
}
