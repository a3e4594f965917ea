/* The file that `report`, and `sweep --report`, write. */
#pragma once

#include "base/diag.h"

/* `output` NULL: standard output. `format` is "html" or "md"; NULL: by the end of the file's name.
 */
enum status report_file_write(const char *store, const char *output, const char *format,
                              struct diagnostics *diagnostics);
