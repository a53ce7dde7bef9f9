#pragma once
// Figures of the surface benchmark: as a table and JSON, against the manual's and an older run's.
#include "kernels/core/device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// The source of a surface, and its size.
struct SurfaceCase {
    std::string scene;
    int edge = 0;
    std::uint64_t bricks = 0, activeBricks = 0, activeCells = 0, vertices = 0, triangles = 0;

    std::string title() const;
};

/// The operator's four steps, median milliseconds.
struct StepTimes {
    double classifyMs = 0, scanMs = 0, compactMs = 0, generateMs = 0;
};

struct SurfaceRow {
    SurfaceCase what;
    std::string method;
    int repeats = 0;
    double medianMs = 0, minMs = 0, maxMs = 0;
    std::optional<StepTimes> steps;

    double nanosecondsABrick() const { return medianMs * 1e6 / double(what.activeBricks); } ///< active ones
    double megatriangles() const { return double(what.triangles) / medianMs / 1e3; }        ///< a second
    /// Names the row in a file of figures.
    std::string key() const;
    /// Milliseconds that the manual's page has for it.
    std::optional<double> pageMs() const;
};

struct SurfaceReport {
    DeviceInfo device;
    std::string commit, date;
    int threads = 0; ///< number of threads in the rows of CPU methods
    std::vector<SurfaceRow> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, and why
};

/// A report without rows, of this program and moment.
SurfaceReport newSurfaceReport(const DeviceInfo& device);
/// Prints the head of a case's table, and a row of it.
void printSurfaceCase(const SurfaceCase& what);
void printSurfaceRow(const SurfaceRow& row);
/// @throws EngineError
void writeSurfaceJson(const SurfaceReport& report, const std::filesystem::path& file);
/// Prints how this run's medians compare with those of an older file. @throws KernelError when it can't be
/// read.
void compareSurfaces(const SurfaceReport& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
