#include "engine/io/glb_columns.h"

#include "engine/cloud/scalar_visit.h"
#include "engine/io/field_names.h"
#include "engine/io/glb_format.h"
#include "engine/io/little_endian.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

using Kind = GlbColumns::Kind;

constexpr std::size_t kBlockBytes = std::size_t{1}
                                    << 18; // stays in a core's cache while columns are picked out

/// Skeletons' weights and the frames of bump maps are no values of points.
bool isNoValue(const GlbAttribute& attribute) {
    return attribute.name == "TANGENT" || attribute.name.starts_with("JOINTS_") ||
           attribute.name.starts_with("WEIGHTS_") || attribute.accessor.components > 4;
}

Kind kindOf(const GlbAttribute& attribute) {
    if (attribute.name == "NORMAL" && attribute.accessor.components == 3)
        return Kind::normal;
    return attribute.name == "COLOR_0" && attribute.accessor.components >= 3 ? Kind::colour : Kind::value;
}

std::vector<std::string> columnNames(const GlbColumns& columns) {
    if (columns.kind == Kind::position)
        return {"x", "y", "z"};
    if (columns.kind == Kind::normal)
        return {"nx", "ny", "nz"};
    std::vector<std::string> names = {"red", "green", "blue", "alpha"};
    names.resize(columns.components);
    if (columns.kind == Kind::colour)
        return names;
    std::string name = columns.attribute.substr(columns.attribute.starts_with('_') ? 1 : 0);
    for (char& sign : name)
        sign = sign >= 'A' && sign <= 'Z' ? static_cast<char>(sign - 'A' + 'a') : sign;
    for (std::size_t c = 0; c < columns.components; ++c)
        names[c] = componentName(name, c, columns.components);
    return names;
}

/// The file's own type where all parts have it; else a float that holds all of theirs.
ScalarType valueType(const GlbScene& scene, const std::string& name) {
    std::optional<ScalarType> same;
    bool kept = true, wide = false;
    for (const GlbPart& part : scene.parts) {
        const auto found = std::find_if(part.attributes.begin(), part.attributes.end(),
                                        [&](const GlbAttribute& a) { return a.name == name; });
        kept = kept && found != part.attributes.end();
        if (found == part.attributes.end())
            continue;
        const GlbAccessor& accessor = found->accessor;
        kept = kept && !accessor.normalized && accessor.offset == 0 &&
               same.value_or(accessor.type) == accessor.type;
        same = accessor.type;
        wide = wide || accessor.offset != 0 || accessor.type == ScalarType::uint32;
    }
    return kept && same ? *same : wide ? ScalarType::float64 : ScalarType::float32;
}

ScalarType positionType(const GlbScene& scene) {
    const bool single = std::all_of(scene.parts.begin(), scene.parts.end(), [](const GlbPart& part) {
        return part.place.isSwap() && !part.positions.normalized && part.positions.type != ScalarType::uint32;
    });
    return single ? ScalarType::float32 : ScalarType::float64;
}

/// A component as a number: integers that stand for fractions as these.
template <class T>
double valueOf(const std::byte* from, bool normalized) {
    const auto value = static_cast<double>(loadLittle<T>(from));
    if constexpr (std::is_integral_v<T>)
        return normalized ? std::max(value / std::numeric_limits<T>::max(), -1.0) : value;
    return value;
}

std::uint8_t colourByte(double value, bool alpha) {
    const double share = value >= 0 ? std::min(value, 1.0) : 0; // NaN is black
    return alpha ? static_cast<std::uint8_t>(std::lround(share * 255))
                 : detail::linearToSrgb()[static_cast<std::size_t>(std::lround(share * 65535))];
}

void store(const ColumnTarget& target, std::size_t row, double value) {
    std::byte* to = target.data + row * target.stride;
    visitScalar(target.type, [&]<class T>(std::type_identity<T>) {
        const T stored = static_cast<T>(value);
        std::memcpy(to, &stored, sizeof(T));
    });
}

/// A normal on the moved surface, as long as it was.
Vec3d turnedNormal(const Affine& turn, Vec3d normal) {
    const Vec3d turned = turn.turned(normal);
    const double before = dot(normal, normal), after = dot(turned, turned);
    constexpr double rounding = 1e-12;
    return std::abs(after - before) <= rounding * before || !(after > 0) ? turned
                                                                         : turned * std::sqrt(before / after);
}

template <class T>
void readBlock(const std::byte* block, const GlbAccessor& accessor, const Affine& place,
               const GlbColumns& columns, std::span<const ColumnTarget> targets, std::size_t begin,
               std::size_t end) {
    const Affine turn = place.ofNormals();
    const bool shares =
        accessor.normalized || columns.kind == Kind::colour; // whole numbers of colours always are
    double values[4] = {};
    for (std::size_t row = begin; row < end; ++row, block += accessor.stride) {
        for (std::size_t c = 0; c < accessor.components; ++c)
            values[c] = valueOf<T>(block + c * sizeof(T), shares) + accessor.offset;
        if (columns.kind == Kind::position || columns.kind == Kind::normal) {
            const Vec3d v{values[0], values[1], values[2]};
            const Vec3d moved = columns.kind == Kind::position ? place(v) : turnedNormal(turn, v);
            for (int c = 0; c < 3; ++c)
                values[c] = moved[c];
        }
        for (std::size_t c = 0; c < columns.components; ++c) {
            const double value = c < accessor.components ? values[c] : 1; // colours without alpha are opaque
            store(targets[c], row, columns.kind == Kind::colour ? colourByte(value, c == 3) : value);
        }
    }
}

} // namespace

GlbLayout layOutGlb(GlbScene& scene, std::vector<std::string>& cut) {
    GlbLayout layout;
    const auto addOnce = [](std::vector<std::string>& names, const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    };
    for (GlbPart& part : scene.parts)
        std::erase_if(part.attributes, [&](const GlbAttribute& attribute) {
            if (isNoValue(attribute))
                addOnce(layout.leftOut, attribute.name);
            else if (attribute.accessor.whole < part.positions.whole)
                addOnce(cut, attribute.name);
            return isNoValue(attribute) || attribute.accessor.whole < part.positions.whole;
        });
    layout.attributes.push_back({Kind::position, "POSITION", 0, 3, positionType(scene)});
    for (const GlbPart& part : scene.parts)
        for (const GlbAttribute& attribute : part.attributes) {
            auto known = std::find_if(layout.attributes.begin(), layout.attributes.end(),
                                      [&](const GlbColumns& c) { return c.attribute == attribute.name; });
            if (known == layout.attributes.end()) {
                const Kind kind = kindOf(attribute);
                layout.attributes.push_back({kind, attribute.name, 0, attribute.accessor.components,
                                             kind == Kind::colour   ? ScalarType::uint8
                                             : kind == Kind::normal ? ScalarType::float32
                                                                    : valueType(scene, attribute.name)});
            } else {
                known->components = std::max(known->components, attribute.accessor.components);
            }
        }
    for (GlbColumns& columns : layout.attributes) {
        columns.first = layout.fields.size();
        for (std::string& name : columnNames(columns))
            layout.fields.push_back({std::move(name), columns.type});
    }
    return layout;
}

void readGlbColumns(const InputFile& file, const GlbAccessor* accessor, const Affine& place,
                    const GlbColumns& columns, std::span<const ColumnTarget> targets, std::size_t firstRow,
                    std::size_t rows, ProgressMeter& meter, const std::stop_token& stop) {
    const auto own = targets.subspan(columns.first, columns.components);
    const std::size_t grain =
        std::max<std::size_t>(1, kBlockBytes / (accessor ? accessor->stride : sizeof(double)));
    parallelFor(rows, grain, stop, [&](std::size_t begin, std::size_t end) {
        meter.add(end - begin);
        if (!accessor) {
            const bool colour = columns.kind == Kind::colour;
            for (const ColumnTarget& target : own)
                for (std::size_t row = begin; row < end; ++row)
                    store(target, firstRow + row, colour ? 255 : std::numeric_limits<double>::quiet_NaN());
            return;
        }
        const auto size =
            static_cast<std::size_t>((end - begin - 1) * accessor->stride + accessor->bytesEach());
        const auto block = std::make_unique_for_overwrite<std::byte[]>(size);
        file.read(accessor->begin + begin * accessor->stride, std::span(block.get(), size));
        visitScalar(accessor->type, [&]<class T>(std::type_identity<T>) {
            readBlock<T>(block.get(), *accessor, place, columns, own, firstRow + begin, firstRow + end);
        });
    });
}

} // namespace scanloupe
