// Draws references by the software rasterizer.
#include "engine/inspect/reference_picture.h"

#include "engine/inspect/reference.h"
#include "engine/results/snapshot.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/resolve/resolve.h"

namespace scanloupe {

namespace {

constexpr float kPointSize = 3; ///< pixels; large enough that the points of a scan form a closed surface

} // namespace

Picture referencePicture(const Reference& reference, const Camera& camera, int width, int height,
                         const std::stop_token& stop) {
    RasterScene scene;
    if (const ReferenceMesh* mesh = reference.mesh()) {
        scene.mesh = &mesh->mesh;
    } else {
        scene.points = reference.scan()->points.span();
        scene.pointSize = kPointSize;
    }
    Camera local = camera;
    local.eye = local.eye - reference.origin;
    local.target = local.target - reference.origin;
    const Projection projection(local, width, height);
    Picture picture;
    VisibilityBuffer visibility = cpu::rasterize(scene, projection, picture.stats, stop);
    picture.image = DeviceOrHost(cpu::resolve(visibility, scene, projection, Shading{}, stop));
    picture.visibility = DeviceOrHost(std::move(visibility));
    picture.camera = camera;
    picture.finished = std::chrono::steady_clock::now();
    return picture;
}

Vec3d referencePlace(const Reference& reference, PrimitiveKind kind, std::uint32_t index, Vec3d hit) {
    if (kind == PrimitiveKind::point && reference.scan())
        return reference.scan()->points[index].as<double>() + reference.origin;
    return hit;
}

} // namespace scanloupe
