// Determines the available host memory from /proc/meminfo, control groups (cgroup v1 and v2) and
// address-space limits.
#include "engine/compute/memory.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace scanloupe {

namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// Returns the first number in a file; kNoLimit if there is none (control groups use "max").
std::uint64_t readNumber(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : kNoLimit;
}

/// Returns the page cache of a control group from its memory.stat, bytes: active and inactive file pages,
/// which are reclaimable.
std::uint64_t pageCacheBytes(const std::filesystem::path& path, std::string_view prefix) {
    std::ifstream file(path);
    std::string name;
    std::uint64_t value = 0, sum = 0;
    while (file >> name >> value)
        if (name == std::string(prefix) + "inactive_file" || name == std::string(prefix) + "active_file")
            sum += value;
    return sum;
}

/// Returns the remaining part of this process's address-space limit (RLIMIT_AS, ulimit -v), bytes.
std::uint64_t availableAddressSpace() {
    struct rlimit limit {};
    const std::uint64_t pages = readNumber("/proc/self/statm");
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || pages == kNoLimit)
        return kNoLimit;
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/// Names of the files of a memory controller.
struct CgroupFiles {
    const char *folder, *controller; ///< folder below the root; name in the list of groups
    const char *limit, *used, *statistics, *prefix;
};

/// Returns the folder of this process's group, relative to that of the controller; empty if it is the root or
/// not listed. Parses lines such as "0::/user.slice" (version 2) and "4:cpu,memory:/docker/1f" (version 1),
/// see cgroups(7).
std::filesystem::path groupOf(const std::filesystem::path& groups, std::string_view controller) {
    std::ifstream file(groups);
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        if (controllers != fmt::format(",{},", controller) &&
            (controller.empty() || controllers.find(fmt::format(",{},", controller)) == std::string::npos))
            continue;
        const auto path = std::filesystem::path(line.substr(second + 1)).relative_path();
        const bool leavesNamespace = std::ranges::find(path, "..") != path.end();
        return leavesNamespace ? std::filesystem::path() : path;
    }
    return {};
}

std::uint64_t availableIn(const std::filesystem::path& group, const CgroupFiles& files) {
    const std::uint64_t limit = readNumber(group / files.limit), usage = readNumber(group / files.used);
    if (limit == kNoLimit || usage == kNoLimit)
        return kNoLimit;
    const std::uint64_t used =
        usage - std::min(usage, pageCacheBytes(group / files.statistics, files.prefix));
    return limit > used ? limit - used : 0;
}

} // namespace

std::uint64_t availableCgroupMemory(const std::filesystem::path& root, const std::filesystem::path& groups) {
    std::uint64_t available = kNoLimit;
    for (const CgroupFiles& files : {CgroupFiles{"", "", "memory.max", "memory.current", "memory.stat", ""},
                                     CgroupFiles{"memory", "memory", "memory.limit_in_bytes",
                                                 "memory.usage_in_bytes", "memory.stat", "total_"}}) {
        std::filesystem::path group = root / files.folder;
        available = std::min(available, availableIn(group, files));
        // The limits of all parent groups apply as well.
        for (const auto& part : groupOf(groups, files.controller)) {
            group /= part;
            available = std::min(available, availableIn(group, files));
        }
    }
    return available;
}

std::uint64_t availableHostMemory() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::uint64_t kibibytes = 0, available = kNoLimit;
    while (file >> name >> kibibytes && std::getline(file, unit)) {
        if (name == "MemAvailable:")
            available = kibibytes << 10;
    }
    return std::min(
        {available, availableCgroupMemory("/sys/fs/cgroup", "/proc/self/cgroup"), availableAddressSpace()});
}

void keepFreedMemory() {
#ifdef __GLIBC__
    constexpr int largestArray = 256 << 20, maxKeptBytes = 1 << 30; // bytes
    mallopt(M_MMAP_THRESHOLD, largestArray);
    mallopt(M_TRIM_THRESHOLD, maxKeptBytes);
#endif
}

void trimHeap() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void returnFreedMemory() {
#ifdef __GLIBC__
    constexpr int smallestArray = 1 << 20,
                  maxKeptBytes = 32 << 20; // bytes; setting the thresholds also disables their automatic
                                           // growth
    mallopt(M_MMAP_THRESHOLD, smallestArray);
    mallopt(M_TRIM_THRESHOLD, maxKeptBytes);
#endif
}

void requireMemory(const MemoryNeed& need, std::uint64_t available) {
    if (need.bytes <= available)
        return;
    throw HostMemoryShort(fmt::format("{} needs {} of memory, but only {} are available.", need.what,
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
