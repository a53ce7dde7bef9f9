#pragma once
// The maths of one voxel's tangent plane, for both backends.
#include "kernels/field/field_element.h"
#include "kernels/field/symmetric_eigen.h"

#include <cmath>
#include <cstddef>

namespace scanloupe {

/// Where a voxel's normal comes from, and which side is outside. Made by surfelSource.
struct SurfelSource {
    const float* means = nullptr;          ///< [3 + F, V]
    const std::uint32_t* counts = nullptr; ///< [V]
    std::size_t voxels = 0;                ///< V
    int normalChannel = -1;                ///< as in NormalSource
    Vec3f normalOffset;
    int sensorChannel = -1;
    Vec3f sensorOffset;
    bool oneSensor = false; ///< `sensor` is known
    Vec3f sensor;

    HD Vec3f mean(std::size_t voxel, int channel = 0) const {
        const float* first = means + static_cast<std::size_t>(channel) * voxels + voxel;
        return {first[0], first[voxels], first[2 * voxels]};
    }
    HD bool fromFile(std::size_t voxel, Vec3f& normal) const {
        if (normalChannel < 0)
            return false;
        const Vec3f sum = mean(voxel, normalChannel) + normalOffset;
        const float length = norm(sum);
        if (!(length > 0.1f) || !isFinite(sum))
            return false; // no normals, or such that cancel
        normal = sum / length;
        return true;
    }
    /// From the voxel to the sensor; false when nobody knows.
    HD bool toSensor(std::size_t voxel, Vec3f& direction) const {
        if (sensorChannel < 0 && !oneSensor)
            return false;
        const Vec3f from = sensorChannel >= 0 ? mean(voxel, sensorChannel) + sensorOffset : sensor;
        direction = normalized(from - mean(voxel));
        return isFinite(direction) && squaredNorm(direction) > 0;
    }
};

/// What has been gathered of the means around a voxel's own: weighted moments, each a sum of its own.
struct NearbyMeans {
    static constexpr int kSums = 11;
    float sums[kSums] = {}; ///< weight; x, y, z; xx, xy, xz, yy, yz, zz; points that were seen
    std::int32_t means = 0;

    /// What the mean at `d` from the voxel's adds to the sums; false when it is out of reach. `trust`: see
    /// there.
    HD static bool parts(Vec3f d, float trust, Vec3f inverse, float (&parts)[kSums]) {
        const float left = nearness(d.x, d.y, d.z, inverse), w = left * trust;
        const Vec3f first = d * w;
        parts[0] = w;
        parts[1] = first.x;
        parts[2] = first.y;
        parts[3] = first.z;
        parts[4] = first.x * d.x;
        parts[5] = first.x * d.y;
        parts[6] = first.x * d.z;
        parts[7] = first.y * d.y;
        parts[8] = first.y * d.z;
        parts[9] = first.z * d.z;
        parts[10] = trust;
        return left > 0;
    }
    HD void add(Vec3f d, float trust, Vec3f inverse) {
        float mine[kSums];
        if (!parts(d, trust, inverse, mine))
            return;
        for (int i = 0; i < kSums; ++i)
            sums[i] += mine[i];
        ++means;
    }
    HD float trusted() const { return sums[10]; }
    HD Symmetric3f covariance() const {
        const float weight = sums[0];
        const Vec3f mean = Vec3f{sums[1], sums[2], sums[3]} / weight;
        return {sums[4] / weight - mean.x * mean.x, sums[5] / weight - mean.x * mean.y,
                sums[6] / weight - mean.x * mean.z, sums[7] / weight - mean.y * mean.y,
                sums[8] / weight - mean.y * mean.z, sums[9] / weight - mean.z * mean.z};
    }
};

/// What the means around a voxel look like.
enum class Spread : std::uint8_t { unclear, blob, line, plane };
struct NormalGuess {
    Spread spread = Spread::unclear;
    Vec3f normal; ///< of a plane; across a line, where its means scatter least
};
HD inline NormalGuess guessNormal(const NearbyMeans& near) {
    NormalGuess guess;
    if (near.means < 4)
        return guess;
    const Eigen3f eigen = symmetricEigen(near.covariance());
    guess.normal = normalized(eigen.vectors[0]);
    if (!isFinite(guess.normal))
        return guess;
    // few and noisy means could lie on a plane of any slant; many are right to be a corner
    const bool thin = (eigen.values[0] < 0.1f * eigen.values[1] && near.means >= 6) || near.trusted() >= 40;
    if (eigen.values[1] > 0.02f * eigen.values[2])
        guess.spread = thin ? Spread::plane : Spread::blob;
    else if (eigen.values[1] > 1e-5f * eigen.values[2]) // thinner than rounding says nothing about its sides
        guess.spread = Spread::line;
    return guess;
}

/// A voxel's normal.
struct Surfel {
    Vec3f normal;
    bool turned = false; ///< its side is known
};
/// Takes a guess that is a plane, or any guess when it is the last. Returns whether it was taken.
HD inline bool settle(const SurfelSource& source, std::size_t voxel, const NormalGuess& guess, bool last,
                      Surfel& surfel) {
    if (guess.spread != Spread::plane && !last)
        return false;
    Vec3f sensor;
    surfel.turned = source.toSensor(voxel, sensor);
    Vec3f normal = guess.normal;
    if (guess.spread == Spread::unclear || (guess.spread == Spread::blob && surfel.turned))
        normal = surfel.turned ? sensor : Vec3f{0, 0, 1};
    surfel.normal = surfel.turned && dot(normal, sensor) < 0 ? -normal : normal;
    return true;
}

} // namespace scanloupe
