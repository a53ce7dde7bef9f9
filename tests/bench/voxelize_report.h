#pragma once
// Figures of the voxelization benchmark: printed as a table, written as JSON and Markdown, and compared with
// the manual's figures and an earlier run.
#include "kernels/core/device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// A case of the benchmark.
struct Case {
    std::string scene, order, size;
    std::uint64_t points = 0, voxels = 0;

    std::string title() const;
};

struct Row {
    Case what;
    std::string method, group;
    int repeats = 0;
    double medianMs = 0, minMs = 0, maxMs = 0;
    std::uint64_t bytes = 0; ///< minimum traffic in bytes

    double gigapoints() const { return double(what.points) / medianMs / 1e6; } ///< 10^9 points per second
    double gigabytes() const { return double(bytes) / medianMs / 1e6; }        ///< GB/s
    /// Identifies the row in a file of figures.
    std::string key() const;
    /// Milliseconds of this row on the manual's page; none if it is not listed.
    std::optional<double> pageMs() const;
};

struct Report {
    DeviceInfo device;
    std::string commit, date;
    double copyGigabytes = 0; ///< copy bandwidth in GB/s, counting reads and writes
    std::vector<Row> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, with the reason
};

/// A report without rows, with this program's commit and the current date.
Report newReport(const DeviceInfo& device);

/// Prints the head of a case's table.
void printCase(const Case& what);
void printRow(const Row& row, const Report& report);
/// Prints the baselines next to the published figures.
void printBaselines(const Report& report);

/// @throws EngineError
void writeJson(const Report& report, const std::filesystem::path& file);
/// Writes one table for each scene and voxel size. @throws EngineError
void writeMarkdown(const Report& report, const std::filesystem::path& file);
/// Prints the ratios of this run's medians to those in the file of an earlier run. @returns the number of
/// rows that are slower by over 5 % @throws KernelError if the file can't be read
int compareWith(const Report& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
