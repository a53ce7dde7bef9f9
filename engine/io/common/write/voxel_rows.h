#pragma once
// Declares voxels as rows of a table for the voxel writers.
#include "engine/cloud/categories.h"
#include "engine/io/common/write/column_names.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/common/write/write_pieces.h"
#include "kernels/core/scalar_type.h"
#include "kernels/voxelize/core/voxel_grid.h"

namespace scanloupe::detail {

/// The columns of a voxel file, in the file's frame.
class VoxelRows {
public:
    VoxelRows(const VoxelGrid& voxels, std::span<const VoxelChannel> features,
              std::span<const std::shared_ptr<const Category>> categories, const WriteOptions& options)
        : m_voxels(voxels), m_features(features), m_categories(categories), m_origin(options.origin),
          m_order(options.voxelOrder) {}

    /// Number of channels: position, means, classes.
    std::size_t channels() const { return means() + m_categories.size(); }
    /// The type of the values in a channel.
    ScalarType type(std::size_t channel) const {
        if (channel < means())
            return isDouble(channel) ? ScalarType::float64 : ScalarType::float32;
        return m_categories[channel - means()]->type;
    }
    /// Returns unique names of the channels. @param adapted converts a name to a valid one of the format
    std::vector<std::string> names(const std::function<std::string(std::string)>& adapted) const {
        constexpr std::string_view reserved[] = {"x", "y", "z", "ix", "iy", "iz", "count"};
        std::vector<std::string> own;
        for (const VoxelChannel& feature : m_features)
            own.push_back(feature.name);
        for (const auto& category : m_categories)
            own.push_back(category->name);
        std::vector<std::string> names = uniqueNames(own, adapted, reserved, "mean_");
        names.insert(names.begin(), {"x", "y", "z"});
        return names;
    }
    /// Full scale of a channel, see VoxelChannel::fullScale.
    std::optional<ValueRange> fullScale(std::size_t channel) const {
        return m_features[channel - 3].fullScale;
    }
    double offset(std::size_t channel) const {
        return channel < 3 ? m_origin[static_cast<int>(channel)] : m_features[channel - 3].offset;
    }
    /// Whether a mean needs double precision, which is the case if an offset was subtracted.
    bool isDouble(std::size_t channel) const { return offset(channel) != 0; }
    /// Index in the grid of the voxel in a row.
    std::size_t voxel(std::size_t row) const { return m_order.empty() ? row : m_order[row]; }
    float relative(std::size_t channel, std::size_t row) const { return m_voxels.mean(channel)[voxel(row)]; }
    double value(std::size_t channel, std::size_t row) const {
        return static_cast<double>(relative(channel, row)) + offset(channel);
    }
    Vec3i cell(std::size_t row) const { return m_voxels.shape.cell(m_voxels.keys[voxel(row)]); }
    std::uint32_t count(std::size_t row) const { return m_voxels.counts[voxel(row)]; }
    std::size_t means() const { return 3 + m_features.size(); } ///< number of channels that are means
    double classValue(std::size_t category, std::size_t row) const {
        return m_categories[category]->value(mode(category, row));
    }
    std::size_t size() const { return m_voxels.size(); }

    /// Appends a row in binary. @param asPly 64-bit integers become doubles, since PLY has no such type
    void appendBinary(std::string& out, std::size_t row, bool asPly) const {
        for (std::size_t c = 0; c < means(); ++c) {
            if (isDouble(c))
                appendRaw(out, value(c, row));
            else
                appendRaw(out, relative(c, row));
        }
        appendClasses(out, row, asPly);
    }
    /// Like appendBinary(), without the means.
    void appendClasses(std::string& out, std::size_t row, bool asPly) const {
        for (std::size_t c = 0; c < m_categories.size(); ++c) {
            const Category& category = *m_categories[c];
            const std::uint32_t code = mode(c, row);
            if (asPly && sizeOf(category.type) == sizeof(double))
                appendRaw(out, category.value(code));
            else
                visitScalar(category.type, [&]<class T>(std::type_identity<T>) {
                    appendRaw(out, static_cast<T>(category.values[code]));
                });
        }
    }
    void appendText(std::string& out, std::size_t row) const {
        for (std::size_t c = 0; c < means(); ++c) {
            out.push_back(',');
            if (isDouble(c))
                appendNumber(out, value(c, row));
            else
                appendNumber(out, relative(c, row));
        }
        for (std::size_t c = 0; c < m_categories.size(); ++c)
            out += ',' + m_categories[c]->valueText(mode(c, row));
    }

private:
    std::uint32_t mode(std::size_t category, std::size_t row) const {
        return m_voxels.mode(category)[voxel(row)];
    }

    const VoxelGrid& m_voxels;
    std::span<const VoxelChannel> m_features;
    std::span<const std::shared_ptr<const Category>> m_categories;
    Vec3d m_origin;
    std::span<const std::uint32_t> m_order; // [V] or empty
};

/// The argument of all voxel writers. A writer fills a stream, which throws if it can't be written.
struct VoxelJob {
    const VoxelRows& rows;
    const GridShape& shape;
    const WriteOptions& options;
    const std::stop_token& stop;
    std::string ending; ///< extension of the target, in lower case with its dot

    /// Writes the header, followed by all rows, each serialized by `append`.
    template <class Append>
    void write(std::ostream& stream, const std::string& header, const Append& append) const {
        constexpr std::size_t grain = std::size_t{1} << 13; // number of rows, a few milliseconds of work
        stream.write(header.data(), static_cast<std::streamsize>(header.size()));
        ProgressMeter meter(options.progress, rows.size());
        writePieces(stream, rows.size(), grain, meter, stop,
                    [&](std::string& out, std::size_t begin, std::size_t end) {
                        for (std::size_t row = begin; row < end; ++row)
                            append(out, row);
                    });
    }
};

} // namespace scanloupe::detail
