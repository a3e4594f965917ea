/* Values of parameters that a user sets, steps or types (session.h).
 *
 * An edit is tried on a copy of the machine first. What a rule refuses changes nothing; then either
 * a parameter that belongs to the first one follows it, or one more assignment that would make the
 * edit legal is proposed. */
#include <stdio.h>
#include <string.h>

#include "explore/sweep/curve.h"
#include "schema/moved_settings.h"
#include "ui/session/session.h"

/* Pairs of parameters that are equal by intent: the second follows the first. */
struct couple {
    const char *leader, *follower, *meaning;
};

static const struct couple couples[] = {
    {"tlb.entries", "tlb.ways", "stays fully associative"},
    {"l1d.line", "l1d.sector", "stays unsectored"},
    {"l2.line", "l2.sector", "stays unsectored"},
};

/* An edit that is being tried: its assignments with their followers, and the machine that they
 * make. */
struct attempt {
    struct assignment assignments[ASSIGNMENTS_MAX + 1];
    size_t count;
    struct machine machine;
    const struct couple *couple;
};

static bool attempt_check(struct attempt *attempt, const struct machine *machine,
                          struct violation found[VIOLATION_MAX])
{
    attempt->machine = *machine;
    for (size_t i = 0; i < attempt->count; i++)
        parameter_set(attempt->assignments[i].parameter, &attempt->machine,
                      attempt->assignments[i].value);
    return machine_check(&attempt->machine, found) == 0;
}

/* Tries one assignment with its follower, if it has one, then alone. */
static bool attempt_one(struct attempt *attempt, const struct machine *machine,
                        struct assignment assignment, struct violation found[VIOLATION_MAX])
{
    const struct parameter *leader = assignment.parameter;
    attempt->assignments[0] = assignment;
    for (size_t i = 0; i < sizeof couples / sizeof *couples; i++) {
        const struct parameter *follower = parameter_find(couples[i].follower);
        if (strcmp(couples[i].leader, leader->path) ||
            parameter_get(leader, machine).uint != parameter_get(follower, machine).uint)
            continue;
        attempt->assignments[1] = (struct assignment){follower, assignment.value};
        attempt->count = 2;
        attempt->couple = &couples[i];
        if (attempt_check(attempt, machine, found))
            return true;
    }
    attempt->count = 1;
    attempt->couple = NULL;
    return attempt_check(attempt, machine, found);
}

static enum status attempt_commit(struct session *session, const struct attempt *attempt,
                                  char text[SESSION_TEXT])
{
    text[0] = '\0';
    session->proposal_count = 0;
    enum status status =
        session_commit(session, attempt->assignments, attempt->count, &attempt->machine, text);
    if (!status && attempt->couple)
        snprintf(text, SESSION_TEXT, "%s follows: it %s", attempt->couple->follower,
                 attempt->couple->meaning);
    return status;
}

/* How many values a proposal and a step look ahead: enough to pass all numbers of ways that divide
 * no size. */
enum { REACH = 64, STEP_REACH = 5000 };

/* Whether the parameters of a structure mean something in both machines, or in neither: what was
 * set is kept. */
static bool keeps_structure(const struct machine *a, const struct machine *b, const char *path)
{
    const size_t structure = strcspn(path, ".") + 1;
    for (size_t i = 0; i < parameter_count; i++)
        if (!strncmp(parameters[i].path, path, structure) &&
            parameter_relevant(&parameters[i], a) != parameter_relevant(&parameters[i], b))
            return false;
    return true;
}

/* The nearest value of `parameter`, in both directions, that makes the refused edit legal and keeps
 * the rest of the structure. */
static bool find_companion(const struct machine *refused, const struct parameter *parameter,
                           struct value *companion)
{
    struct violation found[VIOLATION_MAX];
    struct value up = parameter_get(parameter, refused), down = up;
    bool more_up = true, more_down = true;
    for (int i = 0; i < REACH && (more_up || more_down); i++) {
        struct machine machine = *refused;
        more_up = more_up && parameter_next(parameter, up, 1, &up);
        parameter_set(parameter, &machine, up);
        if (more_up && !machine_check(&machine, found) &&
            keeps_structure(refused, &machine, parameter->path)) {
            *companion = up;
            return true;
        }
        more_down = more_down && parameter_next(parameter, down, -1, &down);
        parameter_set(parameter, &machine, down);
        if (more_down && !machine_check(&machine, found) &&
            keeps_structure(refused, &machine, parameter->path)) {
            *companion = down;
            return true;
        }
    }
    return false;
}

/* Looks for one additional assignment, in the structure whose rule is broken, that makes the edit
 * legal. */
static bool propose(struct session *session, struct assignment assignment,
                    const struct violation *violation)
{
    struct machine refused = session->machine;
    parameter_set(assignment.parameter, &refused, assignment.value);
    const char *path = violation->parameter->path;
    size_t structure = strcspn(path, ".");
    session->proposal_count = 0;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        struct value companion;
        if (parameter == assignment.parameter || strncmp(parameter->path, path, structure + 1) ||
            parameter->type == PARAMETER_BOOL || !parameter_relevant(parameter, &refused) ||
            !find_companion(&refused, parameter, &companion))
            continue;
        session->proposal[0] = assignment;
        session->proposal[1] = (struct assignment){parameter, companion};
        session->proposal_count = 2;
        return true;
    }
    return false;
}

static void session_refuse(struct session *session, struct assignment assignment, const char *tried,
                           const struct violation *violation, char text[SESSION_TEXT])
{
    char value[VALUE_TEXT];
    propose(session, assignment, violation);
    int used = snprintf(text, SESSION_TEXT, "%s %.60s refused: %s", assignment.parameter->path,
                        tried, violation->message);
    if (session->proposal_count && used < SESSION_TEXT)
        snprintf(
            text + used, (size_t)(SESSION_TEXT - used), "; y: with %s %.40s",
            session->proposal[1].parameter->path,
            parameter_print(session->proposal[1].parameter, session->proposal[1].value, value));
}

static enum status set_one(struct session *session, struct assignment assignment,
                           char text[SESSION_TEXT])
{
    struct violation found[VIOLATION_MAX];
    struct attempt attempt;
    if (attempt_one(&attempt, &session->machine, assignment, found))
        return attempt_commit(session, &attempt, text);
    char value[VALUE_TEXT];
    session_refuse(session, assignment,
                   parameter_print(assignment.parameter, assignment.value, value), &found[0], text);
    return STATUS_INVALID;
}

enum status session_set(struct session *session, const struct assignment *assignments, size_t count,
                        char text[SESSION_TEXT])
{
    if (count == 1)
        return set_one(session, assignments[0], text);
    struct violation found[VIOLATION_MAX];
    struct attempt attempt = {.count = count};
    memcpy(attempt.assignments, assignments, count * sizeof *assignments);
    if (attempt_check(&attempt, &session->machine, found))
        return attempt_commit(session, &attempt, text);
    session->proposal_count = 0;
    snprintf(text, SESSION_TEXT, "refused: %s: %s", found[0].parameter->path, found[0].message);
    return STATUS_INVALID;
}

/* If no value is legal with the rest of the machine, steps together with the parameter that keeps
 * the number of sets. */
static bool step_followed(struct session *session, const struct parameter *parameter, int direction,
                          const struct violation *why, char text[SESSION_TEXT])
{
    const struct parameter *follower = curve_follower(&session->machine, parameter);
    struct value value = parameter_get(parameter, &session->machine);
    char printed[VALUE_TEXT];
    for (int i = 0; follower && i < REACH && parameter_next(parameter, value, direction, &value);
         i++) {
        struct violation found[VIOLATION_MAX];
        struct machine machine = session->machine;
        curve_set(&machine, parameter, follower, value);
        struct attempt attempt = {
            .assignments = {{parameter, value}, {follower, parameter_get(follower, &machine)}},
            .count = 2};
        double number = parameter_number(follower, attempt.assignments[1].value);
        if (number < follower->min || number > follower->max ||
            !attempt_check(&attempt, &session->machine, found) ||
            attempt_commit(session, &attempt, text))
            continue;
        snprintf(text, SESSION_TEXT, "%s follows: %s, else %.200s", follower->path,
                 parameter_print(follower, attempt.assignments[1].value, printed), why->message);
        return true;
    }
    return false;
}

enum status session_step(struct session *session, const struct parameter *parameter, int direction,
                         char text[SESSION_TEXT])
{
    struct violation found[VIOLATION_MAX], first, other = {.parameter = NULL};
    struct attempt attempt;
    struct assignment assignment = {parameter, parameter_get(parameter, &session->machine)};
    struct assignment refused = assignment, further = assignment;
    char value[VALUE_TEXT];
    int tried = 0;
    session->proposal_count = 0;
    while (tried < STEP_REACH &&
           parameter_next(parameter, assignment.value, direction, &assignment.value)) {
        if (attempt_one(&attempt, &session->machine, assignment, found))
            return attempt_commit(session, &attempt, text);
        if (tried++ == 0) {
            first = found[0];
            refused = assignment;
        } else if (!other.parameter && found[0].parameter != first.parameter) {
            other = found[0];
            further = assignment;
        }
    }
    if (tried && step_followed(session, parameter, direction, &first, text))
        return STATUS_OK;
    if (tried) { /* the first value, or one further on that another parameter can make legal */
        if (other.parameter && !propose(session, refused, &first) &&
            propose(session, further, &other)) {
            first = other;
            refused = further;
        }
        session_refuse(session, refused, parameter_print(parameter, refused.value, value), &first,
                       text);
        return STATUS_INVALID;
    }
    if (parameter->stepping == STEP_NONE)
        snprintf(text, SESSION_TEXT, "%s is a list: type it", parameter->path);
    else
        snprintf(text, SESSION_TEXT, "%s: %s is the %s value", parameter->path,
                 parameter_print(parameter, assignment.value, value),
                 direction > 0 ? "last" : "first");
    return STATUS_NOT_FOUND;
}

static enum status parse_assignment(const char *path, const char *value,
                                    struct assignment *assignment, char text[SESSION_TEXT])
{
    char why[VALUE_TEXT];
    assignment->parameter = parameter_find(path);
    if (!assignment->parameter) {
        char hint[SUGGESTION_TEXT];
        snprintf(text, SESSION_TEXT, "unknown parameter '%s'%s", path,
                 parameter_suggestion(path, hint));
        return STATUS_INVALID;
    }
    if (!value[0]) {
        snprintf(text, SESSION_TEXT, "%s: expected %s", path,
                 parameter_expects(assignment->parameter, why));
        return STATUS_INVALID;
    }
    if (parameter_parse(assignment->parameter, value, &assignment->value, why)) {
        snprintf(text, SESSION_TEXT, "%s: %s", path, why);
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

/* Parses one "PATH VALUE" or "PATH=VALUE" from *rest into one assignment, or into two where a
 * setting moved (schema/moved_settings.h). */
static enum status read_assignment(const struct machine *machine, const char **rest,
                                   struct assignment *assignments, size_t *count,
                                   char text[SESSION_TEXT])
{
    char path[64], value[VALUE_TEXT];
    const char *at = *rest + strspn(*rest, " ");
    size_t length = strcspn(at, " =");
    snprintf(path, sizeof path, "%.*s", (int)(length < 63 ? length : 63), at);
    at += length;
    at += strspn(at, " ");
    if (*at == '=')
        at += 1 + strspn(at + 1, " ");
    length = *at == '[' ? strcspn(at, "]") + (strchr(at, ']') != NULL) : strcspn(at, " ");
    snprintf(value, sizeof value, "%.*s", (int)(length < VALUE_TEXT ? length : VALUE_TEXT - 1), at);
    *rest = at + length + strspn(at + length, " ");
    const struct moved_setting *moved = moved_setting_find(path, value);
    if (!moved)
        return parse_assignment(path, value, &assignments[(*count)++], text);
    if (!moved_setting_applies(moved, machine))
        return STATUS_OK;
    enum status status =
        parse_assignment(moved->now, moved->now_value, &assignments[(*count)++], text);
    if (!status && moved->rest)
        status = parse_assignment(path, moved->rest, &assignments[(*count)++], text);
    return status;
}

enum status session_set_text(struct session *session, const char *assignments,
                             char text[SESSION_TEXT])
{
    struct assignment parsed[ASSIGNMENTS_MAX + 2]; /* a setting that moved is two */
    size_t count = 0;
    session->proposal_count = 0;
    assignments += strspn(assignments, " ");
    do {
        enum status status = read_assignment(&session->machine, &assignments, parsed, &count, text);
        if (status)
            return status;
        if (count > ASSIGNMENTS_MAX) {
            snprintf(text, SESSION_TEXT, "more than %d assignments", ASSIGNMENTS_MAX);
            return STATUS_INVALID;
        }
    } while (*assignments);
    snprintf(text, SESSION_TEXT, "nothing changes");
    return count ? session_set(session, parsed, count, text) : STATUS_OK;
}

enum status session_become(struct session *session, const struct machine *wanted,
                           char text[SESSION_TEXT])
{
    struct assignment assignments[ASSIGNMENTS_MAX];
    size_t count = 0;
    text[0] = '\0';
    for (size_t i = 0; i < parameter_count; i++) {
        const struct value value = parameter_get(&parameters[i], wanted);
        if (parameter_equal(&parameters[i], value,
                            parameter_get(&parameters[i], &session->machine)))
            continue;
        if (count == ASSIGNMENTS_MAX) {
            snprintf(text, SESSION_TEXT, "more than %d changes", ASSIGNMENTS_MAX);
            return STATUS_UNSUPPORTED;
        }
        assignments[count++] = (struct assignment){&parameters[i], value};
    }
    return count ? session_set(session, assignments, count, text) : STATUS_OK;
}

enum status session_accept(struct session *session, char text[SESSION_TEXT])
{
    if (!session->proposal_count) {
        snprintf(text, SESSION_TEXT, "nothing is proposed");
        return STATUS_NOT_FOUND;
    }
    size_t count = session->proposal_count;
    session->proposal_count = 0;
    return session_set(session, session->proposal, count, text);
}
