/* How fast scenes emit requests, without and with values; and how fast requests are executed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "trace/tile_stream.h"
#include "workload/workload.h"

static void measure(const char *name, bool values)
{
    struct trace_source *source;
    struct tile_batch batch;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    uint64_t requests = 0;
    double seconds = 0;
    if (workload_open(name, &source, &diagnostics) || tile_batch_init(&batch, TILE_BATCH, values)) {
        diagnostics_print(&diagnostics, stderr);
        exit(1);
    }
    for (unsigned round = 0; seconds < 0.5; round++) {
        struct tile_reader *reader;
        const double start = clock_processor_seconds();
        if (source->tiles->ops->open(source->tiles, values, &reader, NULL))
            exit(1);
        do {
            if (source->tiles->ops->next(reader, &batch, NULL))
                exit(1);
            requests += batch.count;
        } while (!batch.end);
        source->tiles->ops->close(reader);
        seconds += clock_processor_seconds() - start;
    }
    printf("%-45s %s %8.2f M requests/s\n", name, values ? "with values   " : "without values",
           (double)requests / seconds * 1e-6);
    tile_batch_free(&batch);
    trace_source_free(source);
}

int main(void)
{
    static const char *const names[] = {"raster-effect2d",
                                        "raster-shadow",
                                        "raster-refract",
                                        "raster-jellyfish",
                                        "raster-shadow:order=z",
                                        "raster-shadow:order=hilbert",
                                        "raster-shadow:order=random",
                                        "raster-refract:width=1920,height=1080",
                                        "raster-refract:samples=4"};
    for (unsigned values = 0; values < 2; values++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            measure(names[i], values);
    return 0;
}
