// Brings scans onto references by picked pairs and fits.
#include "engine/cli/compare_alignment.h"

#include "engine/cloud/error.h"
#include "engine/edit/edit_list.h"
#include "engine/results/kernel_points.h"
#include "engine/stages/edit.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace scanloupe::cli {

namespace {

void add(Alignment& alignment, const RigidTransform& motion, double referenceScale) {
    alignment.motion = motion * alignment.motion;
    alignment.referenceScale *= referenceScale;
}

} // namespace

std::vector<PickedPair> readPairs(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in)
        throw EngineError(fmt::format("'{}' can't be read.", path.filename().string()),
                          "Check the name of the file of picked pairs.");
    std::vector<PickedPair> pairs;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        std::ranges::replace_if(
            line, [](char c) { return c == ',' || c == ';' || c == '\r'; }, ' ');
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || line[first] == '#')
            continue;
        std::istringstream words(line);
        words.imbue(std::locale::classic());
        PickedPair pair;
        std::string rest;
        if (!(words >> pair.scan.x >> pair.scan.y >> pair.scan.z >> pair.reference.x >> pair.reference.y >>
              pair.reference.z) ||
            words >> rest)
            throw EngineError(
                fmt::format("Line {} of '{}' is not a pair of places.", number, path.filename().string()),
                "Write six numbers a line: x y z of the scan, then x y z of the reference.");
        pairs.push_back(pair);
    }
    return pairs;
}

std::shared_ptr<const PointCloud> movedScan(const std::shared_ptr<const PointCloud>& scan,
                                            const RigidTransform& motion, const std::stop_token& stop) {
    return withEdits(scan, withLayerOfSelectedOrAll({}, MoveAction{motion}, "Fit").layers, stop);
}

void alignByPairs(Alignment& alignment, const std::vector<PickedPair>& pairs, bool scales) {
    alignment.pairs = absoluteOrientation(pairs, scales);
    add(alignment, alignment.pairs->motion, 1 / alignment.pairs->scale);
}

void alignByFit(Alignment& alignment, const std::shared_ptr<const PointCloud>& moved,
                const Reference& reference, const FitOptions& options, const Execution& on) {
    const HostPoints points(moved, 1);
    const WallTimer timer;
    const Buffer<Vec3f>& positions = points.all(on.stop).positions;
    alignment.fit = fitToReference(positions.span(), reference, options, on);
    alignment.fitMs = timer.elapsedMs();
    const FitInScanFrame found = inScanFrame(alignment.fit->motion, alignment.fit->scale, reference.origin);
    add(alignment, found.motion, found.referenceScale);
}

} // namespace scanloupe::cli
