#pragma once
// An alignment as a machine that asks for the score of one pose after another: what each backend, and each
// way to run one on the device, drives.
#include "kernels/register/ndt.h"
#include "kernels/register/ndt_step.h"

namespace scanloupe {

inline constexpr double kEnoughClimb = 1e-4; ///< Armijo's share of what the slope promises

/// What the steps of an alignment are taken by.
struct NdtClimbRules {
    double epsilon = 0, maxStep = 0;
    double arc = 1;           ///< 1 / NdtSpread::radius, 1 / metres
    double scoreRounding = 0; ///< share of a score by which its sum may differ for no reason
    int maxIterations = 0;
    bool lineSearch = false;
};
inline NdtClimbRules climbRules(const NdtParams& params, double radius, double scoreRounding) {
    return {params.epsilon, params.maxStep,       1 / radius,
            scoreRounding,  params.maxIterations, params.lineSearch};
}

/// One iteration as it is written down: NdtIteration with the local pose.
struct NdtTraceEntry {
    RigidTransform pose;
    double score = 0, gradient = 0, step = 0, pairs = 0;
};

/// Begins at a pose. As long as not `done`, `candidate` wants its totals in `there()`, and `take` goes on.
struct NdtClimb {
    RigidTransform pose;      ///< the best so far; where it ended
    RigidTransform candidate; ///< whose totals are wanted
    NdtTotals seen[2];        ///< of `pose` and of `candidate`, which change places
    int at = 0;               ///< which of them is of `pose`
    double step[6] = {};      ///< from `pose` to `candidate`
    double square = 0;        ///< of the step's length
    int iterations = 0;
    NdtEnd end = NdtEnd::maxIterations;
    bool begun = false, done = false;
    bool halved = false; ///< the candidate was not good enough: the same way is tried with half the step

    HD explicit NdtClimb(const RigidTransform& start) : pose(start), candidate(start) {}
    HD NdtClimb() {}

    HD const NdtTotals& here() const { return seen[at]; }
    HD NdtTotals& there() { return seen[1 - at]; }

    /// @param entry is filled where an iteration was ended; may be null
    /// @returns true where an iteration was ended
    HD bool take(const NdtClimbRules& rules, NdtTraceEntry* entry) {
        const bool ended = judge(rules, entry);
        if (!done)
            advance(rules, halved ? NdtSolved{} : solveBySearch(here(), rules.arc));
        return ended;
    }
    /// The first half of `take`: whether the candidate is good, and whether that is the end. Its totals, from
    /// which the next step is solved, are in `there()` before and, where they are needed, in `here()` after.
    HD bool judge(const NdtClimbRules& rules, NdtTraceEntry* entry) {
        bool good = true, ended = false;
        if (begun && rules.lineSearch) {
            double slope = 0;
            for (int i = 0; i < 6; ++i)
                slope += here().gradient(i) * step[i];
            good = there().score() >= here().score() * (1 - rules.scoreRounding) + kEnoughClimb * slope;
        }
        const double least = rules.epsilon * rules.epsilon;
        halved = !good && square > 0 && square >= least;
        if (halved) {
            for (double& part : step)
                part *= 0.5;
            square *= 0.25;
            return false;
        }
        if (begun) {
            ended = true;
            if (entry)
                *entry = told(good);
            ++iterations;
            if (!good || square < least || square == 0)
                end = NdtEnd::converged;
        }
        if (good) {
            pose = candidate;
            at = 1 - at;
        }
        begun = true;
        if (!(here().pairs() > 0))
            end = NdtEnd::noOverlap;
        done = end != NdtEnd::maxIterations || iterations >= rules.maxIterations;
        return ended;
    }
    /// The second half, unless it is done. @param solved from here(), unless halved
    HD void advance(const NdtClimbRules& rules, const NdtSolved& solved) {
        if (!halved)
            square = cutStep(solved, rules.maxStep, step);
        candidate = moved(pose, step);
    }

private:
    HD NdtTraceEntry told(bool good) const {
        double gradient = 0;
        for (int i = 0; i < 6; ++i)
            gradient += here().gradient(i) * here().gradient(i);
        return {pose, here().score(), std::sqrt(gradient), good ? std::sqrt(square) : 0, here().pairs()};
    }
};

} // namespace scanloupe
