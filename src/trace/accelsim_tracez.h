/* .tracez, the packed kernels of Accel-Sim 2.0, as the text that they stand for.
 *
 * A file holds the text header of a kernel, a zstd dictionary, the lines of each warp as zstd
 * frames, and an index of thread blocks and their warps at its end. Here it is read through the
 * index and unpacked frame by frame into what a .traceg of the same kernel says, so that one parser
 * reads both (accelsim_kernel.h). Memory: the dictionary, one thread block of the index and one
 * block of text, whatever the file holds. Every offset and size is checked against the file. */
#pragma once

#include "trace/text.h"

/* Opens the text of a .tracez file; lines count in that text. Closed by text_close. */
enum status tracez_open(const char *path, struct text_reader *reader,
                        struct diagnostics *diagnostics);
