#pragma once

namespace scanloupe::test {

/// How many times as long as without a sanitizer work may take.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr double kSanitizerFactor = 10;
#else
inline constexpr double kSanitizerFactor = 1;
#endif

/// Milliseconds within which work must stop once it is asked to.
inline constexpr double kStopMs = 100 * kSanitizerFactor;

} // namespace scanloupe::test
