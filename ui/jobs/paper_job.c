#include "ui/jobs/paper_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "explore/plan/stage_cache.h"

enum { PAPER_NICE = 10 };

#define PAPER_STEP 0.01 /* of the runs, between two answers */

static const char *paper_words(const struct node *node)
{
    return node ? node_text(node) : "";
}

/* The claims as the file has them: what they ask for besides comes with the numbers. */
static enum status paper_take_claims(struct paper_answer *answer,
                                     const struct experiment *experiment)
{
    answer->rows = calloc(experiment->claim_count + 1, sizeof *answer->rows);
    if (!answer->rows)
        return STATUS_MEMORY;
    for (size_t i = 0; i < experiment->claim_count; i++) {
        const struct experiment_claim *claim = &experiment->claims[i];
        struct paper_row *row = &answer->rows[answer->count++];
        const char *what = node_text(claim->what);
        size_t length = strcspn(what, "{");
        while (what[length] && length && strchr(" ,", what[length - 1]))
            length--;
        snprintf(row->what, sizeof row->what, "%.*s", (int)length, what);
        snprintf(row->paper, sizeof row->paper, "%s", node_text(claim->paper));
        snprintf(row->remark, sizeof row->remark, "%s", paper_words(claim->remark));
    }
    return STATUS_OK;
}

static void paper_job_progress(void *argument, double share)
{
    struct paper_answer *whole = argument;
    if (share > 0 && share < whole->share + PAPER_STEP)
        return;
    whole->share = share;
    struct paper_answer *part = paper_question_new(whole->paper, whole->threads, whole->patience);
    if (!part)
        return;
    memcpy(part->title, whole->title, sizeof part->title);
    part->share = share;
    if (paper_take_claims(part, whole->experiment))
        free(part);
    else
        answer_publish(&whole->answer, &part->answer);
}

/* What one opens to see why a claim got its verdict. */
static void paper_take_example(const struct experiment_runs *runs,
                               const struct experiment_example *example, struct paper_row *row)
{
    const struct experiment_variant *variants = runs->experiment->variants;
    const size_t named = example->variant == NO_VARIANT ? 0 : example->variant;
    const struct experiment_run *run = experiment_run_at(runs, example->subject, named);
    row->machine = runs->machines[run->variant];
    row->depth = variants[run->variant].depth;
    snprintf(row->name, sizeof row->name, "%s", variants[run->variant].label);
    snprintf(row->workload, sizeof row->workload, "%s", run->workload ? run->workload : "");
    if (example->rival == NO_VARIANT)
        return;
    const struct experiment_run *rival = experiment_run_at(runs, example->subject, example->rival);
    if (!rival->workload || !run->workload || strcmp(rival->workload, run->workload) != 0 ||
        variants[rival->variant].depth != row->depth)
        return;
    row->rival = runs->machines[rival->variant];
    snprintf(row->rival_name, sizeof row->rival_name, "%s", variants[rival->variant].label);
}

static enum status paper_take_rows(struct paper_answer *answer, const struct experiment_runs *runs,
                                   struct experiment_claims *claims,
                                   struct diagnostics *diagnostics)
{
    const struct experiment_result *results;
    const size_t count = experiment_results(claims, &results);
    enum status status = STATUS_OK;
    answer->rows = calloc(count + 1, sizeof *answer->rows);
    if (!answer->rows)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        struct paper_row *row = &answer->rows[answer->count++];
        struct experiment_example example;
        memcpy(row->what, results[i].what, sizeof row->what);
        memcpy(row->ours, results[i].ours, sizeof row->ours);
        snprintf(row->paper, sizeof row->paper, "%s", node_text(results[i].claim->paper));
        snprintf(row->remark, sizeof row->remark, "%s", paper_words(results[i].claim->remark));
        row->judged = true;
        row->verdict = results[i].verdict;
        status = experiment_example(claims, &results[i], &example, diagnostics);
        if (!status)
            paper_take_example(runs, &example, row);
    }
    experiment_counts_print(claims, answer->counts);
    return status;
}

static enum status paper_job_repeat(struct paper_answer *answer,
                                    const struct experiment *experiment,
                                    const struct experiment_options *options,
                                    struct diagnostics *diagnostics)
{
    struct experiment_runs runs = {0};
    struct experiment_terms *terms = NULL;
    struct experiment_claims *claims = NULL;
    enum status status = experiment_runs_open(experiment, options, &runs, diagnostics);
    if (!status)
        status = experiment_terms_create(&runs, &terms, diagnostics);
    if (!status)
        status = experiment_claims_create(terms, experiment, &claims, diagnostics);
    if (!status) {
        experiment_claims_ask(claims);
        answer->experiment = experiment;
        paper_job_progress(answer, 0);
        status = experiment_runs_make(&runs, experiment_asked(terms), options, diagnostics);
    }
    if (!status)
        status = experiment_values(terms, diagnostics);
    if (!status)
        status = experiment_claims_judge(claims, diagnostics);
    if (!status)
        status = paper_take_rows(answer, &runs, claims, diagnostics);
    experiment_claims_free(claims);
    experiment_terms_free(terms);
    experiment_runs_free(&runs);
    return status;
}

static void paper_job_run(void *argument, const atomic_bool *cancel)
{
    struct paper_answer *answer = argument;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct experiment experiment;
    char *cache = stage_cache_path();
    const struct experiment_options options = {.threads = answer->threads,
                                               .cache = cache,
                                               .time_limit = answer->patience,
                                               .cancel = cancel,
                                               .progress = paper_job_progress,
                                               .argument = answer};
    /* If it cannot be set, the experiments run anyway. */
    (void)!setpriority(PRIO_PROCESS, (id_t)gettid(), PAPER_NICE);
    enum status status = experiment_load(answer->paper, &experiment, &diagnostics);
    if (!status) {
        const struct node *machine = document_find(experiment.document, "machine");
        snprintf(answer->title, sizeof answer->title, "%s", node_text(experiment.paper));
        snprintf(answer->machine, sizeof answer->machine, "%s",
                 machine ? node_text(machine) : "gtx480");
        status = paper_job_repeat(answer, &experiment, &options, &diagnostics);
        if (status == STATUS_CANCELLED && answer->patience > 0 && !*cancel) {
            diagnostics_free(&diagnostics);
            snprintf(answer->counts, sizeof answer->counts, "Enter runs their experiments");
            status = paper_take_claims(answer, &experiment);
        }
        answer->experiment = NULL;
        experiment_free(&experiment);
    }
    free(cache);
    answer_end(&answer->answer, status, &diagnostics);
}

static void paper_job_free(void *argument)
{
    struct paper_answer *answer = argument;
    free(answer->rows);
    free(answer);
}

const struct job_kind paper_job = {paper_job_run, paper_job_free};

struct paper_answer *paper_question_new(const char *paper, int threads, double patience)
{
    struct paper_answer *answer = calloc(1, sizeof *answer);
    if (!answer)
        return NULL;
    snprintf(answer->paper, sizeof answer->paper, "%s", paper);
    answer->threads = threads;
    answer->patience = patience;
    return answer;
}
