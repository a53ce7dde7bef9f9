#pragma once

#include <cstddef>

// of the sanitizers' libraries: null in programs without them. Tests that run with them need not be compiled
// with them.
extern "C" __attribute__((weak)) void __asan_init();
extern "C" __attribute__((weak)) void __tsan_init();

namespace scanloupe::test {

/// How many times as long as without a sanitizer work may take.
inline const double kSanitizerFactor = __asan_init || __tsan_init ? 10 : 1;

/// How many of something random a test tries: a tenth with a sanitizer, which finds its faults in fewer.
inline std::size_t manyOf(std::size_t count) {
    return kSanitizerFactor > 1 ? count / 10 : count;
}

/// Milliseconds within which work must stop once it is asked to.
inline const double kStopMs = 100 * kSanitizerFactor;

} // namespace scanloupe::test
