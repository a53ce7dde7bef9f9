// Merges the vertex attributes of glTF primitives into the columns of one cloud, and decodes them.
#include "engine/io/glb/glb_columns.h"

#include "engine/cloud/error.h"
#include "engine/io/common/field_names.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/glb/glb_format.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace scanloupe {

namespace {

using Kind = GlbColumns::Kind;

constexpr std::size_t kBlockBytes = std::size_t{1} << 18; // bytes that fit into the cache of a core while
                                                          // columns are extracted
constexpr std::size_t kMaxGlbColumns = 4096;

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

/// Attributes with the same name of all primitives, merged.
struct MergedAttribute {
    GlbColumns columns;
    ScalarType type;            ///< component type of the first attribute in the file
    std::size_t primitives = 0; ///< number of primitives that have the attribute
    bool kept = true;  ///< whether the type is kept: all have the same type and shape, and are neither
                       ///< normalized nor offset
    bool wide = false; ///< whether values exceed single precision

    explicit MergedAttribute(const GlbAttribute& first)
        : columns{kindOf(first), first.name, 0, first.accessor.components}, type(first.accessor.type) {}

    void add(const GlbAttribute& attribute) {
        const GlbAccessor& accessor = attribute.accessor;
        ++primitives;
        if (kindOf(attribute) != columns.kind)
            columns.kind = Kind::value;
        kept = kept && !accessor.normalized && accessor.offset == 0 && accessor.type == type &&
               accessor.components == columns.components;
        wide = wide || accessor.offset != 0 || accessor.type == ScalarType::uint32;
        columns.components = std::max(columns.components, accessor.components);
    }

    /// Returns the file's own type if all primitives share it, otherwise a float type that represents all
    /// values.
    ScalarType columnType(std::size_t allPrimitives) const {
        if (columns.kind != Kind::value)
            return columns.kind == Kind::colour ? ScalarType::uint8 : ScalarType::float32;
        return kept && primitives == allPrimitives ? type : wide ? ScalarType::float64 : ScalarType::float32;
    }
};

void limitColumns(const InputFile& file, std::size_t columns) {
    if (columns >= kMaxGlbColumns)
        throw EngineError(
            fmt::format("the glTF file '{}' has more than the maximum of {} different values per vertex",
                        file.name(), kMaxGlbColumns),
            "The file is damaged or was written incorrectly. Export it again.");
}

ScalarType positionType(const GlbScene& scene) {
    const bool single =
        std::all_of(scene.primitives.begin(), scene.primitives.end(), [](const GlbPrimitive& primitive) {
            return primitive.transform.isSignedPermutation() && !primitive.positions.normalized &&
                   primitive.positions.type != ScalarType::uint32;
        });
    return single ? ScalarType::float32 : ScalarType::float64;
}

/// Decodes a component; normalized integers are converted to fractions.
template <class T>
double valueOf(const std::byte* from, bool normalized) {
    const auto value = static_cast<double>(loadLittle<T>(from));
    if constexpr (std::is_integral_v<T>)
        return normalized ? std::max(value / std::numeric_limits<T>::max(), -1.0) : value;
    return value;
}

std::uint8_t colourByte(double value, bool alpha) {
    const double share = value >= 0 ? std::min(value, 1.0) : 0; // NaN becomes black
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

/// Transforms a normal by the matrix `normals`, and preserves its length.
Vec3d transformNormal(const Affine& normals, Vec3d normal) {
    const Vec3d turned = normals.transformDirection(normal);
    const double before = dot(normal, normal), after = dot(turned, turned);
    constexpr double rounding = 1e-12;
    return std::abs(after - before) <= rounding * before || !(after > 0) ? turned
                                                                         : turned * std::sqrt(before / after);
}

template <class T>
void readBlock(const std::byte* block, const GlbAccessor& accessor, const Affine& transform,
               const GlbColumns& columns, std::span<const ColumnTarget> targets, std::size_t begin,
               std::size_t end) {
    const Affine normals = transform.normalTransform();
    const bool shares =
        accessor.normalized || columns.kind == Kind::colour; // integer colours are always normalized
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    double values[4] = {};
    for (std::size_t row = begin; row < end; ++row, block += accessor.stride) {
        for (std::size_t c = 0; c < accessor.components; ++c)
            values[c] = valueOf<T>(block + c * sizeof(T), shares) + accessor.offset;
        if (columns.kind == Kind::position || columns.kind == Kind::normal) {
            const Vec3d v{values[0], values[1], values[2]};
            const Vec3d moved = columns.kind == Kind::position ? transform(v) : transformNormal(normals, v);
            for (int c = 0; c < 3; ++c)
                values[c] = moved[c];
        }
        for (std::size_t c = 0; c < columns.components; ++c) {
            const bool colour = columns.kind == Kind::colour;
            const double lacking = colour ? 1 : missing; // alpha of colours without alpha
            const double value = c < accessor.components ? values[c] : lacking;
            store(targets[c], row, colour ? colourByte(value, c == 3) : value);
        }
    }
}

} // namespace

GlbLayout planGlbColumns(const InputFile& file, GlbScene& scene, const std::stop_token& stop) {
    GlbLayout layout;
    std::vector<MergedAttribute> all;
    std::map<std::string, std::size_t> places; // index in `all` by name
    for (GlbPrimitive& primitive : scene.primitives) {
        if (stop.stop_requested())
            throw Cancelled();
        std::erase_if(primitive.attributes, [&](const GlbAttribute& attribute) {
            const GlbAccessor& accessor = attribute.accessor;
            if (accessor.whole >= primitive.positions.whole)
                return false;
            (accessor.whole < accessor.count ? layout.cut : layout.fewer).add(attribute.name);
            return true;
        });
        for (const GlbAttribute& attribute : primitive.attributes) {
            const auto [place, isNew] = places.try_emplace(attribute.name, all.size());
            if (isNew) {
                limitColumns(file, all.size());
                all.emplace_back(attribute);
            }
            all[place->second].add(attribute);
        }
    }
    layout.attributes.push_back({Kind::position, "POSITION", 0, 3, positionType(scene)});
    for (MergedAttribute& merged : all) {
        merged.columns.type = merged.columnType(scene.primitives.size());
        layout.attributes.push_back(std::move(merged.columns));
    }
    for (GlbColumns& columns : layout.attributes) {
        columns.first = layout.fields.size();
        limitColumns(file, columns.first + columns.components - 1);
        for (std::string& name : columnNames(columns))
            layout.fields.push_back({std::move(name), columns.type});
    }
    return layout;
}

void readGlbColumns(const GlbAccessor* accessor, const Affine& transform, const GlbColumns& columns,
                    std::span<const ColumnTarget> targets, std::size_t firstRow, std::size_t rows,
                    ProgressMeter& meter, const std::stop_token& stop) {
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
        accessor->buffer->read(accessor->begin + begin * accessor->stride, std::span(block.get(), size));
        visitScalar(accessor->type, [&]<class T>(std::type_identity<T>) {
            readBlock<T>(block.get(), *accessor, transform, columns, own, firstRow + begin, firstRow + end);
        });
    });
}

} // namespace scanloupe
