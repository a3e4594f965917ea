/* Whether a test runs under a sanitizer. Such a program is up to ten times slower, and what it
 * looks for, errors of memory and races, a part of the members of a family shows as well as all of
 * them. */
#pragma once

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* How many of `count` random members to try: all, or under a sanitizer every fourth. */
#define ROLLS(count) (SANITIZED ? ((count) + 3) / 4 : (count))
