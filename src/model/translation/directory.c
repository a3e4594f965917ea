#include "model/translation/directory.h"

#include "base/bits.h"

enum status directory_init(struct directory *directory, uint32_t slots)
{
    directory->bits = log2_floor(slots) + 2; /* at most half full */
    directory->keys = malloc(slots * sizeof *directory->keys);
    directory->places = calloc((size_t)1 << directory->bits, sizeof *directory->places);
    return directory->keys && directory->places ? STATUS_OK : STATUS_MEMORY;
}

void directory_free(struct directory *directory)
{
    free(directory->keys);
    free(directory->places);
}
