/* The one list of importers: each is one file, import_NAME.c, exporting one const descriptor. The
 * order is that in which they are asked whether a file is theirs: sure signs come first. */
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

/* True where `file` ends with `ending`. */
bool file_ends_with(const char *file, const char *ending);
