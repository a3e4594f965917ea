/* Unpacks .tracez, the packed kernels of Accel-Sim 2.0, into text.
 *
 * A file holds the text header of a kernel, a zstd dictionary, the lines of each warp as zstd
 * frames, and at its end an index of thread blocks and their warps. This module follows the index
 * and unpacks frame by frame into the text of a .traceg of the same kernel, so one parser reads
 * both (accelsim_kernel.h). Memory: the dictionary (at most 64 MiB), one index entry and one buffer
 * of text, however large the file is. Invariant: every offset and size from the file is checked
 * before use. */
#pragma once

#include "trace/text.h"

/* Opens the text of a .tracez file; line numbers count lines of that text. text_close closes it. */
enum status tracez_open(const char *path, struct text_reader *reader,
                        struct diagnostics *diagnostics);
