/* Whatever signal ends a process gives the terminal back first and still ends it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ui/terminal/signals.h"

/* Sends a signal to a child, with our handlers or without. Returns how it ended, and what it wrote.
 * A child that the signal does not end ends by itself, one that it stops is killed. */
static int send(int signal, bool handled, char text[256])
{
    int ends[2], status = 0;
    ssize_t got = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (!child) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        for (int other = 1; other <= SIGRTMAX; other++) /* the test's own handlers */
            if (other != SIGHUP)
                (void)sigaction(other, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        if (handled)
            signals_install("<leave>", "<show>");
        kill(getpid(), signal);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    if (WIFSTOPPED(status)) {
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
    got = read(ends[0], text, 255);
    text[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    return status;
}

static void test_every_signal(void **state)
{
    (void)state;
    unsigned ending = 0;
    for (int signal = 1; signal <= SIGRTMAX; signal++) {
        char text[256];
        const int before = send(signal, false, text);
        /* Nobody can handle SIGKILL, and the C library keeps two for its threads. */
        if (!WIFSIGNALED(before) || signal == SIGKILL || sigaction(signal, NULL, NULL))
            continue;
        const int after = send(signal, true, text);
        if (signal == SIGXFSZ) { /* a failed write says enough */
            assert_true(WIFEXITED(after));
            continue;
        }
        ending++;
        if (!WIFSIGNALED(after) || WTERMSIG(after) != signal)
            fail_msg("signal %d: the process ends with %x", signal, (unsigned)after);
        if (!strstr(text, "<leave>") || !strstr(text, "<show>") || !strstr(text, "\033[?2004l"))
            fail_msg("signal %d leaves the terminal as it is", signal);
    }
    assert_true(ending >= 50); /* some 20 by name, and the real-time signals */
}

/* What nohup and shells ignore for a job in the background stays ignored. */
static void test_ignored_ones(void **state)
{
    (void)state;
    char text[256];
    signal(SIGHUP, SIG_IGN);
    assert_true(WIFEXITED(send(SIGHUP, true, text)));
    signal(SIGHUP, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_signal),
        cmocka_unit_test(test_ignored_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
