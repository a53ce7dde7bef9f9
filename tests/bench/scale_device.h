#pragma once
// Points of generated surveys, generated on the device.
#include "engine/survey/tiles/tile_plan.h"
#include "kernels/core/buffer.h"
#include "tests/support/survey_point.h"

namespace scanloupe::bench {

/// The points that a tile needs, relative to the plan's origin, on the device and in any order.
/// @note Synchronizes.
Buffer<Vec3f> deviceTilePoints(const test::SurveyArea& area, const TilePlan& plan, std::size_t tile,
                               StreamView stream);

} // namespace scanloupe::bench
