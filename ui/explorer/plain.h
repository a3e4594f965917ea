/* The explorer without a screen, for screen readers: reads commands from standard input, one on a
 * line, and prints what each has done as sentences. It uses the same commands, panes and row texts
 * as the screen. */
#pragma once

#include "ui/panes/state.h"

/* Runs until the user quits or the input ends. STATUS_IO. */
enum status plain_run(struct explorer *explorer);
