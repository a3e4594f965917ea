#include "ui/jobs/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    const struct job_kind *kind;
    void *waiting, *ended; /* NULL: none */
    atomic_bool cancel;    /* the running one */
    bool quit;
    int fd;
};

/* Not under the lock: to free an answer may close a store, and whoever asks for something must not
 * wait for that. */
static void worker_drop(const struct worker *worker, void *job)
{
    if (job)
        worker->kind->free(job);
}

/* Makes this the answer to take, and drops the one before. Expects the lock, and releases it. */
static void worker_hand_over(struct worker *worker, void *answer)
{
    void *before = worker->ended;
    uint64_t one = 1;
    worker->ended = answer;
    /* Writing to an eventfd can only fail if its counter overflows, and that cannot happen here. */
    (void)!write(worker->fd, &one, sizeof one);
    pthread_mutex_unlock(&worker->lock);
    worker_drop(worker, before);
}

void answer_publish(const struct answer *answer, struct answer *part)
{
    struct worker *worker = answer->worker;
    part->partial = true;
    pthread_mutex_lock(&worker->lock);
    if (!atomic_load(&worker->cancel)) {
        worker_hand_over(worker, part);
        return;
    }
    pthread_mutex_unlock(&worker->lock);
    worker_drop(worker, part);
}

static void *worker_loop(void *argument)
{
    struct worker *worker = argument;
    pthread_mutex_lock(&worker->lock);
    while (!worker->quit) {
        void *running = worker->waiting;
        if (!running) {
            pthread_cond_wait(&worker->wake, &worker->lock);
            continue;
        }
        worker->waiting = NULL;
        atomic_store(&worker->cancel, false);
        pthread_mutex_unlock(&worker->lock);
        worker->kind->run(running, &worker->cancel);
        pthread_mutex_lock(&worker->lock);
        /* Cancelled while it ran: there is a newer question, and nobody wants this answer. */
        if (atomic_load(&worker->cancel)) {
            pthread_mutex_unlock(&worker->lock);
            worker_drop(worker, running);
            pthread_mutex_lock(&worker->lock);
            continue;
        }
        worker_hand_over(worker, running);
        pthread_mutex_lock(&worker->lock);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

enum status worker_create(const struct job_kind *kind, struct worker **result)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return STATUS_MEMORY;
    worker->kind = kind;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->wake, NULL);
    worker->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* Threads inherit the mask. With all signals blocked in the worker, handlers run in the thread
     * that owns the terminal. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = worker->fd < 0 || pthread_create(&worker->thread, NULL, worker_loop, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        if (worker->fd >= 0)
            close(worker->fd);
        free(worker);
        return STATUS_IO;
    }
    *result = worker;
    return STATUS_OK;
}

void worker_free(struct worker *worker)
{
    if (!worker)
        return;
    pthread_mutex_lock(&worker->lock);
    worker->quit = true;
    atomic_store(&worker->cancel, true);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    worker_drop(worker, worker->waiting);
    worker_drop(worker, worker->ended);
    close(worker->fd);
    pthread_cond_destroy(&worker->wake);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

int worker_fd(const struct worker *worker)
{
    return worker->fd;
}

void worker_start(struct worker *worker, void *question)
{
    if (question)
        ((struct answer *)question)->worker = worker;
    pthread_mutex_lock(&worker->lock);
    void *waiting = worker->waiting, *ended = worker->ended;
    worker->waiting = question;
    worker->ended = NULL;
    atomic_store(&worker->cancel, true);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
    worker_drop(worker, waiting);
    worker_drop(worker, ended);
}

void *worker_take(struct worker *worker)
{
    uint64_t count;
    pthread_mutex_lock(&worker->lock);
    (void)!read(worker->fd, &count, sizeof count);
    void *ended = worker->ended;
    worker->ended = NULL;
    pthread_mutex_unlock(&worker->lock);
    return ended;
}

void answer_end(struct answer *answer, enum status status, struct diagnostics *diagnostics)
{
    answer->status = status;
    if (status)
        snprintf(answer->message, sizeof answer->message, "%s",
                 diagnostics_first(diagnostics, status));
    diagnostics_free(diagnostics);
}
