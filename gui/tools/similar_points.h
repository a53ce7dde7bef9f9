#pragma once
// Declares the selection of similar points.
#include "engine/edit/edits.h"

#include <stop_token>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

/// The region of the points that have the class of one point, or, without classes, about its colour. @throws
/// EngineError when the scan has neither
SelectionRegion similarTo(const PointCloud& cloud, std::size_t point, const std::stop_token& stop);

} // namespace scanloupe::gui
