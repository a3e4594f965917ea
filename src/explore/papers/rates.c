#include "explore/papers/rates.h"

#include <math.h>

static const struct load_cost unknown = {NAN, NAN, NAN};

/* Measures where there is something to measure. */
static enum status read_level(const struct rates_lab *lab,
                              enum status (*read)(void *, uint64_t, struct rate *), uint64_t bytes,
                              struct rate *rate)
{
    return bytes ? read(lab->context, bytes, rate) : STATUS_OK;
}

enum status rates_run(const struct rates_lab *lab, unsigned parts, struct rates *rates)
{
    const struct rate none = {NAN, NAN};
    *rates = (struct rates){.l1 = none, .l2 = none, .memory = none};
    for (unsigned i = 0; i < RATES_STRIDES; i++)
        rates->strides[i] = unknown;
    for (unsigned i = 0; i < RATES_OFFSETS; i++)
        rates->offsets[i] = unknown;
    const bool rated = parts & RATES_BANDWIDTHS, placed = parts & RATES_LANES && lab->l1;
    enum status status = STATUS_OK;
    if (rated)
        status = read_level(lab, lab->read_sm, lab->l1, &rates->l1);
    if (rated && !status)
        status = read_level(lab, lab->read_l2, lab->l2, &rates->l2);
    if (rated && !status)
        status = read_level(lab, lab->read_memory, lab->memory, &rates->memory);
    for (uint32_t i = 0; i < RATES_STRIDES && placed && !status; i++)
        status = lab->load(lab->context, i, 0, &rates->strides[i]);
    for (uint32_t i = 0; i < RATES_OFFSETS && placed && !status; i++)
        status = lab->load(lab->context, 1, i, &rates->offsets[i]);
    return status;
}
