/* Any bytes as an Accel-Sim kernel trace, and as every other text that is imported: an error or a
 * .wtr that opens. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/trace_file.h"
#include "trace/wtr.h"
#include "trace/wtr_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void import(const struct importer *importer, const char *path)
{
    int fd = memfd_create("imported", 0);
    struct wtr_writer *writer;
    if (fd < 0 || wtr_writer_create(fd, "imported.wtr", &writer, NULL)) {
        if (fd >= 0)
            close(fd);
        return;
    }
    enum status status = importer->import(path, writer, NULL);
    if (!status)
        status = wtr_finish(writer);
    wtr_writer_free(writer);
    struct trace_source *source;
    if (status)
        close(fd);
    else if (wtr_open(fd, "imported.wtr", "imported", "fuzz", &source, NULL))
        abort(); /* what the writer accepts, the reader has to read */
    else
        trace_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("text", 0);
    char path[64];
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        for (size_t i = 0; trace_importers[i]; i++)
            import(trace_importers[i], path);
    }
    if (fd >= 0)
        close(fd);
    return 0;
}
