/* Restores the terminal if a signal ends the process, whichever it is but SIGKILL: otherwise a
 * crash would leave the shell in raw mode on the alternate screen. The handler only calls write,
 * tcsetattr and raise, which are async-signal-safe, and then lets the signal take its default
 * action. */
#pragma once

/* Call this before curses changes the terminal. */
void signals_remember_terminal(void);
/* Call this after curses has started. The strings leave the alternate screen and show the cursor;
 * they may be NULL or (char *)-1, as terminfo returns them. */
void signals_install(const char *leave, const char *show_cursor);
void signals_remove(void);

/* Readable after SIGWINCH or SIGCONT, when the size of the terminal may have changed. The handler
 * of curses only sets a flag, and a signal between the test of the flag and poll would be lost. -1:
 * none. */
int signals_resize_fd(void);
