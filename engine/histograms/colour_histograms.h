#pragma once
// Declares the histogram of the coloured values of results, and the counts of classes.
#include "engine/histograms/scan_histograms.h"

#include <memory>
#include <stop_token>

namespace scanloupe {

struct Snapshot;

/// Histogram of the values that the colour map shows, for voxels or for the vertices of a volume's surface;
/// null without such values. @throws KernelError; Cancelled
std::shared_ptr<const Histogram> colourHistogram(const Snapshot& snapshot, const std::stop_token& stop);
/// Counts of the classes that the colours show; null where they show none. @throws KernelError; Cancelled
std::shared_ptr<const ClassCounts> classCounts(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
