#pragma once
// Measures the program's peak memory.
#include <cstddef>

namespace scanloupe::test {

/// Observes memory allocated by the C library during its lifetime. Disabled under sanitizers, which replace
/// it.
class AllocationWatch {
public:
    AllocationWatch();
    /// Peak of the bytes allocated since it was constructed, in addition to those allocated before.
    std::size_t peak() const;

private:
    std::size_t m_before;
};

} // namespace scanloupe::test
