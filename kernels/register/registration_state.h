#pragma once
// Implements the search of a registration, coarse to fine, as a state machine. It requests the sums of one
// pose after another, so that both backends run the same iterations.
#include "kernels/register/registration_params.h"
#include "kernels/register/registration_step.h"
#include "kernels/register/surface_patch.h"

#include <cstdint>

namespace scanloupe {

inline constexpr std::uint32_t kFewestSurfaces = 10;

// Scale of the kernel in coarse cells, in edges. It is multiplied by kShrink per iteration, and by
// kFastShrink once steps are short. Chosen by experiments with streets, corridors and rooms.
inline constexpr double kFirstScale = 0.5, kLastScale = 0.15, kShrink = 0.8, kFastShrink = 0.5;
/// Share of the surfaces that coincide after a coarse alignment above which no other trial is made. With 0.6
/// and 0.7, the same 138 of 140 poses in cluttered corridors are found.
inline constexpr double kClearlyRight = 0.6;
inline constexpr double kAside = 0.75; ///< distance between the start poses of the first and of other trials,
                                       ///< in edges of the coarsest cells
inline constexpr double kClearlyBetter = 1.03; ///< ratio of matches by which another trial must exceed the
                                               ///< first
inline constexpr double kCoarseStep = 0.02;    ///< step below which a coarse level ends, in edges
/// Edges of the finest cells: the last scale of the kernel at kThinLevel. Surfaces that do not coincide, such
/// as those of poles, tilt a drive: after 60 frames with 16 rings poses were 21 mm off (RMS) with 0.3, 11 mm
/// with 0.1 and 7 mm with 0.05, with noise of 3 cm 7.9, 6.9 and 5.8 mm after 40.
inline constexpr double kThinScale = 0.05;
/// Maximum motion of the pose at kThinLevel, in edges of the finest cells, and in radians; a larger motion
/// means that another minimum was found.
inline constexpr double kMaxRefinement = 1, kMaxRefinedTurn = 0.02;

/// Input of a registration.
struct RegistrationPlan {
    struct Level {
        Vec3d origin; ///< origin of the target's map
        double edge = 1;
        std::uint32_t surfaces = 0; ///< number of surfaces of the scan
    };
    Level levels[kMaxSurfaceLevels]; ///< [levels] see kThinLevel
    int levelCount = 0;
    RegistrationParams params;
    RigidTransform start; ///< start pose, T_target_source
};

/// Sums, and the pose and level at which they were computed.
struct RegistrationFigures {
    FactorSums sums;
    RigidTransform pose; ///< local pose, see NdtFrame
    int level = 0;
};
/// Result of a level.
struct RegistrationFound {
    RigidTransform world; ///< pose in world coordinates, T_target_source
    RegistrationEnd end = RegistrationEnd::maxIterations;
    std::uint64_t matched = 0;
    RegistrationFigures figures; ///< figures of the last iteration
};

/// The state of a search. Until `done`, the caller computes the sums at the local pose `pose` (see NdtFrame)
/// of level `level`, and passes them to update().
///
/// It aligns from the coarsest level to the finest. Where few surfaces coincide before the finest, it first
/// aligns from poses to either side along what the surfaces constrain least, too, since places along a
/// corridor or a row of facades look alike, and keeps the pose at which most coincide. From where the finest
/// level converges, all directions constrained, it aligns kThinLevel, and keeps that pose if it is close by
/// and as well constrained. It then asks for the sums of all surfaces there, since those are reported.
struct RegistrationState {
    RigidTransform pose; ///< local pose at which the sums are requested
    double scale = 0;    ///< scale of the kernel at this level, metres
    int level = 0;
    bool done = false;
    int iterations = 0; ///< number of iterations, summed over all resolutions
    RegistrationFound found;
    Vec3d middle;    ///< centre of the scan, in its full coordinates
    UnitTurns turns; ///< unit rotations in the scan's frame

    /// @param scanMiddle centre of the scan, in its full coordinates @param moments see NdtSpread
    HD void begin(const RegistrationPlan& plan, Vec3d scanMiddle, const double (&moments)[6]) {
        middle = scanMiddle;
        turns = unitTurns(moments);
        found.world = plan.start;
        enterLevel(plan, plan.levelCount - 1);
    }
    HD void update(const RegistrationPlan& plan, const FactorSums& sums) {
        if (m_isReporting) {
            report(sums);
            return;
        }
        found.matched = static_cast<std::uint64_t>(sums.count());
        if (sums.count() < kFewestSurfaces) {
            found.end = RegistrationEnd::noOverlap;
            leaveLevel(plan, false);
            return;
        }
        found.figures = {sums, pose, level};
        step(plan, sums);
        ++iterations;
        ++m_levelIterations;
        if (found.end == RegistrationEnd::converged || m_levelIterations >= plan.params.maxIterations) {
            found.world = frame(plan, level).toWorld(pose);
            leaveLevel(plan, true);
        }
    }

private:
    HD NdtFrame frame(const RegistrationPlan& plan, int of) const { return {plan.levels[of].origin, middle}; }
    HD bool isFine() const { return level <= kFinestLevel; }
    /// Returns the scale of the kernel at the end of a level.
    HD double lastScale(const RegistrationPlan& plan) const {
        const double fine = plan.params.scale, thin = fine < kThinScale ? fine : kThinScale;
        return (level == kThinLevel ? thin : isFine() ? fine : kLastScale) * plan.levels[level].edge;
    }

    HD void enterLevel(const RegistrationPlan& plan, int next) {
        level = next;
        pose = frame(plan, level).toLocal(found.world);
        const double last = lastScale(plan),
                     first = (isFine() ? plan.params.scale : kFirstScale) * plan.levels[level].edge;
        scale = first < last ? last : first;
        found.end = RegistrationEnd::maxIterations;
        m_levelIterations = 0;
        m_hasSteppedBack = level != kFinestLevel;
    }

    HD void step(const RegistrationPlan& plan, const FactorSums& sums) {
        const double shortStep = isFine() ? plan.params.epsilon : kCoarseStep * plan.levels[level].edge;
        const UnitTurns here = turns.at(pose);
        const UnitModel model = unitModel(sums, here);
        double motion[6], ignored[6], next[6];
        m_isStrong = solveAbove(model, kWeakCurvature * model.all, ignored);
        RegistrationDirections directions;
        if (m_isStrong) {
            solveAbove(model, 0, motion);
        } else {
            directions = registrationDirections(model);
            stepAlongStrong(model, directions, motion);
        }
        bool isShort = lengthOf(motion) < shortStep;
        here.toStep(motion, next);
        pose = moved(pose, next);
        if (isShort && !m_hasSteppedBack) {
            m_hasSteppedBack = true; // set since coarse levels may have moved the pose in directions that
                                     // only noise constrains
            if (!m_isStrong) {
                backAlongWeak(pose, frame(plan, level).toLocal(plan.start), here, directions, motion);
                isShort = lengthOf(motion) < shortStep;
                here.toStep(motion, next);
                pose = moved(pose, next);
            }
        }
        orthonormalize(pose);
        const double last = lastScale(plan), smaller = scale * (isShort ? kFastShrink : kShrink);
        if (isShort && scale <= last)
            found.end = RegistrationEnd::converged;
        scale = smaller > last ? smaller : last;
    }

    HD void leaveLevel(const RegistrationPlan& plan, bool hasOverlap) {
        if (level == kThinLevel) {
            leaveThinLevel(plan);
        } else if (level == kFinestLevel && found.end == RegistrationEnd::converged && m_isStrong) {
            m_best = found;
            enterLevel(plan, kThinLevel);
        } else if (level == kFinestLevel || (!hasOverlap && m_trial == 0)) {
            done = true;
        } else if (hasOverlap && level > kFinestLevel + 1) {
            enterLevel(plan, level - 1);
        } else {
            leaveTrial(plan, hasOverlap);
        }
    }
    HD void leaveThinLevel(const RegistrationPlan& plan) {
        const RigidTransform refined = found.world, motion = refined * m_best.world.inverse();
        const bool isRefined =
            found.end == RegistrationEnd::converged && m_isStrong &&
            norm(refined(middle) - m_best.world(middle)) <= kMaxRefinement * plan.levels[level].edge &&
            norm(rotationVector(motion)) <= kMaxRefinedTurn;
        found = m_best;
        done = !isRefined;
        if (done)
            return;
        found.world = refined;
        enterLevel(plan, kFinestLevel);
        found.end = RegistrationEnd::converged;
        m_isReporting = true;
    }
    /// Takes the sums of the finest level at a refined pose, unless too few surfaces coincide there.
    HD void report(const FactorSums& sums) {
        if (sums.count() < kFewestSurfaces) {
            found = m_best;
        } else {
            found.matched = static_cast<std::uint64_t>(sums.count());
            found.figures = {sums, pose, level};
        }
        done = true;
    }
    /// Ends a trial. Called after the level before the finest, or if a trial has lost overlap with the
    /// target.
    HD void leaveTrial(const RegistrationPlan& plan, bool hasOverlap) {
        const double weight = found.figures.sums.weight();
        if (m_trial == 0) {
            if (weight > kClearlyRight * double(plan.levels[kFinestLevel + 1].surfaces)) {
                enterLevel(plan, kFinestLevel);
                return;
            }
            findAside();
        }
        if (hasOverlap && (m_trial == 0 || weight > m_bestWeight)) {
            m_bestWeight = m_trial == 0 ? weight * kClearlyBetter : weight;
            m_best = found;
        }
        if (m_trial == 0)
            m_first = found.world;
        if (++m_trial > 2) {
            found = m_best;
            enterLevel(plan, kFinestLevel);
            return;
        }
        const int coarsest = plan.levelCount - 1;
        const double by = (m_trial == 1 ? -kAside : kAside) * plan.levels[coarsest].edge;
        double aside[6];
        for (int i = 0; i < 6; ++i)
            aside[i] = by * m_aside[i];
        const NdtFrame at = frame(plan, coarsest);
        found.world = at.toWorld(moved(at.toLocal(m_first), aside));
        enterLevel(plan, coarsest);
    }
    /// Finds the motion that the surfaces constrain least, apart from the weak motions.
    HD void findAside() {
        const UnitTurns here = turns.at(found.figures.pose);
        const RegistrationDirections directions = registrationDirections(unitModel(found.figures.sums, here));
        const int least = directions.weak < 5 ? directions.weak : 5;
        here.toStep(directions.vectors[least], m_aside);
    }

    RegistrationFound m_best;
    double m_bestWeight = 0;
    RigidTransform m_first; ///< pose that the first trial found
    double m_aside[6] = {};
    int m_trial = 0, m_levelIterations = 0;
    bool m_hasSteppedBack = false, m_isStrong = false, m_isReporting = false;
};

} // namespace scanloupe
