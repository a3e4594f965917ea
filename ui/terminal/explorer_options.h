/* What the command line asks the explorer for. */
#pragma once

#include <stdbool.h>

#include "explore/profiles/pairing.h"

struct explorer_options {
    const char *file;     /* whatever it is (ui/session/file_kind.h), or a machine's name; NULL */
    const char *machine;  /* path or name, NULL: gtx480 */
    const char *workload; /* NULL: 2DCONV */
    const char *study;    /* a study with axes and objectives to load, or NULL */
    const char *store, *paper;  /* files to open in their views, or NULL */
    const char *profile;        /* of a real GPU, to show beside the live values, or NULL */
    enum pairing_way launches;  /* which of its launches stand for the workload's */
    const char *script;         /* commands to run first, or NULL */
    const char *depth;          /* a name of schema/depths.h; NULL: the study's, else functional */
    const char *assume;         /* of ASSUMED_LIST; NULL: the study's, else nothing is assumed */
    const char *glyphs, *theme; /* of glyph_names and theme_names; NULL: those of the settings */
    bool color;                 /* false: no colours, as with NO_COLOR */
    bool mouse;
    bool plain;        /* no screen: reads commands, prints sentences (explorer/plain.h) */
    int threads;       /* 0: all */
    int rows, columns; /* > 0: no terminal, a screen of this size for --script */
};
