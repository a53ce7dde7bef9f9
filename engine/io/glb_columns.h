#pragma once
// The columns of a cloud that the attributes of glTF primitives become.
#include "engine/io/cloud_builder.h"
#include "engine/io/glb_scene.h"
#include "engine/io/progress_meter.h"

namespace scanloupe {

/// One attribute of glTF and its columns.
struct GlbColumns {
    enum class Kind { position, normal, colour, value } kind = Kind::value;
    std::string attribute; ///< as glTF calls it
    std::size_t first = 0; ///< of its columns
    std::size_t components = 1;
    ScalarType type = ScalarType::float32; ///< of its columns
};

struct GlbLayout {
    std::vector<GlbColumns> attributes; ///< positions first
    std::vector<Field> fields;
    GlbNames cut;   ///< attributes that the file ends within
    GlbNames fewer; ///< attributes of fewer values than their part has vertices
};

/// One column for each value that any part has. Attributes without a value for each vertex are left out of
/// their parts. @throws EngineError when there are too many columns; Cancelled
GlbLayout layOutGlb(const InputFile& file, GlbScene& scene, const std::stop_token& stop);

/// Fills the columns [columns.first, + components) of rows `firstRow` on with the `rows` first values of an
/// accessor, moved by `place` where they are positions or normals; of an attribute that the part lacks
/// (null), with NaN, colours with white; components that it lacks with NaN, alpha with full. Adds a unit a
/// row to `meter`.
void readGlbColumns(const InputFile& file, const GlbAccessor* accessor, const Affine& transform,
                    const GlbColumns& columns, std::span<const ColumnTarget> targets, std::size_t firstRow,
                    std::size_t rows, ProgressMeter& meter, const std::stop_token& stop);

} // namespace scanloupe
