#include "report/runs/profile_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/counts.h"
#include "base/printable.h"
#include "report/drawing/number.h"

enum { DIGITS = 4, OTHERS_SHOWN = 40 };

const char *const profile_table_names[] = {
    [PROFILE_COUNTERS] = "counters", [PROFILE_OTHERS] = "others", NULL};

#define CAUSE_NONE 0.005 /* a distance that asks for no cause */
enum { CAUSES_COLUMNS = 100 };

static void put_value(struct table *table, double value, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, value, quantity_print_short(value, unit, DIGITS, text));
}

/* The error of a counter for people: points of a ratio, a relative change of everything else. */
static const char *error_print(const struct measured_row *row, double ours, char text[NUMBER_TEXT])
{
    if (isnan(ours))
        return "";
    if (row->counter->unit == UNIT_PERCENT)
        snprintf(text, NUMBER_TEXT, "%+.2f points", 100 * (ours - row->value));
    else
        change_print(row->value, ours, text);
    return text;
}

static double error_number(const struct measured_row *row, double ours)
{
    if (row->counter->unit == UNIT_PERCENT)
        return ours - row->value;
    return row->value != 0 ? ours / row->value - 1 : NAN;
}

static const char *kind_of(const struct profile_report *report, size_t row)
{
    if (report->measured->rows[row].near)
        return "near";
    return comparison_counts(report->comparison, row) ? "same" : "again";
}

static void put_computed(const struct measured_row *row, double ours, struct table *table)
{
    char text[NUMBER_TEXT];
    put_value(table, ours, row->counter->unit);
    table_number(table, error_number(row, ours), error_print(row, ours, text));
}

static void put_compared(const struct measured_row *row, double ours, struct table *table)
{
    table_text(table, row->counter->name);
    put_value(table, row->value, row->counter->unit);
    put_computed(row, ours, table);
}

static void fill_counters(const struct profile_report *report, struct table *table)
{
    for (size_t i = 0; i < report->measured->count; i++) {
        const struct measured_row *row = &report->measured->rows[i];
        put_compared(row, report->ours[i], table);
        if (report->fitted)
            put_computed(row, report->fitted[i], table);
        table_text(table, kind_of(report, i));
        table_text(table, row->counter->expression);
    }
}

static void put_others(const struct profile_report *report, size_t count, struct table *table)
{
    for (size_t i = 0; i < count; i++) {
        const struct measured_other *other = &report->measured->others[i];
        const bool percent = !strcmp(other->counter->unit, "%");
        table_text(table, other->counter->name);
        put_value(table, other->value, percent ? UNIT_PERCENT : UNIT_NONE);
        table_text(table, percent ? "" : other->counter->unit);
        table_text(table, other->why);
    }
}

static void fill_others(const struct profile_report *report, struct table *table)
{
    put_others(report, report->measured->other_count, table);
}

static void put_parameter(struct table *table, const struct parameter *parameter,
                          struct value value)
{
    char text[VALUE_TEXT];
    table_text(table, parameter_print(parameter, value, text));
}

static void fill_steps(const struct profile_report *report, struct table *table)
{
    for (size_t i = 0; i < report->steps->count; i++) {
        const struct profile_step *step = &report->steps->best[i];
        table_text(table, step->parameter->path);
        put_parameter(table, step->parameter, parameter_get(step->parameter, report->machine));
        put_parameter(table, step->parameter, step->value);
        put_value(table, step->error, UNIT_PERCENT);
    }
}

/* What explains a counter: what brings it to less than half of its distance, or that it is
 * defined otherwise. */
static void put_cause(struct table *table, const struct measured_row *row, double distance,
                      const struct profile_cause *cause)
{
    char value[VALUE_TEXT];
    if (isnan(distance))
        table_text(table, "not answered at this depth");
    else if (distance < CAUSE_NONE)
        table_text(table, NULL);
    else if (!(cause->distance < distance / 2))
        table_text(table, row->near ? row->near : "nothing that was tried");
    else if (cause->workload)
        table_printf(table, "-w %s", cause->workload);
    else
        table_printf(table, "-s %s=%s", cause->parameter->path,
                     parameter_print(cause->parameter, cause->value, value));
}

static void fill_causes(const struct profile_report *report, struct table *table)
{
    for (size_t i = 0; report->causes && i < report->measured->count; i++) {
        const struct measured_row *row = &report->measured->rows[i];
        const struct profile_cause *cause = &report->causes[i];
        const double distance = measured_distance(row->counter->unit, row->value, report->ours[i]);
        put_compared(row, report->ours[i], table);
        put_value(table, cause->ours, row->counter->unit);
        put_cause(table, row, distance, cause);
    }
    table_fit(table, CAUSES_COLUMNS);
}

/* The values of a knob that some equally good machine has: "linear or xor". */
static void put_good(struct table *table, const struct fit_knob *knob, const struct axis *axis)
{
    char text[512], value[VALUE_TEXT];
    size_t used = 0, good = 0, shown = 0;
    for (size_t i = 0; i < knob->good_count; i++)
        good += knob->good[i];
    text[0] = '\0';
    for (size_t i = 0; i < knob->good_count && used < sizeof text; i++)
        if (knob->good[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     !shown++        ? ""
                                     : shown == good ? " or "
                                                     : ", ",
                                     parameter_print(knob->parameter, axis->values[i], value));
    table_text(table, text);
}

static void fill_fit(const struct profile_report *report, struct table *table)
{
    for (size_t i = 0; report->fit && i < report->fit->knob_count; i++) {
        const struct fit_knob *knob = &report->fit->knobs[i];
        table_text(table, knob->parameter->path);
        put_parameter(table, knob->parameter, knob->before);
        put_parameter(table, knob->parameter, knob->after);
        put_good(table, knob, &report->axes[i]);
    }
}

static const char *const others[] = {"counter", ">measured", "unit", "not compared: why|why", NULL};

static struct table *make_table(const struct profile_report *report, enum profile_table which)
{
    static const char *const counters[] = {"counter", ">measured",          ">ours", ">error",
                                           "kind",    "ours is|expression", NULL};
    static const char *const fitted[] = {"counter", ">measured",
                                         ">ours",   ">error",
                                         ">fitted", ">error of the fit|fit_error",
                                         "kind",    "ours is|expression",
                                         NULL};
    static const char *const steps[] = {"parameter", "now", "step to|step",
                                        ">mean error then|error", NULL};
    static const char *const causes[] = {"counter", ">measured", ">ours", ">error",
                                         ">then",   "with",      NULL};
    static const char *const fit[] = {"parameter", "before", "best", "equally good|good", NULL};
    static const struct {
        const char *const *headers;
        void (*fill)(const struct profile_report *report, struct table *table);
    } tables[] = {[PROFILE_COUNTERS] = {counters, fill_counters},
                  [PROFILE_OTHERS] = {others, fill_others},
                  [PROFILE_STEPS] = {steps, fill_steps},
                  [PROFILE_FIT] = {fit, fill_fit},
                  [PROFILE_CAUSES] = {causes, fill_causes}};
    struct table *table =
        table_create(which == PROFILE_COUNTERS && report->fitted ? fitted : tables[which].headers);
    if (table)
        tables[which].fill(report, table);
    return table;
}

enum status profile_report_table(const struct profile_report *report, enum profile_table which,
                                 enum table_format format, FILE *out)
{
    struct table *table = make_table(report, which);
    return table ? table_finish(table, format, out) : STATUS_MEMORY;
}

/* How launches of the profile stand for those of the workload, unless they are one for one. */
static void print_pairing(const struct pairing *pairing, const char *theirs, const char *ours,
                          FILE *out)
{
    if (pairing->taken == pairing->workload && !pairing->left)
        return;
    if (pairing->way == PAIRING_ALL)
        fprintf(out,
                "The profile has %s, added up, and the workload %s; --launches, --kernel and "
                "--launch choose.\n\n",
                theirs, ours);
    else
        fprintf(out, "The profile's %s%s, averaged, stand%s for the workload's %s%s.\n\n", theirs,
                pairing->way == PAIRING_MEAN ? ""
                : pairing->by_name           ? " of the same kernels and sizes"
                : pairing->by_size           ? " of the same size"
                                             : " of its only kernel",
                pairing->taken == 1 ? "s" : "", ours,
                pairing->left ? "; the others are left out" : "");
}

static void print_head(const struct profile_report *report, FILE *out)
{
    const struct measured *measured = report->measured;
    char ours[COUNT_TEXT], theirs[COUNT_TEXT];
    fprintf(out, "profile: ");
    printable_write(report->path, out);
    fprintf(out, ", ");
    for (size_t i = 0; i < measured->kernel_count; i++) {
        fprintf(out, "%s", i ? " and " : "");
        printable_write(*measured->kernels[i] ? measured->kernels[i] : "a kernel without a name",
                        out);
    }
    fprintf(out, ", %s", counted_print(measured->pairing.taken, "launch", theirs));
    if (report->profile->device) {
        fprintf(out, ", ");
        printable_write(report->profile->device, out);
    }
    fprintf(out, "\nmachine: ");
    printable_write(report->machine_name, out);
    fprintf(out, ", depth %s\nworkload: ", depth_name(report->depth));
    printable_write(report->workload, out);
    fprintf(out, ", %s\n\n", counted_print(report->launches, "launch", ours));
    print_pairing(&measured->pairing, theirs, ours, out);
}

/* Why counters are near on this GPU that mean the same on others. */
static void print_changes(const struct profile_report *report, FILE *out)
{
    const unsigned capability = report->measured->capability;
    size_t shown = 0;
    for (size_t i = 0; i < report->measured->count; i++) {
        const struct measured_row *row = &report->measured->rows[i];
        if (row->near && !(row->counter->traits & COUNTER_NEAR))
            fprintf(out, "%snear on CC %u.%u: %s: %s\n", shown++ ? "" : "\n", capability / 10,
                    capability % 10, row->counter->name, row->near);
    }
}

static void print_error(const struct profile_report *report, FILE *out)
{
    size_t counted;
    char counters[COUNT_TEXT];
    const double error = comparison_error(report->comparison, report->ours, NULL, &counted);
    if (!counted) {
        fprintf(out, "\nNo counter tells how near the machine is at depth %s.\n",
                depth_name(report->depth));
        return;
    }
    fprintf(out, "\nmean error: %.2f%% over %s of the same meaning\n", 100 * error,
            counted_print(counted, "counter", counters));
}

/* A whole page of ncu has thousands of counters: people see the first. */
static enum status print_others(const struct profile_report *report, FILE *out)
{
    const size_t all = report->measured->other_count;
    const size_t count = all < OTHERS_SHOWN ? all : OTHERS_SHOWN;
    if (!count)
        return STATUS_OK;
    fprintf(out, "\nNot compared:\n\n");
    struct table *table = table_create(others);
    if (!table)
        return STATUS_MEMORY;
    put_others(report, count, table);
    const enum status status = table_finish(table, TABLE_TEXT, out);
    if (count < all)
        fprintf(out, "and %zu more: --table others --format csv lists all\n", all - count);
    return status;
}

static enum status print_steps(const struct profile_report *report, FILE *out)
{
    const struct profile_steps *steps = report->steps;
    char knobs[COUNT_TEXT], machines[COUNT_TEXT];
    counted_print(steps->knobs, "knob", knobs);
    counted_print(steps->machines, "machine", machines);
    if (!steps->machines)
        return STATUS_OK;
    if (!steps->count) {
        fprintf(out, "\nNone of %s brings the machine nearer by itself (%s).\n", knobs, machines);
        return STATUS_OK;
    }
    fprintf(out, "\nValues of %s that bring the machine nearer, each alone (%s):\n\n", knobs,
            machines);
    return profile_report_table(report, PROFILE_STEPS, TABLE_TEXT, out);
}

static enum status print_fit(const struct profile_report *report, FILE *out)
{
    const struct profile_fit *fit = report->fit;
    char machines[COUNT_TEXT], same[COUNT_TEXT];
    if (!fit)
        return STATUS_OK;
    fprintf(out, "\nBest of %s, with a mean error of %.2f%% (before: %.2f%%):\n\n",
            counted_print(fit->machines, "machine", machines), 100 * fit->after, 100 * fit->before);
    const enum status status = profile_report_table(report, PROFILE_FIT, TABLE_TEXT, out);
    if (fit->same > 1)
        fprintf(out,
                "\nThe profile cannot tell them apart: %s lie within %.2f points of the least "
                "error.\nThe one with the fewest changes is shown.\n",
                counted_print(fit->same, "machine", same), 100 * FIT_SAME);
    return status;
}

enum status profile_report_print(const struct profile_report *report, FILE *out)
{
    print_head(report, out);
    enum status status = profile_report_table(
        report, report->causes ? PROFILE_CAUSES : PROFILE_COUNTERS, TABLE_TEXT, out);
    if (status)
        return status;
    print_changes(report, out);
    print_error(report, out);
    status = print_others(report, out);
    status = status ? status : print_steps(report, out);
    status = status ? status : print_fit(report, out);
    for (size_t i = 0; i < report->note_count; i++)
        fprintf(out, "%snote: %s\n", i ? "" : "\n", report->notes[i]);
    return status;
}
