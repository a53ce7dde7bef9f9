#pragma once
// Declares the histogram of what the colours of results show, and the counts of classes.
#include "engine/histograms/scan_histograms.h"

#include <memory>
#include <stop_token>

namespace scanloupe {

/// Of the values that the colour map shows, of voxels or of the vertices of a volume's surface; null where it
/// shows none. @throws KernelError; Cancelled
std::shared_ptr<const Histogram> colourHistogram(const Snapshot& snapshot, const std::stop_token& stop);
/// Of the classes that colours show; null where they show none. @throws KernelError; Cancelled
std::shared_ptr<const ClassCounts> classCounts(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
