#include "ui/session/changed_lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct line {
    const char *text;
    size_t length;
};

/* The lines, malloc'ed; NULL: no memory. */
static struct line *split(const char *text, size_t *count)
{
    size_t most = 1;
    for (const char *at = text; *at; at++)
        most += *at == '\n';
    struct line *lines = malloc(most * sizeof *lines);
    *count = 0;
    while (lines && *text) {
        const size_t length = strcspn(text, "\n");
        lines[(*count)++] = (struct line){text, length};
        text += length + (text[length] == '\n');
    }
    return lines;
}

static bool same(struct line a, struct line b)
{
    return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

enum { CELLS_MAX = 1 << 22 };

/* Marks the lines of `b` that are in the longest common subsequence with `a` as unchanged.
 * longest[i * (m + 1) + k] is its length for what follows line i of `a` and line k of `b`. */
static bool match(const struct line *a, size_t n, const struct line *b, size_t m, bool *changed)
{
    if (!n || !m || n * m > CELLS_MAX)
        return true;
    uint32_t *longest = calloc((n + 1) * (m + 1), sizeof *longest);
    if (!longest)
        return false;
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            const uint32_t down = longest[(i + 1) * (m + 1) + k],
                           right = longest[i * (m + 1) + k + 1];
            longest[i * (m + 1) + k] = same(a[i], b[k]) ? longest[(i + 1) * (m + 1) + k + 1] + 1
                                       : down > right   ? down
                                                        : right;
        }
    for (size_t i = 0, k = 0; i < n && k < m;) {
        if (same(a[i], b[k])) {
            changed[k++] = false;
            i++;
        } else if (longest[(i + 1) * (m + 1) + k] >= longest[i * (m + 1) + k + 1]) {
            i++;
        } else {
            k++;
        }
    }
    free(longest);
    return true;
}

bool *changed_lines(const char *before, const char *now)
{
    size_t n, m, head = 0, tail = 0;
    struct line *a = split(before, &n), *b = split(now, &m);
    bool *changed = calloc(m + 1, sizeof *changed);
    bool done = a && b && changed;
    if (done) {
        while (head < n && head < m && same(a[head], b[head]))
            head++;
        while (tail < n - head && tail < m - head && same(a[n - 1 - tail], b[m - 1 - tail]))
            tail++;
        for (size_t i = head; i < m - tail; i++)
            changed[i] = true;
        done = match(a + head, n - head - tail, b + head, m - head - tail, changed + head);
    }
    free(a);
    free(b);
    if (!done) {
        free(changed);
        changed = NULL;
    }
    return changed;
}
