/* What people call a kernel, out of the names that compilers and tools give it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The name of a kernel without type, namespaces, template arguments and parameters: "scale" of
 * "void math::scale<float>(float *, int) [94]" and of "_ZN4math5scaleEPf". Cut to fit. */
enum { KERNEL_NAME = 200 };
const char *kernel_name(const char *text, char name[KERNEL_NAME]);
