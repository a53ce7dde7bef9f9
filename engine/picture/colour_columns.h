#pragma once
// Declares the columns of values and classes that colours are computed from.
#include "engine/picture/colouring.h"
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/raster/colours/value_element.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scanloupe {

class Attribute;
struct ColourMode;
struct PointAttribute;
struct VoxelAttribute;

/// Provides columns of a source in the memory space of `on`: heights, red, green and blue, and the attribute
/// that the recipe colours by. The columns are valid as long as this object; recipe and source must outlive
/// it. Functions throw EngineError as refuse() if the scan lacks the column; Cancelled.
class SourceColumns {
public:
    SourceColumns(const Recipe& recipe, const ColourSource& source, const Execution& on);

    /// Reports that the scan lacks the values that the recipe colours by, and lists the available ones.
    /// @throws EngineError always
    [[noreturn]] void refuse() const;

    /// Whether the recipe colours by a categorical attribute.
    bool showsClasses() const;
    /// Returns the most frequent class of each voxel.
    std::shared_ptr<const VoxelAttribute> voxelClasses() const { return ofVoxels(attribute()); }
    std::shared_ptr<const PointAttribute> pointClasses() const { return ofPoints(attribute()); }
    /// Returns the colours of classes by their codes, [number of classes].
    Buffer<std::uint32_t> palette(const Category& classes) const;
    /// Returns the colour of each item's class. @param voxelOf [count] the items' voxels
    Buffer<std::uint32_t> classColours(const Buffer<std::uint32_t>& voxelOf) const;

    /// Returns the means of the attribute over the points of each voxel.
    ValueColumn voxelValues() const { return voxelColumn(attribute()); }
    /// Returns the attribute's values of the points themselves.
    ValueColumn pointValues() const { return pointColumn(attribute()); }

    /// Returns heights along the recipe's up axis, in the file's frame.
    ValueColumn heights(const Buffer<Vec3f>& positions) const;
    ValueColumn voxelHeights() const;
    ValueColumn pointHeights() const;

    /// Returns the mean red, green and blue of voxels.
    ColourColumns voxelColours() const;
    ColourColumns pointColours() const;

    /// Copies host values to the memory space of the colours.
    template <class T>
    Buffer<T> toPlace(std::span<const T> values) const {
        Buffer<T> copy = hostCopy(values);
        if (!m_source.device)
            return copy;
        Buffer<T> there = copy.copyTo(MemorySpace::device, *m_source.device);
        m_source.device->synchronize(); // the copy reads pageable memory that is freed afterwards
        return there;
    }

private:
    const Attribute& attribute() const;
    std::shared_ptr<const VoxelAttribute> ofVoxels(const Attribute& attribute) const;
    std::shared_ptr<const PointAttribute> ofPoints(const Attribute& attribute) const;
    ValueColumn voxelColumn(const Attribute& attribute) const;
    ValueColumn pointColumn(const Attribute& attribute) const;
    const Buffer<Vec3f>& pointPositions() const;

    const Recipe& m_recipe;
    const ColourSource& m_source;
    const ColourMode& m_mode;
    const Execution m_on;
    /// attributes that must stay alive until the colours are computed, possibly after the caller has returned
    mutable std::vector<std::shared_ptr<const VoxelAttribute>> m_heldOfVoxels;
    mutable std::vector<std::shared_ptr<const PointAttribute>> m_heldOfPoints;
};

} // namespace scanloupe
