#include "ui/session/file_watch.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

void file_watch_init(struct file_watch *watch)
{
    *watch = (struct file_watch){.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .folder = -1};
}

void file_watch_set(struct file_watch *watch, const char *path)
{
    if (watch->path ? path && !strcmp(path, watch->path) : !path)
        return;
    if (watch->folder >= 0)
        inotify_rm_watch(watch->fd, watch->folder);
    watch->folder = -1;
    free(watch->path);
    watch->path = path ? strdup(path) : NULL;
    char *copy = watch->path ? strdup(watch->path) : NULL;
    if (copy && watch->fd >= 0)
        watch->folder = inotify_add_watch(watch->fd, dirname(copy), IN_CLOSE_WRITE | IN_MOVED_TO);
    free(copy);
}

bool file_watch_take(struct file_watch *watch)
{
    _Alignas(struct inotify_event) char events[4096];
    bool written = false;
    const char *slash = watch->path ? strrchr(watch->path, '/') : NULL;
    const char *name = slash ? slash + 1 : watch->path;
    for (ssize_t got; watch->fd >= 0 && (got = read(watch->fd, events, sizeof events)) > 0;)
        for (const char *at = events; at < events + got;) {
            const struct inotify_event *event = (const void *)at;
            written = written || (event->wd == watch->folder && event->len && name &&
                                  !strcmp(event->name, name));
            at += sizeof *event + event->len;
        }
    return written;
}

void file_watch_free(struct file_watch *watch)
{
    if (watch->fd >= 0)
        close(watch->fd);
    free(watch->path);
    *watch = (struct file_watch){.fd = -1, .folder = -1};
}
