// Parses the Extra Bytes VLRs of LAS files (LAS 1.4 R15, table 24).
#include "engine/io/las/las_extra_bytes.h"

#include "engine/io/common/little_endian.h"
#include "engine/io/common/text/utf8.h"
#include "kernels/core/scalar_type.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxUndocumented = 32; // maximum number of undocumented bytes that are shown, one
                                             // column each
constexpr std::size_t kMaxLasColumns = 4096; // maximum number of columns; real files have dozens

bool isWide(ScalarType type) {
    return type == ScalarType::int64 || type == ScalarType::uint64;
}

/// An Extra Bytes descriptor of 192 bytes.
class ExtraBytesDescriptor {
public:
    explicit ExtraBytesDescriptor(const std::byte* record) : m_record(record) {}

    std::string name() const { return loadText(m_record + 4, 32); }
    /// Returns the number of components: 1 to 3; 0 for undocumented extra bytes.
    std::size_t components() const {
        return isDocumented() ? static_cast<std::size_t>((code() - 1) / 10 + 1) : 0;
    }
    ScalarType type() const { return kLasExtraBytesTypes[(code() - 1) % 10]; }
    std::size_t bytes() const { // for undocumented extra bytes, the options field is their size
        return isDocumented() ? components() * sizeOf(type()) : static_cast<std::size_t>(options());
    }
    bool hasNoData() const { return options() & 1; }

    LasColumn column(std::size_t component, std::size_t offset) const {
        LasColumn column;
        column.name = components() == 1 ? name() : fmt::format("{}_{}", name(), component);
        column.description = loadText(m_record + 160, 32);
        column.type = column.stored = type();
        column.byteOffset = offset + component * sizeOf(column.type);
        if (options() & 8)
            column.factor = loadLittle<double>(m_record + 112 + 8 * component);
        if (options() & 16)
            column.addend = loadLittle<double>(m_record + 136 + 8 * component);
        if (hasNoData())
            column.noData = noData(m_record + 40 + 8 * component);
        if (column.factor != 1 || column.addend != 0 || column.noData) {
            column.kind = LasColumn::Kind::scaled;
            column.type = ScalarType::float64;
        }
        return column;
    }

private:
    int code() const { return std::to_integer<int>(m_record[2]); }
    int options() const { return std::to_integer<int>(m_record[3]); }
    bool isDocumented() const { return code() >= 1 && code() <= 30; }
    /// Returns the no_data value, stored as the widest type of its kind (anytype).
    double noData(const std::byte* from) const {
        if (type() >= ScalarType::float32)
            return loadLittle<double>(from);
        const bool isSigned = code() % 2 == 0;
        return isSigned ? static_cast<double>(loadLittle<std::int64_t>(from))
                        : static_cast<double>(loadLittle<std::uint64_t>(from));
    }
    const std::byte* m_record;
};

/// Reads the complete descriptors of all Extra Bytes VLRs.
std::vector<std::byte> readDescriptors(const InputFile& file, const LasHeader& header) {
    std::vector<std::byte> all;
    for (const LasVlrHeader& record : header.vlrs) {
        if (!record.is("LASF_Spec", 4))
            continue;
        const std::uint64_t most = std::min(record.length, kMaxVlrLength);
        std::vector<std::byte> content(static_cast<std::size_t>(most - most % kLasExtraBytesDescriptorSize));
        file.read(record.offset, content);
        all.insert(all.end(), content.begin(), content.end());
    }
    return all;
}

LasColumn byteColumn(std::string name, std::size_t offset) {
    LasColumn column;
    column.name = std::move(name);
    column.type = ScalarType::uint8;
    column.byteOffset = offset;
    return column;
}

} // namespace

LasExtraBytes readLasExtraBytes(const InputFile& file, const LasHeader& header) {
    LasExtraBytes extra;
    std::size_t offset = lasPointSize(header.pointFormat);
    if (offset == header.recordLength)
        return extra;
    std::vector<LasColumn> undocumented;
    std::size_t undocumentedBytes = 0;
    LasByteRange rest; // bytes without a column
    const auto addUndocumented = [&](std::size_t bytes, const std::function<std::string(std::size_t)>& name) {
        if (bytes == 0)
            return;
        extra.opaque.push_back({offset, bytes});
        undocumentedBytes += bytes;
        for (std::size_t c = 0; c < std::min(bytes, kMaxUndocumented); ++c)
            undocumented.push_back(byteColumn(name(c), offset + c));
        offset += bytes;
    };
    const std::vector<std::byte> descriptors = readDescriptors(file, header);
    for (std::size_t at = 0; at < descriptors.size(); at += kLasExtraBytesDescriptorSize) {
        const ExtraBytesDescriptor one(descriptors.data() + at);
        const std::string name = one.name();
        if (one.bytes() > header.recordLength - offset) {
            extra.warnings.push_back("The Extra Bytes record describes more bytes than the points have; the "
                                     "attributes without bytes were left out.");
            break;
        }
        if (extra.columns.size() + one.components() > kMaxLasColumns) {
            rest = {offset, header.recordLength - offset};
            offset = header.recordLength;
            extra.warnings.push_back(
                fmt::format("Each point has more than the maximum of {} extra values. The values from '{}' "
                            "on ({} bytes) are not shown, but they are preserved in LAS and LAZ output.",
                            kMaxLasColumns, printableText(name), rest.size));
            break;
        }
        if (one.components() == 0) {
            addUndocumented(one.bytes(), [&](std::size_t c) {
                return one.bytes() == 1 ? name : fmt::format("{}_{}", name, c);
            });
            continue;
        }
        for (std::size_t c = 0; c < one.components(); ++c)
            extra.columns.push_back(one.column(c, offset));
        if (one.hasNoData() && isWide(one.type()))
            extra.warnings.push_back(fmt::format("'{}' was read in double precision, since 64-bit integers "
                                                 "can't represent missing values as NaN.",
                                                 name));
        offset += one.bytes();
    }
    addUndocumented(header.recordLength - offset,
                    [](std::size_t c) { return fmt::format("extra_byte_{}", c + 1); });
    if (undocumentedBytes > kMaxUndocumented) {
        extra.warnings.push_back(fmt::format("Each point has {} undocumented bytes. They are not shown, but "
                                             "they are preserved in LAS and LAZ output.",
                                             undocumentedBytes));
    } else {
        extra.opaque.clear();
        extra.columns.insert(extra.columns.end(), undocumented.begin(), undocumented.end());
        std::stable_sort(extra.columns.begin(), extra.columns.end(),
                         [](const LasColumn& a, const LasColumn& b) { return a.byteOffset < b.byteOffset; });
    }
    if (rest.size > 0)
        extra.opaque.push_back(rest);
    return extra;
}

} // namespace scanloupe
