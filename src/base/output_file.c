#include "base/output_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status failed(const char *path, struct diagnostics *diagnostics)
{
    const enum status status = errno == ENOMEM ? STATUS_MEMORY : STATUS_IO;
    diagnostics_error(diagnostics, status, "%s: %s", path, strerror(errno));
    return status;
}

/* ---- where a name leads ---- */

/* The folder of `path` with its last slash, or "./"; malloc'ed. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

/* What the symbolic link `path` points to, seen from here; malloc'ed, NULL with errno. */
static char *read_link(const char *path)
{
    char text[PATH_MAX], *whole = NULL;
    const ssize_t length = readlink(path, text, sizeof text - 1);
    if (length < 0)
        return NULL;
    text[length] = '\0';
    if (text[0] == '/')
        return strdup(text);
    char *folder = folder_of(path);
    if (folder && asprintf(&whole, "%s%s", folder, text) < 0)
        whole = NULL;
    free(folder);
    return whole;
}

/* The name that all symbolic links lead to, which need not exist yet; malloc'ed, NULL with errno.
 */
static char *follow_links(const char *path)
{
    enum { LINKS_MAX = 40 };
    char *target = realpath(path, NULL);
    if (target || errno != ENOENT)
        return target;
    target = strdup(path);
    for (unsigned i = 0; target && i < LINKS_MAX; i++) {
        struct stat link;
        if (lstat(target, &link) || !S_ISLNK(link.st_mode))
            return target;
        char *next = read_link(target);
        free(target);
        target = next;
    }
    if (target)
        errno = ELOOP;
    free(target);
    return NULL;
}

/* The descriptor that a name such as /dev/stdout or /dev/fd/3 stands for; -1: none. */
static int named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (!strcmp(path, "/dev/stdout"))
        return STDOUT_FILENO;
    if (!strcmp(path, "/dev/stderr"))
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *digits = path + strlen(folders[i]);
        if (!strncmp(path, folders[i], strlen(folders[i])) && *digits &&
            strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 8)
            return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

/* Fills in what `file` has to know of its target. */
static enum status look(struct output_file *file, struct diagnostics *diagnostics)
{
    struct stat there;
    const char *path = file->path;
    file->plain = true;
    if (named_descriptor(path) >= 0) {
        file->plain = false;
    } else if (!stat(path, &there)) {
        file->exists = true;
        file->plain = S_ISREG(there.st_mode);
        file->mode = there.st_mode & 07777;
        file->owner = there.st_uid;
        file->group = there.st_gid;
        if (S_ISDIR(there.st_mode)) {
            errno = EISDIR;
            return failed(path, diagnostics);
        }
    } else if (errno != ENOENT) {
        return failed(path, diagnostics);
    }
    if (!file->plain)
        return file->options & OUTPUT_FILES_ONLY
                   ? diagnostics_error(diagnostics, STATUS_IO, "%s: not a regular file", path)
                   : STATUS_OK;
    if (file->exists && !(file->options & OUTPUT_REPLACE))
        return diagnostics_error(diagnostics, STATUS_CONFLICT, "%s: exists already", path);
    if (file->exists && access(path, W_OK))
        return failed(path, diagnostics);
    file->target = follow_links(path);
    return file->target ? STATUS_OK : failed(path, diagnostics);
}

/* ---- before it has a name ---- */

/* A new file beside the target, whose name nobody else has and `unfinished` gets. */
static int create_beside(struct output_file *file)
{
    enum { ATTEMPTS = 1000 };
    static atomic_uint next;
    char *folder = folder_of(file->target), *name = NULL;
    int fd = -1;
    for (unsigned i = 0; folder && fd < 0 && i < ATTEMPTS; i++) {
        free(name);
        if (asprintf(&name, "%s.warpscape-%ld-%u", folder, (long)getpid(),
                     atomic_fetch_add(&next, 1)) < 0) {
            name = NULL;
            break;
        }
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    const int error = errno;
    free(folder);
    if (fd >= 0)
        file->unfinished = name;
    else
        free(name);
    errno = error;
    return fd;
}

/* A file in the folder of `target` that has no name, and can get one: that takes /proc. */
static int create_unnamed(const char *target)
{
    char *folder = access("/proc/self/fd", X_OK) ? NULL : folder_of(target);
    const int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
    free(folder);
    return fd;
}

int unnamed_file(void)
{
    const char *folder = getenv("TMPDIR");
    char *path;
    if (!folder || !*folder)
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    if (asprintf(&path, "%s/warpscape-XXXXXX", folder) < 0)
        return -1;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}

/* Devices and pipes get the bytes in the end, so they need no file in their folder. */
static int create(struct output_file *file)
{
    if (!file->plain)
        return unnamed_file();
    assert(file->target); /* look() found it */
    const int fd = file->options & OUTPUT_HIDDEN_NAME ? -1 : create_unnamed(file->target);
    return fd >= 0 ? fd : create_beside(file);
}

/* Why a file cannot be made, from the errno of the last try. The folder is named, because its
 * rights and its space decide, not those of the file. */
static enum status not_created(const struct output_file *file, struct diagnostics *diagnostics)
{
    const int error = errno;
    char *folder = file->plain ? folder_of(file->target) : NULL;
    enum status status = diagnostics_error(diagnostics,
                                           error == ENOMEM   ? STATUS_MEMORY
                                           : error == ENOENT ? STATUS_NOT_FOUND
                                                             : STATUS_IO,
                                           "%s cannot be written: %s: %s", file->path,
                                           folder ? folder : "no temporary file", strerror(error));
    free(folder);
    return status;
}

enum status output_file_open(const char *path, unsigned options, struct output_file *file,
                             struct diagnostics *diagnostics)
{
    *file = (struct output_file){.options = options, .path = strdup(path)};
    enum status status = file->path ? look(file, diagnostics) : STATUS_MEMORY;
    const int fd = status ? -1 : create(file);
    if (!status && fd < 0)
        status = not_created(file, diagnostics);
    if (!status && !(file->stream = fdopen(fd, "w+"))) {
        close(fd);
        status = STATUS_MEMORY;
    }
    if (status)
        output_file_drop(file);
    return status;
}

void output_file_drop(struct output_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->unfinished)
        unlink(file->unfinished);
    free(file->unfinished);
    free(file->target);
    free(file->path);
    *file = (struct output_file){0};
}

/* ---- it gets its name ---- */

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t put = write(fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

/* Copies the bytes to a device, a pipe or an open descriptor. */
static bool copy_out(const struct output_file *file)
{
    const int named = named_descriptor(file->path);
    const int to = named >= 0 ? fcntl(named, F_DUPFD_CLOEXEC, 0)
                              : open(file->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    char bytes[1 << 16];
    ssize_t got = 0;
    bool copied = to >= 0;
    for (off_t at = 0; copied && (got = pread(fileno(file->stream), bytes, sizeof bytes, at)) > 0;
         at += got)
        copied = write_all(to, bytes, (size_t)got);
    copied = copied && !got;
    const int error = errno;
    if (to >= 0 && close(to))
        return false;
    errno = error;
    return copied;
}

/* The owner first: changing it takes special bits of the mode away. That only root can give files
 * away is no reason to fail. */
static bool keep_mode(const struct output_file *file, int fd)
{
    if (!file->exists)
        return true;
    if (fchown(fd, file->owner, file->group) && fchown(fd, (uid_t)-1, file->group))
        errno = 0;
    return !fchmod(fd, file->mode);
}

static bool link_as(int fd, const char *name)
{
    char source[32];
    snprintf(source, sizeof source, "/proc/self/fd/%d", fd);
    return !linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* No call gives a file without a name that of another one, so it takes a hidden one for a moment.
 */
static bool take_name_of_other(struct output_file *file)
{
    const int placeholder = create_beside(file);
    if (placeholder < 0)
        return false;
    close(placeholder);
    return !unlink(file->unfinished) && link_as(fileno(file->stream), file->unfinished) &&
           !rename(file->unfinished, file->target);
}

/* Without OUTPUT_REPLACE this fails with EEXIST if the name was taken meanwhile: a link never
 * replaces, but FAT has none. */
static bool take_name(struct output_file *file)
{
    const bool replace = (file->options & OUTPUT_REPLACE) != 0;
    if (!file->unfinished && link_as(fileno(file->stream), file->target))
        return true;
    if (!file->unfinished)
        return errno == EEXIST && replace && take_name_of_other(file);
    if (!replace && !link(file->unfinished, file->target))
        return true;
    return (replace || errno == EPERM) && !rename(file->unfinished, file->target);
}

/* Makes the name as durable as the file. A folder that cannot be synced is no reason to fail. */
static void sync_folder(const char *target)
{
    char *folder = folder_of(target);
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

/* No signal may end the process while a hidden name is in the folder. */
static bool publish(struct output_file *file)
{
    sigset_t all, before;
    const int fd = fileno(file->stream);
    const bool durable = !(file->options & OUTPUT_VOLATILE);
    if (!keep_mode(file, fd) || (durable && fsync(fd)))
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool taken = take_name(file);
    const int error = errno;
    if (file->unfinished) /* renamed, or done with */
        unlink(file->unfinished);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    if (taken && durable)
        sync_folder(file->target);
    return taken;
}

enum status output_file_commit(struct output_file *file, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    if (fflush(file->stream) || ferror(file->stream)) {
        status = failed(file->path, diagnostics);
    } else if (!(file->plain ? publish(file) : copy_out(file))) {
        const bool conflict = file->plain && errno == EEXIST;
        status = failed(file->path, diagnostics);
        status = conflict ? STATUS_CONFLICT : status;
    }
    output_file_drop(file);
    return status;
}

enum status output_file_write(const char *path, const void *bytes, size_t size, unsigned options,
                              struct diagnostics *diagnostics)
{
    struct output_file file;
    enum status status = output_file_open(path, options, &file, diagnostics);
    if (status)
        return status;
    /* Past the stream, whose buffer would forget the reason of a failure. */
    if (!write_all(fileno(file.stream), bytes, size)) {
        status = failed(path, diagnostics);
        output_file_drop(&file);
        return status;
    }
    return output_file_commit(&file, diagnostics);
}
