#pragma once
// Declares the parser of rows of Wavefront OBJ (Wavefront Technologies, "The Advanced Visualizer Manual",
// appendix B1).
#include "engine/io/common/text/text_number.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace scanloupe {

enum class ObjKeyword { vertex, normal, face, other };

/// Returns the keyword of the row [p, end), and advances `p` past the keyword.
ObjKeyword parseObjKeyword(const char*& p, const char* end);

/// Parses up to `maxCount` numbers of the row [p, end) into `numbers`, and returns their count. Stops at the
/// first word that is not a number.
std::size_t parseObjNumbers(const char* p, const char* end, TextNumber* numbers, std::size_t maxCount);

/// Check of whether the i-th normal belongs to the i-th vertex, by the corners of faces. Absolute indices of
/// the vertex and the normal of a corner must be equal. Relative indices (-1 is the latest row) must refer to
/// rows with equal numbers, too.
struct ObjNormalCheck {
    bool inconsistent = false; ///< whether a corner has a vertex and a normal with different numbers
    std::optional<std::int64_t> normalOffset; ///< number of normals minus number of vertices before this part
                                              ///< of the file, as implied by relative indices

    /// Checks the row [p, end) of a face. @param vertices, normals numbers of rows before the face in the
    /// same part of the file
    void add(const char* p, const char* end, std::int64_t vertices, std::int64_t normals);
};

} // namespace scanloupe
