/* The memory of blocks (processor.h), which those that follow use again. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "workload/simt/processor_parts.h"

/* Regions of memory as a block finds them, with nothing dirty; NULL: no region. */
struct simt_spares {
    _Atomic(unsigned char *) regions[SIMT_BLOCKS];
};

/* A region: the memory unless a caller keeps it, the stacks, the shared RAM, and what is dirty. */
struct region {
    size_t kept, stacks, dirty, size; /* bytes; `dirty`: where that begins */
};

static struct region region_of(const struct simt_program *program, bool kept)
{
    const struct simt_setup *setup = &program->setup;
    struct region region = {.stacks = (size_t)simt_stacks_size(setup) + SIMT_ABOVE_STACKS};
    const size_t pages = simt_image_pages(&program->image);
    region.kept = kept ? pages * SIMT_PAGE : 0;
    region.dirty = region.kept + region.stacks + SIMT_SHARED_BYTES;
    region.size = region.dirty + pages + (region.stacks + SIMT_SHARED_BYTES) / SIMT_PAGE;
    return region;
}

enum status simt_spares_create(struct simt_program *program)
{
    program->spares = calloc(1, sizeof *program->spares);
    return program->spares ? STATUS_OK : STATUS_MEMORY;
}

void simt_spares_free(struct simt_program *program)
{
    const struct region region = region_of(program, true);
    for (size_t i = 0; program->spares && i < SIMT_BLOCKS; i++)
        if (program->spares->regions[i])
            munmap(program->spares->regions[i], region.size);
    free(program->spares);
}

static unsigned char *take_spare(struct simt_spares *spares)
{
    unsigned char *found = NULL;
    for (size_t i = 0; i < SIMT_BLOCKS && !found; i++)
        found = atomic_exchange(&spares->regions[i], NULL);
    return found;
}

/* New memory, of the system, so that pages which nobody touches cost nothing. */
static unsigned char *map_region(const struct simt_program *program, const struct region *region)
{
    unsigned char *own =
        mmap(NULL, region->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED)
        return NULL;
    for (uint32_t i = 0; region->kept && i < program->filled_count; i++) {
        const struct simt_range *range = &program->filled[i];
        memcpy(own + range->first, program->image.bytes + range->first, range->size);
    }
    return own;
}

enum status simt_memory_take(struct simt_block *block, unsigned char *memory)
{
    const struct simt_program *program = block->program;
    const struct region region = region_of(program, !memory);
    block->own = memory ? NULL : take_spare(program->spares);
    if (!block->own)
        block->own = map_region(program, &region);
    if (!block->own)
        return STATUS_MEMORY;
    block->memory = memory ? memory : block->own;
    block->stacks = block->own + region.kept;
    block->shared = block->stacks + region.stacks;
    block->dirty = block->own + region.dirty;
    return STATUS_OK;
}

/* Makes the dirty pages of a region what they were. */
static void clean(const struct simt_block *block, const struct region *region)
{
    const struct simt_image *image = &block->program->image;
    for (size_t page = 0; page < region->dirty / SIMT_PAGE; page++) {
        const size_t first = page * SIMT_PAGE;
        if (!block->dirty[page])
            continue;
        size_t size = first < image->size ? image->size - first : 0;
        size = size < SIMT_PAGE ? size : SIMT_PAGE;
        memcpy(block->own + first, image->bytes + first, size);
        memset(block->own + first + size, 0, SIMT_PAGE - size);
        block->dirty[page] = 0;
    }
}

void simt_memory_give(struct simt_block *block)
{
    struct simt_spares *spares = block->program->spares;
    const bool kept = block->memory == block->own;
    const struct region region = region_of(block->program, kept);
    unsigned char *given = block->own;
    if (kept)
        clean(block, &region);
    for (size_t i = 0; kept && given && i < SIMT_BLOCKS; i++) {
        unsigned char *none = NULL;
        if (atomic_compare_exchange_strong(&spares->regions[i], &none, given))
            given = NULL;
    }
    if (given)
        munmap(given, region.size);
}
