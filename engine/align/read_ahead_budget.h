#pragma once
// Declares the memory budget of scans that are read ahead of the alignment.
#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace scanloupe {

/// Returns the size of a file, bytes; 0 if unknown. On a network drive this may take seconds.
inline std::uint64_t fileBytesOf(const std::filesystem::path& path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    return error ? 0 : bytes;
}

/// Forecasts the memory of scans that are not read yet, from the sizes of their files and the memory of the
/// scans already read.
class ReadAheadBudget {
public:
    /// @param files number of scans @param budget bytes of all scans that are ahead
    ReadAheadBudget(std::size_t files, std::uint64_t budget) : m_files(files), m_budget(budget) {}

    /// Whether the size of a file has been noted.
    bool isKnown(std::size_t scan) const { return m_files[scan].has_value(); }
    void noteFile(std::size_t scan, const std::filesystem::path& path, std::uint64_t bytes) {
        m_files[scan] = File{bytes, path.extension().string()};
    }
    /// Notes what a scan takes that was read.
    void noteScan(std::size_t scan, std::uint64_t bytes) {
        m_largest = std::max(m_largest, bytes);
        if (const auto& file = m_files[scan]; file && file->bytes > 0) {
            double& expansion = m_expansions.try_emplace(file->format, 1).first->second;
            expansion = std::max(expansion, double(bytes) / double(file->bytes));
        }
    }

    /// Bytes that a scan will take: by the size and format of its file, else as the largest before.
    std::uint64_t forecast(std::size_t scan) const {
        const auto& file = m_files[scan];
        if (!file || file->bytes == 0)
            return m_largest;
        const auto known = m_expansions.find(file->format);
        return std::uint64_t((known == m_expansions.end() ? kUnknownExpansion : known->second) *
                             double(file->bytes));
    }
    /// Whether one more scan fits next to other scans with `held` bytes.
    bool fits(std::size_t scan, std::uint64_t held) const { return held + forecast(scan) <= m_budget; }

    /// Returns the memory of a prepared scan, bytes: coordinates and surfaces.
    static std::uint64_t preparedBytes(std::uint64_t points) { return kPreparedBytes * points; }
    /// Returns the memory of a scan while it is prepared, including its cloud, bytes.
    static std::uint64_t bytesOf(const PointCloud& cloud) {
        return cloud.bytes() + preparedBytes(cloud.size());
    }

private:
    /// Bytes per point while a scan is prepared: coordinates as floats, and two copies of the keys for
    /// sorting points into cells. Surfaces need less afterwards.
    static constexpr std::uint64_t kPreparedBytes = 12 + std::uint64_t{2} * 16;

    /// Of a format of which no file was read: about that of LAZ with 20 attributes, which takes 7 bytes a
    /// point.
    static constexpr double kUnknownExpansion = 16;
    struct File {
        std::uint64_t bytes;
        std::string format; ///< extension: such files take about the same memory per byte
    };

    std::vector<std::optional<File>> m_files;
    std::uint64_t m_budget;
    std::uint64_t m_largest = 0;
    /// By format: bytes in memory per byte of a file, the largest ratio so far.
    std::map<std::string, double> m_expansions;
};

} // namespace scanloupe
