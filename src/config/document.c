/* Documents: the text, the tree that describes it (document_tree.c), and access to its nodes. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "config/document_tree.h"
#include "config/gpgpusim.h"

/* document_parse that also returns a document with faults. */
static enum status inspect(const char *text, size_t size, const char *name,
                           struct document **document, struct diagnostics *diagnostics)
{
    *document = NULL;
    if (utf16_seems(text, size))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: " UTF16_TEXT, name);
    struct document *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_MEMORY;
    enum status status = STATUS_MEMORY;
    made->name = strdup(name);
    made->text = malloc(size + 1);
    if (!made->name || !made->text)
        goto fail;
    if (size)
        memcpy(made->text, text, size);
    made->text[size] = '\0';
    made->size = size;
    made->start = utf8_mark(text, size);
    status = tree_inspect(made->text, size, made->name, &made->root, diagnostics);
    if (!made->root)
        goto fail;
    *document = made;
    return status;
fail:
    document_free(made);
    return status;
}

enum status document_parse(const char *text, size_t size, const char *name,
                           struct document **document, struct diagnostics *diagnostics)
{
    enum status status = inspect(text, size, name, document, diagnostics);
    if (status) {
        document_free(*document);
        *document = NULL;
    }
    return status;
}

enum status document_restore(struct document *document, const char *text, size_t size,
                             struct diagnostics *diagnostics)
{
    struct document *other;
    enum status status = document_parse(text, size, document->name, &other, diagnostics);
    if (!other)
        return status;
    struct document old = *document;
    document->text = other->text;
    document->size = other->size;
    document->start = other->start;
    document->root = other->root;
    other->text = old.text;
    other->root = old.root;
    document_free(other);
    return STATUS_OK;
}

enum status document_inspect_text(const char *path, char *text, size_t size,
                                  struct document **document, struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = inspect(text, size, path, document, &found);
    /* A gpgpusim.config is not YAML, and a complaint about its first line would help nobody. */
    if (!*document && gpgpusim_recognize(text))
        diagnostics_error(diagnostics, status, "%s: a gpgpusim.config, which is a machine", path);
    else if (diagnostics)
        diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    if (!*document) {
        free(text);
        return status;
    }
    (*document)->disk = text;
    (*document)->disk_size = size;
    (*document)->path = strdup(path);
    if ((*document)->path)
        return status;
    document_free(*document);
    *document = NULL;
    return STATUS_MEMORY;
}

enum status document_inspect(const char *path, struct document **document,
                             struct diagnostics *diagnostics)
{
    char *text;
    size_t size;
    *document = NULL;
    enum status status = file_read(path, &text, &size, diagnostics);
    return status ? status : document_inspect_text(path, text, size, document, diagnostics);
}

enum status document_load(const char *path, struct document **document,
                          struct diagnostics *diagnostics)
{
    enum status status = document_inspect(path, document, diagnostics);
    if (status) {
        document_free(*document);
        *document = NULL;
    }
    return status;
}

/* The files that are compiled into the program, by kind. */
static const struct {
    const char *what;
    const struct embedded_file *files;
} brought[] = {[DATA_MACHINES] = {"machine", embedded_machines},
               [DATA_STUDIES] = {"study", embedded_studies},
               [DATA_EXPERIMENTS] = {"experiment", embedded_experiments}};

static enum status open_embedded(const struct embedded_file *file, struct document **document,
                                 struct diagnostics *diagnostics)
{
    char *name;
    *document = NULL;
    if (asprintf(&name, "%s.yaml", file->name) < 0)
        return STATUS_MEMORY;
    enum status status = document_parse(file->text, file->size, name, document, diagnostics);
    free(name);
    return status;
}

enum status document_open(enum data_kind kind, const char *name, struct document **document,
                          struct diagnostics *diagnostics)
{
    const struct embedded_file *embedded = embedded_find(brought[kind].files, name);
    *document = NULL;
    if (embedded)
        return open_embedded(embedded, document, diagnostics);
    char *path;
    enum status status = data_file_find(kind, DATA_ALL, name, &path);
    if (!status && path)
        status = document_inspect(path, document, diagnostics);
    else if (!status)
        status = embedded_missing(brought[kind].files, brought[kind].what, name, diagnostics);
    free(path);
    return status;
}

void document_free(struct document *document)
{
    if (!document)
        return;
    tree_free(document->root);
    free(document->name);
    free(document->path);
    free(document->text);
    free(document->disk);
    free(document);
}

const char *document_path(const struct document *document)
{
    return document->path;
}

const char *document_name(const struct document *document)
{
    return document->name;
}

const char *document_text(const struct document *document, size_t *size)
{
    if (size)
        *size = document->size;
    return document->text;
}

const struct node *document_root(const struct document *document)
{
    return document->root;
}

enum node_kind node_kind(const struct node *node)
{
    return node->kind;
}

const char *node_text(const struct node *node)
{
    return node->text ? node->text : "";
}

bool node_is_empty(const struct node *node)
{
    return node->kind == NODE_SCALAR && node->style == STYLE_PLAIN && !*node->text;
}

size_t node_count(const struct node *node)
{
    return node->count;
}

const struct node *node_at(const struct node *node, size_t index)
{
    return index < node->count ? node->children[index] : NULL;
}

const char *node_key(const struct node *node, size_t index)
{
    return node->children[index]->key;
}

const struct node *node_find(const struct node *node, const char *key)
{
    if (node->kind != NODE_MAPPING)
        return NULL;
    for (size_t i = 0; i < node->count; i++)
        if (!strcmp(node->children[i]->key, key))
            return node->children[i];
    return NULL;
}

struct place node_place(const struct document *document, const struct node *node)
{
    size_t start = node->start, end = node->end;
    if (start == end && node->key) { /* there is no value: point at the key */
        start = node->key_start;
        end = node->key_end;
    }
    return text_place(document->text, document->size, document->name, start, end);
}

struct place node_key_place(const struct document *document, const struct node *node, size_t index)
{
    const struct node *child = node->children[index];
    return text_place(document->text, document->size, document->name, child->key_start,
                      child->key_end);
}

void document_complain(const struct document *document, struct diagnostics *found,
                       const struct node *node, const char *format, ...)
{
    if (found->errors >= FILE_ERRORS_MAX)
        return;
    struct place place = {.file = document->name};
    if (node)
        place = node_place(document, node);
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(found, SEVERITY_ERROR, &place, NULL, format, arguments);
    va_end(arguments);
}
