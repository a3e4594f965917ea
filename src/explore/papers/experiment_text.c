#include "explore/papers/experiment_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct piece {
    char *literal; /* or the name of a word or field */
    struct expression *expression;
    bool word;
    char format[8];
};

struct experiment_text {
    struct piece *pieces;
    size_t count, capacity;
    enum expression_scope scope;
};

#define SETTINGS "settings" /* or "settings@VARIANT" */

static const char *const spot_words[] = {"variant",  "reading", "reason", "why",
                                         "workload", SETTINGS,  NULL};

static bool is_word(const struct experiment *experiment, const char *name,
                    const struct experiment_word *words)
{
    if (!strncmp(name, SETTINGS "@", sizeof SETTINGS))
        return experiment_variant_find(experiment, name + sizeof SETTINGS, 0) != NO_VARIANT;
    for (size_t i = 0; words && words[i].name; i++)
        if (!strcmp(words[i].name, name))
            return true;
    for (size_t i = 0; spot_words[i]; i++)
        if (!strcmp(spot_words[i], name))
            return true;
    return false;
}

static bool good_format(const char *format)
{
    if (*format == '+')
        format++;
    if (*format == '%' || *format == 'x')
        format++;
    if (isdigit((unsigned char)*format))
        format++;
    return !*format;
}

static struct piece *add_piece(struct experiment_text *text)
{
    if (array_reserve(&text->pieces, &text->capacity, text->count + 1))
        return NULL;
    struct piece *piece = &text->pieces[text->count++];
    *piece = (struct piece){.literal = NULL};
    return piece;
}

/* Reads what stands between braces. */
static enum status read_braces(struct experiment_terms *terms, const struct node *node,
                               const char *start, size_t length,
                               const struct experiment_word *words, struct experiment_text *text,
                               struct diagnostics *diagnostics)
{
    struct piece *piece = add_piece(text);
    const struct experiment *experiment = experiment_terms_runs(terms)->experiment;
    char *inner = strndup(start, length);
    if (!piece || !inner) {
        free(inner);
        return STATUS_MEMORY;
    }
    piece->literal = inner;
    char *colon = strrchr(inner, ':');
    if (colon) {
        *colon = '\0';
        if (strlen(colon + 1) >= sizeof piece->format || !good_format(colon + 1)) {
            const struct place place =
                node_place(experiment_terms_runs(terms)->experiment->document, node);
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                            "':%.20s' is no format: expected digits, '+', '%%' or 'x', as in "
                            "{l1d.miss_rate:%%1}",
                            colon + 1);
            return STATUS_INVALID;
        }
        strcpy(piece->format, colon + 1);
    }
    piece->word = is_word(experiment, inner, words) ||
                  (text->scope != SCOPE_ROWS && experiment_has_field(experiment, inner));
    if (piece->word)
        return STATUS_OK;
    return experiment_expression(terms, node, inner, text->scope, &piece->expression, diagnostics);
}

enum status experiment_text_create(struct experiment_terms *terms, const struct node *node,
                                   enum expression_scope scope, const struct experiment_word *words,
                                   struct experiment_text **result, struct diagnostics *diagnostics)
{
    struct experiment_text *text = calloc(1, sizeof *text);
    *result = text;
    if (!text)
        return STATUS_MEMORY;
    text->scope = scope;
    enum status status = STATUS_OK;
    for (const char *at = node ? node_text(node) : ""; *at && status != STATUS_MEMORY;) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        if (end) {
            const enum status read =
                read_braces(terms, node, at + 1, (size_t)(end - at - 1), words, text, diagnostics);
            status = status ? status : read;
            at = end + 1;
            continue;
        }
        const size_t length = 1 + strcspn(at + 1, "{");
        struct piece *piece = add_piece(text);
        if (!piece || !(piece->literal = strndup(at, length)))
            status = STATUS_MEMORY;
        at += length;
    }
    if (status) {
        experiment_text_free(text);
        *result = NULL;
    }
    return status;
}

void experiment_text_free(struct experiment_text *text)
{
    for (size_t i = 0; text && i < text->count; i++) {
        free(text->pieces[i].literal);
        expression_free(text->pieces[i].expression);
    }
    if (text)
        free(text->pieces);
    free(text);
}

void experiment_ask_text(struct experiment_terms *terms, const struct experiment_text *text,
                         const struct experiment_spot *spot)
{
    for (size_t i = 0; text && i < text->count; i++)
        experiment_ask(terms, text->pieces[i].expression, spot);
}

size_t experiment_text_named(const struct experiment_terms *terms,
                             const struct experiment_text *text, const struct experiment_spot *spot,
                             size_t *variants, size_t count, size_t most)
{
    for (size_t i = 0; text && i < text->count; i++)
        count = experiment_named(terms, text->pieces[i].expression, spot, variants, count, most);
    return count;
}

/* A number as its format says: "1" one digit after the point, "+1" with its sign, "%1" a share in
 * percent, "x" in hexadecimal; without a format as short as it can be said. */
static void print_number(double number, const char *format, char *text, size_t size)
{
    const bool sign = *format == '+';
    format += sign;
    if (isnan(number))
        snprintf(text, size, "-");
    else if (*format == 'x')
        snprintf(text, size, "0x%llx", number >= 0 && number < 0x1p63 ? (long long)number : 0LL);
    else if (*format == '%')
        snprintf(text, size, sign ? "%+.*f" : "%.*f", format[1] ? format[1] - '0' : 2,
                 100 * number);
    else if (*format)
        snprintf(text, size, sign ? "%+.*f" : "%.*f", *format - '0',
                 *format == '0' ? round(number) : number);
    else if (number == round(number) && fabs(number) < 1e15)
        snprintf(text, size, "%.0f", number);
    else
        snprintf(text, size, "%.4g", number);
}

bool experiment_text_is_number(const struct experiment_text *text)
{
    return text->count == 1 && text->pieces->expression;
}

void experiment_text_number(const struct experiment_text *text, double number,
                            char said[EXPERIMENT_TEXT])
{
    print_number(number, text->pieces->format, said, EXPERIMENT_TEXT);
}

/* What a machine has that the experiment's has not: "PATH=VALUE PATH=VALUE". */
static void say_settings(const struct experiment_runs *runs, size_t variant,
                         char text[EXPERIMENT_TEXT])
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < parameter_count && used < EXPERIMENT_TEXT; i++) {
        const struct parameter *parameter = &parameters[i];
        char own[VALUE_TEXT], common[VALUE_TEXT];
        parameter_print(parameter, parameter_get(parameter, &runs->machines[variant]), own);
        parameter_print(parameter, parameter_get(parameter, &runs->experiment->machine), common);
        if (strcmp(own, common) != 0)
            used += (size_t)snprintf(text + used, EXPERIMENT_TEXT - used, "%s%s=%s",
                                     used ? " " : "", parameter->path, own);
    }
    if (!used)
        snprintf(text, EXPERIMENT_TEXT, "none");
}

/* The text of a word at a spot, or NULL if it is a number of the caller's; `room` may hold it. */
static const char *word_text(const struct experiment_terms *terms, const char *name,
                             const struct experiment_spot *spot,
                             const struct experiment_word *words, double *number,
                             char room[EXPERIMENT_TEXT])
{
    const struct experiment_runs *runs = experiment_terms_runs(terms);
    const struct experiment *experiment = runs->experiment;
    const bool at_hand = spot->variant != NO_VARIANT;
    const struct experiment_run *run =
        at_hand ? experiment_run_at(runs, spot->subject, spot->variant) : NULL;
    const struct experiment_reading *reading =
        spot->reading < experiment->reading_count ? &experiment->readings[spot->reading] : NULL;
    for (size_t i = 0; words && words[i].name; i++)
        if (!strcmp(words[i].name, name)) {
            *number = words[i].number;
            return words[i].text;
        }
    const bool settings = !strncmp(name, SETTINGS, strlen(SETTINGS));
    const char *at = settings && name[strlen(SETTINGS)] == '@' ? name + strlen(SETTINGS) : NULL;
    if (at || (settings && run)) {
        say_settings(runs,
                     at ? experiment_variant_find(experiment, at + 1, spot->reading) : run->variant,
                     room);
        return room;
    }
    if (!strcmp(name, "variant"))
        return at_hand ? experiment->variants[spot->variant].label : "";
    if (!strcmp(name, "reading"))
        return reading ? reading->label : "";
    if (!strcmp(name, "reason"))
        return reading && reading->why ? node_text(reading->why) : "";
    if (!strcmp(name, "why"))
        return run && run->why ? run->why : "";
    const struct experiment_subject *subject = &experiment->subjects[runs->subjects[spot->subject]];
    if (!strcmp(name, "workload") && run && run->workload)
        return run->workload;
    if (!strcmp(name, "subject"))
        return subject->name;
    const char *field = experiment_field(runs, subject, name);
    return field ? field : "";
}

enum status experiment_text_say(struct experiment_terms *terms, const struct experiment_text *text,
                                const struct experiment_spot *spot, const bool *taken,
                                const struct experiment_word *words, struct experiment_said *said,
                                struct diagnostics *diagnostics)
{
    size_t used = 0;
    enum status status = STATUS_OK;
    *said = (struct experiment_said){.number = NAN};
    for (size_t i = 0; i < text->count && !status; i++) {
        const struct piece *piece = &text->pieces[i];
        char number_text[64], room[EXPERIMENT_TEXT];
        struct expression_answer answer = {.number = NAN};
        const char *shown = piece->literal;
        double number = NAN;
        if (piece->word)
            shown = word_text(terms, piece->literal, spot, words, &number, room);
        if (piece->expression) {
            status = text->scope == SCOPE_ROWS
                         ? experiment_over(terms, piece->expression, spot->reading, taken, &answer,
                                           diagnostics)
                         : experiment_at(terms, piece->expression, spot, &answer, diagnostics);
            shown = answer.is_text ? answer.text : NULL;
            number = answer.number;
        }
        if (!shown) {
            print_number(number, piece->format, number_text, sizeof number_text);
            shown = number_text;
            said->missing |= isnan(number);
            said->numeric = text->count == 1;
            said->number = number;
        }
        if (used < sizeof said->text)
            used += (size_t)snprintf(said->text + used, sizeof said->text - used, "%s", shown);
    }
    return status;
}
