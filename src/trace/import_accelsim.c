/* Accel-Sim / NVBit SASS traces: a kernelslist.g, or one kernel (docs/FORMATS.md). Every kernel
 * becomes a launch, in the order of the list; copies between host and device are skipped. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_ends.h"
#include "trace/accelsim_kernel.h"
#include "trace/accelsim_tracez.h"
#include "trace/importers.h"

static bool word_ends_with(const char *word, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    return length > size && !strncmp(word + length - size, ending, size);
}

/* Whether a word is the name of a trace of one kernel, compressed or not. */
static bool is_trace_name(const char *word, size_t length)
{
    static const char *const packings[] = {".xz", ".gz", ".zst"};
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (word_ends_with(word, length, packings[i])) {
            length -= strlen(packings[i]);
            break;
        }
    return word_ends_with(word, length, ".traceg") || word_ends_with(word, length, ".trace") ||
           word_ends_with(word, length, ".tracez");
}

/* Whether the first line of a file is one of a kernel's header, of a list or of something else. A
 * list holds nothing but traces and copies, and at least one trace. */
static enum head_line judge_list(const char *line)
{
    const char *at = line, *word;
    size_t length;
    scan_word(&at, &word, &length);
    if (*word == '#' || !strncmp(word, "Memcpy", 6))
        return HEAD_NEUTRAL;
    return is_trace_name(word, length) && scan_end(&at) ? HEAD_MINE : HEAD_OTHER;
}

/* The first line that is neither blank nor a comment. */
static const char *first_line(const char *text)
{
    text += strspn(text, " \t\r\n");
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\r\n");
    }
    return text;
}

static bool accelsim_content(const struct trace_head *head)
{
    const char *text = first_line(head->text);
    if (!strncmp(text, "-kernel name", 12) || !strncmp(text, "MemcpyHtoD,", 11))
        return true;
    const struct head_lines lines = head_judge(head, judge_list);
    return lines.mine && !lines.other;
}

static bool accelsim_named(const char *file)
{
    return text_ends(file, ".traceg") || text_ends(file, ".trace") || text_ends(file, ".tracez") ||
           !strncmp(file, "kernelslist", 11);
}

/* Whether the lines of a kernel are in order of arrival: nothing groups them by thread blocks. The
 * header has been read, and the reader stands where it stood. */
static bool is_raw(struct text_reader *reader)
{
    while (text_line(reader)) {
        const char *at = reader->line;
        if (!strncmp(at, "#BEGIN_TB", 9) || !strncmp(at, "thread block = ", 15)) {
            text_again(reader);
            return false;
        }
        if (scan_end(&at) || *at == '#')
            continue;
        text_again(reader);
        return accelsim_prefix(reader->line) >= 4;
    }
    return false;
}

static enum status import_kernel(struct text_reader *reader, struct wtr_writer *writer)
{
    struct accelsim_header header;
    enum status status = accelsim_read_header(reader, &header);
    if (status || !wtr_wants(writer, &header.launch)) {
        free(header.launch.name);
        return status;
    }
    status = wtr_begin_launch(writer, &header.launch);
    if (!status)
        status = wtr_begin_code(writer, &header.launch);
    if (!status)
        status = is_raw(reader) ? accelsim_read_raw(reader, &header, writer)
                                : accelsim_read_grouped(reader, &header, writer);
    free(header.launch.name);
    return status;
}

static enum status import_kernel_file(const char *path, struct wtr_writer *writer,
                                      struct diagnostics *diagnostics)
{
    struct text_reader reader;
    enum status status = text_ends(path, ".tracez") ? tracez_open(path, &reader, diagnostics)
                                                    : text_open(path, &reader, diagnostics);
    if (status)
        return status;
    status = import_kernel(&reader, writer);
    text_close(&reader);
    return status;
}

/* The path of a kernel that a list names: in the folder of the list, and possibly compressed. NULL
 * if there is no memory or no such file (then *missing is set). */
static char *kernel_path(const char *list, const char *name, bool *missing)
{
    static const char *const endings[] = {"", ".xz", ".gz", ".zst"};
    const char *slash = strrchr(list, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - list) + 1 : 0;
    *missing = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path;
        if (asprintf(&path, "%.*s%s%s", folder, list, name, endings[i]) < 0)
            return NULL;
        if (!access(path, R_OK))
            return path;
        free(path);
    }
    *missing = true;
    return NULL;
}

static enum status import_named(const char *list, struct text_reader *reader,
                                struct wtr_writer *writer)
{
    const char *at = reader->line, *name;
    size_t length;
    if (!scan_word(&at, &name, &length))
        return STATUS_OK;
    reader->line[name - reader->line + (ptrdiff_t)length] = '\0';
    bool missing;
    char *path = kernel_path(list, name, &missing);
    if (!path && missing)
        text_problem(reader, SEVERITY_ERROR, name, "there is no such file beside the list");
    if (!path)
        return missing ? STATUS_NOT_FOUND : STATUS_MEMORY;
    enum status status = import_kernel_file(path, writer, reader->diagnostics);
    free(path);
    return status;
}

static enum status import_list(const char *path, struct text_reader *reader,
                               struct wtr_writer *writer)
{
    enum status result = STATUS_OK;
    bool any = false;
    while (text_line(reader)) {
        const char *at = reader->line, *word;
        size_t length;
        bool names = scan_word(&at, &word, &length) && *word != '#' &&
                     (!strncmp(word, "kernel", 6) || is_trace_name(word, length));
        if (!names) /* copies between host and device, comments, blank lines */
            continue;
        any = true;
        enum status status = import_named(path, reader, writer);
        result = result ? result : status;
        if (status == STATUS_MEMORY || status == STATUS_IO || reader->problems > TEXT_PROBLEMS_MAX)
            break;
    }
    if (!any && !result) {
        return diagnostics_error(reader->diagnostics, STATUS_INVALID,
                                 "%s: expected a kernel ('-kernel name = ...') or a list of "
                                 "kernels, because its name is that of a trace of Accel-Sim; "
                                 "--format-in, or FILE:format=NAME, says that it is another",
                                 path);
    }
    return result;
}

/* A file is a list of kernels if its first line, apart from comments, is not part of a header. */
static enum status is_list(const char *path, bool *list, struct diagnostics *diagnostics)
{
    struct text_reader reader;
    enum status status = text_open(path, &reader, diagnostics);
    if (status)
        return status;
    *list = true;
    while (text_line(&reader)) {
        const char *at = reader.line;
        if (scan_end(&at) || *at == '#')
            continue;
        *list = *at != '-';
        break;
    }
    text_close(&reader);
    return STATUS_OK;
}

static enum status import_accelsim(const char *path, struct wtr_writer *writer,
                                   struct diagnostics *diagnostics)
{
    bool list = false;
    if (text_ends(path, ".tracez"))
        return import_kernel_file(path, writer, diagnostics);
    enum status status = is_list(path, &list, diagnostics);
    if (status)
        return status;
    if (!list)
        return import_kernel_file(path, writer, diagnostics);
    struct text_reader reader;
    if ((status = text_open(path, &reader, diagnostics)))
        return status;
    status = import_list(path, &reader, writer);
    text_close(&reader);
    return status;
}

const struct importer importer_accelsim = {
    .name = "accelsim",
    .help = "Accel-Sim SASS traces: kernelslist.g, .traceg, .tracez, .trace",
    .content = accelsim_content,
    .named = accelsim_named,
    .import = import_accelsim,
};
