#include "trace/trace_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/output_file.h"
#include "base/text_ends.h"
#include "base/utf8.h"
#include "trace/importers.h"
#include "trace/launch_choice.h"
#include "trace/text.h"
#include "trace/u64_file.h"
#include "trace/wtr.h"
#include "trace/wtr_write.h"

#define IMPORTER_POINTER(name) &importer_##name,
const struct importer *const trace_importers[] = {IMPORTER_LIST(IMPORTER_POINTER) NULL};
#undef IMPORTER_POINTER

/* What other programs print before the first access fits, such as the banner of NVBit. */
enum { HEAD_BYTES = 1 << 16 };

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file's name. Names such as kernelslist.g and kernel-1.traceg say nothing, so they include the
 * folder. */
static const char *default_name(const char *path)
{
    const char *file = file_name(path);
    if (strncmp(file, "kernel", 6) || file == path)
        return file;
    const char *folder = file - 1;
    while (folder > path && folder[-1] != '/')
        folder--;
    return *folder == '.' || *folder == '/' ? file : folder;
}

/* "wtr, accelsim, ... or addresses". */
enum { FORMATS_TEXT = 256 };
static const char *print_formats(const char *first, char text[FORMATS_TEXT])
{
    size_t length = (size_t)snprintf(text, FORMATS_TEXT, "%s", first);
    for (size_t i = 0; trace_importers[i] && length < FORMATS_TEXT; i++)
        length += (size_t)snprintf(text + length, FORMATS_TEXT - length, "%s%s",
                                   !length                  ? ""
                                   : trace_importers[i + 1] ? ", "
                                                            : " or ",
                                   trace_importers[i]->name);
    return text;
}

static enum status find_importer(const char *format, const struct importer **importer,
                                 struct diagnostics *diagnostics)
{
    const char *names[sizeof trace_importers / sizeof *trace_importers];
    size_t count = 0;
    for (; trace_importers[count]; count++) {
        names[count] = trace_importers[count]->name;
        if (!strcmp(format, names[count])) {
            *importer = trace_importers[count];
            return STATUS_OK;
        }
    }
    const char *nearest = nearest_name(format, names, count);
    char hint[SUGGESTION_TEXT], formats[FORMATS_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "unknown trace format '%s': expected %s%s", format,
                             print_formats("", formats), suggestion(nearest, hint));
}

static enum status unrecognised(const char *path, struct diagnostics *diagnostics)
{
    char kinds[FORMATS_TEXT];
    return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                             "%s: neither name nor content say which kind of trace this is; "
                             "expected %s (any list becomes a CSV by a first line that names its "
                             "columns: address,op,bytes)",
                             path, print_formats("wtr", kinds));
}

struct head_lines head_judge(const struct trace_head *head,
                             enum head_line (*judge)(const char *line))
{
    struct head_lines lines = {0};
    char line[HEAD_BYTES + 1];
    for (const char *at = head->text; *at;) {
        size_t length = strcspn(at, "\n");
        if (!at[length] && !head->whole)
            break;
        memcpy(line, at, length);
        line[length] = '\0';
        line[strcspn(line, "\r")] = '\0';
        const enum head_line kind = line[strspn(line, " \t")] ? judge(line) : HEAD_NEUTRAL;
        lines.mine += kind == HEAD_MINE;
        lines.other += kind == HEAD_OTHER;
        at += length + (at[length] == '\n');
    }
    return lines;
}

/* Asks the importers about a file's first bytes, and then about its name. NULL: it is no one's. */
static const struct importer *find_recognised(const struct trace_head *head)
{
    const bool binary = strlen(head->text) < head->size;
    for (size_t i = 0; trace_importers[i] && !binary; i++)
        if (trace_importers[i]->content && trace_importers[i]->content(head))
            return trace_importers[i];
    for (size_t i = 0; trace_importers[i]; i++)
        if (trace_importers[i]->named(head->file))
            return trace_importers[i];
    return NULL;
}

/* Reads the first bytes of a file; several reads, because a pipe gives a little at a time. */
static enum status read_head(const char *path, char bytes[HEAD_BYTES + 1], size_t *size,
                             struct diagnostics *diagnostics)
{
    struct text_reader reader;
    enum status status = text_open(path, &reader, diagnostics);
    if (status)
        return status;
    *size = 0;
    for (size_t got = 1; got && *size < HEAD_BYTES; *size += got)
        got = text_bytes(&reader, bytes + *size, HEAD_BYTES - *size);
    bytes[*size] = '\0';
    text_close(&reader);
    return STATUS_OK;
}

static enum status recognise(const char *path, const struct importer **importer,
                             struct diagnostics *diagnostics)
{
    static const char *const packings[] = {".gz", ".xz", ".zst", ".bz2"};
    char file[NAME_MAX + 1], bytes[HEAD_BYTES + 1];
    size_t size;
    enum status status = read_head(path, bytes, &size, diagnostics);
    if (status)
        return status;
    if (size >= sizeof WTR_HEADER_MAGIC - 1 &&
        !memcmp(bytes, WTR_HEADER_MAGIC, sizeof WTR_HEADER_MAGIC - 1))
        return diagnostics_error(
            diagnostics, STATUS_UNSUPPORTED,
            "%s: a .wtr holds packed chunks, which are read where they lie, so "
            "it cannot be packed once more: decompress it first (gunzip, "
            "unxz, unzstd or bunzip2)",
            path);
    snprintf(file, sizeof file, "%s", file_name(path));
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (text_ends(file, packings[i]))
            file[strlen(file) - strlen(packings[i])] = '\0';
    const size_t mark = utf8_mark(bytes, size);
    const struct trace_head head = {
        .file = file, .text = bytes + mark, .size = size - mark, .whole = size < HEAD_BYTES};
    *importer = find_recognised(&head);
    if (*importer)
        return STATUS_OK;
    if (utf16_seems(bytes, size))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: " UTF16_TEXT, path);
    return unrecognised(path, diagnostics);
}

/* Imports `path` as .wtr into the empty file `fd`; chunks go to `kept` unless it is NULL. */
static enum status import_into(int fd, const char *label, const char *path,
                               const struct importer *importer, struct launch_choice *choice,
                               struct wtr_kept *kept, struct diagnostics *diagnostics)
{
    struct wtr_writer *writer;
    enum status status = wtr_writer_create(fd, label, &writer, diagnostics);
    if (status)
        return status;
    wtr_writer_keep(writer, kept);
    wtr_writer_choose(writer, choice);
    status = importer->import(path, writer, diagnostics);
    if (!status)
        status = wtr_finish(writer);
    wtr_writer_free(writer);
    return status;
}

/* Opens the file of an import with the chunks that were kept. */
static enum status open_kept(int fd, const char *path, const char *name, const char *provenance,
                             struct wtr_kept *kept, struct trace_source **source,
                             struct diagnostics *diagnostics)
{
    enum status status = wtr_open(fd, path, name, provenance, source, diagnostics);
    if (status || !(status = wtr_take_kept(*source, kept)))
        return status;
    trace_source_free(*source);
    *source = NULL;
    return status;
}

/* The importer of the format that was said, or else that the file shows. */
static enum status choose_importer(const char *path, const struct trace_part *part,
                                   const struct importer **importer,
                                   struct diagnostics *diagnostics)
{
    return part->format ? find_importer(part->format, importer, diagnostics)
                        : recognise(path, importer, diagnostics);
}

static enum status open_imported(const char *path, const char *name, const struct trace_part *part,
                                 struct trace_source **source, struct diagnostics *diagnostics)
{
    const struct importer *importer = NULL;
    enum status status = choose_importer(path, part, &importer, diagnostics);
    if (status)
        return status;
    assert(importer);
    int fd = unnamed_file();
    if (fd < 0)
        return diagnostics_error(diagnostics, STATUS_IO, "no temporary file for %s: %s", path,
                                 strerror(errno));
    struct wtr_kept kept = {0};
    char *provenance = NULL;
    status = import_into(fd, path, path, importer, part->choice, &kept, diagnostics);
    if (!status && asprintf(&provenance, "%s: %s", importer->name, path) < 0)
        status = STATUS_MEMORY;
    if (status)
        close(fd);
    else
        status = open_kept(fd, path, name, provenance, &kept, source, diagnostics);
    free(provenance);
    wtr_kept_free(&kept);
    return status;
}

/* Whether a file is a .wtr: it begins like one, or has the name and is nothing else, so that damage
 * is reported as such. */
static bool is_wtr(int fd, const char *path)
{
    const struct importer *importer;
    char magic[8] = {0};
    ssize_t got = pread(fd, magic, sizeof magic, 0);
    return (got == sizeof magic && !memcmp(magic, WTR_HEADER_MAGIC, sizeof magic)) ||
           (text_ends(path, ".wtr") && recognise(path, &importer, NULL));
}

const char *trace_kind(const char *path)
{
    const struct importer *importer = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    bool wtr = is_wtr(fd, path);
    close(fd);
    if (wtr)
        return "wtr";
    return recognise(path, &importer, NULL) ? NULL : importer->name;
}

/* Opens a .wtr file; takes over `fd`. */
static enum status open_wtr(int fd, const char *path, const char *name,
                            struct trace_source **source, struct diagnostics *diagnostics)
{
    char *provenance;
    if (asprintf(&provenance, "wtr: %s", path) < 0) {
        close(fd);
        return STATUS_MEMORY;
    }
    enum status status = wtr_open(fd, path, name, provenance, source, diagnostics);
    free(provenance);
    return status;
}

/* Opens a file of any format. Where an importer can, it has chosen launches already. */
static enum status open_any(const char *path, const char *name, const struct trace_part *part,
                            struct trace_source **source, struct diagnostics *diagnostics)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return diagnostics_error(diagnostics, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                                 "%s: %s", path, strerror(errno));
    if (part->format ? !strcmp(part->format, "wtr") : is_wtr(fd, path))
        return open_wtr(fd, path, name, source, diagnostics);
    close(fd);
    const struct importer *importer;
    if (!part->format && u64_is_raw(path) && !recognise(path, &importer, NULL) &&
        importer == &importer_u64) {
        struct u64_file file;
        enum status status = u64_open(path, &file, diagnostics);
        return status ? status : u64_source(&file, name, source, diagnostics);
    }
    return open_imported(path, name, part, source, diagnostics);
}

enum status trace_open_part(const char *path, const char *name, const struct trace_part *part,
                            struct trace_source **source, struct diagnostics *diagnostics)
{
    *source = NULL;
    enum status status =
        open_any(path, name ? name : default_name(path), part, source, diagnostics);
    if (!status && part->choice)
        status = launch_choice_apply(part->choice, source, diagnostics);
    if (status) {
        trace_source_free(*source);
        *source = NULL;
    }
    return status;
}

enum status trace_open(const char *path, const char *name, struct trace_source **source,
                       struct diagnostics *diagnostics)
{
    return trace_open_part(path, name, &(struct trace_part){0}, source, diagnostics);
}

enum status trace_import(const char *path, const struct trace_part *part, const char *output,
                         unsigned options, struct diagnostics *diagnostics)
{
    const struct importer *importer = NULL;
    enum status status = choose_importer(path, part, &importer, diagnostics);
    if (status)
        return status;
    assert(importer);
    struct output_file file;
    status = output_file_open(output, options, &file, diagnostics);
    if (status)
        return status;
    status =
        import_into(fileno(file.stream), output, path, importer, part->choice, NULL, diagnostics);
    if (!status && part->choice)
        status = launch_choice_check(part->choice, path, diagnostics);
    if (!status)
        return output_file_commit(&file, diagnostics);
    output_file_drop(&file);
    return status;
}
