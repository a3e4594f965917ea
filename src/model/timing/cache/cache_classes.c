#include "model/timing/cache/cache_classes.h"

#include "model/cache/shadow.h"

enum status cache_unit_classify(struct cache_unit *unit, const struct cache_config *config)
{
    enum status status = shadow_create(config, 1, 0, &unit->shadow);
    unit_class_flush(unit); /* it may have other ways than `config` */
    return status;
}

static struct request request_of(const struct packet *packet)
{
    const bool store = packet->kind == PACKET_WRITE || packet->kind == PACKET_WRITEBACK;
    return (struct request){
        .address = packet->address,
        .touched = packet->touched,
        .bytes = packet->bytes,
        .op = store ? OP_STORE : OP_LOAD, /* the cache in time has an atomic as a load */
        .space = packet->flags & PACKET_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL,
        .flags = packet->kind == PACKET_WRITEBACK ? REQUEST_WRITEBACK : 0,
    };
}

void unit_class_count(struct cache_unit *unit, const struct packet *packet,
                      enum unit_outcome outcome)
{
    const struct request request = request_of(packet);
    struct cache_counts found = {0};
    const uint32_t *lost;
    const bool failed = shadow_run(unit->shadow, &request, 1, &found, &lost) != STATUS_OK;
    unit->failed |= failed;
    if (failed || !unit_missed(outcome))
        return;
    unit->last_class = found.compulsory ? MISS_COMPULSORY
                       : found.flush    ? MISS_FLUSH
                       : found.store    ? MISS_STORE
                       : *lost          ? MISS_CAPACITY
                                        : MISS_ASSOCIATIVITY;
    unit->counts.classes[unit->last_class]++;
}

void unit_class_flush(struct cache_unit *unit)
{
    if (unit->shadow)
        shadow_flush(unit->shadow, unit->geometry.sets * unit->ways);
}
