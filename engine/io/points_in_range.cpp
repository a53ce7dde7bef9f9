// Selects rows of a cloud, and copies them into a new cloud.
#include "engine/io/points_in_range.h"

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/source_metadata.h"
#include "engine/compute/memory.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace scanloupe {

namespace {

constexpr std::size_t kPointsInRangeGrain = std::size_t{1} << 14;

/// Copies rows of a column. @param from [n, size] bytes @param size bytes per row @param to [rows.size(),
/// size] bytes
void gather(const std::byte* from, std::size_t size, std::span<const std::size_t> rows, std::byte* to,
            const std::stop_token& stop) {
    parallelFor(rows.size(), kPointsInRangeGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            std::memcpy(to + i * size, from + rows[i] * size, size);
    });
}

Positions gathered(const Positions& positions, std::span<const std::size_t> rows,
                   const std::stop_token& stop) {
    return std::visit(
        [&]<class Held>(const Held& held) -> Positions {
            using Point = std::remove_cvref_t<decltype(held.xyz[0])>;
            auto xyz = Buffer<Point>::host(rows.size());
            gather(reinterpret_cast<const std::byte*>(held.xyz.data()), sizeof(Point), rows,
                   reinterpret_cast<std::byte*>(xyz.data()), stop);
            if constexpr (std::is_same_v<Held, ScaledPositions>)
                return ScaledPositions{std::move(xyz), held.scale, held.offset};
            else if constexpr (std::is_same_v<Held, DoublePositions>)
                return DoublePositions{std::move(xyz), held.decimals};
            else
                return FloatPositions{std::move(xyz)};
        },
        positions);
}

} // namespace

namespace {

/// Returns the rows that `keep(begin, end, rows)` appends for each chunk [begin, end), in ascending order.
template <class Keep>
std::vector<std::size_t> rowsOfChunks(std::size_t size, const std::stop_token& stop, Keep&& keep) {
    std::vector<std::vector<std::size_t>> parts(chunkCount(size, kPointsInRangeGrain));
    parallelChunks(
        size, kPointsInRangeGrain, stop,
        [&](std::size_t part, std::size_t begin, std::size_t end) { keep(begin, end, parts[part]); });
    std::vector<std::size_t> rows;
    std::size_t count = 0;
    for (const auto& part : parts)
        count += part.size();
    rows.reserve(count);
    for (auto& part : parts) {
        rows.insert(rows.end(), part.begin(), part.end());
        part = {}; // frees its memory
    }
    return rows;
}

} // namespace

std::vector<std::size_t> rowsInRange(const PointCloud& cloud, const Bounds& range, const PointCut& cut,
                                     const std::stop_token& stop) {
    const Vec3f low = (range.min - cloud.origin()).as<float>(),
                high = (range.max - cloud.origin()).as<float>();
    return rowsOfChunks(cloud.size(), stop,
                        [&](std::size_t begin, std::size_t end, std::vector<std::size_t>& rows) {
                            std::vector<Vec3f> points(end - begin);
                            cloud.fillFloatView(begin, 1, points);
                            for (std::size_t i = begin; i < end; ++i) {
                                const Vec3f p = points[i - begin];
                                if (p.x >= low.x && p.x < high.x && p.y >= low.y && p.y < high.y &&
                                    p.z >= low.z && p.z < high.z && cut.keeps(p))
                                    rows.push_back(i);
                            }
                        });
}

std::vector<std::size_t> rowsLeft(const PointCloud& cloud, const std::stop_token& stop) {
    const PointSet* removed = cloud.removed();
    return rowsOfChunks(cloud.size(), stop,
                        [&](std::size_t begin, std::size_t end, std::vector<std::size_t>& rows) {
                            for (std::size_t i = begin; i < end; ++i)
                                if (!removed || !removed->has(i))
                                    rows.push_back(i);
                        });
}

std::vector<std::size_t> rowsOf(const PointSet& set) {
    std::vector<std::size_t> rows;
    for (std::size_t w = 0; w < set.words.size(); ++w)
        for (std::uint32_t word = set.words[w]; word != 0; word &= word - 1)
            rows.push_back(w * 32 + std::size_t(std::countr_zero(word)));
    return rows;
}

std::shared_ptr<const PointCloud> selectPoints(const std::shared_ptr<const PointCloud>& cloud,
                                               std::span<const std::size_t> rows,
                                               const std::stop_token& stop) {
    if (rows.size() == cloud->size() && !cloud->removed())
        return cloud;
    std::uint64_t bytesAPoint = sizeof(Vec3d);
    for (const Attribute& attribute : cloud->attributes())
        bytesAPoint += sizeOf(attribute.type);
    if (cloud->source)
        bytesAPoint += cloud->source->bytes() / std::max<std::size_t>(cloud->size(), 1);
    requireMemory({fmt::format("A copy of {} points", rows.size()), rows.size() * bytesAPoint,
                   "Close other programs, or choose a smaller range (--range)."},
                  availableHostMemory());
    cloud->loadAll(stop);
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : cloud->attributes()) {
        Attribute some;
        some.name = attribute.name;
        some.type = attribute.type;
        some.description = attribute.description;
        some.declared = attribute.declared;
        some.classNames = attribute.classNames;
        some.allocate(rows.size());
        gather(attribute.data(), sizeOf(attribute.type), rows, some.dataToFill(), stop);
        attributes.push_back(std::move(some));
    }
    auto chosen =
        std::make_shared<PointCloud>(gathered(cloud->positions(), rows, stop), std::move(attributes), stop);
    chosen->path = cloud->path;
    chosen->format = cloud->format;
    chosen->warnings = cloud->warnings;
    chosen->coordinateSystem = cloud->coordinateSystem;
    chosen->sensor = cloud->sensor;
    chosen->subsampledFrom = cloud->subsampledFrom;
    chosen->isChosenForView = cloud->isChosenForView;
    chosen->viewSpacing = cloud->viewSpacing;
    if (cloud->source)
        chosen->source = cloud->source->ofRows(rows);
    return chosen;
}

} // namespace scanloupe
