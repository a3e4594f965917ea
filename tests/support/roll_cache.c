#include "roll_cache.h"

#include <string.h>

#include "base/rng.h"
#include "support/pick_members.h"

uint64_t roll(struct dice *dice, uint64_t bound)
{
    return random_below(random_at(dice->seed, dice->next++), bound);
}

struct cache_config plain_cache(uint64_t line, uint64_t sets, uint64_t ways, int index)
{
    return (struct cache_config){.enabled = 1,
                                 .slices = 1,
                                 .interleave = 1024,
                                 .line = line,
                                 .sector = line,
                                 .ways = ways,
                                 .size = line * sets * ways,
                                 .index = index,
                                 .write = WRITE_BACK,
                                 .write_allocate = WRITE_ALLOCATE_FETCH};
}

struct cache_config roll_cache(struct dice *dice)
{
    static const uint64_t ways[] = {1,  2,  3,  4,  5,  6,  7,  8,   12, 15,
                                    16, 17, 24, 32, 33, 48, 64, 100, 300};
    static const uint64_t sets[] = {1, 2, 4, 8, 16, 32, 64, 3, 5, 12};
    struct cache_config config = {.enabled = 1, .slices = 1, .interleave = 256};
    config.replacement = pick_replacement(roll(dice, 1000));
    config.reset = (int)roll(dice, RESET_ONES + 1);
    if (!replacement_starts(config.replacement, config.reset))
        config.reset = RESET_PAPER;
    config.index = pick_index(roll(dice, 1000));
    config.write = (int)roll(dice, WRITE_LOCAL_BACK + 1);
    config.write_allocate = (int)roll(dice, WRITE_ALLOCATE_LAZY + 1);
    config.line = UINT64_C(16) << roll(dice, 5);
    config.sector = config.line >> roll(dice, 4);
    if (config.sector < 16 || roll(dice, 3) == 0)
        config.sector = config.line;
    config.ways = fit_ways(config.replacement, ways[roll(dice, sizeof ways / sizeof *ways)]);
    uint64_t count = fit_sets(config.index, sets[roll(dice, sizeof sets / sizeof *sets)]);
    if (roll(dice, 4) == 0) {
        config.slices = 1 + roll(dice, 6);
        config.interleave = config.line << roll(dice, 3);
    }
    config.size = count * config.ways * config.line * config.slices;
    return config;
}

void roll_requests(struct dice *dice, const struct cache_config *config, unsigned instances,
                   struct request *requests, size_t count)
{
    uint64_t lines = 1 + config->size / config->line * (1 + roll(dice, 3));
    uint64_t stores = roll(dice, 60), cursor = 0;
    for (size_t i = 0; i < count; i++) {
        struct request *request = &requests[i];
        memset(request, 0, sizeof *request);
        uint64_t bytes = UINT64_C(16) << roll(dice, 4);
        if (roll(dice, 8) == 0)
            bytes = 16 * (1 + roll(dice, 12));
        uint64_t line = roll(dice, 3) ? roll(dice, lines) : cursor++ % lines;
        if (roll(dice, 50) == 0)
            line += roll(dice, UINT64_C(1) << 40);
        uint64_t address = line * config->line + roll(dice, config->line);
        request->address = address - address % bytes;
        request->bytes = (uint16_t)bytes;
        request->pc = (uint32_t)roll(dice, 64);
        request->touched =
            roll(dice, 2) ? UINT32_MAX : (uint32_t)random_at(dice->seed, dice->next++);
        request->instance = (uint16_t)roll(dice, instances);
        request->op = roll(dice, 100) < stores ? OP_STORE : OP_LOAD;
        if (roll(dice, 40) == 0)
            request->op = OP_ATOMIC;
        request->space = roll(dice, 3) ? SPACE_GLOBAL : SPACE_LOCAL;
        request->flags = roll(dice, 30) ? REQUEST_FIRST : REQUEST_BYPASS_L1;
    }
}
