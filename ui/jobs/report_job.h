/* What is made of a store in the background: its report, as `warpscape report` writes it (Report
 * view), or the machine of its best point, as `warpscape export --best` does. */
#pragma once

#include "report/drawing/page.h"
#include "ui/jobs/points.h"
#include "ui/jobs/worker.h"

struct report_result {
    struct answer answer;
    char store[4096];
    char path[4096]; /* of the file that it is for; "" = the screen */
    enum page_format format;
    bool over;                 /* the file may be there already */
    bool best;                 /* the best point; then: */
    char metric[80];           /* "": the first objective */
    struct points_query among; /* of these */
    char *text;
    struct diagnostics notes; /* what the text leaves out */
};

extern const struct job_kind report_job;
/* `path` "" = for the screen. NULL: no memory. */
struct report_result *report_result_new(const char *store, const char *path,
                                        enum page_format format);
/* As gpgpusim.config where `path` ends so, else as YAML. */
struct report_result *best_result_new(const struct points_query *among, const char *metric,
                                      const char *path);
