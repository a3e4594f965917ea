#include "report/runs/set_report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/stages.h"

static const struct {
    unsigned stage;
    const char *of; /* before the number of the instance */
} places[] = {
    {STAGE_L1D, "of SM"}, {STAGE_L2, "slice"}, {STAGE_L1I, "of SM"}, {STAGE_TILE, "bank"}};
enum { PLACES = sizeof places / sizeof *places };

static enum status find_stage(const char *name, unsigned *stage, struct diagnostics *diagnostics)
{
    const char *names[PLACES];
    char hint[SUGGESTION_TEXT];
    for (size_t i = 0; i < PLACES; i++) {
        names[i] = stage_info(places[i].stage)->name;
        if (!strcmp(names[i], name)) {
            *stage = places[i].stage;
            return STATUS_OK;
        }
    }
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "expected l1d, l2, l1i or tile, got '%s'%s", name,
                             suggestion(nearest_name(name, names, PLACES), hint));
}

/* Reads a number behind a colon, if there is one. */
static bool take_number(const char **text, uint64_t *number)
{
    char *end;
    *number = 0;
    if (**text != ':')
        return true;
    if (!isdigit((unsigned char)(*text)[1]))
        return false;
    *number = strtoull(*text + 1, &end, 10);
    *text = end;
    return *number < UINT32_MAX;
}

enum status set_place_parse(const char *text, struct set_place *place,
                            struct diagnostics *diagnostics)
{
    char name[16];
    const char *rest = text + strcspn(text, ":");
    uint64_t instance, set;
    snprintf(name, sizeof name, "%.*s", (int)(rest - text < 15 ? rest - text : 15), text);
    enum status status = find_stage(name, &place->stage, diagnostics);
    if (status)
        return status;
    if (!take_number(&rest, &instance) || !take_number(&rest, &set) || *rest)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected %s:NUMBER:SET, as %s:0:12, got '%.60s'", name, name,
                                 text);
    place->instance = (unsigned)instance;
    place->set = set;
    return STATUS_OK;
}

const char *set_place_print(const struct set_place *place, char text[SET_PLACE_TEXT])
{
    snprintf(text, SET_PLACE_TEXT, "%s:%u:%llu", stage_info(place->stage)->name, place->instance,
             (unsigned long long)place->set);
    return text;
}

const char *set_place_words(const struct set_place *place, char text[SET_PLACE_TEXT])
{
    size_t row = 0;
    while (row + 1 < PLACES && places[row].stage != place->stage)
        row++;
    snprintf(text, SET_PLACE_TEXT, "%s %s %u, set %llu", stage_info(place->stage)->label,
             places[row].of, place->instance, (unsigned long long)place->set);
    return text;
}

const char *set_step_result(const struct set_step *step)
{
    return !step->request ? "emptied" : step->hit ? "hit" : step->found ? "sector" : "miss";
}

const char *set_step_explain(const struct set_step *step, char *text, size_t size)
{
    if (!step->request)
        snprintf(text, size, "the cache was emptied");
    else if (step->found && !step->stays)
        snprintf(text, size, "the store invalidates its line");
    else if (step->found && step->replaced)
        snprintf(text, size, "the store invalidates its line and allocates again: way %u",
                 step->way);
    else if (step->found)
        snprintf(text, size, "%s",
                 step->hit ? "" : "sector miss: its line is there, not all of its sectors");
    else if (!step->stays)
        snprintf(text, size, "bypasses: no line is allocated");
    else if (*step->why)
        snprintf(text, size, "%s: way %u", step->why, step->way);
    else
        snprintf(text, size, "%s",
                 step->replaced ? "as the policy chooses" : "the first empty way");
    return text;
}
