#include "engine/compute/memory.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// The first number of a file, or kUnknown ("max" in control groups means no limit).
std::uint64_t numberIn(const std::string& path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : kUnknown;
}

/// What the control group still allows: version 2's files, then version 1's.
std::uint64_t controlGroupRest() {
    for (const auto& [limitPath, usedPath] :
         {std::pair<const char*, const char*>{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}) {
        const std::uint64_t limit = numberIn(limitPath), used = numberIn(usedPath);
        if (limit != kUnknown && used != kUnknown)
            return limit > used ? limit - used : 0;
    }
    return kUnknown;
}

} // namespace

std::uint64_t availableHostMemory() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::uint64_t kibibytes = 0, available = kUnknown;
    while (file >> name >> kibibytes && std::getline(file, unit)) {
        if (name == "MemAvailable:")
            available = kibibytes << 10;
    }
    return std::min(available, controlGroupRest());
}

void requireMemory(const MemoryNeed& need, std::uint64_t available) {
    if (need.bytes <= available)
        return;
    throw EngineError(fmt::format("{} needs {} of memory, but {} are available.", need.what,
                                  formatBytes(need.bytes), formatBytes(available)),
                      need.nextStep);
}

std::string formatBytes(std::uint64_t bytes) {
    const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes)
                     : fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, units[unit]);
}

} // namespace scanloupe
