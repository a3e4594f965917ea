/* The pages of the Help view that hold all of a kind: `help NAME` shows one. */
#pragma once

/* Ended by NULL. */
extern const char *const help_pages[];
