#pragma once
// Defines the options of the readers.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
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
    onDemand,  ///< when something asks for them, where the format can, see PointCloud::load()
};

/// What is read of a file with levels of detail (COPC, 3D Tiles).
struct OctreeReading {
    std::optional<Bounds> range;         ///< nodes that meet it; none: all
    double resolution = 0;               ///< metres between points that are enough; 0: all levels
    std::optional<ViewDetail> view = {}; ///< what a view needs, instead of both
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

/// The beginning of a text of which it is unsure what its columns are.
struct TextPreview {
    std::string layout; ///< delimiter, number of columns and header: texts of one program share it
    std::vector<std::string> names;             ///< [C] what the columns are taken for
    std::vector<std::vector<std::string>> rows; ///< [at most 20] values of a row, mostly C
};

struct ReadOptions {
    int columns = 0; ///< numbers a point in a .bin file; 0: detected by content
    SweepNumberType type = SweepNumberType::byContent;
    bool force = false; ///< take `columns` and `type` even where the content speaks against them
    std::vector<ChosenColumn> textColumns = {}; ///< of a text; empty: detected by header and content
    /// Called by the reading thread where they are empty and detection is unsure; returns them, or none.
    std::function<std::vector<ChosenColumn>(const TextPreview&)> chooseColumns = {};
    ProgressFunction progress;
    AttributeReading attributes = AttributeReading::automatic;
    /// Read about so many points, spread over the file; 0: all. See readScanSubsample()
    std::size_t subsample = 0;
    std::optional<OctreeReading> octree = {}; ///< of COPC; none: all of it
    std::optional<FileSlice> slice = {};      ///< of LAS and LAZ; none: all of it
    DeviceStream deviceStream = {};           ///< for formats that a device decompresses; empty: none does
};

} // namespace scanloupe
