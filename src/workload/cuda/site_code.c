#include "workload/cuda/site_code.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* The rows of a site. Classes of arithmetic that wait for loads or for shared memory are the two
 * that kernels begin with; the others wait through their chain. */
enum { WAITING_CLASSES = 2, CHAINED_CLASSES = 4, WAIT_ROWS = 3 };
enum role {
    ROLE_ACCESS,
    ROLE_WAIT, /* for the loads, by class */
    ROLE_CHAIN = ROLE_WAIT + WAITING_CLASSES * WAIT_ROWS,
    ROLE_CONSUME = ROLE_CHAIN + CHAINED_CLASSES * SITE_CHAINS_MAX, /* a load from shared memory */
    ROLE_SHARED_LOAD = ROLE_CONSUME + WAITING_CLASSES * SITE_SHARED_LOADS,
    ROLE_SHARED_STORE = ROLE_SHARED_LOAD + SITE_SHARED_LOADS,
    ROLE_SHARED_STORE_WAIT, /* of what the group has loaded */
    ROLE_BRANCH,
    ROLE_BARRIER,
    ROLE_COUNT
};
_Static_assert((int)ROLE_COUNT <= (int)SITE_BYTES, "each row has a pc of its own");

static const uint8_t chained_classes[CHAINED_CLASSES] = {CLASS_INTEGER, CLASS_SINGLE, CLASS_DOUBLE,
                                                         CLASS_SPECIAL};

enum {
    REGISTER_INTEGER = REGISTER_KERNEL, /* chains */
    REGISTER_FLOATING = REGISTER_INTEGER + SITE_CHAINS_MAX,
    REGISTER_SHARED = REGISTER_FLOATING + SITE_CHAINS_MAX,
    REGISTER_LOADED = REGISTER_SHARED + SITE_SHARED_LOADS, /* of each site */
    LOADS_OF_A_ROW = INSTRUCTION_OPERANDS - 1
};

/* The loads of a site's group up to the site, in order. */
struct group {
    uint8_t sites[SITES_MAX];
    uint32_t count;
};

static bool is_load(char kind)
{
    return kind == 'L' || kind == 'V' || kind == 'T';
}

struct layout {
    struct code_builder builder;
    const struct site_code *code;
    struct group group;
    uint32_t pc; /* of the segment */
};

/* Appends a row; its pc says which role of the segment it has. */
static struct instruction *layout_add_row(struct layout *layout, enum role role, uint32_t class)
{
    layout->builder.pc = layout->pc + (uint32_t)role;
    return code_add(&layout->builder, (enum instruction_class) class);
}

/* The first chain of a class; `class` is an index in chained_classes. */
static uint32_t first_chain(uint32_t class)
{
    return class ? REGISTER_FLOATING : REGISTER_INTEGER;
}

/* Reads the latest links of the first two chains. */
static void read_chains(struct instruction *row, uint32_t first, uint32_t chains)
{
    for (uint32_t c = 0; c < chains && c < 2; c++)
        code_reads(row, first + c);
}

/* Reads the loads number `from` up to `to` of the group. */
static void read_group(struct instruction *row, const struct group *group, uint32_t from,
                       uint32_t to)
{
    for (uint32_t i = from; i < to && i < group->count; i++)
        code_reads(row, REGISTER_LOADED + group->sites[i]);
}

static void add_access_row(struct layout *layout, uint32_t segment)
{
    char kind = segment ? layout->code->kinds[segment - 1] : 'L';
    bool load = is_load(kind);
    struct instruction *row =
        layout_add_row(layout, ROLE_ACCESS, kind == 'T' ? CLASS_TEXTURE : CLASS_MEMORY);
    row->flags = load          ? INSTRUCTION_LOAD
                 : kind == 'S' ? INSTRUCTION_STORE
                 : kind == 'F' ? INSTRUCTION_ATOMIC | INSTRUCTION_FLOAT
                               : INSTRUCTION_ATOMIC;
    if (load && segment)
        code_writes(row, REGISTER_LOADED + segment - 1);
    read_chains(row, REGISTER_INTEGER, layout->code->chains);
    if (load)
        return;
    read_chains(row, REGISTER_FLOATING, layout->code->chains);
    code_reads(row, REGISTER_SHARED);
    uint32_t room = INSTRUCTION_OPERANDS - row->read, count = layout->group.count;
    read_group(row, &layout->group, count > room ? count - room : 0, count);
}

static void add_arithmetic_rows(struct layout *layout)
{
    uint32_t chains = layout->code->chains;
    for (uint32_t c = 0; c < WAITING_CLASSES; c++)
        for (uint32_t i = 0; i < WAIT_ROWS; i++) {
            struct instruction *row =
                layout_add_row(layout, ROLE_WAIT + c * WAIT_ROWS + i, chained_classes[c]);
            code_writes(row, first_chain(c));
            read_group(row, &layout->group, i * LOADS_OF_A_ROW, (i + 1) * LOADS_OF_A_ROW);
        }
    for (uint32_t c = 0; c < CHAINED_CLASSES; c++)
        for (uint32_t chain = 0; chain < SITE_CHAINS_MAX; chain++) {
            struct instruction *row = layout_add_row(
                layout, ROLE_CHAIN + c * SITE_CHAINS_MAX + chain, chained_classes[c]);
            code_writes(row, first_chain(c) + chain);
            code_reads(row, first_chain(c) + chain);
        }
    for (uint32_t c = 0; c < WAITING_CLASSES; c++)
        for (uint32_t i = 0; i < SITE_SHARED_LOADS; i++) {
            struct instruction *row = layout_add_row(
                layout, ROLE_CONSUME + c * SITE_SHARED_LOADS + i, chained_classes[c]);
            code_writes(row, first_chain(c) + i % chains);
            code_reads(row, first_chain(c) + i % chains);
            code_reads(row, REGISTER_SHARED + i);
        }
}

static void add_shared_rows(struct layout *layout)
{
    struct instruction *row;
    for (uint32_t i = 0; i < SITE_SHARED_LOADS; i++) {
        row = layout_add_row(layout, ROLE_SHARED_LOAD + i, CLASS_MEMORY);
        row->flags = INSTRUCTION_LOAD | INSTRUCTION_SHARED;
        code_writes(row, REGISTER_SHARED + i);
        code_reads(row, REGISTER_INTEGER);
    }
    for (uint32_t waits = 0; waits < 2; waits++) {
        row = layout_add_row(layout, ROLE_SHARED_STORE + waits, CLASS_MEMORY);
        row->flags = INSTRUCTION_STORE | INSTRUCTION_SHARED;
        code_reads(row, REGISTER_INTEGER);
        code_reads(row, REGISTER_FLOATING);
        code_reads(row, REGISTER_SHARED);
        if (waits)
            read_group(row, &layout->group, 0, INSTRUCTION_OPERANDS - 3U);
    }
}

/* The rows of one site, or, for segment 0, of the work in front of all sites. */
static void add_segment(struct layout *layout, struct site_code *code, uint32_t segment)
{
    code->rows[segment] = (uint16_t)layout->builder.code.count;
    uint32_t waits = (layout->group.count + LOADS_OF_A_ROW - 1) / LOADS_OF_A_ROW;
    code->waits[segment] = (uint8_t)(waits < WAIT_ROWS ? waits : WAIT_ROWS);
    add_access_row(layout, segment);
    add_arithmetic_rows(layout);
    add_shared_rows(layout);
    read_chains(layout_add_row(layout, ROLE_BRANCH, CLASS_BRANCH), REGISTER_INTEGER, code->chains);
    layout_add_row(layout, ROLE_BARRIER, CLASS_CONTROL)->action = ACTION_BARRIER;
}

/* The coordinate of the thread, then chains. */
static void add_prologue(struct code_builder *builder, const struct site_code *code)
{
    uint32_t left = code->prologue;
    if (left > COORDINATE_INSTRUCTIONS) {
        code_add_coordinate(builder, REGISTER_INTEGER);
        left -= COORDINATE_INSTRUCTIONS;
    }
    for (uint32_t i = 0; i < left; i++) {
        struct instruction *row = code_add(builder, CLASS_INTEGER);
        uint32_t chain = (i + 1) % code->chains;
        code_writes(row, REGISTER_INTEGER + chain);
        code_reads(row, REGISTER_INTEGER + (i < code->chains ? 0 : chain));
    }
}

enum status site_code_build(struct site_code *code, const struct site_kernel *kernel, uint32_t pc,
                            struct trace_code *rows)
{
    struct layout layout = {.code = code};
    uint32_t sites = 0;
    *code = (struct site_code){.prologue = kernel->prologue,
                               .chains = kernel->chains ? kernel->chains : 2};
    for (const char *at = kernel->sites; *at; at++)
        sites += *at != ' ';
    assert(sites <= SITES_MAX && code->chains <= SITE_CHAINS_MAX);
    /* Rows stand in the order in which warps can first issue them; pcs of sites are given. */
    layout.builder.pc = pc + (sites + 1) * SITE_BYTES;
    add_prologue(&layout.builder, code);
    uint32_t end = layout.builder.pc;
    layout.pc = pc + sites * SITE_BYTES;
    add_segment(&layout, code, 0);
    uint32_t site = 0;
    for (const char *at = kernel->sites; *at; at++) {
        if (*at == ' ') {
            layout.group.count = 0;
            continue;
        }
        code->kinds[site] = *at;
        if (is_load(*at))
            layout.group.sites[layout.group.count++] = (uint8_t)site;
        layout.pc = pc + site * SITE_BYTES;
        site++;
        if (*at != '.')
            add_segment(&layout, code, site);
    }
    code->exit = layout.builder.code.count;
    layout.builder.pc = end;
    code_add_exit(&layout.builder);
    *rows = layout.builder.code;
    return layout.builder.status;
}

static struct issue_step *issuer_add_step(struct issuer *issuer, enum issue_kind kind,
                                          uint32_t mask)
{
    struct issue_step *step = &issuer->dropped;
    if (!issuer->status)
        issuer->status = array_reserve(&issuer->steps, &issuer->capacity, issuer->count + 1);
    if (!issuer->status)
        step = &issuer->steps[issuer->count++];
    *step = (struct issue_step){.kind = (uint8_t)kind, .mask = mask};
    return step;
}

void issuer_add(struct issuer *issuer, enum issue_kind kind, uint32_t mask)
{
    issuer_add_step(issuer, kind, mask);
}

void issuer_add_access(struct issuer *issuer, uint32_t site, uint32_t mask)
{
    issuer_add_step(issuer, ISSUE_ACCESS, mask)->site = (uint8_t)site;
}

static void add_passes(struct issuer *issuer, uint32_t times, const struct work *work,
                       uint32_t mask)
{
    if (!times || !work_instructions(work))
        return;
    struct issue_step *step = issuer_add_step(issuer, ISSUE_WORK, mask);
    step->times = times;
    step->work = *work;
}

/* Gives one instruction of a pass away, rather one whose purpose the kernel does not tell. */
static void take_one(struct work *work)
{
    static const enum work_part order[WORK_PARTS] = {WORK_INTEGERS, WORK_ADDRESSES, WORK_BRANCHES,
                                                     WORK_SINGLES,  WORK_DOUBLES,   WORK_SPECIALS,
                                                     WORK_STORES,   WORK_LOADS};
    int part = 0;
    while (!work->parts[order[part]])
        part++;
    work->parts[order[part]]--;
}

void issuer_add_work(struct issuer *issuer, uint32_t times, const struct work *work, uint32_t mask)
{
    if (!times || !work_instructions(work))
        return;
    if (issuer->owes_barrier) {
        struct work first = *work;
        take_one(&first);
        issuer->owes_barrier = false;
        issuer_add(issuer, ISSUE_BARRIER, issuer->barrier_mask);
        add_passes(issuer, 1, &first, mask);
        times--;
    }
    add_passes(issuer, times, work, mask);
}

void issuer_make_barrier(struct issuer *issuer, uint32_t mask)
{
    struct issue_step *last = issuer->count ? &issuer->steps[issuer->count - 1] : NULL;
    if (!last || last->kind != ISSUE_WORK) {
        issuer->owes_barrier = true;
        issuer->barrier_mask = mask;
        return;
    }
    struct issue_step step = *last;
    struct work end = step.work;
    take_one(&end);
    issuer->count--;
    add_passes(issuer, step.times - 1, &step.work, step.mask);
    add_passes(issuer, 1, &end, step.mask);
    issuer_add(issuer, ISSUE_BARRIER, mask);
}

void issuer_free(struct issuer *issuer)
{
    free(issuer->steps);
}

/* The row of the next link. */
static uint32_t chain_role(struct issuer *issuer, const struct site_code *code, uint32_t class)
{
    uint32_t *turn = &issuer->turns[class > 0], chain = *turn;
    *turn = chain + 1 < code->chains ? chain + 1 : 0;
    return ROLE_CHAIN + class * SITE_CHAINS_MAX + chain;
}

/* `class` is an index in chained_classes. */
static uint32_t arithmetic_role(struct issuer *issuer, const struct site_code *code, uint32_t class)
{
    if (issuer->waits && class < WAITING_CLASSES && code->waits[issuer->segment]) {
        uint32_t row = issuer->wait_row++;
        issuer->waits = issuer->wait_row < code->waits[issuer->segment];
        return ROLE_WAIT + class * WAIT_ROWS + row;
    }
    if (issuer->consumed < issuer->loaded && class < WAITING_CLASSES) {
        uint32_t row = issuer->consumed++ % SITE_SHARED_LOADS;
        if (issuer->consumed == issuer->loaded)
            issuer->consumed = issuer->loaded = 0;
        return ROLE_CONSUME + class * SITE_SHARED_LOADS + row;
    }
    return chain_role(issuer, code, class);
}

static uint32_t shared_store_role(struct issuer *issuer, const struct site_code *code)
{
    bool waits = issuer->waits && code->waits[issuer->segment];
    if (waits && code->waits[issuer->segment] == 1)
        issuer->waits = false;
    issuer->consumed = issuer->loaded = 0;
    return waits ? ROLE_SHARED_STORE_WAIT : ROLE_SHARED_STORE;
}

static uint32_t part_role(struct issuer *issuer, const struct site_code *code, enum work_part part)
{
    switch (part) {
    case WORK_ADDRESSES:
        return chain_role(issuer, code, 0);
    case WORK_INTEGERS:
        return arithmetic_role(issuer, code, 0);
    case WORK_SINGLES:
        return arithmetic_role(issuer, code, 1);
    case WORK_DOUBLES:
        return arithmetic_role(issuer, code, 2);
    case WORK_SPECIALS:
        return arithmetic_role(issuer, code, 3);
    case WORK_LOADS:
        return ROLE_SHARED_LOAD + issuer->loaded++ % SITE_SHARED_LOADS;
    case WORK_STORES:
        return shared_store_role(issuer, code);
    default:
        return ROLE_BRANCH;
    }
}

/* Issues from the current part of the current pass. Returns whether the step has ended. */
static bool issue_work(struct issuer *issuer, const struct site_code *code, struct issue_step *step,
                       struct instruction_window *window)
{
    const struct work *work = &step->work;
    uint32_t part = issuer->part, rows = code->rows[issuer->segment];
    bool shared = part == WORK_LOADS || part == WORK_STORES;
    uint32_t banks = shared ? step->mask && work->banks ? work->banks : 1 : 0;
    for (; issuer->issued < work->parts[part]; issuer->issued++) {
        if (window->count == window->capacity)
            return false;
        window->items[window->count++] =
            (struct warp_instruction){.code = rows + part_role(issuer, code, (enum work_part)part),
                                      .mask = step->mask,
                                      .banks = (uint8_t)banks};
    }
    issuer->issued = 0;
    issuer->part = part + 1 < WORK_PARTS ? part + 1 : 0;
    return !issuer->part && --step->times == 0;
}

static void start_access(struct issuer *issuer, const struct site_code *code, uint32_t site)
{
    issuer->segment = site + 1;
    issuer->turns[0] = issuer->turns[1] = 0;
    if (is_load(code->kinds[site])) {
        issuer->waits = true;
        issuer->wait_row = 0;
    } else {
        issuer->consumed = issuer->loaded = 0; /* it waits for the first one */
    }
}

static uint32_t single_row(struct issuer *issuer, const struct site_code *code,
                           const struct issue_step *step)
{
    switch ((enum issue_kind)step->kind) {
    case ISSUE_ACCESS:
        assert(code->kinds[step->site] && code->kinds[step->site] != '.');
        start_access(issuer, code, step->site);
        return code->rows[issuer->segment] + ROLE_ACCESS;
    case ISSUE_BARRIER:
        return code->rows[issuer->segment] + ROLE_BARRIER;
    default:
        return code->exit;
    }
}

void issuer_issue(struct issuer *issuer, const struct site_code *code,
                  struct instruction_window *window)
{
    while (!issuer_is_empty(issuer) && window->count < window->capacity) {
        struct issue_step *step = &issuer->steps[issuer->next];
        if (step->kind == ISSUE_WORK) {
            issuer->next += issue_work(issuer, code, step, window);
        } else if (step->kind == ISSUE_PROLOGUE) {
            issuer->issued = code_issue(window, issuer->issued, code->prologue, step->mask, 0);
            issuer->next += issuer->issued == code->prologue;
            issuer->issued = issuer->issued == code->prologue ? 0 : issuer->issued;
        } else {
            uint32_t row = single_row(issuer, code, step);
            uint8_t flags = step->kind == ISSUE_ACCESS ? ISSUE_RECORD : 0;
            code_issue(window, row, row + 1, step->mask, flags);
            issuer->next++;
        }
    }
    if (issuer_is_empty(issuer))
        issuer->next = issuer->count = 0;
}

uint32_t shared_banks(uint32_t mask, const uint32_t words[WARP_SIZE])
{
    enum { BANKS = 32 };
    uint32_t most = 0, counts[BANKS] = {0};
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        bool seen = false;
        for (uint32_t before = mask & ((UINT32_C(1) << lane) - 1); before; before &= before - 1)
            seen |= words[__builtin_ctz(before)] == words[lane];
        uint32_t *count = &counts[words[lane] % BANKS];
        *count += !seen;
        most = *count > most ? *count : most;
    }
    return most;
}
