#pragma once
// Figures of the surface benchmark: printed as a table, written as JSON, and compared with the manual's
// figures and an earlier run.
#include "kernels/core/device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// The scene that a surface is extracted from, and its size.
struct SurfaceCase {
    std::string scene;
    int edge = 0;
    std::uint64_t bricks = 0, activeBricks = 0, activeCells = 0, vertices = 0, triangles = 0;

    std::string title() const;
};

/// Median times of the operator's four steps, milliseconds.
struct StepTimes {
    double classifyMs = 0, scanMs = 0, compactMs = 0, generateMs = 0;
};

struct SurfaceRow {
    SurfaceCase what;
    std::string method;
    int repeats = 0;
    double medianMs = 0, minMs = 0, maxMs = 0;
    std::optional<StepTimes> steps;

    /// nanoseconds per active brick
    double nanosecondsABrick() const { return medianMs * 1e6 / double(what.activeBricks); }
    /// 10^6 triangles per second
    double megatriangles() const { return double(what.triangles) / medianMs / 1e3; }
    /// Identifies the row in a file of figures.
    std::string key() const;
    /// Milliseconds of this row on the manual's page; none if it is not listed.
    std::optional<double> pageMs() const;
};

struct SurfaceReport {
    DeviceInfo device;
    std::string commit, date;
    int threads = 0; ///< number of threads in the rows of CPU methods
    std::vector<SurfaceRow> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, with the reason
};

/// A report without rows, with this program's commit and the current date.
SurfaceReport newSurfaceReport(const DeviceInfo& device);
/// Prints the head of a case's table.
void printSurfaceCase(const SurfaceCase& what);
void printSurfaceRow(const SurfaceRow& row);
/// @throws EngineError
void writeSurfaceJson(const SurfaceReport& report, const std::filesystem::path& file);
/// Compares the medians of this run with those in the file of an earlier run, and prints the ratios. @throws
/// KernelError if the file can't be read.
void compareSurfaces(const SurfaceReport& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
