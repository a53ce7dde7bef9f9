// Reads E57 files (ASTM E2807): all scans of a file into one cloud.
#include "engine/io/e57/read_e57.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/read_options.h"
#include "engine/io/e57/e57_columns.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::size_t kReadE57Grain = std::size_t{1} << 15;

/// Whether the scan's points have three coordinates.
bool hasCoordinates(const E57Scan& scan) {
    return (scan.find("cartesianX") >= 0 && scan.find("cartesianY") >= 0 && scan.find("cartesianZ") >= 0) ||
           (scan.spherical() && scan.find("sphericalAzimuth") >= 0 && scan.find("sphericalElevation") >= 0);
}

/// Reader of a file.
class E57Reader {
public:
    E57Reader(const InputFile& file, const ReadOptions& options, const std::stop_token& stop)
        : m_file(file), m_options(options), m_stop(stop), m_pages(file) {}

    std::shared_ptr<PointCloud> read() {
        m_found = readE57Xml(m_pages);
        findParts();
        const E57Columns columns = planE57Columns(m_file, m_parts);
        if (columns.differentScales)
            m_warnings.push_back(
                "The scans have different colour limits; the widest limits were used for all scans.");
        m_builder.emplace(m_file, columns.fields, static_cast<std::size_t>(m_rows));
        fillMissingWithNan(columns);
        readParts();
        compactRows();
        if (m_rows == 0 && m_claimed > 0)
            throwNothingWhole();
        clearInvalid(columns);
        if (auto* held = std::get_if<ScaledPositions>(&m_builder->positions())) {
            held->scale = columns.scale;
            held->offset = columns.offset;
        }
        addScanColumns();
        return finish();
    }

private:
    [[noreturn]] void throwNothingWhole() const {
        if (m_problem.empty())
            scanloupe::throwNothingWhole(m_file, m_claimed);
        throw EngineError(fmt::format("'{}' can't be read: {}", m_file.name(), m_problem),
                          "The file is damaged. Copy or export it again.");
    }

    /// Lists the scans that have points with coordinates, and counts their complete points.
    void findParts() {
        const E57Scan* without = nullptr;
        std::size_t coordinateless = 0, shared = 0;
        E57Extents extents;
        for (const E57Scan& scan : m_found.scans) {
            if (!hasCoordinates(scan)) {
                without = &scan;
                ++coordinateless;
                continue;
            }
            E57Part part;
            part.scan = &scan;
            part.first = m_rows;
            if (scan.points > 0)
                part.plan = planE57(m_pages, scan, extents, m_problem, m_stop);
            if (part.plan.shared) {
                ++shared;
                continue;
            }
            part.points = part.plan.points;
            m_claimed += scan.points;
            m_rows += part.points;
            m_parts.push_back(std::move(part));
        }
        if (m_found.scans.empty())
            throw EngineError(fmt::format("'{}' has no scans of points", m_file.name()),
                              m_found.images > 0 ? "It contains only images, which Scanloupe does not show."
                                                 : "Export the scans again.");
        if (without && m_parts.empty()) {
            std::vector<Field> fields;
            for (const E57Field& field : without->fields)
                fields.push_back({field.name});
            // Throws an error that names the missing coordinates and the existing fields.
            const CloudBuilder refuses(m_file, fields, 0);
        }
        if (without)
            m_warnings.push_back(fmt::format("{} of {} scans have no coordinates and were left out.",
                                             coordinateless, m_found.scans.size()));
        if (shared > 0)
            m_warnings.push_back(
                fmt::format("{} of {} scans refer to the points of another scan, and were left out.", shared,
                            m_found.scans.size()));
        if (m_rows == 0 && m_claimed > 0)
            throwNothingWhole();
    }

    /// Fills columns that are missing in some scans with NaN. The scans with such a column overwrite their
    /// rows later.
    void fillMissingWithNan(const E57Columns& columns) {
        for (std::size_t c = 3; c < columns.fields.size(); ++c) {
            const ColumnTarget& target = m_builder->targets()[c];
            if (!columns.partial[c])
                continue;
            if (target.type == ScalarType::float32)
                std::fill_n(reinterpret_cast<float*>(target.data), m_rows,
                            std::numeric_limits<float>::quiet_NaN());
            else
                std::fill_n(reinterpret_cast<double*>(target.data), m_rows,
                            std::numeric_limits<double>::quiet_NaN());
        }
    }

    void readParts() {
        ProgressMeter meter(m_options.progress, m_rows);
        for (E57Part& part : m_parts) {
            const E57Scan& scan = *part.scan;
            const int progressField = scan.find(scan.spherical() ? "sphericalRange" : "cartesianX");
            const auto storeValues = [&](const E57Values& values) {
                const int column = part.columns[values.field];
                if (column == E57Part::kInvalid)
                    storeStates(values, part.first);
                else
                    storeE57Values(values, scan.fields[values.field], part.first,
                                   m_builder->targets()[static_cast<std::size_t>(column)]);
                if (static_cast<int>(values.field) == progressField)
                    meter.add(values.integers.size() + values.reals.size());
            };
            const bool states =
                std::find(part.columns.begin(), part.columns.end(), E57Part::kInvalid) != part.columns.end();
            if (states && m_states.empty())
                m_states.resize(static_cast<std::size_t>(m_rows));
            if (part.points > 0)
                part.points = readE57Points(m_pages, scan, part.plan, storeValues, m_problem, m_stop);
            transformPoints(part);
        }
        meter.finish();
    }

    void storeStates(const E57Values& values, std::uint64_t firstRow) {
        std::uint8_t* to = m_states.data() + firstRow + values.first;
        for (const std::int64_t value : values.integers)
            *to++ = static_cast<std::uint8_t>(std::clamp<std::int64_t>(value, 0, 255));
        for (const double value : values.reals)
            *to++ = value >= 0 && value < 255 ? static_cast<std::uint8_t>(value) : 255;
    }

    /// Converts the points of a scan to Cartesian coordinates, and transforms them from the scanner's frame
    /// to the file's frame.
    void transformPoints(const E57Part& part) {
        const bool spherical = part.scan->spherical();
        const bool moved = part.scan->pose && !part.scan->pose->identity();
        if (!spherical && !moved)
            return;
        const auto points =
            std::get<DoublePositions>(m_builder->positions())
                .xyz.span()
                .subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.points));
        parallelFor(points.size(), kReadE57Grain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (Vec3d& p : points.subspan(begin, end - begin)) {
                if (spherical) // range, azimuth, elevation
                    p = {p.x * std::cos(p.z) * std::cos(p.y), p.x * std::cos(p.z) * std::sin(p.y),
                         p.x * std::sin(p.z)};
                if (moved)
                    p = part.scan->pose->apply(p);
            }
        });
    }

    /// Removes the rows of points that could not be read.
    void compactRows() {
        std::uint64_t whole = 0;
        for (E57Part& part : m_parts) {
            m_builder->moveRows(static_cast<std::size_t>(whole), static_cast<std::size_t>(part.first),
                                static_cast<std::size_t>(part.points));
            for (std::uint64_t i = 0; !m_states.empty() && i < part.points; ++i)
                m_states[static_cast<std::size_t>(whole + i)] =
                    m_states[static_cast<std::size_t>(part.first + i)];
            part.first = whole;
            whole += part.points;
        }
        m_missing = m_claimed - whole;
        m_rows = whole;
        m_builder->shrink(static_cast<std::size_t>(whole));
        m_states.resize(m_states.empty() ? 0 : static_cast<std::size_t>(whole));
    }

    /// Sets the coordinates of points that the scanner marks as invalid to NaN. In the file, these points
    /// have placeholder coordinates. The points keep their indices.
    void clearInvalid(const E57Columns& columns) {
        m_invalid = static_cast<std::uint64_t>(
            std::count_if(m_states.begin(), m_states.end(), [](std::uint8_t state) { return state != 0; }));
        if (m_invalid == 0)
            return;
        Positions& positions = m_builder->positions();
        if (const auto* held = std::get_if<ScaledPositions>(&positions)) { // integers can't represent NaN
            const ScaledFrame frame(columns.scale, columns.offset);
            DoublePositions wide{Buffer<Vec3d>::host(held->xyz.size()), -1};
            for (std::size_t i = 0; i < held->xyz.size(); ++i)
                wide.xyz[i] = frame.position(held->xyz[i]);
            positions = std::move(wide);
        }
        const auto clear = [&](auto& xyz) {
            for (std::size_t i = 0; i < m_states.size(); ++i)
                if (m_states[i] != 0)
                    xyz[i].x = xyz[i].y = xyz[i].z = std::numeric_limits<float>::quiet_NaN();
        };
        if (auto* floats = std::get_if<FloatPositions>(&positions))
            clear(floats->xyz);
        else
            clear(std::get<DoublePositions>(positions).xyz);
        std::byte* states = m_builder->addAttribute("invalid_state", ScalarType::uint8);
        std::memcpy(states, m_states.data(), m_states.size());
    }

    template <class T>
    void addPerScan(const char* name, ScalarType type, const std::function<T(std::size_t)>& value) {
        auto* values = reinterpret_cast<T*>(m_builder->addAttribute(name, type));
        for (std::size_t p = 0; p < m_parts.size(); ++p)
            std::fill_n(values + m_parts[p].first, m_parts[p].points, value(p));
    }

    /// Adds attributes with the index of each point's scan and the position of its scanner, if there are
    /// several scans.
    void addScanColumns() {
        if (m_parts.size() < 2)
            return;
        addPerScan<std::uint32_t>("scan", ScalarType::uint32,
                                  [](std::size_t p) { return static_cast<std::uint32_t>(p); });
        const bool posed =
            std::any_of(m_parts.begin(), m_parts.end(), [](const E57Part& p) { return p.scan->pose; });
        for (int axis = 0; posed && axis < 3; ++axis) {
            const std::string name = std::string("sensor_") + "xyz"[axis];
            addPerScan<double>(name.c_str(), ScalarType::float64, [&](std::size_t p) {
                return m_parts[p].scan->pose ? m_parts[p].scan->pose->translation[axis] : 0.0;
            });
        }
    }

    std::shared_ptr<PointCloud> finish() {
        auto cloud = m_builder->finish(-1, m_stop);
        cloud->format = fmt::format("E57 1.0, {} scan{}", m_parts.size(), m_parts.size() == 1 ? "" : "s");
        cloud->coordinateSystem = m_found.coordinateSystem;
        if (m_parts.size() == 1 && m_parts[0].scan->pose)
            cloud->sensor = SensorPose{m_parts[0].scan->pose->translation, m_parts[0].scan->pose->rotation};
        const std::vector<std::string>* const warningLists[] = {&m_found.warnings, &m_warnings};
        for (const auto* sentences : warningLists)
            cloud->warnings.insert(cloud->warnings.end(), sentences->begin(), sentences->end());
        if (!m_problem.empty())
            addDamage(*cloud, m_problem);
        if (m_missing > 0)
            addDamage(*cloud, truncationWarning(m_claimed - m_missing, m_claimed));
        if (m_invalid > 0)
            cloud->warnings.push_back(fmt::format(
                "{} points are marked as invalid by the scanner: they have no coordinates.", m_invalid));
        if (m_found.images > 0)
            cloud->warnings.push_back(
                fmt::format("The images of the file ({}) are not shown.", m_found.images));
        return cloud;
    }

    const InputFile& m_file;
    const ReadOptions& m_options;
    const std::stop_token& m_stop;
    E57Pages m_pages;
    E57File m_found;
    std::vector<E57Part> m_parts;
    std::vector<std::string> m_warnings;
    std::string m_problem; ///< reason why points are missing; empty if none are missing
    std::uint64_t m_rows = 0, m_claimed = 0, m_missing = 0, m_invalid = 0;
    std::vector<std::uint8_t> m_states; ///< [rows] 0: valid; empty if no scan has such a field
    std::optional<CloudBuilder> m_builder;
};

} // namespace

bool beginsE57(std::string_view head) {
    return head.starts_with("ASTM-E57");
}

std::shared_ptr<const PointCloud> readE57(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    try {
        return E57Reader(file, options, stop).read();
    } catch (const E57ChecksumError& bad) { // damage in the XML that describes the scans
        throw EngineError(fmt::format("'{}' can't be read: {}", file.name(), bad.sentence()),
                          "The file is damaged. Copy or export it again.");
    }
}

} // namespace scanloupe
