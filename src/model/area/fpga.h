/* What a memory takes on an FPGA: the UltraScale family of AMD, as Vivado and yosys map it.
 *
 * For a memory of D words of w bits with one read and one write port:
 * - block RAM: the fewest RAMB18 of shape 36 x 512, 18 x 1K, 9 x 2K, 4 x 4K, 2 x 8K or 1 x 16K; two
 *   are a RAMB36;
 * - look-up tables as RAM, up to 128 words and 4,096 bits: 8 ceil(w / 14) up to 32 words, else
 *   8 ceil(w / 7) ceil(D / 64);
 * - 2R2W: four copies, and D registers that say who wrote last;
 * - a comparison of t bits: ceil((2t + 1) / 6) tables and a tree of sixes; one of k ways, w bits:
 *   w ceil(k / 4) tables; searched entries: a register for each bit, a comparison for each entry;
 * - registers of a cache: output, looked-up tag, victim; and the tags read where these are in
 *   look-up tables.
 * docs/VALIDATION.md, FPGA, has the sources of the times.
 *
 * Arrays go into block RAM, into look-up tables that serve as RAM where they are small, or into
 * registers where all words are compared at once. Against yosys (synth_xilinx -family xcu) block
 * and distributed RAM come out equal for 15 of 16 caches, registers within 5 %; logic takes up to
 * FPGA_LOGIC_MOST times the look-up tables that are counted here, which are those of an ideal
 * mapping. Time is the RAM's and that of a routed look-up table for each level of the logic; where
 * things are placed may change it by a half. Pure arithmetic. */
#pragma once

#include "schema/memory_array.h"

struct fpga_cost {
    double ram18;     /* block RAMs of 18 Kbit, two to a RAMB36 */
    double lutram;    /* look-up tables that serve as RAM */
    double luts;      /* look-up tables of comparators and multiplexers, at least */
    double registers; /* flip-flops */
    double time;      /* s from the register of the address to that of the data */
};

#define FPGA_LOGIC_MOST 2.5

/* Of one of the equal ones that `array` describes. */
struct fpga_cost fpga_cost(const struct memory_array *array);

/* Counts add up; the time is the longer one. */
struct fpga_cost fpga_add(struct fpga_cost sum, struct fpga_cost cost, double times);
