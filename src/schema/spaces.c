#include "schema/spaces.h"

#include <strings.h>

#include "schema/machine.h"

const struct space_row space_table[SPACE_COUNT] = {
#define SPACE_ROW(X, constant, name, record, data, help) [constant] = {#name, record, data},
    SPACE_LIST(SPACE_ROW, )
#undef SPACE_ROW
};

bool space_parse(const char *name, enum memory_space *space)
{
    for (unsigned i = 0; i < SPACE_COUNT; i++)
        if (!strcasecmp(name, space_table[i].name)) {
            *space = (enum memory_space)i;
            return true;
        }
    return false;
}

unsigned l1d_spaces(const struct machine *machine)
{
    unsigned spaces = space_bit(SPACE_GLOBAL) | space_bit(SPACE_LOCAL);
    return machine->l1d.texture ? spaces | space_bit(SPACE_TEXTURE) : spaces;
}

unsigned l1d_spaces_looked_up(const struct machine *machine)
{
    return l1d_spaces(machine) & ~(machine->l1d.skip ? space_bit(SPACE_GLOBAL) : 0);
}

unsigned tlb_spaces(void)
{
    unsigned spaces = 0;
    for (unsigned i = 0; i < SPACE_COUNT; i++)
        spaces |= space_table[i].data ? space_bit(i) : 0;
    return spaces;
}

unsigned machine_cached_spaces(const struct machine *machine)
{
    return l1d_spaces(machine);
}

unsigned machine_spaces(const struct machine *machine)
{
    return machine_cached_spaces(machine) | tlb_spaces();
}
