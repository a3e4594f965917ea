/* Reference data that is no part of the source tree: beside it in ../shared, or where the
 * environment variable WARPSCAPE_SHARED says. */
#pragma once

#include <stddef.h>

/* The path of a file or folder there, in `path`; NULL (a test then skips) where it is absent. */
const char *shared_data(const char *name, char *path, size_t size);
