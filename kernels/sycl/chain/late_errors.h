#pragma once
// Defines the errors that a SYCL queue reports after the call that caused them has returned (asynchronous
// errors).
#include <string>
#include <utility>

namespace scanloupe::sycl_chain {

/// Keeps the last of these errors until the queue is waited for. An allocation that returned a null pointer
/// is handled immediately, so the error that some implementations report in addition is dropped: one for each
/// null pointer.
class LateErrors {
public:
    /// Called when an allocation returned a null pointer, before its error is reported.
    void expectOfAllocation() { ++m_expected; }
    /// Called after all errors of such allocations have been reported.
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
