#include "engine/align/merge_clouds.h"

#include "engine/cloud/scalar_visit.h"
#include "engine/compute/memory.h"
#include "engine/pipeline/defaults.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 14;
constexpr double kFloatReach = 4096; // metres: float resolves half a millimetre there

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

/// A type that holds the values of both.
ScalarType joined(ScalarType a, ScalarType b) {
    if (a == b)
        return a;
    const auto small = [](ScalarType type) { return sizeOf(type) <= 2 || type == ScalarType::float32; };
    return small(a) && small(b) ? ScalarType::float32 : ScalarType::float64;
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
        findSensors();
        choosePositions();
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
        cloud.coordinateSystem = m_scans.front().cloud->coordinateSystem;
        cloud.systemRecords = m_scans.front().cloud->systemRecords;
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
                const bool everywhere = std::all_of(m_scans.begin(), m_scans.end(), [&](const PosedCloud& s) {
                    return s.cloud->attribute(name) != nullptr;
                });
                if (!everywhere) {
                    leftOut.push_back(name);
                    continue;
                }
                Attribute column;
                column.name = name;
                column.type = attribute.type;
                for (const PosedCloud& other : m_scans)
                    column.type = joined(column.type, other.cloud->attribute(name)->type);
                m_columns.push_back(std::move(column));
            }
        if (!leftOut.empty())
            m_warnings.push_back(
                fmt::format("left out, since not all scans have it: {}", fmt::join(leftOut, ", ")));
        m_hasNormals = std::all_of(m_scans.begin(), m_scans.end(),
                                   [](const PosedCloud& s) { return bool(Triple(*s.cloud, kNormal)); });
    }

    /// Each point's own, the file's, or guessed as for one scan alone.
    void findSensors() {
        m_hasSensors = true;
        for (const PosedCloud& scan : m_scans) {
            const bool each = bool(Triple(*scan.cloud, kSensor));
            std::optional<Vec3d> sensor = scan.cloud->sensor;
            if (!each && !sensor && scan.cloud->notFinite() < scan.cloud->size())
                sensor = defaultsFor(*scan.cloud, m_stop).sensor;
            m_hasSensors = m_hasSensors && (sensor || each);
            m_sensors.push_back(each ? std::nullopt : sensor);
        }
    }

    void choosePositions() {
        m_single = true;
        for (const PosedCloud& scan : m_scans) {
            const Bounds& bounds = scan.cloud->bounds();
            for (int corner = 0; corner < 8; ++corner) {
                const Vec3d p = scan.pose({corner & 1 ? bounds.max.x : bounds.min.x,
                                           corner & 2 ? bounds.max.y : bounds.min.y,
                                           corner & 4 ? bounds.max.z : bounds.min.z});
                m_single = m_single && std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < kFloatReach;
            }
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
        for (std::size_t i = begin; i < end; ++i)
            store(to, first + i, from.value(i));
    }

    const std::span<const PosedCloud> m_scans;
    const std::stop_token& m_stop;
    std::size_t m_size = 0;
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
