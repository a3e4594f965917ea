#include "cli/shared/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text_stream.h"

enum { OUTPUT_MAX = 1 << 22 };

extern char **environ;

/* Reads until the end of the output, or until the time is up; then returns false. */
static bool read_all(int file, double end, FILE *out)
{
    size_t total = 0;
    for (;;) {
        char buffer[4096];
        struct pollfd waiting = {.fd = file, .events = POLLIN};
        double left = end - clock_seconds();
        int ready = left > 0 ? poll(&waiting, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t size = read(file, buffer, sizeof buffer);
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return true;
        if (total < OUTPUT_MAX)
            fwrite(buffer, 1, (size_t)size, out);
        total += (size_t)size;
    }
}

/* posix_spawnp wants pointers to non-const strings, but does not change them. */
union arguments {
    const char *const *given;
    char *const *taken;
};

static int spawn(const char *const *argv, int output, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    union arguments arguments = {.given = argv};
    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    int error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (!error)
        error = posix_spawnp(process, argv[0], &actions, NULL, arguments.taken, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Turns how the process ended into a status, with its output as the error message. */
static enum status judge_process(const char *name, bool ended, int result, double seconds,
                                 const char *text, struct diagnostics *diagnostics)
{
    if (!ended)
        return diagnostics_error(diagnostics, STATUS_IO, "%s did not answer in %.0f s", name,
                                 seconds);
    if (!WIFEXITED(result) || WEXITSTATUS(result))
        return diagnostics_error(diagnostics, STATUS_IO, "%s failed: %.400s", name, text);
    return STATUS_OK;
}

enum status process_run(const char *const *argv, double seconds, char **output,
                        struct diagnostics *diagnostics)
{
    int ends[2], result = 0;
    pid_t process;
    struct text_stream stream;
    bool ended = true;
    *output = NULL;
    if (pipe2(ends, O_CLOEXEC))
        return diagnostics_error(diagnostics, STATUS_IO, "%s: %s", argv[0], strerror(errno));
    FILE *out = text_stream_open(&stream);
    int error = out ? spawn(argv, ends[1], &process) : ENOMEM;
    close(ends[1]);
    if (!error) {
        ended = read_all(ends[0], clock_seconds() + seconds, out);
        if (!ended)
            kill(process, SIGKILL);
        while (waitpid(process, &result, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    const enum status status = text_stream_finish(&stream, STATUS_OK, output);
    if (status)
        return status;
    for (size_t size = stream.size; size && (*output)[size - 1] == '\n';)
        (*output)[--size] = '\0';
    if (error)
        return diagnostics_error(diagnostics, error == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                                 "%s: %s", argv[0], strerror(error));
    return judge_process(argv[0], ended, result, seconds, *output, diagnostics);
}
