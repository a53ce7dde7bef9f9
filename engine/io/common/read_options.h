#pragma once
// Defines the options of the readers.
#include "engine/compute/device_stream.h"
#include "engine/io/common/progress.h"
#include "engine/io/common/view_detail.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// The number type of a .bin file, little endian.
enum class SweepNumberType : std::uint8_t { byContent, float32, float16 };

/// When a reader decodes attributes of points.
enum class AttributeReading : std::uint8_t {
    automatic, ///< onDemand for large files if the format supports it, otherwise atOnce
    atOnce,    ///< decoded together with the coordinates
    onDemand,  ///< decoded on first use if the format supports it, see PointCloud::load()
};

/// Which part of a file with levels of detail (COPC, 3D Tiles) to read.
struct OctreeReading {
    std::optional<Bounds> range;         ///< only nodes that intersect this range; nullopt: all
    double resolution = 0;               ///< sufficient point spacing in metres; 0: all levels
    std::optional<ViewDetail> view = {}; ///< level of detail required for a view; replaces `range` and
                                         ///< `resolution`
};

/// A consecutive part of a file's points, see lasSlices().
struct FileSlice {
    std::size_t index = 0;
    std::uint64_t most = 0; ///< maximum number of points in a slice
};

/// A column of a text file, and the name chosen by the user.
struct ChosenColumn {
    std::string name;
    std::size_t number = 0; ///< number of the column, starting at 1
};

/// The beginning of a text file whose columns could not be determined.
struct TextPreview {
    std::string layout; ///< describes delimiter, number of columns and header; equal for texts of the same
                        ///< program
    std::vector<std::string> names;             ///< [columns] suggested names of the columns
    std::vector<std::vector<std::string>> rows; ///< [at most 20] values of each row, usually C
};

struct ReadOptions {
    int columns = 0; ///< numbers per point in a .bin file; 0: detected from the content
    SweepNumberType type = SweepNumberType::byContent;
    bool force = false; ///< use `columns` and `type` even if the content contradicts them
    /// Columns of a text file; empty: detected from the header and the content.
    std::vector<ChosenColumn> textColumns = {};
    /// Called by the reading thread if textColumns is empty and detection is uncertain. Returns the columns;
    /// empty if the user chose none.
    std::function<std::vector<ChosenColumn>(const TextPreview&)> chooseColumns = {};
    ProgressFunction progress;
    AttributeReading attributes = AttributeReading::automatic;
    /// Approximate number of points to read, distributed over the file; 0: all. See readScanSubsample().
    std::size_t subsample = 0;
    std::optional<OctreeReading> octree = {}; ///< part of a COPC file; nullopt: all of it
    std::optional<FileSlice> slice = {};      ///< part of a LAS or LAZ file; nullopt: all of it
    DeviceStream deviceStream = {};           ///< for formats that are decompressed on a device; empty: no
                                              ///< device is used
};

} // namespace scanloupe
