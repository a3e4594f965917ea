/* The screen as the banks of a tile cache see it: which bank works on a line of a surface, and the
 * line's number among those of its bank.
 *
 * A bank alone reads and writes its lines, so banks need no coherence. The number leaves out what
 * chose the bank, or the sets of a bank would stay empty that only lines of other banks fall into;
 * it is the line number of the set index. Invariant: two lines of one bank have different numbers,
 * whatever the partition (a test goes through all lines of surfaces of all sizes).
 *
 * S. Zhao, L. Zhang and L. Zhang, "An architecture design of memory access subsystem for embedded
 * graphics processor" (High Technology Letters 32(2), 2022, in Chinese) deal out tiles, or quads
 * with four samples a pixel, so that no tile shares its bank with those around it. Which partition
 * their figure 5 shows is not known; three of ours do that (SCREEN_APART). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "schema/machine.h"
#include "trace/tile_stream.h"

struct screen_surface {
    uint32_t columns, rows;           /* in units of the partition */
    uint32_t half_columns, half_rows; /* of the part of one bank, where each has its own */
    unsigned shift;                   /* log2 of the lines of a unit in either direction */
    uint64_t first;                   /* number of its first line in every bank */
};

struct screen {
    int partition; /* enum tile_partition */
    uint32_t banks;
    unsigned power, x_power; /* log2 of the banks, and of those side by side in a square */
    struct screen_surface surfaces[TILE_SURFACES_MAX];
};

/* `banks` must be a power of two. */
void screen_init(struct screen *screen, const struct tile_config *config,
                 const struct tile_surface *surfaces, uint32_t count);

/* A pseudo-random number of a row of as many units as there are banks. */
static inline uint32_t screen_hash(uint32_t x, uint32_t y)
{
    uint32_t mixed = (x * UINT32_C(0x9e3779b1)) ^ (y * UINT32_C(0x85ebca6b));
    mixed ^= mixed >> 15;
    return (mixed * UINT32_C(0xc2b2ae35)) >> 20;
}

/* The bank of the unit in column x and row y. */
static inline uint32_t screen_bank_at(const struct screen *screen,
                                      const struct screen_surface *surface, uint32_t x, uint32_t y)
{
    const uint32_t mask = screen->banks - 1;
    switch ((enum tile_partition)screen->partition) {
    case SCREEN_SQUARES:
        return (x & ((UINT32_C(1) << screen->x_power) - 1)) | (y << screen->x_power & mask);
    case SCREEN_X_2Y:
        return (x + 2 * y) & mask;
    case SCREEN_2X_Y:
        return (2 * x + y) & mask;
    case SCREEN_DIAGONALS:
        return (x + y) & mask;
    case SCREEN_ROWS:
        return y & mask;
    case SCREEN_QUADRANTS:
        return x / surface->half_columns | (y / surface->half_rows) << screen->x_power;
    case SCREEN_HASHED:
        return (x + screen_hash(x >> screen->power, y)) & mask;
    }
    return 0;
}

/* The number of the unit among those of its bank. */
static inline uint64_t screen_place_at(const struct screen *screen,
                                       const struct screen_surface *surface, uint32_t x, uint32_t y)
{
    const unsigned power = screen->power, x_power = screen->x_power;
    switch ((enum tile_partition)screen->partition) {
    case SCREEN_SQUARES:
        return (uint64_t)(y >> (power - x_power)) * ((surface->columns >> x_power) + 1) +
               (x >> x_power);
    case SCREEN_2X_Y:
    case SCREEN_ROWS: /* as many units of a column lie in different banks */
        return (uint64_t)(y >> power) * surface->columns + x;
    case SCREEN_QUADRANTS:
        return (uint64_t)(y % surface->half_rows) * surface->half_columns +
               x % surface->half_columns;
    case SCREEN_X_2Y:
    case SCREEN_DIAGONALS:
    case SCREEN_HASHED: /* as many units of a row do */
        break;
    }
    return (uint64_t)y * ((surface->columns >> power) + 1) + (x >> power);
}

static inline uint32_t screen_bank(const struct screen *screen, const struct tile_request *request)
{
    const struct screen_surface *surface = &screen->surfaces[request->surface];
    return screen_bank_at(screen, surface, (uint32_t)request->x >> surface->shift,
                          (uint32_t)request->y >> surface->shift);
}

static inline uint64_t screen_line(const struct screen *screen, const struct tile_request *request)
{
    const struct screen_surface *surface = &screen->surfaces[request->surface];
    const unsigned shift = surface->shift;
    const uint64_t place = screen_place_at(screen, surface, (uint32_t)request->x >> shift,
                                           (uint32_t)request->y >> shift);
    const uint32_t low = (1u << shift) - 1;
    return surface->first + (place << 2 * shift) + ((request->y & low) << shift) +
           (request->x & low);
}

/* Surface, column and row of a line of a bank, given its number: the inverse of screen_line. */
struct tile_request screen_place(const struct screen *screen, uint32_t bank, uint64_t line);

/* Moves a request to the next line to its right that is its bank's; false: there is none. */
bool screen_next(const struct screen *screen, const struct tile_surface *surface,
                 struct tile_request *request);

/* A test of a cleared line that writes nothing. The clear bits answer it: neither the cache nor
 * memory hears of it. */
static inline bool tile_is_settled(const struct tile_request *request)
{
    return request->flags & TILE_CLEARED && !tile_changes_line(request);
}

/* How many requests each bank gets, over the frame and within windows of it. */
enum { SCREEN_BANKS_MAX = 16, SCREEN_WINDOW = 64 };
struct screen_load {
    uint64_t requests[SCREEN_BANKS_MAX]; /* of each bank, in complete windows */
    uint32_t window[SCREEN_BANKS_MAX];   /* in the last window */
    uint32_t filled;                     /* requests in it */
    uint64_t windows, most;              /* most: sum over windows of the busiest bank's */
};
void screen_load_turn(struct screen_load *load, uint32_t banks); /* ends a window */
static inline void screen_load_add(struct screen_load *load, uint32_t banks, uint32_t bank)
{
    load->window[bank]++;
    if (++load->filled == SCREEN_WINDOW)
        screen_load_turn(load, banks);
}
/* Requests of the busiest bank; that over the mean of the banks; and the same within complete
 * windows, mean over them. NaN without requests. */
struct screen_balance {
    double most, imbalance, window_imbalance;
};
struct screen_balance screen_load_balance(const struct screen_load *load, uint32_t banks);
