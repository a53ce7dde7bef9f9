// Merges posed scans: transforms their points, and concatenates the attributes common to all scans.
#include "engine/align/merge_clouds.h"

#include "engine/align/common_type.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/system_text.h"
#include "engine/compute/memory.h"
#include "engine/io/las/las_metadata.h"
#include "engine/recipe/defaults.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>

namespace scanloupe {

namespace {

constexpr std::size_t kMergeCloudsGrain = std::size_t{1} << 14;

using VectorNames = std::array<const char*, 3>;
constexpr VectorNames kNormal{"normal_x", "normal_y", "normal_z"};
constexpr VectorNames kSensor{"sensor_x", "sensor_y", "sensor_z"};

bool contains(const std::string& name, const VectorNames& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Three attributes that form a vector; converts to false if the cloud lacks one of them.
class VectorAttribute {
public:
    VectorAttribute(const PointCloud& cloud, const VectorNames& names) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_axes[axis] = cloud.attribute(names[axis]);
    }
    explicit operator bool() const { return m_axes[0] && m_axes[1] && m_axes[2]; }
    Vec3d at(std::size_t i) const { return {m_axes[0]->value(i), m_axes[1]->value(i), m_axes[2]->value(i)}; }

private:
    std::array<const Attribute*, 3> m_axes{};
};

/// The largest absolute coordinate of the cloud's bounding box at `pose`.
double largestCoordinate(const PointCloud& cloud, const RigidTransform& pose) {
    const Bounds& bounds = cloud.bounds();
    double largest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p =
            pose({corner & 1 ? bounds.max.x : bounds.min.x, corner & 2 ? bounds.max.y : bounds.min.y,
                  corner & 4 ? bounds.max.z : bounds.min.z});
        largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    }
    return largest;
}

/// The unit in the last place (ulp) of single precision at `value`.
double floatUlp(double value) {
    const auto rounded = static_cast<float>(value);
    return double(std::nextafter(rounded, std::numeric_limits<float>::infinity())) - double(rounded);
}

/// Whether single precision represents the posed scan with a loss of less than a decimal digit compared with
/// its file. False for scans that are stored in double precision or as scaled integers.
bool fitsFloat(const PosedCloud& scan) {
    constexpr double decimalDigit = 8; // rounded down to a power of two, since ratios of ulps are powers of
                                       // two
    if (!std::holds_alternative<FloatPositions>(scan.cloud->positions()))
        return false;
    const bool hasNoFinitePoint = scan.cloud->notFinite() == scan.cloud->size();
    if (hasNoFinitePoint || scan.pose == RigidTransform{})
        return true;
    return floatUlp(largestCoordinate(*scan.cloud, scan.pose)) <=
           decimalDigit * floatUlp(largestCoordinate(*scan.cloud, {}));
}

/// Returns the union of the ranges that the scans declare for an attribute; nullopt unless all of them
/// declare one.
std::optional<ValueRange> commonDeclaredRange(std::span<const Attribute* const> all) {
    std::optional<ValueRange> widest = all.front()->declared;
    for (const Attribute* one : all) {
        if (!one->declared || !widest)
            return std::nullopt;
        widest =
            ValueRange{std::min(widest->min, one->declared->min), std::max(widest->max, one->declared->max)};
    }
    return widest;
}

void store(Attribute& attribute, std::size_t i, double value) {
    visitScalar(attribute.type, [&](auto type) {
        const auto stored = static_cast<typename decltype(type)::type>(value);
        std::memcpy(attribute.dataToFill() + i * sizeof(stored), &stored, sizeof(stored));
    });
}

class CloudMerger {
public:
    CloudMerger(std::span<const PosedCloud> scans, UnknownSensors unknown, const std::stop_token& stop)
        : m_stop(stop), m_unknown(unknown), m_numbers(scans.size()) {
        for (std::size_t s = 0; s < scans.size(); ++s) {
            if (!scans[s].cloud)
                continue;
            scans[s].cloud->loadAll(stop);
            m_size += scans[s].cloud->size();
            m_scanNumbers.push_back(s);
            m_scans.push_back(scans[s]);
        }
        if (m_scans.empty())
            throw EngineError("There are no scans to merge.", "Select at least one scan.");
        chooseAttributes();
        checkCoordinateSystems();
        findSensors();
        m_useFloat = std::all_of(m_scans.begin(), m_scans.end(), fitsFloat);
    }

    PointCloud merge(const ProgressFunction& progress) {
        allocate();
        std::size_t first = 0;
        for (std::size_t s = 0; s < m_scans.size(); ++s) {
            copyScan(s, first);
            first += m_scans[s].cloud->size();
            if (progress)
                progress(double(s + 1) / double(m_scans.size()));
        }
        for (auto* columns : {&m_normals, &m_sensorColumns})
            for (Attribute& attribute : *columns)
                m_columns.push_back(std::move(attribute));
        m_columns.push_back(std::move(m_scanIndices));
        PointCloud cloud =
            m_useFloat ? PointCloud(FloatPositions{std::move(m_floats)}, std::move(m_columns), m_stop)
                       : PointCloud(DoublePositions{std::move(m_doubles), -1}, std::move(m_columns), m_stop);
        cloud.format = fmt::format("{} scans", m_scans.size());
        if (m_keepsCoordinateSystem)
            cloud.coordinateSystem = m_scans.front().cloud->coordinateSystem;
        std::vector<const PointCloud*> clouds;
        for (const PosedCloud& scan : m_scans)
            clouds.push_back(scan.cloud.get());
        cloud.source = mergeLasMetadata(clouds, m_keepsCoordinateSystem);
        for (const PosedCloud& scan : m_scans)
            for (const std::string& warning : scan.cloud->loadWarnings())
                m_warnings.push_back(
                    warningOfFile(std::filesystem::path(scan.cloud->path).filename().string(), warning));
        cloud.warnings = std::move(m_warnings);
        return cloud;
    }

private:
    void chooseAttributes() {
        std::vector<std::string> leftOut;
        for (const PosedCloud& scan : m_scans)
            for (const Attribute& attribute : scan.cloud->attributes()) {
                const std::string& name = attribute.name;
                const auto hasSameName = [&](const Attribute& other) { return other.name == name; };
                if (contains(name, kNormal) || contains(name, kSensor) || name == kScanAttribute ||
                    std::any_of(m_columns.begin(), m_columns.end(), hasSameName) ||
                    std::find(leftOut.begin(), leftOut.end(), name) != leftOut.end())
                    continue;
                std::vector<const Attribute*> all;
                for (const PosedCloud& other : m_scans)
                    all.push_back(other.cloud->attribute(name));
                if (std::find(all.begin(), all.end(), nullptr) != all.end()) {
                    leftOut.push_back(name);
                    continue;
                }
                const CommonType common = commonType(all);
                if (!common.exact)
                    m_warnings.push_back(fmt::format("attribute '{}': no type represents the values of all "
                                                     "scans exactly; they are rounded to double",
                                                     name));
                Attribute column;
                column.name = name;
                column.type = common.type;
                column.declared = commonDeclaredRange(all);
                const auto hasSameDescription = [&](const Attribute* other) {
                    return other->description == attribute.description;
                };
                if (std::all_of(all.begin(), all.end(), hasSameDescription))
                    column.description = attribute.description;
                m_columns.push_back(std::move(column));
            }
        if (!leftOut.empty())
            m_warnings.push_back(fmt::format("attributes that are not in every scan were left out: {}",
                                             fmt::join(leftOut, ", ")));
        m_hasNormals = std::all_of(m_scans.begin(), m_scans.end(), [](const PosedCloud& s) {
            return bool(VectorAttribute(*s.cloud, kNormal));
        });
    }

    /// Warns about differing coordinate systems. The merged cloud is in the frame of the first scan, and
    /// keeps the first scan's coordinate system if that scan is not moved.
    void checkCoordinateSystems() {
        std::vector<std::string> texts, names;
        for (const PosedCloud& scan : m_scans) {
            const std::string& system = scan.cloud->coordinateSystem;
            if (!system.empty() && std::find(texts.begin(), texts.end(), system) == texts.end())
                texts.push_back(system);
        }
        for (std::size_t t = 0; t < texts.size(); ++t) // texts may differ although they describe the same
                                                       // system
            if (std::none_of(texts.begin(), texts.begin() + std::ptrdiff_t(t),
                             [&](const std::string& earlier) { return isSameSystem(earlier, texts[t]); }))
                names.push_back(readSystemText(texts[t]).name);
        if (names.size() > 1) {
            m_warnings.push_back(
                fmt::format("the scans have different coordinate systems, and coordinates are not converted: "
                            "{}",
                            fmt::join(names, "; ")));
        }
        m_keepsCoordinateSystem = m_scans.front().pose == RigidTransform{};
        if (!m_keepsCoordinateSystem && !m_scans.front().cloud->coordinateSystem.empty())
            m_warnings.push_back("the coordinate system is left out, since the first scan was moved");
    }

    /// Finds the sensor position of each scan: per point, else from the file, else estimated as for a single
    /// scan.
    void findSensors() {
        m_hasSensors = true;
        for (const PosedCloud& scan : m_scans) {
            const bool hasPerPointSensors = bool(VectorAttribute(*scan.cloud, kSensor));
            std::optional<Vec3d> sensor;
            if (scan.cloud->sensor)
                sensor = scan.cloud->sensor->position;
            if (m_unknown == UnknownSensors::areEstimated && !hasPerPointSensors && !sensor &&
                scan.cloud->notFinite() < scan.cloud->size())
                sensor = defaultsFor(*scan.cloud, m_stop).sensor;
            const bool hasNoFinitePoint = scan.cloud->notFinite() == scan.cloud->size();
            if (hasNoFinitePoint && !hasPerPointSensors)
                sensor = sensor.value_or(Vec3d{}); // any position will do for a scan without finite points
            m_hasSensors = m_hasSensors && (sensor || hasPerPointSensors);
            m_sensorPositions.push_back(hasPerPointSensors ? std::nullopt : sensor);
        }
    }

    Attribute column(const std::string& name, ScalarType type) const {
        Attribute attribute;
        attribute.name = name;
        attribute.type = type;
        attribute.allocate(m_size);
        return attribute;
    }

    void allocate() {
        std::uint64_t bytesPerPoint = m_useFloat ? sizeof(Vec3f) : sizeof(Vec3d);
        for (const Attribute& attribute : m_columns)
            bytesPerPoint += sizeOf(attribute.type);
        const ScalarType coordinateType = m_useFloat ? ScalarType::float32 : ScalarType::float64;
        bytesPerPoint += 4 + (m_hasNormals ? 12 : 0) + (m_hasSensors ? 3 * sizeOf(coordinateType) : 0);
        requireMemory({fmt::format("The merged cloud of {} scans ({} points)", m_scans.size(), m_size),
                       m_size * bytesPerPoint, "Merge fewer scans."},
                      availableHostMemory());
        if (m_useFloat)
            m_floats = Buffer<Vec3f>::host(m_size);
        else
            m_doubles = Buffer<Vec3d>::host(m_size);
        for (Attribute& attribute : m_columns)
            attribute.allocate(m_size);
        if (m_hasNormals)
            for (const char* name : kNormal)
                m_normals.push_back(column(name, ScalarType::float32));
        if (m_hasSensors)
            for (const char* name : kSensor)
                m_sensorColumns.push_back(column(name, coordinateType));
        m_scanIndices = column(kScanAttribute, m_numbers <= 65536 ? ScalarType::uint16 : ScalarType::uint32);
        std::vector<std::string> names(m_numbers);
        for (std::size_t s = 0; s < m_scans.size(); ++s)
            names[m_scanNumbers[s]] = std::filesystem::path(m_scans[s].cloud->path).filename().string();
        m_scanIndices.classNames = std::make_shared<const std::vector<std::string>>(std::move(names));
    }

    void copyScan(std::size_t s, std::size_t first) {
        const PointCloud& cloud = *m_scans[s].cloud;
        const RigidTransform& pose = m_scans[s].pose;
        const VectorAttribute normals(cloud, kNormal), sensors(cloud, kSensor);
        const auto storeVector = [](std::vector<Attribute>& columns, std::size_t i, Vec3d v) {
            for (int axis = 0; axis < 3; ++axis)
                store(columns[std::size_t(axis)], i, v[axis]);
        };
        parallelFor(cloud.size(), kMergeCloudsGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3d p = pose(cloud.position(i));
                if (m_useFloat)
                    m_floats[first + i] = p.as<float>();
                else
                    m_doubles[first + i] = p;
                if (m_hasNormals)
                    storeVector(m_normals, first + i, pose.rotate(normals.at(i)));
                if (m_hasSensors)
                    storeVector(m_sensorColumns, first + i,
                                pose(m_sensorPositions[s] ? *m_sensorPositions[s] : sensors.at(i)));
                store(m_scanIndices, first + i, double(m_scanNumbers[s]));
            }
            for (Attribute& to : m_columns)
                copyValues(*cloud.attribute(to.name), to, first, begin, end);
        });
    }

    static void copyValues(const Attribute& from, Attribute& to, std::size_t first, std::size_t begin,
                           std::size_t end) {
        const std::size_t size = sizeOf(to.type);
        if (from.type == to.type) {
            std::memcpy(to.dataToFill() + (first + begin) * size, from.data() + begin * size,
                        (end - begin) * size);
            return;
        }
        // Converts directly and not through double, which does not represent all 64-bit integers.
        visitScalar(from.type, [&]<class From>(std::type_identity<From>) {
            visitScalar(to.type, [&]<class To>(std::type_identity<To>) {
                for (std::size_t i = begin; i < end; ++i) {
                    From value;
                    std::memcpy(&value, from.data() + i * sizeof(From), sizeof(From));
                    const To stored = static_cast<To>(value);
                    std::memcpy(to.dataToFill() + (first + i) * sizeof(To), &stored, sizeof(To));
                }
            });
        });
    }

    const std::stop_token& m_stop;
    UnknownSensors m_unknown;
    const std::size_t m_numbers; ///< number of all scans, including those without a cloud
    std::vector<PosedCloud> m_scans;
    std::vector<std::size_t> m_scanNumbers; ///< indices of m_scans among all scans
    std::size_t m_size = 0;
    bool m_keepsCoordinateSystem = true; ///< whether the merged cloud keeps the first scan's coordinate
                                         ///< system
    bool m_useFloat = true, m_hasNormals = false, m_hasSensors = false;
    std::vector<std::optional<Vec3d>> m_sensorPositions; ///< one per scan; nullopt if each point has its own
                                                         ///< sensor position
    Buffer<Vec3f> m_floats;
    Buffer<Vec3d> m_doubles;
    std::vector<Attribute> m_columns, m_normals, m_sensorColumns;
    Attribute m_scanIndices;
    std::vector<std::string> m_warnings;
};

} // namespace

PointCloud mergeClouds(std::span<const PosedCloud> scans, const ProgressFunction& progress,
                       const std::stop_token& stop, UnknownSensors sensors) {
    return CloudMerger(scans, sensors, stop).merge(progress);
}

} // namespace scanloupe
