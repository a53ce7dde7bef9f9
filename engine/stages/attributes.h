#pragma once
// Declares which attributes of a cloud the results of a recipe are computed from.
#include "engine/graph/run_size.h"

#include <array>
#include <optional>
#include <vector>

namespace scanloupe {

class Attribute;
class PointCloud;
struct Recipe;

/// The x, y and z components of a vector that a cloud stores as attributes.
using VectorAttributes = std::array<const Attribute*, 3>;
std::optional<VectorAttributes> normalsOf(const PointCloud& cloud); ///< nullopt unless it has all three
std::optional<VectorAttributes> sensorsOf(const PointCloud& cloud); ///< sensor position of each point;
                                                                    ///< nullopt unless it has all three

/// Returns the attributes that colours and field of a resolved recipe are computed from. Names that the cloud
/// lacks are ignored.
std::vector<const Attribute*> attributesLookedAt(const Recipe& resolved, const PointCloud& cloud);
AttributeCounts countsLookedAt(const Recipe& resolved, const PointCloud& cloud); ///< numbers of the
                                                                                 ///< attributesLookedAt()

} // namespace scanloupe
