#include "ui/jobs/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct job waiting, running, ended; /* run == NULL: none */
    atomic_bool cancel;
    bool quit;
    int fd;
};

static void drop(struct job *job)
{
    if (job->run)
        job->free(job->argument);
    *job = (struct job){0};
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    pthread_mutex_lock(&worker->lock);
    while (!worker->quit) {
        if (!worker->waiting.run) {
            pthread_cond_wait(&worker->wake, &worker->lock);
            continue;
        }
        worker->running = worker->waiting;
        worker->waiting = (struct job){0};
        atomic_store(&worker->cancel, false);
        pthread_mutex_unlock(&worker->lock);
        worker->running.run(worker->running.argument, &worker->cancel);
        pthread_mutex_lock(&worker->lock);
        /* Cancelled while it ran: a newer job waits, and nobody wants this result. */
        if (atomic_load(&worker->cancel)) {
            drop(&worker->running);
            continue;
        }
        drop(&worker->ended);
        worker->ended = worker->running;
        worker->running = (struct job){0};
        uint64_t one = 1;
        /* Writing to an eventfd can only fail if its counter overflows, and that cannot happen
         * here. */
        (void)!write(worker->fd, &one, sizeof one);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

enum status worker_create(struct worker **result)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return STATUS_MEMORY;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->wake, NULL);
    worker->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* Threads inherit the mask. With all signals blocked in the worker, handlers run in the thread
     * that owns the terminal. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = worker->fd < 0 || pthread_create(&worker->thread, NULL, work, worker);
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
    drop(&worker->waiting);
    drop(&worker->ended);
    close(worker->fd);
    pthread_cond_destroy(&worker->wake);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

int worker_fd(const struct worker *worker)
{
    return worker->fd;
}

void worker_start(struct worker *worker, struct job job)
{
    pthread_mutex_lock(&worker->lock);
    drop(&worker->waiting);
    worker->waiting = job;
    atomic_store(&worker->cancel, true);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
}

bool worker_take(struct worker *worker, struct job *job)
{
    uint64_t count;
    pthread_mutex_lock(&worker->lock);
    (void)!read(worker->fd, &count, sizeof count);
    *job = worker->ended;
    worker->ended = (struct job){0};
    pthread_mutex_unlock(&worker->lock);
    return job->run != NULL;
}
