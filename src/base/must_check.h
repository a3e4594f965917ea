/* MUST_CHECK before a function: compilers warn where its result is dropped, and warnings are
 * errors. For functions that report a failure in another type than enum status. */
#pragma once

#define MUST_CHECK __attribute__((warn_unused_result))
