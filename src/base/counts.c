#include "base/counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text_ends.h"

const char *count_print(uint64_t count, char text[COUNT_TEXT])
{
    char digits[COUNT_TEXT];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, count), used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[used++] = ' ';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* English plurals of the nouns that the program uses; the first ending that matches wins, so longer
 * ones come first. */
const char *counted_print(uint64_t count, const char *noun, char text[COUNT_TEXT])
{
    static const struct {
        const char *end, *plural;
    } endings[] = {{"xis", "xes"}, {"try", "tries"}, {"s", "ses"}, {"ch", "ches"}, {"x", "xes"}};
    int letters = (int)strlen(noun);
    const char *plural = count == 1 ? "" : "s";
    for (size_t i = 0; i < sizeof endings / sizeof *endings && count != 1; i++)
        if (text_ends(noun, endings[i].end)) {
            letters -= (int)strlen(endings[i].end);
            plural = endings[i].plural;
            break;
        }
    count_print(count, text);
    size_t used = strlen(text);
    snprintf(text + used, COUNT_TEXT - used, " %.*s%s", letters, noun, plural);
    return text;
}

const char *duration_print(double seconds, char text[DURATION_TEXT])
{
    if (!isfinite(seconds) || seconds > 1e9) {
        snprintf(text, DURATION_TEXT, "-");
    } else if (seconds < 60) {
        snprintf(text, DURATION_TEXT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    } else {
        unsigned long whole = (unsigned long)seconds;
        unsigned long hours = whole / 3600, minutes = whole / 60 % 60;
        if (hours)
            snprintf(text, DURATION_TEXT, "%lu h %lu min", hours, minutes);
        else
            snprintf(text, DURATION_TEXT, "%lu min %lu s", minutes, whole % 60);
    }
    return text;
}
