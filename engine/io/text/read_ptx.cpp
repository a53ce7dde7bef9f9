// Reads PTX files (Leica's text format of gridded scans).
#include "engine/io/text/read_ptx.h"

#include "engine/cloud/damage.h"
#include "engine/io/common/text/text_number.h"
#include "engine/io/text/plain_text.h"
#include "engine/io/text/text_columns.h"
#include "engine/io/text/text_parse.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::uint64_t kHeaderRows = 10;
constexpr std::size_t kColumns = 7; // at most
constexpr std::size_t kReadPtxGrain = std::size_t{1} << 15;

/// One scan of the file.
struct PtxScan {
    std::uint64_t columns = 0, rows = 0; ///< of its grid
    RowRange range;                      ///< its points
    Vec3d sensor;
    Vec3d axes[4]; ///< rows of the matrix: the images of the x, y and z axes, and the translation
    /// The rotation of the matrix; the identity where it is no rotation.
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

PtxScan readHeader(const InputFile& file, TextRowCursor& rows, std::uint64_t row, std::size_t scan) {
    const auto require = [&](bool good) {
        if (!good)
            throw EngineError(
                "the header of scan " + std::to_string(scan + 1) + " in '" + file.name() +
                    "' is not that of a PTX file",
                "If it is a plain list of points, give it the ending .xyz; else export it once more.");
    };
    const auto line = [&](std::uint64_t i, std::size_t values) {
        auto numbers = numbersOf(rows.lineAt(row + i));
        require(numbers.size() == values &&
                std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); }));
        return numbers;
    };
    PtxScan result;
    const double columns = line(0, 1)[0], gridRows = line(1, 1)[0];
    constexpr double most = 1e9;
    require(columns >= 0 && gridRows >= 0 && columns <= most && gridRows <= most);
    result.columns = static_cast<std::uint64_t>(columns);
    result.rows = static_cast<std::uint64_t>(gridRows);
    const auto sensor = line(2, 3);
    result.sensor = {sensor[0], sensor[1], sensor[2]};
    for (std::uint64_t i = 0; i < 3; ++i)
        line(3 + i, 3);
    for (std::uint64_t i = 0; i < 4; ++i) {
        const auto axis = line(6 + i, 4);
        result.axes[i] = {axis[0], axis[1], axis[2]};
    }
    result.range = {row + kHeaderRows, result.columns * result.rows};
    return result;
}

/// How many of the columns x, y, z, intensity, red, green, blue the first row of a scan has.
std::size_t columnsOf(TextRowCursor& rows, const PtxScan& scan) {
    const std::size_t values = numbersOf(rows.lineAt(scan.range.first)).size();
    return values >= kColumns ? kColumns : values == 3 ? 3 : 4;
}

/// Finds all scans of the file; `missing` counts points that the last one claims but the file does not have.
std::vector<PtxScan> findScans(const InputFile& file, const TextRows& rows, std::uint64_t& missing,
                               const std::stop_token& stop) {
    std::vector<PtxScan> scans;
    TextRowCursor cursor(rows);
    for (std::uint64_t row = 0; row < rows.count();) {
        if (stop.stop_requested())
            throw Cancelled();
        if (row + kHeaderRows > rows.count() && !scans.empty())
            break;
        PtxScan scan = readHeader(file, cursor, row, scans.size());
        const std::uint64_t left = rows.count() - std::min(rows.count(), scan.range.first);
        missing = scan.range.count > left ? scan.range.count - left : 0;
        scan.range.count -= missing;
        if (scan.range.count > 0)
            scan.range.columns = columnsOf(cursor, scan);
        row = scan.range.first + scan.range.count;
        scans.push_back(scan);
    }
    return scans;
}

/// The columns that at least one scan has.
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
        // a column that some scans lack gets a floating type, which has NaN
        field.type = c < fewest ? columns[c].second : std::max(columns[c].second, ScalarType::float32);
        field.widens = true;
        layout.fields.push_back(field);
    }
    return layout;
}

/// Transforms the points of one scan into the common frame; 0 0 0, a ray without an echo, becomes NaN.
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
    std::uint64_t missing = 0;
    const auto scans = findScans(file, rows, missing, stop);
    if (scans.empty())
        throw EngineError("the PTX file '" + file.name() + "' has no scans", "Export it once more.");
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
    if (scans.size() == 1) {
        const PtxScan& scan = scans.front();
        // the identity and a sensor at 0 0 0 are defaults: they are ignored in a cloud far from the origin
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
