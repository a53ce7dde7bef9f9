#pragma once
// The header of LAS and LAZ files, 1.0 to 1.4, and the records of variable length around the points.
// LAS 1.4 R15, https://www.asprs.org/wp-content/uploads/2019/07/LAS_1_4_r15.pdf
#include "engine/cloud/point_cloud.h"
#include "engine/io/input_file.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Bytes that a record before the points can hold; the ones behind them may be longer.
constexpr std::uint64_t kLongestLasRecord = 65535;

/// A record of variable length: its content stays in the file.
struct LasRecord {
    std::string user; ///< who defines its meaning
    int id = 0;
    std::uint64_t offset = 0, length = 0; ///< of the content, all of which is in the file

    bool is(std::string_view wanted, int number) const { return user == wanted && id == number; }
};

struct LasHeader {
    int minor = 0;           ///< of the version: 1.minor
    int pointFormat = 0;     ///< 0 to 10
    bool compressed = false; ///< LAZ
    std::size_t recordLength = 0;
    std::uint64_t points = 0;      ///< as claimed
    std::uint64_t pointOffset = 0; ///< where they begin
    Vec3d scale, offset;
    Vec3d min, max; ///< as claimed
    std::vector<LasRecord> records;
    std::vector<std::string> warnings;

    const LasRecord* record(std::string_view user, int id) const;
};

/// Bytes of a point of `format` (0 to 10) without extra ones.
std::size_t lasPointSize(int format);

/// @throws EngineError when this is no LAS file of versions 1.0 to 1.4 with point formats 0 to 10, or it ends
/// within its header.
LasHeader readLasHeader(const InputFile& file);

/// The records that say which coordinate system the file has, as far as another file can take them over.
std::vector<SystemRecord> lasSystemRecords(const InputFile& file, const LasHeader& header);

/// The text that says which coordinate system the file has: WKT, or GeoTIFF keys in words; empty without one.
std::string lasCoordinateSystem(const InputFile& file, const LasHeader& header);

} // namespace scanloupe
