// Loads the SYCL library, and runs the self-test of its devices.
#include "kernels/sycl/self_test.h"
#include "kernels/sycl/sycl_functions.h"
#include "kernels/sycl/sycl_options.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <filesystem>

namespace scanloupe {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "scanloupe-sycl.so";

/// Returns the candidate paths of the library: $SCANLOUPE_SYCL_LIBRARY if set, else next to the program and
/// in the library folder of a package.
std::vector<fs::path> places() {
    if (const char* const named = std::getenv("SCANLOUPE_SYCL_LIBRARY"))
        return {named};
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    return {program / kLibrary, program / ".." / "lib" / "scanloupe" / kLibrary,
            program / ".." / "lib" / kLibrary};
}

/// Loads the library. @param why receives the reason of a failure, as a sentence @returns its functions; null
/// on failure
const SyclFunctions* functions(std::string& why) {
    why = "This program was built without SYCL.";
    for (const fs::path& path : places()) {
        std::error_code unknown;
        if (!fs::exists(path, unknown))
            continue;
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            why = std::string("SYCL can't be loaded: ") + dlerror() + ".";
            continue;
        }
        const auto function = reinterpret_cast<SyclFunction>(dlsym(library, kSyclSymbol));
        const SyclFunctions* const found = function ? function() : nullptr;
        if (found && found->interface == kSyclInterface)
            return found;
        why = path.string() + " is of another version of Scanloupe.";
    }
    return nullptr;
}

SyclDevices load() {
    SyclDevices devices;
    chooseSyclOptions(); // for programs that have not called this function before
    std::string why;
    const SyclFunctions* const library = functions(why);
    if (!library) {
        devices.refused.push_back(why);
        return devices;
    }
    std::vector<std::shared_ptr<const SyclDevice>> found;
    try {
        found = library->devices();
    } catch (const std::exception& error) {
        devices.refused.push_back(std::string("SYCL finds no devices: ") + error.what() + ".");
        return devices;
    }
    std::ranges::stable_sort(found, {}, [](const auto& device) { return !device->info().isGpu; });
    for (const auto& device : found) {
        const std::string problem =
            device->info().missing.empty() ? failureOfSelfTest(*device) : device->info().missing;
        if (problem.empty())
            devices.usable.push_back(device);
        else
            devices.refused.push_back(device->info().name + " (" + device->info().platform + "): " + problem);
    }
    if (found.empty())
        devices.refused.emplace_back("SYCL has no devices.");
    return devices;
}

} // namespace

void chooseSyclOptions() {
    // suppresses a warning for each kind of device that the machine lacks
    setenv("ACPP_DEBUG_LEVEL", "1", 0);
    // Disables the recompilation of kernels for known arguments from the second run on. On 2026-11-27,
    // kernels of AdaptiveCpp 24.06 that were recompiled this way read from null pointers on an H200.
    setenv("ACPP_ADAPTIVITY_LEVEL", "0", 0);
}

bool hasSyclLibrary() {
    return std::ranges::any_of(places(), [](const fs::path& path) {
        std::error_code unknown;
        return fs::exists(path, unknown);
    });
}

const SyclDevices& syclDevices() {
    // Never destroyed, since runtimes may fail when they are unloaded at exit.
    static const auto* const devices = new SyclDevices(load());
    return *devices;
}

} // namespace scanloupe
