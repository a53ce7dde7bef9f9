#pragma once
// Declares the header, VLRs and EVLRs of LAS and LAZ files, 1.0 to 1.4.
// LAS 1.4 R15, https://www.asprs.org/wp-content/uploads/2019/07/LAS_1_4_r15.pdf
#include "engine/io/common/input_file.h"
#include "kernels/core/vec3.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Maximum size of a VLR's content, bytes. EVLRs may be longer.
constexpr std::uint64_t kMaxVlrLength = 65535;

/// Sizes of the headers of VLRs and EVLRs, bytes.
constexpr std::uint64_t kVlrHeaderSize = 54, kEvlrHeaderSize = 60;

/// The header of a variable length record (VLR) or extended one (EVLR), whose content remains in the file.
struct LasVlrHeader {
    std::string userId;
    int id = 0;                           ///< record ID
    std::uint64_t offset = 0, length = 0; ///< range of the content, which is completely in the file
    std::uint16_t reserved = 0;
    std::array<std::byte, 16> userBytes{}; ///< user ID, including the bytes after its terminating zero
    std::array<std::byte, 32> description{};
    bool extended = false; ///< whether it is an EVLR, after the points
    bool counted = true;   ///< whether the header's number of EVLRs includes it; false for the waveforms of
                           ///< LAS 1.3
    bool isWaveforms = false; ///< whether it has waveform data packets, whose offset is in the header

    bool is(std::string_view wanted, int number) const { return userId == wanted && id == number; }
};

/// Header fields that describe the file as a whole, as stored.
struct LasIdentity {
    std::uint16_t sourceId = 0, encoding = 0;
    std::array<std::byte, 16> guid{};
    std::array<std::byte, 32> system{}, software{};
    std::uint16_t day = 0, year = 0; ///< date of creation

    bool operator==(const LasIdentity&) const = default;
};

/// Bits of the global encoding.
constexpr unsigned kLasStandardGpsTime = 1, kLasWaveformsInternal = 2, kLasWaveformsExternal = 4,
                   kLasWkt = 16;

struct LasHeader {
    int minor = 0;           ///< minor version: 1.minor
    int pointFormat = 0;     ///< 0 to 10
    bool compressed = false; ///< LAZ
    LasIdentity identity;
    std::uint64_t size = 0;    ///< size that the header specifies for itself, not yet checked
    std::uint64_t vlrsEnd = 0; ///< end of the last VLR
    std::size_t recordLength = 0;
    std::uint64_t points = 0;      ///< number of points in the header, not yet checked
    std::uint64_t pointOffset = 0; ///< offset of the first point record
    Vec3d scale, offset;
    Vec3d min, max; ///< bounding box in the header, which may be wrong
    std::vector<LasVlrHeader> vlrs;
    std::vector<std::string> warnings;

    const LasVlrHeader* findVlr(std::string_view user, int id) const;
};

/// Returns the header size of version 1.minor, bytes.
std::size_t lasHeaderSize(int minor);

/// Returns the size of a point record of `format` (0 to 10) without extra bytes.
std::size_t lasPointSize(int format);

/// Reads the header, and the headers of VLRs and EVLRs. @throws EngineError if the file is not LAS 1.0 to 1.4
/// with a point format 0 to 10, or ends within its header
LasHeader readLasHeader(const InputFile& file);

/// Reads the coordinate reference system as text: WKT, or a description of the GeoTIFF keys. Empty if there
/// is none.
std::string readLasCrs(const InputFile& file, const LasHeader& header);

} // namespace scanloupe
