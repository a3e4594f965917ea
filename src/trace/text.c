#include "trace/text.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

enum { BUFFER_BYTES = 2 * TEXT_LINE_MAX, READ_BLOCK = 1 << 17, QUOTED_MAX = 160 };

static enum status open_archive(struct text_reader *reader)
{
    struct archive *archive = reader->archive;
    if (archive_read_support_filter_gzip(archive) < ARCHIVE_WARN ||
        archive_read_support_filter_xz(archive) < ARCHIVE_WARN ||
        archive_read_support_filter_zstd(archive) < ARCHIVE_WARN ||
        archive_read_support_filter_bzip2(archive) < ARCHIVE_WARN ||
        archive_read_support_format_raw(archive) < ARCHIVE_WARN ||
        archive_read_support_format_empty(archive) < ARCHIVE_WARN)
        return STATUS_IO;
    if (archive_read_open_filename(archive, reader->path, READ_BLOCK) != ARCHIVE_OK)
        return STATUS_IO;
    struct archive_entry *entry;
    int result = archive_read_next_header(archive, &entry);
    reader->exhausted = result == ARCHIVE_EOF; /* an empty file */
    return result == ARCHIVE_OK || reader->exhausted ? STATUS_OK : STATUS_CORRUPT;
}

/* Opens a file that libarchive would read as it is once more, to read it without copying. */
static void open_plain(struct text_reader *reader)
{
    struct stat about;
    if (reader->exhausted || archive_filter_code(reader->archive, 0) != ARCHIVE_FILTER_NONE)
        return;
    reader->file = open(reader->path, O_RDONLY | O_CLOEXEC);
    if (reader->file < 0)
        return;
    reader->plain = !fstat(reader->file, &about) && S_ISREG(about.st_mode);
    if (!reader->plain)
        close(reader->file);
}

enum status text_open(const char *path, struct text_reader *reader, struct diagnostics *diagnostics)
{
    *reader = (struct text_reader){.diagnostics = diagnostics};
    reader->archive = archive_read_new();
    reader->path = strdup(path);
    reader->buffer = malloc(BUFFER_BYTES + 1);
    enum status status = STATUS_MEMORY;
    if (!reader->archive || !reader->path || !reader->buffer)
        goto cleanup;
    if ((status = open_archive(reader))) {
        const int number = archive_errno(reader->archive);
        diagnostics_error(diagnostics, status, "%s: %s", path,
                          status == STATUS_IO && number > 0
                              ? strerror(number)
                              : archive_error_string(reader->archive));
        goto cleanup;
    }
    open_plain(reader);
    return STATUS_OK;
cleanup:
    text_close(reader);
    return status;
}

enum status text_open_source(const char *path, const struct text_source *source,
                             struct text_reader *reader, struct diagnostics *diagnostics)
{
    *reader = (struct text_reader){.source = *source, .diagnostics = diagnostics};
    reader->path = strdup(path);
    reader->buffer = malloc(BUFFER_BYTES + 1);
    if (reader->path && reader->buffer)
        return STATUS_OK;
    text_close(reader);
    return STATUS_MEMORY;
}

void text_close(struct text_reader *reader)
{
    if (reader->problems > TEXT_PROBLEMS_MAX) {
        struct place place = {.file = reader->path};
        diagnostics_add(reader->diagnostics, SEVERITY_NOTE, &place, "%u more problems",
                        reader->problems - TEXT_PROBLEMS_MAX);
    }
    if (reader->source.close)
        reader->source.close(reader->source.argument);
    if (reader->plain)
        close(reader->file);
    archive_read_free(reader->archive);
    free(reader->path);
    free(reader->buffer);
    *reader = (struct text_reader){0};
}

static ptrdiff_t read_plain(struct text_reader *reader, char *buffer, size_t room, const char **why)
{
    ssize_t got;
    do
        got = read(reader->file, buffer, room);
    while (got < 0 && errno == EINTR);
    *why = got < 0 ? strerror(errno) : NULL;
    return got;
}

/* Reads up to `room` bytes from the file, the archive or the source. 0 at the end; -1 for a
 * failure, which *why explains. */
static ptrdiff_t read_some(struct text_reader *reader, char *buffer, size_t room, const char **why)
{
    if (reader->plain)
        return read_plain(reader, buffer, room, why);
    if (!reader->source.read) {
        la_ssize_t got = archive_read_data(reader->archive, buffer, room);
        *why = got < 0 ? archive_error_string(reader->archive) : NULL;
        return got;
    }
    if (!reader->byte_count) {
        const void *bytes;
        ptrdiff_t got = reader->source.read(reader->source.argument, &bytes, why);
        if (got <= 0)
            return got;
        reader->bytes = bytes;
        reader->byte_count = (size_t)got;
    }
    size_t count = reader->byte_count < room ? reader->byte_count : room;
    memcpy(buffer, reader->bytes, count);
    reader->bytes += count;
    reader->byte_count -= count;
    return (ptrdiff_t)count;
}

/* Reads more bytes after `end`. A damaged compressed file ends at the damage, and `status` records
 * that. */
static void text_fill(struct text_reader *reader)
{
    if (reader->begin) {
        memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    const char *why = NULL;
    size_t room = BUFFER_BYTES - reader->end;
    if (room > READ_BLOCK) /* which stays in the processor's caches */
        room = READ_BLOCK;
    ptrdiff_t got = read_some(reader, reader->buffer + reader->end, room, &why);
    if (got > 0) {
        reader->end += (size_t)got;
        return;
    }
    reader->exhausted = true;
    if (got < 0) {
        reader->status = STATUS_CORRUPT;
        struct place place = {.file = reader->path, .line = reader->number + 1};
        diagnostics_add(reader->diagnostics, SEVERITY_WARNING, &place,
                        "the file cannot be read any further: %s", why);
    }
}

/* Before the first line: skips a byte order mark, and refuses UTF-16, whose line breaks text_line
 * would take for parts of lines. */
static bool begin_text(struct text_reader *reader)
{
    while (reader->end < 4 && !reader->exhausted)
        text_fill(reader);
    if (!utf16_seems(reader->buffer, reader->end)) {
        reader->begin = utf8_mark(reader->buffer, reader->end);
        return true;
    }
    reader->status = STATUS_INVALID;
    reader->exhausted = true;
    reader->begin = reader->end;
    const struct place place = {.file = reader->path};
    diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place, UTF16_TEXT);
    return false;
}

bool text_line(struct text_reader *reader)
{
    char *newline = NULL;
    size_t searched = 0;
    if (reader->again) {
        reader->again = false;
        return true;
    }
    if (!reader->number && !reader->begin && !begin_text(reader))
        return false;
    for (;;) {
        char *begin = reader->buffer + reader->begin;
        size_t length = reader->end - reader->begin;
        newline = memchr(begin + searched, '\n', length - searched);
        /* Look only at bytes that were not searched before: a long line must not cost quadratic
         * time. */
        if (newline || reader->exhausted || length >= TEXT_LINE_MAX)
            break;
        searched = length;
        text_fill(reader);
    }
    reader->line = reader->buffer + reader->begin;
    reader->length = reader->end - reader->begin;
    if (!newline && !reader->length)
        return false;
    reader->number++;
    if (!newline && reader->length >= TEXT_LINE_MAX) {
        reader->status = STATUS_INVALID;
        reader->exhausted = true;
        reader->begin = reader->end;
        struct place place = {.file = reader->path, .line = reader->number};
        diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place,
                        "the line is longer than %d characters", TEXT_LINE_MAX);
        return false;
    }
    reader->complete = newline != NULL;
    if (newline)
        reader->length = (size_t)(newline - reader->line);
    reader->begin += reader->length + (newline != NULL);
    if (reader->length && reader->line[reader->length - 1] == '\r')
        reader->length--;
    reader->line[reader->length] = '\0';
    return true;
}

size_t text_bytes(struct text_reader *reader, void *bytes, size_t size)
{
    if (reader->begin == reader->end && !reader->exhausted)
        text_fill(reader);
    size_t count = reader->end - reader->begin;
    if (count > size)
        count = size;
    memcpy(bytes, reader->buffer + reader->begin, count);
    reader->begin += count;
    return count;
}

static unsigned count_characters(const char *begin, const char *end)
{
    unsigned count = 0;
    for (; begin < end; begin++)
        count += utf8_begins(*begin);
    return count;
}

void text_problem(struct text_reader *reader, enum severity severity, const char *at,
                  const char *format, ...)
{
    char source[QUOTED_MAX + 1];
    if (reader->problems++ >= TEXT_PROBLEMS_MAX) {
        if (severity == SEVERITY_ERROR && reader->diagnostics)
            reader->diagnostics->errors++; /* counted, not shown */
        return;
    }
    snprintf(source, sizeof source, "%s", reader->line); /* the beginning of the line, for
                                                          * display */
    struct place place = {.file = reader->path, .line = reader->number};
    if (at) {
        const char *end = at + strcspn(at, " \t,");
        place.column = count_characters(reader->line, at) + 1;
        place.span = count_characters(at, end);
        if (end - reader->line < QUOTED_MAX)
            place.source = source;
    }
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reader->diagnostics, severity, &place, NULL, format, arguments);
    va_end(arguments);
}

static inline void skip_blanks(const char **at)
{
    while (**at == ' ' || **at == '\t')
        (*at)++;
}

static inline bool token_ends(char c)
{
    return c == ' ' || c == '\t' || c == '\0' || c == ',' || c == ')';
}

bool scan_decimal(const char **at, uint64_t *value)
{
    skip_blanks(at);
    const char *begin = *at, *p = begin;
    uint64_t result = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (result > (UINT64_MAX - digit) / 10)
            return false;
        result = result * 10 + digit;
    }
    if (p == begin || !token_ends(*p))
        return false;
    *at = p;
    *value = result;
    return true;
}

bool scan_up_to(const char **at, uint64_t most, uint64_t *value)
{
    const char *p = *at;
    skip_blanks(at);
    if (!scan_decimal(&p, value) || *value > most)
        return false;
    *at = p;
    return true;
}

bool scan_signed(const char **at, int64_t *value)
{
    skip_blanks(at);
    const char *p = *at;
    bool negative = *p == '-';
    uint64_t magnitude;
    p += negative || *p == '+';
    if (*p == ' ' || !scan_decimal(&p, &magnitude) || magnitude > (uint64_t)INT64_MAX)
        return false;
    *at = p;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

/* One more than the value of each digit; 0: it is none. */
static const uint8_t hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

bool scan_hex(const char **at, uint64_t *value)
{
    skip_blanks(at);
    const char *p = *at;
    if (p[0] == '0' && (p[1] | 32) == 'x')
        p += 2;
    const char *begin = p;
    uint64_t result = 0;
    for (unsigned digit; (digit = hex_digits[(unsigned char)*p]) != 0; p++) {
        if (result >> 60)
            return false;
        result = result << 4 | (digit - 1);
    }
    if (p == begin || !token_ends(*p))
        return false;
    *at = p;
    *value = result;
    return true;
}

bool scan_word(const char **at, const char **word, size_t *length)
{
    skip_blanks(at);
    const char *p = *at;
    while (*p && *p != ' ' && *p != '\t')
        p++;
    if (p == *at)
        return false;
    *word = *at;
    *length = (size_t)(p - *at);
    *at = p;
    return true;
}

bool scan_end(const char **at)
{
    skip_blanks(at);
    return **at == '\0';
}
