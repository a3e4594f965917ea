#include "ui/session/file_kind.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text_ends.h"
#include "config/document.h"

enum { HEAD = 8192 };

/* A key at the top of a YAML file that no other kind has. */
static const struct {
    const char *key;
    enum file_kind kind;
} yaml_keys[] = {{"axes", FILE_STUDY},   {"workloads", FILE_STUDY},   {"subjects", FILE_PAPER},
                 {"claims", FILE_PAPER}, {"workload", FILE_WORKLOAD}, {"file", FILE_WORKLOAD}};

/* What counters printed by a profiler have among their first lines. */
static const char *const profile_words[] = {"==PROF==", "NVPROF is profiling", "Profiling result",
                                            "Metric Name", "\"Kernel Name\""};

static bool read_head(const char *path, char head[HEAD + 1])
{
    struct stat what;
    FILE *file = !stat(path, &what) && S_ISREG(what.st_mode) ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    const size_t length = fread(head, 1, HEAD, file);
    head[length] = '\0';
    return !fclose(file);
}

/* A machine, unless a key says otherwise: its reader knows best what is wrong. */
static enum file_kind yaml_kind(const char *path)
{
    struct document *document = NULL;
    struct diagnostics unsaid = DIAGNOSTICS_INIT;
    enum file_kind kind = FILE_MACHINE;
    (void)document_inspect(path, &document, &unsaid);
    const struct node *root = document ? document_root(document) : NULL;
    const bool mapping = root && node_kind(root) == NODE_MAPPING;
    for (size_t i = 0; mapping && i < sizeof yaml_keys / sizeof *yaml_keys; i++)
        if (kind == FILE_MACHINE && node_find(root, yaml_keys[i].key))
            kind = yaml_keys[i].kind;
    document_free(document);
    diagnostics_free(&unsaid);
    return kind;
}

enum file_kind file_kind(const char *path)
{
    char head[HEAD + 1];
    if (!read_head(path, head))
        return FILE_MACHINE;
    if (!strncmp(head, "SQLite format 3", 15))
        return FILE_STORE;
    if (text_ends(path, ".yaml") || text_ends(path, ".yml"))
        return yaml_kind(path);
    for (size_t i = 0; i < sizeof profile_words / sizeof *profile_words; i++)
        if (strstr(head, profile_words[i]))
            return FILE_PROFILE;
    return FILE_WORKLOAD;
}
