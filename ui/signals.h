/* A crash or a kill must not leave the terminal in a mess: the handler of every signal that ends a
 * process gives it back with write and tcsetattr alone, then the signal does what it does. */
#pragma once

/* Before curses changes the terminal. */
void signals_remember_terminal(void);
/* After it did; the strings leave the alternate screen and show the cursor (may be NULL or
 * (char *)-1). */
void signals_install(const char *leave, const char *show_cursor);
void signals_remove(void);

/* Readable after the size of the terminal may have changed (SIGWINCH, SIGCONT). curses' own handler
 * would only set a flag, and a signal between looking at it and poll would be lost. -1: none. */
int signals_resize_fd(void);
