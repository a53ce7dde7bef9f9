// Replaces scale_device.cu in a build without nvcc. Its functions are never called, because such a build
// finds no device.
#include "tests/bench/scale_device.h"
#include "tests/bench/without_cuda.h"

namespace scanloupe::bench {

Buffer<Vec3f> deviceTilePoints(const test::SurveyArea&, const TilePlan&, std::size_t, StreamView) {
    refuseWithoutCuda();
}

} // namespace scanloupe::bench
