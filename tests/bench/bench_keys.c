/* Key to screen: first paint, and how long each of 1,000 random keys takes to show while nothing
 * else runs and while a sweep has every core (aim: 95 of 100 within 50 ms). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/rng.h"
#include "support/terminal.h"

enum { KEYS = 1000, PATIENCE = 30 };

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

struct stroke {
    const char *key, *shows;
};

/* Pairs of keys, the second of which takes the first back: moves of the cursor and steps of a
 * value. */
static const struct stroke pairs[][2] = {
    {{"j", "l1d.ways: associativity"}, {"k", "l1d.size: capacity"}},
    {{"l", "32KiB›"}, {"h", "16KiB›"}},
    {{"2", "t all"}, {"1", "h l step"}},
};

/* Presses random pairs; each key must change the screen to what it says. */
static int measure(struct terminal *terminal, const char *when)
{
    static double times[KEYS];
    const double begin = clock_seconds();
    const unsigned long long written = terminal_written(terminal);
    for (int i = 0; i < KEYS; i++) {
        static const struct stroke *pair;
        if (i % 2 == 0)
            pair = pairs[random_below(random_at(1, (uint64_t)i), sizeof pairs / sizeof *pairs)];
        const double start = clock_seconds();
        terminal_type(terminal, pair[i % 2].key);
        if (!terminal_wait_text(terminal, pair[i % 2].shows, PATIENCE)) {
            fprintf(stderr, "'%s' never showed '%s':\n%s", pair[i % 2].key, pair[i % 2].shows,
                    terminal_text(terminal));
            return 1;
        }
        times[i] = 1000 * (clock_seconds() - start);
        /* People do not press keys in step with the frames. */
        nanosleep(&(struct timespec){.tv_nsec = (20 + 7 * (i % 9)) * 1000000L}, NULL);
    }
    qsort(times, KEYS, sizeof *times, compare);
    printf("%-10s p50 %6.1f ms   p95 %6.1f ms   p99 %6.1f ms   max %6.1f ms   %.1f kB/s written\n",
           when, times[KEYS / 2], times[KEYS * 95 / 100], times[KEYS * 99 / 100], times[KEYS - 1],
           (double)(terminal_written(terminal) - written) / 1000 / (clock_seconds() - begin));
    return 0;
}

int main(void)
{
    const char *program = getenv("WARPSCAPE");
    const char *const argv[] = {
        program ? program : "warpscape", "explore", "gtx480", "-w", "2DCONV:n=1024", NULL};
    char state[] = "/tmp/warpscape-bench-XXXXXX", variable[64], command[64];
    if (!mkdtemp(state))
        return 1;
    snprintf(variable, sizeof variable, "XDG_STATE_HOME=%s", state);
    const char *const environment[] = {variable, "XDG_CONFIG_HOME=/nonexistent", NULL};
    const double start = clock_seconds();
    struct terminal *terminal = terminal_start(24, 80, argv, environment);
    int failed = !terminal || !terminal_wait_text(terminal, "l1d.miss_rate", PATIENCE);
    printf("first paint %.0f ms\n", 1000 * (clock_seconds() - start));
    failed =
        failed || !terminal_wait_text(terminal, "exact", PATIENCE) || measure(terminal, "idle");
    if (!failed) {
        /* More simulations than the measurement lasts. */
        terminal_type(terminal, ":axis l1d.size 1KiB..1MiB\r:axis l1d.ways 1..16\r"
                                ":axis l1d.replacement all\r:axis l2.size 96KiB..6MiB\r"
                                ":axis l1d.index all\r:sweep\r");
        failed = !terminal_wait_text(terminal, "points/s", PATIENCE) ||
                 measure(terminal, "sweeping") ||
                 !terminal_wait_text(terminal, "points/s", PATIENCE);
        if (failed)
            fprintf(stderr, "%s", terminal_text(terminal));
    }
    terminal_free(terminal);
    snprintf(command, sizeof command, "rm -r %s", state);
    return system(command) || failed;
}
