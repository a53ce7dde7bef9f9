#pragma once
// Declares the local models of the surface of a scan between its points.
#include <cstdint>

namespace scanloupe {

/// The model of the surface around the points of a scan.
enum class LocalModel : std::uint8_t {
    none,   ///< the points themselves
    plane,  ///< a least-squares plane
    quadric ///< a least-squares quadratic height over that plane
};
/// Their keys in files and on the command line, in their order.
inline constexpr const char* kLocalModelKeys[] = {"none", "plane", "quadric"};

/// Default number of points that a local model is fitted to, and the maximum.
inline constexpr int kModelNeighbours = 16;
inline constexpr int kMaxNeighbours = 32;

/// The minimum number of points that determine a model.
constexpr int fewestNeighbours(LocalModel model) {
    return model == LocalModel::quadric ? 6 : 3;
}

} // namespace scanloupe
