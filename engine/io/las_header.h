#pragma once
// The header of LAS and LAZ files, 1.0 to 1.4, and the records of variable length around the points.
// LAS 1.4 R15, https://www.asprs.org/wp-content/uploads/2019/07/LAS_1_4_r15.pdf
#include "engine/cloud/point_cloud.h"
#include "engine/io/input_file.h"
#include "kernels/core/vec3.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Bytes that a record before the points can hold; the ones behind them may be longer.
constexpr std::uint64_t kMaxVlrLength = 65535;

/// Bytes before the content of a record before the points, and of one behind them.
constexpr std::uint64_t kVlrHeaderSize = 54, kEvlrHeaderSize = 60;

/// A record of variable length: its content stays in the file.
struct LasVlrHeader {
    std::string userId; ///< who defines its meaning
    int id = 0;
    std::uint64_t offset = 0, length = 0; ///< of the content, all of which is in the file
    std::uint16_t reserved = 0;
    std::array<std::byte, 16> userBytes{}; ///< with what stands behind the name's end
    std::array<std::byte, 32> description{};
    bool extended = false;    ///< behind the points
    bool counted = true;      ///< not so for the waveforms of LAS 1.3, which are found by their place alone
    bool isWaveforms = false; ///< the waveforms that the header tells the place of

    bool is(std::string_view wanted, int number) const { return userId == wanted && id == number; }
};

/// What the header says about the file as a whole, as it stands there.
struct LasIdentity {
    std::uint16_t sourceId = 0, encoding = 0;
    std::array<std::byte, 16> guid{};
    std::array<std::byte, 32> system{}, software{};
    std::uint16_t day = 0, year = 0; ///< of its creation

    bool operator==(const LasIdentity&) const = default;
};

/// Bits of the global encoding.
constexpr unsigned kLasStandardGpsTime = 1, kLasWaveformsInternal = 2, kLasWaveformsExternal = 4,
                   kLasWkt = 16;

struct LasHeader {
    int minor = 0;           ///< of the version: 1.minor
    int pointFormat = 0;     ///< 0 to 10
    bool compressed = false; ///< LAZ
    LasIdentity identity;
    std::uint64_t size = 0;    ///< of the header, as claimed
    std::uint64_t vlrsEnd = 0; ///< where the last of the records before the points ends
    std::size_t recordLength = 0;
    std::uint64_t points = 0;      ///< as claimed
    std::uint64_t pointOffset = 0; ///< where they begin
    Vec3d scale, offset;
    Vec3d min, max; ///< as claimed
    std::vector<LasVlrHeader> vlrs;
    std::vector<std::string> warnings;

    const LasVlrHeader* findVlr(std::string_view user, int id) const;
};

/// Bytes of a header of version 1.minor.
std::size_t lasHeaderSize(int minor);

/// Bytes of a point of `format` (0 to 10) without extra ones.
std::size_t lasPointSize(int format);

/// @throws EngineError when this is no LAS file of versions 1.0 to 1.4 with point formats 0 to 10, or it ends
/// within its header.
LasHeader readLasHeader(const InputFile& file);

/// The text that says which coordinate system the file has: WKT, or GeoTIFF keys in words; empty without one.
std::string lasCoordinateSystem(const InputFile& file, const LasHeader& header);

} // namespace scanloupe
