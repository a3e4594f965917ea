#include "ui/terminal/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

enum { ALTERNATE_STACK = 64 * 1024 };

/* Whether a signal does anything else than end a process by default. Curses handles those that stop
 * one. */
static bool spares(int signal)
{
    switch (signal) {
    case SIGCHLD:
    case SIGCONT:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGURG:
    case SIGWINCH:
    case SIGXFSZ: /* ignored: a limit on file sizes is a write error, like a full disk */
        return true;
    default:
        return false;
    }
}

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

static void signals_append(const char *text)
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

/* Handles every signal that would end the process; SIGKILL and those of the C library refuse. What
 * whoever started us ignores (nohup, a job in the background) stays ignored. */
static void handle_all(void (*handler)(int), unsigned flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)flags}, there;
    sigemptyset(&action.sa_mask);
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        if (!spares(signal) && !sigaction(signal, NULL, &there) && there.sa_handler != SIG_IGN)
            sigaction(signal, &action, NULL);
}

void signals_install(const char *leave, const char *show_cursor)
{
    restore_length = 0;
    signals_append(
        "\033[?1000l\033[?1002l\033[?1006l\033[?2004l\033[0m"); /* mouse, paste, colours off */
    signals_append(show_cursor);
    signals_append(leave);
    stack = malloc(ALTERNATE_STACK); /* so that a stack overflow can be handled */
    if (stack)
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = ALTERNATE_STACK}, NULL);
    handle_all(give_back, SA_RESETHAND | SA_NODEFER | (stack ? SA_ONSTACK : 0));
    signal(SIGXFSZ, SIG_IGN);
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
    handle_all(SIG_DFL, 0);
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
