#include "model/cache/partition.h"

enum status partition_init(struct partition *partition, const struct cache_config *l2)
{
    static const int functions[] = {[PARTITION_LINEAR] = INDEX_MODULO,
                                    [PARTITION_XOR] = INDEX_XOR,
                                    [PARTITION_IPOLY] = INDEX_IPOLY};
    partition->interleave_bits = (unsigned)__builtin_ctzll(l2->interleave);
    int function = l2->slices > 1 ? functions[l2->partition] : INDEX_MODULO;
    return set_index_init(&partition->index, function, l2->slices);
}

void partition_requests(const struct partition *partition, const struct request *requests,
                        size_t count, struct request *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = requests[i];
        out[i].instance = (uint16_t)partition_slice(partition, requests[i].address);
    }
}
