// Reads PTX files (Leica's text format for gridded scans).
#include "engine/io/text/read_ptx.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/text_number.h"
#include "engine/io/text/plain_text.h"
#include "engine/io/text/text_columns.h"
#include "engine/io/text/text_parse.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::uint64_t kHeaderRows = 10;
constexpr std::size_t kColumns = 7; // maximum number of columns: x, y, z, intensity, red, green, blue
constexpr std::size_t kReadPtxGrain = std::size_t{1} << 15;

/// A scan in the file.
struct PtxScan {
    std::uint64_t columns = 0, rows = 0; ///< size of the grid
    RowRange range;                      ///< rows of the text that contain the points
    Vec3d sensor;                        ///< position of the sensor
    Vec3d axes[4]; ///< transform to the common frame: images of the x, y and z axes, and the translation
    /// Returns the rotation of the matrix; the identity if the matrix is not a rotation.
    Quaternion rotation() const {
        RigidTransform transform;
        for (int i = 0; i < 3; ++i)
            transform.rows[i] = {axes[0][i], axes[1][i], axes[2][i]};
        return distanceFromRotation(transform) < kRotationTolerance ? quaternionOf(transform) : Quaternion{};
    }
    bool identity() const {
        return axes[0] == Vec3d{1, 0, 0} && axes[1] == Vec3d{0, 1, 0} && axes[2] == Vec3d{0, 0, 1} &&
               axes[3] == Vec3d{};
    }
};

std::vector<double> numbersOf(const std::string& line) {
    std::vector<double> numbers;
    const char* p = line.data();
    const char* const end = p + line.size();
    for (;;) {
        while (p < end && isTextBlank(*p))
            ++p;
        if (p == end)
            return numbers;
        const TextNumber number = parseNumber(p, end, ' ');
        if (!number.end)
            return {};
        numbers.push_back(number.value);
        p = number.end;
    }
}

[[noreturn]] void refuseHeader(const InputFile& file, std::size_t number) {
    throw EngineError(
        fmt::format("the header of scan {} in '{}' is not a valid PTX header", number, file.name()),
        "If the file is a plain list of points, change its extension to .xyz. Otherwise, export it again.");
}

/// Parses a row into `values`. Returns false unless the row consists of exactly as many finite numbers.
bool readNumbers(TextRowCursor& rows, std::uint64_t row, std::span<double> values) {
    const auto numbers = numbersOf(rows.lineAt(row));
    if (numbers.size() != values.size() ||
        !std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); }))
        return false;
    std::copy(numbers.begin(), numbers.end(), values.begin());
    return true;
}

/// Reads the size of a scan's grid at the beginning of its header. Returns false if no header begins at
/// `row`.
bool readPtxGrid(TextRowCursor& rows, std::uint64_t row, PtxScan& scan) {
    constexpr double most = 1e9;
    double size[2] = {};
    for (std::size_t i = 0; i < 2; ++i)
        if (!readNumbers(rows, row + i, std::span(size).subspan(i, 1)) || size[i] < 0 || size[i] > most)
            return false;
    scan.columns = static_cast<std::uint64_t>(size[0]);
    scan.rows = static_cast<std::uint64_t>(size[1]);
    scan.range = {row + kHeaderRows, scan.columns * scan.rows};
    return true;
}

/// Reads the position and the matrix, which follow in the header that begins at `row`. Returns false if they
/// are invalid.
bool readPtxPose(TextRowCursor& rows, std::uint64_t row, PtxScan& scan) {
    double values[4] = {};
    const auto read = [&](std::uint64_t line, std::size_t count) {
        return readNumbers(rows, row + line, std::span(values).first(count));
    };
    if (!read(2, 3))
        return false;
    scan.sensor = {values[0], values[1], values[2]};
    for (std::uint64_t i = 0; i < 3; ++i)
        if (!read(3 + i, 3))
            return false;
    for (std::uint64_t i = 0; i < 4; ++i) {
        if (!read(6 + i, 4))
            return false;
        scan.axes[i] = {values[0], values[1], values[2]};
    }
    return true;
}

/// Returns how many of the columns x, y, z, intensity, red, green, blue the first row of a scan has: 3, 4 or
/// 7.
std::size_t columnsOf(TextRowCursor& rows, const PtxScan& scan) {
    const std::size_t values = numbersOf(rows.lineAt(scan.range.first)).size();
    return values >= kColumns ? kColumns : values == 3 ? 3 : 4;
}

/// The scans of a file, and the scans that are left out. `damaged` and `lost` count scans from 1.
struct PtxContent {
    std::vector<PtxScan> scans;
    std::vector<std::size_t> damaged; ///< numbers of the scans without a valid position and matrix
    std::size_t lost = 0;      ///< number of the first scan without a valid header; 0: all headers are valid
    std::uint64_t missing = 0; ///< number of points of the last scan that are missing in the file
};

PtxContent findScans(const InputFile& file, const TextRows& rows, const std::stop_token& stop) {
    PtxContent found;
    TextRowCursor cursor(rows);
    std::size_t number = 1;
    for (std::uint64_t row = 0; row < rows.count(); ++number) {
        if (stop.stop_requested())
            throw Cancelled();
        PtxScan scan;
        const bool isCut = row + kHeaderRows > rows.count();
        if (isCut || !readPtxGrid(cursor, row, scan)) {
            // a damaged scan may have other rows than its header specifies, so the next header can't be found
            const bool followsDamaged = !found.damaged.empty() && found.damaged.back() + 1 == number;
            if (!isCut && !followsDamaged)
                refuseHeader(file, number);
            found.lost = number;
            break;
        }
        const bool isPlaced = readPtxPose(cursor, row, scan);
        const std::uint64_t left = rows.count() - std::min(rows.count(), scan.range.first),
                            missing = scan.range.count > left ? scan.range.count - left : 0;
        scan.range.count -= missing;
        row = scan.range.first + scan.range.count;
        if (!isPlaced) {
            found.damaged.push_back(number);
            continue;
        }
        found.missing = missing;
        if (scan.range.count > 0)
            scan.range.columns = columnsOf(cursor, scan);
        found.scans.push_back(scan);
    }
    if (found.scans.empty())
        refuseHeader(file, 1);
    return found;
}

void addLeftOut(const PtxContent& content, PointCloud& cloud) {
    constexpr std::size_t most = 5; // maximum number of scans to list
    if (const auto& all = content.damaged; !all.empty()) {
        const auto named = std::span(all).first(std::min(most, all.size()));
        addDamage(
            cloud,
            fmt::format("Scans were left out since their headers have no valid position and matrix: {}{}.",
                        fmt::join(named, ", "),
                        all.size() > most ? fmt::format(" and {} more", all.size() - most) : ""));
    }
    if (content.lost > 0)
        addDamage(cloud, fmt::format("Scan {0} and all following scans were left out: the header of scan {0} "
                                     "is incomplete or invalid.",
                                     content.lost));
}

/// Returns a layout with the columns of all scans.
TextLayout layoutOf(const std::vector<PtxScan>& scans) {
    std::size_t most = 0, fewest = kColumns;
    for (const PtxScan& scan : scans) {
        if (scan.range.count == 0)
            continue;
        most = std::max(most, scan.range.columns);
        fewest = std::min(fewest, scan.range.columns);
    }
    if (most == 0) // no scan has a point
        most = fewest = 4;
    constexpr std::pair<const char*, ScalarType> columns[kColumns] = {
        {"x", ScalarType::float64},         {"y", ScalarType::float64}, {"z", ScalarType::float64},
        {"intensity", ScalarType::float32}, {"red", ScalarType::uint8}, {"green", ScalarType::uint8},
        {"blue", ScalarType::uint8}};
    TextLayout layout;
    for (std::size_t c = 0; c < most; ++c) {
        TextField field;
        field.name = columns[c].first;
        // a column that is missing in some scans gets a floating-point type, which can represent missing
        // values as NaN
        field.type = c < fewest ? columns[c].second : std::max(columns[c].second, ScalarType::float32);
        field.widens = true;
        layout.fields.push_back(field);
    }
    return layout;
}

/// Transforms the points of a scan to the common frame. Points at 0 0 0 are rays without an echo, and become
/// NaN.
void transformPoints(const PtxScan& scan, std::span<Vec3d> points, const std::stop_token& stop) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    parallelFor(points.size(), kReadPtxGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (Vec3d& p : points.subspan(begin, end - begin)) {
            if (p == Vec3d{})
                p = {nan, nan, nan};
            else if (!scan.identity())
                p = scan.axes[0] * p.x + scan.axes[1] * p.y + scan.axes[2] * p.z + scan.axes[3];
        }
    });
}

void addSensorColumns(CloudBuilder& builder, const std::vector<PtxScan>& scans,
                      std::span<const std::size_t> ends) {
    for (int axis = 0; axis < 3; ++axis) {
        std::byte* data =
            builder.addAttribute(std::string("sensor_") + static_cast<char>('x' + axis), ScalarType::float64);
        auto* values = reinterpret_cast<double*>(data);
        for (std::size_t s = 0; s < scans.size(); ++s)
            std::fill(values + (s == 0 ? 0 : ends[s - 1]), values + ends[s], scans[s].sensor[axis]);
    }
}

} // namespace

std::shared_ptr<const PointCloud> readPtx(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    PlainText text = plainTextOf(file, stop);
    const InputFile& plain = *text.file;
    ProgressMeter meter(options.progress, 5 * plain.size());
    const char newline = plain.head(4096).find('\n') == std::string::npos ? '\r' : '\n';
    const TextRows rows(plain, 0, newline, meter, stop);
    const PtxContent content = findScans(file, rows, stop);
    const std::vector<PtxScan>& scans = content.scans;
    const std::uint64_t missing = content.missing;
    TextLayout layout = layoutOf(scans);
    std::vector<RowRange> ranges;
    std::uint64_t found = 0;
    for (const PtxScan& scan : scans) {
        ranges.push_back(scan.range);
        found += scan.range.count;
    }
    if (found == 0 && missing > 0)
        throwNothingWhole(plain, missing);
    const bool moved =
        std::any_of(scans.begin(), scans.end(), [](const PtxScan& s) { return !s.identity(); });
    const auto process = [&](CloudBuilder& builder, std::span<const std::size_t> ends, int decimals) {
        auto& xyz = std::get<DoublePositions>(builder.positions()).xyz;
        for (std::size_t s = 0; s < scans.size(); ++s) {
            const std::size_t begin = s == 0 ? 0 : ends[s - 1];
            transformPoints(scans[s], xyz.span().subspan(begin, ends[s] - begin), stop);
        }
        if (scans.size() > 1)
            addSensorColumns(builder, scans, ends);
        return moved ? -1 : decimals;
    };
    auto cloud = parseRows(plain, rows, std::move(layout), ranges, process, meter, stop);
    cloud->format = "PTX text, " + std::to_string(scans.size()) + (scans.size() == 1 ? " scan" : " scans");
    for (auto& sentence : text.warnings)
        cloud->warnings.push_back(std::move(sentence));
    if (missing > 0)
        addDamage(*cloud, truncationWarning(found, found + missing));
    addLeftOut(content, *cloud);
    if (scans.size() == 1) {
        const PtxScan& scan = scans.front();
        // an identity matrix and a sensor at 0 0 0 are defaults, which are ignored in a cloud far from the
        // origin
        if (!(scan.identity() && scan.sensor == Vec3d{} && !(cloud->origin() == Vec3d{})))
            cloud->sensor = SensorPose{scan.sensor, scan.rotation()};
        if (scan.columns > 1 && scan.rows > 1 && cloud->size() == scan.columns * scan.rows) {
            cloud->width = static_cast<int>(scan.rows); // PTX stores the grid column by column
            cloud->height = static_cast<int>(scan.columns);
        }
    }
    return cloud;
}

} // namespace scanloupe
