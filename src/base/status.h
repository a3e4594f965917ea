/* The result of every function that can fail. struct diagnostics (base/diag.h) carries the
 * details. */
#pragma once

#include "base/must_check.h"

enum MUST_CHECK_TYPE status {
    STATUS_OK = 0,
    STATUS_INVALID,     /* the input breaks a rule; the diagnostics say which and where */
    STATUS_NOT_FOUND,   /* no such file, name or point */
    STATUS_IO,          /* the system refused a read or a write */
    STATUS_CORRUPT,     /* a checksum, a length or a magic number is wrong */
    STATUS_MEMORY,      /* no memory */
    STATUS_UNSUPPORTED, /* legal, but not something this version does */
    STATUS_CONFLICT,    /* would overwrite or mix what must not be mixed */
    STATUS_CANCELLED,   /* the caller asked to stop */
    STATUS_STUCK,       /* a simulated machine never ends: its queues wait for each other */
};

/* A status in one to three words, for example "not found". Never NULL. */
const char *status_text(enum status status);
