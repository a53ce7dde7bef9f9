// Defines the table of colour modes.
#include "engine/recipe/colour_mode.h"

#include "engine/edit/edits.h"
#include "kernels/raster/operators.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <array>

namespace scanloupe {

namespace {

constexpr std::string_view kAttributePrefix = "attribute:";

Buffer<float> pointCounts(const VoxelGrid& grid, const Execution& on) {
    return gatherValues({grid.counts.data(), ScalarType::uint32}, grid.size(), on);
}

constexpr std::array kModes{
    ColourMode{"height", "Height", "Height, %1", "Height, %1", "height", ColourData::height},
    ColourMode{"count", "Points per voxel", "Points per voxel", "Points per voxel",
               "count (points per voxel)", ColourData::voxelValues, pointCounts},
    ColourMode{"local_density", "Local density", "Points per %1³", "Points per %1³",
               "local_density (points per cubic unit of length, in and around a voxel)",
               ColourData::voxelValues, localDensities},
    ColourMode{"rgb", "The scan's own colours", "", "", "rgb", ColourData::rgb},
    ColourMode{kAttributePrefix, "", "", "", "or an attribute of the scan", ColourData::attribute},
    ColourMode{kDeviationAttribute, "Deviation", "Deviation, %1", "Deviation, %1",
               "deviation (from a model that the scan was compared with)", ColourData::attribute, nullptr,
               true},
    ColourMode{"point_distance", "Distance to points", "Distance to mesh, %1", "Distance to points, %1",
               "point_distance (between mesh and points)", ColourData::distances},
    ColourMode{"none", "None", "", "", "none", ColourData::none},
};

const ColourMode* modeWithKey(std::string_view key) {
    const auto* const found = std::ranges::find(kModes, key, &ColourMode::key);
    return found == kModes.end() || found->isOfAnyAttribute() ? nullptr : found;
}

} // namespace

bool ColourMode::isOfAnyAttribute() const {
    return key == kAttributePrefix;
}

std::span<const ColourMode> colourModes() {
    return kModes;
}

const ColourMode& colourModeOf(std::string_view colourBy) {
    if (const ColourMode* mode = modeWithKey(colourBy))
        return *mode;
    return *std::ranges::find_if(kModes, &ColourMode::isOfAnyAttribute);
}

std::string_view colourAttribute(std::string_view colourBy) {
    return colourBy.starts_with(kAttributePrefix) ? colourBy.substr(kAttributePrefix.size()) : colourBy;
}

std::string colourByAttribute(std::string_view name) {
    const bool isTaken = modeWithKey(name) || name == "auto" || name.starts_with(kAttributePrefix);
    return (isTaken ? std::string(kAttributePrefix) : std::string()) + std::string(name);
}

std::string colourModesText() {
    std::string text;
    for (const ColourMode& mode : kModes) {
        if (!mode.isOfAnyAttribute())
            text += std::string(mode.help) + ", ";
    }
    return text + colourModeOf(kAttributePrefix).help;
}

} // namespace scanloupe
