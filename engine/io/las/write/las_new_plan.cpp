// Plans a new LAS file: chooses the point format, and maps attributes to its fields and to extra bytes.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/field_names.h"
#include "engine/io/las/las_extra_bytes.h"
#include "engine/io/las/las_names.h"
#include "engine/io/las/write/las_new_vlrs.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kLasNewPlanGrain = std::size_t{1} << 15;

class Planner {
public:
    Planner(const PointCloud& cloud, const std::stop_token& stop) : m_cloud(cloud), m_stop(stop) {}

    LasPlan make() {
        LasPlan plan;
        plan.pointFormat = chooseFormat();
        plan.minor = plan.pointFormat >= 6 ? 4 : plan.pointFormat >= 4 ? 3 : 2;
        plan.recordLength = lasPointSize(plan.pointFormat);
        plan.frame = chooseLasFrame(m_cloud, m_stop);
        std::set<const Attribute*> placed;
        for (const LasColumn& column : lasStandardColumns(plan.pointFormat)) {
            const auto source = sourceOf(column);
            if (!source)
                continue;
            plan.sources.push_back(*source);
            const bool complete = source->rescaled ? isColour(column) : holds(column, *source->attribute);
            if (complete)
                placed.insert(source->attribute);
        }
        plan.returns = returnsWithoutSource(plan);
        std::vector<const Attribute*> rest;
        for (const Attribute& attribute : m_cloud.attributes())
            if (!placed.contains(&attribute))
                rest.push_back(&attribute);
        addExtra(plan, rest);
        noteRescaling(plan);
        addNewVlrs(m_cloud, m_extra, plan);
        choosePoints(plan);
        return plan;
    }

private:
    static bool isColour(const LasColumn& column) {
        return column.name == "red" || column.name == "green" || column.name == "blue";
    }
    /// Returns the return bits for points whose attributes don't fill them: the only return of a pulse. LAS
    /// counts returns from 1.
    static std::byte returnsWithoutSource(const LasPlan& plan) {
        const auto isFilled = [&](const char* name) {
            return std::ranges::any_of(plan.sources, [&](const LasSource& source) {
                return source.column.kind == LasColumn::Kind::bits && source.column.name == name;
            });
        };
        if (isFilled("return_number"))
            return {};
        const int shift = plan.pointFormat < 6 ? 3 : 4;
        return static_cast<std::byte>(isFilled("number_of_returns") ? 1 : 1 | 1 << shift);
    }
    bool holds(const LasColumn& column, const Attribute& attribute) const {
        return holdsExactly(column, attribute, m_stop);
    }
    /// Returns the attribute that fills a standard field; nullopt if there is none.
    std::optional<LasSource> sourceOf(const LasColumn& column) const {
        // name of a standard field in the reader if extra bytes have the field's name
        const Attribute* attribute = m_cloud.attribute(displacedLasName(column.name));
        if (!attribute)
            attribute = m_cloud.attribute(canonicalNames({column.name})[0]);
        if (!attribute)
            return std::nullopt;
        LasSource source{column, attribute};
        if (isColour(column)) {
            constexpr ValueRange words{0, 65535};
            const auto range = m_cloud.colourRange();
            const bool displaced = attribute->name != canonicalNames({column.name})[0];
            if (holds(column, *attribute) && (!range || *range == words || displaced))
                return source;
            if (!range)
                return std::nullopt;
            source.rescaled = range;
            return source;
        }
        if (holds(column, *attribute) || column.name == "gps_time")
            return source;
        if (column.name != "intensity")
            return std::nullopt;
        source.rescaled = intensityRange(*attribute);
        return source;
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
    /// Returns whether point formats 0 to 5 can store all standard attributes of the cloud without loss or
    /// extra bytes.
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
    void addExtra(LasPlan& plan, const std::vector<const Attribute*>& attributes) {
        std::vector<std::string> names;
        names.reserve(attributes.size());
        for (const Attribute* attribute : attributes)
            names.push_back(attribute->name);
        names = extraLasNames(names);
        for (std::size_t e = 0; e < attributes.size(); ++e) {
            const Attribute& attribute = *attributes[e];
            LasColumn column;
            column.name = names[e];
            column.description = attribute.description;
            column.type = attribute.type;
            column.byteOffset = plan.recordLength;
            plan.recordLength += sizeOf(attribute.type);
            m_extra.push_back(plan.sources.size());
            plan.sources.push_back({std::move(column), &attribute});
            constexpr std::size_t maxBytes = 65535; // limit of a point record, and of the Extra Bytes VLR
            if (plan.recordLength > maxBytes || m_extra.size() * kLasExtraBytesDescriptorSize > maxBytes)
                throw EngineError(fmt::format("the cloud has {} attributes, which don't fit into a LAS point "
                                              "record of at most {} bytes",
                                              m_cloud.attributes().size(), maxBytes),
                                  "Write the cloud as .ply or .pcd.");
        }
    }
    /// Adds messages about standard fields whose values are rescaled, and about attributes that are renamed.
    void noteRescaling(LasPlan& plan) const {
        bool roundsColours = false;
        for (const LasSource& source : plan.sources) {
            if (!source.rescaled)
                continue;
            if (isColour(source.column)) {
                roundsColours =
                    roundsColours || !survivesRescaling(*source.attribute, *source.rescaled, m_stop);
                continue;
            }
            plan.losses.push_back(
                fmt::format("LAS has 16-bit intensities; {} to {} are scaled to 0 to 65535{}",
                            source.rescaled->min, source.rescaled->max, keptAs(plan, *source.attribute)));
        }
        if (roundsColours)
            plan.losses.push_back("LAS has 16-bit colours; they are rounded");
        for (const std::size_t e : m_extra) {
            const LasSource& extra = plan.sources[e];
            const bool told =
                std::any_of(plan.sources.begin(), plan.sources.end(), [&](const LasSource& one) {
                    return one.rescaled && one.attribute == extra.attribute;
                });
            if (!told && extra.column.name != extra.attribute->name)
                plan.losses.push_back(
                    fmt::format("LAS can't store the values of '{}' under this name; they are stored as '{}'",
                                extra.attribute->name, extra.column.name));
        }
    }
    std::string keptAs(const LasPlan& plan, const Attribute& attribute) const {
        for (const std::size_t e : m_extra)
            if (plan.sources[e].attribute == &attribute)
                return fmt::format(", and the original values are stored as '{}'",
                                   plan.sources[e].column.name);
        return {};
    }
    void choosePoints(LasPlan& plan) const {
        plan.points = m_cloud.size() - static_cast<std::size_t>(m_cloud.notFinite());
        if (m_cloud.notFinite() == 0)
            return;
        plan.finite.reserve(plan.points);
        for (std::size_t i = 0; i < m_cloud.size(); ++i) {
            if (i % kLasNewPlanGrain == 0 && m_stop.stop_requested())
                throw Cancelled();
            if (isFinite(m_cloud.position(i)))
                plan.finite.push_back(i);
        }
    }
    const PointCloud& m_cloud;
    const std::stop_token& m_stop;
    std::vector<std::size_t> m_extra; ///< indices of the plan's sources that are extra bytes
};

} // namespace

LasPlan planNewLas(const PointCloud& cloud, const std::stop_token& stop) {
    return Planner(cloud, stop).make();
}

} // namespace scanloupe::detail
