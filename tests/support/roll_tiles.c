#include "support/roll_tiles.h"

#include <string.h>

#include "trace/tile_stream.h"

struct machine tile_machine(int queue, uint64_t banks)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.kind = KIND_GRAPHICS;
    machine.tile.cache.enabled = 1;
    machine.tile.cache.slices = banks;
    machine.tile.queue.kind = queue;
    return machine;
}

void roll_tiles(struct dice *dice, int queue, struct machine *machine)
{
    *machine = tile_machine(queue, 1);
    machine->tile.cache.size = machine->tile.l2.size = 2048;
    for (size_t i = 0; i < parameter_count; i++)
        if (!strncmp(parameters[i].path, "tile.", 5) && parameters[i].relevant &&
            parameter_relevant(&parameters[i], machine) &&
            strcmp(parameters[i].path, "tile.queue.kind") &&
            strcmp(parameters[i].path, "tile.enabled"))
            roll_parameter(dice, &parameters[i], machine, roll(dice, 2));
    if (roll(dice, 2)) /* most evict all the time */
        machine->tile.cache.size =
            machine->tile.cache.slices * machine->tile.cache.ways * machine->tile.cache.line;
    /* An L2, if any, of a few sets. */
    machine->tile.l2.size = roll(dice, 9) * roll(dice, 2) * machine->tile.l2.ways * TILE_BYTES;
    struct violation found[VIOLATION_MAX];
    if (machine_check(machine, found))
        roll_tiles(dice, queue, machine);
}
