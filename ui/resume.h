/* The last session, as a file of commands: what was open, edited, pinned, marked and filtered comes
 * back with `resume`. Written when the screen is left; edits that were saved are in their file. */
#pragma once

#include "ui/state.h"

/* Where there is nothing worth keeping, or no place for it, the file stays as it was. */
void resume_save(const struct explorer *explorer);
/* Whether there is a session to come back to. */
bool resume_exists(void);
