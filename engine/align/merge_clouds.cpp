#include "engine/align/merge_clouds.h"

#include "engine/align/joined_types.h"
#include "engine/cloud/scalar_visit.h"
#include "engine/compute/memory.h"
#include "engine/io/las_origin.h"
#include "engine/pipeline/defaults.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 14;

using TripleNames = std::array<const char*, 3>;
constexpr TripleNames kNormal{"normal_x", "normal_y", "normal_z"};
constexpr TripleNames kSensor{"sensor_x", "sensor_y", "sensor_z"};

bool isIn(const std::string& name, const TripleNames& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Three attributes that are a vector together, if the cloud has them all.
class Triple {
public:
    Triple(const PointCloud& cloud, const TripleNames& names) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_axes[axis] = cloud.attribute(names[axis]);
    }
    explicit operator bool() const { return m_axes[0] && m_axes[1] && m_axes[2]; }
    Vec3d at(std::size_t i) const { return {m_axes[0]->value(i), m_axes[1]->value(i), m_axes[2]->value(i)}; }

private:
    std::array<const Attribute*, 3> m_axes{};
};

/// The largest coordinate that the cloud has when it stands there.
double reach(const PointCloud& cloud, const RigidTransform& pose) {
    const Bounds& bounds = cloud.bounds();
    double farthest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p =
            pose({corner & 1 ? bounds.max.x : bounds.min.x, corner & 2 ? bounds.max.y : bounds.min.y,
                  corner & 4 ? bounds.max.z : bounds.min.z});
        farthest = std::max({farthest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    }
    return farthest;
}

/// The step between numbers of single precision there.
double singleStep(double value) {
    const auto single = static_cast<float>(value);
    return double(std::nextafter(single, std::numeric_limits<float>::infinity())) - double(single);
}

/// Whether single precision holds a scan where it is put about as well as its file does: it loses less than a
/// decimal digit. What is stored with more digits needs double.
bool fitsSingle(const PosedCloud& scan) {
    constexpr double digit = 8; // in powers of two
    if (!std::holds_alternative<FloatPositions>(scan.cloud->positions()))
        return false;
    const bool isEmpty = scan.cloud->notFinite() == scan.cloud->size();
    if (isEmpty || scan.pose == RigidTransform{})
        return true;
    return singleStep(reach(*scan.cloud, scan.pose)) <= digit * singleStep(reach(*scan.cloud, {}));
}

/// A coordinate system as people call it: the name that WKT begins with, else the beginning.
std::string systemName(const std::string& system) {
    constexpr std::size_t most = 60;
    const std::size_t begin = system.find('"'), end = system.find('"', begin + 1);
    const bool quoted = begin != std::string::npos && end != std::string::npos;
    return quoted ? system.substr(begin + 1, std::min(end - begin - 1, most)) : system.substr(0, most);
}

/// The widest full scale that scans declare of an attribute; none where one of them declares none.
std::optional<ValueRange> joinedScale(std::span<const Attribute* const> all) {
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
        std::memcpy(attribute.data.data() + i * sizeof(stored), &stored, sizeof(stored));
    });
}

class CloudMerger {
public:
    CloudMerger(std::span<const PosedCloud> scans, const std::stop_token& stop)
        : m_scans(scans), m_stop(stop) {
        for (const PosedCloud& scan : scans)
            m_size += scan.cloud->size();
        chooseAttributes();
        compareSystems();
        findSensors();
        m_single = std::all_of(scans.begin(), scans.end(), fitsSingle);
    }

    PointCloud merge(const ProgressFunction& progress) {
        takeMemory();
        std::size_t first = 0;
        for (std::size_t s = 0; s < m_scans.size(); ++s) {
            copyScan(s, first);
            first += m_scans[s].cloud->size();
            if (progress)
                progress(double(s + 1) / double(m_scans.size()));
        }
        for (auto* triple : {&m_normals, &m_sensorColumns})
            for (Attribute& attribute : *triple)
                m_columns.push_back(std::move(attribute));
        m_columns.push_back(std::move(m_number));
        PointCloud cloud =
            m_single ? PointCloud(FloatPositions{std::move(m_floats)}, std::move(m_columns), m_stop)
                     : PointCloud(DoublePositions{std::move(m_doubles), -1}, std::move(m_columns), m_stop);
        cloud.format = fmt::format("{} scans", m_scans.size());
        if (m_namesSystem)
            cloud.coordinateSystem = m_scans.front().cloud->coordinateSystem;
        std::vector<const PointCloud*> clouds;
        for (const PosedCloud& scan : m_scans)
            clouds.push_back(scan.cloud.get());
        cloud.source = commonLasOrigin(clouds, m_namesSystem);
        cloud.warnings = std::move(m_warnings);
        return cloud;
    }

private:
    void chooseAttributes() {
        std::vector<std::string> leftOut;
        for (const PosedCloud& scan : m_scans)
            for (const Attribute& attribute : scan.cloud->attributes()) {
                const std::string& name = attribute.name;
                const auto known = [&](const Attribute& other) { return other.name == name; };
                if (isIn(name, kNormal) || isIn(name, kSensor) || name == kScanAttribute ||
                    std::any_of(m_columns.begin(), m_columns.end(), known) ||
                    std::find(leftOut.begin(), leftOut.end(), name) != leftOut.end())
                    continue;
                std::vector<const Attribute*> all;
                for (const PosedCloud& other : m_scans)
                    all.push_back(other.cloud->attribute(name));
                if (std::find(all.begin(), all.end(), nullptr) != all.end()) {
                    leftOut.push_back(name);
                    continue;
                }
                const JoinedType joined = joinedType(all);
                if (!joined.exact)
                    m_warnings.push_back(fmt::format(
                        "no type holds the values that all scans have of '{}'; they are rounded to double",
                        name));
                Attribute column;
                column.name = name;
                column.type = joined.type;
                column.declared = joinedScale(all);
                const auto isDescribedSo = [&](const Attribute* other) {
                    return other->description == attribute.description;
                };
                if (std::all_of(all.begin(), all.end(), isDescribedSo))
                    column.description = attribute.description;
                m_columns.push_back(std::move(column));
            }
        if (!leftOut.empty())
            m_warnings.push_back(
                fmt::format("left out, since not all scans have it: {}", fmt::join(leftOut, ", ")));
        m_hasNormals = std::all_of(m_scans.begin(), m_scans.end(),
                                   [](const PosedCloud& s) { return bool(Triple(*s.cloud, kNormal)); });
    }

    /// The world's frame is that of the first scan where that stays in its place.
    void compareSystems() {
        std::vector<std::string> names;
        for (const PosedCloud& scan : m_scans) {
            const std::string& system = scan.cloud->coordinateSystem;
            if (!system.empty() && std::find(names.begin(), names.end(), system) == names.end())
                names.push_back(system);
        }
        if (names.size() > 1) {
            std::transform(names.begin(), names.end(), names.begin(), systemName);
            m_warnings.push_back(
                fmt::format("the scans name different coordinate systems, which nothing here brings "
                            "together: {}",
                            fmt::join(names, "; ")));
        }
        m_namesSystem = m_scans.front().pose == RigidTransform{};
        if (!m_namesSystem && !m_scans.front().cloud->coordinateSystem.empty())
            m_warnings.push_back("the name of the coordinate system is left out, since the scans were moved");
    }

    /// Each point's own, the file's, or guessed as for one scan alone.
    void findSensors() {
        m_hasSensors = true;
        for (const PosedCloud& scan : m_scans) {
            const bool each = bool(Triple(*scan.cloud, kSensor));
            std::optional<Vec3d> sensor;
            if (scan.cloud->sensor)
                sensor = scan.cloud->sensor->position;
            if (!each && !sensor && scan.cloud->notFinite() < scan.cloud->size())
                sensor = defaultsFor(*scan.cloud, m_stop).sensor;
            const bool holdsNothing = scan.cloud->notFinite() == scan.cloud->size();
            if (holdsNothing && !each)
                sensor = sensor.value_or(Vec3d{}); // of no point
            m_hasSensors = m_hasSensors && (sensor || each);
            m_sensors.push_back(each ? std::nullopt : sensor);
        }
    }

    Attribute column(const std::string& name, ScalarType type) const {
        Attribute attribute;
        attribute.name = name;
        attribute.type = type;
        attribute.data = Buffer<std::byte>::host(m_size * sizeOf(type));
        return attribute;
    }

    void takeMemory() {
        std::uint64_t perPoint = m_single ? sizeof(Vec3f) : sizeof(Vec3d);
        for (const Attribute& attribute : m_columns)
            perPoint += sizeOf(attribute.type);
        const ScalarType place = m_single ? ScalarType::float32 : ScalarType::float64;
        perPoint += 4 + (m_hasNormals ? 12 : 0) + (m_hasSensors ? 3 * sizeOf(place) : 0);
        requireMemory({fmt::format("One cloud of {} scans ({} points)", m_scans.size(), m_size),
                       m_size * perPoint, "Take fewer scans together."},
                      availableHostMemory());
        if (m_single)
            m_floats = Buffer<Vec3f>::host(m_size);
        else
            m_doubles = Buffer<Vec3d>::host(m_size);
        for (Attribute& attribute : m_columns)
            attribute.data = Buffer<std::byte>::host(m_size * sizeOf(attribute.type));
        if (m_hasNormals)
            for (const char* name : kNormal)
                m_normals.push_back(column(name, ScalarType::float32));
        if (m_hasSensors)
            for (const char* name : kSensor)
                m_sensorColumns.push_back(column(name, place));
        m_number = column(kScanAttribute, m_scans.size() <= 65536 ? ScalarType::uint16 : ScalarType::uint32);
    }

    void copyScan(std::size_t s, std::size_t first) {
        const PointCloud& cloud = *m_scans[s].cloud;
        const RigidTransform& pose = m_scans[s].pose;
        const Triple normals(cloud, kNormal), sensors(cloud, kSensor);
        const auto put = [](std::vector<Attribute>& columns, std::size_t i, Vec3d v) {
            for (int axis = 0; axis < 3; ++axis)
                store(columns[std::size_t(axis)], i, v[axis]);
        };
        parallelFor(cloud.size(), kGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3d p = pose(cloud.position(i));
                if (m_single)
                    m_floats[first + i] = p.as<float>();
                else
                    m_doubles[first + i] = p;
                if (m_hasNormals)
                    put(m_normals, first + i, pose.rotate(normals.at(i)));
                if (m_hasSensors)
                    put(m_sensorColumns, first + i, pose(m_sensors[s] ? *m_sensors[s] : sensors.at(i)));
                store(m_number, first + i, double(s));
            }
            for (Attribute& to : m_columns)
                copyValues(*cloud.attribute(to.name), to, first, begin, end);
        });
    }

    static void copyValues(const Attribute& from, Attribute& to, std::size_t first, std::size_t begin,
                           std::size_t end) {
        const std::size_t size = sizeOf(to.type);
        if (from.type == to.type) {
            std::memcpy(to.data.data() + (first + begin) * size, from.data.data() + begin * size,
                        (end - begin) * size);
            return;
        }
        // from type to type and not through double, which integers of 64 bits don't fit
        visitScalar(from.type, [&]<class From>(std::type_identity<From>) {
            visitScalar(to.type, [&]<class To>(std::type_identity<To>) {
                for (std::size_t i = begin; i < end; ++i) {
                    From value;
                    std::memcpy(&value, from.data.data() + i * sizeof(From), sizeof(From));
                    const To stored = static_cast<To>(value);
                    std::memcpy(to.data.data() + (first + i) * sizeof(To), &stored, sizeof(To));
                }
            });
        });
    }

    const std::span<const PosedCloud> m_scans;
    const std::stop_token& m_stop;
    std::size_t m_size = 0;
    bool m_namesSystem = true; ///< whether the first scan's coordinate system is that of all
    bool m_single = true, m_hasNormals = false, m_hasSensors = false;
    std::vector<std::optional<Vec3d>> m_sensors; ///< one a scan; none where each point has its own
    Buffer<Vec3f> m_floats;
    Buffer<Vec3d> m_doubles;
    std::vector<Attribute> m_columns, m_normals, m_sensorColumns;
    Attribute m_number;
    std::vector<std::string> m_warnings;
};

} // namespace

PointCloud mergeClouds(std::span<const PosedCloud> scans, const ProgressFunction& progress,
                       const std::stop_token& stop) {
    if (scans.empty())
        throw EngineError("There is no scan to put together.", "Choose one or more.");
    return CloudMerger(scans, stop).merge(progress);
}

} // namespace scanloupe
