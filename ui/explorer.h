/* The interactive explorer: the only code that knows curses. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

struct explorer_options {
    const char *machine;  /* path or name, NULL: gtx480 */
    const char *workload; /* NULL: 2DCONV */
    const char *study;    /* a study to load axes and objectives from, or NULL */
    const char *script;   /* commands to run first, or NULL */
    const char *depth;    /* "functional" or "reuse", NULL: the study's, else functional */
    const char *glyphs;   /* "auto", "braille", "block", "ascii" */
    bool color;           /* false: as with NO_COLOR */
    bool mouse;
    bool plain;        /* no screen: lines in, sentences out */
    int threads;       /* 0: all */
    int rows, columns; /* > 0: headless at that size, for --script without a terminal */
};

/* Runs until the user quits. Diagnostics hold what went wrong before the screen opened. */
enum status explorer_run(const struct explorer_options *options, struct diagnostics *diagnostics);
