#pragma once
#include <cstddef>

namespace scanloupe {

/// Asks the system for large pages behind new memory, where it has them: memory that is written once, as
/// results are, takes a fifth of its time for pages of 4 KiB otherwise. Only a hint.
void preferLargePages(void* data, std::size_t bytes) noexcept;

} // namespace scanloupe
