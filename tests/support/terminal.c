#include "support/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <vterm.h>

#include "base/clock.h"
#include "base/utf8.h"

extern char **environ;

struct terminal {
    VTerm *vterm;
    VTermScreen *screen;
    int fd; /* the master side; -1 once the program has closed its side */
    pid_t pid;
    bool reaped;
    int status; /* from waitpid; valid if reaped */
    struct terminal_modes modes;
    unsigned long long written;
    char *text;
};

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct terminal *terminal = user;
    if (property == VTERM_PROP_CURSORVISIBLE)
        terminal->modes.cursor_visible = value->boolean;
    else if (property == VTERM_PROP_ALTSCREEN)
        terminal->modes.alternate_screen = value->boolean;
    else if (property == VTERM_PROP_MOUSE)
        terminal->modes.mouse = value->number != VTERM_PROP_MOUSE_NONE;
    return 1;
}

static int on_cursor(VTermPos position, VTermPos before, int visible, void *user)
{
    (void)before, (void)visible;
    struct terminal *terminal = user;
    terminal->modes.cursor_row = position.row;
    terminal->modes.cursor_column = position.col;
    return 1;
}

static int on_bell(void *user)
{
    ((struct terminal *)user)->modes.bells++;
    return 1;
}

static const VTermScreenCallbacks callbacks = {
    .settermprop = on_property, .movecursor = on_cursor, .bell = on_bell};

/* Sends the answers of the terminal to the program ("where is the cursor?"). Answers are short; one
 * that does not fit the pipe is lost, as on a slow line. */
static void on_answer(const char *bytes, size_t count, void *user)
{
    struct terminal *terminal = user;
    if (terminal->fd >= 0 && write(terminal->fd, bytes, count) < 0)
        return;
}

/* environ with `added` in front. Built before the fork, because setenv is not safe after it. */
static const char **make_environment(const char *const *added)
{
    static const char *const fixed[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", NULL};
    static const char *const dropped[] = {"COLUMNS=", "LINES=", "NO_COLOR="};
    const char *const *const parts[] = {added, fixed, (const char *const *)environ};
    size_t capacity = 1, count = 0;
    for (size_t part = 0; part < 3; part++)
        for (size_t i = 0; parts[part] && parts[part][i]; i++)
            capacity++;
    const char **all = calloc(capacity, sizeof *all);
    for (size_t part = 0; all && part < 3; part++)
        for (size_t i = 0; parts[part] && parts[part][i]; i++) {
            const char *entry = parts[part][i];
            bool keep = true;
            for (size_t j = 0; part == 2 && j < 3; j++)
                keep = keep && strncmp(entry, dropped[j], strlen(dropped[j]));
            for (size_t j = 0; j < count; j++)
                keep = keep && strncmp(all[j], entry, strcspn(entry, "=") + 1);
            if (keep)
                all[count++] = entry;
        }
    return all;
}

static bool make_screen(struct terminal *terminal, int rows, int columns)
{
    terminal->vterm = vterm_new(rows, columns);
    if (!terminal->vterm)
        return false;
    vterm_set_utf8(terminal->vterm, 1);
    vterm_output_set_callback(terminal->vterm, on_answer, terminal);
    terminal->screen = vterm_obtain_screen(terminal->vterm);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_reset(terminal->screen, 1);
    return true;
}

struct terminal *terminal_start(int rows, int columns, const char *const *argv,
                                const char *const *environment)
{
    const char **all = make_environment(environment);
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (!all || !terminal)
        goto failed;
    terminal->fd = -1;
    terminal->modes.cursor_visible = true;
    if (!make_screen(terminal, rows, columns))
        goto failed;
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    terminal->pid = forkpty(&terminal->fd, NULL, NULL, &size);
    if (terminal->pid < 0)
        goto failed;
    if (!terminal->pid) {
        /* exec takes the strings as they are; C only lacks the word for it. */
        union {
            const char *const *in;
            char *const *out;
        } arguments = {argv}, variables = {all};
        execvpe(argv[0], arguments.out, variables.out);
        _exit(127);
    }
    fcntl(terminal->fd, F_SETFD, FD_CLOEXEC);
    fcntl(terminal->fd, F_SETFL, O_NONBLOCK);
    free(all);
    return terminal;
failed:
    free(all);
    if (terminal) {
        if (terminal->vterm)
            vterm_free(terminal->vterm);
        free(terminal);
    }
    return NULL;
}

void terminal_free(struct terminal *terminal)
{
    if (!terminal)
        return;
    if (!terminal->reaped) {
        kill(terminal->pid, SIGKILL);
        waitpid(terminal->pid, NULL, 0);
    }
    if (terminal->fd >= 0)
        close(terminal->fd);
    vterm_free(terminal->vterm);
    free(terminal->text);
    free(terminal);
}

/* Reads what the program has written; waits for it up to `seconds`. True if there was something. */
static bool pump(struct terminal *terminal, double seconds)
{
    if (terminal->fd < 0) {
        struct timespec rest = {.tv_nsec = (long)(fmin(seconds, 0.01) * 1e9)};
        nanosleep(&rest, NULL);
        return false;
    }
    struct pollfd poll_fd = {.fd = terminal->fd, .events = POLLIN};
    if (poll(&poll_fd, 1, (int)ceil(seconds * 1e3)) <= 0)
        return false;
    char bytes[16384];
    ssize_t count = read(terminal->fd, bytes, sizeof bytes);
    if (count > 0) {
        terminal->written += (unsigned long long)count;
        vterm_input_write(terminal->vterm, bytes, (size_t)count);
        vterm_screen_flush_damage(terminal->screen);
        return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        /* EIO: the last process on the other side has closed the terminal. */
        close(terminal->fd);
        terminal->fd = -1;
    }
    return false;
}

bool terminal_type(struct terminal *terminal, const char *keys)
{
    double end = clock_seconds() + 10;
    while (*keys && terminal->fd >= 0 && clock_seconds() < end) {
        ssize_t count = write(terminal->fd, keys, strlen(keys));
        if (count > 0)
            keys += count;
        else
            pump(terminal, 0.01); /* it may be unable to read until its output is taken */
    }
    return !*keys;
}

void terminal_resize(struct terminal *terminal, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    vterm_set_size(terminal->vterm, rows, columns);
    if (terminal->fd >= 0)
        ioctl(terminal->fd, TIOCSWINSZ, &size); /* the kernel sends SIGWINCH */
}

void terminal_signal(struct terminal *terminal, int signal)
{
    if (!terminal->reaped)
        kill(terminal->pid, signal);
}

static bool wait_shown(struct terminal *terminal, const char *text, bool shown, double seconds)
{
    double end = clock_seconds() + seconds;
    for (;;) {
        while (pump(terminal, 0))
            ;
        if ((strstr(terminal_text(terminal), text) != NULL) == shown)
            return true;
        double left = end - clock_seconds();
        if (left <= 0)
            return false;
        pump(terminal, fmin(left, 0.1));
    }
}

bool terminal_wait_text(struct terminal *terminal, const char *text, double seconds)
{
    return wait_shown(terminal, text, true, seconds);
}

bool terminal_wait_gone(struct terminal *terminal, const char *text, double seconds)
{
    return wait_shown(terminal, text, false, seconds);
}

bool terminal_wait_quiet(struct terminal *terminal, double quiet, double seconds)
{
    double end = clock_seconds() + seconds, last = clock_seconds();
    while (clock_seconds() < end) {
        if (pump(terminal, fmin(quiet, 0.02)))
            last = clock_seconds();
        else if (clock_seconds() - last >= quiet)
            return true;
    }
    return false;
}

bool terminal_wait_exit(struct terminal *terminal, double seconds, int *status)
{
    double end = clock_seconds() + seconds;
    while (!terminal->reaped) {
        pump(terminal, 0.01);
        if (waitpid(terminal->pid, &terminal->status, WNOHANG) == terminal->pid)
            terminal->reaped = true;
        else if (clock_seconds() >= end)
            return false;
    }
    while (pump(terminal, 0))
        ;
    if (status)
        *status = terminal->status;
    return true;
}

const char *terminal_text(struct terminal *terminal)
{
    int rows, columns;
    vterm_get_size(terminal->vterm, &rows, &columns);
    size_t worst = (size_t)rows * ((size_t)columns * VTERM_MAX_CHARS_PER_CELL * UTF8_MAX + 1) + 1;
    free(terminal->text);
    terminal->text = malloc(worst);
    if (!terminal->text)
        abort();
    size_t length = 0;
    for (int row = 0; row < rows; row++) {
        size_t end = length; /* after the last glyph that is not blank */
        for (int column = 0; column < columns; column++) {
            VTermScreenCell cell;
            vterm_screen_get_cell(terminal->screen, (VTermPos){row, column}, &cell);
            if (cell.chars[0] == (uint32_t)-1)
                continue;
            for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && (!i || cell.chars[i]); i++)
                length += utf8_write(cell.chars[i] ? cell.chars[i] : ' ', terminal->text + length);
            if (cell.chars[0] && cell.chars[0] != ' ')
                end = length;
        }
        length = end;
        terminal->text[length++] = '\n';
    }
    terminal->text[length] = '\0';
    return terminal->text;
}

static int color_number(const VTermColor *color, bool is_default)
{
    if (is_default)
        return TERMINAL_DEFAULT;
    if (VTERM_COLOR_IS_INDEXED(color))
        return color->indexed.idx;
    return TERMINAL_RGB | color->rgb.red << 16 | color->rgb.green << 8 | color->rgb.blue;
}

struct terminal_cell terminal_cell(const struct terminal *terminal, int row, int column)
{
    VTermScreenCell cell = {0};
    vterm_screen_get_cell(terminal->screen, (VTermPos){row, column}, &cell);
    uint32_t glyph = cell.chars[0];
    return (struct terminal_cell){
        .glyph = glyph == (uint32_t)-1 ? 0
                 : glyph               ? glyph
                                       : ' ',
        .foreground = color_number(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg)),
        .background = color_number(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)),
        .bold = cell.attrs.bold,
        .reverse = cell.attrs.reverse,
        .underline = cell.attrs.underline != 0};
}

struct terminal_modes terminal_modes(const struct terminal *terminal)
{
    return terminal->modes;
}

unsigned long long terminal_written(const struct terminal *terminal)
{
    return terminal->written;
}
