#pragma once
// Defines the errors that a SYCL queue reports after the call that caused them (asynchronous errors).
#include <string>
#include <utility>

namespace scanloupe::sycl_chain {

/// Keeps the last asynchronous error until the queue is waited for. Some implementations report an error in
/// addition to returning a null pointer from an allocation. Null pointers are handled immediately, so one
/// such error per null pointer is dropped.
class LateErrors {
public:
    /// Must be called when an allocation has returned a null pointer, before its error is reported.
    void expectOfAllocation() { ++m_expected; }
    /// Must be called after all errors of such allocations have been reported.
    void expectNone() { m_expected = 0; }
    void note(bool isMemoryError, std::string what) {
        if (isMemoryError && m_expected > 0)
            --m_expected;
        else
            m_last = std::move(what);
    }
    /// Returns and clears the last error; empty if there is none.
    std::string take() { return std::exchange(m_last, {}); }

private:
    int m_expected = 0;
    std::string m_last;
};

} // namespace scanloupe::sycl_chain
