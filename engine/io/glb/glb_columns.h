#pragma once
// Declares the columns of a cloud for the vertex attributes of glTF primitives.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/glb/glb_scene.h"

namespace scanloupe {

/// A glTF vertex attribute and its columns.
struct GlbColumns {
    enum class Kind { position, normal, colour, value } kind = Kind::value;
    std::string attribute; ///< its glTF name
    std::size_t first = 0; ///< index of its first column
    std::size_t components = 1;
    ScalarType type = ScalarType::float32; ///< of its columns
};

struct GlbLayout {
    std::vector<GlbColumns> attributes; ///< positions first
    std::vector<Field> fields;
    GlbNames cut;   ///< attributes that are truncated by the end of the file
    GlbNames fewer; ///< attributes with fewer values than their primitive has vertices
};

/// Plans a column for each attribute component that any primitive has. Removes attributes without a value for
/// each vertex from their primitives. @throws EngineError when there are too many columns; Cancelled
GlbLayout planGlbColumns(const InputFile& file, GlbScene& scene, const std::stop_token& stop);

/// Fills the columns [columns.first, columns.first + components) of `rows` rows from `firstRow` on with the
/// first values of an accessor. Positions and normals are transformed by `transform`. Where the primitive
/// lacks the attribute (null), values are NaN and colours white. Components that the accessor lacks are NaN,
/// alpha is opaque. Adds one unit a row to `meter`.
void readGlbColumns(const GlbAccessor* accessor, const Affine& transform, const GlbColumns& columns,
                    std::span<const ColumnTarget> targets, std::size_t firstRow, std::size_t rows,
                    ProgressMeter& meter, const std::stop_token& stop);

} // namespace scanloupe
