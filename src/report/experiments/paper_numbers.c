#include "report/experiments/paper_numbers.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>

#include "base/units.h"

struct paper_number *paper_numbers_add(struct paper_numbers *numbers, const char *what,
                                       const char *paper, enum number_mark mark)
{
    assert(numbers->count < PAPER_NUMBERS_MAX);
    struct paper_number *number = &numbers->items[numbers->count++];
    *number = (struct paper_number){
        .what = what, .paper = paper, .mark = mark, .verdict = VERDICT_INCOMPARABLE, .remark = ""};
    return number;
}

void paper_number_say(struct paper_number *number, bool agrees, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(number->ours, PAPER_TEXT, format, arguments);
    va_end(arguments);
    number->verdict = agrees ? VERDICT_AGREES : VERDICT_DIFFERS;
}

void paper_number_judge(struct paper_number *number, size_t holds, size_t count)
{
    number->verdict = !count              ? VERDICT_INCOMPARABLE
                      : holds == count    ? VERDICT_AGREES
                      : 2 * holds > count ? VERDICT_MOSTLY
                                          : VERDICT_DIFFERS;
}

const char *number_mark_name(enum number_mark mark)
{
    static const char *const names[] = {[MARK_TEXT] = "text number",
                                        [MARK_CLAIM] = "text",
                                        [MARK_DERIVED] = "derived",
                                        [MARK_UNKNOWN] = "unknown"};
    return names[mark];
}

const char *number_verdict_name(enum number_verdict verdict)
{
    static const char *const names[] = {[VERDICT_AGREES] = "agrees",
                                        [VERDICT_MOSTLY] = "holds for most",
                                        [VERDICT_DIFFERS] = "differs",
                                        [VERDICT_INCOMPARABLE] = "cannot be compared"};
    return names[verdict];
}

enum status paper_numbers_table(const struct paper_numbers *numbers, enum table_format format,
                                FILE *out)
{
    static const char *const headers[] = {"what",    "paper",  "mark", "ours",
                                          "verdict", "remark", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < numbers->count; i++) {
        const struct paper_number *number = &numbers->items[i];
        table_text(table, number->what);
        table_text(table, number->paper);
        table_text(table, number_mark_name(number->mark));
        table_text(table, number->ours);
        table_text(table, number_verdict_name(number->verdict));
        table_text(table, number->remark);
    }
    return table_finish(table, format, out);
}

void paper_numbers_print(const struct paper_numbers *numbers, FILE *out)
{
    fputs("The paper's text beside ours\n", out);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct paper_number *number = &numbers->items[i];
        fprintf(out, "\n%2zu. %s (%s)\n    paper   %s\n    ours    %s\n    %s\n", i + 1,
                number->what, number_mark_name(number->mark), number->paper, number->ours,
                number_verdict_name(number->verdict));
        if (*number->remark)
            fprintf(out, "    remark  %s\n", number->remark);
    }
}

void paper_rate(struct table *table, double rate)
{
    char text[QUANTITY_TEXT] = "-";
    if (!isnan(rate))
        snprintf(text, sizeof text, "%.1f", rate);
    table_number(table, rate / 100, text);
}

void paper_count(struct table *table, double count)
{
    char text[QUANTITY_TEXT];
    table_number(table, count, quantity_print_short(count, UNIT_NONE, 4, text));
}
