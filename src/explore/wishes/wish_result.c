#include "explore/wishes/wish_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"

static enum status copy_bytes(const void *from, size_t bytes, void **to)
{
    *to = malloc(bytes + 1);
    if (*to && bytes)
        memcpy(*to, from, bytes);
    return *to ? STATUS_OK : STATUS_MEMORY;
}

#define COPY(field, count)                                                                         \
    copy_bytes(from->field, (count) * sizeof *from->field, (void **)&to->field)

enum status wish_result_copy(const struct wish_result *from, struct wish_result *to)
{
    *to = *from;
    enum status status = study_copy(&from->study, &to->study);
    enum status copied[] = {COPY(columns, from->column_count), COPY(least, from->column_count),
                            COPY(most, from->column_count), COPY(rows, from->row_count),
                            COPY(values, from->value_count)};
    to->space.study = &to->study;
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        status = status ? status : copied[i];
    if (status)
        wish_result_free(to);
    return status;
}

void wish_result_free(struct wish_result *result)
{
    study_free(&result->study);
    free(result->columns);
    free(result->least);
    free(result->most);
    free(result->rows);
    free(result->values);
    *result = (struct wish_result){0};
}

char *wish_settings(const struct wish_result *result, uint64_t machine, const char *before)
{
    const struct study *study = &result->study;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    const char *gap = "";
    if (!out)
        return NULL;
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        const struct value value = axis->values[space_digit(&result->space, machine, a)];
        char text[VALUE_TEXT];
        if (parameter_equal(axis->parameter, value,
                            parameter_get(axis->parameter, &study->machine)))
            continue;
        fprintf(out, "%s%s%s=%s", gap, before, axis->parameter->path,
                parameter_print(axis->parameter, value, text));
        gap = " ";
    }
    return text_stream_take(&stream);
}

char *wish_proof_print(const struct wish_result *result)
{
    const struct objective *goal = &result->study.objectives[0];
    const char *better = goal->direction == HIGHER_IS_BETTER ? "more" : "less";
    char bound[QUANTITY_TEXT];
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    if (result->proof == WISH_ALL_BETTER)
        fprintf(out, "Proved: every machine with %s %s was tried and does not satisfy it;", better,
                goal->metric->path);
    else
        fputs(result->proof == WISH_ALL ? "Proved:" : "Not proved:", out);
    fprintf(out, " %" PRIu64 " of %" PRIu64 " %s tried.", result->tried, result->legal,
            result->legal == 1 ? "machine was" : "machines were");
    if (result->proof == WISH_UNPROVED && !isnan(result->bound))
        fprintf(out, " None that satisfies it has %s %s than %s.", better, goal->metric->path,
                quantity_print_short(result->bound, goal->metric->unit, 4, bound));
    return text_stream_take(&stream);
}
