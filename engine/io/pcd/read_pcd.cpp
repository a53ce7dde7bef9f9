// Reads PCD files: ascii, binary and binary_compressed.
#include "engine/io/pcd/read_pcd.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/records.h"
#include "engine/io/pcd/lzf_stream.h"
#include "engine/io/pcd/pcd_header.h"
#include "engine/io/text/text_parse.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace scanloupe {

namespace {

constexpr bool kPcdSwapped = std::endian::native != std::endian::little;

/// Stores the decompressed bytes of a cloud into columns. The bytes consist of planes, one for each field of
/// the file. A plane contains the field's values for all points, point by point.
class PlaneStream {
public:
    /// @param padding whether dropped columns (padding) also have a plane
    PlaneStream(const PcdHeader& header, const CloudBuilder& builder, bool padding)
        : m_fields(header.fields), m_targets(builder.targets()), m_rows(builder.rows()) {
        std::size_t first = 0;
        for (const std::size_t count : header.counts) {
            if (count > 0 && (padding || !m_fields[first].dropped))
                m_planes.push_back({first, count, sizeOf(m_fields[first].type)});
            first += count;
        }
    }

    void consume(std::span<const std::byte> bytes) {
        while (!bytes.empty() && m_plane < m_planes.size()) {
            const std::size_t size = m_planes[m_plane].pointSize();
            if (!m_carry.empty() || bytes.size() < size) {
                // collects the values of a point that is split between two blocks of bytes
                const auto more = bytes.first(std::min(size - m_carry.size(), bytes.size()));
                m_carry.insert(m_carry.end(), more.begin(), more.end());
                bytes = bytes.subspan(more.size());
                if (m_carry.size() == size) {
                    store(m_carry.data(), 1);
                    m_carry.clear();
                }
                continue;
            }
            const std::size_t count = std::min(bytes.size() / size, m_rows - m_row);
            store(bytes.data(), count);
            bytes = bytes.subspan(count * size);
        }
    }
    /// Returns the number of points whose values are all available.
    std::size_t wholePoints() const {
        if (m_plane >= m_planes.size())
            return m_rows;
        return m_plane + 1 == m_planes.size() ? m_row : 0;
    }

private:
    struct Plane {
        std::size_t first, count; ///< index of the first column, and number of columns
        std::size_t valueSize;    ///< bytes per value
        std::size_t pointSize() const { return count * valueSize; }
    };

    void store(const std::byte* bytes, std::size_t points) {
        const Plane& plane = m_planes[m_plane];
        for (std::size_t c = 0; c < plane.count; ++c)
            copyColumn(bytes + c * plane.valueSize, plane.pointSize(), m_fields[plane.first].type,
                       kPcdSwapped, m_targets[plane.first + c], m_row, points);
        m_row += points;
        if (m_row < m_rows)
            return;
        m_row = 0;
        ++m_plane;
    }

    const std::vector<Field>& m_fields;
    const std::vector<ColumnTarget>& m_targets;
    std::vector<Plane> m_planes;
    std::size_t m_rows, m_row = 0, m_plane = 0;
    std::vector<std::byte> m_carry;
};

std::uint32_t littleEndian32(const std::byte* bytes) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
        value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    return value;
}

/// Returns the number of padding bytes per point.
std::uint64_t paddingSize(const PcdHeader& header) {
    std::uint64_t size = 0;
    for (const Field& field : header.fields)
        size += field.dropped ? sizeOf(field.type) : 0;
    return size;
}

std::shared_ptr<PointCloud> readCompressed(const InputFile& file, const PcdHeader& header,
                                           const ReadOptions& options, const std::stop_token& stop) {
    RecordLayout layout{header.bodyOffset, header.fields, kPcdSwapped};
    const std::uint64_t recordSize = layout.recordSize();
    if (header.points == 0)
        return CloudBuilder(file, header.fields, 0).finish(-1, stop);
    const std::uint64_t start = header.bodyOffset + 8;
    if (start >= file.size())
        throwNothingWhole(file, header.points);
    std::byte sizes[8];
    file.read(header.bodyOffset, std::span<std::byte>(sizes));
    const std::uint64_t packed = littleEndian32(sizes), unpacked = littleEndian32(sizes + 4);
    // the Point Cloud Library omits padding in compressed data; other writers don't
    const auto fits = [&](std::uint64_t size) {
        return size > 0 && unpacked / size == header.points && unpacked % size == 0;
    };
    const bool padding = fits(recordSize);
    if (!padding && !fits(recordSize - paddingSize(header)))
        throw EngineError("the PCD header of '" + file.name() + "' specifies " +
                              std::to_string(header.points) + " points of " + std::to_string(recordSize) +
                              " bytes, but the compressed data specifies " + std::to_string(unpacked) +
                              " bytes in total",
                          "The file is damaged. Copy or export it again.");
    if (unpacked > kMaxLzfRatio * std::min(packed, file.size() - start))
        throwNothingWhole(file, header.points);
    CloudBuilder builder(file, header.fields, static_cast<std::size_t>(header.points));
    PlaneStream planes(header, builder, padding);
    ProgressMeter meter(options.progress, unpacked);
    decompressLzf(
        file, start, packed,
        [&](std::span<const std::byte> bytes) {
            planes.consume(bytes);
            meter.add(bytes.size());
        },
        stop);
    const std::size_t whole = planes.wholePoints();
    if (whole == 0)
        throwNothingWhole(file, header.points);
    builder.shrink(whole);
    return builder.finish(-1, stop);
}

/// Reads a binary file; returns null if a subsample would not be faster.
std::shared_ptr<PointCloud> readBinary(const InputFile& file, const PcdHeader& header,
                                       const ReadOptions& options, const std::stop_token& stop) {
    RecordLayout layout{header.bodyOffset, header.fields, kPcdSwapped};
    auto whole = static_cast<std::size_t>(layout.wholeRecords(file, header.points));
    if (options.subsample > 0) {
        if (!RowSubsample::isWorthIt(whole, options.subsample))
            return nullptr;
        layout.subsample.emplace(whole, options.subsample);
        whole = layout.subsample->size();
    }
    const bool onDemand =
        !layout.subsample && readsOnDemand(options.attributes, attributeBytesOnDemand(header.fields, whole));
    CloudBuilder builder(file, header.fields, whole, 0, onDemand);
    if (whole == 0 && header.points > 0)
        throwNothingWhole(file, header.points);
    readRecords(file, layout, builder, options.progress, stop);
    auto cloud = builder.finish(-1, stop, onDemand ? attributesOfRecords(file, layout, builder) : nullptr);
    if (layout.subsample)
        cloud->subsampledFrom = layout.subsample->rows();
    return cloud;
}

std::shared_ptr<PointCloud> readAscii(const InputFile& file, const PcdHeader& header,
                                      const ReadOptions& options, const std::stop_token& stop,
                                      std::uint64_t& rowCount) {
    ProgressMeter meter(options.progress, 5 * (file.size() - header.bodyOffset));
    const TextRows rows(file, header.bodyOffset, header.newline, meter, stop);
    rowCount = rows.count();
    const RowRange range{0, std::min(header.points, rows.count())};
    TextLayout layout;
    for (const Field& field : header.fields) {
        TextField column{field};
        column.widens = field.type == ScalarType::float32 && field.name.size() == 1 &&
                        std::strchr("xyzXYZ", field.name[0]);
        layout.fields.push_back(std::move(column));
    }
    if (range.count == 0 && header.points > 0) {
        // reports a missing x, y or z, which is more helpful than the error below
        const CloudBuilder refuses(file, header.fields, 0);
        throwNothingWhole(file, header.points);
    }
    layout.delimiter = delimiterOfDeclared(file, rows, range, layout.fields.size());
    return parseRows(file, rows, std::move(layout), std::span(&range, 1), nullptr, meter, stop);
}

} // namespace

bool beginsPcd(std::string_view head) {
    if (head.starts_with("# vtk DataFile")) // legacy VTK also has a line POINTS
        return false;
    if (head.starts_with("# .PCD"))
        return true;
    for (const char* keyword : {"VERSION", "FIELDS", "COLUMNS", "SIZE", "TYPE", "WIDTH", "POINTS", "DATA"}) {
        const std::string atStart = std::string(keyword) + " ";
        if (head.starts_with(atStart) ||
            (head.starts_with("#") && head.find("\n" + atStart) != std::string_view::npos))
            return true;
    }
    return false;
}

std::shared_ptr<const PointCloud> readPcd(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const PcdHeader header = readPcdHeader(file);
    const bool isSubsample = options.subsample > 0;
    if (isSubsample && header.data != PcdHeader::Data::binary)
        return nullptr;
    std::shared_ptr<PointCloud> cloud;
    std::uint64_t found = 0;
    if (header.data == PcdHeader::Data::ascii) {
        cloud = readAscii(file, header, options, stop, found);
    } else {
        cloud = header.data == PcdHeader::Data::binary ? readBinary(file, header, options, stop)
                                                       : readCompressed(file, header, options, stop);
        if (!cloud)
            return nullptr;
        found = isSubsample ? header.points : cloud->size();
    }
    cloud->format = header.format;
    for (const auto& sentence : header.warnings)
        cloud->warnings.push_back(sentence);
    if (found < header.points)
        addDamage(*cloud, truncationWarning(found, header.points));
    if (header.data == PcdHeader::Data::ascii && found > header.points)
        cloud->warnings.push_back("The header specifies " + std::to_string(header.points) +
                                  " points, but the file contains " + std::to_string(found) +
                                  " rows; the additional rows were ignored.");
    constexpr std::uint64_t widest = 1u << 30;
    if (!isSubsample && header.height > 1 && header.width <= widest && header.height <= widest &&
        cloud->size() == header.width * header.height) {
        cloud->width = static_cast<int>(header.width);
        cloud->height = static_cast<int>(header.height);
    }
    // writers that don't know the viewpoint write 0 0 0 1 0 0 0, which is ignored in a cloud far from the
    // origin
    if (header.viewpoint && !(*header.viewpoint == SensorPose{} && !(cloud->origin() == Vec3d{})))
        cloud->sensor = header.viewpoint;
    return cloud;
}

} // namespace scanloupe
