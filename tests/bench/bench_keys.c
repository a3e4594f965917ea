/* Key to screen: how long a key takes to show while a sweep has every core (aim: under 50 ms). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "support/terminal.h"

enum { KEYS = 200, PATIENCE = 30 };

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

struct stroke {
    const char *key, *shows;
};

/* Presses the two keys of `strokes` in turn; each must change the screen to what it says. */
static int measure(struct terminal *terminal, const char *name, const struct stroke strokes[2])
{
    static double times[KEYS];
    for (int i = 0; i < KEYS; i++) {
        double start = clock_seconds();
        terminal_type(terminal, strokes[i % 2].key);
        if (!terminal_wait_text(terminal, strokes[i % 2].shows, PATIENCE)) {
            fprintf(stderr, "'%s' never showed '%s':\n%s", strokes[i % 2].key, strokes[i % 2].shows,
                    terminal_text(terminal));
            return 1;
        }
        times[i] = 1000 * (clock_seconds() - start);
        /* People do not press keys in step with the frames. */
        nanosleep(&(struct timespec){.tv_nsec = (20 + 7 * (i % 9)) * 1000000L}, NULL);
    }
    qsort(times, KEYS, sizeof *times, compare);
    printf("%-28s p50 %6.1f ms   p99 %6.1f ms   max %6.1f ms\n", name, times[KEYS / 2],
           times[KEYS * 99 / 100], times[KEYS - 1]);
    return 0;
}

static int measure_all(struct terminal *terminal, const char *when)
{
    static const struct stroke moves[2] = {{"j", "l1d.ways: associativity"},
                                           {"k", "l1d.size: capacity"}};
    static const struct stroke steps[2] = {{"l", "32KiB›"}, {"h", "16KiB›"}};
    char name[64];
    snprintf(name, sizeof name, "move the cursor, %s", when);
    int failed = measure(terminal, name, moves);
    snprintf(name, sizeof name, "step a value, %s", when);
    return failed || measure(terminal, name, steps);
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
    struct terminal *terminal = terminal_start(24, 80, argv, environment);
    int failed = !terminal || !terminal_wait_text(terminal, "exact", PATIENCE) ||
                 measure_all(terminal, "idle");
    if (!failed) {
        /* More simulations than the measurement lasts. */
        terminal_type(terminal, ":axis l1d.size 1KiB..1MiB\r:axis l1d.ways 1..16\r"
                                ":axis l1d.replacement all\r:axis l2.size 96KiB..6MiB\r"
                                ":axis l1d.index all\r:sweep\r");
        failed = !terminal_wait_text(terminal, "points/s", PATIENCE) ||
                 measure_all(terminal, "sweeping") ||
                 !terminal_wait_text(terminal, "points/s", PATIENCE);
        if (failed)
            fprintf(stderr, "%s", terminal_text(terminal));
    }
    terminal_free(terminal);
    snprintf(command, sizeof command, "rm -r %s", state);
    return system(command) || failed;
}
