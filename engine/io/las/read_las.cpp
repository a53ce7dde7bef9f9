// Reads LAS files (ASPRS, "LAS Specification", 1.0 to 1.4), and their point records if uncompressed.
#include "engine/io/las/read_las.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/row_subsample.h"
#include "engine/io/las/las_metadata.h"
#include "engine/io/las/las_point_reader.h"
#include "engine/io/las/las_slices.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Returns the number of complete records in the file, at most the count in the header.
std::size_t wholeRecordCount(const InputFile& file, const LasHeader& header) {
    const std::uint64_t available = header.pointOffset < file.size() ? file.size() - header.pointOffset : 0;
    return static_cast<std::size_t>(std::min(header.points, available / header.recordLength));
}

/// Reads contiguous records in blocks on all cores, and calls `use(records, first, count)` with each.
template <class Use>
void readBlocks(const InputFile& file, std::uint64_t offset, std::size_t size, const RowSubsample& rows,
                const std::stop_token& stop, Use&& use) {
    constexpr std::size_t blockBytes = std::size_t{1} << 18; // small enough to stay in a core's cache
    const bool isAll = rows.size() == rows.rows();
    parallelFor(rows.size(), isAll ? std::max<std::size_t>(1, blockBytes / size) : rows.blockRows(), stop,
                [&](std::size_t begin, std::size_t end) {
                    const auto block = std::make_unique_for_overwrite<std::byte[]>((end - begin) * size);
                    file.read(offset + rows.rowInFile(begin) * size,
                              std::span(block.get(), (end - begin) * size));
                    use(block.get(), begin, end - begin);
                });
}

/// Reads attributes of uncompressed records on demand. Each read() reads all records again.
class LasAttributes : public AttributeSource {
public:
    LasAttributes(const InputFile& file, std::uint64_t offset, const LasLayout& layout,
                  const CloudBuilder& builder)
        : m_file(file.held()), m_offset(offset), m_layout(layout), m_columns(builder.columns()),
          m_rows(builder.rows()) {}

    std::vector<std::string> read(std::span<const std::size_t> attributes,
                                  std::span<std::byte* const> targets,
                                  const std::stop_token& stop) const override {
        m_file->requireUnchanged();
        const std::vector<ColumnTarget> columns = m_columns.targets(attributes, targets, m_rows);
        readBlocks(*m_file, m_offset, m_layout.recordLength, RowSubsample(m_rows), stop,
                   [&](const std::byte* records, std::size_t first, std::size_t count) {
                       copyLasRecords(m_layout, records, count, columns, first);
                   });
        m_file->requireUnchanged();
        return {};
    }

private:
    std::shared_ptr<const InputFile> m_file;
    std::uint64_t m_offset;
    LasLayout m_layout;
    AttributeColumns m_columns;
    std::size_t m_rows;
};

/// Reads uncompressed point records, which are contiguous in the file.
class UncompressedPoints : public LasPointReader {
public:
    UncompressedPoints(const InputFile& file, const LasHeader& header, const ReadOptions& options,
                       const std::stop_token& stop)
        : m_file(file), m_offset(header.pointOffset), m_rows(wholeRecordCount(file, header)) {
        if (options.subsample > 0)
            m_rows = RowSubsample(m_rows.rows(), options.subsample);
        if (!options.slice)
            return;
        const LasSlice slice = lasSlice(file, header, *options.slice, stop);
        m_offset += slice.firstRow * header.recordLength;
        m_rows = RowSubsample(std::min<std::uint64_t>(
            slice.points, m_rows.rows() - std::min<std::uint64_t>(slice.firstRow, m_rows.rows())));
        m_expected = slice.points + slice.missing;
        isPart = true;
    }
    std::uint64_t count() const override { return m_rows.size(); }
    std::uint64_t total() const override { return m_rows.rows(); }
    std::uint64_t expected() const override { return m_expected; }

    std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                     const std::stop_token& stop) override {
        ProgressMeter meter(progress, builder.rows());
        readBlocks(m_file, m_offset, layout.recordLength, m_rows, stop,
                   [&](const std::byte* records, std::size_t first, std::size_t count) {
                       copyLasRecords(layout, records, count, builder, first);
                       meter.add(count);
                   });
        return builder.rows();
    }
    bool readsFieldsAlone() const override { return true; }
    std::shared_ptr<const AttributeSource> attributes(const LasLayout& layout,
                                                      const CloudBuilder& builder) const override {
        return std::make_shared<const LasAttributes>(m_file, m_offset, layout, builder);
    }

private:
    const InputFile& m_file;
    std::uint64_t m_offset;
    RowSubsample m_rows;
    std::uint64_t m_expected = 0;
};

std::string formatOf(const LasHeader& header) {
    const char* name = !header.compressed ? "LAS" : header.findVlr("copc", 1) ? "COPC (LAZ)" : "LAZ";
    return fmt::format("{} 1.{}, point format {}", name, header.minor, header.pointFormat);
}

/// Warns about points outside the bounding box of the header, which are the only detectable sign of damage in
/// LAS.
void checkBounds(const LasHeader& header, PointCloud& cloud) {
    const Bounds& found = cloud.bounds();
    for (int axis = 0; axis < 3; ++axis) {
        const double slack = 2 * std::abs(header.scale[axis]);
        const bool inside =
            found.min[axis] >= header.min[axis] - slack && found.max[axis] <= header.max[axis] + slack;
        if (cloud.size() > cloud.notFinite() && !inside) {
            cloud.warnings.push_back(fmt::format("Points are outside the bounding box of the header: {} is "
                                                 "{} to {} in the header, but {} to {} in the points.",
                                                 "xyz"[axis], header.min[axis], header.max[axis],
                                                 found.min[axis], found.max[axis]));
            return;
        }
    }
}

} // namespace

std::unique_ptr<LasPointReader> makeLasPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop) {
    return std::make_unique<UncompressedPoints>(file, header, options, stop);
}

bool beginsLas(std::string_view head) {
    return head.starts_with("LASF");
}

std::shared_ptr<const PointCloud> readLas(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const LasHeader header = readLasHeader(file);
    LasLayout layout = readLasLayout(file, header);
    const auto points = header.compressed ? makeLazPointReader(file, header, options, stop)
                                          : makeLasPointReader(file, header, options, stop);
    if (options.subsample > 0 &&
        (points->count() == 0 || !RowSubsample::isWorthIt(points->total(), points->count())))
        return nullptr;
    if (points->count() == 0 && header.points > 0)
        throwNothingWhole(file, header.points);
    const std::vector<Field> fields = layout.fields();
    const bool onDemand = points->readsFieldsAlone() && options.subsample == 0 &&
                          readsOnDemand(options.attributes, attributeBytesOnDemand(fields, points->count()));
    const std::size_t opaqueBytes = options.subsample > 0 ? 0 : layout.opaqueBytes;
    CloudBuilder builder(file, fields, static_cast<std::size_t>(points->count()), opaqueBytes, onDemand);
    const std::uint64_t expected = points->isPart ? points->expected() : header.points;
    const std::size_t whole = points->fill(layout, builder, options.progress, stop);
    if (whole == 0 && header.points > 0)
        throwNothingWhole(file, header.points);
    builder.shrink(whole);
    auto& held = std::get<ScaledPositions>(builder.positions());
    held.scale = header.scale;
    held.offset = header.offset;
    auto cloud = builder.finish(-1, stop, onDemand ? points->attributes(layout, builder) : nullptr);
    cloud->format = formatOf(header);
    cloud->coordinateSystem = readLasCrs(file, header);
    const std::vector<std::string>* const warningLists[] = {&header.warnings, &layout.warnings,
                                                            &points->warnings};
    for (const auto* sentences : warningLists)
        cloud->warnings.insert(cloud->warnings.end(), sentences->begin(), sentences->end());
    if (options.subsample > 0 || points->isPartOfView) {
        cloud->subsampledFrom = points->total();
        cloud->isChosenForView = points->isPartOfView;
        cloud->viewSpacing = points->viewSpacing;
        return cloud;
    }
    if (whole < expected)
        addDamage(*cloud,
                  header.compressed
                      ? fmt::format(
                            "The file is damaged or truncated: {} of {} points were loaded, {} are missing.",
                            whole, expected, expected - whole)
                      : truncationWarning(whole, expected));
    if (!points->isPart)
        checkBounds(header, *cloud);
    cloud->source = readLasMetadata(file, header, std::move(layout), builder.releaseOpaque());
    return cloud;
}

} // namespace scanloupe
