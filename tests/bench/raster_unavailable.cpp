// Replaces the .cu files of the raster benchmark in a build without nvcc. Its functions are never called,
// because such a build finds no device.
#include "tests/bench/raster_methods.h"
#include "tests/bench/raster_scenes.h"

namespace scanloupe::bench {

namespace {
[[noreturn]] void refuse() {
    throw Fault("the device's part of the benchmark was called in a build without CUDA");
}
} // namespace

TriangleMesh bumpyOnDevice(int, bool, StreamView) {
    refuse();
}
Buffer<Vec3f> bumpyPointsOnDevice(std::uint64_t, PointRow, StreamView) {
    refuse();
}
struct RasterVariant::State {};
RasterVariant::RasterVariant(RasterWay, const RasterScene&, const Projection&, const cuda::RasterTuning&,
                             StreamView) {
    refuse();
}
RasterVariant::~RasterVariant() = default;
void RasterVariant::run(StreamView) {
    refuse();
}
VisibilityBuffer RasterVariant::seen(StreamView) const {
    refuse();
}
struct DemoRaster::State {};
DemoRaster::DemoRaster(const TriangleMesh&, const Projection&, StreamView) {
    refuse();
}
DemoRaster::~DemoRaster() = default;
void DemoRaster::run(StreamView) {
    refuse();
}
std::uint64_t DemoRaster::drawnPixels(StreamView) const {
    refuse();
}

} // namespace scanloupe::bench
