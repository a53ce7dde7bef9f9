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
    automatic, ///< on demand where the format can and the file is large
    atOnce,    ///< together with the coordinates
    onDemand,  ///< on first use, where the format can, see PointCloud::load()
};

/// The part to read of a file with levels of detail (COPC, 3D Tiles).
struct OctreeReading {
    std::optional<Bounds> range;         ///< only nodes that intersect this range; none: all
    double resolution = 0;               ///< sufficient point spacing in metres; 0: all levels
    std::optional<ViewDetail> view = {}; ///< the detail that a view needs; replaces `range` and `resolution`
};

/// A share of a file's points, see lasSlices().
struct FileSlice {
    std::size_t index = 0;
    std::uint64_t most = 0; ///< points of a slice
};

/// A column of a text, and the name that the user gives it.
struct ChosenColumn {
    std::string name;
    std::size_t number = 0; ///< from 1
};

/// The beginning of a text whose columns could not be determined.
struct TextPreview {
    std::string layout; ///< delimiter, number of columns and header: texts of one program share it
    std::vector<std::string> names;             ///< [C] assumed names of the columns
    std::vector<std::vector<std::string>> rows; ///< [at most 20] values of a row, mostly C
};

struct ReadOptions {
    int columns = 0; ///< numbers a point in a .bin file; 0: detected by content
    SweepNumberType type = SweepNumberType::byContent;
    bool force = false; ///< use `columns` and `type` even where the content contradicts them
    /// Columns of a text file; empty: detected by header and content.
    std::vector<ChosenColumn> textColumns = {};
    /// Called by the reading thread where they are empty and detection is unsure; returns them, or none.
    std::function<std::vector<ChosenColumn>(const TextPreview&)> chooseColumns = {};
    ProgressFunction progress;
    AttributeReading attributes = AttributeReading::automatic;
    /// Approximate number of points to read, spread over the file; 0: all. See readScanSubsample()
    std::size_t subsample = 0;
    std::optional<OctreeReading> octree = {}; ///< part of a COPC file; none: all of it
    std::optional<FileSlice> slice = {};      ///< part of a LAS or LAZ file; none: all of it
    DeviceStream deviceStream = {};           ///< for formats that a device decompresses; empty: none does
};

} // namespace scanloupe
