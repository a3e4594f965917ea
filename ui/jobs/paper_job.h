/* Repeats the experiments of a paper in the background, as `warpscape reproduce` does
 * (explore/papers/experiment_claims.h), and keeps of each claim what the Papers view shows and
 * opens. The stage cache remembers the runs, so a paper that was run before is there at once. It
 * runs at a lower priority than the engine. */
#pragma once

#include "explore/papers/experiment_claims.h"
#include "ui/jobs/worker.h"

/* A claim, once it is judged with its verdict and its experiment. */
struct paper_row {
    char what[EXPERIMENT_TEXT], paper[EXPERIMENT_TEXT], ours[EXPERIMENT_TEXT],
        remark[EXPERIMENT_TEXT];
    bool judged;
    enum experiment_verdict verdict;
    char workload[256];
    enum depth depth;
    struct machine machine, rival;
    char name[64], rival_name[64]; /* of their variants; rival_name "": there is none */
};

struct paper_answer {
    struct answer answer;
    char paper[4096]; /* its name, or the path of an experiment */
    int threads;      /* 0: all */
    double patience;  /* seconds after which the claims stand without verdicts; 0: none */
    double share;     /* of the runs that are done */
    char title[EXPERIMENT_TEXT], counts[EXPERIMENT_TEXT];
    char machine[256];                   /* what its machines begin with */
    const struct experiment *experiment; /* while it runs */
    struct paper_row *rows;              /* NULL: not read yet */
    size_t count;
};

extern const struct job_kind paper_job;
/* NULL: no memory. */
struct paper_answer *paper_question_new(const char *paper, int threads, double patience);
