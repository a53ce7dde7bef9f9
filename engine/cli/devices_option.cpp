// Parses lists of devices.
#include "engine/cli/devices_option.h"

#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/error.h"
#include "engine/compute/backend.h"
#include "kernels/core/devices.h"

#include <charconv>
#include <fmt/format.h>

namespace scanloupe::cli {

Option addDevicesOption(Command command, std::string& list, const std::string& help) {
    return command
        .option("--devices", list,
                help + ": all, or numbers of devices and \"host\" for the CPU, separated by commas: 0,1,host")
        .typeName("LIST");
}

std::vector<ComputeWorker> workersIn(const std::string& list, Backend backend) {
    const bool onDevice = chooseBackend(backend).backend == Backend::cuda;
    const int count = onDevice ? deviceCount() : 0;
    std::vector<ComputeWorker> workers;
    if (list.empty() || list == "all") {
        for (int device = 0; device < count; ++device)
            workers.push_back({device});
        if (workers.empty())
            workers.push_back({});
        return workers;
    }
    for (const std::string& name : splitAtCommas(list)) {
        int device = -1;
        const char* end = name.data() + name.size();
        if (name == "host")
            workers.push_back({});
        else if (const auto [rest, error] = std::from_chars(name.data(), end, device);
                 error == std::errc() && rest == end && device >= 0 && device < count)
            workers.push_back({device});
        else
            throw EngineError(fmt::format("There is no device '{}' (--devices).", name),
                              count == 0
                                  ? std::string("No CUDA device is available. Use the CPU: --devices host.")
                                  : fmt::format("Use numbers from 0 to {}, or host for the CPU.", count - 1));
    }
    return workers;
}

} // namespace scanloupe::cli
