// Reads the faces of binary glTF 2.0 files.
#include "engine/compute/memory.h"
#include "engine/io/glb/glb_scene.h"
#include "engine/io/glb/read_glb.h"
#include "kernels/core/error.h"
#include "kernels/core/scalar_type.h"

#include <vector>

namespace scanloupe {

namespace {

bool areIndices(const GlbAccessor& accessor) {
    return accessor.components == 1 &&
           (accessor.type == ScalarType::uint8 || accessor.type == ScalarType::uint16 ||
            accessor.type == ScalarType::uint32);
}

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
    if (indices.whole == 0 || !areIndices(indices))
        return corners;
    BlockReader reader(file, indices.begin);
    for (std::uint64_t i = 0; i < indices.whole; ++i) {
        if (i % 65536 == 0 && stop.stop_requested())
            throw Cancelled();
        const std::byte* bytes = reader.read(indices.bytesEach());
        if (!bytes)
            break;
        const auto corner = std::uint64_t(scalarAt(bytes, indices.type, 0));
        corners.push_back(corner < vertices ? first + std::int64_t(corner) : -1);
        if (i + 1 < indices.whole && !reader.skip(indices.stride - indices.bytesEach()))
            break;
    }
    return corners;
}

bool makesTriangles(std::uint64_t mode) {
    return mode == 4 || mode == 5 || mode == 6;
}

} // namespace

void readGlbFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) {
    const GlbFile glb = readGlbFile(file);
    const GlbScene scene = readGlbScene(file, glb, stop);
    // a small file can instantiate its meshes at very many nodes
    requireMemory({"The triangles of '" + file.name() + "'", scene.faces * 3 * sizeof(std::uint32_t),
                   "Close other scans and programs, or export the mesh without its instances."},
                  availableHostMemory());
    std::vector<std::int64_t> firsts{0}; // rows of the primitives' first vertices
    for (const GlbPrimitive& primitive : scene.primitives)
        firsts.push_back(firsts.back() + std::int64_t(primitive.positions.whole));
    for (const GlbFaces& list : scene.faceLists) {
        if (!makesTriangles(list.mode))
            continue;
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
    else if (faces.polygons() < scene.faces)
        faces.addUnreadable(scene.faces - faces.polygons());
}

} // namespace scanloupe
