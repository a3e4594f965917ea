/* Failures that a caller cannot drop unseen: compilers warn where the result of what is marked so
 * is not used, and warnings are errors. What may be dropped says (void). */
#pragma once

/* Before a function that reports its failure in another type than enum status. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* Between `enum` and the name of a type: for every function that returns it. GCC knows that for
 * types by the name of C23 alone, which it takes in C11 as well. */
#if defined(__clang__)
#define MUST_CHECK_TYPE __attribute__((warn_unused_result))
#elif __GNUC__ >= 10
#define MUST_CHECK_TYPE [[nodiscard]]
#else
#define MUST_CHECK_TYPE
#endif
