#pragma once

#include <cstddef>

// Symbols of the sanitizers' libraries: null in programs without them. Tests that run with them need not be
// compiled with them.
extern "C" __attribute__((weak)) void __asan_init();
extern "C" __attribute__((weak)) void __tsan_init();

namespace scanloupe::test {

/// Permitted slowdown with a sanitizer.
inline const double kSanitizerFactor = __asan_init || __tsan_init ? 10 : 1;

/// Number of random trials of a test: a tenth with a sanitizer, which finds errors in fewer.
inline std::size_t manyOf(std::size_t count) {
    return kSanitizerFactor > 1 ? count / 10 : count;
}

/// Milliseconds within which work must end after a stop request.
inline const double kStopMs = 100 * kSanitizerFactor;

} // namespace scanloupe::test
