// Implements `doctor`: checks memory, GPU, driver and the window program.
#include "engine/cli/commands.h"
#include "engine/cli/device_limits.h"
#include "engine/cli/options.h"
#include "engine/compute/backend.h"
#include "engine/compute/build_info.h"
#include "engine/compute/memory.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace scanloupe::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The result of one check of this machine.
struct Finding {
    std::string what;
    bool good = true;
    std::string facts;
    std::string fix; ///< the next step; empty if nothing is to be done
};

std::string builtWith() {
    const BuildInfo info = buildInfo();
    return fmt::format("{}, {}, {}, {}", versionAndCommit(), info.buildType, info.compiler,
                       info.cuda.empty() ? "without CUDA" : "CUDA " + info.cuda);
}

std::string cudaVersion(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

/// Checks the CUDA device and reports its launch limits.
std::vector<Finding> checkDevice(const DeviceInfo& info) {
    if (!info.usable) {
        const std::size_t end = info.reason.find(". "); // The first sentence of the reason is the problem,
                                                        // the rest is the next step.
        if (end == std::string::npos)
            return {{"GPU", false, info.reason, "All computations run on the CPU instead."}};
        return {{"GPU", false, info.reason.substr(0, end + 1), info.reason.substr(end + 2)}};
    }
    return {
        {"GPU", true,
         fmt::format("{}, compute capability {}.{}, {} of {} free, driver for CUDA {}, runtime {}", info.name,
                     info.major, info.minor, formatBytes(info.freeBytes), formatBytes(info.totalBytes),
                     cudaVersion(info.driverVersion), cudaVersion(info.runtimeVersion)),
         ""},
        {"limits", true, limitsText(info.limits), ""}};
}

/// Checks the SYCL devices. Returns no findings in a build without SYCL, because SYCL is optional.
std::vector<Finding> checkSycl() {
    std::vector<Finding> findings;
    int number = 0;
    for (const auto& device : syclDevices().usable) {
        const SyclDeviceInfo& info = device->info();
        findings.push_back({"SYCL", true,
                            fmt::format("{}, {}, {} ({}): --device sycl:{}", info.name,
                                        formatBytes(info.bytes), info.runtime, info.platform, number++),
                            ""});
    }
    if (hasSyclLibrary())
        for (const std::string& sentence : syclDevices().refused)
            findings.push_back(
                {"SYCL", false, sentence, "All computations run on the CPU or with CUDA instead."});
    return findings;
}

/// Exit code and combined output (stdout and stderr) of a shell command.
struct Output {
    int code = -1;
    std::string text;
};
Output runShell(const std::string& command) {
    Output output;
    std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr)
        return output;
    std::array<char, 512> part;
    while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe))
        output.text.append(part.data(), size);
    const int status = ::pclose(pipe);
    output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

/// Runs `scanloupe --check` and parses its report, whose lines are "name<tab>ok|bad<tab>facts<tab>fix".
std::vector<Finding> checkWindow() {
    std::error_code none;
    const fs::path self = fs::read_symlink("/proc/self/exe", none);
    const fs::path program = self.parent_path() / "scanloupe";
    if (self.empty() || !fs::exists(program, none))
        return {{"window", false, "The window program \"scanloupe\" was not found next to scanloupe-cli.",
                 "Build it with -DSCANLOUPE_GUI=ON, or install the complete package."}};
    std::string quoted = "'";
    for (const char c : program.string())
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    const Output output = runShell(quoted + "' --check");
    std::vector<Finding> findings;
    for (std::size_t at = 0; at < output.text.size();) {
        const std::size_t end = std::min(output.text.find('\n', at), output.text.size());
        const std::string line = output.text.substr(at, end - at);
        at = end + 1;
        std::vector<std::string> fields;
        for (std::size_t begin = 0; begin <= line.size();) {
            const std::size_t tab = std::min(line.find('\t', begin), line.size());
            fields.push_back(line.substr(begin, tab - begin));
            begin = tab + 1;
        }
        if (fields.size() == 4)
            findings.push_back({fields[0], fields[1] == "ok", fields[2], fields[3]});
    }
    if (findings.empty() || output.code != 0) {
        // Only the text after "scanloupe: " is the program's message; libraries may print other lines before
        // it.
        const std::size_t own = output.text.find("scanloupe: ");
        const std::size_t begin = own == std::string::npos ? 0 : own + 11;
        const std::string said = output.text.substr(begin, output.text.find('\n', begin) - begin);
        findings.push_back(
            {"window", false, said.empty() ? "The window can't be opened." : said,
             "Start it on a machine with a display (DISPLAY or WAYLAND_DISPLAY). scanloupe-cli does "
             "the same without one."});
    }
    return findings;
}

bool allGood(const std::vector<Finding>& findings) {
    return std::ranges::all_of(findings, &Finding::good);
}

void printText(const std::vector<Finding>& findings, std::ostream& out) {
    for (const Finding& finding : findings) {
        out << fmt::format("{:<4} {:<9} {}\n", finding.good ? "ok" : "--", finding.what, finding.facts);
        if (!finding.fix.empty())
            out << fmt::format("{:15}{}\n", "", finding.fix);
    }
    out << (allGood(findings)
                ? "All checks passed.\n"
                : "Items marked with -- are unavailable; everything else works without them.\n");
}

void printJson(const std::vector<Finding>& findings, const DeviceInfo& device, Session& session) {
    Json json = {{"schema", "scanloupe/doctor/1"},
                 {"ok", allGood(findings)},
                 {"checks", Json::array()},
                 {"gpu_limits", limitsJson(device)}};
    for (const Finding& finding : findings)
        json["checks"].push_back({{"what", finding.what},
                                  {"ok", finding.good},
                                  {"facts", finding.facts},
                                  {"fix", finding.fix.empty() ? Json() : Json(finding.fix)}});
    session.printJson(json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void runDoctor(Session& session) {
    std::vector<Finding> findings;
    findings.push_back({"program", true, builtWith(), ""});
    findings.push_back({"CPU", true,
                        fmt::format("{} threads, {} of memory available", parallelThreads(),
                                    formatBytes(availableHostMemory())),
                        ""});
    const DeviceInfo device = probeDevice();
    for (Finding& finding : checkDevice(device))
        findings.push_back(std::move(finding));
    for (Finding& finding : checkSycl())
        findings.push_back(std::move(finding));
    for (Finding& finding : checkWindow())
        findings.push_back(std::move(finding));
    for (Finding& finding : findings)
        if (!finding.facts.empty())
            finding.facts[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(finding.facts[0])));
    if (session.json)
        printJson(findings, device, session);
    else
        printText(findings, session.text());
}

} // namespace

void addDoctorCommand(Command program, Action& action) {
    Command sub = program.subcommand(
        "doctor", "Check which devices of this machine can be used, and suggest fixes for problems");
    sub.footer(
        "Checks processor, memory, GPU and driver. Also runs the window program to check its display, its "
        "OpenGL version, and whether CUDA can share buffers with OpenGL.");
    addJsonOption(sub, "Write JSON for programs: the result of each check and its fix");
    sub.whenParsed([&action] { action = runDoctor; });
}

} // namespace scanloupe::cli
