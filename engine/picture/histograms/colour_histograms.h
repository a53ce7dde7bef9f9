#pragma once
// Declares the histogram of the coloured values of results, and the counts of classes.
#include "engine/picture/histograms/scan_histograms.h"

#include <memory>
#include <stop_token>

namespace scanloupe {

struct Snapshot;

/// Returns the histogram of the values that the colour map shows, for voxels or for the vertices of a
/// volume's surface; null if colours show no values. @throws KernelError; Cancelled
std::shared_ptr<const Histogram> colourHistogram(const Snapshot& snapshot, const std::stop_token& stop);
/// Returns the counts of the classes that the colours show; null if they show no classes. @throws
/// KernelError; Cancelled
std::shared_ptr<const ClassCounts> classCounts(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
