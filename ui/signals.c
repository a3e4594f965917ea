#include "ui/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

/* All signals that end a process by default and can be caught; curses handles SIGINT. */
static const int caught[] = {SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP,
                             SIGSYS,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM, SIGVTALRM,
                             SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGPWR};
enum { CAUGHT = sizeof caught / sizeof *caught, ALTERNATE_STACK = 64 * 1024 };

static struct termios before;
static bool have_before;
static char restore[256];
static size_t restore_length;
static void *stack;
static int resize_fd = -1;

static void give_back(int signal)
{
    /* Ignore a failed write: the terminal is gone. */
    (void)!write(STDOUT_FILENO, restore, restore_length);
    if (have_before)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    raise(signal); /* SA_RESETHAND: now the default action */
}

static void ring(int signal)
{
    (void)signal;
    int error = errno;
    uint64_t one = 1;
    (void)!write(resize_fd, &one, sizeof one);
    errno = error;
}

static void append(const char *text)
{
    if (!text || text == (const char *)-1)
        return;
    size_t length = strlen(text);
    if (restore_length + length > sizeof restore)
        return;
    memcpy(restore + restore_length, text, length);
    restore_length += length;
}

void signals_remember_terminal(void)
{
    have_before = !tcgetattr(STDIN_FILENO, &before);
}

void signals_install(const char *leave, const char *show_cursor)
{
    restore_length = 0;
    append("\033[?1000l\033[?1002l\033[?1006l\033[?2004l\033[0m"); /* mouse, paste, colours off */
    append(show_cursor);
    append(leave);
    stack = malloc(ALTERNATE_STACK); /* so that a stack overflow can be handled */
    if (stack)
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = ALTERNATE_STACK}, NULL);
    struct sigaction action = {.sa_handler = give_back,
                               .sa_flags = SA_RESETHAND | SA_NODEFER | (stack ? SA_ONSTACK : 0)};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* report a limit on file sizes as a write error, like a full disk */
    resize_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct sigaction resize = {.sa_handler = ring};
    sigemptyset(&resize.sa_mask);
    sigaction(SIGWINCH, &resize, NULL);
    sigaction(SIGCONT, &resize, NULL);
}

int signals_resize_fd(void)
{
    return resize_fd;
}

void signals_remove(void)
{
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigaction(SIGWINCH, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigaction(SIGCONT, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (resize_fd >= 0)
        close(resize_fd);
    resize_fd = -1;
    if (stack)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(stack);
    stack = NULL;
}
