/* The only module that calls curses: it shows the grid of cells and reads keys. */
#pragma once

#include <stdio.h>

#include "ui/state.h"

/* Takes the terminal; with options->rows > 0 none is needed and nothing is shown. */
enum status screen_open(const struct explorer_options *options, struct diagnostics *diagnostics);
void screen_close(void);
void screen_size(int *rows, int *columns);

/* Readable when screen_follow has something to look at; -1: never. */
int screen_fd(void);
/* Takes the size that the terminal has now. */
void screen_follow(void);

/* Draws the explorer at the screen's size. */
enum status screen_draw(const struct explorer *explorer);
/* Everything is drawn again by the next screen_draw. */
void screen_forget(void);
/* What the screen shows, read back cell by cell, as UTF-8 lines without trailing blanks. */
enum status screen_save(FILE *file);

struct mouse_event {
    int row, column;
    int wheel; /* -1 up, 1 down, 0: a click */
};

enum screen_event { SCREEN_NOTHING, SCREEN_KEY, SCREEN_MOUSE, SCREEN_PASTE };

/* Never waits. */
enum screen_event screen_read(uint32_t *key, struct mouse_event *mouse);
/* The beginning of what was pasted, after SCREEN_PASTE, up to the next one. */
const char *screen_pasted(void);
void screen_suspend(void);
/* Puts text into the clipboard of the terminal (OSC 52). */
void screen_copy(const char *text);
