// Replaces surface_sample.cu in a build without nvcc. Its functions are never called, because such a build
// finds no device.
#include "tests/bench/surface_sample.h"
#include "tests/bench/without_cuda.h"

namespace scanloupe::bench {

struct SampleMarchingCubes::State {};
SampleMarchingCubes::SampleMarchingCubes(std::span<const float>, int, float, bool, StreamView) {
    refuseWithoutCuda();
}
SampleMarchingCubes::~SampleMarchingCubes() = default;
void SampleMarchingCubes::run(StreamView) {
    refuseWithoutCuda();
}
SoupSummary SampleMarchingCubes::summary(StreamView) {
    refuseWithoutCuda();
}
std::uint64_t l2Bytes() {
    refuseWithoutCuda();
}

} // namespace scanloupe::bench
