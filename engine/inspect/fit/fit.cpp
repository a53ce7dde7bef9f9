// Fits points to references by Gauss-Newton iterations on robustly weighted distances between points and
// their counterparts on a mesh or scan. Uses the factors and robust kernels of registration.
#include "engine/inspect/fit/fit.h"

#include "engine/cloud/error.h"
#include "engine/inspect/fit/evenly_spread.h"
#include "engine/inspect/fit/fit_equations.h"
#include "engine/inspect/fit/fit_matches.h"
#include "engine/inspect/reference.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"
#include "kernels/register/ndt/ndt_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kFitGrain = 1024;
constexpr std::size_t kCoarse = 4000; // number of points in the first iterations

/// Returns the scale of a robust kernel, in standard deviations of the distances. The scales of the first
/// three kernels give 95 % efficiency for normally distributed noise (Huber, "Robust statistics", 1981;
/// Holland, Welsch, "Robust regression using iteratively reweighted least-squares", 1977).
double scaleOf(RobustKernel kernel) {
    switch (kernel) {
    case RobustKernel::huber:
        return 1.345;
    case RobustKernel::cauchy:
        return 2.385;
    case RobustKernel::tukey:
        return 4.685;
    case RobustKernel::gemanMcClure:
    case RobustKernel::none:
        break;
    }
    return 1;
}

/// Returns the derivative of (weight * distance) with respect to the distance. It is at most the weight.
double slopeOf(RobustKernel kernel, double squared, double scale) {
    const double part = squared / (scale * scale), beyond = 1 + part;
    switch (kernel) {
    case RobustKernel::huber:
        return part <= 1 ? 1 : 0;
    case RobustKernel::cauchy:
        return (1 - part) / (beyond * beyond);
    case RobustKernel::gemanMcClure:
        return (1 - 3 * part) / (beyond * beyond * beyond);
    case RobustKernel::tukey:
        return part < 1 ? (1 - part) * (1 - 5 * part) : 0;
    case RobustKernel::none:
        break;
    }
    return 1;
}

/// Returns a quantile of the finite values; 0 if there are none.
double quantileOf(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
    std::ranges::nth_element(values, at);
    return *at;
}

/// Returns the median distance along the reference's normals, for all methods.
double medianDistance(const std::vector<FitMatch>& matches) {
    std::vector<double> magnitudes;
    for (const FitMatch& one : matches)
        if (one.distance == one.distance)
            magnitudes.push_back(std::abs(dot(one.offset, one.normal)));
    return quantileOf(std::move(magnitudes), 0.5);
}

class Fitter {
public:
    Fitter(std::span<const Vec3f> points, const Reference& reference, const FitOptions& options,
           const Execution& on)
        : m_options(options), m_on(on), m_robust(options.robust) {
        const auto present = std::size_t(std::ranges::count_if(points, isPresent));
        const std::size_t stride = std::max<std::size_t>(1, chunkCount(present, options.maxPoints));
        std::vector<std::size_t> rows;
        for (std::size_t i = 0, seen = 0; i < points.size(); ++i)
            if (isPresent(points[i]) && seen++ % stride == 0) {
                rows.push_back(i);
                m_points.push_back(points[i].as<double>());
                m_centre = m_centre + m_points.back();
            }
        constexpr std::size_t fewest = 10;
        if (m_points.size() < fewest)
            throw EngineError("The scan has only " + std::to_string(m_points.size()) + " of the " +
                                  std::to_string(fewest) + " points that a fit needs.",
                              "Use a scan with more points.");
        m_centre = m_centre / double(m_points.size());
        for (const Vec3d p : m_points)
            m_size += squaredNorm(p - m_centre);
        m_size = std::sqrt(m_size / double(m_points.size()));
        if (!(m_size > 0))
            throw EngineError("All points of the scan have the same position.", "Use another scan.");
        m_all.resize(rows.size());
        std::iota(m_all.begin(), m_all.end(), 0u);
        for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(1, rows.size() / kCoarse))
            m_coarse.push_back(std::uint32_t(i));
        std::vector<Vec3f> chosen(rows.size());
        std::ranges::transform(rows, chosen.begin(), [&](std::size_t row) { return points[row]; });
        for (const std::size_t some : evenlySpread(chosen, kCoarse))
            m_spread.push_back(std::uint32_t(some));
        for (const std::uint32_t i : m_spread)
            m_spreadSize += squaredNorm(m_points[i] - m_centre) / double(m_spread.size());
        m_spreadSize = std::sqrt(m_spreadSize);
        m_matcher = fitMatcher(points, rows, reference, options, on);
    }

    Fit fit() {
        constexpr double nearly = 1e-4, still = 1e-8; // convergence thresholds relative to the points' size
        Fit result;
        match(result, m_coarse);
        result.before = medianDistance(m_matches);
        // Tukey's weights reject distant points; Huber's only reduce their influence.
        const RobustKernel gentle =
            m_options.robust == RobustKernel::tukey ? RobustKernel::huber : m_options.robust;
        const Fit first = started(result, m_coarse, nearly);
        m_robust = gentle;
        const Fit second = started(result, m_spread, nearly);
        m_robust = m_options.robust;
        result = better(first, second);
        m_method = m_options.method;
        iterate(result, m_all, still);
        result.after = medianDistance(m_matches) / result.scale;
        setCovariance(result);
        return result;
    }

private:
    Vec3d placeOf(const Fit& fit, Vec3d p) const { return fit.motion(p) * fit.scale; }

    /// Finds the counterparts of some points.
    void match(const Fit& fit, std::span<const std::uint32_t> which) {
        m_places.resize(which.size());
        for (std::size_t i = 0; i < m_places.size(); ++i)
            m_places[i] = placeOf(fit, m_points[which[i]]);
        m_matches = m_matcher->match(m_places, which, fit.motion, m_method);
    }

    /// Returns the fit after first iterations with few points; returns it unchanged if these points are too
    /// far away.
    Fit started(Fit fit, std::span<const std::uint32_t> which, double nearly) {
        const Fit before = fit;
        try {
            iterate(fit, which, nearly);
        } catch (const EngineError&) {
            return before;
        }
        return fit;
    }

    /// Returns the fit for which more points are on the reference. A scanner samples nearby surfaces more
    /// densely. If most points are already aligned, for instance on the ground, then walls that are off by
    /// half a metre look like outliers; there, evenly spread points lead to the right pose. However, points
    /// that do not belong to the reference, such as leaves, are a larger share of evenly spread points.
    Fit better(const Fit& one, const Fit& other) {
        const std::vector<double> first = distancesAfter(one), second = distancesAfter(other);
        // median over every n-th point with a counterpart
        const auto medianOf = [&](const std::vector<double>& all) {
            std::vector<double> known(all.begin(), all.begin() + std::ptrdiff_t(m_coarse.size()));
            std::erase_if(known, [](double distance) { return std::isnan(distance); });
            const std::size_t looked = known.size();
            std::erase_if(known, [](double distance) { return std::isinf(distance); });
            const double share = shareOf(known.size(), looked);
            return quantileOf(std::move(known), share / 2);
        };
        constexpr double deviations = 4.685 * 1.4826; // Tukey's constant, applied to a median
        constexpr double part = 0.01; // fraction of the points' size by which points may be off for other
                                      // reasons
        const double near =
            std::max(deviations * std::min(medianOf(first), medianOf(second)), part * m_spreadSize);
        const auto onReference = [&](const std::vector<double>& all) {
            return std::count_if(all.begin() + std::ptrdiff_t(m_coarse.size()), all.end(),
                                 [&](double distance) { return distance <= near; });
        };
        Fit result = onReference(second) > onReference(first) ? other : one;
        result.iterations = one.iterations + other.iterations;
        return result;
    }

    /// Returns the magnitudes of the distances of every n-th point, followed by those of the evenly spread
    /// points; infinite beyond the boundary of the reference, NaN where its surface is unknown.
    std::vector<double> distancesAfter(const Fit& fit) {
        std::vector<double> distances;
        for (const std::span<const std::uint32_t> which :
             {std::span(std::as_const(m_coarse)), std::span(std::as_const(m_spread))}) {
            match(fit, which);
            for (const FitMatch& one : m_matches)
                distances.push_back(one.isOutside ? HUGE_VAL : std::abs(one.distance));
        }
        return distances;
    }

    void iterate(Fit& result, std::span<const std::uint32_t> which, double still) {
        constexpr double negligible = 1e-2; // threshold relative to the variance of the residuals
        const int most = result.iterations + m_options.maxIterations;
        match(result, which);
        result.hasConverged = false;
        while (result.iterations < most && !result.hasConverged) {
            ++result.iterations;
            const FitEquations sums = equationsOf(result);
            const FitStep found = stepOf(result, sums);
            move(result, found.step);
            double squaredLength = 0;
            for (const double part : found.step)
                squaredLength += part * part;
            const double least = still * m_size, variance = found.trace() * sums.variance();
            result.hasConverged = squaredLength <= least * least + negligible * variance;
            match(result, which);
        }
    }

    /// Returns the squared distance of the farthest counterpart that belongs to the overlap.
    double farthestCounterpart() const {
        std::vector<double> lengths;
        std::size_t outside = 0;
        for (const FitMatch& one : m_matches) {
            outside += one.isOutside;
            if (one.distance == one.distance)
                lengths.push_back(squaredNorm(one.offset));
        }
        const double share = shareOf(lengths.size(), lengths.size() + outside);
        return share < 1 ? quantileOf(std::move(lengths), share) : HUGE_VAL;
    }

    /// Returns the fraction of the `known` points with a counterpart that belong to the overlap. The other
    /// points of `all` have no counterpart.
    double shareOf(std::size_t known, std::size_t all) const {
        return std::min(1.0, m_options.overlap * double(all) / std::max(double(known), 1.0));
    }

    /// Returns the median magnitude of the distances within the overlap.
    double medianWithinOverlap(double farthest) const {
        std::vector<double> magnitudes;
        for (const FitMatch& one : m_matches)
            if (one.distance == one.distance && squaredNorm(one.offset) <= farthest)
                magnitudes.push_back(std::abs(one.distance));
        return quantileOf(std::move(magnitudes), 0.5);
    }

    /// Returns the kernel's scale, metres. The standard deviation of the distances is estimated from their
    /// median.
    double kernelScale(double farthest) const {
        constexpr double deviationOfMedian = 1.4826;
        return scaleOf(m_robust) * std::max(deviationOfMedian * medianWithinOverlap(farthest), 1e-8 * m_size);
    }

    /// Returns the variance by which the inverse of the weighted equations is multiplied. It corrects for the
    /// weights, which make the equations smaller (Huber, "Robust statistics", 1981, section 7.6).
    double robustVariance() const {
        const double farthest = farthestCounterpart(), scale = kernelScale(farthest);
        double squares = 0, slopes = 0, weights = 0, count = 0;
        for (const FitMatch& match : m_matches) {
            if (!(match.distance == match.distance) || squaredNorm(match.offset) > farthest)
                continue;
            const double squared = match.distance * match.distance,
                         weight = robustError(m_robust, squared, scale).weight;
            squares += weight * weight * squared;
            slopes += slopeOf(m_robust, squared, scale);
            weights += weight;
            ++count;
        }
        const double slope = slopes / count;
        return squares / std::max(count - double(kTerms), 1.0) * weights / count / (slope * slope);
    }

    /// Returns the normal equations of the points with a weight.
    FitEquations equationsOf(const Fit& fit) const {
        const double farthest = farthestCounterpart(), scale = kernelScale(farthest);
        const Vec3d centre = placeOf(fit, m_centre);
        return parallelReduce(
            m_matches.size(), kFitGrain, m_on.stop, FitEquations{},
            [&](std::size_t begin, std::size_t end) {
                FitEquations sums;
                for (std::size_t i = begin; i < end; ++i) {
                    const FitMatch& match = m_matches[i];
                    if (match.distance == match.distance && squaredNorm(match.offset) <= farthest)
                        sums.add(match, (m_places[i] - centre) / m_size, m_robust, scale);
                }
                return sums;
            },
            [](const FitEquations& a, const FitEquations& b) { return a + b; });
    }

    /// Returns the least-squares step along the directions that the matches determine.
    FitStep stepOf(Fit& result, const FitEquations& sums) const {
        result.share = double(sums.counted()) / double(m_matches.size());
        const FitStep found = sums.solve(m_size, m_options.scales);
        result.weakDirections = int(m_options.scales ? kTerms : kRigid) - found.held;
        if (sums.counted() < kTerms || found.held == 0)
            throw EngineError(
                "Scan and reference are too far apart to be fitted.",
                "Align them roughly first (--pairs), or check the unit of the reference (--reference-unit).");
        return found;
    }

    /// Rotates and scales the points about their centre, then shifts them.
    void move(Fit& fit, const FitRow& step) const {
        constexpr double maxGrowth = 0.2; // maximum change of scale in a step
        const NdtFrame frame{{}, m_centre};
        const Vec3d centre = placeOf(fit, m_centre), shift{step[0], step[1], step[2]};
        RigidTransform local =
            moved(frame.toLocal(fit.motion), {0, 0, 0, step[3] / m_size, step[4] / m_size, step[5] / m_size});
        orthonormalize(local);
        fit.scale *= 1 + std::clamp(step[kRigid] / m_size, -maxGrowth, maxGrowth);
        local.translation = (centre + shift) / fit.scale;
        fit.motion = frame.toWorld(local);
    }

    void setCovariance(Fit& fit) const {
        const FitEquations sums = equationsOf(fit);
        fit.middle = fit.motion(m_centre);
        const FitStep found = sums.solve(m_size, m_options.scales);
        if (sums.counted() <= kTerms || found.held == 0)
            return;
        const double variance = robustVariance();
        const auto place = [](std::size_t i) { return (i + 3) % kRigid; }; // order of the terms: rotations
                                                                           // first
        const auto unit = [&](std::size_t i) { return i < 3 ? 1 / m_size : 1 / fit.scale; };
        for (std::size_t r = 0; r < kRigid; ++r)
            for (std::size_t c = 0; c < kRigid; ++c)
                fit.covariance[r][c] = variance * found.inverse[place(r)][place(c)] * unit(r) * unit(c);
    }

    FitOptions m_options;
    Execution m_on;
    RobustKernel m_robust; // robust kernel of the current steps
    FitMethod m_method = FitMethod::pointToPlane;
    std::vector<Vec3d> m_points, m_places;
    // indices into m_points: all points, and a subset for the first iterations
    std::vector<std::uint32_t> m_all, m_coarse;
    std::vector<std::uint32_t> m_spread; // indices of an evenly spread subset
    std::vector<FitMatch> m_matches;     // matches of m_places
    std::unique_ptr<FitMatcher> m_matcher;
    Vec3d m_centre;
    double m_size = 0;       // root mean square distance of the points from their centre
    double m_spreadSize = 0; // same as m_size, for the evenly spread points
};

} // namespace

double Fit::turnDeviation() const {
    return std::sqrt(covariance[0][0] + covariance[1][1] + covariance[2][2]);
}

double Fit::shiftDeviation() const {
    return std::sqrt(covariance[3][3] + covariance[4][4] + covariance[5][5]);
}

Fit fitToReference(std::span<const Vec3f> points, const Reference& reference, const FitOptions& options,
                   const Execution& on) {
    if (!(options.overlap > 0 && options.overlap <= 1))
        throw EngineError("The overlap of a fit must be above 0 and at most 100 % (got " +
                              std::to_string(100 * options.overlap) + " %).",
                          "Give the share of the scan's points that have a counterpart in the reference.");
    if (options.neighbours < fewestNeighbours(LocalModel::plane) || options.neighbours > kMaxNeighbours)
        throw EngineError("The number of neighbours of a plane must be between " +
                              std::to_string(fewestNeighbours(LocalModel::plane)) + " and " +
                              std::to_string(kMaxNeighbours) + " (got " + std::to_string(options.neighbours) +
                              ").",
                          "Use a number of neighbours in this range.");
    return orOnHost(on,
                    [&](const Execution& where) { return Fitter(points, reference, options, where).fit(); });
}

FitInScanFrame inScanFrame(const RigidTransform& motion, double scale, Vec3d origin) {
    RigidTransform moved = motion;
    moved.translation = motion.translation + origin / scale - motion.rotate(origin);
    return {moved, 1 / scale};
}

} // namespace scanloupe
