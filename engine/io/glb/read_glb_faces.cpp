// Reads the faces of binary glTF 2.0 files.
#include "engine/io/glb/glb_scene.h"
#include "engine/io/glb/read_glb.h"
#include "kernels/core/error.h"

#include <vector>

namespace scanloupe {

namespace {

/// The corners of a list, as rows of all vertices; `first`: of its primitive's.
std::vector<std::int64_t> cornersOf(const InputFile& file, const GlbFaces& faces, std::int64_t first,
                                    std::uint64_t vertices, const std::stop_token& stop) {
    std::vector<std::int64_t> corners;
    if (!faces.indices) {
        for (std::uint64_t v = 0; v < vertices; ++v)
            corners.push_back(first + std::int64_t(v));
        return corners;
    }
    const GlbAccessor& indices = *faces.indices;
    if (indices.whole == 0)
        return corners;
    BlockReader reader(file, indices.begin);
    for (std::uint64_t i = 0; i < indices.whole; ++i) {
        if (i % 65536 == 0 && stop.stop_requested())
            throw Cancelled();
        const std::byte* bytes = reader.read(indices.bytesEach());
        if (!bytes || (i + 1 < indices.whole && !reader.skip(indices.stride - indices.bytesEach())))
            break;
        const auto corner = std::uint64_t(scalarAt(bytes, indices.type, 0));
        corners.push_back(corner < vertices ? first + std::int64_t(corner) : -1);
    }
    return corners;
}

} // namespace

void readGlbFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) {
    const GlbFile glb = readGlbFile(file);
    const GlbScene scene = readGlbScene(file, glb, stop);
    std::vector<std::int64_t> firsts{0}; // rows of the primitives' first vertices
    for (const GlbPrimitive& primitive : scene.primitives)
        firsts.push_back(firsts.back() + std::int64_t(primitive.positions.whole));
    for (const GlbFaces& list : scene.faceLists) {
        const GlbPrimitive& primitive = scene.primitives[list.primitive];
        const std::vector<std::int64_t> corners =
            cornersOf(file, list, firsts[list.primitive], primitive.positions.whole, stop);
        const Affine& transform = primitive.transform;
        const bool isMirrored =
            dot(cross(transform.columns[0], transform.columns[1]), transform.columns[2]) < 0;
        const auto add = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            isMirrored ? faces.addTriangle(a, c, b) : faces.addTriangle(a, b, c);
        };
        for (std::size_t i = 2; i < corners.size(); ++i) {
            if (list.mode == 4 && i % 3 == 2)
                add(corners[i - 2], corners[i - 1], corners[i]);
            else if (list.mode == 5)
                i % 2 == 0 ? add(corners[i - 2], corners[i - 1], corners[i])
                           : add(corners[i - 2], corners[i], corners[i - 1]);
            else if (list.mode == 6)
                add(corners[0], corners[i - 1], corners[i]);
        }
    }
    if (scene.facesCut)
        faces.endsEarly();
}

} // namespace scanloupe
