// Replaces scale_device.cu in a build without nvcc. Its functions are never called, because such a build
// finds no device.
#include "kernels/core/error.h"
#include "tests/bench/scale_device.h"

namespace scanloupe::bench {

Buffer<Vec3f> deviceTilePoints(const test::SurveyArea&, const TilePlan&, std::size_t, StreamView) {
    throw Fault("the device's part of the benchmark was called in a build without CUDA");
}

} // namespace scanloupe::bench
