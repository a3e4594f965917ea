#include "schema/moved_settings.h"

#include <stdio.h>
#include <string.h>

#include "schema/ideals.h"
#include "schema/metrics.h"
#include "schema/parameters.h"

/* Throttles were bypass policies, or traits of one, that bypass nothing. */
static const struct moved_setting moved_settings[] = {
    {"l1d.bypass.policy", "ccws", "never", "scheduler.throttle", "ccws"},
    {"l1d.bypass.throttle", "yes", NULL, "scheduler.throttle", "congestion"},
    {"l1d.bypass.throttle", "on", NULL, "scheduler.throttle", "congestion"},
    {"l1d.bypass.throttle", "true", NULL, "scheduler.throttle", "congestion"},
    {"l1d.bypass.throttle", "no", NULL, "scheduler.throttle", "none"},
    {"l1d.bypass.throttle", "off", NULL, "scheduler.throttle", "none"},
    {"l1d.bypass.throttle", "false", NULL, "scheduler.throttle", "none"},
};

const struct moved_setting *moved_setting_find(const char *path, const char *value)
{
    for (size_t i = 0; i < sizeof moved_settings / sizeof *moved_settings; i++) {
        const struct moved_setting *moved = &moved_settings[i];
        if (!strcmp(moved->path, path) &&
            (value ? !strcmp(moved->value, value) : moved->rest == NULL))
            return moved;
    }
    return NULL;
}

const char *moved_suggestion(const char *path, const char *value, char text[SUGGESTION_TEXT])
{
    const struct moved_setting *moved = moved_setting_find(path, value);
    if (!moved)
        return NULL;
    snprintf(text, SUGGESTION_TEXT, "; it is now called %s%s%s", moved->now, value ? ": " : "",
             value ? moved->now_value : "");
    return text;
}

const char *parameter_suggestion(const char *path, char text[SUGGESTION_TEXT])
{
    const char *moved = moved_suggestion(path, NULL, text);
    return moved ? moved : suggestion(parameter_nearest(path), text);
}

const char *name_suggestion(const char *name, const char *const *others, size_t count,
                            char text[SUGGESTION_TEXT])
{
    enum ideal found;
    const char *ideal = NULL, *nearest = nearest_name(name, others, count);
    if (moved_suggestion(name, NULL, text))
        return text;
    (void)ideal_find(name, &found, &ideal);
    const char *const all[] = {parameter_nearest(name), metric_nearest(name), ideal};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *const both[] = {nearest ? nearest : "", all[i]};
        if (all[i] && nearest_name(name, both, 2) == all[i])
            nearest = all[i];
    }
    return suggestion(nearest, text);
}

static struct value value_of(const char *path, const char *text)
{
    const struct parameter *parameter = parameter_find(path);
    struct value value;
    return parameter_parse(parameter, text, &value, NULL) ? parameter->fallback : value;
}

bool moved_setting_is_off(const struct moved_setting *moved)
{
    const struct parameter *parameter = parameter_find(moved->now);
    return !moved->rest &&
           parameter_equal(parameter, value_of(moved->now, moved->now_value), parameter->fallback);
}

/* Whether what the machine has could have been set by the setting's former path. */
static bool is_its_own(const struct moved_setting *moved, const struct machine *machine)
{
    const struct parameter *parameter = parameter_find(moved->now);
    const struct value value = parameter_get(parameter, machine);
    for (size_t i = 0; i < sizeof moved_settings / sizeof *moved_settings; i++)
        if (!strcmp(moved_settings[i].path, moved->path) &&
            parameter_equal(parameter, value, value_of(moved->now, moved_settings[i].now_value)))
            return true;
    return false;
}

bool moved_setting_applies(const struct moved_setting *moved, const struct machine *machine)
{
    return !moved_setting_is_off(moved) || is_its_own(moved, machine);
}

bool moved_setting_apply(const struct moved_setting *moved, struct machine *machine)
{
    if (!moved_setting_applies(moved, machine))
        return false;
    parameter_set(parameter_find(moved->now), machine, value_of(moved->now, moved->now_value));
    if (moved->rest)
        parameter_set(parameter_find(moved->path), machine, value_of(moved->path, moved->rest));
    return true;
}
