#include "explore/papers/experiment_claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const experiment_verdict_names[EXPERIMENT_VERDICTS] = {
    [EXPERIMENT_AGREES] = "agrees",
    [EXPERIMENT_MOSTLY] = "holds for most",
    [EXPERIMENT_DIFFERS] = "differs",
    [EXPERIMENT_CHOSEN] = "chosen to fit",
    [EXPERIMENT_INCOMPARABLE] = "cannot be compared"};

const char experiment_rule[] =
    "a number agrees within its tolerance, a change only if its sign is the paper's; a statement "
    "agrees if it holds for all workloads, and holds for most if for more than half";

/* What a claim may name in its texts. */
enum { WORD_VALUE, WORD_HOLDS, WORD_COUNT, WORD_END };
static const struct experiment_word word_names[] = {[WORD_VALUE] = {.name = "value"},
                                                    [WORD_HOLDS] = {.name = "holds"},
                                                    [WORD_COUNT] = {.name = "count"},
                                                    [WORD_END] = {.name = NULL}};

struct claim {
    const struct experiment_claim *row;
    struct expression *where, *test; /* test: of value, holds or agrees */
    struct experiment_text *what, *ours;
    double number, within;
    bool change; /* the number has a sign */
};

struct experiment_claims {
    struct experiment_terms *terms;
    const struct experiment *experiment;
    size_t subjects;
    struct claim *items;
    struct experiment_result *results;
    size_t result_count;
    struct experiment_rank *ranks;
    size_t rank_count;
};

/* ---- reading ---- */

static enum status wrong_number(const struct experiment_claims *claims, const struct node *node,
                                const char *what, struct diagnostics *diagnostics)
{
    const struct place place = node_place(claims->experiment->document, node);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s: expected %s, got '%.40s'", what,
                    !strcmp(what, "within") ? "a tolerance above 0, such as 2 or 10%"
                                            : "a number, with its sign if it is a change",
                    node_text(node));
    return STATUS_INVALID;
}

static enum status claim_read_number(const struct experiment_claims *claims, struct claim *claim,
                                     struct diagnostics *diagnostics)
{
    const struct experiment_claim *row = claim->row;
    enum status status = STATUS_OK;
    if (!row->number)
        return status;
    const char *text = node_text(row->number), *within = node_text(row->within);
    const size_t length = strlen(within);
    const bool share = length && within[length - 1] == '%';
    claim->change = *text == '+' || *text == '-';
    if (quantity_parse_real(text + (*text == '+'), UNIT_NONE, &claim->number))
        status = wrong_number(claims, row->number, "number", diagnostics);
    if (quantity_parse_real(within, share ? UNIT_PERCENT : UNIT_NONE, &claim->within) ||
        claim->within <= 0)
        status = wrong_number(claims, row->within, "within", diagnostics);
    if (share)
        claim->within *= fabs(claim->number);
    return status;
}

static enum status read_claim(struct experiment_claims *claims, struct claim *claim,
                              struct diagnostics *diagnostics)
{
    const struct experiment_claim *row = claim->row;
    const struct node *test = row->value ? row->value : row->holds ? row->holds : row->agrees;
    enum status all[5] = {STATUS_OK};
    all[0] = claim_read_number(claims, claim, diagnostics);
    if (row->where)
        all[1] = experiment_expression(claims->terms, row->where, node_text(row->where), SCOPE_ROWS,
                                       &claim->where, diagnostics);
    if (test)
        all[2] = experiment_expression(claims->terms, test, node_text(test), SCOPE_ROWS,
                                       &claim->test, diagnostics);
    all[3] = experiment_text_create(claims->terms, row->what, SCOPE_ROWS, word_names, &claim->what,
                                    diagnostics);
    all[4] = experiment_text_create(claims->terms, row->ours, SCOPE_ROWS, word_names, &claim->ours,
                                    diagnostics);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i])
            return all[i];
    return STATUS_OK;
}

static size_t rounds_of(const struct experiment_claims *claims, const struct claim *claim)
{
    return experiment_is_yes(claim->row->readings) ? claims->experiment->reading_count : 1;
}

/* Whether the claim ranks the readings. */
static bool is_ranking(const struct experiment_claim *claim)
{
    return claim->readings && claim->number;
}

enum status experiment_claims_create(struct experiment_terms *terms,
                                     const struct experiment *experiment,
                                     struct experiment_claims **result,
                                     struct diagnostics *diagnostics)
{
    struct experiment_claims *claims = calloc(1, sizeof *claims);
    *result = NULL;
    if (!claims)
        return STATUS_MEMORY;
    claims->terms = terms;
    claims->experiment = experiment;
    claims->items = calloc(experiment->claim_count + 1, sizeof *claims->items);
    enum status status = claims->items ? STATUS_OK : STATUS_MEMORY;
    size_t results = 0;
    for (size_t i = 0; i < experiment->claim_count && status != STATUS_MEMORY; i++) {
        claims->items[i].row = &experiment->claims[i];
        const enum status read = read_claim(claims, &claims->items[i], diagnostics);
        status = status ? status : read;
        results += rounds_of(claims, &claims->items[i]);
    }
    if (!status) {
        claims->results = calloc(results + 1, sizeof *claims->results);
        claims->ranks = calloc(experiment->reading_count + 1, sizeof *claims->ranks);
        status = claims->results && claims->ranks ? STATUS_OK : STATUS_MEMORY;
    }
    if (status)
        experiment_claims_free(claims);
    else
        *result = claims;
    return status;
}

void experiment_claims_free(struct experiment_claims *claims)
{
    if (!claims)
        return;
    for (size_t i = 0; claims->items && i < claims->experiment->claim_count; i++) {
        expression_free(claims->items[i].where);
        expression_free(claims->items[i].test);
        experiment_text_free(claims->items[i].what);
        experiment_text_free(claims->items[i].ours);
    }
    free(claims->items);
    free(claims->results);
    free(claims->ranks);
    free(claims);
}

void experiment_claims_ask(struct experiment_claims *claims)
{
    for (size_t i = 0; i < claims->experiment->claim_count; i++) {
        const struct claim *claim = &claims->items[i];
        const size_t rounds =
            is_ranking(claim->row) ? claims->experiment->reading_count : rounds_of(claims, claim);
        for (size_t r = 0; r < rounds; r++) {
            const struct experiment_spot spot = {0, NO_VARIANT, r};
            experiment_ask(claims->terms, claim->where, &spot);
            experiment_ask(claims->terms, claim->test, &spot);
            if (r < rounds_of(claims, claim)) {
                experiment_ask_text(claims->terms, claim->what, &spot);
                experiment_ask_text(claims->terms, claim->ours, &spot);
            }
        }
    }
}

/* ---- judging ---- */

enum status experiment_taken(struct experiment_terms *terms, struct expression *where,
                             const struct node *loads, size_t reading, bool *taken,
                             struct diagnostics *diagnostics)
{
    const struct experiment_runs *runs = experiment_terms_runs(terms);
    bool *one = calloc(runs->subject_count + 1, sizeof *one);
    enum status status = one ? STATUS_OK : STATUS_MEMORY;
    for (size_t s = 0; s < runs->subject_count && !status; s++) {
        struct expression_answer holds = {.number = 1};
        taken[s] = experiment_is_load(runs, s) == experiment_is_yes(loads);
        if (!taken[s] || !where)
            continue;
        one[s] = true;
        status = experiment_over(terms, where, reading, one, &holds, diagnostics);
        one[s] = false;
        taken[s] = holds.number != 0 && !isnan(holds.number);
    }
    free(one);
    return status;
}

/* For how many of the taken subjects a test holds, of those that can tell. */
static enum status count_holds(struct experiment_claims *claims, const struct claim *claim,
                               size_t reading, const bool *taken, bool *one, double *holds,
                               double *count, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    *holds = *count = 0;
    for (size_t s = 0; s < claims->subjects && !status; s++) {
        struct expression_answer held = {.number = NAN};
        if (!taken[s])
            continue;
        memset(one, 0, claims->subjects * sizeof *one);
        one[s] = true;
        status = experiment_over(claims->terms, claim->test, reading, one, &held, diagnostics);
        *count += !isnan(held.number);
        *holds += !isnan(held.number) && held.number != 0;
    }
    return status;
}

static enum experiment_verdict judge_number(const struct claim *claim, double ours,
                                            double *distance)
{
    if (isnan(ours))
        return EXPERIMENT_INCOMPARABLE;
    const bool turned = claim->change && ours * claim->number < 0;
    *distance = fabs(ours - claim->number) / claim->within;
    return *distance <= 1 && !turned ? EXPERIMENT_AGREES : EXPERIMENT_DIFFERS;
}

static enum experiment_verdict judge_counts(const struct claim *claim, double holds, double count)
{
    const bool most = 2 * holds > count;
    if (count == 0)
        return EXPERIMENT_INCOMPARABLE;
    if (holds == count || (claim->row->most && most))
        return EXPERIMENT_AGREES;
    return most ? EXPERIMENT_MOSTLY : EXPERIMENT_DIFFERS;
}

/* Whether the claim is of what ran alone. */
static enum status is_comparable(struct experiment_claims *claims, const struct claim *claim,
                                 bool *comparable, struct diagnostics *diagnostics)
{
    *comparable = true;
    return !claim->test || (!claim->row->holds && experiment_of_any(claim->test))
               ? STATUS_OK
               : experiment_covers(claims->terms, claim->where,
                                   experiment_is_yes(claim->row->loads), comparable, diagnostics);
}

/* What was chosen to fit is no agreement; of a part of the programs nothing is said of all. */
static enum status temper_verdict(struct experiment_claims *claims, const struct claim *claim,
                                  struct experiment_result *result, struct diagnostics *diagnostics)
{
    const struct experiment *experiment = claims->experiment;
    const bool agrees =
        result->verdict == EXPERIMENT_AGREES || result->verdict == EXPERIMENT_MOSTLY;
    const bool reads = experiment_is_yes(claim->row->readings);
    bool comparable;
    const enum status status = is_comparable(claims, claim, &comparable, diagnostics);
    if (!comparable) {
        result->verdict = EXPERIMENT_INCOMPARABLE;
        result->distance = NAN;
    } else if (agrees &&
               (experiment_is_yes(claim->row->chosen) ||
                (reads && experiment_is_yes(experiment->readings[result->reading].chosen)))) {
        result->verdict = EXPERIMENT_CHOSEN;
    }
    return status;
}

static enum status judge_claim(struct experiment_claims *claims, const struct claim *claim,
                               size_t reading, bool *taken, bool *one,
                               struct experiment_result *result, struct diagnostics *diagnostics)
{
    struct experiment_word words[sizeof word_names / sizeof *word_names];
    struct experiment_said said = {.missing = true};
    struct expression_answer answer = {.number = NAN};
    const struct experiment_spot spot = {0, NO_VARIANT, reading};
    double *value = &words[WORD_VALUE].number;
    memcpy(words, word_names, sizeof words);
    *value = NAN;
    *result = (struct experiment_result){.claim = claim->row,
                                         .reading = reading,
                                         .verdict = EXPERIMENT_INCOMPARABLE,
                                         .distance = NAN};
    enum status status = experiment_taken(claims->terms, claim->where, claim->row->loads, reading,
                                          taken, diagnostics);
    if (!status && claim->row->holds) {
        status = count_holds(claims, claim, reading, taken, one, &words[WORD_HOLDS].number,
                             &words[WORD_COUNT].number, diagnostics);
        result->verdict = judge_counts(claim, words[WORD_HOLDS].number, words[WORD_COUNT].number);
    } else if (!status && claim->test) {
        status = experiment_over(claims->terms, claim->test, reading, taken, &answer, diagnostics);
        *value = answer.number;
        result->verdict = claim->row->value ? judge_number(claim, *value, &result->distance)
                          : isnan(*value)   ? EXPERIMENT_INCOMPARABLE
                          : *value != 0     ? EXPERIMENT_AGREES
                                            : EXPERIMENT_DIFFERS;
    }
    if (!status)
        status = experiment_text_say(claims->terms, claim->what, &spot, taken, words, &said,
                                     diagnostics);
    if (!status)
        memcpy(result->what, said.text, sizeof result->what);
    if (!status)
        status = experiment_text_say(claims->terms, claim->ours, &spot, taken, words, &said,
                                     diagnostics);
    if (!status)
        memcpy(result->ours, said.text, sizeof result->ours);
    if (!status && !*result->ours && result->verdict != EXPERIMENT_INCOMPARABLE)
        snprintf(result->ours, sizeof result->ours, claim->row->holds ? "%.0f of %.0f" : "%.4g",
                 claim->row->holds ? words[WORD_HOLDS].number : *value, words[WORD_COUNT].number);
    if (!*result->ours || (said.missing && result->verdict == EXPERIMENT_INCOMPARABLE))
        snprintf(result->ours, sizeof result->ours, "not run");
    return status ? status : temper_verdict(claims, claim, result, diagnostics);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct experiment_rank *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->reading < y->reading ? -1 : x->reading > y->reading;
}

/* The distance of a number of the paper under a reading; NaN: we have none. */
static enum status distance_of(struct experiment_claims *claims, const struct claim *claim,
                               size_t reading, bool *taken, double *distance,
                               struct diagnostics *diagnostics)
{
    struct expression_answer answer = {.number = NAN};
    *distance = NAN;
    enum status status = experiment_taken(claims->terms, claim->where, claim->row->loads, reading,
                                          taken, diagnostics);
    if (!status)
        status = experiment_over(claims->terms, claim->test, reading, taken, &answer, diagnostics);
    if (!status)
        (void)judge_number(claim, answer.number, distance);
    return status;
}

static enum status rank_readings(struct experiment_claims *claims, bool *taken,
                                 struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t r = 0; r < claims->experiment->reading_count && !status; r++) {
        struct experiment_rank *rank = &claims->ranks[claims->rank_count];
        *rank = (struct experiment_rank){.reading = r};
        for (size_t i = 0; i < claims->experiment->claim_count && !status; i++) {
            double distance = NAN;
            if (is_ranking(claims->items[i].row))
                status = distance_of(claims, &claims->items[i], r, taken, &distance, diagnostics);
            if (isnan(distance))
                continue;
            rank->numbers++;
            rank->distance += distance * distance;
        }
        if (!rank->numbers)
            continue;
        rank->distance = sqrt(rank->distance / (double)rank->numbers);
        claims->rank_count++;
    }
    if (claims->rank_count)
        qsort(claims->ranks, claims->rank_count, sizeof *claims->ranks, compare_ranks);
    return status;
}

enum status experiment_claims_judge(struct experiment_claims *claims,
                                    struct diagnostics *diagnostics)
{
    const size_t count = claims->experiment->claim_count;
    claims->subjects = experiment_terms_runs(claims->terms)->subject_count;
    bool *taken = calloc(2 * claims->subjects + 1, sizeof *taken);
    enum status status = taken ? STATUS_OK : STATUS_MEMORY;
    for (size_t first = 0, end; first < count && !status; first = end) {
        const size_t rounds = rounds_of(claims, &claims->items[first]);
        for (end = first + 1; end < count && rounds_of(claims, &claims->items[end]) == rounds;)
            end++;
        for (size_t r = 0; r < rounds; r++)
            for (size_t i = first; i < end && !status; i++)
                status = judge_claim(claims, &claims->items[i], r, taken, taken + claims->subjects,
                                     &claims->results[claims->result_count++], diagnostics);
    }
    if (!status && !experiment_is_part(experiment_terms_runs(claims->terms)))
        status = rank_readings(claims, taken, diagnostics);
    free(taken);
    return status;
}

size_t experiment_results(const struct experiment_claims *claims,
                          const struct experiment_result **results)
{
    *results = claims->results;
    return claims->result_count;
}

static const char *const counted_verdicts[EXPERIMENT_VERDICTS] = {
    [EXPERIMENT_AGREES] = "agree",
    [EXPERIMENT_MOSTLY] = "hold for most",
    [EXPERIMENT_DIFFERS] = "differ",
    [EXPERIMENT_CHOSEN] = "chosen to fit",
    [EXPERIMENT_INCOMPARABLE] = "cannot be compared"};

void experiment_counts_print(const struct experiment_claims *claims, char text[EXPERIMENT_TEXT])
{
    size_t found[EXPERIMENT_VERDICTS] = {0};
    for (size_t i = 0; i < claims->result_count; i++)
        found[claims->results[i].verdict]++;
    size_t used = 0;
    for (size_t i = 0; i < EXPERIMENT_VERDICTS && used < EXPERIMENT_TEXT; i++) {
        if (i == EXPERIMENT_CHOSEN && !found[i])
            continue;
        used += (size_t)snprintf(text + used, EXPERIMENT_TEXT - used, "%s%zu %s", i ? ", " : "",
                                 found[i],
                                 found[i] == 1 ? experiment_verdict_names[i] : counted_verdicts[i]);
    }
}

/* The first taken subject, or if a test holds for single ones the first for which it does not. */
static enum status find_subject(struct experiment_claims *claims, const struct claim *claim,
                                size_t reading, const bool *taken, bool *one, size_t *subject,
                                struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    size_t first = SIZE_MAX;
    for (size_t s = 0; s < claims->subjects && !status; s++) {
        double holds = 1, count = 0;
        if (!taken[s])
            continue;
        first = first == SIZE_MAX ? s : first;
        memset(one + claims->subjects, 0, claims->subjects * sizeof *one);
        one[claims->subjects + s] = true;
        if (claim->row->holds)
            status = count_holds(claims, claim, reading, one + claims->subjects, one, &holds,
                                 &count, diagnostics);
        if (!status && count > holds) {
            first = s;
            break;
        }
    }
    *subject = first == SIZE_MAX ? 0 : first;
    return status;
}

enum status experiment_example(struct experiment_claims *claims,
                               const struct experiment_result *result,
                               struct experiment_example *example, struct diagnostics *diagnostics)
{
    const struct claim *claim = &claims->items[result->claim - claims->experiment->claims];
    const struct experiment_spot spot = {0, NO_VARIANT, result->reading};
    size_t named[2] = {NO_VARIANT, NO_VARIANT};
    bool *taken = calloc(3 * claims->subjects + 1, sizeof *taken);
    if (!taken)
        return STATUS_MEMORY;
    size_t count = experiment_named(claims->terms, claim->test, &spot, named, 0, 2);
    count = experiment_text_named(claims->terms, claim->ours, &spot, named, count, 2);
    example->variant = named[0];
    example->rival = count > 1 ? named[1] : NO_VARIANT;
    enum status status = experiment_taken(claims->terms, claim->where, claim->row->loads,
                                          result->reading, taken, diagnostics);
    if (!status)
        status = find_subject(claims, claim, result->reading, taken, taken + claims->subjects,
                              &example->subject, diagnostics);
    free(taken);
    return status;
}

size_t experiment_ranks(const struct experiment_claims *claims,
                        const struct experiment_rank **ranks)
{
    *ranks = claims->ranks;
    return claims->rank_count;
}
