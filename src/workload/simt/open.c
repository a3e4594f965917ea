/* Opens files of the SIMT processor with their arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "workload/arguments.h"
#include "workload/simt/simt_source.h"

static const struct workload any_program = {.name = "a program of the SIMT processor",
                                            .parameters = simt_parameters,
                                            .parameter_count = SIMT_PARAMETERS,
                                            .sizes = SIMT_SIZES};

bool simt_recognise(const char *path)
{
    static const char elf[] = "\177ELF";
    const char *dot = strrchr(path, '.');
    if (dot && (!strcmp(dot, ".s") || !strcmp(dot, ".S") || !strcmp(dot, ".elf")))
        return true;
    char head[sizeof elf - 1];
    FILE *in = fopen(path, "rb");
    const bool found =
        in && fread(head, sizeof head, 1, in) == 1 && !memcmp(head, elf, sizeof head);
    if (in)
        fclose(in);
    return found;
}

static bool is_parameter(const char *name)
{
    for (size_t i = 0; i < SIMT_PARAMETERS; i++)
        if (!strcmp(simt_parameters[i].name, name))
            return true;
    return false;
}

/* Sets one "name=value": a parameter in lower case, else a define. */
static enum status take_argument(char *text, struct arguments *arguments,
                                 struct simt_defines *defines, struct diagnostics *diagnostics)
{
    char *equals = strchr(text, '='), *end;
    if (equals)
        *equals = '\0';
    if (!equals || is_parameter(text) || *text < 'A' || *text > 'Z')
        return equals ? workload_arguments_set(arguments, text, equals + 1, NULL, NULL, diagnostics)
                      : diagnostics_error(diagnostics, STATUS_INVALID,
                                          "expected NAME=VALUE, found '%s'", text);
    const long long value = strtoll(equals + 1, &end, 0);
    if (!equals[1] || *end || value < INT32_MIN || value > (long long)UINT32_MAX)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected a 32-bit number after '%s=', found '%s'", text,
                                 equals + 1);
    if (defines->count == SIMT_DEFINES_MAX)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "more than %d names are set",
                                 SIMT_DEFINES_MAX);
    defines->items[defines->count++] = (struct simt_define){text, value};
    return STATUS_OK;
}

enum status simt_open(const char *path, const char *arguments, struct simt_program *program,
                      struct diagnostics *diagnostics)
{
    struct arguments parsed;
    struct simt_defines defines = {0};
    char *copy = strdup(arguments), *rest = copy;
    if (!copy)
        return STATUS_MEMORY;
    workload_arguments_init(&parsed, &any_program);
    enum status status = STATUS_OK;
    for (char *token; *arguments && (token = strsep(&rest, ","));) {
        const enum status found = take_argument(token, &parsed, &defines, diagnostics);
        status = status ? status : found;
    }
    struct simt_image image;
    if (!status)
        status = simt_image_open(path, &defines, &image, diagnostics);
    free(copy);
    if (status)
        return status;
    const struct simt_setup setup = simt_setup_of(parsed.values);
    return simt_program_init(program, &image, &setup);
}

enum status simt_source_open(const char *path, const char *name, const char *arguments,
                             struct trace_source **source, struct diagnostics *diagnostics)
{
    struct simt_program program;
    char *title = NULL;
    *source = NULL;
    enum status status = simt_open(path, arguments, &program, diagnostics);
    if (status)
        return status;
    if (asprintf(&title, "%s%s%s", name, *arguments ? ":" : "", arguments) < 0) {
        simt_program_free(&program);
        return STATUS_MEMORY;
    }
    status = simt_source_create(title, &program, source, diagnostics);
    free(title);
    return status;
}
