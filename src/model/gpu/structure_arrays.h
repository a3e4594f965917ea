/* What each structure of a machine consists of, which the model that owns the structure describes.
 *
 * For every row of STRUCTURE_LIST there is one function, structure_arrays_FIELD, in the module that
 * owns it; without it nothing links. It writes the memories that this machine has of it and returns
 * their number, at most MEMORY_ARRAYS: 0 if the machine has none. It is asked only of a machine
 * that has the stage of the row. Pure arithmetic. */
#pragma once

#include <stddef.h>

#include "schema/machine.h"
#include "schema/memory_array.h"
#include "schema/structures.h"

#define STRUCTURE_ARRAYS(X, path, field, ...)                                                      \
    size_t structure_arrays_##field(const struct machine *machine,                                 \
                                    struct memory_array arrays[MEMORY_ARRAYS]);
STRUCTURE_LIST(STRUCTURE_ARRAYS, )
#undef STRUCTURE_ARRAYS
