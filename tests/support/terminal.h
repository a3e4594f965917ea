/* Runs a program in a pseudo terminal whose screen libvterm keeps, to test what a user really sees,
 * escape sequences included. Every wait has a time limit, and terminal_free leaves no process
 * behind. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct terminal;

enum { TERMINAL_DEFAULT = -1, TERMINAL_RGB = 1 << 24 };

struct terminal_cell {
    uint32_t glyph;             /* code point, ' ' for a blank; 0 after a wide character */
    int foreground, background; /* palette index, TERMINAL_DEFAULT, or TERMINAL_RGB | 0xrrggbb */
    bool bold, reverse, underline;
};

/* Starts argv[0] (looked up in PATH) with TERM=xterm-256color and LC_ALL=C.UTF-8. `environment`
 * ("NAME=value" strings, ended by NULL, or NULL) is added and takes precedence. NULL if the system
 * has no terminal or no memory left. */
struct terminal *terminal_start(int rows, int columns, const char *const *argv,
                                const char *const *environment);

/* Kills the program if it still runs. NULL is allowed. */
void terminal_free(struct terminal *terminal);

/* Sends bytes as the keyboard would: "\033[A" is an arrow key, "\t" the tab key. False if the
 * program does not read them within ten seconds. */
bool terminal_type(struct terminal *terminal, const char *keys);

/* Changes the size; the program gets SIGWINCH. */
void terminal_resize(struct terminal *terminal, int rows, int columns);

void terminal_signal(struct terminal *terminal, int signal);

/* Wait until a condition holds: return true as soon as it does, false after `seconds`. Text is
 * searched in the lines of terminal_text, so it never spans lines. */
bool terminal_wait_text(struct terminal *terminal, const char *text, double seconds);
bool terminal_wait_gone(struct terminal *terminal, const char *text, double seconds);
/* The program has written nothing for `quiet` seconds. */
bool terminal_wait_quiet(struct terminal *terminal, double quiet, double seconds);
/* The program has ended; *status is as from waitpid. The screen shows its last output. */
bool terminal_wait_exit(struct terminal *terminal, double seconds, int *status);

/* The screen as UTF-8 lines without trailing blanks. Valid until the next call. */
const char *terminal_text(struct terminal *terminal);

struct terminal_cell terminal_cell(const struct terminal *terminal, int row, int column);

/* The modes that the program has set. */
struct terminal_modes {
    int cursor_row, cursor_column;
    bool cursor_visible, alternate_screen, mouse;
    unsigned bells;
};
struct terminal_modes terminal_modes(const struct terminal *terminal);

/* How many bytes the program has written since it started. No growth means that it drew nothing. */
unsigned long long terminal_written(const struct terminal *terminal);
