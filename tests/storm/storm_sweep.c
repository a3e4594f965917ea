#include "storm/storm_sweep.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/sweep/sweep.h"
#include "storm/storm_workload.h"
#include "support/roll_machine.h"
#include "support/study_builder.h"

enum { TEXT = 4096, VALUES_MAX = 4, KILLS = 3 };

/* ---- a study ---- */

/* Appends "  path: [value, ...]" of a parameter with a few values around that of the defaults;
 * false if it has only one. */
static bool storm_axis(struct dice *dice, const struct parameter *parameter, char *text,
                       size_t size)
{
    struct machine machine;
    char print[VALUE_TEXT];
    machine_defaults(&machine);
    struct value values[VALUES_MAX] = {parameter_get(parameter, &machine)};
    const int direction = roll(dice, 2) ? 1 : -1;
    size_t count = 1;
    while (count < VALUES_MAX &&
           parameter_next(parameter, values[count - 1], direction, &values[count]))
        count++;
    if (count < 2 || parameter_is_limit(parameter, values[count - 1]))
        return false;
    size_t used = (size_t)snprintf(text, size, "  %s: [", parameter->path);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 parameter_print(parameter, values[i], print));
    snprintf(text + used, size - used, "]\n");
    return true;
}

static bool storm_can_be_axis(const struct parameter *parameter, enum depth depth)
{
    struct machine machine;
    machine_defaults(&machine);
    return parameter_answers(parameter, depth) && parameter_relevant(parameter, &machine) &&
           parameter->type != PARAMETER_SIZES && parameter->type != PARAMETER_REAL &&
           parameter->unit != UNIT_MASK && strcmp(parameter->path, "gpu.address_bits") != 0 &&
           strcmp(parameter->path, "kind") != 0;
}

static enum depth storm_study(struct dice *dice, char text[TEXT])
{
    struct storm_workload workload;
    storm_workload_kernel(dice, &workload);
    const enum depth depth = (enum depth)roll(dice, DEPTH_COUNT);
    const char *objective = depth == DEPTH_TIMING ? "core.cycles" : "l1d.misses";
    size_t used =
        (size_t)snprintf(text, TEXT,
                         "machine: gtx480\ndepth: %s\nset: {gpu.sms: %u, l1d.index: linear}\n"
                         "workloads: ['%s']\nobjectives: [%s, total.area]\naxes:\n",
                         depth_name(depth), 1 + (unsigned)roll(dice, 3), workload.text, objective);
    storm_workload_free(&workload);
    bool taken[1024] = {false};
    for (unsigned axes = 2 + (unsigned)roll(dice, 2); axes;) {
        const size_t i = roll(dice, parameter_count);
        if (taken[i] || !storm_can_be_axis(&parameters[i], depth) ||
            !storm_axis(dice, &parameters[i], text + used, TEXT - used))
            continue;
        taken[i] = true;
        used += strlen(text + used);
        axes--;
    }
    return depth;
}

/* ---- sweeps in processes of their own ---- */

/* Begins a sweep; its status is the exit status of the process. */
static pid_t storm_begin(const char *text, const char *store, int threads)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child)
        return child;
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const struct sweep_options options = {.store = store, .threads = threads};
    study_from_text(text, &study);
    const enum status status = sweep_run(&study, &options, NULL, &diagnostics);
    if (status)
        diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    study_free(&study);
    _exit((int)status);
}

/* Waits for a sweep. Returns its status; -1: it was killed. */
static int storm_end(pid_t sweep, const char *text)
{
    int state;
    assert_int_equal(waitpid(sweep, &state, 0), sweep);
    if (WIFEXITED(state))
        return WEXITSTATUS(state);
    if (WTERMSIG(state) != SIGKILL)
        fail_msg("signal %d in a sweep of\n%s", WTERMSIG(state), text);
    return -1;
}

static void storm_kill(struct dice *dice, const char *text, const char *store)
{
    const pid_t sweep = storm_begin(text, store, 1 + (int)roll(dice, 4));
    /* Sooner or later in it: half of them within 5 ms, the others within 80 ms. */
    const struct timespec delay = {.tv_nsec = (long)roll(dice, roll(dice, 2) ? 5000000 : 80000000)};
    nanosleep(&delay, NULL);
    kill(sweep, SIGKILL);
    storm_end(sweep, text);
}

void storm_sweep(uint64_t seed)
{
    struct dice dice = {.seed = seed};
    char text[TEXT];
    storm_study(&dice, text);
    const char *whole = scratch_store(), *killed = scratch_store();
    const int status = storm_end(storm_begin(text, whole, 1), text);
    if (status == STATUS_INVALID || status == STATUS_UNSUPPORTED || status == STATUS_NOT_FOUND)
        return; /* no point is legal, or the workload does not fit */
    if (status)
        fail_msg("%s in a sweep of\n%s", status_text((enum status)status), text);
    for (unsigned i = 0; i < KILLS; i++)
        storm_kill(&dice, text, killed);
    if (storm_end(storm_begin(text, killed, 1 + (int)roll(&dice, 4)), text))
        fail_msg("after kills it does not resume:\n%s", text);
    char *wanted = store_dump(whole), *found = store_dump(killed);
    if (strcmp(wanted, found) != 0)
        fail_msg("after kills there are other rows, of\n%s", text);
    free(wanted);
    free(found);
}
