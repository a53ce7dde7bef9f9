// Requests transparent huge pages on Linux (madvise, MADV_HUGEPAGE).
#include "kernels/core/system/large_pages.h"

#ifdef __linux__
#include <cstdint>
#include <sys/mman.h>
#endif

namespace scanloupe {

void preferLargePages(void* data, std::size_t bytes) noexcept {
#ifdef __linux__
    constexpr std::uintptr_t large = std::uintptr_t{2} << 20, minBytes = 2 * large;
    if (bytes < minBytes)
        return;
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const auto begin = (address + large - 1) / large * large, end = (address + bytes) / large * large;
    static_cast<void>(
        ::madvise(static_cast<std::byte*>(data) + (begin - address), end - begin, MADV_HUGEPAGE));
#else
    static_cast<void>(data);
    static_cast<void>(bytes);
#endif
}

} // namespace scanloupe
