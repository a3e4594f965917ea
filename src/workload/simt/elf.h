/* ELF files of RV32IMAFC with the ilp32 or ilp32f calls, statically linked: what
 * riscv64-unknown-elf-gcc and clang link with -march=rv32imafc -mabi=ilp32f -nostdlib. Everything
 * that the file says is checked before it is used: any bytes give an image or an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "workload/simt/image.h"

bool simt_elf_recognise(const void *bytes, size_t size);
enum status simt_elf_read(const char *name, const void *bytes, size_t size,
                          struct simt_image *image, struct diagnostics *diagnostics);
