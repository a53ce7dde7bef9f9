// Replaces the .cu files of the raster benchmark in a build without nvcc. Its functions are never called,
// because such a build finds no device.
#include "tests/bench/raster_methods.h"
#include "tests/bench/raster_scenes.h"
#include "tests/bench/without_cuda.h"

namespace scanloupe::bench {

TriangleMesh bumpyOnDevice(int, bool, StreamView) {
    refuseWithoutCuda();
}
Buffer<Vec3f> bumpyPointsOnDevice(std::uint64_t, PointRow, StreamView) {
    refuseWithoutCuda();
}
struct RasterVariant::State {};
RasterVariant::RasterVariant(RasterWay, const RasterScene&, const Projection&, const cuda::RasterTuning&,
                             StreamView) {
    refuseWithoutCuda();
}
RasterVariant::~RasterVariant() = default;
void RasterVariant::run(StreamView) {
    refuseWithoutCuda();
}
VisibilityBuffer RasterVariant::seen(StreamView) const {
    refuseWithoutCuda();
}
struct DemoRaster::State {};
DemoRaster::DemoRaster(const TriangleMesh&, const Projection&, StreamView) {
    refuseWithoutCuda();
}
DemoRaster::~DemoRaster() = default;
void DemoRaster::run(StreamView) {
    refuseWithoutCuda();
}
std::uint64_t DemoRaster::drawnPixels(StreamView) const {
    refuseWithoutCuda();
}

} // namespace scanloupe::bench
