#include "report/drawing/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VALUE_LIMIT 1e300 /* a difference of two such values is still finite */

static double clamped(double value)
{
    return fmin(fmax(value, -VALUE_LIMIT), VALUE_LIMIT);
}

static bool is_binary(enum unit unit)
{
    return unit == UNIT_BYTES || unit == UNIT_BITS;
}

/* The smallest product of a factor and a power of ten that is at least `raw`; for bytes and bits a
 * power of two. */
static double step_of(double raw, enum unit unit, const double *factors, size_t count)
{
    if (is_binary(unit))
        return exp2(ceil(log2(raw) - 1e-9));
    double power = pow(10, floor(log10(raw)));
    size_t i = 0;
    while (i + 1 < count && power * factors[i] < raw * (1 - 1e-9))
        i++;
    return power * factors[i];
}

/* The smallest round step that cuts `range` into about `wanted` parts at most. */
static double round_step(double range, size_t wanted, enum unit unit)
{
    static const double factors[] = {1, 2, 5, 10};
    return step_of(range / (double)wanted, unit, factors, 4);
}

/* A text chart has few rows. Allowing a factor of 2.5 lets the data fill more of them. */
static double row_step(double raw, enum unit unit)
{
    static const double factors[] = {1, 2, 2.5, 5, 10};
    return step_of(raw, unit, factors, 5);
}

/* If all data are equal, the range would be empty: add room on both sides. */
static void widen(double *min, double *max, const struct axis_style *style)
{
    if (*max - *min > fmax(fabs(*min), fabs(*max)) * 1e-9)
        return;
    double middle = *min;
    if (style->logarithmic) {
        *min = middle - 1;
        *max = middle + 1;
    } else if (style->unit == UNIT_PERCENT && middle >= 0 && middle <= 1) {
        *min = 0;
        *max = 1;
    } else if (middle == 0) {
        *max = 1;
    } else {
        *min = middle - fabs(middle) / 2;
        *max = middle + fabs(middle) / 2;
    }
}

struct axis_range axis_fit(const struct axis_style *style, double data_min, double data_max,
                           bool nice)
{
    if (style->ticks && style->tick_count)
        return (struct axis_range){-0.5, (double)style->tick_count - 0.5, false, 0};
    struct axis_range range = {style->min, style->max, style->logarithmic, 0};
    bool fixed = isfinite(style->min) && isfinite(style->max) && style->min < style->max &&
                 !(style->logarithmic && style->min <= 0);
    if (!fixed) {
        range.min = data_min;
        range.max = data_max;
        if (!(data_min <= data_max)) {
            range.min = style->logarithmic ? 1 : 0;
            range.max = style->logarithmic ? 2 : 1;
        }
    }
    range.min = clamped(range.min);
    range.max = clamped(range.max);
    if (range.logarithmic) {
        range.min = log2(range.min);
        range.max = log2(range.max);
    }
    widen(&range.min, &range.max, style);
    if (nice && !fixed && !range.logarithmic) {
        double step = round_step(range.max - range.min, 5, style->unit);
        if (step > 0 && isfinite(step)) {
            range.min = floor(range.min / step + 1e-9) * step;
            range.max = ceil(range.max / step - 1e-9) * step;
        }
    }
    return range;
}

/* The range with the smallest step that holds the data and has its ticks, multiples of the step, in
 * every `stride`-th row from row `first` on. Returns step 0 if there is none. */
static struct axis_range fit_stride(const struct axis_range *data, enum unit unit, int rows,
                                    int stride, int first)
{
    const double strides = (rows - 1) / (double)stride, below = first / (double)stride;
    struct axis_range range = *data;
    range.step = row_step((data->max - data->min) / strides, unit);
    /* Rounding `min` down may push `max` out: then try larger steps. */
    for (int tries = 0; tries < 3; tries++) {
        range.min = (floor(data->min / range.step + below + 1e-9) - below) * range.step;
        range.max = range.min + strides * range.step;
        if (range.max >= data->max - range.step * 1e-9 && isfinite(range.min))
            return range;
        range.step = row_step(range.step * 1.01, unit);
    }
    range.step = 0;
    return range;
}

struct axis_range axis_fit_rows(const struct axis_style *style, double data_min, double data_max,
                                int rows)
{
    enum { TICKS_MOST = 7 };
    struct axis_range data = axis_fit(style, data_min, data_max, false);
    struct axis_range best = axis_fit(style, data_min, data_max, true);
    const bool fixed = style->min < style->max || (style->ticks && style->tick_count);
    if (fixed || best.logarithmic || rows < 3)
        return best;
    const int most = rows < 7 ? rows - 1 : rows / 3; /* at least three ticks, if they fit */
    for (int stride = rows > 5 ? 2 : 1; stride <= most; stride++)
        for (int first = 0; first < (data.min == 0 ? 1 : stride); first++) {
            struct axis_range range = fit_stride(&data, style->unit, rows, stride, first);
            double enough = best.step > 0 ? (best.max - best.min) * (1 - 1e-9) : INFINITY;
            if (range.step > 0 && first + stride < rows && range.max - range.min < enough &&
                (rows - 1 - first) / stride < TICKS_MOST)
                best = range;
        }
    return best;
}

double axis_position(const struct axis_range *range, double value)
{
    if (!isfinite(value) || (range->logarithmic && value <= 0))
        return NAN;
    value = range->logarithmic ? log2(value) : clamped(value);
    return (value - range->min) / (range->max - range->min);
}

/* How many decimals a step needs: 0 for 5, 1 for 0.5, 2 for 0.25; -1 if it is not a round number.
 */
static int step_decimals(double step)
{
    double power = 1;
    for (int decimals = 0; decimals <= 9; decimals++, power *= 10)
        if (fabs(step * power - round(step * power)) < 1e-6 * step * power)
            return decimals;
    return -1;
}

/* Prints "64K", "2.5", "80%": `value` with the prefix that suits `magnitude`, and with enough
 * decimals to tell two neighbours apart that differ by `step`. */
static void print_tick(double value, double step, double magnitude, enum unit unit,
                       char text[AXIS_LABEL])
{
    double scale;
    const char *suffix = quantity_suffix(magnitude, unit, &scale);
    int length = (int)strlen(suffix), decimals = step_decimals(step / scale);
    if (unit == UNIT_BYTES) /* shorten "KiB" to "K" and drop "B" */
        length = suffix[1] ? 1 : 0;
    if (value == 0)
        snprintf(text, AXIS_LABEL, "0%s", unit == UNIT_PERCENT ? suffix : "");
    else if (decimals >= 0 && magnitude / scale < 1e9)
        snprintf(text, AXIS_LABEL, "%.*f%.*s", decimals, value / scale, length, suffix);
    else
        snprintf(text, AXIS_LABEL, "%.3g%.*s", value / scale, length, suffix);
}

static void add_tick(const struct axis_range *range, double value, double step, double magnitude,
                     enum unit unit, struct axis_tick *tick)
{
    tick->name = NULL;
    tick->position = axis_position(range, value);
    print_tick(value, step, magnitude, unit, tick->text);
}

static size_t linear_ticks(const struct axis_range *range, double min, double max, size_t wanted,
                           enum unit unit, struct axis_tick *ticks)
{
    double magnitude = fmax(fabs(min), fabs(max));
    size_t parts = wanted > 1 ? wanted - 1 : 1;
    double step = range->step > 0 ? range->step : round_step(max - min, parts, unit);
    if (!(step > magnitude * 1e-11) || !isfinite(step))
        return 0;
    double first = ceil(min / step - 1e-9);
    size_t count = 0;
    for (; count < wanted && (first + (double)count) * step <= max + step * 1e-9; count++)
        add_tick(range, (first + (double)count) * step, step, magnitude, unit, &ticks[count]);
    return count;
}

/* Powers of `base`; skips exponents evenly so that at most `wanted` remain. */
static size_t power_ticks(const struct axis_range *range, double base, size_t wanted,
                          enum unit unit, struct axis_tick *ticks)
{
    double first = ceil(range->min / log2(base) - 1e-9);
    double last = floor(range->max / log2(base) + 1e-9);
    double stride = fmax(1, ceil((last - first + 1) / (double)wanted));
    size_t count = 0;
    for (; count < wanted && first + (double)count * stride <= last; count++) {
        double value = pow(base, first + (double)count * stride);
        add_tick(range, value, value, value, unit, &ticks[count]);
    }
    return count;
}

static size_t logarithmic_ticks(const struct axis_style *style, const struct axis_range *range,
                                size_t wanted, struct axis_tick *ticks)
{
    /* Counts in hardware (ways, entries) are powers of two; counts of events are not. */
    bool count = style->unit == UNIT_NONE || style->unit == UNIT_CYCLES;
    double base = is_binary(style->unit) || (count && range->max <= 16) ? 2 : 10;
    size_t found = power_ticks(range, base, wanted, style->unit, ticks);
    if (found >= 2 || wanted < 2)
        return found;
    size_t linear =
        linear_ticks(range, exp2(range->min), exp2(range->max), wanted, style->unit, ticks);
    return linear ? linear : power_ticks(range, base, wanted, style->unit, ticks);
}

size_t axis_ticks(const struct axis_style *style, const struct axis_range *range, size_t wanted,
                  struct axis_tick ticks[AXIS_TICKS_MAX])
{
    if (wanted > AXIS_TICKS_MAX)
        wanted = AXIS_TICKS_MAX;
    if (!wanted)
        return 0;
    if (!style->ticks || !style->tick_count)
        return range->logarithmic
                   ? logarithmic_ticks(style, range, wanted, ticks)
                   : linear_ticks(range, range->min, range->max, wanted, style->unit, ticks);
    size_t stride = (style->tick_count + wanted - 1) / wanted, count = 0;
    for (size_t i = 0; i < style->tick_count; i += stride) {
        ticks[count].name = style->ticks[i];
        ticks[count++].position = axis_position(range, (double)i);
    }
    return count;
}

const char *axis_tick_text(const struct axis_tick *tick)
{
    return tick->name ? tick->name : tick->text;
}

double stack_base(const struct chart *chart, size_t number, size_t item)
{
    double base = 0;
    for (size_t i = 0; i < number && chart->series[number].kind == SERIES_STACK; i++)
        if (chart->series[i].kind == SERIES_STACK)
            base += chart->series[i].y[item];
    return base;
}
