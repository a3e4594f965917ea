#include "trace/csv_line.h"

#include <stdbool.h>

size_t csv_line_cut(char *line, char separator, char **cells, size_t most)
{
    size_t count = 0;
    for (char *from = line; from;) {
        char *to = from;
        bool quoted = false;
        if (count == most)
            return most + 1;
        cells[count++] = from;
        for (; *from && (quoted || *from != separator); from++)
            if (*from != '"')
                *to++ = *from;
            else if (quoted && from[1] == '"')
                *to++ = *from++;
            else
                quoted = !quoted;
        from = *from ? from + 1 : NULL;
        *to = '\0';
    }
    return count;
}
