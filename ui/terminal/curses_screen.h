/* The only module that draws with curses and reads its keys. It copies a grid of cells to the
 * terminal, and reports keys, mouse and pasted text as events. Cost of a frame: the grid is drawn
 * anew each time, and curses sends only the cells that changed. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/explorer_options.h"

/* Takes over the terminal. With options->rows > 0 no terminal is needed and nothing is shown. */
enum status screen_open(const struct explorer_options *options, struct diagnostics *diagnostics);
void screen_close(void);
void screen_size(int *rows, int *columns);

/* Readable after the size of the terminal may have changed; then call screen_follow. -1: never. */
int screen_fd(void);
/* Adopts the current size of the terminal. */
void screen_follow(void);

/* Shows cells, as many as the screen has, and the cursor; row -1 hides it. */
void screen_draw(const struct cells *cells, struct spot cursor);
/* Makes the next screen_draw redraw everything, after other output has damaged the screen. */
void screen_forget(void);
/* Writes what curses has on the screen, read back cell by cell, as UTF-8 lines without trailing
 * blanks. */
enum status screen_save(FILE *file);

struct mouse_event { /* a press, a turn of the wheel or, with `drag`, a move of a pressed button */
    int row, column;
    int wheel; /* -1 up, 1 down, 0: a click */
    bool drag;
};

enum screen_event { SCREEN_NOTHING, SCREEN_KEY, SCREEN_MOUSE, SCREEN_PASTE };

/* Returns the next event; never blocks. */
enum screen_event screen_read(uint32_t *key, struct mouse_event *mouse);
/* What was pasted, after SCREEN_PASTE; cut if it is too long. Valid until the next paste. */
const char *screen_pasted(void);
void screen_suspend(void);
/* Gives the terminal to a line of the shell with these arguments, and takes it back when that has
 * ended. Returns its exit status; -1: it could not run, or died of a signal. */
int screen_lend(const char *line, const char *first, const char *second);
/* Copies text to the clipboard of the terminal (OSC 52). */
void screen_copy(const char *text);
