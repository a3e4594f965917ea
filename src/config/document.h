/* A YAML file kept as its text: typed access by path, places for messages, and edits that preserve
 * every comment, the order and the line endings.
 *
 * Invariant: an edit splices bytes, parses the result and keeps it only if exactly the wanted value
 * changed. So an edit costs one or two parses of the file and cannot damage the rest of it. */
#pragma once

#include "base/data_files.h"
#include "base/diag.h"
#include "base/embedded.h"

struct document;

/* Parses text. Reports syntax errors, duplicate keys and unsupported constructs (anchors, aliases,
 * tags, several documents, keys that are collections). At most 1 MiB and 64 levels. `name` is what
 * messages call the file. A file without values is an empty mapping. */
enum status document_parse(const char *text, size_t size, const char *name,
                           struct document **document, struct diagnostics *diagnostics);
enum status document_load(const char *path, struct document **document,
                          struct diagnostics *diagnostics);
/* document_load for readers that report all errors of a file at once. If the faults leave the file
 * readable (duplicate keys, anchors, tags, aliases), *document is set even though the result is
 * STATUS_INVALID; the faulty parts are left out. Otherwise *document is NULL. */
enum status document_inspect(const char *path, struct document **document,
                             struct diagnostics *diagnostics);
/* The same of a file that was read already; frees the text. */
enum status document_inspect_text(const char *path, char *text, size_t size,
                                  struct document **document, struct diagnostics *diagnostics);
/* document_inspect of the machine or study called `name`. Names that are compiled into the program
 * come first, so that "gtx480" means the same everywhere; then files, as data_file_find finds
 * them. */
enum status document_open(enum data_kind kind, const char *name, struct document **document,
                          struct diagnostics *diagnostics);
void document_free(struct document *document);

/* The file that the document was loaded from or last saved to; NULL if it is compiled into the
 * program. */
const char *document_path(const struct document *document);

/* What messages call the file. */
const char *document_name(const struct document *document);

/* The current text, with all edits. */
const char *document_text(const struct document *document, size_t *size);

/* Nodes. They live until the next document_set or document_restore. */
enum node_kind { NODE_SCALAR, NODE_MAPPING, NODE_SEQUENCE };
struct node;
const struct node *document_root(const struct document *document);
enum node_kind node_kind(const struct node *node);
const char *node_text(const struct node *node); /* of a scalar, "" for an empty value */
size_t node_count(const struct node *node);     /* children */
const struct node *node_at(const struct node *node, size_t index);
const char *node_key(const struct node *node, size_t index); /* mapping: key of child `index` */
const struct node *node_find(const struct node *node, const char *key); /* or NULL */
/* Whether a key has no value. */
bool node_is_empty(const struct node *node);
/* Finds the node at "l1d.size", "axes.l1d.size" or "objectives[2]"; NULL if there is none. Keys may
 * contain dots: "axes: {l1d.size: all}" and "axes: {l1d: {size: all}}" both match. */
const struct node *document_find(const struct document *document, const char *path);
/* The place of a value (of its key if the value is empty), or of the key of child `index`. */
struct place node_place(const struct document *document, const struct node *node);
struct place node_key_place(const struct document *document, const struct node *node, size_t index);
enum { FILE_ERRORS_MAX = 100 }; /* a reader stops after this many errors in one file */
/* Reports an error at a node, or of the whole file (`node` NULL), unless FILE_ERRORS_MAX were found
 * already. */
__attribute__((format(printf, 4, 5))) void document_complain(const struct document *document,
                                                             struct diagnostics *found,
                                                             const struct node *node,
                                                             const char *format, ...);

/* Sets the value at a dotted path to `text`: unquoted if that reads back, else quoted; text in
 * brackets or braces is a flow list or mapping. Creates the key, and the mappings above it, if they
 * are missing. Every other byte stays as it is. STATUS_UNSUPPORTED, with the reason, if that is
 * impossible; the document is then unchanged. */
enum status document_set(struct document *document, const char *path, const char *text,
                         struct diagnostics *diagnostics);

/* What its file holds now is what the next save overwrites. For a document that has a path. */
enum status document_see_disk(struct document *document, struct diagnostics *diagnostics);

/* Saves to `path`, or to document_path if `path` is NULL: writes a temporary file in the same
 * folder, syncs it and renames it, and keeps the file's mode. A symbolic link stays one. `path`
 * becomes the document's path. STATUS_CONFLICT if the file changed on disk since it was loaded or
 * saved, or if `path` is another file that exists already. */
enum status document_save(struct document *document, const char *path,
                          struct diagnostics *diagnostics);

/* Replaces the whole text (undo). The path and the knowledge of what is on disk stay. A failure
 * changes nothing. */
enum status document_restore(struct document *document, const char *text, size_t size,
                             struct diagnostics *diagnostics);

/* Reads a whole file of at most 1 MiB into *text, malloc'ed and NUL-terminated. */
enum status file_read(const char *path, char **text, size_t *size, struct diagnostics *diagnostics);
