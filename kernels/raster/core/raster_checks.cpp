// Validates scenes and buffers, and gathers the inputs of shading.
#include "kernels/raster/core/raster_checks.h"
#include "kernels/core/number_text.h"

#include "kernels/core/error.h"
#include "kernels/raster/colours/colour_map.h"
#include "kernels/raster/core/shade_element.h"

#include <string>

namespace scanloupe {

namespace {

constexpr std::size_t kLargestCount = (std::size_t{1} << 30) - 1;

void requireCount(std::size_t count, const char* what) {
    if (count > kLargestCount)
        throw KernelError("a picture can show at most " + std::to_string(kLargestCount) + " " + what +
                              " (got " + std::to_string(count) + ")",
                          "Use a larger voxel size or a smaller range.");
}

Colouring withMap(Colouring colouring) {
    if (!colouring.map)
        colouring.map = colourMap(ColourMapName::viridis).data();
    return colouring;
}

} // namespace

void requireDrawable(const RasterScene& scene) {
    requireCount(scene.points.size(), "points");
    if (scene.voxels)
        requireCount(scene.voxels->size(), "voxels");
    if (scene.mesh)
        requireCount(scene.mesh->triangleCount(), "triangles");
    if (!scene.points.empty() && !(scene.pointSize > 0 && scene.pointSize <= kLargestPoint))
        throw KernelError("the point size must be above 0 and at most 1024 pixels (got " +
                              shortNumber(scene.pointSize) + ")",
                          "Use a point size of 1 to 1024 pixels.");
    if (scene.voxels && !(scene.voxelScale > 0 && scene.voxelScale <= 1))
        throw KernelError("the voxel scale must be above 0 and at most 1 (got " +
                              shortNumber(scene.voxelScale) + ")",
                          "Use a voxel scale of 0.1 to 1.");
}

void requireSize(const VisibilityBuffer& visibility, const Projection& projection) {
    if (visibility.width != projection.width || visibility.height != projection.height ||
        visibility.pixels.size() !=
            static_cast<std::size_t>(projection.width) * static_cast<std::size_t>(projection.height))
        throw KernelError(
            "the visibility buffer (" + std::to_string(visibility.width) + " x " +
                std::to_string(visibility.height) + " pixels) differs in size from the picture (" +
                std::to_string(projection.width) + " x " + std::to_string(projection.height) + " pixels)",
            "Draw the scene again.");
}

void requireShadable(const VisibilityBuffer& visibility, const Projection& projection,
                     const Shading& shading) {
    requireSize(visibility, projection);
    if (shading.eyeDome && !(shading.eyeDomeStrength >= 0 && shading.eyeDomeStrength <= 1000))
        throw KernelError("the eye-dome strength must be between 0 and 1000 (got " +
                              shortNumber(shading.eyeDomeStrength) + ")",
                          "Use a strength such as 1.");
}

void failUnknownPrimitive() {
    throw KernelError("the visibility buffer contains a primitive that is not in the scene",
                      "Draw the scene again.");
}

void failMissingVertex(std::uint64_t triangle) {
    throw KernelError("triangle " + std::to_string(triangle) +
                          " refers to a vertex that does not exist in the mesh",
                      "Open a complete mesh, or extract the surface again.");
}

ResolveView resolveView(const RasterScene& scene, const Projection& projection, const Shading& shading) {
    ResolveView r{};
    r.view = rasterView(projection);
    r.toLight = headlight(projection.right, projection.down, projection.forward);
    r.light = shading.light;
    r.background = shading.background;
    r.pointColour = withMap(scene.pointColour);
    r.voxelColour = withMap(scene.voxelColour);
    r.meshColour = withMap(scene.meshColour);
    r.points = static_cast<std::uint32_t>(scene.points.size());
    if (scene.mesh) {
        const TriangleMesh& mesh = *scene.mesh;
        r.positions = mesh.positions.data();
        r.normals = mesh.normals.size() == mesh.vertexCount() ? mesh.normals.data() : nullptr;
        r.indices = mesh.indices.data();
        r.triangles = static_cast<std::uint32_t>(mesh.triangleCount());
    }
    if (scene.voxels) {
        r.shape = scene.voxels->shape;
        r.keys = scene.voxels->keys.data();
        r.voxelScale = scene.voxelScale;
        r.voxels = static_cast<std::uint32_t>(scene.voxels->size());
    }
    return r;
}

} // namespace scanloupe
