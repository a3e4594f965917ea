#include "schema/run_limits.h"

const char *run_limit_name(enum run_limit limit)
{
    static const char *const names[RUN_LIMITS] = {
#define NAME(id, name, amount) name,
        RUN_LIMIT_LIST(NAME, NAME)
#undef NAME
    };
    return names[limit];
}

uint64_t run_limit_of(const struct machine *machine, enum run_limit limit)
{
    const struct machine *m = machine;
    switch (limit) {
#define FIELD(id, path, field)                                                                     \
    case RUN_LIMIT_##id:                                                                           \
        return m->field;
#define SUM(id, name, sum)                                                                         \
    case RUN_LIMIT_##id:                                                                           \
        return sum;
        RUN_LIMIT_LIST(FIELD, SUM)
#undef FIELD
#undef SUM
    case RUN_LIMITS:
        break;
    }
    return 0;
}

void run_limits_clear(struct machine *machine)
{
#define CLEAR(id, path, field) machine->field = 0;
#define NOTHING(id, name, sum)
    RUN_LIMIT_LIST(CLEAR, NOTHING)
#undef CLEAR
#undef NOTHING
}
