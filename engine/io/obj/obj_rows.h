#pragma once
// Declares the parser of rows of Wavefront OBJ (Wavefront Technologies, "The Advanced Visualizer Manual",
// appendix B1).
#include "engine/io/common/text/text_number.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace scanloupe {

enum class ObjKeyword { vertex, normal, face, other };

/// The keyword of the row [p, end); advances `p` past it.
ObjKeyword parseObjKeyword(const char*& p, const char* end);

/// Parses up to `maxCount` numbers of a row, and returns their count. The rest of the row is ignored.
std::size_t parseObjNumbers(const char* p, const char* end, TextNumber* numbers, std::size_t maxCount);

/// Checks by the corners of faces whether normals belong to the vertices of the same number. Absolute indices
/// of vertex and normal must be equal. Relative ones (-1 is the latest) must differ by the number of normals
/// less that of vertices before the face.
struct ObjNormalCheck {
    bool inconsistent = false;
    std::optional<std::int64_t> normalOffset; ///< normals less vertices before this part, by relative indices

    /// Checks the row of a face. `vertices`, `normals`: rows before it in the same part of the file.
    void add(const char* p, const char* end, std::int64_t vertices, std::int64_t normals);
};

} // namespace scanloupe
