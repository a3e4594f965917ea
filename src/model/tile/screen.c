#include "model/tile/screen.h"

#include <string.h>

#include "base/bits.h"

static uint32_t half(uint32_t whole, unsigned power)
{
    return (whole + (UINT32_C(1) << power) - 1) >> power;
}

/* The most line numbers that a bank needs for a surface: twice what the surface has units suffices,
 * since rows and columns are rounded up to multiples of the banks. */
static uint64_t room(const struct screen_surface *surface, uint32_t banks)
{
    const uint64_t columns = surface->columns + banks, rows = surface->rows + banks;
    return columns * rows << 2 * surface->shift;
}

void screen_init(struct screen *screen, const struct tile_config *config,
                 const struct tile_surface *surfaces, uint32_t count)
{
    uint64_t first = 0;
    *screen = (struct screen){.partition = config->partition,
                              .banks = (uint32_t)config->cache.slices,
                              .power = log2_floor(config->cache.slices)};
    screen->x_power = (screen->power + 1) / 2;
    for (uint32_t i = 0; i < count; i++) {
        struct screen_surface *surface = &screen->surfaces[i];
        surface->shift = config->unit == TILE_UNIT_TILE && surfaces[i].samples > 1 ? 1 : 0;
        surface->columns = half(tile_columns(&surfaces[i]), surface->shift);
        surface->rows = half(tile_rows(&surfaces[i]), surface->shift);
        surface->half_columns = half(surface->columns, screen->x_power);
        surface->half_rows = half(surface->rows, screen->power - screen->x_power);
        surface->first = first;
        first += room(surface, screen->banks);
    }
}

/* The unit of a bank with this number: the inverse of screen_place_at. Where units of all banks
 * have one number, they lie side by side, and the bank tells which it is. */
static void screen_unit(const struct screen *screen, const struct screen_surface *surface,
                        uint32_t bank, uint64_t place, uint32_t *x, uint32_t *y)
{
    const unsigned power = screen->power, x_power = screen->x_power;
    const uint32_t column = bank & ((UINT32_C(1) << x_power) - 1), row = bank >> x_power;
    uint32_t width = (surface->columns >> power) + 1;
    switch ((enum tile_partition)screen->partition) {
    case SCREEN_SQUARES:
        width = (surface->columns >> x_power) + 1;
        *x = (uint32_t)(place % width) << x_power | column;
        *y = (uint32_t)(place / width) << (power - x_power) | row;
        return;
    case SCREEN_QUADRANTS:
        *x = (uint32_t)(place % surface->half_columns) + column * surface->half_columns;
        *y = (uint32_t)(place / surface->half_columns) + row * surface->half_rows;
        return;
    case SCREEN_2X_Y:
    case SCREEN_ROWS:
        *x = (uint32_t)(place % surface->columns);
        *y = (uint32_t)(place / surface->columns) << power;
        while (screen_bank_at(screen, surface, *x, *y) != bank)
            ++*y;
        return;
    case SCREEN_X_2Y:
    case SCREEN_DIAGONALS:
    case SCREEN_HASHED:
        break;
    }
    *x = (uint32_t)(place % width) << power;
    *y = (uint32_t)(place / width);
    while (screen_bank_at(screen, surface, *x, *y) != bank)
        ++*x;
}

struct tile_request screen_place(const struct screen *screen, uint32_t bank, uint64_t line)
{
    uint8_t number = 0;
    while (number + 1 < TILE_SURFACES_MAX && screen->surfaces[number + 1].first &&
           screen->surfaces[number + 1].first <= line)
        number++;
    const struct screen_surface *surface = &screen->surfaces[number];
    const unsigned shift = surface->shift;
    const uint64_t place = line - surface->first;
    const uint32_t within = (uint32_t)place & ((1u << 2 * shift) - 1);
    uint32_t x, y;
    screen_unit(screen, surface, bank, place >> 2 * shift, &x, &y);
    return (struct tile_request){.surface = number,
                                 .x = (uint16_t)(x << shift | (within & ((1u << shift) - 1))),
                                 .y = (uint16_t)(y << shift | within >> shift)};
}

static uint64_t most_of(const uint64_t *counts, uint32_t banks)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < banks; i++)
        most = counts[i] > most ? counts[i] : most;
    return most;
}

bool screen_next(const struct screen *screen, const struct tile_surface *surface,
                 struct tile_request *request)
{
    const uint32_t bank = screen_bank(screen, request), columns = tile_columns(surface);
    do {
        if (request->x + 1u >= columns)
            return false;
        request->x++;
    } while (screen_bank(screen, request) != bank);
    request->address = tile_address(surface, request->x, request->y);
    return true;
}

void screen_load_turn(struct screen_load *load, uint32_t banks)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < banks; i++) {
        most = load->window[i] > most ? load->window[i] : most;
        load->requests[i] += load->window[i];
    }
    load->most += most;
    load->windows++;
    load->filled = 0;
    memset(load->window, 0, sizeof load->window);
}

struct screen_balance screen_load_balance(const struct screen_load *load, uint32_t banks)
{
    uint64_t counts[SCREEN_BANKS_MAX], all = 0;
    for (uint32_t i = 0; i < banks; i++) {
        counts[i] = load->requests[i] + load->window[i];
        all += counts[i];
    }
    const double most = (double)most_of(counts, banks), mean = (double)all / banks;
    return (struct screen_balance){
        most, most / mean, (double)load->most * banks / SCREEN_WINDOW / (double)load->windows};
}
