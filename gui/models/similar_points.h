#pragma once
// Declares the choice of points that are alike.
#include "engine/edit/edits.h"

#include <stop_token>

namespace scanloupe::gui {

/// The region of the points that have the class, or else about the colour, of one point.
/// @throws EngineError when the scan has neither
SelectionRegion similarTo(const PointCloud& cloud, std::size_t point, const std::stop_token& stop);

} // namespace scanloupe::gui
