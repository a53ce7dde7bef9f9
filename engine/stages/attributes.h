#pragma once
// Tells which attributes of a cloud the results of a recipe are made from.
#include "engine/graph/run_size.h"

#include <array>
#include <optional>
#include <vector>

namespace scanloupe {

class Attribute;
class PointCloud;
struct Recipe;

/// The components of a vector that a cloud has as attributes.
using VectorAttributes = std::array<const Attribute*, 3>;
std::optional<VectorAttributes> normalsOf(const PointCloud& cloud); ///< nullopt unless it has all three
std::optional<VectorAttributes> sensorsOf(const PointCloud& cloud); ///< of each point

/// The attributes that colours and the field of a resolved recipe are made from; a name that the cloud
/// doesn't have is left out.
std::vector<const Attribute*> attributesLookedAt(const Recipe& resolved, const PointCloud& cloud);
AttributeCounts countsLookedAt(const Recipe& resolved, const PointCloud& cloud); ///< how many they are

} // namespace scanloupe
