/* Internal to trace/profile.h: a profile while it is read. Numbers stay text until the whole file
 * is known, because their style is that of the file. */
#pragma once

#include <stdbool.h>

#include "base/key_table.h"
#include "trace/profile.h"
#include "trace/text.h"

enum { PROFILE_CELLS_MAX = 1 << 14 }; /* of a line of CSV */

/* What identifies a launch. Texts that are not known are "". */
struct launch_key {
    const char *kernel, *device;
    const char *process, *id; /* of ncu's CSV; a launch without id is always a new one */
    const char *block, *grid; /* "(256, 1, 1)" */
    uint64_t invocations;
    bool merged; /* nvprof: a kernel is one launch, wherever it is named again */
};

/* The columns that say more than a number. */
#define PROFILE_COLUMN_LIST(X)                                                                     \
    X(ID, "ID")                                                                                    \
    X(PROCESS, "Process ID")                                                                       \
    X(PROGRAM, "Process Name")                                                                     \
    X(HOST, "Host Name")                                                                           \
    X(KERNEL, "Kernel Name")                                                                       \
    X(TIME, "Kernel Time")                                                                         \
    X(CONTEXT, "Context")                                                                          \
    X(STREAM, "Stream")                                                                            \
    X(BLOCK, "Block Size")                                                                         \
    X(GRID, "Grid Size")                                                                           \
    X(DEVICE, "Device")                                                                            \
    X(CAPABILITY, "CC")                                                                            \
    X(SECTION, "Section Name")                                                                     \
    X(METRIC, "Metric Name")                                                                       \
    X(UNIT, "Metric Unit")                                                                         \
    X(VALUE, "Metric Value")                                                                       \
    X(NVPROF_KERNEL, "Kernel")                                                                     \
    X(INVOCATIONS, "Invocations")                                                                  \
    X(EVENT, "Event Name")                                                                         \
    X(AVERAGE, "Avg")                                                                              \
    X(CORRELATION, "Correlation_ID")                                                               \
    X(TYPE, "Type")                                                                                \
    X(SHARE, "Time(%)")                                                                            \
    X(CALLS, "Calls")                                                                              \
    X(DURATION, "Duration")                                                                        \
    X(GRID_X, "Grid X")                                                                            \
    X(GRID_Y, "Grid Y")                                                                            \
    X(GRID_Z, "Grid Z")                                                                            \
    X(BLOCK_X, "Block X")                                                                          \
    X(BLOCK_Y, "Block Y")                                                                          \
    X(BLOCK_Z, "Block Z")                                                                          \
    X(REGISTERS, "Registers Per Thread")                                                           \
    X(NAME, "Name")

enum profile_column {
#define PROFILE_COLUMN_ENUM(id, name) COLUMN_##id,
    PROFILE_COLUMN_LIST(PROFILE_COLUMN_ENUM) PROFILE_COLUMNS
#undef PROFILE_COLUMN_ENUM
};

/* The table of CSV that is being read. */
struct profile_sheet {
    enum {
        SHEET_NONE,
        SHEET_ROWS,
        SHEET_WIDE,
        SHEET_NVPROF,
        SHEET_SUMMARY, /* nvprof --print-gpu-summary */
        SHEET_TRACE    /* nvprof --print-gpu-trace */
    } kind;
    unsigned line; /* of its header */
    char separator;
    bool quoted;             /* its header was, and so are all rows but those of nvprof */
    size_t width;            /* cells a row */
    int at[PROFILE_COLUMNS]; /* where the columns stand; -1: nowhere */
    char **names;            /* SHEET_WIDE: the header; NULL for the columns above */
    bool units_known;        /* SHEET_WIDE: and then: */
    uint32_t *counters;
    double *factors;
    double time_factor; /* SHEET_SUMMARY and SHEET_TRACE: of the times; 0: not known yet */
};

/* A table of nvprof's times as text: where its columns stand, counted in cells. */
struct profile_times {
    enum { TIMES_NONE, TIMES_SUMMARY, TIMES_TRACE } kind;
    size_t width;
    int duration, grid, block, registers; /* TIMES_TRACE */
    bool calls;                           /* what follows are calls of the host, in CSV too */
};

/* Bytes of a line. */
struct text_span {
    size_t begin, end;
};

struct profile_builder {
    struct text_reader text;
    struct profile *profile;
    struct key_table names, merged; /* of counters; of merged launches */
    uint64_t last;                  /* hash of the newest launch, if there is one */
    bool any_launch;
    uint32_t launch; /* the one that values are added to */
    struct pending { /* a value's text, and what its number is multiplied with */
        uint32_t launch, value;
        size_t text; /* in `pool` */
        double factor;
    } * pending;
    size_t pending_count, pending_capacity;
    char *pool;
    size_t pool_count, pool_capacity;
    unsigned wrong_lines; /* reported */
    enum status status;   /* why reading has to stop */
    struct profile_sheet sheet;
    char **cells;              /* CSV: room for the cells of a line */
    struct text_span table[3]; /* ncu's text: name, unit, value; [2].end 0: in no table */
    bool table_rows;           /* the table has rows already */
    bool named;                /* ncu's text: a launch was named */
    char *device;              /* nvprof's text: the device of the kernels that follow */
    int name_cell, value_cell; /* nvprof's text: 0: no table yet */
    char *kernel;
    struct profile_times times;
};

/* Makes the launch that of the values that follow, and adds it if it is new. */
void profile_build_launch(struct profile_builder *builder, const struct launch_key *key);

/* The number of the counter with this base unit. KEY_NONE: failed (builder->status). */
uint32_t profile_build_counter(struct profile_builder *builder, enum profile_tool tool,
                               const char *name, const char *unit);

/* Adds a number of the current line to the launch; text that is no number is left out. */
void profile_build_number(struct profile_builder *builder, uint32_t counter, const char *text,
                          double factor);

/* The same for a counter by name, whose unit stands in a column of its own or, if that is empty,
 * behind the number ("100.00%"; "Low (2)" is 2). */
void profile_build_value(struct profile_builder *builder, enum profile_tool tool, const char *name,
                         const char *unit, const char *text);

/* Takes a row of SHEET_SUMMARY or SHEET_TRACE. */
void profile_times_row(struct profile_builder *builder, char **cells);

/* Cuts a line where two blanks or more stand; returns the number of cells. */
enum { NVPROF_CELLS = 24 };
size_t profile_cut_blanks(char *line, char *cells[NVPROF_CELLS]);

/* What stands in a column of CSV; "" if there is no such column. */
const char *profile_cell(const struct profile_sheet *sheet, char **cells,
                         enum profile_column column);

/* Each takes the current line of builder->text if it is of its kind. */
bool profile_csv_line(struct profile_builder *builder);
bool profile_ncu_line(struct profile_builder *builder);
bool profile_times_line(struct profile_builder *builder);
bool profile_nvprof_line(struct profile_builder *builder);

void profile_sheet_free(struct profile_builder *builder);
