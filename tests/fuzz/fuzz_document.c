/* Any bytes as a YAML file: reading it as a document, a machine, a study and an experiment, and
 * editing it, never crashes; an edit that is accepted reads back. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/document.h"
#include "config/experiment_file.h"
#include "config/machine_file.h"
#include "config/study_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void edit(struct document *document, const char *path, const char *text)
{
    if (document_set(document, path, text, NULL))
        return;
    size_t size;
    const char *now = document_text(document, &size);
    struct document *again;
    if (document_parse(now, size, "again", &again, NULL))
        abort();
    const struct node *node = document_find(again, path);
    if (!node || (*text != '[' && strcmp(node_text(node), text)))
        abort();
    document_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (!document_parse((const char *)data, size, "fuzz.yaml", &document, &diagnostics)) {
        struct machine machine;
        struct study study;
        char *yaml = NULL;
        machine_from_document(document, &machine, &diagnostics);
        if (!study_from_document(document, NULL, &study, &diagnostics)) {
            study_to_yaml(&study, &yaml);
            study_free(&study);
            free(yaml);
        }
        struct document *own;
        struct experiment experiment;
        if (!document_parse((const char *)data, size, "fuzz.yaml", &own, &diagnostics) &&
            !experiment_from_document(own, &experiment, &diagnostics))
            experiment_free(&experiment);
        edit(document, "l1d.size", "32KiB");
        edit(document, "l1d.mshr.entries", "x: # y");
        edit(document, "a[0]", "\n");
        edit(document, "gpu.shared_options", "[0, 8KiB]");
        document_free(document);
    }
    diagnostics_free(&diagnostics);
    return 0;
}
