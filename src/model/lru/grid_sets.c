#include "model/lru/grid_sets.h"

#include <string.h>

#include "schema/families.h"

const struct grid_set grid_sets[] = {
    {.name = "352",
     .help = "LRU, 64 B lines, 16 to 16,384 sets, 1 to 32 ways",
     .replacement = REPLACEMENT_LRU,
     .line_min = 64,
     .line_max = 64,
     .sets_min = 16,
     .sets_max = 16384,
     .ways_min = 1,
     .ways_max = 32},
    {.name = "1242",
     .help = "LRU, lines of 32 to 256 B, 1 to 32,768 sets, 1 to 32 ways, 1 KiB to 1 MiB",
     .replacement = REPLACEMENT_LRU,
     .line_min = 32,
     .line_max = 256,
     .sets_min = 1,
     .sets_max = 32768,
     .ways_min = 1,
     .ways_max = 32,
     .size_min = 1024,
     .size_max = 1 << 20},
    {.name = "fifo112",
     .help = "FIFO, 64 B lines, 16 to 1,024 sets, 1 to 16 ways",
     .replacement = REPLACEMENT_FIFO,
     .line_min = 64,
     .line_max = 64,
     .sets_min = 16,
     .sets_max = 1024,
     .ways_min = 1,
     .ways_max = 16},
    {.name = "one",
     .help = "LRU, 32 KiB, 4 ways, 64 B lines",
     .replacement = REPLACEMENT_LRU,
     .line_min = 64,
     .line_max = 64,
     .sets_min = 128,
     .sets_max = 128,
     .ways_min = 4,
     .ways_max = 4},
    {.name = NULL},
};

size_t grid_set_configs(const struct grid_set *set, int index, struct cache_config *configs,
                        size_t capacity)
{
    size_t count = 0;
    for (uint64_t line = set->line_min; line <= set->line_max; line *= 2)
        for (uint64_t sets = set->sets_min; sets <= set->sets_max; sets *= 2)
            for (uint64_t ways = set->ways_min; ways <= set->ways_max; ways++) {
                uint64_t size = line * sets * ways;
                if (size < set->size_min || (set->size_max && size > set->size_max))
                    continue;
                if (count < capacity)
                    configs[count] = (struct cache_config){.enabled = 1,
                                                           .size = size,
                                                           .ways = ways,
                                                           .line = line,
                                                           .sector = line,
                                                           .index = index,
                                                           .replacement = set->replacement,
                                                           .write = WRITE_BACK,
                                                           .write_allocate = WRITE_ALLOCATE_FETCH,
                                                           .slices = 1};
                count++;
            }
    return count;
}
