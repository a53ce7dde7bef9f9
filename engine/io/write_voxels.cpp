#include "engine/io/write_ending.h"
#include "engine/io/write_pieces.h"
#include "engine/io/writers.h"

#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 13;

/// What a voxel file holds of each voxel, in the file's frame.
class VoxelRows {
public:
    VoxelRows(const VoxelGrid& voxels, std::span<const VoxelChannel> features, Vec3d origin)
        : m_voxels(voxels), m_features(features), m_origin(origin) {}

    std::size_t channels() const { return 3 + m_features.size(); }
    std::string name(std::size_t channel) const {
        return channel < 3 ? std::string(1, "xyz"[channel]) : m_features[channel - 3].name;
    }
    double offset(std::size_t channel) const {
        return channel < 3 ? m_origin[static_cast<int>(channel)] : m_features[channel - 3].offset;
    }
    /// Single precision holds a mean as long as nothing was taken off it.
    bool isDouble(std::size_t channel) const { return offset(channel) != 0; }
    float relative(std::size_t channel, std::size_t voxel) const { return m_voxels.mean(channel)[voxel]; }
    double value(std::size_t channel, std::size_t voxel) const {
        return static_cast<double>(relative(channel, voxel)) + offset(channel);
    }
    Vec3i cell(std::size_t voxel) const { return m_voxels.shape.cell(m_voxels.keys[voxel]); }
    std::uint32_t count(std::size_t voxel) const { return m_voxels.counts[voxel]; }
    std::size_t size() const { return m_voxels.size(); }

    void appendBinary(std::string& out, std::size_t voxel) const {
        for (std::size_t c = 0; c < channels(); ++c) {
            if (isDouble(c))
                appendRaw(out, value(c, voxel));
            else
                appendRaw(out, relative(c, voxel));
        }
    }
    void appendText(std::string& out, std::size_t voxel) const {
        for (std::size_t c = 0; c < channels(); ++c) {
            out.push_back(',');
            if (isDouble(c))
                appendNumber(out, value(c, voxel));
            else
                appendNumber(out, relative(c, voxel));
        }
    }

private:
    const VoxelGrid& m_voxels;
    std::span<const VoxelChannel> m_features;
    Vec3d m_origin;
};

std::string plyHead(const VoxelRows& rows, const GridShape& shape) {
    std::string head = "ply\nformat binary_little_endian 1.0\ncomment voxels, written by Scanloupe\n";
    head += fmt::format("comment voxel size {} {} {}\nelement vertex {}\n", shape.voxelSize.x,
                        shape.voxelSize.y, shape.voxelSize.z, rows.size());
    for (std::size_t c = 0; c < rows.channels(); ++c) {
        std::string name = rows.name(c);
        std::replace(name.begin(), name.end(), ' ', '_'); // a PLY name is one word
        head += fmt::format("property {} {}\n", rows.isDouble(c) ? "double" : "float", name);
    }
    return head + "property int ix\nproperty int iy\nproperty int iz\nproperty uint count\nend_header\n";
}

std::string csvHead(const VoxelRows& rows) {
    std::string head = "ix,iy,iz,count";
    for (std::size_t c = 0; c < rows.channels(); ++c)
        head += fmt::format(",{}", rows.name(c));
    return head + "\n";
}

/// The header of NumPy's format 2.0, which has room for long lists of names: magic, version, length, a
/// dictionary.
std::string npyHead(const VoxelRows& rows) {
    std::string fields = "('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), ('count', '<u4')";
    for (std::size_t c = 0; c < rows.channels(); ++c) {
        std::string name = rows.name(c);
        std::replace_if(
            name.begin(), name.end(), [](char sign) { return sign == '\'' || sign == '\\'; }, '_');
        fields += fmt::format(", ('{}', '{}')", name, rows.isDouble(c) ? "<f8" : "<f4");
    }
    std::string dictionary =
        fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", fields, rows.size());
    constexpr std::size_t before = 12, alignment = 64;
    const std::size_t whole = (before + dictionary.size() + 1 + alignment - 1) / alignment * alignment;
    dictionary.resize(whole - before - 1, ' ');
    dictionary.push_back('\n');
    std::string head("\x93NUMPY\x02\x00", 8);
    appendRaw(head, static_cast<std::uint32_t>(dictionary.size()));
    return head + dictionary;
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
                rows.appendBinary(out, v);
            appendRaw(out, cell);
            appendRaw(out, rows.count(v));
            if (ending == ".npy")
                rows.appendBinary(out, v);
        }
    };
}

} // namespace

void writeVoxels(const std::filesystem::path& target, const VoxelGrid& voxels,
                 std::span<const VoxelChannel> features, const WriteOptions& options,
                 const std::stop_token& stop) {
    const std::string ending = requireEnding(target, voxelEndings(), "voxels");
    if (features.size() != voxels.featureCount)
        throw Fault("the voxels have " + std::to_string(voxels.featureCount) + " features, but " +
                    std::to_string(features.size()) + " names were given");
    const VoxelRows rows(voxels, features, options.origin);
    writeAtomically(target, [&](std::ostream& stream) {
        const std::string head = ending == ".ply"   ? plyHead(rows, voxels.shape)
                                 : ending == ".csv" ? csvHead(rows)
                                                    : npyHead(rows);
        stream.write(head.data(), static_cast<std::streamsize>(head.size()));
        ProgressMeter meter(options.progress, rows.size());
        writePieces(stream, rows.size(), kPiece, meter, stop, rowMaker(rows, ending));
    });
}

const std::vector<std::string>& voxelEndings() {
    static const std::vector<std::string> endings = {".ply", ".csv", ".npy"};
    return endings;
}

} // namespace scanloupe
