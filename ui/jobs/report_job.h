/* The report of a store, as `warpscape report` writes it, made in the background (Report view). */
#pragma once

#include "report/drawing/page.h"
#include "ui/jobs/worker.h"

enum { REPORT_MESSAGE = 240 };

struct report_result {
    char store[4096];
    char path[4096]; /* of the file that it is for; "" = the screen */
    enum page_format format;
    enum status status;
    char message[REPORT_MESSAGE]; /* why there is none */
    char *text;
};

/* `path` "" = for the screen. The report of another store or file that is still made is given up.
 */
enum status report_job_start(struct worker *worker, const char *store, const char *path,
                             enum page_format format);
void report_result_free(struct report_result *result); /* NULL is allowed */
