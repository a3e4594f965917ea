/* The assembler of the SIMT processor: the syntax of the GNU assembler for RV32IMAF, one file in
 * one image, without a linker. docs/SIMT.md lists the directives and pseudo-instructions.
 *
 * It walks over the text twice: the first walk finds the addresses of labels, the second one makes
 * the bytes and reports everything that is wrong. Time: a line costs the length of the tables of
 * names, a symbol a search in a tree. */
#pragma once

#include "workload/simt/image.h"

/* `text` is NUL-terminated and `name` stands in messages. */
enum status simt_assemble(const char *name, const char *text, const struct simt_defines *defines,
                          struct simt_image *image, struct diagnostics *diagnostics);
