#pragma once
// Declares the memory budget of scans that are read ahead of the alignment.
#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
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
    /// @param files number of scans @param budget maximum memory of all scans that are read ahead, bytes
    ReadAheadBudget(std::size_t files, std::uint64_t budget) : m_fileBytes(files), m_budget(budget) {}

    /// Whether the size of a file has been noted.
    bool isKnown(std::size_t scan) const { return m_fileBytes[scan].has_value(); }
    void noteFile(std::size_t scan, std::uint64_t bytes) { m_fileBytes[scan] = bytes; }
    /// Records the memory of a scan that was read.
    void noteScan(std::size_t scan, std::uint64_t bytes) {
        m_largest = std::max(m_largest, bytes);
        if (const std::uint64_t file = m_fileBytes[scan].value_or(0); file > 0)
            m_expansion = std::max(m_expansion, double(bytes) / double(file));
    }

    /// Returns the forecast memory of a scan, bytes: from the size of its file, or the largest value so far
    /// if that is unknown.
    std::uint64_t forecast(std::size_t scan) const {
        const std::uint64_t file = m_fileBytes[scan].value_or(0);
        return file > 0 ? std::uint64_t(m_expansion * double(file)) : m_largest;
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

    std::vector<std::optional<std::uint64_t>> m_fileBytes;
    std::uint64_t m_budget;
    std::uint64_t m_largest = 0;
    double m_expansion = 1; ///< maximum ratio so far of a scan's memory to the size of its file
};

} // namespace scanloupe
