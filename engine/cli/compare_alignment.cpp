// Aligns scans with references by picked point pairs and by fits.
#include "engine/cli/compare_alignment.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/unit_normals.h"
#include "engine/results/kernel_points.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
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
        throw EngineError(
            fmt::format("The file of picked point pairs '{}' can't be read.", path.filename().string()),
            "Check its name and permissions (--pairs).");
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
            throw EngineError(fmt::format("Line {} of '{}' is not a pair of points: '{}'.", number,
                                          path.filename().string(), line.substr(0, 80)),
                              "Write six numbers per line: x y z in the scan, then x y z in the reference.");
        pairs.push_back(pair);
    }
    return pairs;
}

std::shared_ptr<const PointCloud> movedScan(const PointCloud& scan, const RigidTransform& motion,
                                            const std::stop_token& stop) {
    constexpr std::size_t grain = 1 << 16;
    DoublePositions places;
    places.xyz = Buffer<Vec3d>::host(scan.size());
    parallelFor(scan.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            places.xyz[i] = motion(scan.position(i));
    });
    std::vector<Attribute> attributes;
    if (const Buffer<Vec3f> normals = unitNormals(scan, 1, stop); !normals.empty())
        for (const int axis : {0, 1, 2}) {
            Attribute& part = attributes.emplace_back();
            part.name = std::array{"normal_x", "normal_y", "normal_z"}[std::size_t(axis)];
            part.type = ScalarType::float32;
            part.allocate(scan.size());
            auto* to = reinterpret_cast<float*>(part.dataToFill());
            parallelFor(scan.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    to[i] = float(dot(motion.rows[axis], normals[i].as<double>()));
            });
        }
    auto moved = std::make_shared<PointCloud>(std::move(places), std::move(attributes), stop);
    moved->path = scan.path;
    moved->format = scan.format;
    moved->warnings = scan.warnings;
    moved->coordinateSystem = scan.coordinateSystem;
    moved->subsampledFrom = scan.subsampledFrom;
    moved->isChosenForView = scan.isChosenForView;
    return moved;
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
    alignment.fitsScale = options.scales;
    const FitInScanFrame found = inScanFrame(alignment.fit->motion, alignment.fit->scale, reference.origin);
    add(alignment, found.motion, found.referenceScale);
}

} // namespace scanloupe::cli
