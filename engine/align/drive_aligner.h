#pragma once
// Declares the sequential alignment of scans as a pipeline of threads.
#include "engine/align/align_scans.h"

namespace scanloupe {

/// Reads and aligns all scans of a job in order. While a scan is aligned, the next ones are read, copied to
/// the device and searched for surfaces, as far as memory permits. On a device or on many cores, the next
/// scans are also aligned before the previous poses are judged, assuming that they are right. If such a pose
/// turns out not to be right, the scans after it are aligned again. The result equals that of a strictly
/// sequential run.
/// @throws as alignScans()
AlignOutcome alignInTurn(const AlignJob& job, const std::stop_token& stop);

/// Reads a scan and calls AlignJob::onRead for it. @throws as AlignJob::read() and AlignJob::onRead()
std::shared_ptr<const PointCloud> readScanOf(const AlignJob& job, std::size_t number);

/// Returns the result for a scan that was not aligned because of an error. @param pose assumed pose
AlignedScan failedScan(const AlignJob& job, std::size_t number, const Error& error,
                       const RigidTransform& pose);
/// Returns the result for a scan that was aligned. @param cloud stored if AlignJob::keepClouds is set
AlignedScan alignedScan(const AlignJob& job, std::size_t number, ScanAlignment alignment,
                        const std::shared_ptr<const PointCloud>& cloud);

} // namespace scanloupe
