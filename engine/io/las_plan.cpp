#include "engine/io/las_plan.h"

#include "engine/cloud/scalar_visit.h"
#include "engine/io/field_names.h"
#include "engine/io/las_extra.h"
#include "engine/io/las_names.h"
#include "engine/io/little_endian.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 15;

bool isFloating(ScalarType type) {
    return type >= ScalarType::float32;
}

/// True when all values are integers of low .. high, or the column is a double that holds the type.
bool fits(const Attribute& attribute, std::size_t size, const LasColumn& column,
          const std::stop_token& stop) {
    const bool wide = attribute.type == ScalarType::int64 || attribute.type == ScalarType::uint64;
    if (isFloating(column.type))
        return column.type == attribute.type || (column.type == ScalarType::float64 && !wide);
    if (column.type == attribute.type && column.kind == LasColumn::Kind::plain)
        return true;
    double low = 0, high = (1 << column.width) - 1;
    if (column.kind == LasColumn::Kind::plain)
        visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
            low = static_cast<double>(std::numeric_limits<T>::lowest());
            high = static_cast<double>(std::numeric_limits<T>::max());
        });
    if (attribute.notFinite > 0 || attribute.min < low || attribute.max > high || wide)
        return false;
    return !isFloating(attribute.type) ||
           parallelReduce(
               size, kGrain, stop, true,
               [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i)
                       if (const double v = attribute.value(i); v != std::trunc(v))
                           return false;
                   return true;
               },
               [](bool a, bool b) { return a && b; });
}

class Planner {
public:
    Planner(const PointCloud& cloud, const std::stop_token& stop) : m_cloud(cloud), m_stop(stop) {}

    LasPlan make() {
        LasPlan plan;
        plan.pointFormat = chooseFormat();
        plan.minor = plan.pointFormat >= 6 ? 4 : plan.pointFormat >= 4 ? 3 : 2;
        plan.recordLength = lasPointSize(plan.pointFormat);
        plan.frame = lasFrame(m_cloud, m_stop);
        std::set<const Attribute*> placed;
        for (const LasColumn& column : lasStandardColumns(plan.pointFormat)) {
            const Attribute* attribute = sourceOf(column);
            if (!attribute)
                continue;
            plan.sources.push_back({column, attribute});
            placed.insert(attribute);
        }
        for (const Attribute& attribute : m_cloud.attributes())
            if (!placed.contains(&attribute))
                addExtra(plan, attribute);
        choosePoints(plan);
        return plan;
    }

private:
    const Attribute* sourceOf(const LasColumn& column) const {
        // what a reader calls the standard value of a file that has an extra one of the same name
        const Attribute* attribute = m_cloud.attribute(displacedLasName(column.name));
        if (!attribute)
            attribute = m_cloud.attribute(canonicalNames({column.name})[0]);
        return attribute && fits(*attribute, m_cloud.size(), column, m_stop) ? attribute : nullptr;
    }
    bool has(int format, std::initializer_list<const char*> names) const {
        for (const char* name : names) {
            bool found = false;
            for (const LasColumn& column : lasStandardColumns(format))
                found = found || (column.name == name && sourceOf(column));
            if (!found)
                return false;
        }
        return true;
    }
    /// True when nothing of the cloud is lost, or made an extra value, in a point format of before 1.4.
    bool fitsOldFormats() const {
        if (!has(5, {"scan_angle_rank"}) || m_cloud.size() > std::numeric_limits<std::uint32_t>::max())
            return false;
        for (const LasColumn& column : lasStandardColumns(10)) {
            const bool theirs = has(5, {column.name.c_str()});
            if (column.name.size() > 1 && sourceOf(column) && !theirs)
                return false;
        }
        return true;
    }
    int chooseFormat() const {
        const bool colours = has(3, {"red", "green", "blue"});
        const bool waves = has(4, {"wave_packet", "wave_offset", "wave_size", "wave_return_point", "wave_dx",
                                   "wave_dy", "wave_dz"});
        if (fitsOldFormats()) {
            if (waves)
                return colours ? 5 : 4;
            return (colours ? 2 : 0) + (has(1, {"gps_time"}) ? 1 : 0);
        }
        const bool infrared = colours && has(8, {"near_infrared"});
        if (waves)
            return colours ? 10 : 9;
        return infrared ? 8 : colours ? 7 : 6;
    }
    void addExtra(LasPlan& plan, const Attribute& attribute) const {
        LasColumn column;
        column.name = attribute.name;
        column.type = attribute.type;
        column.place = plan.recordLength;
        plan.recordLength += sizeOf(attribute.type);
        plan.extra.push_back(&attribute);
        constexpr std::size_t mostBytes =
            65535; // of a point, and of the record that describes the extra ones
        if (plan.recordLength > mostBytes || plan.extra.size() * kLasExtraRecord > mostBytes)
            throw EngineError(fmt::format("a LAS file can't hold as many attributes as the {} of this cloud",
                                          m_cloud.attributes().size()),
                              "Write the cloud as .ply or .pcd.");
        plan.sources.push_back({std::move(column), &attribute});
    }
    void choosePoints(LasPlan& plan) const {
        plan.points = m_cloud.size() - static_cast<std::size_t>(m_cloud.notFinite());
        if (m_cloud.notFinite() == 0)
            return;
        plan.finite.reserve(plan.points);
        for (std::size_t i = 0; i < m_cloud.size(); ++i) {
            if (i % kGrain == 0 && m_stop.stop_requested())
                throw Cancelled();
            if (isFinite(m_cloud.position(i)))
                plan.finite.push_back(i);
        }
    }
    const PointCloud& m_cloud;
    const std::stop_token& m_stop;
};

} // namespace

LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop) {
    return Planner(cloud, stop).make();
}

void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record) {
    const std::size_t i = plan.finite.empty() ? row : plan.finite[row];
    const auto* held = std::get_if<ScaledPositions>(&cloud.positions());
    const Vec3i stored = held ? held->xyz[i] : plan.frame.stored(cloud.position(i));
    for (int axis = 0; axis < 3; ++axis)
        storeLittle(record + 4 * axis, stored[axis]);
    for (const LasSource& source : plan.sources) {
        const LasColumn& column = source.column;
        const Attribute& attribute = *source.attribute;
        std::byte* to = record + column.place;
        if (column.kind == LasColumn::Kind::bits) {
            *to |= static_cast<std::byte>(static_cast<unsigned>(attribute.value(i)) << column.shift);
            continue;
        }
        visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
            T value;
            if (column.type == attribute.type)
                std::memcpy(&value, attribute.data.data() + i * sizeof(T), sizeof(T));
            else
                value = static_cast<T>(attribute.value(i));
            storeLittle(to, value);
        });
    }
}

} // namespace scanloupe::detail
