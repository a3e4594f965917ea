#include "schema/charts.h"

#include <stddef.h>
#include <string.h>

const char *const chart_names[CHART_COUNT + 1] = {
#define CHART_NAME(constant, name) name,
    CHART_LIST(CHART_NAME)
#undef CHART_NAME
        NULL};

enum chart_kind chart_find(const char *name)
{
    int kind = 0;
    while (kind < CHART_COUNT && strcmp(chart_names[kind], name) != 0)
        kind++;
    return (enum chart_kind)kind;
}
