/* A program in a terminal of its own: a pseudo terminal whose screen libvterm keeps. For tests of
 * what a user really sees. Every wait has a limit, and terminal_free leaves no process behind. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct terminal;

enum { TERMINAL_DEFAULT = -1, TERMINAL_RGB = 1 << 24 };

struct terminal_cell {
    uint32_t glyph;             /* code point, ' ' for a blank; 0 behind a wide character */
    int foreground, background; /* palette index, TERMINAL_DEFAULT, or TERMINAL_RGB | 0xrrggbb */
    bool bold, reverse, underline;
};

/* Starts argv[0] (looked up in PATH) with TERM=xterm-256color and LC_ALL=C.UTF-8; `environment`
 * ("NAME=value" strings, ended by NULL, or NULL) is added and goes before. NULL where the system
 * has no terminal or no memory left. */
struct terminal *terminal_start(int rows, int columns, const char *const *argv,
                                const char *const *environment);

/* Kills the program if it still runs. NULL is allowed. */
void terminal_free(struct terminal *terminal);

/* Feeds bytes as the keyboard would: "\033[A" is an arrow, "\t" the tab key. False if the program
 * did not take them within ten seconds. */
bool terminal_type(struct terminal *terminal, const char *keys);

/* Changes the size; the program gets SIGWINCH. */
void terminal_resize(struct terminal *terminal, int rows, int columns);

void terminal_signal(struct terminal *terminal, int signal);

/* All return true as soon as it is so, false after `seconds`. Text is searched in the screen as
 * terminal_text prints it, so it never spans lines. */
bool terminal_wait_text(struct terminal *terminal, const char *text, double seconds);
bool terminal_wait_gone(struct terminal *terminal, const char *text, double seconds);
/* Nothing was written for `quiet` seconds. */
bool terminal_wait_quiet(struct terminal *terminal, double quiet, double seconds);
/* The program ended; *status is as from waitpid. Its last output is on the screen. */
bool terminal_wait_exit(struct terminal *terminal, double seconds, int *status);

/* The screen as UTF-8 lines without trailing blanks. Lives until the next call. */
const char *terminal_text(struct terminal *terminal);

struct terminal_cell terminal_cell(const struct terminal *terminal, int row, int column);

/* What the program asked of the terminal. */
struct terminal_modes {
    int cursor_row, cursor_column;
    bool cursor_visible, alternate_screen, mouse;
    unsigned bells;
};
struct terminal_modes terminal_modes(const struct terminal *terminal);

/* Bytes that the program has written since it started: 0 growth means that it drew nothing. */
unsigned long long terminal_written(const struct terminal *terminal);
