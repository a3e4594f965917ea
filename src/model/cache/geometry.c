#include "model/cache/geometry.h"

#include "base/bits.h"
#include "schema/parameters.h"

enum { LINE_MAX_BYTES = 32768 }; /* what request.bytes can say */

static bool is_legal(const struct cache_config *config)
{
    if (!is_power_of_two(config->line) || !is_power_of_two(config->sector) ||
        config->line > LINE_MAX_BYTES || config->sector < 16 || config->sector > config->line ||
        config->line / config->sector > 32)
        return false;
    if (!config->slices || !config->ways || config->ways > UINT32_MAX / 4)
        return false;
    if (config->slices > 1 &&
        (config->interleave < config->line || !is_power_of_two(config->interleave)))
        return false;
    uint64_t sets = cache_sets(config);
    return sets && sets <= UINT32_MAX && sets * config->ways <= UINT32_MAX;
}

enum status geometry_check(const struct cache_config *config)
{
    return is_legal(config) && set_index_legal(config->index, cache_sets(config)) ? STATUS_OK
                                                                                  : STATUS_INVALID;
}

enum status geometry_init(struct geometry *geometry, const struct cache_config *config)
{
    *geometry = (struct geometry){0};
    enum status status = geometry_check(config);
    if (status)
        return status;
    geometry->line_bits = log2_floor(config->line);
    geometry->sector_bits = log2_floor(config->sector);
    geometry->sectors = (unsigned)(config->line / config->sector);
    geometry->ways = (uint32_t)config->ways;
    geometry->sets = cache_sets(config);
    if (config->slices > 1) {
        geometry->slice_lines = config->interleave / config->line;
        geometry->slice_round = divisor_of(geometry->slice_lines * config->slices);
    }
    return set_index_init(&geometry->index, config->index, geometry->sets);
}
