/* The explorer without a screen, for screen readers: commands from standard input, one a line; what
 * each has done as sentences on standard output. */
#pragma once

#include "ui/state.h"

/* Until the user quits or the input ends. */
enum status plain_run(struct explorer *explorer);
