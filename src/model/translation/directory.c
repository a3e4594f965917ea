#include "model/translation/directory.h"

#include "base/bits.h"

void directory_init(struct directory *directory, struct arrays *arrays, uint32_t slots)
{
    directory->bits = log2_floor(slots) + 2; /* at most half full */
    arrays_add(arrays, &directory->keys, slots, sizeof *directory->keys);
    arrays_add(arrays, &directory->places, (size_t)1 << directory->bits, sizeof *directory->places);
}
