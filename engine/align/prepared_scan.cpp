// Downsamples a scan, and computes its surfaces and its evidence.
#include "engine/align/prepared_scan.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/cost.h"
#include "kernels/core/devices.h"
#include "kernels/core/parallel.h"

namespace scanloupe {

namespace {

void findSurfaces(PreparedScan& scan, Vec3d sensor, const PreparationParams& params, const Execution& on) {
    scan.shapes = findPointShapes(scan.points, shapeParamsOf(params.scale, sensor - scan.origin), on);
    if (!params.surfaces)
        return;
    scan.surfaces.emplace(params.scale.spacing, params.surfaces->coarsest, params.surfaces->isOriented,
                          on.device);
    scan.surfaces->add(scan.shapes, scan.origin, {});
}

} // namespace

void PreparedScan::thin(double edge, const std::stop_token& stop) {
    if (isThinned || !(edge > 0))
        return;
    thinned = cpu::thinScan(points.span(), edge, stop);
    isThinned = true;
}

Vec3d sensorOf(const PointCloud& cloud) {
    if (cloud.sensor)
        return cloud.sensor->position;
    const Vec3d middle = 0.5 * (cloud.bounds().min + cloud.bounds().max);
    return norm(middle) <= norm(cloud.bounds().max - cloud.bounds().min) ? Vec3d{} : middle;
}

PreparedScan pointsOf(const PointCloud& cloud, const std::stop_token& stop) {
    PreparedScan scan;
    scan.size = cloud.size();
    scan.origin = cloud.origin();
    scan.bounds = cloud.bounds();
    if (scan.origin != Vec3d{})
        scan.reference = 0.5 * (scan.bounds.min + scan.bounds.max);
    scan.points = cloud.floatView(stop);
    return scan;
}

PreparedScan prepareScan(const PointCloud& cloud, const PreparationParams& params, const Execution& on) {
    const WallTimer timer;
    PreparedScan scan = pointsOf(cloud, on.stop);
    const Vec3d sensor = sensorOf(cloud);
    const int device = currentDevice();
    const std::size_t parts = params.thinning ? 2 : 1;
    parallelFor(parts, 1, on.stop, [&](std::size_t begin, std::size_t end) { // CPU cores are idle while a
                                                                             // device computes
        for (std::size_t i = begin; i < end; ++i) {
            const DeviceScope here(on.onDevice() ? device : currentDevice()); // a pool thread may use another
                                                                              // device
            if (i == 0)
                findSurfaces(scan, sensor, params, on);
            else
                scan.thin(*params.thinning, on.stop);
        }
    });
    scan.sight = sightOf(scan.points.span(), scan.shapes.host, scan.origin, sensor, params.scale, on.stop);
    scan.ms = timer.elapsedMs();
    return scan;
}

} // namespace scanloupe
