#include "explore/explain/lever_steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explore/sweep/curve.h"

/* How often a value that breaks a rule is halved or doubled again: from one size of pages to the
 * next. */
enum { LEVER_REACH = 5 };

bool lever_moves(const struct parameter *parameter, const struct machine *machine,
                 const struct metric *metric, enum depth depth)
{
    char why[VALUE_TEXT];
    return parameter->role == ROLE_LEVER && parameter->stepping != STEP_NONE &&
           !parameter_dead(parameter, machine, depth, why) &&
           curve_moves(parameter, metric, machine, depth);
}

/* The metrics that count requests, or what follows from counts of them. */
#define LEVER_COUNTS (METRIC_LOOKUP | METRIC_TRAFFIC | METRIC_CLASSES | METRIC_OPTIMUM)

/* The cache stages that a metric counts in, or after. */
static unsigned lever_chain(const struct metric *metric)
{
    unsigned stages = 0;
    for (unsigned left = metric_stages(metric); left; left &= left - 1)
        stages |= stage_chain(stage_lowest(left), false);
    return stages & ~(unsigned)STAGE_STREAM;
}

bool lever_compares(const struct parameter *parameter, const struct metric *metric)
{
    const unsigned own = parameter->stages & STAGE_EVERY & ~(unsigned)(STAGE_STREAM | STAGE_AREA);
    if (parameter->counting == COUNTS_ALIKE || !(metric->traits & LEVER_COUNTS) ||
        !(own & lever_chain(metric)))
        return true;
    return metric->unit == UNIT_BYTES &&
           !(parameter->counting == COUNTS_OTHER_REQUESTS && own & metric_stages(metric));
}

bool lever_counts_alike(const struct lever_change *change, const struct metric *metric,
                        const struct metrics *base, const struct metrics *changed)
{
    const struct parameter *parameter = change->settings[0].parameter;
    char path[64];
    snprintf(path, sizeof path, "%.*s.accesses", (int)strcspn(metric->path, "."), metric->path);
    const struct metric *accesses = metric_find(path);
    return change->count != 1 || !lever_has_choices(parameter) || !accesses ||
           !(parameter->stages & (unsigned)accesses->stage & STAGE_EVERY) ||
           !(metric->traits & LEVER_COUNTS) ||
           metric_get(accesses, base) == metric_get(accesses, changed);
}

const struct metric *lever_comparable(const struct parameter *parameter,
                                      const struct metric *metric, enum depth depth)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *other = &metric_table[i];
        if (other->unit == UNIT_BYTES && other->direction == LOWER_IS_BETTER &&
            metric_answered(other, depth) && lever_compares(parameter, other) &&
            !(lever_chain(metric) & ~lever_chain(other)))
            return other;
    }
    return NULL;
}

bool lever_has_choices(const struct parameter *parameter)
{
    return parameter->type == PARAMETER_BOOL || parameter->type == PARAMETER_ENUM;
}

bool lever_apply(const struct lever_change *change, struct machine *machine)
{
    struct violation found[VIOLATION_MAX];
    struct machine changed = *machine;
    for (size_t i = 0; i < change->count; i++)
        parameter_set(change->settings[i].parameter, &changed, change->settings[i].value);
    if (machine_check(&changed, found))
        return false;
    *machine = changed;
    return true;
}

static bool lever_is_legal(const struct lever_change *change, const struct machine *machine)
{
    struct machine changed = *machine;
    return lever_apply(change, &changed);
}

bool lever_choice(const struct parameter *parameter, uint64_t number, const struct machine *machine,
                  struct lever_change *change)
{
    const struct value value = {.uint = number};
    *change = (struct lever_change){.settings = {{parameter, value}}, .count = 1};
    return (double)number <= parameter->max && !parameter_is_limit(parameter, value) &&
           !parameter_equal(parameter, value, parameter_get(parameter, machine)) &&
           lever_is_legal(change, machine);
}

/* Half or double a number, on a step of the parameter and in its range; false: there is none. */
static bool lever_scale(const struct parameter *parameter, double from, int direction,
                        struct value *value)
{
    const double step = parameter->stepping == STEP_ADD ? parameter->step : 1;
    double number = direction > 0 ? 2 * from : from / 2;
    if (from == 0)
        number = direction > 0 ? fmax(step, parameter->min) : 0;
    number = direction > 0 ? ceil(number / step - 1e-9) * step : floor(number / step + 1e-9) * step;
    if (number <= 0 || number < parameter->min || number > parameter->max)
        return false;
    if (parameter->type == PARAMETER_REAL)
        value->real = rint(number * 1e9) / 1e9; /* 0.3 and not 6 x 0.05 */
    else
        value->uint = (uint64_t)number;
    return true;
}

/* The change to a value, with the follower where the value alone breaks a rule. */
static bool lever_change_to(const struct parameter *parameter, const struct parameter *follower,
                            struct value value, const struct machine *machine,
                            struct lever_change *change)
{
    *change = (struct lever_change){.settings = {{parameter, value}}, .count = 1};
    if (!follower)
        return lever_is_legal(change, machine);
    struct machine changed = *machine;
    curve_set(&changed, parameter, follower, value);
    const struct value followed = parameter_get(follower, &changed);
    const double number = parameter_number(follower, followed);
    change->settings[change->count++] = (struct lever_setting){follower, followed};
    return number >= follower->min && number <= follower->max && lever_is_legal(change, machine);
}

bool lever_step(const struct parameter *parameter, struct value from, int direction,
                const struct machine *machine, struct lever_change *change)
{
    const struct parameter *follower = curve_follower(machine, parameter);
    struct value value = from;
    if (parameter_is_top(parameter, from) &&
        (direction > 0 || !curve_step_below(parameter, machine, &value)))
        return false;
    for (int i = 0; i < LEVER_REACH; i++) {
        if (!lever_scale(parameter, parameter_number(parameter, value), direction, &value))
            return false;
        if (lever_change_to(parameter, NULL, value, machine, change) ||
            (follower && lever_change_to(parameter, follower, value, machine, change)))
            return true;
    }
    return false;
}

const char *lever_setting_print(const struct lever_setting *setting, char text[LEVER_TEXT])
{
    char value[VALUE_TEXT];
    snprintf(text, LEVER_TEXT, "%s=%s", setting->parameter->path,
             parameter_print(setting->parameter, setting->value, value));
    return text;
}

const char *lever_change_print(const struct lever_change *change, const char *before,
                               char text[LEVER_CHANGE_TEXT])
{
    char setting[LEVER_TEXT];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < change->count && used < LEVER_CHANGE_TEXT; i++)
        used += (size_t)snprintf(text + used, LEVER_CHANGE_TEXT - used, "%s%s%s", i ? " " : "",
                                 before, lever_setting_print(&change->settings[i], setting));
    return text;
}
