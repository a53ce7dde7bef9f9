#pragma once
// Figures of the raster benchmark: printed as a table, written as JSON, and compared with the manual's
// figures and an earlier run.
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
    std::uint64_t nominal = 0;    ///< number of primitives as stated in the row's name
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

    /// 10^9 primitives per second
    double gigaprimitives() const { return double(what.primitives) / medianMs / 1e6; }
    /// Identifies the row in a file of figures.
    std::string key() const;
    /// Milliseconds of this row on the manual's page; none if it is not listed.
    std::optional<double> pageMs() const;
};

struct RasterReport {
    DeviceInfo device;
    std::string commit, date;
    int smallPixels = 0, mediumPixels = 0;
    std::vector<RasterRow> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, with the reason
};

/// A report without rows, with this program's commit and the current date.
RasterReport newRasterReport(const DeviceInfo& device);
/// Prints the head of a case's table.
void printRasterCase(const RasterCase& what);
void printRasterRow(const RasterRow& row);
/// @throws EngineError
void writeRasterJson(const RasterReport& report, const std::filesystem::path& file);
/// Compares the medians of this run with those in the file of an earlier run, and prints the ratios. @throws
/// KernelError if the file can't be read.
void compareRasters(const RasterReport& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
