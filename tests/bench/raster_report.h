#pragma once
// Figures of the raster benchmark: as a table and JSON, against the manual's and an older run's.
#include "kernels/core/device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// A scene and the size of its picture.
struct RasterCase {
    std::string scene, picture;
    std::uint64_t nominal = 0;    ///< number of primitives according to its name
    std::uint64_t primitives = 0; ///< actual number of primitives
    int width = 0, height = 0;
    std::uint64_t drawnPixels = 0;

    std::string title() const;
};

struct RasterRow {
    RasterCase what;
    std::string method;
    int repeats = 0;
    double medianMs = 0, minMs = 0, maxMs = 0;

    double gigaprimitives() const { return double(what.primitives) / medianMs / 1e6; } ///< a second
    /// Names the row in a file of figures.
    std::string key() const;
    /// Milliseconds that the manual's page has for it.
    std::optional<double> pageMs() const;
};

struct RasterReport {
    DeviceInfo device;
    std::string commit, date;
    int smallPixels = 0, mediumPixels = 0;
    std::vector<RasterRow> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, and why
};

/// A report without rows, of this program and moment.
RasterReport newRasterReport(const DeviceInfo& device);
/// Prints the head of a case's table, and a row of it.
void printRasterCase(const RasterCase& what);
void printRasterRow(const RasterRow& row);
/// @throws EngineError
void writeRasterJson(const RasterReport& report, const std::filesystem::path& file);
/// Prints how this run's medians compare with those of an older file. @throws KernelError when it can't be
/// read.
void compareRasters(const RasterReport& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
