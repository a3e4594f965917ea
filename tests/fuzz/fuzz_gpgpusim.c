/* Any bytes as a gpgpusim.config: reading never crashes, and a machine that was read is written to
 * text that reads back, and then to the same text. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine machine, back;
    char *text = malloc(size + 1), *written = NULL, *again = NULL;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const struct gpgpusim_text file = {text, "fuzz.config", false};
    if (!gpgpusim_read_texts(&file, 1, true, &machine, NULL) &&
        !gpgpusim_write(&machine, &written, NULL)) {
        if (gpgpusim_read(written, "written", &back, NULL) || gpgpusim_write(&back, &again, NULL) ||
            strcmp(written, again) != 0)
            abort();
    }
    free(again);
    free(text);
    free(written);
    return 0;
}
