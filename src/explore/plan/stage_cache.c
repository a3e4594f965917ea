#include "explore/plan/stage_cache.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include "base/data_files.h"
#include "base/memory.h"

enum {
    CACHE_APPLICATION = 0x57535053 /* "WSPS" */,
    CACHE_SCHEMA = 1,
    BUSY_MILLISECONDS = 2000,
    BUSY_STEP_MILLISECONDS = 5,
    TOUCHED_MAX = 1 << 16,
    USED_STEP = 3600 /* seconds; a use that follows the last one sooner is not recorded */
};

/* A result that was read. Its time of use is written at the end, so that a read stays a read. */
struct touched {
    struct stage_key key;
    int detail;
};

struct stage_cache {
    pthread_mutex_t lock; /* protects everything below */
    sqlite3 *database;
    sqlite3_stmt *find, *keep, *proofs, *prove;
    char *path;    /* NULL for a cache in memory */
    char *problem; /* the first failure, or NULL */
    bool unusable; /* damaged: no longer read or written */
    struct touched *touched;
    size_t touched_count, touched_capacity;
    pthread_cond_t yielded;
    struct stage_key *claims; /* families that a thread has claimed */
    size_t claim_count, claim_capacity;
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS stage("
    "key BLOB NOT NULL, detail INTEGER NOT NULL, used INTEGER NOT NULL, hash INTEGER NOT NULL,"
    "result BLOB NOT NULL, PRIMARY KEY(key, detail)) WITHOUT ROWID;";
/* Apart, as files of before have none. */
static const char proof_schema[] =
    "CREATE TABLE IF NOT EXISTS proof("
    "family BLOB NOT NULL, run BLOB NOT NULL, hash INTEGER NOT NULL, proof BLOB NOT NULL,"
    "PRIMARY KEY(family, run)) WITHOUT ROWID;";

/* ---- failures ---------------------------------------------------------------------------------
 */

/* Keeps the first problem. A file that is damaged or gone is not used any more. */
static void note_problem(struct stage_cache *cache, const char *what)
{
    int code = sqlite3_errcode(cache->database) & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_FULL ||
        code == SQLITE_READONLY || code == SQLITE_NOMEM)
        return; /* another process has the lock, or there is no room: just do not remember */
    cache->unusable = true;
    if (!cache->problem && asprintf(&cache->problem, "%s", what) < 0)
        cache->problem = NULL;
}

static void note_failure(struct stage_cache *cache)
{
    note_problem(cache, sqlite3_errmsg(cache->database));
}

static bool execute(struct stage_cache *cache, const char *sql)
{
    return sqlite3_exec(cache->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

char *stage_cache_path(void)
{
    return home_file("XDG_CACHE_HOME", ".cache", "stages.db");
}

static bool stage_cache_number(struct stage_cache *cache, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(cache->database, sql, -1, &statement, NULL))
        return false;
    bool row = sqlite3_step(statement) == SQLITE_ROW;
    *number = row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return row;
}

/* Accepts an empty file or a stage cache of this version. *why says what else the file is. */
static bool is_ours(struct stage_cache *cache, bool *empty, const char **why)
{
    int64_t tables, application, version;
    if (!stage_cache_number(cache, "SELECT count(*) FROM sqlite_master", &tables) ||
        !stage_cache_number(cache, "PRAGMA application_id", &application) ||
        !stage_cache_number(cache, "PRAGMA user_version", &version))
        return false;
    *empty = !tables;
    if (tables && application != CACHE_APPLICATION)
        *why = "not a stage cache";
    else if (tables && version != CACHE_SCHEMA)
        *why = "a stage cache of another version of the program";
    return !*why;
}

/* Uses one transaction, so that another process finds the file either empty or complete. */
static bool make_tables(struct stage_cache *cache)
{
    char identity[128];
    snprintf(identity, sizeof identity, "PRAGMA application_id=%d;PRAGMA user_version=%d;",
             CACHE_APPLICATION, CACHE_SCHEMA);
    bool made = execute(cache, "BEGIN IMMEDIATE") && execute(cache, schema) &&
                execute(cache, identity) && execute(cache, "COMMIT");
    if (!made)
        execute(cache, "ROLLBACK");
    return made;
}

/* Changing the journal mode needs exclusive access, and SQLite's busy timeout does not cover that.
 * So wait here if another process opens the file at the same moment. */
static bool use_write_ahead_log(struct stage_cache *cache)
{
    for (int waited = 0; waited < BUSY_MILLISECONDS; waited += BUSY_STEP_MILLISECONDS) {
        if (execute(cache, "PRAGMA journal_mode=WAL"))
            return true;
        if ((sqlite3_errcode(cache->database) & 0xff) != SQLITE_BUSY)
            return false;
        sqlite3_sleep(BUSY_STEP_MILLISECONDS);
    }
    return false;
}

static bool set_limit(struct stage_cache *cache, uint64_t limit)
{
    char sql[64];
    int64_t page;
    if (!stage_cache_number(cache, "PRAGMA page_size", &page) || page <= 0)
        return false;
    uint64_t pages = limit / (uint64_t)page;
    snprintf(sql, sizeof sql, "PRAGMA max_page_count=%llu",
             (unsigned long long)(pages > 16 ? pages : 16));
    return execute(cache, sql);
}

static bool stage_cache_prepare(struct stage_cache *cache, const char *sql,
                                sqlite3_stmt **statement)
{
    return !sqlite3_prepare_v3(cache->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement,
                               NULL);
}

static bool open_database(struct stage_cache *cache, uint64_t limit, const char **why)
{
    bool empty;
    *why = NULL;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(cache->path ? cache->path : ":memory:", &cache->database, flags, NULL))
        return false;
    /* The file may be hostile: its schema may call no functions and run no triggers or views. */
    sqlite3_db_config(cache->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(cache->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(cache->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(cache->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(cache->database, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_busy_timeout(cache->database, BUSY_MILLISECONDS);
    return is_ours(cache, &empty, why) && use_write_ahead_log(cache) &&
           execute(cache, "PRAGMA synchronous=NORMAL;PRAGMA journal_size_limit=4194304") &&
           (!empty || make_tables(cache)) && execute(cache, proof_schema) &&
           set_limit(cache, limit) &&
           stage_cache_prepare(cache, "SELECT detail, hash, result FROM stage WHERE key=?1",
                               &cache->find) &&
           stage_cache_prepare(cache, "INSERT OR REPLACE INTO stage VALUES(?1,?2,?3,?4,?5)",
                               &cache->keep) &&
           stage_cache_prepare(cache, "SELECT run, hash, proof FROM proof WHERE family=?1",
                               &cache->proofs) &&
           stage_cache_prepare(cache, "INSERT OR REPLACE INTO proof VALUES(?1,?2,?3,?4)",
                               &cache->prove);
}

static void stage_cache_release(struct stage_cache *cache)
{
    sqlite3_finalize(cache->find);
    sqlite3_finalize(cache->keep);
    sqlite3_finalize(cache->proofs);
    sqlite3_finalize(cache->prove);
    sqlite3_close(cache->database);
    pthread_mutex_destroy(&cache->lock);
    pthread_cond_destroy(&cache->yielded);
    free(cache->claims);
    free(cache->touched);
    free(cache->problem);
    free(cache->path);
    free(cache);
}

enum status stage_cache_open(const char *path, uint64_t limit, struct stage_cache **result,
                             struct diagnostics *diagnostics)
{
    const char *why;
    *result = NULL;
    struct stage_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return STATUS_MEMORY;
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->yielded, NULL);
    if (path && !(cache->path = strdup(path))) {
        stage_cache_release(cache);
        return STATUS_MEMORY;
    }
    if (path)
        folders_make(path);
    if (open_database(cache, limit, &why)) {
        *result = cache;
        return STATUS_OK;
    }
    if (!why)
        why = cache->database ? sqlite3_errmsg(cache->database) : "no memory";
    diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                    "%s: the stage cache cannot be used: %s; everything is simulated",
                    path ? path : "memory", why);
    stage_cache_release(cache);
    return STATUS_OK;
}

/* ---- results ----------------------------------------------------------------------------------
 */

/* Rows have a hash because SQLite does not notice a changed byte in a blob. */
static int64_t result_hash(const struct stage_key *key, unsigned detail, const void *values,
                           size_t size)
{
    XXH64_hash_t seed = XXH3_64bits_withSeed(key->bytes, sizeof key->bytes, detail);
    return (int64_t)XXH3_64bits_withSeed(values, size, seed);
}

static void note_use(struct stage_cache *cache, const struct stage_key *key, int detail)
{
    if (cache->touched_count == TOUCHED_MAX ||
        array_reserve(&cache->touched, &cache->touched_capacity, cache->touched_count + 1))
        return; /* these results then look older than they are, which only costs time */
    cache->touched[cache->touched_count++] = (struct touched){*key, detail};
}

/* Takes the row if it holds everything that is asked for and its hash is right. */
static bool stage_cache_take_row(struct stage_cache *cache, struct stage_result *result)
{
    int detail = sqlite3_column_int(cache->find, 0);
    const void *values = sqlite3_column_blob(cache->find, 2);
    size_t size = (size_t)sqlite3_column_bytes(cache->find, 2);
    if (((unsigned)detail & result->detail) != result->detail ||
        size != result->count * sizeof *result->values || !values ||
        sqlite3_column_int64(cache->find, 1) !=
            result_hash(&result->key, (unsigned)detail, values, size))
        return false;
    memcpy(result->values, values, size);
    note_use(cache, &result->key, detail);
    return true;
}

bool stage_cache_get(struct stage_cache *cache, struct stage_result *result)
{
    if (!cache)
        return false;
    bool found = false;
    pthread_mutex_lock(&cache->lock);
    if (!cache->unusable) {
        int code;
        sqlite3_bind_blob(cache->find, 1, result->key.bytes, sizeof result->key.bytes,
                          SQLITE_STATIC);
        while (!found && (code = sqlite3_step(cache->find)) == SQLITE_ROW)
            found = stage_cache_take_row(cache, result);
        if (!found && code != SQLITE_DONE)
            note_failure(cache);
        sqlite3_reset(cache->find);
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

/* Writes all results in one transaction, which is much faster than one transaction each. */
static bool keep_results(struct stage_cache *cache, const struct stage_result *results,
                         size_t count)
{
    sqlite3_stmt *keep = cache->keep;
    bool kept = execute(cache, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < count && kept; i++) {
        const struct stage_result *result = &results[i];
        size_t size = result->count * sizeof *result->values;
        sqlite3_bind_blob(keep, 1, result->key.bytes, sizeof result->key.bytes, SQLITE_STATIC);
        sqlite3_bind_int64(keep, 2, result->detail);
        sqlite3_bind_int64(keep, 3, time(NULL));
        sqlite3_bind_int64(keep, 4,
                           result_hash(&result->key, result->detail, result->values, size));
        sqlite3_bind_blob(keep, 5, result->values, (int)size, SQLITE_STATIC);
        kept = sqlite3_step(keep) == SQLITE_DONE;
        sqlite3_reset(keep);
    }
    return kept && execute(cache, "COMMIT");
}

/* Writes the time of use of the results that were read since the last call. */
static void write_uses(struct stage_cache *cache)
{
    sqlite3_stmt *use;
    int64_t now = time(NULL);
    if (!cache->touched_count || !execute(cache, "BEGIN IMMEDIATE"))
        return;
    if (!sqlite3_prepare_v2(cache->database,
                            "UPDATE stage SET used=?1 WHERE key=?2 AND detail=?3 AND used<?4", -1,
                            &use, NULL)) {
        bool written = true;
        /* A cache in memory lives for less than a step, so there every use is recorded. */
        int64_t step = cache->path ? USED_STEP : 0;
        for (size_t i = 0; i < cache->touched_count && written; i++) {
            const struct touched *touched = &cache->touched[i];
            sqlite3_bind_int64(use, 1, now);
            sqlite3_bind_blob(use, 2, touched->key.bytes, sizeof touched->key.bytes, SQLITE_STATIC);
            sqlite3_bind_int64(use, 3, touched->detail);
            sqlite3_bind_int64(use, 4, now - step);
            written = sqlite3_step(use) == SQLITE_DONE;
            sqlite3_reset(use);
        }
        sqlite3_finalize(use);
    }
    if (!execute(cache, "COMMIT"))
        execute(cache, "ROLLBACK");
    cache->touched_count = 0;
}

/* Deletes the least recently used quarter of the results. */
static bool stage_cache_make_room(struct stage_cache *cache)
{
    write_uses(cache);
    bool made = execute(cache, "BEGIN IMMEDIATE") &&
                execute(cache, "DELETE FROM stage WHERE (key, detail) IN "
                               "(SELECT key, detail FROM stage ORDER BY used "
                               "LIMIT (SELECT count(*) / 4 + 1 FROM stage))") &&
                execute(cache, "DELETE FROM proof WHERE run NOT IN (SELECT key FROM stage)") &&
                execute(cache, "COMMIT");
    if (!made)
        execute(cache, "ROLLBACK");
    return made;
}

/* Tries a second time if the file was full and room could be made. */
void stage_cache_put(struct stage_cache *cache, const struct stage_result *results, size_t count)
{
    if (!cache || !count)
        return;
    pthread_mutex_lock(&cache->lock);
    for (int attempt = 0; !cache->unusable && attempt < 2; attempt++) {
        if (keep_results(cache, results, count))
            break;
        bool full = (sqlite3_errcode(cache->database) & 0xff) == SQLITE_FULL;
        note_failure(cache);
        if (!sqlite3_get_autocommit(cache->database))
            execute(cache, "ROLLBACK");
        if (!full || !stage_cache_make_room(cache))
            break;
    }
    pthread_mutex_unlock(&cache->lock);
}

/* ---- proofs ------------------------------------------------------------------------------------
 */

void stage_cache_put_proof(struct stage_cache *cache, const struct stage_proof *proof)
{
    if (!cache)
        return;
    pthread_mutex_lock(&cache->lock);
    sqlite3_stmt *prove = cache->prove;
    if (!cache->unusable) {
        sqlite3_bind_blob(prove, 1, proof->family.bytes, sizeof proof->family.bytes, SQLITE_STATIC);
        sqlite3_bind_blob(prove, 2, proof->run.bytes, sizeof proof->run.bytes, SQLITE_STATIC);
        sqlite3_bind_int64(prove, 3, result_hash(&proof->run, 0, proof->bytes, proof->size));
        sqlite3_bind_blob(prove, 4, proof->bytes, (int)proof->size, SQLITE_STATIC);
        if (sqlite3_step(prove) != SQLITE_DONE)
            note_failure(cache); /* what it would have saved is simulated */
        sqlite3_reset(prove);
    }
    pthread_mutex_unlock(&cache->lock);
}

/* Reads the proof in a row. False: it is of another size, or damaged. */
static bool read_proof(struct stage_cache *cache, size_t size, struct stage_proof *proof)
{
    const void *run = sqlite3_column_blob(cache->proofs, 0);
    const size_t run_size = (size_t)sqlite3_column_bytes(cache->proofs, 0);
    proof->bytes = sqlite3_column_blob(cache->proofs, 2);
    proof->size = (size_t)sqlite3_column_bytes(cache->proofs, 2);
    if (!run || run_size != sizeof proof->run.bytes || !proof->bytes || proof->size != size)
        return false;
    memcpy(proof->run.bytes, run, run_size);
    return sqlite3_column_int64(cache->proofs, 1) ==
           result_hash(&proof->run, 0, proof->bytes, size);
}

void stage_cache_proofs(struct stage_cache *cache, const struct stage_key *family, size_t size,
                        bool (*take)(void *argument, const struct stage_proof *proof),
                        void *argument)
{
    struct stage_proof proof = {.family = *family};
    bool taken = false;
    if (!cache)
        return;
    pthread_mutex_lock(&cache->lock);
    if (!cache->unusable) {
        int code = SQLITE_DONE;
        sqlite3_bind_blob(cache->proofs, 1, family->bytes, sizeof family->bytes, SQLITE_STATIC);
        while (!taken && (code = sqlite3_step(cache->proofs)) == SQLITE_ROW)
            taken = read_proof(cache, size, &proof) && take(argument, &proof);
        if (!taken && code != SQLITE_DONE)
            note_failure(cache);
        sqlite3_reset(cache->proofs);
    }
    pthread_mutex_unlock(&cache->lock);
}

/* Where the claim of a family is; claim_count: there is none. Needs the lock. */
static size_t find_claim(const struct stage_cache *cache, const struct stage_key *family)
{
    size_t at = 0;
    while (at < cache->claim_count && memcmp(&cache->claims[at], family, sizeof *family) != 0)
        at++;
    return at;
}

/* Waits a little at a time, because whoever cancels rings no bell. */
static void wait_for_yield(struct stage_cache *cache)
{
    enum { STEP = 50 * 1000 * 1000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += STEP;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&cache->yielded, &cache->lock, &until);
}

bool stage_cache_claim(struct stage_cache *cache, const struct stage_key *family,
                       const atomic_bool *cancel)
{
    bool waited = false;
    pthread_mutex_lock(&cache->lock);
    while (find_claim(cache, family) < cache->claim_count && !(cancel && atomic_load(cancel))) {
        waited = true;
        wait_for_yield(cache);
    }
    /* Without memory for it nobody waits. */
    if (!waited && !array_reserve(&cache->claims, &cache->claim_capacity, cache->claim_count + 1))
        cache->claims[cache->claim_count++] = *family;
    pthread_mutex_unlock(&cache->lock);
    return !waited;
}

void stage_cache_yield(struct stage_cache *cache, const struct stage_key *family)
{
    pthread_mutex_lock(&cache->lock);
    const size_t at = find_claim(cache, family);
    if (at < cache->claim_count)
        cache->claims[at] = cache->claims[--cache->claim_count];
    pthread_cond_broadcast(&cache->yielded);
    pthread_mutex_unlock(&cache->lock);
}

void stage_cache_close(struct stage_cache *cache, struct diagnostics *diagnostics)
{
    if (!cache)
        return;
    if (cache->path && !cache->unusable)
        write_uses(cache);
    if (cache->problem && diagnostics)
        diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                        "%s: the stage cache failed: %s; missing results were simulated",
                        cache->path ? cache->path : "memory", cache->problem);
    stage_cache_release(cache);
}
