/* The report of a store, as `warpscape report` writes it, made in the background (Report view). */
#pragma once

#include "report/drawing/page.h"
#include "ui/jobs/worker.h"

struct report_result {
    struct answer answer;
    char store[4096];
    char path[4096]; /* of the file that it is for; "" = the screen */
    enum page_format format;
    char *text;
};

extern const struct job_kind report_job;
/* `path` "" = for the screen. NULL: no memory. */
struct report_result *report_result_new(const char *store, const char *path,
                                        enum page_format format);
