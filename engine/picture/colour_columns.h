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

/// Columns of a source, in the memory space of `on`, where colours are computed: heights, red, green and
/// blue, and the attribute that the recipe colours by. They live as long as this, recipe and source, which
/// outlive it. Functions throw EngineError, as refuse(), when the scan has no such column; Cancelled.
class SourceColumns {
public:
    SourceColumns(const Recipe& recipe, const ColourSource& source, const Execution& on);

    /// @throws EngineError always: the scan has nothing to colour by as the recipe says; lists the possible
    /// ones
    [[noreturn]] void refuse() const;

    /// Whether the recipe colours by an attribute of classes.
    bool showsClasses() const;
    /// The most frequent class of each voxel.
    std::shared_ptr<const VoxelAttribute> voxelClasses() const { return ofVoxels(attribute()); }
    std::shared_ptr<const PointAttribute> pointClasses() const { return ofPoints(attribute()); }
    /// The colours of classes by their codes, [number of classes].
    Buffer<std::uint32_t> palette(const Category& classes) const;
    /// The colour of the class of each item. @param voxelOf [count] the items' voxels
    Buffer<std::uint32_t> classColours(const Buffer<std::uint32_t>& voxelOf) const;

    /// Means of the attribute over the points of each voxel.
    ValueColumn voxelValues() const { return voxelColumn(attribute()); }
    /// The attribute of the points themselves.
    ValueColumn pointValues() const { return pointColumn(attribute()); }

    /// Heights along the recipe's up axis, in the file's frame.
    ValueColumn heights(const Buffer<Vec3f>& positions) const;
    ValueColumn voxelHeights() const;
    ValueColumn pointHeights() const;

    /// Red, green and blue.
    ColourColumns voxelColours() const;
    ColourColumns pointColours() const;

    /// A copy of host values.
    template <class T>
    Buffer<T> toPlace(std::span<const T> values) const {
        Buffer<T> copy = hostCopy(values);
        if (!m_source.device)
            return copy;
        Buffer<T> there = copy.copyTo(MemorySpace::device, *m_source.device);
        m_source.device->synchronize(); // the copy reads pageable memory that is freed here
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
    /// Keep values alive until the colours are computed from them, possibly after the caller has returned.
    mutable std::vector<std::shared_ptr<const VoxelAttribute>> m_heldOfVoxels;
    mutable std::vector<std::shared_ptr<const PointAttribute>> m_heldOfPoints;
};

} // namespace scanloupe
