/* The last session, saved as a file of commands when the screen is closed: the command `resume`
 * restores what was open, edited, pinned, marked and filtered. Because it is a script of ordinary
 * commands, it needs no format of its own, and errors in it are ordinary messages. */
#pragma once

#include "ui/state.h"

/* Saves the session. Keeps the old file if there is nothing worth saving or it cannot be written.
 */
void resume_save(const struct explorer *explorer);
/* Whether there is a saved session. */
bool resume_exists(void);
