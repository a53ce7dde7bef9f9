// Writes new values into copies of attributes.
#include "engine/stages/points/edited_attributes.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edits.h"
#include "engine/stages/points/point_formula.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <utility>

namespace scanloupe {

namespace {

/// Whether an integer type can hold a class.
bool holds(ScalarType type, std::int64_t value) {
    return visitScalar(type, [value]<class T>(std::type_identity<T>) {
        if constexpr (std::is_floating_point_v<T>)
            return false;
        else
            return std::in_range<T>(value);
    });
}

/// Returns an attribute for computed values. It has the values of the cloud, or NaN if the cloud lacks it.
Attribute attributeToCompute(const PointCloud& cloud, const std::string& name, const std::string& description,
                             const std::stop_token& stop) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Attribute* known = cloud.attribute(name);
    if (known)
        cloud.load(std::array{known}, stop);
    Attribute edited;
    edited.name = name;
    edited.type = ScalarType::float32;
    edited.description = description;
    edited.allocate(cloud.size());
    auto* to = reinterpret_cast<float*>(edited.dataToFill());
    parallelFor(cloud.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            to[i] = known ? float(known->value(i)) : nan;
    });
    return edited;
}

} // namespace

Attribute classesSet(const PointCloud& cloud, const PointSet& rows, std::int64_t value,
                     const std::stop_token& stop) {
    const Attribute* known = cloud.attribute(kClassAttribute);
    Attribute edited;
    edited.name = kClassAttribute;
    const bool isOfFractions =
        known && (known->type == ScalarType::float32 || known->type == ScalarType::float64);
    edited.type = known && !isOfFractions ? known->type : ScalarType::uint8;
    if (!holds(edited.type, value))
        throw EngineError(fmt::format("The class {} is out of range for the type of the scan's classes, {}.",
                                      value, nameOf(edited.type)),
                          "Use a class from 0 to 127, which fits in all types.");
    if (known) {
        cloud.load(std::array{known}, stop);
        edited.description = known->description;
        edited.classNames = known->classNames;
    }
    edited.allocate(cloud.size());
    visitScalar(edited.type, [&]<class T>(std::type_identity<T>) {
        T* to = reinterpret_cast<T*>(edited.dataToFill());
        const T* from = known && !isOfFractions ? reinterpret_cast<const T*>(known->data()) : nullptr;
        const auto before = [&](std::size_t i) {
            if (!isOfFractions)
                return from ? from[i] : T(0);
            const double rounded = std::round(known->value(i)); // NaN becomes 0
            return rounded > 0 ? T(std::min(rounded, double(std::numeric_limits<T>::max()))) : T(0);
        };
        parallelFor(cloud.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                to[i] = rows.has(i) ? T(value) : before(i);
        });
    });
    return edited;
}

Attribute channelSet(const PointCloud& cloud, const PointSet& rows, std::size_t channel,
                     const std::function<double(std::size_t)>& share, const std::stop_token& stop) {
    constexpr std::array names{"red", "green", "blue"};
    constexpr std::uint8_t grey = 200; // light grey for scans without colours, so that coloured points stand
                                       // out
    const Attribute* known = hasRgb(cloud, stop) ? cloud.attribute(names[channel]) : nullptr;
    const ValueRange range = known ? *cloud.colourRange() : ValueRange{0, 255};
    Attribute edited;
    edited.name = names[channel];
    edited.type = known ? known->type : ScalarType::uint8;
    if (known)
        edited.description = known->description;
    edited.declared = range; // the declared range may differ from the range of the values
    edited.allocate(cloud.size());
    visitScalar(edited.type, [&]<class T>(std::type_identity<T>) {
        T* to = reinterpret_cast<T*>(edited.dataToFill());
        const T* from = known ? reinterpret_cast<const T*>(known->data()) : nullptr;
        const auto of = [&](double part) {
            const double wanted = range.min + (range.max - range.min) * part;
            return std::is_integral_v<T> ? T(std::round(wanted)) : T(wanted);
        };
        parallelFor(cloud.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const double part = rows.has(i) ? share(i) : std::numeric_limits<double>::quiet_NaN();
                to[i] = part == part ? of(part) : from ? from[i] : T(grey);
            }
        });
    });
    return edited;
}

Attribute valuesSet(const PointCloud& cloud, const PointSet& rows, const std::string& name,
                    const std::string& description, std::span<const float> values, std::size_t stride,
                    bool keepsMissing, const std::stop_token& stop) {
    Attribute edited = attributeToCompute(cloud, name, description, stop);
    auto* to = reinterpret_cast<float*>(edited.dataToFill());
    parallelFor(values.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (rows.has(i * stride) && (!keepsMissing || values[i] == values[i]))
                to[i * stride] = values[i];
    });
    return edited;
}

Attribute valuesComputed(const PointCloud& cloud, const PointSet& rows, const ComputeAction& action,
                         std::size_t stride, const std::stop_token& stop) {
    const Formula formula(action.formula, action.up, cloud);
    Attribute edited = attributeToCompute(cloud, action.attribute, action.formula, stop);
    auto* to = reinterpret_cast<float*>(edited.dataToFill());
    formula.evaluate(stride, chunkCount(cloud.size(), stride), stop,
                     [&](std::size_t begin, std::span<const double> values) {
                         for (std::size_t i = 0; i < values.size(); ++i)
                             if (rows.has((begin + i) * stride))
                                 to[(begin + i) * stride] = float(values[i]);
                     });
    return edited;
}

} // namespace scanloupe
