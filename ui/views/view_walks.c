/* The Walks view: page walks one by one, and the contents of the page-walk cache after each of
 * them. The contents after a walk are computed by replaying all walks up to it from an empty cache,
 * so stepping back works like stepping forward. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "model/translation/pwc_rates.h"
#include "ui/jobs/walk_job.h"
#include "ui/panes/pane.h"

/* ---- the model ------------------------------------------------------------------------------- */

struct walk_entry { /* an entry of the page-walk cache */
    enum pwc_hit level;
    struct page_indices path;
    char text[160]; /* long masks are truncated */
    int indent;
    bool lit; /* the selected walk hit or filled it */
};

struct walks_view {
    struct list list; /* of walks */
    char wanted[256];
    struct machine machine;           /* the machine of the walks and the contents */
    const struct walk_result *walked; /* the result that hits and entries belong to; NULL: none */
    int shown;                        /* the walk after which the contents are shown */
    enum pwc_hit hits[WALKS_MAX];
    struct pwc_counts counts; /* sums up to the shown walk */
    struct pwc_lookup lookup;
    struct walk_entry *entries;
    size_t entry_count, entry_capacity;
};

static const struct walk_result *walks_usable(const struct explorer *explorer)
{
    return pane_usable(explorer, CONTEXT_WALKS);
}

static uint32_t tree_order(const struct walk_entry *entry)
{
    return (uint32_t)entry->path.l4 << 20 |
           (entry->level >= PWC_HIT_L3 ? (entry->path.l3 + 1u) << 10 : 0) |
           (entry->level >= PWC_HIT_L2 ? entry->path.l2 + 1u : 0);
}

static int compare_entries(const void *a, const void *b)
{
    uint32_t left = tree_order(a), right = tree_order(b);
    return (left > right) - (left < right);
}

static bool under(struct page_indices path, struct page_indices other, enum pwc_hit level)
{
    return path.l4 == other.l4 && (level < PWC_HIT_L3 || path.l3 == other.l3) &&
           (level < PWC_HIT_L2 || path.l2 == other.l2);
}

static void keep_entry(void *argument, const struct pwc_entry *entry)
{
    struct walks_view *view = argument;
    if (array_reserve(&view->entries, &view->entry_capacity, view->entry_count + 1))
        return; /* out of memory: a line is missing until the next change */
    struct walk_entry *kept = &view->entries[view->entry_count++];
    *kept = (struct walk_entry){.level = entry->level, .path = entry->path};
    snprintf(kept->text, sizeof kept->text, "%s", entry->text);
}

/* Puts each entry under those of its own path. If these were evicted or never existed (TPC), it
 * goes to the left. */
static void arrange_entries(struct walks_view *view, struct page_indices walked)
{
    const struct walk_entry *above[PWC_HIT_L2 + 1] = {NULL};
    if (view->entry_count)
        qsort(view->entries, view->entry_count, sizeof *view->entries, compare_entries);
    for (size_t i = 0; i < view->entry_count; i++) {
        struct walk_entry *entry = &view->entries[i];
        for (enum pwc_hit level = PWC_HIT_L4; level < entry->level; level++)
            entry->indent += above[level] && under(above[level]->path, entry->path, level);
        above[entry->level] = entry;
        entry->lit = under(entry->path, walked, entry->level);
    }
}

/* Replays all walks through an empty cache: notes what each found, and the contents after the
 * selected one. A thousand walks take less than a millisecond. */
static enum status walk_again(struct walks_view *view, const struct walk_result *result,
                              const struct pwc_config *config, uint64_t page_size)
{
    struct pwc *pwc;
    enum status status = pwc_create_compared(config, page_size, &pwc);
    view->entry_count = 0;
    for (int i = 0; i < result->count && !status; i++) {
        view->hits[i] = pwc_walk(pwc, result->pages[i]);
        if (i != view->shown)
            continue;
        pwc_read_counts(pwc, &view->counts);
        view->lookup = pwc_lookup_cost(pwc, view->hits[i]);
        pwc_visit(pwc, keep_entry, view);
        arrange_entries(view, page_split(result->pages[i]));
    }
    pwc_free(status ? NULL : pwc);
    return status;
}

/* Whether both machines make the same walks; their page-walk caches may differ. */
static bool same_walks(const struct machine *a, const struct machine *b)
{
    struct machine other = *b;
    other.pwc = a->pwc;
    return machine_same(a, &other, STAGE_STREAM | STAGE_TLB | STAGE_PWC);
}

static void walks_settle(struct explorer *explorer)
{
    struct walks_view *view = pane_state(explorer, CONTEXT_WALKS);
    const struct machine *machine = &explorer->session->machine;
    if (explorer->view != VIEW_WALKS)
        return;
    if (strcmp(view->wanted, explorer->workload) || !same_walks(&view->machine, machine)) {
        snprintf(view->wanted, sizeof view->wanted, "%s", explorer->workload);
        view->machine = *machine;
        view->walked = NULL;
        pane_ask(explorer, CONTEXT_WALKS, walk_result_new(view->wanted, machine));
    }
    const struct walk_result *result = walks_usable(explorer);
    if (!result)
        return;
    list_move(&view->list, result->count, 0);
    bool same = view->walked == result && machine_same(&view->machine, machine, STAGE_PWC);
    if (same && view->shown == view->list.selected)
        return;
    view->machine = *machine;
    view->shown = view->list.selected;
    view->walked = walk_again(view, result, &machine->pwc, machine->page.size) ? NULL : result;
}

static void walks_free(void *state)
{
    struct walks_view *view = state;
    free(view->entries);
}

/* ---- drawing --------------------------------------------------------------------------------- */

enum { HEADS = 4, LIST_COLUMNS = 40 };

static const char *const hit_names[] = {"nothing", "L4", "L4 L3", "L4 L3 L2"};

static unsigned accesses(const struct explorer *explorer, enum pwc_hit hit)
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    return page_levels(view->machine.page.size) - (unsigned)hit;
}

static void draw_rates(const struct explorer *explorer, const struct canvas *canvas, int row)
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    const struct pwc_counts *counts = &view->counts;
    const uint64_t page = view->machine.page.size;
    int column = canvas_text(canvas, row, 1, 9, STYLE(ROLE_DIM), "hit rate");
    for (int level = 0; level < 3 && pwc_looks_up(PWC_HIT_L4 + level, page); level++) {
        const double share = pwc_hit_rate(counts, PWC_HIT_L4 + level, page);
        column = canvas_printf(canvas, row, column + 2, 12, STYLE(ROLE_TEXT), "L%d %.1f%%",
                               4 - level, 100 * share);
        canvas_bar(canvas, row, column + 1, 10, share, ROLE_SERIES_1);
        column += 11;
    }
}

static void walks_draw_sums(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    const struct pwc_counts *counts = &view->counts;
    const struct pwc_kind *kind = pwc_kinds[view->machine.pwc.organization];
    double walks = (double)counts->walks;
    int width = canvas->rect.columns - 2;
    char text[160];
    int used = snprintf(text, sizeof text, "%s %" PRIu64 " bits; walks 1 to %d: %.3f reads each",
                        kind->name, pwc_bits(&view->machine.pwc), view->shown + 1,
                        (double)counts->memory_accesses / walks);
    uint64_t paths = pwc_equal_tpc(&view->machine.pwc);
    if (paths)
        snprintf(text + used, sizeof text - (size_t)used, ", a TPC of %" PRIu64 " paths %.3f",
                 paths, (double)counts->tpc_accesses / walks);
    canvas_text(canvas, 0, 1, width, STYLE(ROLE_TEXT), text);
    draw_rates(explorer, canvas, 1);
    double redundancy =
        counts->stored_bits ? (double)counts->duplicate_bits / (double)counts->stored_bits : 0;
    canvas_printf(canvas, 2, 1, width, STYLE(ROLE_TEXT), "redundancy %.1f%%, %.2f cycles/look-up",
                  100 * redundancy, (double)counts->lookup_cycles / walks);
}

static void draw_steps(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    const struct walk_result *result = walks_usable(explorer);
    canvas_text(canvas, HEADS - 1, 1, LIST_COLUMNS, STYLE_BOLD(ROLE_ACCENT),
                "walk  page          SM  found     reads");
    for (int row = HEADS; row < canvas->rect.rows; row++) {
        int i = view->list.top + row - HEADS;
        if (i >= result->count)
            break;
        enum pwc_hit hit = view->hits[i];
        struct style style = {ROLE_TEXT, false, i == view->list.selected};
        canvas_printf(canvas, row, 0, LIST_COLUMNS + 1, style,
                      " %4d  %012" PRIx64 " %3u  %-8s  %5u ", i + 1, result->pages[i],
                      result->sms[i], hit_names[hit], accesses(explorer, hit));
        if (i == view->list.selected)
            canvas_cursor(canvas, row, 1);
    }
}

/* The first entry to draw, so that the entries that the walk touched are visible. */
static size_t first_entry(const struct walks_view *view, size_t rows)
{
    size_t first = SIZE_MAX, last = 0;
    for (size_t i = 0; i < view->entry_count; i++)
        if (view->entries[i].lit) {
            first = first == SIZE_MAX ? i : first;
            last = i;
        }
    size_t top = first != SIZE_MAX && last >= rows ? last - rows + 1 : 0;
    return top > first ? first : top;
}

/* Entries that the walk found or filled are bold and have a mark, for screens without colour. */
static void draw_entries(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    enum pwc_hit hit = view->hits[view->shown];
    int rows = canvas->rect.rows - HEADS, column = LIST_COLUMNS + 4;
    char entries[COUNT_TEXT];
    if (rows < 1 || column + 10 > canvas->rect.columns)
        return;
    for (int row = HEADS - 1; row < canvas->rect.rows; row++)
        canvas_fill(canvas, row, LIST_COLUMNS + 2, 1, STYLE(ROLE_AXIS), GLYPH_VERTICAL);
    canvas_printf(canvas, HEADS - 1, column, canvas->rect.columns - column, STYLE_BOLD(ROLE_ACCENT),
                  "%s  %s found  %s filled", counted_print(view->entry_count, "entry", entries),
                  canvas_glyph(canvas, GLYPH_MARKED), canvas_glyph(canvas, GLYPH_WORSE));
    size_t top = first_entry(view, (size_t)rows);
    for (size_t i = top; i < view->entry_count && i - top < (size_t)rows; i++) {
        const struct walk_entry *entry = &view->entries[i];
        int row = HEADS + (int)(i - top), at = column + 2 + 2 * entry->indent;
        bool found = entry->level <= hit;
        struct style style =
            !entry->lit ? STYLE(ROLE_TEXT) : STYLE_BOLD(found ? ROLE_ACCENT : ROLE_GOOD);
        if (entry->lit)
            canvas_text(canvas, row, column, 1, style,
                        canvas_glyph(canvas, found ? GLYPH_MARKED : GLYPH_WORSE));
        canvas_text(canvas, row, at, canvas->rect.columns - at, style, entry->text);
    }
}

static void walks_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    const struct walk_result *result = walks_usable(explorer);
    if (!result || view->walked != result || !result->count) {
        pane_draw_waiting(explorer, CONTEXT_WALKS, canvas,
                          result && !result->count ? "this workload needs no page walk"
                                                   : "walking ...");
        return;
    }
    walks_draw_sums(explorer, canvas);
    draw_steps(explorer, canvas);
    draw_entries(explorer, canvas);
}

static int walks_count(const struct explorer *explorer)
{
    const struct walk_result *result = walks_usable(explorer);
    return result ? result->count : 0;
}

static void walks_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    snprintf(text, ROW_TEXT, "%012" PRIx64 " %s", walks_usable(explorer)->pages[row],
             hit_names[view->hits[row]]);
}

static void walks_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct walks_view *view = pane_seen(explorer, CONTEXT_WALKS);
    const struct walk_result *result = walks_usable(explorer);
    text[0] = '\0';
    if (!result || view->walked != result || !result->count)
        return;
    struct page_indices path = page_split(result->pages[view->shown]);
    enum pwc_hit hit = view->hits[view->shown];
    char reads[COUNT_TEXT], cycles[COUNT_TEXT], levels[COUNT_TEXT];
    snprintf(text, ROW_TEXT, "L4 %u L3 %u L2 %u L1 %u: found %s, %s, %s of %s", path.l4, path.l3,
             path.l2, path.l1, hit_names[hit],
             counted_print(accesses(explorer, hit), "read", reads),
             counted_print(view->lookup.cycles, "cycle", cycles),
             counted_print(view->lookup.levels, "level", levels));
}

static void walks_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct walk_result *result = walks_usable(explorer);
    text[0] = '\0';
    char walks[COUNT_TEXT];
    if (result)
        snprintf(text, ROW_TEXT, "%s  %s%s", result->workload, result->whole ? "" : "the first ",
                 counted_print((uint64_t)result->count, "walk", walks));
}

const struct pane_ops walks_pane_ops = {
    .title = "Walks",
    .state_size = sizeof(struct walks_view),
    .free = walks_free,
    .job = &walk_job,
    .heads = HEADS,
    .count = walks_count,
    .text = walks_text,
    .describe = walks_describe,
    .status = walks_status,
    .settle = walks_settle,
    .draw = walks_draw,
    .hints = {{COMMAND_DOWN, "step"},
              {COMMAND_UP, "back"},
              {COMMAND_FIND, NULL},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_OPEN, NULL}, {COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
};
