// Reads LAS files (ASPRS, "LAS Specification", 1.0 to 1.4), and their point records if uncompressed.
#include "engine/io/las/read_las.h"

#include "engine/compute/memory.h"
#include "engine/io/las/las_metadata.h"
#include "engine/io/las/las_point_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Reads contiguous records in blocks on all cores, and calls `use(records, first, count)` with each.
template <class Use>
void readBlocks(const InputFile& file, std::uint64_t offset, std::size_t size, std::size_t records,
                const std::stop_token& stop, Use&& use) {
    constexpr std::size_t blockBytes = std::size_t{1} << 18; // stays in a core's cache
    parallelFor(records, std::max<std::size_t>(1, blockBytes / size), stop,
                [&](std::size_t begin, std::size_t end) {
                    const auto block = std::make_unique_for_overwrite<std::byte[]>((end - begin) * size);
                    file.read(offset + begin * size, std::span(block.get(), (end - begin) * size));
                    use(block.get(), begin, end - begin);
                });
}

/// Attributes of uncompressed records, which are read once more for each set that is asked for.
class LasAttributes : public AttributeSource {
public:
    LasAttributes(const InputFile& file, const LasHeader& header, const LasLayout& layout, std::size_t rows)
        : m_file(file.held()), m_offset(header.pointOffset), m_layout(layout), m_rows(rows) {}

    void read(std::span<const std::size_t> attributes, std::span<std::byte* const> targets,
              const std::stop_token& stop) const override {
        m_file->requireUnchanged();
        std::vector<ColumnTarget> columns(m_layout.columns.size());
        std::uint64_t bytes = 0;
        for (std::size_t k = 0; k < attributes.size(); ++k) {
            const std::size_t c = kLasAxes + attributes[k];
            columns[c].type = m_layout.columns[c].type;
            columns[c].stride = sizeOf(columns[c].type);
            columns[c].data = targets[k];
            bytes += m_rows * columns[c].stride;
        }
        requireMemory({fmt::format("Reading {} more attributes of {} points", attributes.size(), m_rows),
                       bytes, "Close other scans and programs, or cut the scan into parts."},
                      availableHostMemory());
        readBlocks(*m_file, m_offset, m_layout.recordLength, m_rows, stop,
                   [&](const std::byte* records, std::size_t first, std::size_t count) {
                       copyLasRecords(m_layout, records, count, columns, first);
                   });
        m_file->requireUnchanged();
    }

private:
    static constexpr std::size_t kLasAxes = 3; ///< x, y and z are the first columns

    std::shared_ptr<const InputFile> m_file;
    std::uint64_t m_offset;
    LasLayout m_layout;
    std::size_t m_rows;
};

/// Bytes of the attributes of so many points.
std::uint64_t attributeBytes(const LasLayout& layout, std::uint64_t points) {
    std::uint64_t sum = 0;
    for (const LasColumn& column : layout.columns)
        sum += points * sizeOf(column.type);
    return sum - std::min<std::uint64_t>(sum, points * sizeof(Vec3i));
}

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
        ProgressMeter meter(progress, builder.rows());
        readBlocks(m_file, m_offset, layout.recordLength, builder.rows(), stop,
                   [&](const std::byte* records, std::size_t first, std::size_t count) {
                       copyLasRecords(layout, records, count, builder, first);
                       meter.add(count);
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
    const bool onDemand =
        !header.compressed && readsOnDemand(options.attributes, attributeBytes(layout, points->count()));
    CloudBuilder builder(file, layout.fields(), static_cast<std::size_t>(points->count()), layout.opaqueBytes,
                         onDemand);
    const std::size_t whole = points->fill(layout, builder, options.progress, stop);
    if (whole == 0 && header.points > 0)
        throwNothingWhole(file, header.points);
    builder.shrink(whole);
    auto& held = std::get<ScaledPositions>(builder.positions());
    held.scale = header.scale;
    held.offset = header.offset;
    auto cloud = builder.finish(
        -1, stop, onDemand ? std::make_shared<LasAttributes>(file, header, layout, whole) : nullptr);
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
