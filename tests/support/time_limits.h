#pragma once

// of the sanitizers' libraries: null in programs without them. Tests that run with them need not be compiled
// with them.
extern "C" __attribute__((weak)) void __asan_init();
extern "C" __attribute__((weak)) void __tsan_init();

namespace scanloupe::test {

/// How many times as long as without a sanitizer work may take.
inline const double kSanitizerFactor = __asan_init || __tsan_init ? 10 : 1;

/// Milliseconds within which work must stop once it is asked to.
inline const double kStopMs = 100 * kSanitizerFactor;

} // namespace scanloupe::test
