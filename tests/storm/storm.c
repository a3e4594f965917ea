/* ./dev storm [SEED [SECONDS]]: whatever the machine and the workload, what must hold holds.
 *
 * A seed is a random machine, a random workload, all depths that answer, any number of threads, and
 * one of the fast models against its slow twin; in one seed of four allocations fail, and one of
 * twenty kills a sweep. Each runs in a process of its own, as many at once as there are processors,
 * so that a crash or a hang is a failure like any other. A failure ends with the line that repeats
 * it.
 *
 *   storm              seeds from a random one on for a minute
 *   storm SEED         this one, with what it prints
 *   storm SEED SECONDS seeds from this one on */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "schema/families.h"
#include "storm/storm_evaluate.h"
#include "storm/storm_sweep.h"
#include "support/cache_twin.h"
#include "support/list_source.h"
#include "support/policy_twin.h"
#include "support/reuse_twin.h"
#include "support/simt_twin.h"
#include "support/sm_twin.h"
#include "support/tile_twin.h"
#include "support/zeroed.h"

enum { SEED_SECONDS = 600, JOBS_MAX = 64, USUAL_SECONDS = 60, SWEEPS = 20, MEMORY = 4 };

/* ---- twins ---- */

static void twin_of_cache(uint64_t seed)
{
    cache_twin_check(seed, seed % 2 ? CACHE_PORTABLE : 0);
}

static void twin_of_policy(uint64_t seed)
{
    uint64_t draw = 0;
    int policy;
    do
        policy = (int)random_below(random_at(seed, draw++), REPLACEMENT_COUNT);
    while (replacement_facts[policy].traits & REPLACEMENT_FUTURE);
    policy_twin_check(policy, seed);
}

static void twin_of_sm(uint64_t seed)
{
    struct slow_fetch_counts sum = {0};
    sm_twin_check(seed, &sum);
}

static void twin_of_reuse(uint64_t seed)
{
    struct reuse_twin *twin = zeroed(1, sizeof *twin);
    struct list_source *source = list_source_random(seed, 1, 8, 30, 60);
    const struct machine machine = reuse_twin_machine(seed);
    list_source_keep_loads(source);
    reuse_twin_check(&machine, &source->base, twin);
    trace_source_free(&source->base);
    free(twin);
}

static void twin_of_simt(uint64_t seed)
{
    simt_twin_check(seed);
}

static void (*const twins[])(uint64_t seed) = {twin_of_cache, twin_of_policy, twin_of_sm,
                                               twin_of_reuse, twin_of_simt,   tile_twin_check};

/* ---- a seed ---- */

static uint64_t storm_of; /* the seed of this process */

static void a_seed(void **state)
{
    (void)state;
    const uint64_t seed = storm_of;
    const size_t count = sizeof twins / sizeof *twins;
    const uint64_t draw = random_at(seed, 0);
    if (seed % SWEEPS == 0) {
        storm_sweep(seed);
        return;
    }
    twins[random_below(draw, count)](seed);
    storm_evaluate(seed, seed % MEMORY == 0);
}

/* The process ends in any case, so what may not be called in a handler may be called in this one.
 */
static void does_not_end(int number)
{
    storm_evaluate_says();
    printf("seed %llu did not end in %d s\n", (unsigned long long)storm_of, SEED_SECONDS);
    fflush(stdout);
    _exit(number);
}

/* Returns whether it failed. Prints what cmocka prints. */
static int storm_seed(uint64_t seed)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_seed)};
    storm_of = seed;
    signal(SIGALRM, does_not_end);
    alarm(SEED_SECONDS);
    const int failed = cmocka_run_group_tests_name("storm", tests, NULL, NULL);
    if (failed)
        storm_evaluate_says();
    return failed != 0;
}

/* ---- processes ---- */

struct job {
    pid_t process; /* 0: none */
    uint64_t seed;
    int output; /* what it prints */
};

static void job_begin(struct job *job, uint64_t seed)
{
    job->seed = seed;
    job->output = memfd_create("storm", MFD_CLOEXEC);
    fflush(NULL);
    job->process = fork();
    if (job->process < 0 || job->output < 0) {
        perror("storm");
        exit(1);
    }
    if (job->process)
        return;
    dup2(job->output, STDOUT_FILENO);
    dup2(job->output, STDERR_FILENO);
    exit(storm_seed(seed)); /* not _exit: it looks for leaks */
}

static void job_print(const struct job *job)
{
    char text[4096];
    ssize_t size;
    lseek(job->output, 0, SEEK_SET);
    while ((size = read(job->output, text, sizeof text)) > 0)
        fwrite(text, 1, (size_t)size, stdout);
}

/* Waits until one of the processes ends. Returns whether it found something. */
static bool job_end(struct job *jobs, size_t count)
{
    int state;
    const pid_t ended = wait(&state);
    size_t i = 0;
    while (i < count && jobs[i].process != ended)
        i++;
    if (i == count)
        return false;
    struct job *job = &jobs[i];
    const bool failed = !WIFEXITED(state) || WEXITSTATUS(state);
    if (failed) {
        job_print(job);
        if (WIFSIGNALED(state))
            printf("seed %llu: %s\n", (unsigned long long)job->seed, strsignal(WTERMSIG(state)));
        printf("FAILED: ./dev storm %llu\n", (unsigned long long)job->seed);
        fflush(stdout);
    }
    close(job->output);
    job->process = 0;
    return failed;
}

/* Runs seeds from `seed` on for so long. Returns how many failed. */
static uint64_t storm(uint64_t seed, double seconds)
{
    struct job jobs[JOBS_MAX] = {{0}};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t count = processors < 1 ? 1 : processors < JOBS_MAX ? (size_t)processors : JOBS_MAX;
    const double begin = clock_seconds();
    uint64_t begun = 0, failed = 0;
    size_t running = 0;
    while (running || clock_seconds() < begin + seconds) {
        if (running == count || clock_seconds() >= begin + seconds) {
            failed += job_end(jobs, count);
            running--;
            continue;
        }
        size_t free_job = 0;
        while (jobs[free_job].process)
            free_job++;
        job_begin(&jobs[free_job], seed + begun++);
        running++;
    }
    printf("storm: %llu seeds from %llu on, %llu failed\n", (unsigned long long)begun,
           (unsigned long long)seed, (unsigned long long)failed);
    return failed;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/warpscape-storm-XXXXXX";
    const uint64_t now = random_below(random_at((uint64_t)time(NULL), (uint64_t)getpid()), 1 << 30);
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : now;
    if (argc == 2)
        return storm_seed(seed);
    /* Sweeps start with nothing remembered and leave nothing. */
    if (!mkdtemp(folder)) {
        perror("storm");
        return 1;
    }
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("TMPDIR", folder, 1);
    const uint64_t failed = storm(seed, argc > 2 ? strtod(argv[2], NULL) : USUAL_SECONDS);
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) || failed ? 1 : 0;
}
