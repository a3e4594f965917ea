#include "workload/simt/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "workload/simt/assembler.h"
#include "workload/simt/compressed.h"
#include "workload/simt/elf.h"

void simt_image_free(struct simt_image *image)
{
    for (size_t i = 0; i < image->symbol_count; i++)
        free(image->symbols[i].name);
    free(image->symbols);
    free(image->name);
    free(image->bytes);
    free(image->lines);
    free(image->source);
    *image = (struct simt_image){0};
}

enum status simt_image_add(struct simt_image *image, const char *name, size_t length,
                           uint32_t value)
{
    enum status status =
        array_reserve(&image->symbols, &image->symbol_capacity, image->symbol_count + 1);
    char *copy = status ? NULL : strndup(name, length);
    if (!copy)
        return STATUS_MEMORY;
    image->symbols[image->symbol_count++] = (struct simt_symbol){copy, value};
    return STATUS_OK;
}

static int image_compare_symbols(const void *left, const void *right)
{
    const struct simt_symbol *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return strcmp(a->name, b->name);
}

void simt_image_finish(struct simt_image *image)
{
    if (image->symbol_count)
        qsort(image->symbols, image->symbol_count, sizeof *image->symbols, image_compare_symbols);
}

const struct simt_symbol *simt_symbol_find(const struct simt_image *image, const char *name)
{
    for (size_t i = 0; i < image->symbol_count; i++)
        if (!strcmp(image->symbols[i].name, name))
            return &image->symbols[i];
    return NULL;
}

const struct simt_symbol *simt_symbol_before(const struct simt_image *image, uint32_t address)
{
    const struct simt_symbol *found = NULL;
    for (size_t i = 0; i < image->symbol_count && image->symbols[i].value <= address; i++)
        if (image->symbols[i].value >= image->text)
            found = &image->symbols[i];
    return found;
}

uint32_t simt_image_line(const struct simt_image *image, uint32_t pc, char *text, size_t size)
{
    text[0] = '\0';
    if (!image->lines || pc < image->text || pc - image->text >= image->text_size)
        return 0;
    const uint32_t number = image->lines[(pc - image->text) / 4];
    const char *at = image->source;
    for (uint32_t line = 1; line < number && *at; line++) {
        at = strchrnul(at, '\n');
        at += *at == '\n';
    }
    at += strspn(at, " \t");
    size_t length = strcspn(at, "\r\n#");
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    length = length < size ? length : size - 1;
    for (size_t i = 0; i < length; i++)
        text[i] = at[i] == '\t' ? ' ' : at[i];
    text[length] = '\0';
    return number;
}

uint32_t simt_word_at(const struct simt_image *image, uint32_t place, uint8_t *size)
{
    const uint32_t offset = simt_pc_of(image, place) - image->base, left = image->size - offset;
    uint32_t word = 0;
    memcpy(&word, image->bytes + offset, left < sizeof word ? left : sizeof word);
    *size = image->place_shift == 1 && is_compressed(word) ? 2 : 4;
    return *size == 2 ? simt_expand(word) : word;
}

/* Reads a whole file, with a NUL after it. */
static enum status read_file(const char *path, char **bytes, size_t *size,
                             struct diagnostics *diagnostics)
{
    FILE *in = fopen(path, "rb");
    *bytes = in ? malloc(SIMT_FILE_MAX + 1) : NULL;
    *size = *bytes ? fread(*bytes, 1, SIMT_FILE_MAX + 1, in) : 0;
    const bool failed = !in || (*bytes && ferror(in));
    const int why = errno;
    if (in)
        fclose(in);
    if (failed)
        return diagnostics_error(diagnostics, STATUS_IO, "cannot read %s: %s", path, strerror(why));
    if (!*bytes)
        return STATUS_MEMORY;
    if (*size > SIMT_FILE_MAX)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s is larger than a program may be, %u bytes", path,
                                 SIMT_FILE_MAX);
    (*bytes)[*size] = '\0';
    return STATUS_OK;
}

enum status simt_image_open(const char *path, const struct simt_defines *defines,
                            struct simt_image *image, struct diagnostics *diagnostics)
{
    char *bytes = NULL;
    size_t size = 0;
    *image = (struct simt_image){0};
    enum status status = read_file(path, &bytes, &size, diagnostics);
    if (!bytes)
        return status;
    if (!status && simt_elf_recognise(bytes, size))
        status = simt_elf_read(path, bytes, size, image, diagnostics);
    else if (!status && memchr(bytes, 0, size))
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "%s is neither an ELF file nor assembly", path);
    else if (!status)
        status = simt_assemble(path, bytes, defines, image, diagnostics);
    free(bytes);
    return status;
}
