#pragma once
// Declares the table of colour modes: how points, voxels and mesh can be coloured. The window's list, the
// legend, the help texts and the list of required stages are derived from this table.
#include "kernels/core/execution.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe {

/// The source of a mode's colours.
enum class ColourData : std::uint8_t {
    none,        ///< one colour for everything
    height,      ///< the coordinate along the up axis; also for volumes
    rgb,         ///< the scan's red, green and blue
    voxelValues, ///< one number per voxel, which its points and the nearest vertices also get
    attribute,   ///< means of an attribute, or its classes; the mode's key is the attribute's name, or the
                 ///< prefix of names
    distances,   ///< distances between mesh and points
};

/// A colour mode: a possible value of Recipe::colourBy.
struct ColourMode {
    std::string_view key; ///< for example "height"; in the row for all attributes, the prefix "attribute:"
    const char* label;    ///< text in the window's list, for example "Height"
    /// Title of the legend, for example "Height, %1" with %1 for the unit of length; empty: the attribute's
    /// name.
    const char* legend;
    const char* legendOfMesh; ///< title of the legend of the mesh view
    const char* help;         ///< text in the list of modes of help texts, for example "count (points a
                              ///< voxel)"
    ColourData data;
    /// Computes one value per voxel, [V], in the memory space of the grid; for ColourData::voxelValues.
    Buffer<float> (*voxelValues)(const VoxelGrid& grid, const Execution& on) = nullptr;
    bool isOfDeviations = false; ///< the values are signed distances, which a tolerance divides into bands

    /// Whether this row stands for all attributes.
    bool isOfAnyAttribute() const;
    bool isOfVolumes() const { return data == ColourData::none || data == ColourData::height; }
};

/// Returns all modes in the order of the window's list.
std::span<const ColourMode> colourModes();
/// Returns the mode of a resolved Recipe::colourBy. A text that is not a key is the name of an attribute;
/// "attribute:NAME" always is.
const ColourMode& colourModeOf(std::string_view colourBy);
/// Returns the attribute's name in a resolved Recipe::colourBy.
std::string_view colourAttribute(std::string_view colourBy);
/// Returns the value of Recipe::colourBy for an attribute: its name, or "attribute:NAME" if the name is the
/// key of a mode.
std::string colourByAttribute(std::string_view name);
/// Returns the list of modes for help texts: "height, count (points a voxel), ..., or an attribute of the
/// scan".
std::string colourModesText();

} // namespace scanloupe
