#include "kernels/register/ndt_report.h"

#include "kernels/core/parallel.h"
#include "kernels/register/jacobi_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scanloupe {

const char* describe(NdtEnd end) {
    switch (end) {
    case NdtEnd::converged:
        return "it converged";
    case NdtEnd::maxIterations:
        return "it was stopped after its last iteration, before it converged";
    case NdtEnd::noOverlap:
        return "no point of the scan lies near a cell of the map";
    case NdtEnd::noPoints:
        return "the scan has no point with finite coordinates";
    case NdtEnd::noCells:
        return "no cell of the map has enough points";
    }
    return "unknown";
}

std::vector<float> ndtCellScores(const NdtResult& result, std::size_t cells) {
    std::vector<double> sums(cells);
    std::vector<std::uint32_t> counts(cells);
    for (std::size_t i = 0; i < result.pointCells.size(); ++i) {
        const std::uint32_t cell = result.pointCells[i];
        if (cell >= cells)
            continue;
        sums[cell] += double(result.pointScores[i]);
        ++counts[cell];
    }
    std::vector<float> scores(cells, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < cells; ++i)
        if (counts[i] > 0)
            scores[i] = float(sums[i] / counts[i]);
    return scores;
}

void checkNdt(const NdtParams& params) {
    if (!(params.outlierRatio > 0 && params.outlierRatio < 1))
        throw KernelError("the share of outliers is not between 0 and 1", "Take a share such as 0.55.");
    if (!(params.epsilon > 0) || !std::isfinite(params.epsilon))
        throw KernelError("the step at which an alignment ends is not a positive length",
                          "Take a length such as 0.001.");
    if (!(params.maxStep > 0) || !std::isfinite(params.maxStep))
        throw KernelError("the longest step is not a positive length", "Take a length such as 0.1.");
    if (params.maxIterations < 1)
        throw KernelError("an alignment without iterations was asked for", "Take 30 iterations or so.");
}

RigidTransform checkNdtStart(const RigidTransform& start) {
    bool good = isFinite(start);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) // six digits of a text file are good for 1e-6
            good = good && std::abs(dot(start.rows[i], start.rows[j]) - (i == j ? 1 : 0)) < 1e-3;
    if (!good || !(dot(cross(start.rows[0], start.rows[1]), start.rows[2]) > 0))
        throw KernelError("the pose to start from is not a rotation and a shift",
                          "Look at the poses that were read: rows of a rotation matrix have length 1 and are "
                          "at right angles.");
    RigidTransform pose = start;
    straighten(pose);
    return pose;
}

NdtSpread ndtSpread(std::span<const Vec3f> points, const std::stop_token& stop) {
    struct Sums {
        std::uint64_t count = 0;
        Vec3d sum;
        double squares = 0;
    };
    constexpr std::size_t grain = std::size_t{1} << 14;
    const auto sumUp = [&](Vec3d middle) {
        return parallelReduce(
            points.size(), grain, stop, Sums{},
            [&](std::size_t begin, std::size_t end) {
                Sums part;
                for (std::size_t i = begin; i < end; ++i) {
                    if (!isFinite(points[i]))
                        continue;
                    const Vec3d d = points[i].as<double>() - middle;
                    ++part.count;
                    part.sum += d;
                    part.squares += squaredNorm(d);
                }
                return part;
            },
            [](const Sums& a, const Sums& b) {
                return Sums{a.count + b.count, a.sum + b.sum, a.squares + b.squares};
            });
    };
    NdtSpread spread;
    Sums sums = sumUp({});
    if (sums.count == 0)
        return spread;
    spread.finite = sums.count;
    spread.middle = sums.sum / double(sums.count);
    sums = sumUp(spread.middle);
    spread.radius = std::max(std::sqrt(sums.squares / double(sums.count)), 1e-3);
    return spread;
}

NdtGeometry ndtGeometry(const NdtTotals& at, Vec3d middle, double radius) {
    NdtGeometry geometry;
    geometry.middle = middle;
    geometry.radius = radius;
    double a[6][6], v[6][6], scale[6];
    for (int i = 0; i < 6; ++i)
        scale[i] = i < 3 ? 1 : 1 / radius;
    bool finite = true;
    for (int i = 0; i < 6; ++i) {
        geometry.gradient[std::size_t(i)] = at.gradient(i);
        for (int j = 0; j < 6; ++j) {
            const double h = at.hessian(i, j);
            geometry.hessian[std::size_t(6 * i + j)] = h;
            a[i][j] = -h * scale[i] * scale[j];
            finite = finite && std::isfinite(h);
        }
    }
    if (!finite)
        return geometry;
    jacobiEigen(a, v);
    const double weak = kWeakShare * a[5][5];
    for (int k = 0; k < 6; ++k) {
        geometry.eigenvalues[std::size_t(k)] = a[k][k];
        for (int i = 0; i < 6; ++i)
            geometry.directions[std::size_t(6 * k + i)] = v[k][i];
        if (!(a[k][k] > weak)) {
            geometry.degenerate = k + 1;
            continue;
        }
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                geometry.covariance[std::size_t(6 * i + j)] +=
                    v[k][i] * v[k][j] * scale[i] * scale[j] / a[k][k];
    }
    return geometry;
}

std::vector<Vec3f> ndtThinned(std::span<const Vec3f> points, std::uint32_t most) {
    std::vector<Vec3f> kept;
    const std::size_t count = std::min<std::size_t>(points.size(), most);
    kept.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        kept.push_back(points[i * points.size() / count]);
    return kept;
}

void checkNdtSearch(const NdtSearch& search, std::size_t starts) {
    if (starts == 0)
        throw KernelError("a pose was looked for without a start", "Give at least one pose to start from.");
    if (search.points < 1 || search.iterations < 1 || search.keep < 1)
        throw KernelError("a search without points, iterations or poses to keep was asked for",
                          "Take 2000 points, 20 iterations and 5 poses or so.");
}

std::vector<std::uint32_t> ndtBest(std::span<const NdtResult> results, std::size_t keep) {
    std::vector<std::uint32_t> order(results.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return results[a].score > results[b].score; });
    order.resize(std::min(order.size(), keep));
    return order;
}

} // namespace scanloupe
