/* A YAML file kept as its text: typed access by path with places for messages, and edits that keep
 * every comment, order and line ending (DESIGN: "YAML that keeps its comments"). */
#pragma once

#include "base/diag.h"

struct document;

/* Parses text; every syntax error, duplicate key and unsupported construct is a diagnostic. `name`
 * is what messages call the file. */
enum status document_parse(const char *text, size_t size, const char *name,
                           struct document **document, struct diagnostics *diagnostics);
enum status document_load(const char *path, struct document **document,
                          struct diagnostics *diagnostics);
void document_free(struct document *document);

/* The current text, with all edits. */
const char *document_text(const struct document *document, size_t *size);

/* Nodes. Index 0 is the root; paths are "l1d.size", "axes.l1d.size", "objectives[2]". */
enum node_kind { NODE_SCALAR, NODE_MAPPING, NODE_SEQUENCE };
struct node;
const struct node *document_root(const struct document *document);
enum node_kind node_kind(const struct node *node);
const char *node_text(const struct node *node);      /* of a scalar, "" for an empty value */
size_t node_count(const struct node *node);          /* children */
const struct node *node_at(const struct node *node, size_t index);
const char *node_key(const struct node *node, size_t index); /* mapping: key of child `index` */
const struct node *node_find(const struct node *node, const char *key); /* or NULL */
/* Where the value stands (or, for a mapping's child, its key). */
struct place node_place(const struct document *document, const struct node *node);
struct place node_key_place(const struct document *document, const struct node *node, size_t index);

/* Sets the scalar at a dotted path to `text` (plain style where that reads back, else quoted);
 * creates the key, and the mapping above it, where they are missing. Everything else stays as it
 * is, to the byte. STATUS_UNSUPPORTED with the reason for aliases and the like. */
enum status document_set(struct document *document, const char *path, const char *text,
                         struct diagnostics *diagnostics);

/* Saves to the path it was loaded from, or to `path`: temporary file in the same folder, fsync,
 * rename, mode kept. STATUS_CONFLICT where the file changed on disk since it was loaded or saved. */
enum status document_save(struct document *document, const char *path,
                          struct diagnostics *diagnostics);

/* Puts other text in place of the whole document (undo); where it was loaded from and what is on
 * disk are remembered as before. On failure nothing has changed. */
enum status document_restore(struct document *document, const char *text, size_t size,
                             struct diagnostics *diagnostics);
