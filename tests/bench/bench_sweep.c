/* Points a second of an exhaustive sweep, with 1 and 2 threads.
 *
 *     bench_sweep [WORKLOAD [THREADS...]]     (default GEMM:n=128 1 2)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "config/study_file.h"
#include "explore/sweep.h"

/* 6 x 5 L1Ds, 3 x 2 L2s, 5 x 2 TLBs, 12 page-walk caches: 21,600 points, 300 settings. */
static const char text[] = "machine: gtx480\n"
                           "set: {l1d.index: linear, tlb.ways: 8}\n"
                           "workloads: ['%s']\n"
                           "axes:\n"
                           "  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]\n"
                           "  l1d.ways: [1, 2, 4, 8, 16]\n"
                           "  l2.size: [384KiB, 768KiB, 1536KiB]\n"
                           "  l2.ways: [4, 8]\n"
                           "  tlb.entries: [8, 16, 32, 64, 128]\n"
                           "  page.size: [4KiB, 64KiB]\n"
                           "  pwc.organization: [tpc, cpwc]\n"
                           "  pwc.entries: [4, 8, 16, 24, 32, 48]\n"
                           "objectives: [l1d.miss_rate, total.area, walk.memory_accesses]\n"
                           "metrics: [l1d.misses, l2.misses, l2.miss_rate, tlb.hit_rate]\n";

static enum status load(const char *workload, struct study *study, struct diagnostics *diagnostics)
{
    struct document *document;
    char yaml[2048];
    snprintf(yaml, sizeof yaml, text, workload);
    enum status status = document_parse(yaml, strlen(yaml), "bench.yaml", &document, diagnostics);
    if (status)
        return status;
    status = study_from_document(document, NULL, study, diagnostics);
    document_free(document);
    return status;
}

static enum status sweep(const struct study *study, int threads, struct diagnostics *diagnostics)
{
    char path[] = "/tmp/warpscape-bench-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return STATUS_IO;
    close(file);
    struct sweep_progress progress;
    const struct sweep_options options = {.store = path, .threads = threads};
    double start = clock_seconds();
    enum status status = sweep_run(study, &options, &progress, diagnostics);
    double seconds = clock_seconds() - start;
    unlink(path);
    if (!status)
        printf("%d threads  %" PRIu64 " points  %.2f s  %.0f points/s\n", threads, progress.done,
               seconds, (double)progress.done / seconds);
    return status;
}

int main(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct study study;
    enum status status = load(argc > 1 ? argv[1] : "GEMM:n=128", &study, &diagnostics);
    if (!status) {
        for (int i = 2; i < argc && !status; i++)
            status = sweep(&study, atoi(argv[i]), &diagnostics);
        for (int threads = 1; argc <= 2 && threads <= 2 && !status; threads++)
            status = sweep(&study, threads, &diagnostics);
        study_free(&study);
    }
    diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    return status != STATUS_OK;
}
