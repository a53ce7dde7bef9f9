#include "tests/support/test_support.h"

#include "kernels/core/device.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace scanloupe::test {

std::filesystem::path scansFolder() {
    if (const char* folder = std::getenv("SCANLOUPE_SCANS"))
        return folder;
    const auto beside = std::filesystem::path(SCANLOUPE_SOURCE_DIR) / "../shared/scans";
    return std::filesystem::exists(beside) ? beside : std::filesystem::path("no-scans-here");
}

std::mt19937_64 seededRandom(const char* where) {
    const char* wanted = std::getenv("SCANLOUPE_SEED");
    const std::uint64_t seed = wanted ? std::strtoull(wanted, nullptr, 10) : 20240229;
    std::printf("%s: SCANLOUPE_SEED=%llu\n", where, static_cast<unsigned long long>(seed));
    return std::mt19937_64(seed);
}

bool haveCudaDevice(std::string& reason) {
    const auto device = probeDevice();
    reason = device.reason;
    return device.usable;
}

} // namespace scanloupe::test
