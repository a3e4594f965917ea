/* The instructions of the kernels in a .wtr file: how a writer collects them, and their form in the
 * index (docs/FORMATS.md).
 *
 * Launches of one kernel (name and architecture) share one code; it grows while they are written.
 * Two instructions are the same row only if all that struct instruction says is the same, so a pc
 * may have several rows. Cost: one hash look-up for each row that a caller does not remember; 40 B
 * a row, and 12 B for the hash tables. */
#pragma once

#include "base/key_table.h"
#include "trace/wtr_columns.h"

enum { WTR_ROWS_MAX = 1 << 20 }; /* instructions of a kernel */

struct wtr_codes { /* zero-initialize */
    struct wtr_kernel *items;
    size_t count, capacity;
    struct key_table kernels; /* numbers the hash of name and architecture */
};

void wtr_codes_free(struct wtr_codes *codes);

/* The code of the kernel of a launch, which is new if no launch before had the same kernel. */
enum status wtr_codes_kernel(struct wtr_codes *codes, const struct trace_launch *launch,
                             uint32_t *kernel);
/* The row of an instruction. STATUS_CORRUPT: the kernel has WTR_ROWS_MAX already. */
enum status wtr_codes_row(struct wtr_codes *codes, uint32_t kernel,
                          const struct instruction *instruction, uint32_t *row);

/* Appends the codes in the form of the index; `launches` are the codes of the launches, as
 * trace_launch.code. */
enum status wtr_put_codes(const struct wtr_codes *codes, const uint32_t *launches,
                          uint32_t launch_count, struct wtr_bytes *bytes);

/* Parses what wtr_put_codes wrote, at bytes[0..size), into `source`, whose launches are known.
 * STATUS_CORRUPT: it is something else, from byte *wrong on. */
enum status wtr_get_codes(const uint8_t *bytes, size_t size, struct trace_source *source,
                          size_t *wrong);
void wtr_free_codes(struct trace_source *source);
