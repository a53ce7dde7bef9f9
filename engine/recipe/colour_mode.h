#pragma once
// Declares the table of colour modes: how points, voxels and mesh can be coloured. The window's list, the
// legend, the help and the stages to run are derived from it.
#include "kernels/core/execution.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe {

/// The source of a mode's colours.
enum class ColourData : std::uint8_t {
    none,        ///< one colour for all
    height,      ///< the coordinate along the up axis; of volumes, too
    rgb,         ///< the scan's red, green and blue
    voxelValues, ///< a number for each voxel, which its points and the nearest vertices share
    attribute,   ///< means of an attribute, or classes; the mode's key is its name, or the prefix of names
    distances,   ///< between mesh and points
};

/// A value of Recipe::colourBy.
struct ColourMode {
    std::string_view key; ///< "height"; of the row for attributes, the prefix "attribute:"
    const char* label;    ///< in the window's list, e.g. "Height"
    /// Title of the legend, e.g. "Height, %1", where %1 is the unit of length; empty: the attribute's name.
    const char* legend;
    const char* legendOfMesh; ///< the same for the mesh view
    const char* help;         ///< in a list, e.g. "count (points a voxel)"
    ColourData data;
    /// [V] the numbers, where the grid lies; for ColourData::voxelValues
    Buffer<float> (*voxelValues)(const VoxelGrid& grid, const Execution& on) = nullptr;
    bool isOfDeviations = false; ///< signed distances, which a tolerance parts into bands

    /// Whether it represents all attributes.
    bool isOfAnyAttribute() const;
    bool isOfVolumes() const { return data == ColourData::none || data == ColourData::height; }
};

/// All modes, in the order of the window's list.
std::span<const ColourMode> colourModes();
/// The mode of Recipe::colourBy, resolved. A name that is no key is the name of an attribute;
/// "attribute:NAME" is one in any case.
const ColourMode& colourModeOf(std::string_view colourBy);
/// The attribute's name in Recipe::colourBy, resolved.
std::string_view colourAttribute(std::string_view colourBy);
/// The value of Recipe::colourBy for an attribute: its name, unless that is the key of a mode.
std::string colourByAttribute(std::string_view name);
/// "height, count (points a voxel), ..., or an attribute of the scan", for help.
std::string colourModesText();

} // namespace scanloupe
