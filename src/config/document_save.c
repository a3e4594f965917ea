/* Reading files with a size limit, and saving documents. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
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
                                   struct diagnostics *diagnostics)
{
    struct stat there;
    if (stat(path, &there))
        return errno == ENOENT ? STATUS_OK : system_error(diagnostics, path);
    if (!S_ISREG(there.st_mode))
        return diagnostics_error(diagnostics, STATUS_IO, "%s: not a regular file", path);
    if (!document->path || !document->disk || strcmp(path, document->path))
        return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                 "%s: exists already and is not overwritten", path);
    char *now = NULL;
    size_t size = 0;
    enum status status = file_read(path, &now, &size, diagnostics);
    if (status)
        return status;
    bool same = now && size == document->disk_size && !memcmp(now, document->disk, size);
    free(now);
    if (!same)
        return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                 "%s: changed on disk since it was loaded", path);
    return STATUS_OK;
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
    enum status status = check_unchanged(document, path, diagnostics);
    if (!status)
        status = output_file_write(path, document->text, document->size,
                                   OUTPUT_REPLACE | OUTPUT_FILES_ONLY, diagnostics);
    return status ? status : remember_saved(document, path);
}

enum status document_see_disk(struct document *document, struct diagnostics *diagnostics)
{
    char *disk = NULL;
    size_t size = 0;
    enum status status = file_read(document->path, &disk, &size, diagnostics);
    if (status)
        return status;
    free(document->disk);
    document->disk = disk;
    document->disk_size = size;
    return STATUS_OK;
}
