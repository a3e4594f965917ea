/* The inside of a document, shared by document_tree.c (parsing), document.c (access),
 * document_edit.c and document_save.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "config/document.h"

enum {
    DOCUMENT_SIZE_MAX = 1 << 20, /* bytes; text_place scans from the start of the text */
    DOCUMENT_DEPTH_MAX = 64,
    DOCUMENT_NODES_MAX = 1 << 18,
    DOCUMENT_ERRORS_MAX = 50
};

enum node_style { STYLE_PLAIN, STYLE_QUOTED, STYLE_BLOCK_SCALAR, STYLE_BLOCK, STYLE_FLOW };

/* A node of the tree. `start` and `end` are byte offsets in the document's text. A block
 * collection ends where its last child ends, because libyaml would extend it past comments to the
 * next token. */
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
    char *disk; /* the contents of the file when it was loaded or saved; NULL: not from a file */
    size_t disk_size;
    size_t start; /* after a byte order mark */
    struct node *root;
};

/* Parses `size` bytes into a tree. Problems go to `diagnostics`, with places in `text`. */
enum status tree_parse(const char *text, size_t size, const char *name, struct node **root,
                       struct diagnostics *diagnostics);
/* tree_parse that also returns a tree with faults that leave it readable (duplicate keys, anchors,
 * tags, aliases): *root is set with STATUS_INVALID, and the faulty parts are left out. */
enum status tree_inspect(const char *text, size_t size, const char *name, struct node **root,
                         struct diagnostics *diagnostics);
void tree_free(struct node *node);

/* The place of [start, end) in the text. Counts lines from the start of the text. */
struct place text_place(const char *text, size_t size, const char *name, size_t start, size_t end);

/* Formats `text` as a YAML scalar that can follow "key: " or "- ": unquoted if that reads back,
 * else in double quotes. malloc'ed. STATUS_INVALID if it is not UTF-8. */
enum status scalar_to_yaml(const char *text, char **yaml);
