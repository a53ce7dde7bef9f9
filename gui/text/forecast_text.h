#pragma once
// Declares the texts of forecasts.
#include "engine/cloud/reference/length_unit.h"
#include "engine/run/forecast/forecast.h"

#include <QString>

namespace scanloupe::gui {

/// "≈ 1.2 M voxels (±8 %), 2.4 M triangles (±15 %), up to 310 MB, 0.4 s".
QString forecastText(const Forecast& forecast);
/// The forecast as a table: each figure with its limits and its source.
QString forecastDetails(const Forecast& forecast);
/// "This needs some 14 GB of memory, but 9 GB are free."
QString refusalText(const Forecast& forecast, std::uint64_t available);
/// A voxel size as text, such as "0.12 m".
QString voxelSizeText(double size, LengthUnit unit);

} // namespace scanloupe::gui
