/* Axes with a follower (session.h). Some caches can only have certain numbers of sets: with a hash
 * of 32 or 64 sets and fixed ways only one or two sizes are legal. An axis of sizes then also
 * changes the ways, so that the number of sets stays, as the curve does. In the study this becomes
 * an axis of the ways and a condition that ties the two. */
#include <stdlib.h>
#include <string.h>

#include "explore/sweep/curve.h"
#include "ui/session/session.h"

static bool follow_is_legal(const struct session *session, const struct axis *axis)
{
    for (size_t i = 0; i < axis->count; i++) {
        struct machine machine = session->machine;
        struct violation found[VIOLATION_MAX];
        parameter_set(axis->parameter, &machine, axis->values[i]);
        if (machine_check(&machine, found))
            return false;
    }
    return true;
}

const struct parameter *session_follower(const struct session *session,
                                         const struct parameter *parameter)
{
    const struct parameter *follower = curve_follower(&session->machine, parameter);
    const struct axis *own = session_axis(session, parameter);
    if (follower && own && follow_is_legal(session, own)) /* legal without the follower, too */
        return NULL;
    for (size_t i = 0; follower && i < session->study.budget_count; i++)
        if (session->study.budgets[i].parameter == follower) /* solved for each value of the axis */
            return NULL;
    for (size_t a = 0; follower && a < session->axis_count; a++) {
        const struct axis *axis = &session->axes[a];
        if (axis->parameter == follower)
            return NULL;
        for (size_t i = 0; axis->parameter != parameter && i < axis->count; i++) {
            struct machine machine = session->machine;
            parameter_set(axis->parameter, &machine, axis->values[i]);
            if (curve_follower(&machine, parameter) != follower) /* here it may be free */
                return NULL;
        }
    }
    return follower;
}

/* Prints "l1d.size = l1d.ways * 4096". It does not matter which of the two is the follower. */
static void print_condition(const struct session *session, const struct parameter *parameter,
                            const struct parameter *follower, char text[SESSION_TEXT])
{
    const bool leads = parameter->geometry == GEOMETRY_CAPACITY;
    const struct parameter *size = leads ? parameter : follower;
    const struct parameter *ways = leads ? follower : parameter;
    const uint64_t way =
        parameter_get(size, &session->machine).uint / parameter_get(ways, &session->machine).uint;
    snprintf(text, SESSION_TEXT, "%s = %s * %llu", size->path, ways->path, (unsigned long long)way);
}

bool session_is_following(const struct session *session, const char *condition)
{
    for (size_t a = 0; a < session->axis_count; a++) {
        const struct parameter *parameter = session->axes[a].parameter;
        const struct parameter *follower = session_follower(session, parameter);
        char text[SESSION_TEXT] = "";
        if (follower)
            print_condition(session, parameter, follower, text);
        if (follower && !strcmp(text, condition))
            return true;
    }
    return false;
}

static enum status follow_add_condition(struct study *study, const char *text)
{
    struct condition *grown = realloc(study->where, (study->where_count + 1) * sizeof *grown);
    if (!grown)
        return STATUS_MEMORY;
    study->where = grown;
    grown[study->where_count] = (struct condition){.text = strdup(text)};
    return grown[study->where_count].text ? (study->where_count++, STATUS_OK) : STATUS_MEMORY;
}

/* Adds the axis of the follower: the values that it takes, in the order of the axis, each once. */
static enum status follow_add_axis(struct study *study, const struct session *session,
                                   const struct axis *axis, const struct parameter *follower)
{
    struct axis *grown = realloc(study->axes, (study->axis_count + 1) * sizeof *grown);
    if (!grown)
        return STATUS_MEMORY;
    study->axes = grown;
    struct axis added = {.parameter = follower,
                         .values = malloc(axis->count * sizeof(struct value))};
    if (!added.values)
        return STATUS_MEMORY;
    for (size_t i = 0; i < axis->count; i++) {
        struct machine machine = session->machine;
        curve_set(&machine, axis->parameter, follower, axis->values[i]);
        const struct value value = parameter_get(follower, &machine);
        bool known = parameter_number(follower, value) < follower->min ||
                     parameter_number(follower, value) > follower->max;
        for (size_t k = 0; k < added.count; k++)
            known = known || parameter_equal(follower, added.values[k], value);
        if (!known)
            added.values[added.count++] = value;
    }
    if (!added.count) /* the follower takes no legal value: the study will report that */
        added.values[added.count++] = parameter_get(follower, &session->machine);
    grown[study->axis_count++] = added;
    return STATUS_OK;
}

enum status session_add_followers(const struct session *session, struct study *study)
{
    enum status status = STATUS_OK;
    for (size_t a = 0; !status && a < session->axis_count; a++) {
        const struct axis *axis = &session->axes[a];
        const struct parameter *follower = session_follower(session, axis->parameter);
        char text[SESSION_TEXT];
        if (!follower)
            continue;
        print_condition(session, axis->parameter, follower, text);
        status = follow_add_axis(study, session, axis, follower);
        if (!status)
            status = follow_add_condition(study, text);
    }
    return status;
}
