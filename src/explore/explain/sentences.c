#include "explore/explain/sentences.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The least gain worth a sentence, whatever the noise. */
#define SENTENCE_LEAST 0.01
/* From this factor on a share of the stack and a gain disagree. */
enum { DISAGREE = 2 };

struct teller {
    const struct question *question;
    const struct ladder *ladder;
    const struct levers *levers;
    double floor; /* what a gain must exceed */
    struct sentences *sentences;
};

/* Adds a sentence with these arguments of `warpscape run`. */
static void teller_say(struct teller *teller, const char *repeat, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void teller_say(struct teller *teller, const char *repeat, const char *format, ...)
{
    if (teller->sentences->count == SENTENCES_MOST)
        return;
    struct sentence *sentence = &teller->sentences->items[teller->sentences->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence->text, sizeof sentence->text, format, arguments);
    va_end(arguments);
    snprintf(sentence->repeat, sizeof sentence->repeat, "%s", repeat);
}

static double percent(double share)
{
    return 100 * share;
}

static const char *ideal_repeat(enum ideal ideal, char text[SENTENCE_REPEAT])
{
    snprintf(text, SENTENCE_REPEAT, "--ideal %s", ideal_table[ideal].name);
    return text;
}

static void say_lever(struct teller *teller, const struct lever_change *change, const char *before,
                      double gain, const char *after)
{
    char words[LEVER_CHANGE_TEXT], repeat[SENTENCE_REPEAT];
    teller_say(teller, lever_change_print(change, "-s ", repeat), "%s%s %s %.1f %%%s", before,
               lever_change_print(change, "", words), metric_gain_verb(teller->question->metric),
               percent(gain), after);
}

/* ---- a limit and its levers ---- */

static void say_limit(struct teller *teller, const struct ladder_limit *limit)
{
    const struct metric *metric = teller->question->metric;
    char repeat[SENTENCE_REPEAT], stack[96] = "";
    const double share = limit->share;
    if (share * DISAGREE < limit->gain)
        snprintf(stack, sizeof stack, ", though that is only %.1f %% of the stack", percent(share));
    else if (share > DISAGREE * limit->gain)
        snprintf(stack, sizeof stack, ", though that is %.1f %% of the stack", percent(share));
    teller_say(teller, ideal_repeat(limit->ideal, repeat),
               "Without the limit \"%s\" %s is %.1f %% %s%s.", ideal_table[limit->ideal].label,
               metric->path, percent(limit->gain), metric_gain_side(metric, limit->gain), stack);
}

/* Whether a lever belongs to the part of the machine that has the limit: it is named alike, or
 * reads into the same stage. What translates addresses is one part. */
static bool is_lever_of(const struct lever *lever, enum ideal ideal)
{
    const struct parameter *parameter = lever->change.settings[0].parameter;
    const char *name = ideal_table[ideal].name;
    const size_t length = strcspn(name, ".");
    const unsigned stage = ideal_table[ideal].stage & ~(unsigned)STAGE_STREAM;
    const unsigned part = stage & (STAGE_TLB | STAGE_PWC) ? STAGE_TLB | STAGE_PWC : stage;
    return (!strncmp(parameter->path, name, length) && parameter->path[length] == '.') ||
           parameter->stages & part;
}

/* A capacity that was raised in vain. */
static void say_capacity(struct teller *teller, enum ideal ideal)
{
    for (size_t i = 0; i < teller->levers->single_count; i++) {
        const struct lever *lever = &teller->levers->singles[i];
        const struct parameter *parameter = lever->change.settings[0].parameter;
        const double own =
            parameter_number(parameter, parameter_get(parameter, teller->question->machine));
        if (is_lever_of(lever, ideal) && parameter->geometry == GEOMETRY_CAPACITY &&
            parameter_number(parameter, lever->change.settings[0].value) > own &&
            fabs(lever->gain) <= fmax(lever->noise, SENTENCE_LEAST / 2)) {
            say_lever(teller, &lever->change, "More capacity does not help: ", lever->gain, ".");
            return;
        }
    }
}

/* Whether a lever gains more than its noise, and enough for a sentence. */
static bool lever_helps(const struct lever *lever)
{
    return lever->gain > fmax(lever->noise, SENTENCE_LEAST);
}

/* The lever that helps most of those on a limit's part of the machine, or of all (IDEAL_COUNT);
 * where none helps, the one that gains most. NULL: there is none. */
static const struct lever *best_lever(const struct teller *teller, enum ideal ideal)
{
    const struct lever *most = NULL;
    for (size_t i = 0; i < teller->levers->single_count; i++) {
        const struct lever *lever = &teller->levers->singles[i];
        if (ideal != IDEAL_COUNT && !is_lever_of(lever, ideal))
            continue;
        if (lever_helps(lever))
            return lever;
        most = most ? most : lever;
    }
    return most;
}

/* What goes with a lever, if the two save more than it alone. */
static void say_partner(struct teller *teller, const struct lever *lever)
{
    const struct parameter *parameter = lever->change.settings[0].parameter;
    for (size_t i = 0; i < teller->levers->pair_count; i++) {
        const struct lever *pair = &teller->levers->pairs[i];
        bool with = false;
        for (size_t k = 0; k < pair->change.count; k++)
            with = with || pair->change.settings[k].parameter == parameter;
        if (!with)
            continue;
        if (pair->gain > lever->gain + fmax(lever->noise, SENTENCE_LEAST))
            say_lever(teller, &pair->change, "Together ", pair->gain, ".");
        return;
    }
}

static void tell_limit(struct teller *teller, const struct ladder_limit *limit)
{
    if (!(limit->gain > teller->floor))
        return;
    say_limit(teller, limit);
    if (!teller->levers->singles_complete)
        return;
    const struct lever *best = best_lever(teller, limit->ideal);
    say_capacity(teller, limit->ideal);
    if (best && lever_helps(best)) {
        say_lever(teller, &best->change, "Of the levers on that part of the machine, ", best->gain,
                  ", the most.");
        say_partner(teller, best);
    } else if (best) {
        say_lever(teller, &best->change, "No lever on that part of the machine helps: the best, ",
                  best->gain, ", no more than the noise, or too little to matter.");
    }
}

/* ---- what the stack says ---- */

static void tell_stack(struct teller *teller)
{
    const struct ladder_limit *named = NULL;
    char repeat[SENTENCE_REPEAT];
    for (size_t i = 0; i < teller->ladder->limit_count; i++) {
        const struct ladder_limit *limit = &teller->ladder->limits[i];
        if (limit->share > (named ? named->share : 0))
            named = limit;
    }
    if (!named || isnan(named->gain) || named->gain * DISAGREE * DISAGREE > named->share)
        return;
    for (size_t i = 0; i < teller->ladder->limit_count; i++)
        if (teller->ladder->limits[i].share == named->share &&
            teller->ladder->limits[i].gain * DISAGREE * DISAGREE > named->share)
            return; /* another limit that shows in the same part of the stack does help */
    teller_say(teller, ideal_repeat(named->ideal, repeat),
               "The stack gives \"%s\" most, %.1f %%, yet without that limit %s is %.1f %% %s.",
               ideal_table[named->ideal].label, percent(named->share),
               teller->question->metric->path, percent(fabs(named->gain)),
               metric_gain_side(teller->question->metric, named->gain));
}

/* ---- where no limit is ---- */

/* Uneven blocks: what issue takes beyond an even spread of it, which no limit shows. */
static void tell_imbalance(struct teller *teller)
{
    const struct metrics *base = teller->question->base;
    const struct metric *metric = teller->question->metric;
    const double even = base->core_bound / base->core_imbalance;
    const double share = (base->core_bound - even) / base->core_cycles;
    if ((metric != metric_find("core.time") && metric != metric_find("core.cycles")) ||
        !(share > SENTENCE_LEAST))
        return;
    teller_say(teller, "",
               "The busiest scheduler issues %.1f times as many instructions as the mean "
               "(core.imbalance); spread evenly, issue would take %.1f %% of %s less.",
               base->core_imbalance, percent(share), metric->path);
}

/* ---- pairs ---- */

/* The two limits that save most beyond their sum. */
static void tell_pair(struct teller *teller)
{
    const struct ladder_pair *best = NULL;
    double most = teller->floor;
    char repeat[SENTENCE_REPEAT];
    for (size_t i = 0; i < teller->ladder->pair_count; i++) {
        const struct ladder_pair *pair = &teller->ladder->pairs[i];
        const double beyond = pair->gain - ladder_gain_alone(teller->ladder, pair->ideals[0]) -
                              ladder_gain_alone(teller->ladder, pair->ideals[1]);
        if (beyond > most) {
            best = pair;
            most = beyond;
        }
    }
    if (!best)
        return;
    snprintf(repeat, sizeof repeat, "--ideal %s,%s", ideal_table[best->ideals[0]].name,
             ideal_table[best->ideals[1]].name);
    teller_say(
        teller, repeat,
        "Without both \"%s\" and \"%s\" %s is %.1f %% %s, which exceeds the sum of %.1f and %.1f "
        "%% "
        "alone.",
        ideal_table[best->ideals[0]].label, ideal_table[best->ideals[1]].label,
        teller->question->metric->path, percent(best->gain),
        metric_gain_side(teller->question->metric, best->gain),
        percent(ladder_gain_alone(teller->ladder, best->ideals[0])),
        percent(ladder_gain_alone(teller->ladder, best->ideals[1])));
}

/* ---- all levers ---- */

static bool is_said(const struct teller *teller, const struct lever *lever)
{
    char repeat[SENTENCE_REPEAT];
    lever_change_print(&lever->change, "-s ", repeat);
    for (size_t i = 0; i < teller->sentences->count; i++)
        if (!strcmp(teller->sentences->items[i].repeat, repeat))
            return true;
    return false;
}

static void tell_levers(struct teller *teller)
{
    const struct levers *levers = teller->levers;
    if (!levers->single_count)
        return;
    const struct lever *best = best_lever(teller, IDEAL_COUNT), *saving = NULL;
    if (!(best->gain > 0)) {
        if (levers->singles_complete)
            teller_say(teller, "", "No value of the %zu levers that were tried makes %s better%s.",
                       levers->parameters, teller->question->metric->path,
                       levers->incomparable_count ? "; others change what is counted" : "");
        return;
    }
    if (!lever_helps(best)) {
        if (levers->singles_complete)
            say_lever(teller, &best->change, "No lever helps: the best, ", best->gain,
                      ", no more than the noise, or too little to matter.");
        return;
    }
    if (!is_said(teller, best))
        say_lever(teller, &best->change,
                  levers->singles_complete ? "Of all levers, " : "Of the levers tried until then, ",
                  best->gain, ", the most.");
    for (size_t i = 0; i < levers->single_count && !saving; i++)
        if (lever_cost(&levers->singles[i]) == LEVER_FREE)
            saving = &levers->singles[i];
    if (saving && lever_helps(saving) && !is_said(teller, saving))
        say_lever(teller, &saving->change, "Without more area, ", saving->gain,
                  levers->singles_complete ? ", the most." : ", the most until then.");
}

void sentences_make(const struct question *question, const struct noise *noise,
                    const struct ladder *ladder, const struct levers *levers,
                    struct sentences *sentences)
{
    struct teller teller = {.question = question,
                            .ladder = ladder,
                            .levers = levers,
                            .floor = fmax(noise->floor, SENTENCE_LEAST),
                            .sentences = sentences};
    sentences->count = 0;
    for (size_t i = 0; i < ladder->limit_count && i < 2; i++)
        tell_limit(&teller, &ladder->limits[i]);
    tell_stack(&teller);
    tell_imbalance(&teller);
    tell_pair(&teller);
    tell_levers(&teller);
}
