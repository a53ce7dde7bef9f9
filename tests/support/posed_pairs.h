#pragma once
// Pairs of scans to align, with their true poses and with starts near to and far from them, for calibrating
// and testing verdicts on alignments.
#include "engine/align/scan_aligner.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe::test {

using CloudPtr = std::shared_ptr<const PointCloud>;

/// Two scans, of the same place or of different ones.
struct ScanPair {
    std::string group, scene; ///< e.g. "street", "street 3"
    CloudPtr target, source;
    RigidTransform truth; ///< T_target_source, if `matched`
    bool matched = true;  ///< whether both show the same place
};

/// An alignment of a pair.
struct PairTrial {
    std::string kind; ///< kind of start: "near", "turned 180", ...
    RigidTransform start;
    double searchRadius = 0;
    int maxIterations = 50;
};

struct JudgedPair {
    double metres = 0, degrees = 0; ///< error relative to the truth; 1e3 and 180 if not matched
    bool right = false;             ///< whether the pose is within the tolerance of PoseWord::right
    double resolution = 0;
    ScanAlignment target, alignment;
};

/// Pairs of generated scenes of one seed: worlds of boxes, and frames of the drive of `synth`.
std::vector<ScanPair> generatedPairs(std::uint32_t seed);
/// Pairs of the real scans that exist in a folder: two scans of one place, or two halves of a scan with
/// different parts left out, one of them moved.
std::vector<ScanPair> realPairs(const std::filesystem::path& folder, std::uint32_t seed);
/// Sources of some pairs with targets of other pairs, of other scenes.
std::vector<ScanPair> mismatchedPairs(const std::vector<ScanPair>& pairs, std::size_t count,
                                      std::uint32_t seed);

/// Start poses around the truth; random ones for pairs without a truth.
std::vector<PairTrial> trialsOf(const ScanPair& pair, std::uint32_t seed);
JudgedPair judge(const ScanPair& pair, const PairTrial& trial, Backend backend = Backend::cpu);

} // namespace scanloupe::test
