#pragma once

namespace scanloupe::test {

/// Milliseconds within which work must stop once it is asked to.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr double kStopMs = 1000; // everything is many times slower
#else
inline constexpr double kStopMs = 100;
#endif

} // namespace scanloupe::test
