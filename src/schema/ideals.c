#include "schema/ideals.h"

#include <stdio.h>
#include <string.h>

#define IDEAL_ROW(id, name, label, depths, stage, level, relieves, knob, help)                     \
    {name, label, depths, stage, level, relieves, knob, help},
const struct ideal_info ideal_table[IDEAL_COUNT] = {IDEAL_LIST(IDEAL_ROW)};

#define IDEAL_LEVEL_ROW(constant, name, help) [constant] = {name, help},
const struct choice ideal_level_table[IDEAL_LEVELS] = {IDEAL_LEVEL_LIST(IDEAL_LEVEL_ROW)};

struct ideal_set ideal_all(enum depth depth)
{
    struct ideal_set set = {0};
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_table[i].depths & DEPTH_BIT(depth))
            ideal_add(&set, (enum ideal)i);
    return set;
}

struct ideal_set ideal_all_of(const struct machine *machine, enum depth depth)
{
    const bool kernels = KERNEL_KINDS & KIND_BIT(machine->kind);
    struct ideal_set set = {0};
    for (int i = 0; i < IDEAL_COUNT; i++) {
        /* The stream of a scene meets no network, and no memory but that of its tile cache. */
        const unsigned stage = ideal_table[i].stage & ~(unsigned)STAGE_STREAM;
        const bool has = stage ? machine_has(machine, stage) : kernels;
        if (has && ideal_table[i].depths & DEPTH_BIT(depth))
            ideal_add(&set, (enum ideal)i);
    }
    return set;
}

bool ideal_find(const char *name, enum ideal *ideal, const char **nearest)
{
    const char *names[IDEAL_COUNT];
    for (int i = 0; i < IDEAL_COUNT; i++) {
        names[i] = ideal_table[i].name;
        if (!strcmp(name, names[i])) {
            *ideal = (enum ideal)i;
            return true;
        }
    }
    if (nearest)
        *nearest = nearest_name(name, names, IDEAL_COUNT);
    return false;
}

const char *ideal_depths(enum ideal ideal, char text[DEPTH_NAMES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < DEPTH_COUNT && used < DEPTH_NAMES; i++)
        if (ideal_table[ideal].depths & DEPTH_BIT(i))
            used += (size_t)snprintf(text + used, DEPTH_NAMES - used, "%s%s", used ? " or " : "",
                                     depth_table[i].name);
    return text;
}

enum status ideal_check(struct ideal_set set, enum depth depth, struct diagnostics *diagnostics)
{
    char depths[DEPTH_NAMES];
    enum status status = STATUS_OK;
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_has(set, (enum ideal)i) && !(ideal_table[i].depths & DEPTH_BIT(depth)))
            status = diagnostics_error(
                diagnostics, STATUS_INVALID, "ideal %s is one of depth %s, not %s (--depth)",
                ideal_table[i].name, ideal_depths((enum ideal)i, depths), depth_name(depth));
    return status;
}

enum status ideal_parse(const char *text, enum depth depth, struct ideal_set *set,
                        struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    *set = (struct ideal_set){{0}};
    if (!strcmp(text, "all")) {
        *set = ideal_all(depth);
        return ideal_none(*set) ? diagnostics_error(diagnostics, STATUS_INVALID,
                                                    "depth %s has no ideals", depth_name(depth))
                                : STATUS_OK;
    }
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        char name[64], hint[SUGGESTION_TEXT];
        enum ideal ideal;
        const char *nearest = NULL;
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), at);
        if (ideal_find(name, &ideal, &nearest))
            ideal_add(set, ideal);
        else
            status = diagnostics_error(diagnostics, STATUS_INVALID,
                                       "there is no ideal '%s'%s (warpscape ideals lists them)",
                                       name, suggestion(nearest, hint));
        at += length;
        if (!*at)
            break;
    }
    const enum status checked = ideal_check(*set, depth, diagnostics);
    return status ? status : checked;
}

const char *ideal_print(struct ideal_set set, char text[IDEAL_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_has(set, (enum ideal)i))
            used += (size_t)snprintf(text + used, IDEAL_TEXT - used, "%s%s", used ? "," : "",
                                     ideal_table[i].name);
    return text;
}
