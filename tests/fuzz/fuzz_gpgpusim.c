/* Any bytes as a gpgpusim.config: reading never crashes, and a machine that was read is written to
 * text that reads back to the same machine. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine machine, back;
    char *text = malloc(size + 1), *written = NULL;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!gpgpusim_read(text, "fuzz.config", &machine, NULL) &&
        !gpgpusim_write(&machine, &written, NULL)) {
        if (gpgpusim_read(written, "written", &back, NULL))
            abort();
        for (size_t i = 0; i < parameter_count; i++) {
            const struct parameter *parameter = &parameters[i];
            bool relevant = parameter_relevant(parameter, &machine);
            if (relevant && gpgpusim_holds(parameter, &machine) &&
                !parameter_equal(parameter, parameter_get(parameter, &machine),
                                 parameter_get(parameter, &back)))
                abort();
        }
    }
    free(text);
    free(written);
    return 0;
}
