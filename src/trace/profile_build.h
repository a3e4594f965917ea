/* Internal to trace/profile.h: a profile while it is read. Numbers stay text until the whole file
 * is known, because their style is that of the file. */
#pragma once

#include <stdbool.h>

#include "base/key_table.h"
#include "trace/profile.h"
#include "trace/text.h"

enum { PROFILE_CELLS_MAX = 1 << 14 }; /* of a line of CSV */

/* What a table has a row, or a group of rows, for. Tables of one file may tell of the same
 * launches: profile_join (trace/profile_join.c) makes one of them. */
enum launch_view {
    VIEW_ALONE,   /* ncu: a launch that no other table tells of */
    VIEW_COUNTED, /* nvprof's metrics and events: all launches of a kernel */
    VIEW_SUMMARY, /* times: all launches of a kernel */
    VIEW_SIZED,   /* times: all launches of a kernel with one size */
    VIEW_TRACED   /* times: one launch */
};

/* What identifies a launch. Texts that are not known are NULL or "". */
struct launch_key {
    const char *kernel, *device;
    const char *process, *id; /* of ncu's CSV; a launch without id is always a new one */
    const char *block, *grid; /* "(256, 1, 1)", "256 1 1" */
    uint64_t invocations;     /* 0: 1 */
    enum launch_view view;
};

/* The columns that say more than a number, each with all names that programs and their versions
 * give it. Behind a name may stand the unit of a time: "Avg (ns)". */
#define PROFILE_COLUMN_LIST(X)                                                                     \
    X(ID, "ID")                                                                                    \
    X(PROCESS, "Process ID")                                                                       \
    X(PROGRAM, "Process Name")                                                                     \
    X(HOST, "Host Name")                                                                           \
    X(KERNEL, "Kernel Name")                                                                       \
    X(TIME, "Kernel Time")                                                                         \
    X(CONTEXT, "Context")                                                                          \
    X(STREAM, "Stream")                                                                            \
    X(BLOCK, "Block Size|BlockXYZ")                                                                \
    X(GRID, "Grid Size|GridXYZ")                                                                   \
    X(DEVICE, "Device")                                                                            \
    X(CAPABILITY, "CC")                                                                            \
    X(SECTION, "Section Name")                                                                     \
    X(METRIC, "Metric Name")                                                                       \
    X(UNIT, "Metric Unit")                                                                         \
    X(VALUE, "Metric Value")                                                                       \
    X(NVPROF_KERNEL, "Kernel")                                                                     \
    X(INVOCATIONS, "Invocations")                                                                  \
    X(EVENT, "Event Name")                                                                         \
    X(AVERAGE, "Avg|Average")                                                                      \
    X(CORRELATION, "Correlation_ID")                                                               \
    X(TYPE, "Type")                                                                                \
    X(SHARE, "Time(%)|Time (%)")                                                                   \
    X(CALLS, "Calls|Instances")                                                                    \
    X(DURATION, "Duration")                                                                        \
    X(GRID_X, "Grid X|GrdX")                                                                       \
    X(GRID_Y, "Grid Y|GrdY")                                                                       \
    X(GRID_Z, "Grid Z|GrdZ")                                                                       \
    X(BLOCK_X, "Block X|BlkX")                                                                     \
    X(BLOCK_Y, "Block Y|BlkY")                                                                     \
    X(BLOCK_Z, "Block Z|BlkZ")                                                                     \
    X(REGISTERS, "Registers Per Thread|Reg/Trd")                                                   \
    X(TOTAL, "Total Time")                                                                         \
    X(CATEGORY, "Category")                                                                        \
    X(OPERATION, "Operation")                                                                      \
    X(NAME, "Name")

enum profile_column {
#define PROFILE_COLUMN_ENUM(id, name) COLUMN_##id,
    PROFILE_COLUMN_LIST(PROFILE_COLUMN_ENUM) PROFILE_COLUMNS
#undef PROFILE_COLUMN_ENUM
};

/* A table that is being read: cells by column. */
struct profile_sheet {
    enum sheet_kind {
        SHEET_NONE,
        SHEET_ROWS,    /* ncu: a row for each counter */
        SHEET_WIDE,    /* ncu, or nvprof --print-gpu-trace --metrics: a column for each counter */
        SHEET_NVPROF,  /* nvprof --metrics, --events: a row for each counter */
        SHEET_SUMMARY, /* times of kernels: nvprof --print-gpu-summary, nsys cuda_gpu_kern_sum */
        SHEET_TRACE    /* times of launches: nvprof --print-gpu-trace, nsys cuda_gpu_trace */
    } kind;
    unsigned line; /* of its header */
    char separator;
    bool quoted;             /* its header was, and so are all rows but those of nvprof */
    bool nsys;               /* its rows begin with a number, and another line ends it */
    size_t width;            /* cells a row */
    int at[PROFILE_COLUMNS]; /* where the columns stand; -1: nowhere */
    char **names;            /* SHEET_WIDE: the header; NULL for the columns above */
    bool units_known;        /* SHEET_WIDE: the row of units, if there is one, was read. Then: */
    struct sheet_unit {
        char text[UNIT_WORD];
        uint32_t counter; /* with the base unit, once a row of this column was read */
        double factor;
        bool counted;
    } * units;
    double time_factor; /* of times: what makes them seconds; 0: not known yet */
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

/* Tables as text whose columns stand where a line of dashes has them. */
enum { DASHED_COLUMNS = 32 };
struct profile_dashed {
    struct text_span spans[DASHED_COLUMNS]; /* of the last line of dashes */
    size_t count;
    bool open, any_row; /* rows of `sheet` follow; there was one */
    char *header;       /* the last line that may be one, and its number */
    unsigned header_line;
    struct profile_sheet sheet;
    bool named; /* ncu: a launch was named */
};

struct profile_builder {
    struct text_reader text;
    struct profile *profile;
    struct key_table names, merged; /* of counters; of what launches are merged by, whose: */
    uint32_t *merged_launches;
    size_t merged_capacity;
    uint64_t process; /* of nvprof, that the tables are of; 0: not known */
    uint64_t last;    /* hash of the newest launch that was not merged, if there is one */
    uint32_t last_launch;
    bool any_launch;
    uint32_t launch; /* the one that values are added to */
    struct launch_state {
        enum launch_view view;
        bool device; /* a row named its device */
    } * states;      /* by launch */
    size_t state_capacity;
    struct pending { /* a value's text, and what its number is multiplied with */
        uint32_t launch, value;
        size_t text; /* in `pool` */
        double factor;
    } * pending;
    size_t pending_count, pending_capacity;
    char *pool;
    size_t pool_count, pool_capacity;
    unsigned wrong_lines; /* reported */
    uint64_t listed;      /* the number in front of the last line; 0: lines are not numbered */
    enum status status;   /* why reading has to stop */
    const char *instead;  /* what a file without counters is; NULL: not known */
    struct profile_sheet sheet;
    char **cells; /* room for the cells of a line */
    struct profile_dashed dashed;
    char *device;              /* nvprof's text: the device of the kernels that follow */
    int name_cell, value_cell; /* nvprof's text: 0: no table yet */
    char *kernel;
    struct profile_sheet launches; /* nvprof's text: a column for each counter */
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

/* The same for text that is a number alone, or with those of its instances after it: "7 (3; 4)".
 */
void profile_build_alone(struct profile_builder *builder, uint32_t counter, const char *text,
                         double factor);

/* The same for a counter by name, whose unit stands in a column of its own or, if that is empty,
 * after the number ("100.00%"; "Low (2)" is 2). */
void profile_build_value(struct profile_builder *builder, enum profile_tool tool, const char *name,
                         const char *unit, const char *text);

/* Finds the columns of a header of `width` cells, and what table it begins; SHEET_NONE if it is no
 * header. */
enum sheet_kind profile_sheet_begin(struct profile_sheet *sheet, char **cells, size_t width);
enum status profile_sheet_keep(struct profile_sheet *sheet, char **cells); /* of SHEET_WIDE */
void profile_sheet_free(struct profile_sheet *sheet);
/* What stands in a column; "" if there is no such column. */
const char *profile_cell(const struct profile_sheet *sheet, char **cells,
                         enum profile_column column);
bool profile_has(const struct profile_sheet *sheet, enum profile_column column);
/* Takes a row, whatever table it is of. */
void profile_sheet_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells);
/* Adds what a row of SHEET_ROWS says to the launch. */
void profile_counter_cells(struct profile_builder *builder, const struct profile_sheet *sheet,
                           char **cells);
/* Takes a row of SHEET_SUMMARY or SHEET_TRACE. */
void profile_times_row(struct profile_builder *builder, struct profile_sheet *sheet, char **cells);

/* Cuts a line where two blanks or more stand; returns the number of cells, `most` at most. */
enum { NVPROF_CELLS = 24 };
size_t profile_cut_blanks(char *line, char **cells, size_t most);

/* Cuts the number of the call that made the launch, as nvprof prints it: "add(int) [94]". */
void profile_cut_correlation(char *kernel);

/* Each takes the current line of builder->text if it is of its kind. */
bool profile_csv_line(struct profile_builder *builder);
bool profile_dashed_line(struct profile_builder *builder);
bool profile_times_line(struct profile_builder *builder);
bool profile_nvprof_line(struct profile_builder *builder);
/* Refuses the file if its first line is of a kind that has no text. */
bool profile_binary_line(struct profile_builder *builder);
/* Notes what a line that nobody takes says about the file. */
void profile_other_line(struct profile_builder *builder);

/* Makes one launch of those that several tables tell of. Numbers have to be read. */
enum status profile_join(struct profile_builder *builder);
