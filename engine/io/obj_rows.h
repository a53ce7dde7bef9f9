#pragma once
// Rows of Wavefront OBJ (Wavefront Technologies, "The Advanced Visualizer Manual", appendix B1).
#include "engine/io/text_number.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace scanloupe {

enum class ObjKeyword { vertex, normal, face, other };

/// What the row [p, end) is; moves `p` past its keyword.
ObjKeyword objKeyword(const char*& p, const char* end);

/// The numbers of a row, at most `most` of them; the rest of the row is not looked at.
std::size_t objNumbers(const char* p, const char* end, TextNumber* numbers, std::size_t most);

/// What the corners of faces say about which normal belongs to which vertex. Indices from the front must be
/// alike; those from the back, -1 for the latest, must differ by as much as there are more normals than
/// vertices before the faces.
struct ObjCorners {
    bool contradict = false;
    std::optional<std::int64_t> ahead; ///< of normals before their vertices, where counted from the back

    /// Looks at a face's row, which `vertices` and `normals` rows of a part of the file come before.
    void add(const char* p, const char* end, std::int64_t vertices, std::int64_t normals);
};

} // namespace scanloupe
