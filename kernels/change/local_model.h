#pragma once
// Declares the kinds of local surface models, which approximate a scan's surface between its points.
#include <cstdint>

namespace scanloupe {

/// The kind of surface fitted to the neighbourhood of a scan point.
enum class LocalModel : std::uint8_t {
    none,   ///< no surface: distances are measured to the points
    plane,  ///< a least-squares plane
    quadric ///< a quadratic height function over the least-squares plane
};
/// Names of the models in files and on the command line, in the order of LocalModel.
inline constexpr const char* kLocalModelKeys[] = {"none", "plane", "quadric"};

/// Default number of points that a local model is fitted to, and the maximum number.
inline constexpr int kModelNeighbours = 16;
inline constexpr int kMaxNeighbours = 32;

/// Returns the minimum number of points that determine a model.
constexpr int fewestNeighbours(LocalModel model) {
    return model == LocalModel::quadric ? 6 : 3;
}

} // namespace scanloupe
