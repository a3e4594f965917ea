#include "cli/shared/machine_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "cli/shared/shell_words.h"
#include "config/machine_file.h"
#include "model/timing/timing.h"

/* Warn about a setting that the model ignores: the user expects it to change something. */
static void warn_dead(const struct options_list *settings, const struct machine *machine,
                      enum depth depth, struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < settings->count; i++) {
        char path[64], why[VALUE_TEXT];
        snprintf(path, sizeof path, "%.*s", (int)strcspn(settings->items[i], "="),
                 settings->items[i]);
        const struct parameter *parameter = parameter_find(path);
        if (parameter && parameter_dead(parameter, machine, depth, why))
            diagnostics_add(diagnostics, SEVERITY_WARNING, NULL, "--set %s has no effect%s",
                            settings->items[i], why);
    }
}

bool machine_argument_warn_slow(const struct machine *machine, enum depth depth)
{
    char slow[TIMING_SLOW];
    if (!timing_slow(machine, depth, slow))
        return false;
    fprintf(stderr, "warpscape: %s; Ctrl-C ends it\n", slow);
    return true;
}

/* Applies the settings to the machine and checks what comes of them. */
static enum status change(const struct options_list *settings, struct machine *machine,
                          struct diagnostics *diagnostics)
{
    struct violation found[VIOLATION_MAX];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < settings->count; i++) {
        enum status result = machine_set_text(machine, settings->items[i], diagnostics);
        status = status ? status : result;
    }
    const size_t broken = status ? 0 : machine_check(machine, found);
    for (size_t i = 0; i < broken && i < VIOLATION_MAX; i++)
        status = diagnostics_error(diagnostics, STATUS_INVALID, "%s: %s", found[i].parameter->path,
                                   found[i].message);
    return status;
}

enum status machine_argument_open(const char *name, const struct options_list *settings,
                                  unsigned *depth, struct exploration *explored,
                                  struct machine *machine, struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    enum status status = machine_load(name, NULL, machine, &document, diagnostics);
    if (status)
        machine_defaults(machine);
    else
        status = change(settings, machine, diagnostics);
    exploration_read(document, machine, explored, NULL);
    document_free(document);
    if (*depth == DEPTH_COUNT)
        *depth = explored->depth;
    if (status)
        return status;
    warn_dead(settings, machine, (enum depth) * depth, diagnostics);
    (void)machine_argument_warn_slow(machine, (enum depth) * depth);
    return STATUS_OK;
}

enum status machine_argument_load(const char *name, const struct options_list *settings,
                                  enum depth depth, struct machine *machine,
                                  struct diagnostics *diagnostics)
{
    struct exploration unused;
    unsigned known = depth;
    return machine_argument_open(name, settings, &known, &unused, machine, diagnostics);
}

char *machine_argument_text(const char *name, const struct options_list *settings)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    fputs(name, out);
    for (size_t i = 0; i < settings->count; i++)
        fprintf(out, " %s", settings->items[i]);
    return text_stream_take(&stream);
}

char *machine_argument_command(const char *name, const struct options_list *settings,
                               const char *workload, enum depth depth)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    fputs("warpscape run ", out);
    shell_word(name, out);
    for (size_t i = 0; i < settings->count; i++) {
        fputs(" -s ", out);
        shell_word(settings->items[i], out);
    }
    fputs(" -w ", out);
    shell_word(workload, out);
    fprintf(out, " --depth %s", depth_name(depth));
    return text_stream_take(&stream);
}
