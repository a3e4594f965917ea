/* Instructions as text that the assembler reads again. Branches and jumps show the address that
 * they go to; what is no instruction is a .word. */
#pragma once

#include "workload/simt/image.h"

enum { SIMT_TEXT_BYTES = 64 };
void simt_disassemble(uint32_t word, uint32_t pc, char text[SIMT_TEXT_BYTES]);

/* The same of what stands at an address of the text: its bytes, how many they are, and the text. */
uint8_t simt_disassemble_at(const struct simt_image *image, uint32_t pc, uint32_t *bytes,
                            char text[SIMT_TEXT_BYTES]);

/* Prints the text of an image: labels, addresses, words and instructions. */
void simt_disassemble_image(const struct simt_image *image, FILE *out);
