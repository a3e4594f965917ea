#include "base/status.h"

const char *status_text(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return "ok";
    case STATUS_INVALID:
        return "invalid";
    case STATUS_NOT_FOUND:
        return "not found";
    case STATUS_IO:
        return "input/output error";
    case STATUS_CORRUPT:
        return "corrupt";
    case STATUS_MEMORY:
        return "out of memory";
    case STATUS_UNSUPPORTED:
        return "unsupported";
    case STATUS_CONFLICT:
        return "conflict";
    case STATUS_CANCELLED:
        return "cancelled";
    case STATUS_STUCK:
        return "stuck";
    }
    return "unknown status";
}
