/* A temporary folder for the files of one test, removed with everything in it. */
#pragma once

#include <stddef.h>

enum { TEMPORARY_PATH = 512 };

/* Makes a new folder. */
void temporary_create(char folder[TEMPORARY_PATH]);

/* Writes the path of a file in the folder to `path`; returns it. */
const char *temporary_path(const char *folder, const char *name, char path[TEMPORARY_PATH]);

/* Writes a new file of `size` bytes, or of text if `size` is 0; returns its path in `path`. */
const char *temporary_file(const char *folder, const char *name, const void *bytes, size_t size,
                           char path[TEMPORARY_PATH]);

/* Removes the folder and the files in it. */
void temporary_remove(const char *folder);

/* A cmocka group fixture: one folder that all tests of a program share. */
extern char temporary_folder[TEMPORARY_PATH];
int temporary_make(void **state);
int temporary_clear(void **state);
