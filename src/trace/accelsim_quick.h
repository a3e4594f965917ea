/* Takes lines of a .traceg that say again what the last line of their pc said, without parsing
 * them: only the mask and the first address may be others. In traces of loops nearly all lines are
 * such. Cost: two comparisons, and an addition for each active lane whose address is listed.
 *
 * What is kept of a line depends on its text alone, which is compared up to and with the newline,
 * so a line that is taken gives what accelsim_parse would have given. */
#pragma once

#include "trace/accelsim_line.h"

/* Keeps what accelsim_parse, without a prefix, has read from the reader's line. */
void accelsim_keep(const struct text_reader *reader, struct accelsim_operations *operations,
                   const struct accelsim_instruction *instruction);

enum accelsim_taken {
    ACCELSIM_TAKEN_NOT,
    ACCELSIM_TAKEN_START, /* the line is known up to its first address: accelsim_parse_addresses */
    ACCELSIM_TAKEN
};

/* Takes the next line if it is known; `opcode` and what is there of parsed lines alone are not
 * filled. Otherwise the line is still the next one; near the end of what the reader has in memory
 * none is known. instruction->operation is filled if the start is known. */
enum accelsim_taken accelsim_take(struct text_reader *reader, const struct accelsim_header *header,
                                  struct accelsim_operations *operations,
                                  struct accelsim_instruction *instruction);
