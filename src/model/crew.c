#include "model/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    SLOTS = 16, /* batches that an owner may be ahead of its lanes */
    WAKE = 4    /* of these that are worth waking somebody for */
};

struct slot {
    struct crew_batch batch;
    struct request *requests;
    size_t capacity;
};

struct lane {
    uint64_t next; /* batch to run */
    bool busy;
};

struct crew_pass {
    struct crew *crew;
    struct crew_work work;
    struct lane *lanes;
    struct slot slots[SLOTS];
    uint64_t put; /* batches given so far */
    enum status status;
    bool dropped, waiting; /* its owner waits */
    pthread_cond_t moved;  /* tells the owner that a lane has */
    struct crew_pass *following;
};

struct crew {
    pthread_mutex_t lock; /* everything here, and of the passes all but what a busy lane reads */
    pthread_cond_t work;
    struct crew_pass *passes;
    unsigned owners;  /* threads that may still open passes */
    unsigned helpers; /* that are done with theirs */
    unsigned idle;    /* of these: that found nothing to do */
};

struct crew *crew_create(void)
{
    struct crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    return crew;
}

void crew_free(struct crew *crew)
{
    if (!crew)
        return;
    pthread_cond_destroy(&crew->work);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

void crew_join(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->owners++;
    pthread_mutex_unlock(&crew->lock);
}

/* ---- lanes, all with the lock held ------------------------------------------------------------
 */

static uint64_t backlog(const struct crew_pass *pass, const struct lane *lane)
{
    return pass->dropped ? 0 : pass->put - lane->next;
}

/* The free lane that is furthest behind; NULL: there is none with anything to do. */
static struct lane *find_lane(const struct crew_pass *pass)
{
    struct lane *found = NULL;
    for (size_t i = 0; i < pass->work.lanes; i++) {
        struct lane *lane = &pass->lanes[i];
        if (!lane->busy && backlog(pass, lane) && (!found || lane->next < found->next))
            found = lane;
    }
    return found;
}

/* The batch that the last lane has to run. */
static uint64_t last_next(const struct crew_pass *pass)
{
    uint64_t next = pass->put;
    for (size_t i = 0; i < pass->work.lanes; i++)
        next = pass->lanes[i].next < next ? pass->lanes[i].next : next;
    return next;
}

static bool any_busy(const struct crew_pass *pass)
{
    bool busy = false;
    for (size_t i = 0; i < pass->work.lanes; i++)
        busy |= pass->lanes[i].busy;
    return busy;
}

static void fail(struct crew_pass *pass, enum status status)
{
    if (status && !pass->status)
        pass->status = status;
    pass->dropped |= status != STATUS_OK;
}

/* Runs one batch, without the lock meanwhile. */
static void run_lane(struct crew_pass *pass, struct lane *lane)
{
    const struct crew_batch *batch = &pass->slots[lane->next % SLOTS].batch;
    lane->busy = true;
    pthread_mutex_unlock(&pass->crew->lock);
    enum status status = pass->work.run(pass->work.argument, (size_t)(lane - pass->lanes), batch);
    pthread_mutex_lock(&pass->crew->lock);
    lane->busy = false;
    lane->next++;
    fail(pass, status);
    if (pass->waiting)
        pthread_cond_signal(&pass->moved);
}

/* ---- helpers ----------------------------------------------------------------------------------
 */

/* Of all passes the lane that is furthest behind. */
static struct lane *choose_lane(const struct crew *crew, struct crew_pass **chosen)
{
    struct lane *best = NULL;
    for (struct crew_pass *pass = crew->passes; pass; pass = pass->following) {
        struct lane *lane = find_lane(pass);
        if (lane && (!best || backlog(pass, lane) > backlog(*chosen, best))) {
            best = lane;
            *chosen = pass;
        }
    }
    return best;
}

/* With the lock held. */
static void help(struct crew *crew, bool (*done)(const void *argument), const void *argument)
{
    crew->helpers++;
    while (!done(argument)) {
        struct crew_pass *pass;
        struct lane *lane = choose_lane(crew, &pass);
        if (!lane) {
            crew->idle++;
            pthread_cond_wait(&crew->work, &crew->lock);
            crew->idle--;
            continue;
        }
        /* Its state is in the processor's cache now. The pass stays as long as a lane is behind. */
        do
            run_lane(pass, lane);
        while (backlog(pass, lane) && !done(argument));
    }
    crew->helpers--;
}

void crew_help(struct crew *crew, bool (*done)(const void *argument), const void *argument)
{
    pthread_mutex_lock(&crew->lock);
    help(crew, done, argument);
    pthread_mutex_unlock(&crew->lock);
}

void crew_wake(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
}

static bool all_done(const void *argument)
{
    const struct crew *crew = argument;
    return !crew->owners;
}

void crew_done(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    if (!--crew->owners)
        pthread_cond_broadcast(&crew->work);
    help(crew, all_done, crew);
    pthread_mutex_unlock(&crew->lock);
}

/* ---- owners -----------------------------------------------------------------------------------
 */

enum status crew_open(struct crew *crew, const struct crew_work *work, struct crew_pass **result)
{
    struct crew_pass *pass = calloc(1, sizeof *pass);
    struct lane *lanes = calloc(work->lanes + 1, sizeof *lanes);
    *result = pass;
    if (!pass || !lanes) {
        free(pass);
        free(lanes);
        *result = NULL;
        return STATUS_MEMORY;
    }
    pass->crew = crew;
    pass->work = *work;
    pass->lanes = lanes;
    pthread_cond_init(&pass->moved, NULL);
    if (!crew)
        return STATUS_OK;
    pthread_mutex_lock(&crew->lock);
    pass->following = crew->passes;
    crew->passes = pass;
    pthread_mutex_unlock(&crew->lock);
    return STATUS_OK;
}

static enum status run_all(const struct crew_pass *pass, const struct crew_batch *batch)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < pass->work.lanes && !status; i++)
        status = pass->work.run(pass->work.argument, i, batch);
    return status;
}

/* Nobody sees the slot before it is counted. */
static enum status fill_slot(struct slot *slot, const struct crew_batch *batch)
{
    if (array_reserve(&slot->requests, &slot->capacity, batch->count))
        return STATUS_MEMORY;
    if (batch->count)
        memcpy(slot->requests, batch->requests, batch->count * sizeof *batch->requests);
    slot->batch = *batch;
    slot->batch.requests = slot->requests;
    return STATUS_OK;
}

/* Runs lanes until none is more than `most` batches behind. With the lock held. */
static void catch_up(struct crew_pass *pass, uint64_t most)
{
    while (!pass->status && pass->put - last_next(pass) > most) {
        struct lane *lane = find_lane(pass);
        if (lane) {
            run_lane(pass, lane);
            if (pass->crew->idle &&
                backlog(pass, lane)) /* the owner may have something else to do */
                pthread_cond_signal(&pass->crew->work);
            continue;
        }
        pass->waiting = true;
        pthread_cond_wait(&pass->moved, &pass->crew->lock);
        pass->waiting = false;
    }
}

/* With the lock held. Nobody helps: the batch is run where it is. */
static void run_alone(struct crew_pass *pass, const struct crew_batch *batch)
{
    pthread_mutex_unlock(&pass->crew->lock);
    enum status status = run_all(pass, batch);
    pthread_mutex_lock(&pass->crew->lock);
    fail(pass, status);
    pass->put++;
    for (size_t i = 0; i < pass->work.lanes; i++)
        pass->lanes[i].next = pass->put;
}

/* With the lock held. */
static void run_helped(struct crew_pass *pass, const struct crew_batch *batch)
{
    struct crew *crew = pass->crew;
    pthread_mutex_unlock(&crew->lock);
    enum status status = fill_slot(&pass->slots[pass->put % SLOTS], batch);
    pthread_mutex_lock(&crew->lock);
    fail(pass, status);
    pass->put += !status;
    if (crew->idle && (batch->last || pass->put - last_next(pass) >= WAKE))
        pthread_cond_signal(&crew->work);
    catch_up(pass, SLOTS - 1);
}

enum status crew_put(struct crew_pass *pass, const struct crew_batch *batch)
{
    struct crew *crew = pass->crew;
    if (!crew)
        return run_all(pass, batch);
    pthread_mutex_lock(&crew->lock);
    if (!pass->status) {
        bool alone = !crew->helpers && last_next(pass) == pass->put;
        (alone ? run_alone : run_helped)(pass, batch);
    }
    enum status status = pass->status;
    pthread_mutex_unlock(&crew->lock);
    return status;
}

/* Takes the pass out of its crew once no lane of it is busy. */
static enum status leave(struct crew_pass *pass, bool drop)
{
    struct crew *crew = pass->crew;
    pthread_mutex_lock(&crew->lock);
    pass->dropped |= drop;
    if (!drop)
        catch_up(pass, 0);
    while (any_busy(pass)) {
        pass->waiting = true;
        pthread_cond_wait(&pass->moved, &crew->lock);
        pass->waiting = false;
    }
    struct crew_pass **link = &crew->passes;
    while (*link != pass)
        link = &(*link)->following;
    *link = pass->following;
    enum status status = pass->status;
    pthread_mutex_unlock(&crew->lock);
    return status;
}

enum status crew_close(struct crew_pass *pass, bool drop)
{
    if (!pass)
        return STATUS_OK;
    enum status status = pass->crew ? leave(pass, drop) : STATUS_OK;
    for (size_t i = 0; i < SLOTS; i++)
        free(pass->slots[i].requests);
    pthread_cond_destroy(&pass->moved);
    free(pass->lanes);
    free(pass);
    return status;
}
