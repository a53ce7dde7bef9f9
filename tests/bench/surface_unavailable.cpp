// Replaces surface_sample.cu in a build without nvcc. Its functions are never called, because such a build
// finds no device.
#include "tests/bench/surface_sample.h"

namespace scanloupe::bench {

namespace {
[[noreturn]] void refuse() {
    throw Fault("the device's part of the benchmark was called in a build without CUDA");
}
} // namespace

struct SampleMarchingCubes::State {};
SampleMarchingCubes::SampleMarchingCubes(std::span<const float>, int, float, bool, StreamView) {
    refuse();
}
SampleMarchingCubes::~SampleMarchingCubes() = default;
void SampleMarchingCubes::run(StreamView) {
    refuse();
}
SoupSummary SampleMarchingCubes::summary(StreamView) {
    refuse();
}
std::uint64_t l2Bytes() {
    refuse();
}

} // namespace scanloupe::bench
