/* The inside of a document, shared by document_tree.c (reading), document.c, document_edit.c and
 * document_save.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "config/document.h"

enum {
    DOCUMENT_SIZE_MAX = 1 << 20, /* bytes; finding a place reads from the start */
    DOCUMENT_DEPTH_MAX = 64,
    DOCUMENT_NODES_MAX = 1 << 18,
    DOCUMENT_ERRORS_MAX = 50
};

enum node_style { STYLE_PLAIN, STYLE_QUOTED, STYLE_BLOCK_SCALAR, STYLE_BLOCK, STYLE_FLOW };

/* start and end are byte offsets into the document's text. Those of a block collection are those of
 * its children, because libyaml ends it only where the next token starts, behind comments. */
struct node {
    enum node_kind kind;
    enum node_style style;
    size_t start, end;
    char *text; /* scalars */
    char *key;  /* children of a mapping */
    size_t key_start, key_end;
    struct node **children;
    size_t count, capacity;
};

struct document {
    char *name;
    char *path; /* NULL: not from a file */
    char *text; /* size bytes and a NUL */
    size_t size;
    char *disk; /* what the file held when it was loaded or saved; NULL: not from a file */
    size_t disk_size;
    size_t start; /* behind a byte order mark */
    struct node *root;
};

/* Parses `size` bytes into a tree; problems go to `diagnostics`, with places in `text`. */
enum status tree_parse(const char *text, size_t size, const char *name, struct node **root,
                       struct diagnostics *diagnostics);
/* The same, but a tree whose faults do not keep it from being read (duplicate keys, anchors, tags,
 * aliases; what is wrong is left out) is in *root, with STATUS_INVALID. */
enum status tree_inspect(const char *text, size_t size, const char *name, struct node **root,
                         struct diagnostics *diagnostics);
void tree_free(struct node *node);

/* The place of [start, end) in the text. */
struct place text_place(const char *text, size_t size, const char *name, size_t start, size_t end);

/* Bytes of the byte order mark at the start of the text: 0 or 3. */
size_t byte_order_mark(const char *text, size_t size);

/* `text` as a YAML scalar that can stand behind "key: " or "- ", plain where that reads back, else
 * in double quotes; malloc'ed. STATUS_INVALID if it is not UTF-8. */
enum status scalar_to_yaml(const char *text, char **yaml);
