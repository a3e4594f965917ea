#include "base/diag.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/text_stream.h"
#include "base/utf8.h"

void diagnostics_free(struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        free(diagnostics->items[i].file);
        free(diagnostics->items[i].source);
        free(diagnostics->items[i].message);
    }
    free(diagnostics->items);
    *diagnostics = (struct diagnostics){0};
}

/* Copies up to the end of the line. Callers point into a whole file, which need not have a NUL at
 * the end of each line. */
static char *copy_line(const char *text)
{
    return text ? strndup(text, strcspn(text, "\r\n")) : NULL;
}

static void add_message(struct diagnostics *diagnostics, enum severity severity,
                        const struct place *place, char *message)
{
    static const struct place nowhere = {0};
    if (!place)
        place = &nowhere;
    /* Losing the text must not lose the error: the caller decides by `errors`. */
    if (array_reserve(&diagnostics->items, &diagnostics->capacity, diagnostics->count + 1)) {
        free(message);
        /* The caller must learn of the error even though its text is lost. */
        diagnostics->errors += severity == SEVERITY_ERROR;
        return;
    }
    diagnostics->items[diagnostics->count++] = (struct diagnostic){
        .severity = severity,
        .file = place->file ? strdup(place->file) : NULL,
        .source = copy_line(place->source),
        .message = message,
        .line = place->line,
        .column = place->column,
        .span = place->span,
        .offset = place->offset,
        .has_offset = place->has_offset,
    };
    diagnostics->errors += severity == SEVERITY_ERROR;
}

/* Moves *text past its first character and returns the columns that printing it takes. */
static unsigned skip_character(const char **text)
{
    size_t length = printable_length(*text);
    *text += length ? length : 1;
    return length ? 1 : PRINTABLE_ESCAPE;
}

/* Formats a message and escapes it. Escaping here, once, protects every printer. NULL: no
 * memory. */
__attribute__((format(printf, 3, 0))) static char *
format_message(size_t most, const char *subject, const char *format, va_list arguments)
{
    char *raw = NULL;
    struct text_stream stream;
    int length = vasprintf(&raw, format, arguments);
    if (length < 0)
        return NULL;
    if ((size_t)length > most)
        raw[most] = '\0';
    FILE *out = text_stream_open(&stream);
    if (out && subject) {
        printable_write(subject, out);
        fputs(": ", out);
    }
    if (out)
        printable_write(raw, out);
    free(raw);
    return text_stream_take(&stream);
}

void diagnostics_vadd(struct diagnostics *diagnostics, enum severity severity,
                      const struct place *place, const char *subject, const char *format,
                      va_list arguments)
{
    if (diagnostics)
        add_message(diagnostics, severity, place,
                    format_message(QUOTING_MAX, subject, format, arguments));
}

void diagnostics_add(struct diagnostics *diagnostics, enum severity severity,
                     const struct place *place, const char *format, ...)
{
    if (!diagnostics)
        return;
    va_list arguments;
    va_start(arguments, format);
    add_message(diagnostics, severity, place, format_message(SIZE_MAX, NULL, format, arguments));
    va_end(arguments);
}

unsigned diagnostics_error(struct diagnostics *diagnostics, enum status status, const char *format,
                           ...)
{
    if (!diagnostics)
        return status;
    va_list arguments;
    va_start(arguments, format);
    add_message(diagnostics, SEVERITY_ERROR, NULL,
                format_message(SIZE_MAX, NULL, format, arguments));
    va_end(arguments);
    return status;
}

void diagnostics_move(struct diagnostics *to, struct diagnostics *from)
{
    if (to && !array_reserve(&to->items, &to->capacity, to->count + from->count)) {
        if (from->count)
            memcpy(to->items + to->count, from->items, from->count * sizeof *from->items);
        to->count += from->count;
        to->errors += from->errors;
        from->count = 0;
    }
    diagnostics_free(from);
}

void diagnostics_locate(struct diagnostics *diagnostics, const struct place *place)
{
    for (size_t i = 0; place->file && i < diagnostics->count; i++) {
        struct diagnostic *item = &diagnostics->items[i];
        if (item->file)
            continue;
        item->file = strdup(place->file);
        item->line = place->line;
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct diagnostic *first = a, *second = b;
    if (first->line != second->line)
        return first->line < second->line ? -1 : 1;
    if (first->column != second->column)
        return first->column < second->column ? -1 : 1;
    return first->message && second->message ? strcmp(first->message, second->message) : 0;
}

void diagnostics_sort(struct diagnostics *diagnostics, size_t from)
{
    if (from < diagnostics->count)
        qsort(diagnostics->items + from, diagnostics->count - from, sizeof *diagnostics->items,
              compare_places);
}

/* Prints a caret and tildes below the characters that a diagnostic is about. Escaped bytes take
 * four columns in the printed line, so the line above is measured as it was printed, not by its
 * length. */
static void print_underline(const struct diagnostic *diagnostic, FILE *out)
{
    const char *text = diagnostic->source;
    unsigned marks = 0;
    fputs("      | ", out);
    for (unsigned i = 1; i < diagnostic->column && *text; i++) {
        const char blank = *text == '\t' ? '\t' : ' '; /* a tab moves the caret as far as it
                                                        * moved the text */
        for (unsigned columns = skip_character(&text); columns; columns--)
            fputc(blank, out);
    }
    for (unsigned i = 0; !i || i < diagnostic->span; i++)
        marks += *text ? skip_character(&text) : 1;
    fputc('^', out);
    while (--marks)
        fputc('~', out);
    fputc('\n', out);
}

/* One diagnostic as text of one to three lines:
 *     gtx480.yaml:5:3: unknown key 'asoc' in l1d; did you mean 'ways'?
 *         5 |   asoc: 4
 *           |   ^~~~
 * Warnings and notes carry their severity after the place. */
static void diagnostic_print(const struct diagnostic *diagnostic, FILE *out)
{
    static const char *const label[] = {
        [SEVERITY_NOTE] = "note: ", [SEVERITY_WARNING] = "warning: ", [SEVERITY_ERROR] = ""};
    if (diagnostic->file) {
        printable_write(diagnostic->file, out);
        if (diagnostic->line)
            fprintf(out, ":%u:%u", diagnostic->line, diagnostic->column ? diagnostic->column : 1);
        else if (diagnostic->has_offset)
            fprintf(out, ": byte %llu", diagnostic->offset);
        fputs(": ", out);
    }
    fputs(label[diagnostic->severity], out);
    fputs(diagnostic->message ? diagnostic->message : "out of memory", out);
    fputc('\n', out);
    if (diagnostic->source && diagnostic->line) {
        fprintf(out, "%5u | ", diagnostic->line);
        printable_write(diagnostic->source, out);
        fputc('\n', out);
        if (diagnostic->column)
            print_underline(diagnostic, out);
    }
}

void diagnostics_print(const struct diagnostics *diagnostics, FILE *out)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        diagnostic_print(&diagnostics->items[i], out);
}

enum { NAME_LENGTH = 64 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Optimal string alignment distance: Levenshtein's plus swaps of neighbours. Three rows of the
 * table are enough, because a swap looks back two rows. Names longer than NAME_LENGTH are cut. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned rows[3][NAME_LENGTH + 1];
    size_t a_length = strnlen(a, NAME_LENGTH), b_length = strnlen(b, NAME_LENGTH);
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
    }
    return rows[a_length % 3][b_length];
}

/* How many characters both begin with. */
static unsigned common_prefix(const char *a, const char *b)
{
    unsigned length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

/* The nearest name; of several as near, the one that begins alike for longest. With `completes`
 * only names that begin with `name` count, and at least half of such a name must have been typed:
 * the distance is the number of missing letters. */
static const char *nearest_of(const char *name, const char *const *names, size_t count,
                              bool completes)
{
    size_t length = strnlen(name, NAME_LENGTH);
    unsigned limit = (unsigned)(completes ? length : length / 3 > 1 ? length / 3 : 1);
    unsigned prefix = 0;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (completes && strncmp(name, names[i], length) != 0)
            continue;
        const unsigned distance = edit_distance(name, names[i]);
        const unsigned alike = common_prefix(name, names[i]);
        if (distance < limit || (distance == limit && (!nearest || alike > prefix))) {
            nearest = names[i];
            limit = distance;
            prefix = alike;
        }
    }
    return nearest;
}

const char *nearest_name(const char *name, const char *const *names, size_t count)
{
    const char *whole = nearest_of(name, names, count, true);
    return whole ? whole : nearest_of(name, names, count, false);
}

const char *suggestion(const char *nearest, char text[SUGGESTION_TEXT])
{
    *text = 0;
    if (nearest)
        snprintf(text, SUGGESTION_TEXT, "; did you mean '%s'?", nearest);
    return text;
}

const char *diagnostics_first(const struct diagnostics *diagnostics, enum status status)
{
    return diagnostics->count ? diagnostics->items[0].message : status_text(status);
}
