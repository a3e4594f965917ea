#include "schema/moved_settings.h"

#include <string.h>

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

static void set(const char *path, const char *text, struct machine *machine)
{
    const struct parameter *parameter = parameter_find(path);
    struct value value;
    if (!parameter_parse(parameter, text, &value, NULL))
        parameter_set(parameter, machine, value);
}

void moved_setting_apply(const struct moved_setting *moved, struct machine *machine)
{
    set(moved->now, moved->now_value, machine);
    if (moved->rest)
        set(moved->path, moved->rest, machine);
}
