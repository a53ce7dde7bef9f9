// Writes voxels as PLY, CSV or NumPy's .npy.
#include "engine/cloud/scalar_visit.h"
#include "engine/io/column_names.h"
#include "engine/io/npy_header.h"
#include "engine/io/ply_type.h"
#include "engine/io/write_ending.h"
#include "engine/io/write_pieces.h"
#include "engine/io/writers.h"

#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 13;

/// The columns of a voxel file, in the file's frame.
class VoxelRows {
public:
    VoxelRows(const VoxelGrid& voxels, std::span<const VoxelChannel> features,
              std::span<const std::shared_ptr<const Category>> categories, Vec3d origin)
        : m_voxels(voxels), m_features(features), m_categories(categories), m_origin(origin) {}

    /// The number of channels: position, means, classes.
    std::size_t channels() const { return means() + m_categories.size(); }
    /// The type of the values in a channel.
    ScalarType type(std::size_t channel) const {
        if (channel < means())
            return isDouble(channel) ? ScalarType::float64 : ScalarType::float32;
        return m_categories[channel - means()]->type;
    }
    /// Unique names of the channels, which `adapted` fits to the format.
    std::vector<std::string> names(const std::function<std::string(std::string)>& adapted) const {
        constexpr std::string_view reserved[] = {"x", "y", "z", "ix", "iy", "iz", "count"};
        std::vector<std::string> own;
        for (const VoxelChannel& feature : m_features)
            own.push_back(feature.name);
        for (const auto& category : m_categories)
            own.push_back(category->name);
        std::vector<std::string> names = detail::uniqueNames(own, adapted, reserved, "mean_");
        names.insert(names.begin(), {"x", "y", "z"});
        return names;
    }
    double offset(std::size_t channel) const {
        return channel < 3 ? m_origin[static_cast<int>(channel)] : m_features[channel - 3].offset;
    }
    /// Whether a mean needs double precision: single precision holds it unless an offset was subtracted.
    bool isDouble(std::size_t channel) const { return offset(channel) != 0; }
    float relative(std::size_t channel, std::size_t voxel) const { return m_voxels.mean(channel)[voxel]; }
    double value(std::size_t channel, std::size_t voxel) const {
        return static_cast<double>(relative(channel, voxel)) + offset(channel);
    }
    Vec3i cell(std::size_t voxel) const { return m_voxels.shape.cell(m_voxels.keys[voxel]); }
    std::uint32_t count(std::size_t voxel) const { return m_voxels.counts[voxel]; }
    std::size_t size() const { return m_voxels.size(); }

    /// `asPly`: 64-bit integers become doubles, since PLY has no such type.
    void appendBinary(std::string& out, std::size_t voxel, bool asPly) const {
        for (std::size_t c = 0; c < means(); ++c) {
            if (isDouble(c))
                appendRaw(out, value(c, voxel));
            else
                appendRaw(out, relative(c, voxel));
        }
        for (std::size_t c = 0; c < m_categories.size(); ++c) {
            const Category& category = *m_categories[c];
            const std::uint32_t code = m_voxels.mode(c)[voxel];
            if (asPly && sizeOf(category.type) == sizeof(double))
                appendRaw(out, category.value(code));
            else
                visitScalar(category.type, [&]<class T>(std::type_identity<T>) {
                    appendRaw(out, static_cast<T>(category.values[code]));
                });
        }
    }
    void appendText(std::string& out, std::size_t voxel) const {
        for (std::size_t c = 0; c < means(); ++c) {
            out.push_back(',');
            if (isDouble(c))
                appendNumber(out, value(c, voxel));
            else
                appendNumber(out, relative(c, voxel));
        }
        for (std::size_t c = 0; c < m_categories.size(); ++c)
            out += ',' + m_categories[c]->valueText(m_voxels.mode(c)[voxel]);
    }

private:
    std::size_t means() const { return 3 + m_features.size(); }

    const VoxelGrid& m_voxels;
    std::span<const VoxelChannel> m_features;
    std::span<const std::shared_ptr<const Category>> m_categories;
    Vec3d m_origin;
};

std::string voxelPlyHeader(const VoxelRows& rows, const GridShape& shape) {
    std::string header = "ply\nformat binary_little_endian 1.0\ncomment voxels, written by Scanloupe\n";
    header += fmt::format("comment voxel size {} {} {}\nelement vertex {}\n", shape.voxelSize.x,
                          shape.voxelSize.y, shape.voxelSize.z, rows.size());
    const std::vector<std::string> names = rows.names(detail::asSingleWord);
    for (std::size_t c = 0; c < rows.channels(); ++c)
        header += fmt::format("property {} {}\n", detail::plyType(rows.type(c)), names[c]);
    return header + "property int ix\nproperty int iy\nproperty int iz\nproperty uint count\nend_header\n";
}

/// Quotes a CSV field that contains special characters, and doubles the quotes within (RFC 4180, section 2).
std::string csvField(const std::string& field) {
    const bool plain = field.find_first_of(",\"\r\n") == std::string::npos && !field.starts_with(' ') &&
                       !field.ends_with(' ');
    if (plain)
        return field;
    std::string quoted = "\"";
    for (const char c : field)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string voxelCsvHeader(const VoxelRows& rows) {
    std::string header = "ix,iy,iz,count";
    for (const std::string& name : rows.names([](std::string own) { return own; }))
        header += "," + csvField(name);
    return header + "\n";
}

/// "<f4", "|u1".
std::string numpyType(ScalarType type) {
    return visitScalar(type, []<class T>(std::type_identity<T>) {
        const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
        return fmt::format("{}{}{}", sizeof(T) == 1 ? '|' : '<', kind, sizeof(T));
    });
}

std::string voxelNpyHeader(const VoxelRows& rows) {
    std::string fields = "('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), ('count', '<u4')";
    const std::vector<std::string> names =
        rows.names([](std::string name) { return name.empty() ? "unnamed" : name; });
    for (std::size_t c = 0; c < rows.channels(); ++c)
        fields += fmt::format(", ({}, '{}')", pythonLiteral(names[c]), numpyType(rows.type(c)));
    return npyHeader(fields, rows.size());
}

MakePiece rowMaker(const VoxelRows& rows, const std::string& ending) {
    return [&rows, ending](std::string& out, std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3i cell = rows.cell(v);
            if (ending == ".csv") {
                for (int axis = 0; axis < 3; ++axis) {
                    appendNumber(out, std::int64_t{cell[axis]});
                    out.push_back(',');
                }
                appendNumber(out, std::uint64_t{rows.count(v)});
                rows.appendText(out, v);
                out.push_back('\n');
                continue;
            }
            if (ending == ".ply")
                rows.appendBinary(out, v, true);
            appendRaw(out, cell);
            appendRaw(out, rows.count(v));
            if (ending == ".npy")
                rows.appendBinary(out, v, false);
        }
    };
}

} // namespace

void writeVoxels(const std::filesystem::path& target, const VoxelGrid& voxels,
                 std::span<const VoxelChannel> features,
                 std::span<const std::shared_ptr<const Category>> categories, const WriteOptions& options,
                 const std::stop_token& stop) {
    const std::string ending = requireEnding(target, voxelEndings(), "voxels");
    if (features.size() != voxels.featureCount)
        throw Fault("the voxels have " + std::to_string(voxels.featureCount) + " features, but " +
                    std::to_string(features.size()) + " names were given");
    if (voxels.size() > 0 && categories.size() != voxels.categoryCount())
        throw Fault("the voxels have classes of " + std::to_string(voxels.categoryCount()) +
                    " categories, but " + std::to_string(categories.size()) + " names were given");
    const VoxelRows rows(voxels, features, categories, options.origin);
    const auto write = [&](std::ostream& stream) {
        const std::string header = ending == ".ply"   ? voxelPlyHeader(rows, voxels.shape)
                                   : ending == ".csv" ? voxelCsvHeader(rows)
                                                      : voxelNpyHeader(rows);
        stream.write(header.data(), static_cast<std::streamsize>(header.size()));
        ProgressMeter meter(options.progress, rows.size());
        writePieces(stream, rows.size(), kPiece, meter, stop, rowMaker(rows, ending));
    };
    writeAtomically(target, write, stop);
}

const std::vector<std::string>& voxelEndings() {
    static const std::vector<std::string> endings = {".ply", ".csv", ".npy"};
    return endings;
}

} // namespace scanloupe
