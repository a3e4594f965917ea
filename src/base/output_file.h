/* The one way to write a file: everything that the program writes goes through here, stores in
 * SQLite and lock files excepted (tests/writers.py holds the sources to it).
 *
 * Invariant: under its own name a file is there as a whole or as it was before. What is written
 * goes to a file without a name in the same folder, which gets the name only when all of it is on
 * the disk; so neither an error nor a signal leaves anything behind or harms what was there. Where
 * the file system has no files without names (NFS, FAT), the file has a hidden name until then,
 * which only a killed process leaves behind.
 *
 * The mode and, as far as the system allows it, the owner of a replaced file are kept. A symbolic
 * link stays, and what it points to is written. A device, a pipe or an open descriptor
 * (/dev/stdout, /dev/fd/3) is never replaced or removed: it gets the finished bytes. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/diag.h"

enum output_option {
    OUTPUT_NEW = 0,              /* STATUS_CONFLICT where there is such a file */
    OUTPUT_REPLACE = 1 << 0,     /* a file that is there is replaced */
    OUTPUT_FILES_ONLY = 1 << 1,  /* STATUS_IO where the name is that of no plain file */
    OUTPUT_VOLATILE = 1 << 2,    /* need not survive a crash of the machine: no fsync */
    OUTPUT_HIDDEN_NAME = 1 << 3, /* as where there are no files without names; for tests */
};

struct output_file {
    FILE *stream; /* for reading and writing, at any place; its descriptor may be used as well */
    char *path;   /* as the caller named it */
    char *target; /* where all symbolic links lead */
    char *unfinished; /* the name until the file is finished; NULL: none */
    unsigned options;
    bool exists, plain; /* `target` */
    mode_t mode;        /* of the file that is replaced, and its owner */
    uid_t owner;
    gid_t group;
};

/* Begins to write `path`. `options`: a union of enum output_option. STATUS_CONFLICT,
 * STATUS_NOT_FOUND (there is no such folder), STATUS_IO with the system's reason, STATUS_MEMORY.
 * After an error there is nothing to drop. */
enum status output_file_open(const char *path, unsigned options, struct output_file *file,
                             struct diagnostics *diagnostics);
/* Gives the file its name. Whatever comes of it, `file` is closed, and after an error all is as if
 * nothing had been written (a device or pipe may have got a part). */
enum status output_file_commit(struct output_file *file, struct diagnostics *diagnostics);
/* Closes `file`, and what was there before stays. One that was never opened is all zero bytes. */
void output_file_drop(struct output_file *file);

/* All of these at once. */
enum status output_file_write(const char *path, const void *bytes, size_t size, unsigned options,
                              struct diagnostics *diagnostics);

/* An open file without a name in $TMPDIR, for what nobody keeps; -1 with errno. */
int unnamed_file(void);
