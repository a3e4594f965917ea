/* Guards a store that is open for writing against other processes (explore/store/store_file.h).
 * They may hold SQLite's lock, which is waited for; or change the file, which is detected before
 * the next write. The flock on PATH.lock keeps other sweeps away, but not sqlite3, cp, or a backup
 * program. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "explore/store/store_file.h"

enum { BUSY_MICROSECONDS = 50000 };
#define BUSY_SECONDS 5.0 /* how long to wait if there is no `wait` function to ask */

/* SQLite calls this repeatedly while another process holds the lock that it needs. */
static int wait_for_lock(void *argument, int tries)
{
    struct store *store = argument;
    if (!tries)
        store->waiting_since = clock_seconds();
    double seconds = clock_seconds() - store->waiting_since;
    bool more = store->options.wait ? store->options.wait(store->options.wait_argument, seconds)
                                    : seconds < BUSY_SECONDS;
    if (more)
        usleep(BUSY_MICROSECONDS);
    return more;
}

void store_wait_for_others(struct store *store)
{
    sqlite3_busy_handler(store->database, wait_for_lock, store);
}

static bool look(const struct store *store, struct stat *file)
{
    return !stat(store->path, file);
}

void store_remember_file(struct store *store)
{
    store->has_seen = look(store, &store->seen);
}

/* Device, inode, size and time of the last change tell whether a file was replaced or rewritten. */
static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A number that changes when another connection commits; 0 if it cannot be read. */
static int64_t data_version(struct store *store)
{
    sqlite3_stmt *statement;
    int64_t version = 0;
    if (sqlite3_prepare_v2(store->database, "PRAGMA data_version", -1, &statement, NULL))
        return 0;
    if (sqlite3_step(statement) == SQLITE_ROW)
        version = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return version;
}

/* There are two signs of others. SQLite counts their transactions (data_version), but does not
 * notice a file that was replaced or overwritten by a program that does not use SQLite; stat shows
 * that. */
enum status store_check_others(struct store *store, struct diagnostics *diagnostics)
{
    struct stat now;
    bool begun = !sqlite3_get_autocommit(store->database);
    /* With a rollback journal our own open transaction may already have changed the file. */
    if (begun && store->options.durable)
        return STATUS_OK;
    if (store->has_seen && !(look(store, &now) && same_file(&store->seen, &now)))
        store->overwritten = true;
    int64_t version = begun ? store->version : data_version(store);
    bool changed = store->version && version != store->version;
    store->version = version;
    if (!store->overwritten && !changed)
        return STATUS_OK;
    diagnostics_error(diagnostics, STATUS_CONFLICT,
                      "%s: another program %s it while this sweep was writing to it; what the "
                      "sweep found since its last write is lost",
                      store->path, store->overwritten ? "replaced" : "changed");
    return STATUS_CONFLICT;
}

void store_leave_to_others(struct store *store)
{
    /* The file now belongs to others. Closing must not write our log into it, nor leave a log that
     * the next reader would apply to it. */
    static const char *const endings[] = {"-wal", "-shm"};
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_close(store->database);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s%s", store->path, endings[i]) >= 0)
            unlink(path);
        free(path);
    }
}
