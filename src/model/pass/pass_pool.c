#include "model/pass/pass_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    SLOTS = 16, /* batches that an owner may be ahead of its groups */
    WAKE = 4    /* backlog that is worth waking a helper */
};

struct slot {
    struct pool_batch batch;
    struct request *requests;
    size_t capacity;
};

struct group {
    uint64_t next; /* number of its next batch */
    bool busy;
};

struct pool_pass {
    struct pass_pool *pool;
    struct pool_work work;
    struct group *groups;
    struct slot slots[SLOTS];
    uint64_t put; /* batches put so far */
    enum status status;
    bool dropped, waiting; /* waiting: the owner waits */
    pthread_cond_t moved;  /* signals the owner that a group has moved on */
    struct pool_pass *following;
};

struct pass_pool {
    /* Guards everything here, and all of the passes except what a busy group reads. */
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct pool_pass *passes;
    unsigned owners;  /* threads that may open passes */
    unsigned helpers; /* threads that help */
    unsigned idle;    /* helpers that found nothing to do */
};

struct pass_pool *pass_pool_create(void)
{
    struct pass_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    return pool;
}

void pass_pool_free(struct pass_pool *pool)
{
    if (!pool)
        return;
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pass_pool_join(struct pass_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->owners++;
    pthread_mutex_unlock(&pool->lock);
}

/* ---- groups, all with the lock held -----------------------------------------------------------
 */

static uint64_t backlog(const struct pool_pass *pass, const struct group *group)
{
    return pass->dropped ? 0 : pass->put - group->next;
}

/* The free group of a pass that is furthest behind; NULL if none has work. */
static struct group *find_group(const struct pool_pass *pass)
{
    struct group *found = NULL;
    for (size_t i = 0; i < pass->work.groups; i++) {
        struct group *group = &pass->groups[i];
        if (!group->busy && backlog(pass, group) && (!found || group->next < found->next))
            found = group;
    }
    return found;
}

/* The number of the next batch of the slowest group. */
static uint64_t last_next(const struct pool_pass *pass)
{
    uint64_t next = pass->put;
    for (size_t i = 0; i < pass->work.groups; i++)
        next = pass->groups[i].next < next ? pass->groups[i].next : next;
    return next;
}

static bool any_busy(const struct pool_pass *pass)
{
    bool busy = false;
    for (size_t i = 0; i < pass->work.groups; i++)
        busy |= pass->groups[i].busy;
    return busy;
}

static void pool_fail(struct pool_pass *pass, enum status status)
{
    if (status && !pass->status)
        pass->status = status;
    pass->dropped |= status != STATUS_OK;
}

/* Runs one batch, releasing the lock meanwhile. */
static void run_group(struct pool_pass *pass, struct group *group)
{
    const struct pool_batch *batch = &pass->slots[group->next % SLOTS].batch;
    group->busy = true;
    pthread_mutex_unlock(&pass->pool->lock);
    enum status status = pass->work.run(pass->work.argument, (size_t)(group - pass->groups), batch);
    pthread_mutex_lock(&pass->pool->lock);
    group->busy = false;
    group->next++;
    pool_fail(pass, status);
    if (pass->waiting)
        pthread_cond_signal(&pass->moved);
}

/* ---- helpers ----------------------------------------------------------------------------------
 */

/* The group that is furthest behind, over all passes. */
static struct group *choose_group(const struct pass_pool *pool, struct pool_pass **chosen)
{
    struct group *best = NULL;
    for (struct pool_pass *pass = pool->passes; pass; pass = pass->following) {
        struct group *group = find_group(pass);
        if (group && (!best || backlog(pass, group) > backlog(*chosen, best))) {
            best = group;
            *chosen = pass;
        }
    }
    return best;
}

/* With the lock held. */
static void help(struct pass_pool *pool)
{
    pool->helpers++;
    while (pool->owners) {
        struct pool_pass *pass;
        struct group *group = choose_group(pool, &pass);
        if (!group) {
            pool->idle++;
            pthread_cond_wait(&pool->work, &pool->lock);
            pool->idle--;
            continue;
        }
        /* Stay with this group, whose state is in the processor's cache now. The pass cannot close
         * while one of its groups has work left. */
        do
            run_group(pass, group);
        while (backlog(pass, group));
    }
    pool->helpers--;
}

void pass_pool_done(struct pass_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    if (!--pool->owners)
        pthread_cond_broadcast(&pool->work);
    help(pool);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- owners -----------------------------------------------------------------------------------
 */

enum status pass_pool_open(struct pass_pool *pool, const struct pool_work *work,
                           struct pool_pass **result)
{
    struct pool_pass *pass = calloc(1, sizeof *pass);
    struct group *groups = calloc(work->groups + 1, sizeof *groups);
    *result = pass;
    if (!pass || !groups) {
        free(pass);
        free(groups);
        *result = NULL;
        return STATUS_MEMORY;
    }
    pass->pool = pool;
    pass->work = *work;
    pass->groups = groups;
    pthread_cond_init(&pass->moved, NULL);
    if (!pool)
        return STATUS_OK;
    pthread_mutex_lock(&pool->lock);
    pass->following = pool->passes;
    pool->passes = pass;
    pthread_mutex_unlock(&pool->lock);
    return STATUS_OK;
}

static enum status run_all(const struct pool_pass *pass, const struct pool_batch *batch)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < pass->work.groups && !status; i++)
        status = pass->work.run(pass->work.argument, i, batch);
    return status;
}

/* No group reads the slot before pass->put counts it, so no lock is needed. */
static enum status fill_slot(struct slot *slot, const struct pool_batch *batch)
{
    if (array_reserve(&slot->requests, &slot->capacity, batch->count))
        return STATUS_MEMORY;
    if (batch->count)
        memcpy(slot->requests, batch->requests, batch->count * sizeof *batch->requests);
    slot->batch = *batch;
    slot->batch.requests = slot->requests;
    return STATUS_OK;
}

/* Runs groups until none is more than `most` batches behind. Call with the lock held. */
static void catch_up(struct pool_pass *pass, uint64_t most)
{
    while (!pass->status && pass->put - last_next(pass) > most) {
        struct group *group = find_group(pass);
        if (group) {
            run_group(pass, group);
            if (pass->pool->idle && backlog(pass, group)) /* the owner may soon do something else */
                pthread_cond_signal(&pass->pool->work);
            continue;
        }
        pass->waiting = true;
        pthread_cond_wait(&pass->moved, &pass->pool->lock);
        pass->waiting = false;
    }
}

/* Runs a batch at once, because nobody helps. Call with the lock held. */
static void run_alone(struct pool_pass *pass, const struct pool_batch *batch)
{
    pthread_mutex_unlock(&pass->pool->lock);
    enum status status = run_all(pass, batch);
    pthread_mutex_lock(&pass->pool->lock);
    pool_fail(pass, status);
    pass->put++;
    for (size_t i = 0; i < pass->work.groups; i++)
        pass->groups[i].next = pass->put;
}

/* Queues a batch for the groups. Call with the lock held. */
static void run_helped(struct pool_pass *pass, const struct pool_batch *batch)
{
    struct pass_pool *pool = pass->pool;
    pthread_mutex_unlock(&pool->lock);
    enum status status = fill_slot(&pass->slots[pass->put % SLOTS], batch);
    pthread_mutex_lock(&pool->lock);
    pool_fail(pass, status);
    pass->put += !status;
    if (pool->idle && (batch->last || pass->put - last_next(pass) >= WAKE))
        pthread_cond_signal(&pool->work);
    catch_up(pass, SLOTS - 1);
}

enum status pass_pool_put(struct pool_pass *pass, const struct pool_batch *batch)
{
    struct pass_pool *pool = pass->pool;
    if (!pool)
        return run_all(pass, batch);
    pthread_mutex_lock(&pool->lock);
    if (!pass->status) {
        bool alone = !pool->helpers && last_next(pass) == pass->put;
        (alone ? run_alone : run_helped)(pass, batch);
    }
    enum status status = pass->status;
    pthread_mutex_unlock(&pool->lock);
    return status;
}

/* Removes the pass from its pool once none of its groups is busy. */
static enum status leave(struct pool_pass *pass, bool drop)
{
    struct pass_pool *pool = pass->pool;
    pthread_mutex_lock(&pool->lock);
    pass->dropped |= drop;
    if (!drop)
        catch_up(pass, 0);
    while (any_busy(pass)) {
        pass->waiting = true;
        pthread_cond_wait(&pass->moved, &pool->lock);
        pass->waiting = false;
    }
    struct pool_pass **link = &pool->passes;
    while (*link != pass)
        link = &(*link)->following;
    *link = pass->following;
    enum status status = pass->status;
    pthread_mutex_unlock(&pool->lock);
    return status;
}

enum status pass_pool_close(struct pool_pass *pass, bool drop)
{
    if (!pass)
        return STATUS_OK;
    enum status status = pass->pool ? leave(pass, drop) : STATUS_OK;
    for (size_t i = 0; i < SLOTS; i++)
        free(pass->slots[i].requests);
    pthread_cond_destroy(&pass->moved);
    free(pass->groups);
    free(pass);
    return status;
}
