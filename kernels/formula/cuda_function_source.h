#pragma once
// Defines helpers that are available to functions which users write in CUDA.
namespace scanloupe::cuda {

inline constexpr const char* kFunctionHelpers = R"(
#define NAN __int_as_float(0x7fffffff)
#define INFINITY __int_as_float(0x7f800000)
#define M_PI 3.14159265358979323846
__device__ inline double clamp(double v, double low, double high) { return v < low ? low : v > high ? high : v; }
__device__ inline double mix(double a, double b, double t) { return a + (b - a) * t; }
__device__ inline float3 mix(float3 a, float3 b, double t) {
    return make_float3(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t));
}
__device__ inline double smoothstep(double low, double high, double v) {
    const double t = clamp((v - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}
)";

} // namespace scanloupe::cuda
