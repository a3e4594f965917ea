#include "model/throttle/throttle.h"

#include <stdlib.h>
#include <string.h>

#include "model/cache/cache_bits.h"
#include "model/gpu/structure_arrays.h"
#include "schema/families.h"

#define THROTTLE_ADDRESS(constant, ...) &throttle_kind_##constant,

const struct throttle_kind throttle_kind_THROTTLE_NONE = {.size = 0};

static const struct throttle_kind *const kinds[THROTTLE_COUNT] = {THROTTLE_LIST(THROTTLE_ADDRESS)};

enum status throttle_create(const struct machine *machine, uint32_t lines,
                            struct throttle **throttle)
{
    const struct throttle_kind *kind = kinds[machine->scheduler.throttle];
    *throttle = NULL;
    if (!kind->size)
        return STATUS_OK;
    struct throttle *made = calloc(1, kind->size);
    if (!made)
        return STATUS_MEMORY;
    made->kind = kind;
    made->schedulers = (uint32_t)machine->scheduler.count;
    made->wake = UINT64_MAX;
    arrays_add(&made->arrays, &made->lines, lines, sizeof *made->lines);
    if (made->arrays.failed) {
        throttle_free(made);
        return STATUS_MEMORY;
    }
    *throttle = made;
    return STATUS_OK;
}

struct throttle *throttle_copy(const struct throttle *throttle)
{
    struct throttle *copy = malloc(throttle->kind->size);
    if (!copy)
        return NULL;
    memcpy(copy, throttle, throttle->kind->size);
    if (arrays_copy(&copy->arrays))
        return copy;
    throttle_free(copy);
    return NULL;
}

void throttle_free(struct throttle *throttle)
{
    if (throttle)
        arrays_free(&throttle->arrays);
    free(throttle);
}

size_t structure_arrays_scheduler_throttle(const struct machine *machine,
                                           struct memory_array arrays[MEMORY_ARRAYS])
{
    const struct throttle_kind *kind = kinds[machine->scheduler.throttle];
    const uint64_t lines = l1d_largest(machine) / machine->l1d.line;
    return kind->arrays ? kind->arrays(machine, lines, arrays) : 0;
}

void throttle_launch(struct throttle *throttle)
{
    if (throttle->kind->launched)
        throttle->kind->launched(throttle);
}

void throttle_warp_came(struct throttle *throttle, uint32_t warp, uint64_t age)
{
    throttle->issued[warp] = 0;
    warp_ages_add(&throttle->ages, warp, age);
    if (throttle->kind->warp_came)
        throttle->kind->warp_came(throttle, warp);
}

void throttle_warp_left(struct throttle *throttle, uint32_t warp)
{
    throttle_stop(throttle, warp, false);
    warp_ages_remove(&throttle->ages, warp);
    if (throttle->kind->warp_left)
        throttle->kind->warp_left(throttle, warp);
}

void throttle_tick(struct throttle *throttle, uint64_t now)
{
    throttle->wake = UINT64_MAX;
    if (throttle->kind->tick)
        throttle->kind->tick(throttle, now);
}

void throttle_replace(struct throttle *throttle, uint32_t place, bool empty,
                      const struct throttle_line *line)
{
    if (!empty && throttle->kind->evicted)
        throttle->kind->evicted(throttle, &throttle->lines[place]);
    throttle->lines[place] = *line;
}

void throttle_stop(struct throttle *throttle, uint32_t warp, bool stop)
{
    const uint64_t bit = UINT64_C(1) << warp / throttle->schedulers;
    uint64_t *stopped = &throttle->stopped[warp % throttle->schedulers];
    *stopped = stop ? *stopped | bit : *stopped & ~bit;
}
