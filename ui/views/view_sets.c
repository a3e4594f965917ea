/* The Sets view: the accesses of the workload to one set of a cache, one by one, with what the ways
 * hold after the selected one, the state of replacement and why the victim had to leave. set_job.h
 * remembers all of that, so stepping back is stepping forward. The hierarchy is simulated at the
 * functional depth, whatever the depth of the screen: in time, the order would depend on the rest.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "report/runs/set_report.h"
#include "schema/parameters.h"
#include "ui/jobs/set_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/panes/say.h"

/* ---- the model ------------------------------------------------------------------------------- */

struct sets_view {
    struct list list;       /* of steps */
    struct set_place place; /* what is watched; stage 0: not chosen yet */
    char wanted[256];       /* what it was asked for */
    struct machine machine;
    struct set_place asked;
    bool chosen;     /* the set, by somebody; else it is the first with steps to look at */
    unsigned passed; /* sets that were passed over for that */
};

static const struct set_result *sets_usable(const struct explorer *explorer)
{
    const struct set_result *result = pane_usable(explorer, CONTEXT_SETS);
    return result && result->count ? result : NULL;
}

static size_t sets_selected(const struct explorer *explorer)
{
    const struct sets_view *view = pane_seen(explorer, CONTEXT_SETS);
    return (size_t)view->list.selected;
}

/* Whether the set would see the same accesses and do the same. */
static bool sets_is_same(const struct sets_view *view, const struct explorer *explorer)
{
    const struct machine *machine = &explorer->session->machine;
    return !strcmp(view->wanted, explorer->workload) && view->asked.stage == view->place.stage &&
           view->asked.set == view->place.set && view->asked.instance == view->place.instance &&
           machine_same(&view->machine, machine,
                        stage_chain(view->place.stage, machine_couples(machine)));
}

/* The first place of a machine: the L1D, or what it has instead. */
static struct set_place first_place(const struct machine *machine)
{
    return (struct set_place){.stage = machine_has(machine, STAGE_L1D)  ? STAGE_L1D
                                       : machine_has(machine, STAGE_L2) ? STAGE_L2
                                                                        : STAGE_L1I};
}

/* The set after or before this one, round the cache. */
static void turn(struct explorer *explorer, int by)
{
    struct sets_view *view = pane_state(explorer, CONTEXT_SETS);
    struct set_place *place = &view->place;
    uint64_t instances;
    const struct cache_config config =
        set_stream_cache(&explorer->session->machine, place->stage, &instances);
    const uint64_t sets = config.size && config.ways ? cache_sets(&config) : 1;
    place->set = (place->set + sets + (uint64_t)(int64_t)by) % sets;
}

/* A set that nobody chose and hardly anything accesses shows nothing: the next one is asked for. */
static void pass_over(struct explorer *explorer)
{
    enum { STEPS = 16, SETS = 64 };
    struct sets_view *view = pane_state(explorer, CONTEXT_SETS);
    const struct set_result *result = pane_usable(explorer, CONTEXT_SETS);
    if (view->chosen || !result || result->count >= STEPS || view->passed == SETS ||
        !sets_is_same(view, explorer))
        return;
    view->passed++;
    turn(explorer, 1);
}

static void sets_settle(struct explorer *explorer)
{
    struct sets_view *view = pane_state(explorer, CONTEXT_SETS);
    const struct machine *machine = &explorer->session->machine;
    if (explorer->view != VIEW_SETS)
        return;
    if (!view->place.stage)
        view->place = first_place(machine);
    pass_over(explorer);
    if (!sets_is_same(view, explorer)) {
        snprintf(view->wanted, sizeof view->wanted, "%s", explorer->workload);
        view->machine = *machine;
        view->asked = view->place;
        pane_ask(explorer, CONTEXT_SETS, set_result_new(view->wanted, machine, &view->place));
    }
    const struct set_result *result = sets_usable(explorer);
    list_move(&view->list, result ? (int)result->count : 0, 0);
}

/* ---- commands -------------------------------------------------------------------------------- */

bool action_watch(struct explorer *explorer, const char *arguments)
{
    struct sets_view *view = pane_state(explorer, CONTEXT_SETS);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const struct machine *machine = &explorer->session->machine;
    struct set_place place = {0};
    char text[SET_PLACE_TEXT];
    if (!view->place.stage)
        view->place = first_place(machine);
    if (!*arguments) {
        prompt_line(explorer, "watch cache:SM or slice:set: ", "watch",
                    set_place_print(&view->place, text), NULL);
        return true;
    }
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    explorer->view = ops->watch ? explorer->view : VIEW_SETS;
    if (!strcmp(arguments, "next") || !strcmp(arguments, "previous")) {
        view->chosen = true;
        turn(explorer, *arguments == 'n' ? 1 : -1);
        return true;
    }
    enum status status = set_place_parse(arguments, &place, &diagnostics);
    if (!status)
        status = (ops->watch ? set_place_check : set_stream_check)(machine, &place, &diagnostics);
    if (!finish(explorer, status, &diagnostics))
        return false;
    if (ops->watch)
        return ops->watch(explorer, &place);
    view->place = place;
    view->chosen = true;
    view->list = (struct list){0};
    return true;
}

static bool sets_is_event(const struct kept_step *step, bool replaces)
{
    return replaces ? step->replaces : step->op != OP_COUNT && !step->hit;
}

static bool sets_jump(struct explorer *explorer, const char *event, bool back)
{
    struct sets_view *view = pane_state(explorer, CONTEXT_SETS);
    const struct set_result *result = sets_usable(explorer);
    const bool replaces = !strcmp(event, "eviction");
    if (!replaces && strcmp(event, "miss"))
        return refuse(explorer, "expected miss or eviction, got '%.60s'", event);
    if (!result)
        return refuse(explorer, "%s",
                      pane_waits(explorer, CONTEXT_SETS)
                          ? "the steps are still being found"
                          : "no set is watched; :watch l1d:0:0 watches one");
    const int by = back ? -1 : 1;
    for (int i = view->list.selected + by; i >= 0 && i < (int)result->count; i += by)
        if (sets_is_event(&result->steps[i], replaces)) {
            view->list.selected = i;
            return true;
        }
    return refuse(explorer, "no %s %s %s", replaces ? "line is replaced" : "access misses",
                  back ? "before" : "after", "this step");
}

/* ---- drawing --------------------------------------------------------------------------------- */

enum { HEADS = 5, LIST_COLUMNS = 43 };

static const char *sets_op_of(const struct kept_step *step)
{
    return step->op < OP_COUNT ? op_names[step->op] : "";
}

static uint64_t address(const struct set_result *result, uint64_t line)
{
    return line * result->config.line;
}

static void sets_draw_sums(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct set_result *result = sets_usable(explorer);
    const struct kept_step *step = &result->steps[sets_selected(explorer)];
    const char *text = (const char *)result->kept.bytes;
    const int width = canvas->rect.columns - 2;
    char place[SET_PLACE_TEXT];
    canvas_printf(canvas, 0, 1, width, STYLE(ROLE_TEXT),
                  "%s of %" PRIu64 "; %s, %" PRIu32 " ways; so far %u missed, %u replaced",
                  set_place_words(&result->place, place), cache_sets(&result->config),
                  replacement_facts[result->config.replacement].name, step->ways, step->misses,
                  step->replaced);
    const struct canvas why = canvas_part(canvas, 1, 0, 2, canvas->rect.columns);
    canvas_paragraph(&why, 0, STYLE_BOLD(step->replaces ? ROLE_ACCENT : ROLE_TEXT),
                     text + step->why);
    if (text[step->state])
        canvas_printf(canvas, 3, 1, width, STYLE(ROLE_DIM), "state %s", text + step->state);
}

static void sets_draw_list(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct sets_view *view = pane_seen(explorer, CONTEXT_SETS);
    const struct set_result *result = sets_usable(explorer);
    canvas_text(canvas, HEADS - 1, 1, LIST_COLUMNS, STYLE_BOLD(ROLE_ACCENT),
                "step  access          line  result   way");
    for (int row = HEADS; row < canvas->rect.rows; row++) {
        const int i = view->list.top + row - HEADS;
        if (i >= (int)result->count)
            break;
        const struct kept_step *step = &result->steps[i];
        struct style style = {step->hit ? ROLE_DIM : ROLE_TEXT, !step->hit,
                              i == view->list.selected};
        char line[24] = "", way[12] = "";
        if (step->op < OP_COUNT)
            snprintf(line, sizeof line, "%" PRIx64, address(result, step->line));
        if (step->found || step->stays)
            snprintf(way, sizeof way, "%" PRIu32, step->way);
        canvas_printf(canvas, row, 0, LIST_COLUMNS + 1, style, " %4d  %-6s %13s  %-7s  %3s%s ",
                      i + 1, sets_op_of(step), line, step->result, way, step->replaces ? "*" : " ");
        if (i == view->list.selected)
            canvas_cursor(canvas, row, 1);
    }
}

/* The way of the access has a mark, and bold for screens without colour. */
static void draw_ways(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct set_result *result = sets_usable(explorer);
    const struct kept_step *step = &result->steps[sets_selected(explorer)];
    const uint64_t *tags = set_result_tags(result, sets_selected(explorer));
    const int rows = canvas->rect.rows - HEADS, column = LIST_COLUMNS + 4;
    if (rows < 1 || column + 10 > canvas->rect.columns)
        return;
    for (int row = HEADS - 1; row < canvas->rect.rows; row++)
        canvas_fill(canvas, row, LIST_COLUMNS + 2, 1, STYLE(ROLE_AXIS), GLYPH_VERTICAL);
    canvas_printf(canvas, HEADS - 1, column, canvas->rect.columns - column, STYLE_BOLD(ROLE_ACCENT),
                  "way          line");
    const uint32_t way = step->found || step->stays ? step->way : 0;
    const uint32_t top = way >= (uint32_t)rows ? way - (uint32_t)rows + 1 : 0;
    for (uint32_t i = top; i < step->ways && i - top < (uint32_t)rows; i++) {
        const bool lit = step->stays && i == step->way;
        const struct style style =
            lit ? STYLE_BOLD(step->hit ? ROLE_GOOD : ROLE_ACCENT) : STYLE(ROLE_TEXT);
        const int row = HEADS + (int)(i - top);
        char line[24] = ".";
        if (tags[i])
            snprintf(line, sizeof line, "%" PRIx64, address(result, tags[i] - 1));
        const int end = canvas_printf(canvas, row, column, 18, style, "%3" PRIu32 " %13s", i, line);
        if (lit)
            canvas_printf(canvas, row, end + 1, canvas->rect.columns - end - 1, style,
                          step->replaces ? "%s for %" PRIx64 : "%s",
                          canvas_glyph(canvas, step->hit ? GLYPH_MARKED : GLYPH_WORSE),
                          address(result, step->left));
    }
}

static void sets_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    if (sets_usable(explorer)) {
        sets_draw_sums(explorer, canvas);
        sets_draw_list(explorer, canvas);
        draw_ways(explorer, canvas);
        return;
    }
    pane_draw_waiting(explorer, CONTEXT_SETS, canvas,
                      pane_usable(explorer, CONTEXT_SETS)
                          ? "this workload does not use the set; ] and [ go to its neighbours"
                          : "stepping ...");
}

static int sets_count(const struct explorer *explorer)
{
    const struct set_result *result = sets_usable(explorer);
    return result ? (int)result->count : 0;
}

static void sets_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct set_result *result = sets_usable(explorer);
    const struct kept_step *step = &result->steps[row];
    snprintf(text, ROW_TEXT, "%s 0x%" PRIx32 " %" PRIx64 " %s %s", sets_op_of(step), step->pc,
             address(result, step->line), step->result,
             (const char *)result->kept.bytes + step->why);
}

static void sets_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct set_result *result = sets_usable(explorer);
    const struct kept_step *step = result ? &result->steps[sets_selected(explorer)] : NULL;
    text[0] = '\0';
    if (step && step->op < OP_COUNT)
        snprintf(text, ROW_TEXT, "%s at pc 0x%" PRIx32, sets_op_of(step), step->pc);
}

static void sets_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct set_result *result = sets_usable(explorer);
    char steps[COUNT_TEXT];
    text[0] = '\0';
    if (result)
        snprintf(text, ROW_TEXT, "%s  %s%s", result->workload, result->whole ? "" : "the first ",
                 counted_print(result->count, "step", steps));
}

/* Without a cache there is no set to choose. */
static bool sets_lacks(const struct explorer *explorer, enum command command)
{
    return command == COMMAND_WATCH && pane_failure(explorer, CONTEXT_SETS);
}

const struct pane_ops sets_pane_ops = {
    .title = "Sets",
    .state_size = sizeof(struct sets_view),
    .job = &set_job,
    .jump = sets_jump,
    .heads = HEADS,
    .count = sets_count,
    .text = sets_text,
    .describe = sets_describe,
    .status = sets_status,
    .settle = sets_settle,
    .draw = sets_draw,
    .lacks = sets_lacks,
    .hints = {{COMMAND_DOWN, "step"},
              {COMMAND_UP, "back"},
              {COMMAND_NEXT, "miss"},
              {COMMAND_WATCH, NULL},
              {COMMAND_FIND, NULL},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_WATCH, "set"}, {COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
};
