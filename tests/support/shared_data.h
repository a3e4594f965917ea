/* Reference data that is not part of the repository. It is looked for in ../shared next to the
 * source tree, or in $WARPSCAPE_SHARED; a test that needs it is skipped without it. */
#pragma once

#include <stddef.h>

/* Writes the path of a file or folder of the reference data to `path`; NULL if it is missing, and
 * the test should then skip. */
const char *shared_data(const char *name, char *path, size_t size);
