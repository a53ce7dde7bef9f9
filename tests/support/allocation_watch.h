#pragma once
// How much memory the program has taken at once.
#include <cstddef>

namespace scanloupe::test {

/// Looks at memory taken from the C library while it lives. Off under sanitizers, which take its place.
class AllocationWatch {
public:
    AllocationWatch();
    /// The most bytes that were taken at once since it was made, beyond those taken before.
    std::size_t peak() const;

private:
    std::size_t m_before;
};

} // namespace scanloupe::test
