#include "explore/plan/stage_key.h"

#include <assert.h>
#include <string.h>
#include <xxhash.h>

#include "model/depth_models.h"
#include "schema/parameters.h"

void stage_machine(const struct machine *machine, unsigned stages, struct machine *reduced)
{
    struct machine whole = *machine;
    machine_apply_kind(&whole);
    *reduced = whole;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        bool idle = !parameter_relevant(parameter, &whole);
        if (idle || !(parameter->stages & stages))
            parameter_set(parameter, reduced, parameter->fallback);
    }
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (stages & DEPTH_BIT(depth) && depth_models[depth].reduce)
            depth_models[depth].reduce(reduced);
    machine_keep_stages(reduced, stages);
}

enum { TEXT_MAX = 16384 };

struct text { /* the bytes to hash */
    unsigned char bytes[TEXT_MAX];
    size_t size;
};

static void add_bytes(struct text *text, const void *bytes, size_t size)
{
    assert(size <= TEXT_MAX - text->size);
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void add_number(struct text *text, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    add_bytes(text, bytes, sizeof bytes);
}

static void add_name(struct text *text, const char *name)
{
    add_bytes(text, name, strlen(name) + 1); /* with its 0, so that no two names run together */
}

/* The stages and depths whose parameters the result depends on. */
static unsigned readers_of(unsigned reader, bool joined)
{
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (reader == DEPTH_BIT(depth))
            return depth_reads((enum depth)depth);
    return stage_chain(reader, joined);
}

/* Whether the result depends on the instructions of the source. */
static bool reads_code(unsigned reader)
{
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (reader == DEPTH_BIT(depth))
            return depth_can((enum depth)depth, DEPTH_TIMED);
    return stage_info(reader)->traits & STAGE_CODE;
}

/* Parameters enter in table order, each as a fixed-size number followed by its list of sizes, so
 * different machines never give the same text. */
static struct stage_key key_of(const char *identity, const char *changes,
                               const struct machine *reduced, unsigned chain, unsigned reader)
{
    struct text text;
    text.size = 0;
    add_name(&text, evaluator_fingerprint); /* covers the table of parameters, too */
    add_bytes(&text, identity, reads_code(reader) ? strlen(identity) : strcspn(identity, "+"));
    add_name(&text, "");
    add_name(&text, changes);
    add_name(&text, reader_name(reader));
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (!(parameter->stages & chain))
            continue;
        struct value value = parameter_get(parameter, reduced);
        uint64_t number = value.uint;
        if (parameter->type == PARAMETER_REAL)
            memcpy(&number, &value.real, sizeof number);
        add_number(&text, number);
        add_number(&text, value.sizes.count);
        for (uint32_t k = 0; k < value.sizes.count; k++)
            add_number(&text, value.sizes.item[k]);
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.bytes, text.size));
    struct stage_key key;
    memcpy(key.bytes, canonical.digest, sizeof key.bytes);
    return key;
}

struct stage_key stage_key_changed(const char *identity, const char *changes,
                                   const struct machine *machine, unsigned reader)
{
    const unsigned chain = readers_of(reader, machine_couples(machine));
    struct machine reduced;
    stage_machine(machine, chain, &reduced);
    return key_of(identity, changes, &reduced, chain, reader);
}

/* Widened only after what does not matter is gone: that depends on the limits themselves. */
struct stage_key stage_key_family(const char *identity, const char *changes,
                                  const struct machine *machine, unsigned reader)
{
    const unsigned chain = readers_of(reader, machine_couples(machine));
    struct machine reduced;
    stage_machine(machine, chain, &reduced);
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (reader == DEPTH_BIT(depth) && depth_models[depth].widen)
            depth_models[depth].widen(&reduced);
    return key_of(identity, changes, &reduced, chain, reader);
}

struct stage_key stage_key(const char *identity, const struct machine *machine, unsigned reader)
{
    return stage_key_changed(identity, "", machine, reader);
}
