#include "explore/plan/stage_key.h"

#include <assert.h>
#include <string.h>
#include <xxhash.h>

#include "model/reuse/reuse.h"
#include "schema/parameters.h"

const enum stage simulated_stages[STAGE_COUNT] = {STAGE_STREAM, STAGE_L1D, STAGE_L2,
                                                  STAGE_TLB,    STAGE_PWC, STAGE_REUSE};

const char *stage_name(enum stage stage)
{
    switch (stage) {
    case STAGE_STREAM:
        return "stream";
    case STAGE_L1D:
        return "l1d";
    case STAGE_L2:
        return "l2";
    case STAGE_TLB:
        return "tlb";
    case STAGE_PWC:
        return "pwc";
    case STAGE_AREA:
        return "area";
    case STAGE_TIMING:
        return "timing";
    case STAGE_REUSE:
        return "reuse";
    }
    return "";
}

unsigned stage_chain(enum stage stage, bool coupled)
{
    if (coupled && (stage == STAGE_L2 || stage == STAGE_PWC))
        return STAGE_STREAM | STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC;
    switch (stage) {
    case STAGE_L1D:
    case STAGE_TLB:
        return STAGE_STREAM | stage;
    case STAGE_L2:
        return STAGE_STREAM | STAGE_L1D | STAGE_L2;
    case STAGE_PWC:
        return STAGE_STREAM | STAGE_TLB | STAGE_PWC;
    case STAGE_REUSE:
        return STAGE_STREAM | STAGE_L1D | STAGE_REUSE;
    default:
        return stage;
    }
}

void stage_machine(const struct machine *machine, unsigned stages, struct machine *reduced)
{
    const struct machine whole = *machine;
    *reduced = whole;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        bool idle = !parameter_relevant(parameter, &whole);
        if (idle || !(parameter->stages & stages))
            parameter_set(parameter, reduced, parameter->fallback);
    }
    if (stages & STAGE_REUSE)
        reuse_reduce(reduced);
    reduced->l1d.enabled = reduced->l1d.enabled && (stages & STAGE_L1D);
    reduced->l2.enabled = reduced->l2.enabled && (stages & STAGE_L2);
    reduced->tlb.enabled = reduced->tlb.enabled && (stages & STAGE_TLB);
    if (!(stages & STAGE_PWC))
        reduced->pwc.organization = PWC_NONE;
}

enum { TEXT_MAX = 16384 };

struct text { /* what is hashed */
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
    add_bytes(text, name, strlen(name) + 1); /* the 0 ends it: no two run together */
}

struct stage_key stage_key(const char *digest, const struct machine *machine, enum stage stage)
{
    unsigned chain = stage_chain(stage, machine_couples(machine));
    struct machine reduced;
    struct text text;
    text.size = 0;
    stage_machine(machine, chain, &reduced);
    add_name(&text, evaluator_fingerprint); /* also says which rows there are */
    add_name(&text, digest);
    add_name(&text, stage_name(stage));
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (!(parameter->stages & chain))
            continue;
        struct value value = parameter_get(parameter, &reduced);
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
