#include "workload/part.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"format", "kernel"};
enum { KEY_FORMAT, KEY_KERNEL, KEYS };

/* Whether one of our arguments begins at `text`: which, or KEYS. */
static unsigned key_at(const char *text)
{
    unsigned key = 0;
    for (; key < KEYS; key++) {
        const size_t length = strlen(keys[key]);
        if (!strncmp(text, keys[key], length) && text[length] == '=')
            break;
    }
    return key;
}

/* Whether any "name=value" begins at `text`. */
static bool argument_at(const char *text)
{
    const char *at = text;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    return at > text && *at == '=';
}

/* The colon before the arguments, or the end of the text. */
static const char *name_end(const char *text)
{
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':'))
        if (key_at(at + 1) < KEYS)
            return at;
    return text + strcspn(text, ":");
}

/* The end of an argument: before the next "name=value" after a comma. */
static const char *argument_end(const char *text)
{
    for (;;) {
        text = launch_choice_term_end(text);
        if (!*text || argument_at(text + 1))
            return text;
        text++;
    }
}

static enum status take(struct part *part, const char *text, size_t length,
                        struct diagnostics *diagnostics)
{
    const unsigned key = key_at(text);
    char **ours[] = {&part->format, &part->kernels};
    if (key == KEYS) {
        char *longer;
        if (asprintf(&longer, "%s%s%.*s", part->others, *part->others ? "," : "", (int)length,
                     text) < 0)
            return STATUS_MEMORY;
        free(part->others);
        part->others = longer;
        return STATUS_OK;
    }
    const size_t name = strlen(keys[key]) + 1;
    if (*ours[key])
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: '%s' is given twice", part->name,
                                 keys[key]);
    *ours[key] = strndup(text + name, length - name);
    return *ours[key] ? STATUS_OK : STATUS_MEMORY;
}

enum status part_parse(const char *text, struct part *part, struct diagnostics *diagnostics)
{
    const char *at = name_end(text);
    *part = (struct part){.name = strndup(text, (size_t)(at - text)), .others = strdup("")};
    enum status status = part->name && part->others ? STATUS_OK : STATUS_MEMORY;
    for (at += *at == ':'; *at && !status;) {
        const char *end = argument_end(at);
        status = take(part, at, (size_t)(end - at), diagnostics);
        at = end + (*end == ',');
    }
    if (!status && part->kernels)
        status = launch_choice_create(part->kernels, &part->choice, diagnostics);
    if (status)
        part_free(part);
    return status;
}

void part_free(struct part *part)
{
    free(part->name);
    free(part->others);
    free(part->format);
    free(part->kernels);
    launch_choice_free(part->choice);
    *part = (struct part){0};
}

char *part_with_format(const char *text, const char *format)
{
    char *whole;
    const char separator = *name_end(text) ? ',' : ':';
    return asprintf(&whole, "%s%cformat=%s", text, separator, format) < 0 ? NULL : whole;
}

enum status part_apply(const struct part *part, struct trace_source **source,
                       struct diagnostics *diagnostics)
{
    if (!part->choice)
        return STATUS_OK;
    enum status status = launch_choice_apply(part->choice, source, diagnostics);
    char *name;
    if (status)
        return status;
    if (asprintf(&name, "%s%ckernel=%s", (*source)->name, strchr((*source)->name, ':') ? ',' : ':',
                 part->kernels) < 0)
        return STATUS_MEMORY;
    free((*source)->name);
    (*source)->name = name;
    return STATUS_OK;
}
