#pragma once
// Declares the alignment of scans one after the other as a pipeline of threads.
#include "engine/align/align_scans.h"

namespace scanloupe {

/// Reads and aligns all scans of a job in turn. The next scans are read, copied to the device and searched
/// for surfaces while one is aligned, as many as fit into a budget of memory. On a device or many cores,
/// scans are also aligned as if the poses before were right, while the evidence about those is gathered;
/// where one turns out not to be right, the scans after it are aligned again. The outcome is that of one step
/// after the other.
/// @throws as alignScans()
AlignOutcome alignInTurn(const AlignJob& job, const std::stop_token& stop);

/// Reads a scan, and calls AlignJob::onRead for it. @throws as these
std::shared_ptr<const PointCloud> readScanOf(const AlignJob& job, std::size_t number);

/// A scan that an error kept from being aligned. @param pose assumed
AlignedScan failedScan(const AlignJob& job, std::size_t number, const Error& error,
                       const RigidTransform& pose);
/// A scan with what an aligner found. @param cloud kept with AlignJob::keepClouds
AlignedScan alignedScan(const AlignJob& job, std::size_t number, ScanAlignment alignment,
                        const std::shared_ptr<const PointCloud>& cloud);

} // namespace scanloupe
