/* One kernel of an Accel-Sim trace, in its two orders of lines. */
#pragma once

#include "trace/accelsim_line.h"
#include "trace/wtr_write.h"

/* .traceg: thread block after thread block, warp after warp. Complete blocks of a file that is cut
 * short are kept. The header was read; the launch has begun. */
enum status accelsim_read_grouped(struct text_reader *reader, const struct accelsim_header *header,
                                  struct wtr_writer *writer);

/* .trace: lines in order of arrival, each naming its block and warp. The header was read; the
 * launch has begun. Held in memory (trace/warp_sort.h). */
enum status accelsim_read_raw(struct text_reader *reader, const struct accelsim_header *header,
                              struct wtr_writer *writer);

/* A warning, once a kernel, for memory instructions that are only counted. */
void accelsim_warn_unknown(struct text_reader *reader,
                           const struct accelsim_instruction *instruction, bool *warned);
