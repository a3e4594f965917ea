/* Writes the report of a sweep to a file, for `report` and for `sweep --report`. The report is made
 * in memory first, so a failure leaves the old file as it was. */
#pragma once

#include "base/diag.h"

/* Replaces `output`; NULL is standard output. The caller must have called output_check. `format` is
 * "html" or "md"; NULL: decide by the extension of `output`, else HTML. STATUS_IO, and the errors
 * of the store. */
enum status report_file_write(const char *store, const char *output, const char *format,
                              struct diagnostics *diagnostics);
