/* Undo: other text for the whole document (document.h). */
#include <stdlib.h>
#include <string.h>

#include "config/document_tree.h"

enum status document_restore(struct document *document, const char *text, size_t size,
                             struct diagnostics *diagnostics)
{
    struct document *other;
    enum status status = document_parse(text, size, document->name, &other, diagnostics);
    if (status)
        return status;
    struct node *root = document->root;
    char *old = document->text;
    document->root = other->root;
    document->text = other->text;
    document->size = other->size;
    document->start = other->start;
    other->root = root;
    other->text = old;
    document_free(other);
    return STATUS_OK;
}
