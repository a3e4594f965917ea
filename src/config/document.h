/* A YAML file kept as its text: typed access by path with places for messages, and edits that keep
 * every comment, order and line ending (DESIGN: "YAML that keeps its comments"). */
#pragma once

#include "base/data_files.h"
#include "base/diag.h"
#include "base/embedded.h"

struct document;

/* Parses text; syntax errors, duplicate keys and unsupported constructs (anchors, aliases, tags,
 * several documents, keys that are collections) are diagnostics. At most 1 MiB, 64 levels. `name`
 * is what messages call the file. A file without values is an empty mapping. */
enum status document_parse(const char *text, size_t size, const char *name,
                           struct document **document, struct diagnostics *diagnostics);
enum status document_load(const char *path, struct document **document,
                          struct diagnostics *diagnostics);
/* For readers that report all errors of a file at once: as document_load, but where the faults do
 * not keep the file from being read (duplicate keys, anchors, tags, aliases) the document is there
 * too, with STATUS_INVALID, without what is wrong. NULL otherwise. */
enum status document_inspect(const char *path, struct document **document,
                             struct diagnostics *diagnostics);
/* document_inspect of the machine or study called `name`: one that is compiled into the program, so
 * that "gtx480" means the same everywhere, else a file, wherever data_file_find finds it. */
enum status document_open(enum data_kind kind, const char *name, struct document **document,
                          struct diagnostics *diagnostics);
void document_free(struct document *document);

/* The file that it was read from or saved to last; NULL: none, it is compiled into the program. */
const char *document_path(const struct document *document);

/* What messages call the file. */
const char *document_name(const struct document *document);

/* The current text, with all edits. */
const char *document_text(const struct document *document, size_t *size);

/* Nodes; they live until the next document_set. */
enum node_kind { NODE_SCALAR, NODE_MAPPING, NODE_SEQUENCE };
struct node;
const struct node *document_root(const struct document *document);
enum node_kind node_kind(const struct node *node);
const char *node_text(const struct node *node); /* of a scalar, "" for an empty value */
size_t node_count(const struct node *node);     /* children */
const struct node *node_at(const struct node *node, size_t index);
const char *node_key(const struct node *node, size_t index); /* mapping: key of child `index` */
const struct node *node_find(const struct node *node, const char *key); /* or NULL */
/* True where nothing stands after the key. */
bool node_is_empty(const struct node *node);
/* The node at "l1d.size", "axes.l1d.size", "objectives[2]", or NULL. A key may hold dots itself:
 * "axes: {l1d.size: all}" and "axes: {l1d: {size: all}}" both answer. */
const struct node *document_find(const struct document *document, const char *path);
/* Where the value stands (its key where the value is empty), or the key of child `index`. */
struct place node_place(const struct document *document, const struct node *node);
struct place node_key_place(const struct document *document, const struct node *node, size_t index);

/* Sets the value at a dotted path to `text` (plain style where that reads back, else quoted; text
 * in brackets or braces is a flow list or mapping); creates the key, and the mappings above it,
 * where they are missing. Everything else stays as it is, to the byte. STATUS_UNSUPPORTED with the
 * reason where that cannot be done; the document is then as it was. */
enum status document_set(struct document *document, const char *path, const char *text,
                         struct diagnostics *diagnostics);

/* Saves to the path it was loaded from, or to `path`: temporary file in the same folder, fsync,
 * rename, mode kept; a symbolic link stays one. The path then is the document's. STATUS_CONFLICT
 * where the file changed on disk since it was loaded or saved, or where `path` is another file that
 * exists already. */
enum status document_save(struct document *document, const char *path,
                          struct diagnostics *diagnostics);

/* Puts other text in place of the whole document (undo); where it was loaded from and what is on
 * disk are remembered as before. On failure nothing has changed. */
enum status document_restore(struct document *document, const char *text, size_t size,
                             struct diagnostics *diagnostics);

/* The whole of a file, at most 1 MiB, with a NUL behind it; *text is malloc'ed. */
enum status file_read(const char *path, char **text, size_t *size, struct diagnostics *diagnostics);
