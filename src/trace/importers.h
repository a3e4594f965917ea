/* The one list of importers. Each is one file, import_NAME.c, which exports one const descriptor.
 * They are asked in this order whether a file is theirs, so the ones with unmistakable signs come
 * first. */
#pragma once

#include "trace/trace_file.h"

#define IMPORTER_LIST(X)                                                                           \
    X(accelsim)                                                                                    \
    X(trc)                                                                                         \
    X(u64)                                                                                         \
    X(addresses)                                                                                   \
    X(din)                                                                                         \
    X(lackey)                                                                                      \
    X(csv)

#define IMPORTER_DECLARATION(name) extern const struct importer importer_##name;
IMPORTER_LIST(IMPORTER_DECLARATION)
#undef IMPORTER_DECLARATION

/* Whether `file` ends with `ending`. */
bool file_ends_with(const char *file, const char *ending);
