// Reads LAS files (ASPRS, "LAS Specification", 1.0 to 1.4), and their point records if uncompressed.
#include "engine/io/las/read_las.h"

#include "engine/io/las/las_metadata.h"
#include "engine/io/las/las_point_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Reads uncompressed point records, which are contiguous in the file.
class UncompressedPoints : public LasPointReader {
public:
    UncompressedPoints(const InputFile& file, const LasHeader& header)
        : m_file(file), m_offset(header.pointOffset) {
        const std::uint64_t available = m_offset < file.size() ? file.size() - m_offset : 0;
        m_count = std::min(header.points, available / header.recordLength);
    }
    std::uint64_t count() const override { return m_count; }

    std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                     const std::stop_token& stop) override {
        constexpr std::size_t blockBytes = std::size_t{1} << 18; // stays in a core's cache
        const std::size_t size = layout.recordLength;
        ProgressMeter meter(progress, builder.rows());
        parallelFor(builder.rows(), std::max<std::size_t>(1, blockBytes / size), stop,
                    [&](std::size_t begin, std::size_t end) {
                        const auto block = std::make_unique_for_overwrite<std::byte[]>((end - begin) * size);
                        m_file.read(m_offset + begin * size, std::span(block.get(), (end - begin) * size));
                        copyLasRecords(layout, block.get(), end - begin, builder, begin);
                        meter.add(end - begin);
                    });
        return builder.rows();
    }

private:
    const InputFile& m_file;
    std::uint64_t m_offset, m_count = 0;
};

std::string formatOf(const LasHeader& header) {
    const char* name = !header.compressed ? "LAS" : header.findVlr("copc", 1) ? "COPC (LAZ)" : "LAZ";
    return fmt::format("{} 1.{}, point format {}", name, header.minor, header.pointFormat);
}

/// Warns of points outside the bounding box of the header: the only sign of damage that LAS has.
void checkBounds(const LasHeader& header, PointCloud& cloud) {
    const Bounds& found = cloud.bounds();
    for (int axis = 0; axis < 3; ++axis) {
        const double slack = 2 * std::abs(header.scale[axis]);
        const bool inside =
            found.min[axis] >= header.min[axis] - slack && found.max[axis] <= header.max[axis] + slack;
        if (cloud.size() > cloud.notFinite() && !inside) {
            cloud.warnings.push_back(fmt::format(
                "Points lie outside the box that the header gives: {} is {} to {} there and {} to {} here.",
                "xyz"[axis], header.min[axis], header.max[axis], found.min[axis], found.max[axis]));
            return;
        }
    }
}

} // namespace

std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header) {
    return std::make_unique<UncompressedPoints>(file, header);
}

bool beginsLas(std::string_view head) {
    return head.starts_with("LASF");
}

std::shared_ptr<const PointCloud> readLas(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const LasHeader header = readLasHeader(file);
    LasLayout layout = readLasLayout(file, header);
    const auto points =
        header.compressed ? makeLazPointReader(file, header, stop) : makeLasPointReader(file, header);
    if (points->count() == 0 && header.points > 0)
        throwNothingWhole(file, header.points);
    CloudBuilder builder(file, layout.fields(), static_cast<std::size_t>(points->count()),
                         layout.opaqueBytes);
    const std::size_t whole = points->fill(layout, builder, options.progress, stop);
    if (whole == 0 && header.points > 0)
        throwNothingWhole(file, header.points);
    builder.shrink(whole);
    auto& held = std::get<ScaledPositions>(builder.positions());
    held.scale = header.scale;
    held.offset = header.offset;
    auto cloud = builder.finish(-1, stop);
    cloud->format = formatOf(header);
    cloud->coordinateSystem = readLasCrs(file, header);
    const std::vector<std::string>* const warningLists[] = {&header.warnings, &layout.warnings,
                                                            &points->warnings};
    for (const auto* sentences : warningLists)
        cloud->warnings.insert(cloud->warnings.end(), sentences->begin(), sentences->end());
    if (whole < header.points)
        cloud->warnings.push_back(truncationWarning(whole, header.points));
    checkBounds(header, *cloud);
    cloud->source = readLasMetadata(file, header, std::move(layout), builder.releaseOpaque());
    return cloud;
}

} // namespace scanloupe
