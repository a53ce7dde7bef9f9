#pragma once
// Pairs of scans to be aligned, with their true poses and with starts near to and far from them: what
// verdicts on alignments are calibrated and tested with.
#include "engine/align/scan_aligner.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe::test {

using CloudPtr = std::shared_ptr<const PointCloud>;

/// Two scans of one place or of two.
struct ScanPair {
    std::string group, scene; ///< such as "street", "street 3"
    CloudPtr target, source;
    RigidTransform truth; ///< T_target_source, if `matched`
    bool matched = true;  ///< both show the same place
};

/// An alignment of a pair.
struct PairTrial {
    std::string kind; ///< of the start: "near", "turned 180", ...
    RigidTransform start;
    double searchRadius = 0;
    int maxIterations = 50;
};

struct JudgedPair {
    double metres = 0, degrees = 0; ///< from the truth; 1e3 and 180 if not matched
    bool right = false;             ///< within the tolerance of PoseWord::right
    double resolution = 0;
    ScanAlignment target, alignment;
};

/// Pairs of generated scenes of one seed: worlds of boxes, and frames of the drive of `synth`.
std::vector<ScanPair> generatedPairs(std::uint32_t seed);
/// Pairs of the real scans in a folder, those that are there: two scans of one place, or two halves of a scan
/// with other parts left out of each, one of them moved.
std::vector<ScanPair> realPairs(const std::filesystem::path& folder, std::uint32_t seed);
/// Sources of some pairs with targets of others, of other scenes.
std::vector<ScanPair> mismatchedPairs(const std::vector<ScanPair>& pairs, std::size_t count,
                                      std::uint32_t seed);

/// Starts around the truth, or around nothing where there is none.
std::vector<PairTrial> trialsOf(const ScanPair& pair, std::uint32_t seed);
JudgedPair judge(const ScanPair& pair, const PairTrial& trial, Backend backend = Backend::cpu);

} // namespace scanloupe::test
