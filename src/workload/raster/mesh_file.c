#include "workload/raster/mesh_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/text.h"

enum { FILE_MOST = 256 << 20, PIECE = 1 << 16 };

/* Reads all of an open file; its bytes end with a 0. */
static enum status load_open(struct text_reader *reader, struct mesh_file *file)
{
    size_t capacity = 0, got;
    do {
        if (file->size > FILE_MOST)
            return diagnostics_error(file->diagnostics, STATUS_INVALID, "%s: larger than %d MiB",
                                     file->path, FILE_MOST >> 20);
        if (array_reserve(&file->bytes, &capacity, file->size + PIECE + 1))
            return STATUS_MEMORY;
        got = text_bytes(reader, file->bytes + file->size, PIECE);
        file->size += got;
    } while (got);
    file->bytes[file->size] = '\0';
    return reader->status;
}

enum status mesh_file_load(const char *path, struct mesh_file *file,
                           struct diagnostics *diagnostics)
{
    struct text_reader reader;
    *file = (struct mesh_file){.path = path, .diagnostics = diagnostics};
    enum status status = text_open(path, &reader, diagnostics);
    if (status)
        return status;
    status = load_open(&reader, file);
    text_close(&reader);
    if (status)
        mesh_file_free(file);
    return status;
}

void mesh_file_free(struct mesh_file *file)
{
    free(file->bytes);
    file->bytes = NULL;
    file->size = 0;
}

enum status mesh_file_expected(const struct mesh_file *file, size_t at, const char *what)
{
    struct place place = {.file = file->path, .offset = at, .has_offset = true};
    if (file->text) {
        place = (struct place){.file = file->path, .line = 1, .column = 1};
        for (size_t i = 0; i < at; i++) {
            const bool ends = file->bytes[i] == '\n';
            place.line += ends;
            place.column = ends ? 1 : place.column + 1;
        }
    }
    diagnostics_add(file->diagnostics, SEVERITY_ERROR, &place, "expected %s", what);
    return STATUS_INVALID;
}

uint64_t mesh_file_integer(const struct mesh_file *file, size_t at, unsigned bytes, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)file->bytes[at + i] << 8 * (big ? bytes - 1 - i : i);
    return value;
}

double mesh_file_real(const struct mesh_file *file, size_t at, unsigned bytes, bool big)
{
    const uint64_t bits = mesh_file_integer(file, at, bytes, big);
    const uint32_t half = (uint32_t)bits;
    double value;
    float single;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &half, sizeof single);
    return bytes == sizeof single ? (double)single : value;
}

const char *mesh_file_word(struct mesh_file *file, size_t *length)
{
    const char *end = file->bytes + file->size, *from = file->bytes + file->at;
    while (from < end && isspace((unsigned char)*from))
        from++;
    const char *to = from;
    while (to < end && !isspace((unsigned char)*to))
        to++;
    file->at = (size_t)(to - file->bytes);
    *length = (size_t)(to - from);
    return *length ? from : NULL;
}

bool mesh_file_number(struct mesh_file *file, double *value)
{
    const size_t before = file->at;
    size_t length;
    char *end;
    const char *word = mesh_file_word(file, &length);
    *value = word ? strtod(word, &end) : 0;
    if (word && end == word + length && isfinite(*value))
        return true;
    file->at = word ? (size_t)(word - file->bytes) : before;
    return false;
}
