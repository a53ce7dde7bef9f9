// Encodes attribute values as fields of LAS point records.
#include "engine/io/las/las_source.h"

#include "engine/cloud/bounds.h"
#include "engine/io/common/little_endian.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kLasSourceGrain = std::size_t{1} << 15;
constexpr double kFullScale = 65535;
constexpr double kExactDouble = 9007199254740992.0; // 2^53

bool isFloating(ScalarType type) {
    return type >= ScalarType::float32;
}
bool isWide(ScalarType type) {
    return type == ScalarType::int64 || type == ScalarType::uint64;
}

template <class Test>
bool allValues(const Attribute& attribute, const std::stop_token& stop, Test&& test) {
    return visitScalar(attribute.type, [&]<class T>(std::type_identity<T>) {
        return parallelReduce(
            attribute.values().data.size() / sizeof(T), kLasSourceGrain, stop, true,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    T value;
                    std::memcpy(&value, attribute.data() + i * sizeof(T), sizeof(T));
                    if (!test(value))
                        return false;
                }
                return true;
            },
            [](bool a, bool b) { return a && b; });
    });
}

std::uint16_t rescale(double value, ValueRange range) {
    const double part = (value - range.min) / (range.max - range.min);
    return static_cast<std::uint16_t>(std::isnan(part) ? 0
                                                       : std::round(kFullScale * std::clamp(part, 0.0, 1.0)));
}

/// Inverts the scaling of an invertible column.
void storeUnscaled(const LasColumn& column, double value, std::byte* to) {
    const double stored =
        std::isnan(value) ? column.noData.value_or(0) : std::round((value - column.addend) / column.factor);
    visitScalar(column.stored,
                [&]<class T>(std::type_identity<T>) { storeLittle(to, static_cast<T>(stored)); });
}

} // namespace

bool holdsExactly(const LasColumn& column, const Attribute& attribute, const std::stop_token& stop) {
    if (column.type == attribute.type && column.kind == LasColumn::Kind::plain)
        return true;
    if (isWide(attribute.type) && (attribute.max() >= kExactDouble || attribute.min() <= -kExactDouble))
        return false; // min and max are doubles, which are rounded beyond 2^53
    if (isFloating(column.type))
        return column.type == ScalarType::float64;
    double low = 0, high = (1 << column.width) - 1;
    if (column.kind == LasColumn::Kind::plain)
        visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
            low = static_cast<double>(std::numeric_limits<T>::lowest());
            high = static_cast<double>(std::numeric_limits<T>::max());
        });
    // The largest 64-bit integers are not doubles, so `high` is rounded up to the next power of two.
    const bool beyond = isWide(column.type) ? attribute.max() >= high : attribute.max() > high;
    if (attribute.notFinite() > 0 || attribute.min() < low || beyond)
        return false;
    return !isFloating(attribute.type) ||
           allValues(attribute, stop, [](auto v) { return static_cast<double>(v) == std::trunc(double(v)); });
}

bool survivesRescaling(const Attribute& attribute, ValueRange range, const std::stop_token& stop) {
    return allValues(attribute, stop, [range](auto v) {
        const double width = range.max - range.min;
        const double back = range.min + rescale(static_cast<double>(v), range) * width / kFullScale;
        using T = decltype(v);
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(back) == v;
        else
            return std::round(back) == static_cast<double>(v);
    });
}

ValueRange intensityRange(const Attribute& attribute) {
    if (attribute.declared && attribute.declared->min < attribute.declared->max)
        return *attribute.declared;
    if (attribute.min() < 0)
        return {attribute.min(), std::max(attribute.max(), 0.0)};
    for (const double usual : {1.0, 255.0, kFullScale})
        if (attribute.max() <= usual)
            return {0, usual};
    return {0, attribute.max()};
}

void storeLasValue(const LasSource& source, std::size_t i, std::byte* record) {
    const LasColumn& column = source.column;
    const Attribute& attribute = *source.attribute;
    std::byte* to = record + column.byteOffset;
    if (source.rescaled) {
        storeLittle(to, rescale(attribute.value(i), *source.rescaled));
        return;
    }
    if (column.kind == LasColumn::Kind::bits) {
        *to |= static_cast<std::byte>(static_cast<unsigned>(attribute.value(i)) << column.shift);
        return;
    }
    if (column.kind == LasColumn::Kind::scaled) {
        storeUnscaled(column, attribute.value(i), to);
        return;
    }
    visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
        T value;
        if (column.type == attribute.type)
            std::memcpy(&value, attribute.data() + i * sizeof(T), sizeof(T));
        else
            value = static_cast<T>(attribute.value(i));
        storeLittle(to, value);
    });
}

} // namespace scanloupe::detail
