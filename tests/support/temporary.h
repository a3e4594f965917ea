/* A folder for the files of one test. */
#pragma once

#include <stddef.h>

enum { TEMPORARY_PATH = 512 };

/* Makes a new folder. */
void temporary_create(char folder[TEMPORARY_PATH]);

/* The path of a file in it; returns `path`. */
const char *temporary_path(const char *folder, const char *name, char path[TEMPORARY_PATH]);

/* Writes size bytes (or text, with size 0) as a new file; returns its path in `path`. */
const char *temporary_file(const char *folder, const char *name, const void *bytes, size_t size,
                           char path[TEMPORARY_PATH]);

/* Removes the folder and the files in it. */
void temporary_remove(const char *folder);

/* A fixture for the tests of one program: a folder that they share. */
extern char temporary_folder[TEMPORARY_PATH];
int temporary_make(void **state);
int temporary_clear(void **state);
