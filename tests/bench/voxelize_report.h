#pragma once
// Figures of the voxelization benchmark: as a table, JSON and Markdown, against the manual's and an older
// run's.
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
    std::uint64_t bytes = 0; ///< minimum traffic

    double gigapoints() const { return double(what.points) / medianMs / 1e6; } ///< a second
    double gigabytes() const { return double(bytes) / medianMs / 1e6; }        ///< a second
    /// Names the row in a file of figures.
    std::string key() const;
    /// Milliseconds that the manual's page has for it.
    std::optional<double> pageMs() const;
};

struct Report {
    DeviceInfo device;
    std::string commit, date;
    double copyGigabytes = 0; ///< a second, read and written
    std::vector<Row> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, and why
};

/// A report without rows, of this program and moment.
Report newReport(const DeviceInfo& device);

/// Prints the head of a case's table, and a row of it.
void printCase(const Case& what);
void printRow(const Row& row, const Report& report);
/// Prints the baselines next to the published figures.
void printBaselines(const Report& report);

/// @throws EngineError
void writeJson(const Report& report, const std::filesystem::path& file);
/// One table for each scene and voxel size. @throws EngineError
void writeMarkdown(const Report& report, const std::filesystem::path& file);
/// Prints this run's medians relative to those of an older file. @returns the number of rows that are slower
/// by over 5 % @throws KernelError when the file can't be read
int compareWith(const Report& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
