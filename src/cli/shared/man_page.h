/* The manual page. docs/warpscape.1.in has its prose; what tables have stands there as a line of
 * its own, @COMMANDS@, @PARAMETERS@, @METRICS@ or @IDEALS@, and is printed from them. The build
 * runs
 *
 *     warpscape __man <docs/warpscape.1.in >warpscape.1
 *
 * so a new option, parameter or metric is in the page without a change there. */
#pragma once

#include "cli/shared/options.h"

#define MAN_COMMAND "__man"

/* Copies standard input to standard output with the tables in. Returns the exit status: 1 if a
 * command could not be asked for its options. */
int man_page(void);

/* As completion does, the page runs the commands to get at their option rows: while man_paging() is
 * true, options_parse calls man_command_line instead of parsing, and the command never starts. */
bool man_paging(void);
_Noreturn void man_command_line(const struct command_line *line, const char *name);
