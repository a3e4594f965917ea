/* warpscape watch: shows the progress of sweeps from another terminal. It reads status files and
 * stores and writes nothing, so it cannot disturb a sweep. While a sweep runs, its counts come from
 * the status file; counting the rows of a large store takes long. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/standard_streams.h"
#include "report/runs/sweep_status.h"

enum { BAR_WIDTH = 30 };
/* A sweep writes its status every second. One that has been silent for this long is in trouble. */
#define SILENT_SECONDS 15.0

struct watch_arguments {
    struct options_list stores;
    bool once;
};

static void cmd_watch_parse(int argc, char **argv, struct watch_arguments *arguments)
{
    const struct option_row options[] = {
        {"once", 0, NULL, "print once and end", option_flag, &arguments->once, NULL}, {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STORE.db...",
        .help = "Show the progress of sweeps until all have ended.\v"
                "It only reads, so it can run beside a sweep, also as another user; Ctrl-C ends "
                "it. Several stores get one line each.",
        .operand = OPERAND_STORES(&arguments->stores)};
    options_parse(&line, argc, argv);
}

struct watched {
    const char *path;
    struct sweep_status status;
    bool told;  /* the status file was read */
    bool alive; /* the sweep seems to be running */
    double age; /* seconds since the status was written */
    uint64_t stored;
    char event[STATUS_TEXT]; /* the last event in the store */
    double event_time;
};

static enum status keep_event(void *argument, double time, const char *kind, const char *text)
{
    struct watched *watched = argument;
    watched->event_time = time;
    snprintf(watched->event, sizeof watched->event, "%s: %s", kind, text);
    return STATUS_OK;
}

/* On this host ask the kernel whether the process exists. On another host all we have is the age of
 * the file. */
static bool is_alive(const struct sweep_status *status, double age)
{
    char host[sizeof status->host] = "";
    if (status->state != SWEEP_RUNNING && status->state != SWEEP_STARTING)
        return false;
    gethostname(host, sizeof host - 1);
    if (!strcmp(host, status->host) && status->pid > 0)
        return !kill((pid_t)status->pid, 0) || errno == EPERM;
    return age < SILENT_SECONDS;
}

static enum status look(const char *path, struct watched *watched, struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    *watched = (struct watched){.path = path};
    enum status told = sweep_status_read(path, &watched->status);
    watched->told = !told;
    watched->age = watched->told ? clock_date() - watched->status.updated : NAN;
    watched->alive = watched->told && is_alive(&watched->status, watched->age);
    struct diagnostics opened = DIAGNOSTICS_INIT;
    enum status status = store_open(path, &store, &study, &opened);
    if (status && watched->alive) { /* the sweep has just started and has no store yet */
        diagnostics_free(&opened);
        return STATUS_OK;
    }
    diagnostics_move(diagnostics, &opened);
    if (status)
        return status;
    /* Counting scans the whole table. A running sweep reports the number, so skip it. */
    watched->stored = watched->status.progress.done;
    if (!watched->alive)
        status = store_count(store, &watched->stored, diagnostics);
    if (!status)
        status = store_events(store, keep_event, watched, diagnostics);
    store_close(store);
    return status;
}

static const char *state_text(const struct watched *watched)
{
    bool runs = watched->status.state == SWEEP_RUNNING || watched->status.state == SWEEP_STARTING;
    if (!watched->told)
        return "no status file";
    if (runs && !watched->alive)
        return "killed";
    if (runs && watched->age > SILENT_SECONDS)
        return "silent";
    return sweep_state_name(watched->status.state);
}

/* The share of the work that is done, if the sweep runs and reports it; else the share of the
 * points. */
static double watched_share(const struct watched *watched)
{
    const struct sweep_progress *progress = &watched->status.progress;
    if (watched->alive && isfinite(progress->share))
        return progress->share;
    return progress->points ? (double)watched->stored / (double)progress->points : NAN;
}

static void print_line(const struct watched *watched)
{
    char done[COUNT_TEXT], rate[COUNT_TEXT], eta[DURATION_TEXT], share[16] = "    -  ";
    const struct sweep_progress *progress = &watched->status.progress;
    if (isfinite(watched_share(watched)))
        snprintf(share, sizeof share, "%5.1f %%", watched_share(watched) * 100);
    printf("%s  %-8s  %s", share, state_text(watched),
           counted_print(watched->stored, "point", done));
    if (watched->alive)
        printf("  %s/s  ETA %s", count_print((uint64_t)fmax(progress->rate, 0), rate),
               duration_print(progress->eta, eta));
    printf("  %s\n", watched->path);
}

static void print_best(const struct watched *watched)
{
    const struct sweep_status *status = &watched->status;
    char front[COUNT_TEXT], covered[COUNT_TEXT];
    const bool any = status->progress.cells || status->progress.front || *status->best_metric;
    if (any && !watched->alive && watched->stored > status->progress.done)
        printf("as it reported last, %s before its end:\n",
               counted_print(watched->stored - status->progress.done, "point", front));
    if (status->progress.cells)
        printf("coverage: %s of %s (values of an axis on a workload) have points\n",
               count_print(status->progress.cells_covered, covered),
               counted_print(status->progress.cells, "cell", front));
    if (!*status->best_metric && !status->progress.front)
        return;
    printf("front %s", counted_print(status->progress.front, "point", front));
    if (isfinite(status->progress.hypervolume))
        printf("  hypervolume %.4f", status->progress.hypervolume);
    if (*status->best_metric)
        printf("  best %s %s: %s", status->best_metric, status->best_value, status->best_point);
    putchar('\n');
}

static void print_block(const struct watched *watched)
{
    const struct sweep_status *status = &watched->status;
    const struct sweep_progress *progress = &status->progress;
    char done[COUNT_TEXT], points[COUNT_TEXT], text[DURATION_TEXT], rate[COUNT_TEXT];
    printf("%s: %s", watched->path, state_text(watched));
    if (watched->told)
        printf(", %s, process %ld on %s", status->study, status->pid, status->host);
    double share = watched_share(watched);
    printf("\n%s", count_print(watched->stored, done));
    if (isfinite(share)) {
        int filled = (int)(fmin(share, 1) * BAR_WIDTH);
        printf(" / %s  [%.*s%*s]  %.1f %%", counted_print(progress->points, "point", points),
               filled, "##############################", BAR_WIDTH - filled, "", share * 100);
    } else {
        printf(" points");
    }
    putchar('\n');
    if (watched->alive) {
        printf("rate %s points/s", count_print((uint64_t)fmax(progress->rate, 0), rate));
        printf("  running %s", duration_print(progress->seconds, text));
        printf("  ETA %s\n", duration_print(progress->eta, text));
        if (progress->passes)
            printf("%s of %s done, %u running\n", count_print(progress->passes_done, done),
                   counted_print(progress->passes, "pass", points), progress->passes_running);
    }
    print_best(watched);
    if (*watched->event)
        printf("%s ago: %s\n", duration_print(fmax(clock_date() - watched->event_time, 0), text),
               watched->event);
    if (watched->told && !watched->alive && *status->event && status->state == SWEEP_FAILED)
        printf("%s\n", status->event);
    if (!strcmp(state_text(watched), "silent"))
        printf("its status is %s old\n", duration_print(watched->age, text));
    if (!strcmp(state_text(watched), "killed"))
        puts("its process is gone; the same sweep command goes on from here");
}

/* The sum over the sweeps with a status file: only that says how many points there will be. */
static void print_total(const struct watched *sweeps, size_t count)
{
    uint64_t done = 0, points = 0, unknown = 0;
    double rate = 0, eta = 0, behind = 0;
    char texts[3][COUNT_TEXT], duration[DURATION_TEXT];
    for (size_t i = 0; i < count; i++) {
        const struct sweep_progress *progress = &sweeps[i].status.progress;
        double share = watched_share(&sweeps[i]);
        unknown += !sweeps[i].told;
        if (!sweeps[i].told)
            continue;
        done += sweeps[i].stored;
        points += progress->points;
        behind += isfinite(share) ? share * (double)progress->points : 0;
        rate += sweeps[i].alive ? fmax(progress->rate, 0) : 0;
        eta = sweeps[i].alive ? fmax(eta, progress->eta) : eta;
    }
    if (unknown == count)
        return;
    printf("%5.1f %%  %s / %s  %s/s  ETA %s", points ? 100 * behind / (double)points : 0,
           count_print(done, texts[0]), counted_print(points, "point", texts[1]),
           count_print((uint64_t)rate, texts[2]), duration_print(eta, duration));
    if (unknown)
        printf("  without %s of unknown size", counted_print(unknown, "store", texts[0]));
    putchar('\n');
}

/* Prints all sweeps once; *alive becomes whether any of them runs. */
static enum status watch_once(const struct watch_arguments *arguments, struct watched *sweeps,
                              bool *alive, struct diagnostics *diagnostics)
{
    *alive = false;
    for (size_t i = 0; i < arguments->stores.count; i++) {
        enum status status = look(arguments->stores.items[i], &sweeps[i], diagnostics);
        if (status)
            return status;
        *alive = *alive || sweeps[i].alive;
    }
    for (size_t i = 0; i < arguments->stores.count; i++)
        if (arguments->stores.count > 1)
            print_line(&sweeps[i]);
        else
            print_block(&sweeps[i]);
    if (arguments->stores.count > 1)
        print_total(sweeps, arguments->stores.count);
    return fflush(stdout) ? STATUS_IO : STATUS_OK;
}

int command_watch(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct watch_arguments arguments = {0};
    bool alive = true, redraw = isatty(STDOUT_FILENO);
    cmd_watch_parse(argc, argv, &arguments);
    const atomic_bool *interrupted = interrupt_flag();
    struct watched *sweeps = calloc(arguments.stores.count, sizeof *sweeps);
    enum status status = sweeps ? STATUS_OK : STATUS_MEMORY;
    while (!status) {
        if (redraw && !arguments.once)
            standard_streams_control(stdout, "\033[H\033[2J");
        status = watch_once(&arguments, sweeps, &alive, &diagnostics);
        if (status || arguments.once || !alive || atomic_load(interrupted))
            break;
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    free(sweeps);
    options_list_free(&arguments.stores);
    return command_finish(status, &diagnostics);
}
