// Aligns scans to NDT maps on the CPU in double precision: one alignment on all cores, or many concurrently.
#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt_cell.h"
#include "kernels/register/ndt/ndt_report.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kPoints = 256; // number of points per chunk: takes about 50 microseconds
constexpr double kFarthest = 50; // pairs with a larger exponent are ignored: they contribute less than 2e-22
                                 // of a pair at the mean
constexpr double kScoreRounding = 1e-13; // rounding tolerance of the summed score, relative

/// Runs chunks on all cores, or sequentially on this thread if many alignments run concurrently. Both give
/// the same results.
class Chunks {
public:
    Chunks(bool parallel, const std::stop_token& stop) : m_parallel(parallel), m_stop(stop) {}
    template <class Body>
    void run(std::size_t count, std::size_t grain, Body&& body) const {
        if (!m_parallel)
            return parallelChunks(count, grain, m_stop, body);
        if (m_stop.stop_requested())
            throw Cancelled();
        for (std::size_t chunk = 0; chunk < chunkCount(count, grain); ++chunk)
            body(chunk, chunk * grain, std::min(count, (chunk + 1) * grain));
    }

private:
    bool m_parallel;
    const std::stop_token& m_stop;
};

/// Evaluates the totals of a scan over a map at given poses. Caches the neighbouring cells of each point,
/// since a point seldom leaves its cell from one iteration to the next.
class Evaluator {
public:
    Evaluator(const NdtMap& map, const NdtScan& scan, const NdtSpread& spread, const NdtParams& params,
              const Chunks& chunks)
        : m_map(map), m_cells(map.cells()), m_chunks(chunks), m_inverseEdge(1 / map.params().resolution),
          m_gauss(ndtGauss(map.params().resolution, params.outlierRatio)),
          m_around(ndtNeighbourCount(params.neighbours)) {
        m_points.reserve(spread.finite);
        m_places.resize(spread.finite, {{INT32_MIN, 0, 0}, 0});
        m_near.resize(spread.finite * std::size_t(m_around));
        for (const Vec3f p : scan.points)
            if (isFinite(p))
                m_points.push_back(p.as<double>() - spread.middle);
        m_parts.resize(chunkCount(m_points.size(), kPoints));
    }

    NdtTotals at(const RigidTransform& pose) {
        return evaluate(pose, [](std::size_t, double, std::uint32_t) {});
    }
    /// Same as above; also stores the best score of each finite point and the cell with that score.
    NdtTotals at(const RigidTransform& pose, std::span<float> scores, std::span<std::uint32_t> cells) {
        return evaluate(pose, [&](std::size_t i, double best, std::uint32_t cell) {
            scores[i] = cell == kNoCell ? std::numeric_limits<float>::quiet_NaN() : float(best);
            cells[i] = cell;
        });
    }

private:
    struct Place {
        Vec3i cell;
        int near; ///< number of neighbouring cells that have a distribution
    };

    template <class OnPoint>
    NdtTotals evaluate(const RigidTransform& pose, const OnPoint& onPoint) {
        m_chunks.run(m_points.size(), kPoints, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            NdtTotals part;
            for (std::size_t i = begin; i < end; ++i)
                addPoint(pose, i, part, onPoint);
            m_parts[chunk] = part;
        });
        NdtTotals sum;
        for (const NdtTotals& part : m_parts)
            for (int i = 0; i < kNdtTerms; ++i)
                sum.terms[i] += part.terms[i];
        return sum;
    }

    template <class OnPoint>
    void addPoint(const RigidTransform& pose, std::size_t i, NdtTotals& part, const OnPoint& onPoint) {
        const Vec3d y = pose.rotate(m_points[i]), x = y + pose.translation;
        std::uint32_t best = kNoCell;
        NdtNear<double> near;
        for (const std::uint32_t index : cellsNear(x, i)) {
            const NdtCell& cell = m_cells[index];
            const Vec3d d = x - cell.mean, cd = times(cell.inverse.data(), d);
            const double exponent = 0.5 * m_gauss.d2 * dot(d, cd), before = near.best;
            if (exponent < kFarthest &&
                addPair(near, cell.inverse.data(), cd, std::exp(-exponent), m_gauss.d1, m_gauss.d2) &&
                near.best > before)
                best = index;
        }
        onPoint(i, near.best, best);
        if (near.pairs == 0)
            return;
        pointTerms(near, y, [&part](int term, double value) { part.terms[term] += value; });
        part.terms[kNdtBest] += near.best;
        part.terms[kNdtPairs] += near.pairs;
        part.terms[kNdtWithCell] += 1;
    }

    std::span<const std::uint32_t> cellsNear(Vec3d x, std::size_t i) {
        Place& place = m_places[i];
        std::uint32_t* near = m_near.data() + i * std::size_t(m_around);
        Vec3i cell;
        if (!ndtCellOf(m_inverseEdge, x, cell))
            return {};
        if (!(cell == place.cell)) {
            place = {cell, 0};
            for (int k = 0; k < m_around; ++k) {
                const std::uint32_t found = m_map.find(cell + ndtNeighbour(k));
                if (found != kNoCell)
                    near[place.near++] = found;
            }
        }
        return {near, std::size_t(place.near)};
    }

    const NdtMap& m_map;
    std::span<const NdtCell> m_cells;
    const Chunks& m_chunks;
    double m_inverseEdge;
    NdtGauss m_gauss;
    int m_around;
    std::vector<Vec3d> m_points; ///< finite points, relative to their mean
    std::vector<Place> m_places;
    std::vector<std::uint32_t> m_near; ///< [points, m_around] indices of the neighbouring cells
    std::vector<NdtTotals> m_parts;
};

/// Iterates from `pose` and sets it to the final pose. Fills iterations, trace and end.
/// @returns the totals at the final pose
NdtTotals maximizeScore(Evaluator& evaluator, const NdtParams& params, const NdtFrame& frame, double radius,
                        RigidTransform& pose, NdtResult& result) {
    const NdtNewtonParams newtonParams = ndtNewtonParams(params, radius, kScoreRounding);
    NdtNewtonState newton(pose);
    NdtTraceEntry entry;
    while (!newton.done) {
        newton.candidateTotals() = evaluator.at(newton.candidate);
        if (newton.update(newtonParams, &entry) && params.trace)
            result.trace.push_back(toWorld(frame, entry));
    }
    result.iterations = newton.iterations;
    result.end = newton.end;
    pose = newton.pose;
    return newton.poseTotals();
}

/// Scatters the scores and cells of the finite points to all points.
void scatterToAllPoints(std::span<const Vec3f> points, std::span<const float> scores,
                        std::span<const std::uint32_t> cells, NdtResult& result) {
    result.pointScores = Buffer<float>::host(points.size());
    result.pointCells = Buffer<std::uint32_t>::host(points.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool finite = isFinite(points[i]) && next < scores.size();
        result.pointScores[i] = finite ? scores[next] : std::numeric_limits<float>::quiet_NaN();
        result.pointCells[i] = finite ? cells[next] : kNoCell;
        next += finite;
    }
    result.cost.bytes = result.pointScores.bytes() + result.pointCells.bytes();
}

enum class Purpose : std::uint8_t { align, score };

NdtResult align(const NdtMap& map, const NdtScan& scan, const NdtSpread& spread, const RigidTransform& start,
                const NdtParams& params, const Chunks& chunks, Purpose purpose) {
    const WallTimer timer;
    const bool only = purpose == Purpose::score;
    NdtResult result;
    result.pose = checkNdtStart(start);
    result.pointsNotFinite = scan.points.size() - spread.finite;
    const NdtFrame frame{map.origin(), scan.origin + spread.middle};
    RigidTransform pose = frame.toLocal(result.pose);
    std::vector<float> scores;
    std::vector<std::uint32_t> cells;
    if (spread.finite == 0 || map.cells().empty()) {
        result.end = spread.finite == 0 ? NdtEnd::noPoints : NdtEnd::noCells;
    } else {
        Evaluator evaluator(map, scan, spread, params, chunks);
        NdtTotals last;
        if (!only)
            last = maximizeScore(evaluator, params, frame, spread.radius, pose, result);
        if (only || params.pointScores) {
            scores.resize(spread.finite);
            cells.resize(spread.finite);
            last = evaluator.at(pose, scores, cells);
        }
        if (only)
            result.end = last.pairs() > 0 ? NdtEnd::maxIterations : NdtEnd::noOverlap;
        NdtTotals wide;
        if (params.geometry && last.pairs() > 0) {
            NdtParams all = params;
            all.neighbours = NdtNeighbours::direct27;
            wide = params.neighbours == all.neighbours ? last
                                                       : Evaluator(map, scan, spread, all, chunks).at(pose);
        }
        const double d1 = ndtGauss(map.params().resolution, params.outlierRatio).d1;
        setOutcome({pose, last, wide, d1}, frame, spread, params, result);
    }
    if (params.pointScores)
        scatterToAllPoints(scan.points, scores, cells, result);
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

[[noreturn]] void failForMemory(std::size_t points) {
    throw KernelError("not enough memory to align " + std::to_string(points) + " points",
                      "Thin the scan, or close other programs.");
}

} // namespace

NdtResult alignNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                   const NdtParams& params, const std::stop_token& stop) {
    checkNdt(params);
    try {
        return align(map, scan, ndtSpread(scan.points, stop), start, params, Chunks(false, stop),
                     Purpose::align);
    } catch (const std::bad_alloc&) {
        failForMemory(scan.points.size());
    }
}

NdtResult scoreNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& pose,
                   const NdtParams& params, const std::stop_token& stop) {
    checkNdt(params);
    try {
        return align(map, scan, ndtSpread(scan.points, stop), pose, params, Chunks(false, stop),
                     Purpose::score);
    } catch (const std::bad_alloc&) {
        failForMemory(scan.points.size());
    }
}

std::vector<NdtResult> alignNdtBatch(const NdtMap& map, std::span<const NdtScan> scans,
                                     std::span<const NdtJob> jobs, const NdtParams& params,
                                     const std::stop_token& stop) {
    checkNdt(params);
    for (const NdtJob& job : jobs)
        if (job.scan >= scans.size())
            throw Fault("an alignment of a scan that isn't there was asked for");
    try {
        std::vector<NdtSpread> spreads;
        for (const NdtScan& scan : scans)
            spreads.push_back(ndtSpread(scan.points, stop));
        std::vector<NdtResult> results(jobs.size());
        const Chunks alone(true, stop);
        parallelFor(jobs.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                results[i] = align(map, scans[jobs[i].scan], spreads[jobs[i].scan], jobs[i].start, params,
                                   alone, Purpose::align);
        });
        return results;
    } catch (const std::bad_alloc&) {
        failForMemory(jobs.size());
    }
}

NdtFound findPoseNdt(const NdtMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                     const NdtParams& params, const NdtSearch& search, const std::stop_token& stop) {
    return findPose(scan, starts, params, search,
                    [&](std::span<const NdtScan> scans, std::span<const NdtJob> jobs, const NdtParams& with) {
                        return alignNdtBatch(map, scans, jobs, with, stop);
                    });
}

} // namespace scanloupe::cpu
