/* ELF files of RV32IMF with the ilp32f calls, statically linked: what riscv64-unknown-elf-gcc and
 * clang write with -march=rv32imf -mabi=ilp32f -nostdlib. Everything that the file says is checked
 * before it is used: any bytes give an image or an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "workload/simt/image.h"

bool simt_elf_recognise(const void *bytes, size_t size);
enum status simt_elf_read(const char *name, const void *bytes, size_t size,
                          struct simt_image *image, struct diagnostics *diagnostics);
