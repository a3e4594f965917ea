#include "ui/terminal/screen_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "base/text_stream.h"
#include "ui/terminal/user_files.h"

const struct setting_info setting_table[SETTING_COUNT] = {
#define SETTING_ROW(constant, name, values, help) {#name, values, help},
    SETTING_LIST(SETTING_ROW)
#undef SETTING_ROW
};

static size_t count_of(const char *const *names)
{
    size_t count = 0;
    while (names[count])
        count++;
    return count;
}

enum status settings_set(struct screen_settings *settings, const char *name, const char *value,
                         struct diagnostics *diagnostics)
{
    const char *names[SETTING_COUNT];
    char hint[SUGGESTION_TEXT];
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        names[i] = setting_table[i].name;
        if (strcmp(name, names[i]) != 0)
            continue;
        const char *const *values = setting_table[i].values;
        const size_t count = count_of(values);
        for (size_t k = 0; k < count; k++)
            if (!strcmp(value, values[k])) {
                settings->values[i] = k;
                return STATUS_OK;
            }
        return diagnostics_error(diagnostics, STATUS_INVALID, "no %s '%.40s'%s", name, value,
                                 suggestion(nearest_name(value, values, count), hint));
    }
    return diagnostics_error(diagnostics, STATUS_INVALID, "no setting '%.40s'%s", name,
                             suggestion(nearest_name(name, names, SETTING_COUNT), hint));
}

static void read_line(struct screen_settings *settings, const char *line, const struct place *place,
                      struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    char name[64] = "", value[64] = "", rest[2];
    const int words = sscanf(line, "%63s %63s %1s", name, value, rest);
    if (words <= 0 || name[0] == '#')
        return;
    if (words != 2)
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "expected a setting and its value");
    else if (settings_set(settings, name, value, &found))
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "%s", found.items[0].message);
    diagnostics_free(&found);
}

enum status settings_read(struct screen_settings *settings, const char *text, const char *file,
                          struct diagnostics *diagnostics)
{
    struct screen_settings read = *settings;
    struct place place = {.file = file};
    const size_t errors = diagnostics ? diagnostics->errors : 0;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char line[256];
        place.line++;
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        read_line(&read, line, &place, diagnostics);
        text += length + (text[length] == '\n');
    }
    if (diagnostics && diagnostics->errors > errors)
        return STATUS_INVALID;
    *settings = read;
    return STATUS_OK;
}

enum { SETTINGS_PATH = 4096 };

enum status settings_load(struct screen_settings *settings, struct diagnostics *diagnostics)
{
    char path[SETTINGS_PATH], *text;
    size_t length;
    if (!config_file("settings", false, path, sizeof path))
        return STATUS_OK;
    enum status status = config_file_read("settings", &text, &length, diagnostics);
    if (!status)
        status = settings_read(settings, text, path, diagnostics);
    free(text);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

/* The setting that a line of the file sets; SETTING_COUNT: none. */
static size_t setting_of(const char *line)
{
    size_t i = 0;
    line += strspn(line, " \t");
    const size_t length = strcspn(line, " \t\n");
    while (i < SETTING_COUNT && (strlen(setting_table[i].name) != length ||
                                 strncmp(setting_table[i].name, line, length) != 0))
        i++;
    return i;
}

static void print_setting(const struct screen_settings *settings, size_t i, FILE *out)
{
    fprintf(out, "%-7s %s\n", setting_table[i].name, setting_table[i].values[settings->values[i]]);
}

enum status settings_text(const struct screen_settings *settings, const char *before, char **text)
{
    struct text_stream stream;
    bool written[SETTING_COUNT] = {false};
    FILE *out = text_stream_open(&stream);
    while (out && *before) {
        const size_t length = strcspn(before, "\n"), i = setting_of(before);
        if (i == SETTING_COUNT)
            fprintf(out, "%.*s\n", (int)length, before);
        else if (!written[i])
            print_setting(settings, i, out);
        if (i < SETTING_COUNT)
            written[i] = true;
        before += length + (before[length] == '\n');
    }
    for (size_t i = 0; out && i < SETTING_COUNT; i++)
        if (!written[i])
            print_setting(settings, i, out);
    return text_stream_finish(&stream, STATUS_OK, text);
}

enum status settings_save(const struct screen_settings *settings, char **text,
                          struct diagnostics *diagnostics)
{
    char path[SETTINGS_PATH], *before;
    size_t length;
    struct screen_settings there = *settings;
    *text = NULL;
    if (!config_file("settings", true, path, sizeof path))
        return diagnostics_error(diagnostics, STATUS_IO, "there is no folder for settings");
    enum status status = config_file_read("settings", &before, &length, diagnostics);
    if (!status)
        status = settings_read(&there, before, path, diagnostics);
    if (!status || status == STATUS_NOT_FOUND)
        status = settings_text(settings, before ? before : "", text);
    free(before);
    return status ? status
                  : output_file_write(path, *text, strlen(*text), OUTPUT_REPLACE, diagnostics);
}
