/* Words of a shell: texts that are printed as part of a command which somebody may paste. */
#pragma once

#include <stdio.h>

/* Prints the text as one word, in quotes. */
void shell_quote(const char *text, FILE *out);
/* The same, in quotes only where the shell needs them. */
void shell_word(const char *text, FILE *out);
