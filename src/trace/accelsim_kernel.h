/* Reads one kernel of an Accel-Sim trace, in either of its two line orders, into an open launch of
 * a .wtr writer. */
#pragma once

#include "trace/accelsim_line.h"
#include "trace/wtr_write.h"

/* .traceg: thread block by thread block and warp by warp, so records are written as they are read.
 * Complete blocks of a truncated file are kept. The header has been read and the launch begun. */
enum status accelsim_read_grouped(struct text_reader *reader, const struct accelsim_header *header,
                                  struct wtr_writer *writer);

/* .trace: lines in order of arrival, each with its block and warp. They must be sorted by warp
 * first, which takes memory (trace/warp_sort.h). The header has been read and the launch begun. */
enum status accelsim_read_raw(struct text_reader *reader, const struct accelsim_header *header,
                              struct wtr_writer *writer);

/* What has been said about the instructions of a kernel. */
struct accelsim_warned {
    bool access, opcode;
};

/* Warns, each once per kernel, that a memory instruction is counted but not modelled, and that an
 * opcode is not known. */
void accelsim_warn_unknown(struct text_reader *reader,
                           const struct accelsim_instruction *instruction,
                           struct accelsim_warned *warned);

/* The row of an instruction in the code of the kernel. */
enum status accelsim_find_row(struct wtr_writer *writer,
                              const struct accelsim_instruction *instruction, uint32_t *row);
