#pragma once
// Estimates the normal of a voxel from the weighted covariance of the voxel means around it (principal
// component analysis), and orients it, for both backends.
#include "kernels/core/symmetric_eigen.h"
#include "kernels/field/core/field_element.h"
#include "kernels/field/core/vector_columns.h"

#include <cmath>
#include <cstddef>

namespace scanloupe {

/// Sources of a voxel's normal and of its orientation, created by surfelSource().
struct SurfelSource {
    VectorColumns means;                   ///< mean position of each voxel, metres
    const std::uint32_t* counts = nullptr; ///< [V] number of points of each voxel
    VectorColumns normals, sensors;        ///< see NormalSource
    bool oneSensor = false;                ///< true if the common sensor position `sensor` is known
    Vec3f sensor;

    HD Vec3f mean(std::size_t voxel) const { return {means.x[voxel], means.y[voxel], means.z[voxel]}; }
    HD bool fromFile(std::size_t voxel, Vec3f& normal) const {
        if (!normals.exist())
            return false;
        const Vec3f sum = normals.at(voxel);
        const float length = norm(sum);
        if (!(length > 0.1f) || !isFinite(sum))
            return false; // the voxel has no normals, or they cancel each other
        normal = sum / length;
        return true;
    }
    /// Computes the direction from the voxel to the sensor. Returns false when the sensor is unknown.
    HD bool toSensor(std::size_t voxel, Vec3f& direction) const {
        if (!sensors.exist() && !oneSensor)
            return false;
        const Vec3f from = sensors.exist() ? sensors.at(voxel) : sensor;
        direction = normalized(from - mean(voxel));
        return isFinite(direction) && squaredNorm(direction) > 0;
    }
};

/// Weighted moments of the means around a voxel, relative to the voxel's own mean.
struct WeightedMoments {
    static constexpr int kSums = 11;
    float sums[kSums] = {}; ///< sums of: weight; x, y, z; xx, xy, xz, yy, yz, zz; confidence
    std::int32_t means = 0;

    /// Computes the terms that a mean at offset `d` from the voxel's mean adds to the sums. Returns false if
    /// the mean is out of reach.
    HD static bool terms(Vec3f d, float confidence, Vec3f inverse, float (&terms)[kSums]) {
        const float kernel = epanechnikov(d.x, d.y, d.z, inverse), w = kernel * confidence;
        const Vec3f first = d * w;
        terms[0] = w;
        terms[1] = first.x;
        terms[2] = first.y;
        terms[3] = first.z;
        terms[4] = first.x * d.x;
        terms[5] = first.x * d.y;
        terms[6] = first.x * d.z;
        terms[7] = first.y * d.y;
        terms[8] = first.y * d.z;
        terms[9] = first.z * d.z;
        terms[10] = confidence;
        return kernel > 0;
    }
    HD void add(Vec3f d, float confidence, Vec3f inverse) {
        float mine[kSums];
        if (!terms(d, confidence, inverse, mine))
            return;
        for (int i = 0; i < kSums; ++i)
            sums[i] += mine[i];
        ++means;
    }
    HD float totalConfidence() const { return sums[10]; }
    HD Symmetric3f covariance() const {
        const float weight = sums[0];
        const Vec3f mean = Vec3f{sums[1], sums[2], sums[3]} / weight;
        return {sums[4] / weight - mean.x * mean.x, sums[5] / weight - mean.x * mean.y,
                sums[6] / weight - mean.x * mean.z, sums[7] / weight - mean.y * mean.y,
                sums[8] / weight - mean.y * mean.z, sums[9] / weight - mean.z * mean.z};
    }
};

/// Shape of the set of means around a voxel, determined by the eigenvalues of their covariance.
enum class NeighbourhoodShape : std::uint8_t { undetermined, volumetric, linear, planar };
struct NormalEstimate {
    NeighbourhoodShape shape = NeighbourhoodShape::undetermined;
    Vec3f normal; ///< planar: normal of the plane; linear: direction of minimum scatter across the line
};
HD inline NormalEstimate estimateNormal(const WeightedMoments& moments) {
    NormalEstimate estimate;
    if (moments.means < 4)
        return estimate;
    const Eigen3f eigen = symmetricEigen(moments.covariance());
    estimate.normal = normalized(eigen.vectors[0]);
    if (!isFinite(estimate.normal))
        return estimate;
    // few noisy means could fit a plane of any slope; with many means, the normal is valid even at a corner
    const bool thin =
        (eigen.values[0] < 0.1f * eigen.values[1] && moments.means >= 6) || moments.totalConfidence() >= 40;
    if (eigen.values[1] > 0.02f * eigen.values[2])
        estimate.shape = thin ? NeighbourhoodShape::planar : NeighbourhoodShape::volumetric;
    else if (eigen.values[1] > 1e-5f * eigen.values[2]) // no normal if the line is thinner than rounding
                                                        // errors
        estimate.shape = NeighbourhoodShape::linear;
    return estimate;
}

/// A voxel's normal.
struct Surfel {
    Vec3f normal;
    bool oriented = false; ///< true if the orientation is known
};
/// Accepts the estimate of a plane, or any estimate if no larger support follows, and orients it towards the
/// sensor. Returns whether the estimate was accepted.
HD inline bool acceptEstimate(const SurfelSource& source, std::size_t voxel, const NormalEstimate& estimate,
                              bool last, Surfel& surfel) {
    if (estimate.shape != NeighbourhoodShape::planar && !last)
        return false;
    Vec3f sensor;
    surfel.oriented = source.toSensor(voxel, sensor);
    Vec3f normal = estimate.normal;
    if (estimate.shape == NeighbourhoodShape::undetermined ||
        (estimate.shape == NeighbourhoodShape::volumetric && surfel.oriented))
        normal = surfel.oriented ? sensor : Vec3f{0, 0, 1};
    surfel.normal = surfel.oriented && dot(normal, sensor) < 0 ? -normal : normal;
    return true;
}

} // namespace scanloupe
