#pragma once
// Declares the columns of a cloud for the vertex attributes of glTF primitives.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/glb/glb_scene.h"

namespace scanloupe {

/// A glTF vertex attribute and its columns.
struct GlbColumns {
    enum class Kind { position, normal, colour, value } kind = Kind::value;
    std::string attribute; ///< glTF name of the attribute
    std::size_t first = 0; ///< index of its first column
    std::size_t components = 1;
    ScalarType type = ScalarType::float32; ///< type of its columns
};

struct GlbLayout {
    std::vector<GlbColumns> attributes; ///< positions first
    std::vector<Field> fields;
    GlbNames cut;   ///< names of attributes that are truncated by the end of the file
    GlbNames fewer; ///< names of attributes with fewer values than their primitive has vertices
};

/// Plans a column for each component of the attributes of all primitives. Attributes without a value for each
/// vertex are removed from their primitives. @throws EngineError if there are too many columns; Cancelled
GlbLayout planGlbColumns(const InputFile& file, GlbScene& scene, const std::stop_token& stop);

/// Fills the columns [columns.first, columns.first + components) of `rows` rows, starting at `firstRow`, with
/// the first values of an accessor. Positions and normals are transformed by `transform`. If the primitive
/// has no such attribute (null), values are NaN and colours white. Missing components are NaN; missing alpha
/// is opaque. Adds one unit per row to `meter`.
void readGlbColumns(const GlbAccessor* accessor, const Affine& transform, const GlbColumns& columns,
                    std::span<const ColumnTarget> targets, std::size_t firstRow, std::size_t rows,
                    ProgressMeter& meter, const std::stop_token& stop);

} // namespace scanloupe
