#include "report/runs/event_export.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *help;
    bool scenes;
    const struct export_format *format;
} formats[] = {
#define EXPORT_ROW(id, name, scenes, help) {name, help, scenes, &export_format_##id},
    EXPORT_LIST(EXPORT_ROW)
#undef EXPORT_ROW
};
enum { FORMATS = sizeof formats / sizeof *formats };

static void exports_put(void *context, const struct timing_event *events, size_t count)
{
    const struct event_exports *exports = context;
    for (size_t i = 0; i < exports->count; i++)
        for (size_t k = 0; k < count; k++)
            exports->items[i].format->put(&exports->items[i], &events[k]);
}

static enum status find_format(const char *wish, bool scene, const struct export_format **format,
                               struct diagnostics *diagnostics)
{
    const size_t length = strcspn(wish, "=");
    const char *names[FORMATS];
    char name[32], hint[SUGGESTION_TEXT];
    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        *format = formats[i].format;
        if (!wish[length] || !wish[length + 1] || strlen(names[i]) != length ||
            strncmp(names[i], wish, length))
            continue;
        return formats[i].scenes || !scene
                   ? STATUS_OK
                   : diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                       "--export: %s is not made of a scene, which no SM runs",
                                       names[i]);
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), wish);
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "--export: expected FORMAT=FILE, as vcd=run.vcd (run --help lists the "
                             "formats), got '%.60s'%s",
                             wish, suggestion(nearest_name(name, names, FORMATS), hint));
}

enum status event_exports_open(struct event_exports *exports, const char *const *wishes,
                               size_t count, bool replace, const struct machine *machine,
                               const struct trace_source *source, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    *exports = (struct event_exports){.watch = {exports_put, exports}};
    if (!count)
        return status;
    exports->items = calloc(count, sizeof *exports->items);
    if (!exports->items)
        return STATUS_MEMORY;
    for (size_t i = 0; !status && i < count; i++) {
        struct event_export *export = &exports->items[i];
        *export =
            (struct event_export){.machine = machine, .source = source, .diagnostics = diagnostics};
        status = find_format(wishes[i], source->tiles, &export->format, diagnostics);
        if (!status)
            status =
                output_file_open(strchr(wishes[i], '=') + 1, replace ? OUTPUT_REPLACE : OUTPUT_NEW,
                                 &export->file, diagnostics);
        if (status)
            return status;
        exports->count++;
        export->out = export->file.stream;
        status = export->format->begin(export);
    }
    return status;
}

enum status event_exports_close(struct event_exports *exports, enum status status,
                                struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < exports->count; i++) {
        struct event_export *export = &exports->items[i];
        if (!status)
            status = export->status ? export->status : export->format->end(export);
        if (export->format->drop)
            export->format->drop(export);
        if (!status)
            status = output_file_commit(&export->file, diagnostics);
        else
            output_file_drop(&export->file);
    }
    free(exports->items);
    *exports = (struct event_exports){0};
    return status;
}

void event_exports_list(FILE *out)
{
    fputs("\nFormats of --export:\n", out);
    for (size_t i = 0; i < FORMATS; i++)
        fprintf(out, "  %-10s %s\n", formats[i].name, formats[i].help);
}
