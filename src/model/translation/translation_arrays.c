/* The memories of address translation (model/gpu/structure_arrays.h): TLBs, the page-walk cache and
 * the buffer in which walks wait. */
#include "base/bits.h"
#include "model/cache/cache_bits.h"
#include "model/gpu/structure_arrays.h"
#include "model/translation/pwc.h"

static size_t add_tlb(const struct tlb_config *config, const struct machine *machine,
                      struct memory_array *arrays)
{
    const struct tlb_bits bits = tlb_bits(config, machine->page.size, machine->gpu.address_bits);
    arrays[0] = (struct memory_array){.name = "pages",
                                      .kind = bits.sets == 1 ? MEMORY_SEARCHED : MEMORY_CACHE,
                                      .count = 1,
                                      .entries = config->entries,
                                      .key_bits = bits.tag,
                                      .payload_bits = bits.frame,
                                      .sets = bits.sets,
                                      .set_bits = bits.set_state,
                                      .fill_bits = bits.tag + bits.frame};
    return 1 + memory_array_learned(bits.shared_state, 1, arrays + 1);
}

size_t structure_arrays_tlb(const struct machine *machine,
                            struct memory_array arrays[MEMORY_ARRAYS])
{
    return add_tlb(&machine->tlb, machine, arrays);
}

size_t structure_arrays_l2tlb(const struct machine *machine,
                              struct memory_array arrays[MEMORY_ARRAYS])
{
    return machine->l2tlb.enabled ? add_tlb(&machine->l2tlb, machine, arrays) : 0;
}

size_t structure_arrays_pwc(const struct machine *machine,
                            struct memory_array arrays[MEMORY_ARRAYS])
{
    return pwc_kinds[machine->pwc.organization]->arrays(&machine->pwc, arrays);
}

/* A waiting walk is a page, valid, and the SM that asked. With walker.merge a new one is compared
 * with all. */
size_t structure_arrays_walker(const struct machine *machine,
                               struct memory_array arrays[MEMORY_ARRAYS])
{
    const uint64_t page = machine->gpu.address_bits - log2_floor(machine->page.size) + 1,
                   sm = log2_ceil(machine->gpu.sms);
    arrays[0] = (struct memory_array){.name = "walks",
                                      .kind = machine->walker.merge ? MEMORY_SEARCHED : MEMORY_RAM,
                                      .count = 1,
                                      .entries = machine->walker.queue,
                                      .key_bits = page,
                                      .payload_bits = sm,
                                      .fill_bits = page + sm};
    return 1;
}
