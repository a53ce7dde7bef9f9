// Reads single pixels and voxels of results on the host or on the device.
#include "engine/picture/pick.h"

#include "engine/cloud/point_cloud.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

namespace scanloupe {

namespace {

/// Reads single elements of a grid in host or device memory.
class GridElements {
public:
    explicit GridElements(const DeviceOrHost<VoxelGrid>& grid)
        : m_isHost(grid.hasHost()), m_grid(m_isHost ? grid.host() : grid.device()) {
        if (!m_isHost)
            m_stream.emplace(); // a separate stream does not wait for the worker's kernels
    }
    const VoxelGrid& grid() const { return m_grid; }

    template <class T>
    T at(const T* elements, std::size_t index) const {
        if (m_isHost)
            return elements[index];
        T value{};
        detail::copyBytes(&value, MemorySpace::host, elements + index, MemorySpace::device, sizeof(T),
                          *m_stream);
        m_stream->view().synchronize();
        return value;
    }

private:
    bool m_isHost;
    const VoxelGrid& m_grid;
    std::optional<Stream> m_stream;
};

/// Returns the indices in the cloud of a voxel's points.
std::vector<std::size_t> cloudPointsOf(const Snapshot& snapshot, std::size_t voxel,
                                       const std::stop_token& stop) {
    const DeviceOrHost<VoxelGrid>& grid = snapshot.shownVoxels;
    const Buffer<std::uint32_t>& pointVoxel = (grid.hasHost() ? grid.host() : grid.device()).pointVoxel;
    std::optional<Stream> stream; // a separate stream does not wait for the worker's kernels
    if (pointVoxel.space() == MemorySpace::device)
        stream.emplace();
    const Execution on{stream ? std::optional(stream->view()) : std::nullopt, stop};
    std::vector<std::size_t> points;
    for (const std::uint32_t i :
         pointsOfVoxel(pointVoxel, std::uint32_t(voxel), pickVoxel(grid, voxel).points, on))
        points.push_back(i * snapshot.shownAttributes->points().stride());
    return points;
}

/// Returns the mean of an attribute over the points, computed as for the voxel's mean.
double meanOf(const Attribute& attribute, std::span<const std::size_t> points, const std::stop_token& stop) {
    const auto count = static_cast<std::uint32_t>(points.size());
    std::vector<double> values;
    for (const std::size_t i : points)
        values.push_back(attribute.value(i));
    const FeatureView feature{values.data(), ScalarType::float64, attribute.min(), attribute.max()};
    const std::vector<std::uint32_t> inOne(points.size(), 0);
    const Buffer<float> mean =
        featureMeans({&feature, 1}, {inOne.data(), inOne.size(), 1}, &count, {std::nullopt, stop});
    return double(mean[0]) + attribute.min();
}

} // namespace

PickedVoxel pickVoxel(const DeviceOrHost<VoxelGrid>& resident, std::size_t voxel) {
    const GridElements elements(resident);
    const VoxelGrid& grid = elements.grid();
    return {grid.shape.cell(elements.at(grid.keys.data(), voxel)),
            elements.at(grid.counts.data(), voxel),
            {elements.at(grid.mean(0), voxel), elements.at(grid.mean(1), voxel),
             elements.at(grid.mean(2), voxel)}};
}

std::vector<PickedAttribute> pickAttributes(const Snapshot& snapshot, std::size_t voxel,
                                            const std::stop_token& stop) {
    const std::vector<std::size_t> points = cloudPointsOf(snapshot, voxel, stop);
    if (points.empty())
        return {};
    snapshot.cloud->loadAll(stop);
    std::vector<PickedAttribute> numbers, classes;
    for (const Attribute* attribute : attributesInOrder(*snapshot.cloud)) {
        if (isCategorical(*attribute))
            classes.push_back({attribute, 0, modalClass(*attribute, points)});
        else
            numbers.push_back({attribute, meanOf(*attribute, points, stop), {}});
    }
    std::ranges::move(classes, std::back_inserter(numbers));
    return numbers;
}

std::optional<std::size_t> voxelInCell(const DeviceOrHost<VoxelGrid>& resident, Vec3i cell) {
    const GridElements elements(resident);
    const VoxelGrid& grid = elements.grid();
    for (int axis = 0; axis < 3; ++axis)
        if (cell[axis] < 0 || cell[axis] >= grid.shape.dims[axis])
            return std::nullopt;
    const std::uint64_t key = grid.shape.key(cell);
    std::size_t begin = 0, end = grid.size(); // keys are sorted in ascending order
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        if (elements.at(grid.keys.data(), middle) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    if (begin == grid.size() || elements.at(grid.keys.data(), begin) != key)
        return std::nullopt;
    return begin;
}

PickedPixel pickPixel(const Picture& picture, int x, int y) {
    const DeviceOrHost<VisibilityBuffer>& seen = picture.visibility;
    const Projection projection(picture.camera, seen->width, seen->height);
    if (seen.hasHost())
        return {seen.host().id(x, y), seen.host().depth(x, y, projection)};
    const Stream stream; // a separate stream does not wait for the worker's kernels
    VisibilityBuffer one{1, 1, Buffer<std::uint64_t>::host(1)};
    const std::size_t place =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(seen->width) + static_cast<std::size_t>(x);
    detail::copyBytes(one.pixels.data(), MemorySpace::host, seen.device().pixels.data() + place,
                      MemorySpace::device, sizeof(std::uint64_t), stream);
    stream.view().synchronize();
    return {one.id(0, 0), one.depth(0, 0, projection)};
}

} // namespace scanloupe
