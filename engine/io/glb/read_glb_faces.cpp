// Reads the faces of glTF 2.0 files.
#include "engine/compute/memory.h"
#include "engine/io/glb/glb_scene.h"
#include "engine/io/glb/read_glb.h"
#include "kernels/core/error.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <vector>

namespace scanloupe {

namespace {

bool areIndices(const GlbAccessor& accessor) {
    return accessor.components == 1 &&
           (accessor.type == ScalarType::uint8 || accessor.type == ScalarType::uint16 ||
            accessor.type == ScalarType::uint32);
}

/// Returns the corners of a face list as row indices. @param first row of the primitive's first vertex
std::vector<std::int64_t> cornersOf(const GlbFaces& faces, std::int64_t first, std::uint64_t vertices,
                                    const std::stop_token& stop) {
    std::vector<std::int64_t> corners;
    if (!faces.indices) {
        for (std::uint64_t v = 0; v < vertices; ++v)
            corners.push_back(first + std::int64_t(v));
        return corners;
    }
    const GlbAccessor& indices = *faces.indices;
    if (indices.whole == 0 || !areIndices(indices))
        return corners;
    constexpr std::uint64_t blockBytes = std::uint64_t{1} << 20;
    const std::uint64_t most = std::max<std::uint64_t>(1, blockBytes / indices.stride);
    std::vector<std::byte> block;
    for (std::uint64_t begin = 0; begin < indices.whole; begin += most) {
        if (stop.stop_requested())
            throw Cancelled();
        const std::uint64_t count = std::min(most, indices.whole - begin);
        block.resize(static_cast<std::size_t>((count - 1) * indices.stride + indices.bytesEach()));
        indices.buffer->read(indices.begin + begin * indices.stride, block);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto corner = std::uint64_t(scalarAt(block.data() + i * indices.stride, indices.type, 0));
            corners.push_back(corner < vertices ? first + std::int64_t(corner) : -1);
        }
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
    // A small file can instantiate its meshes at very many nodes, so the memory is checked.
    requireMemory({"The triangles of '" + file.name() + "'", scene.faces * 3 * sizeof(std::uint32_t),
                   "Close other scans and programs, or export the mesh without its instances."},
                  availableHostMemory());
    std::vector<std::int64_t> firsts{0}; // row of each primitive's first vertex
    for (const GlbPrimitive& primitive : scene.primitives)
        firsts.push_back(firsts.back() + std::int64_t(primitive.positions.whole));
    for (const GlbFaces& list : scene.faceLists) {
        if (!makesTriangles(list.mode))
            continue;
        const GlbPrimitive& primitive = scene.primitives[list.primitive];
        const std::vector<std::int64_t> corners =
            cornersOf(list, firsts[list.primitive], primitive.positions.whole, stop);
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
