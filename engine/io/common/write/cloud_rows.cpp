// Appends points of a cloud to output, as binary numbers or as text.
#include "engine/io/common/write/cloud_rows.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/scalar_type.h"

namespace scanloupe::detail {

ScalarType coordinateType(const PointCloud& cloud) {
    return std::holds_alternative<FloatPositions>(cloud.positions()) ? ScalarType::float32
                                                                     : ScalarType::float64;
}

void appendPosition(std::string& out, const PointCloud& cloud, std::size_t i) {
    if (const auto* held = std::get_if<FloatPositions>(&cloud.positions()))
        appendRaw(out, held->xyz[i]);
    else
        appendRaw(out, cloud.position(i));
}

void appendValue(std::string& out, const Attribute& attribute, std::size_t i) {
    const std::size_t size = sizeOf(attribute.type);
    out.append(reinterpret_cast<const char*>(attribute.data()) + i * size, size);
}

void appendTextRow(std::string& out, const PointCloud& cloud, std::size_t i, char delimiter) {
    const auto* floats = std::get_if<FloatPositions>(&cloud.positions());
    const Vec3d place = cloud.position(i);
    for (int axis = 0; axis < 3; ++axis) {
        if (axis > 0)
            out.push_back(delimiter);
        if (floats)
            appendNumber(out, floats->xyz[i][axis]);
        else
            appendNumber(out, place[axis]);
    }
    for (const Attribute& attribute : cloud.attributes()) {
        out.push_back(delimiter);
        visitScalar(attribute.type, [&]<class T>(std::type_identity<T>) {
            T value;
            std::memcpy(&value, attribute.data() + i * sizeof(T), sizeof(T));
            if constexpr (std::is_floating_point_v<T>)
                appendNumber(out, value);
            else if constexpr (std::is_signed_v<T>)
                appendNumber(out, std::int64_t{value});
            else
                appendNumber(out, std::uint64_t{value});
        });
    }
    out.push_back('\n');
}

} // namespace scanloupe::detail
