#pragma once
// Names what stands for the surface of a scan between its points.
#include <cstdint>

namespace scanloupe {

/// What stands for the surface around the points of a scan.
enum class LocalModel : std::uint8_t {
    none,   ///< the points themselves
    plane,  ///< of least squares
    quadric ///< a height over that plane of second degree, of least squares
};
/// Their keys in files and on the command line, in their order.
inline constexpr const char* kLocalModelKeys[] = {"none", "plane", "quadric"};

/// Points that a local model goes through, unless others are wanted; and the most of them.
inline constexpr int kModelNeighbours = 16;
inline constexpr int kMostNeighbours = 32;

/// The fewest points that determine a model.
constexpr int fewestNeighbours(LocalModel model) {
    return model == LocalModel::quadric ? 6 : 3;
}

} // namespace scanloupe
