#pragma once
// Defines the errors that a SYCL queue reports after the call that caused them has returned (asynchronous
// errors).
#include <string>
#include <utility>

namespace scanloupe::sycl_chain {

/// Keeps the last of them until the queue is waited for. An allocation that returned a null pointer is
/// handled at once, so the error that some implementations report in addition is dropped: one for each null
/// pointer.
class LateErrors {
public:
    /// To be called when an allocation returned a null pointer, before its error is reported.
    void expectOfAllocation() { ++m_expected; }
    /// To be called once all errors of such allocations have been reported.
    void expectNone() { m_expected = 0; }
    void note(bool isMemoryError, std::string what) {
        if (isMemoryError && m_expected > 0)
            --m_expected;
        else
            m_last = std::move(what);
    }
    /// The last error, which is forgotten; empty if there is none.
    std::string take() { return std::exchange(m_last, {}); }

private:
    int m_expected = 0;
    std::string m_last;
};

} // namespace scanloupe::sycl_chain
