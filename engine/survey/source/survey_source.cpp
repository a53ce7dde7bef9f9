// Computes identities and total bounds of the parts of surveys.
#include "engine/survey/source/survey_source.h"

#include "kernels/core/sha256.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

std::uint64_t identityOf(const SurveyPart& part) {
    const std::uint64_t sizes[] = {part.points, part.bytes, std::uint64_t(part.written)};
    const Vec3d corners[] = {part.bounds.min, part.bounds.max};
    Sha256 sum;
    sum.add(std::as_bytes(std::span(part.name)));
    sum.add(std::span<const std::uint64_t>(sizes));
    sum.add(std::span<const Vec3d>(corners));
    const Sha256Digest digest = sum.digest();
    std::uint64_t identity = 0;
    std::memcpy(&identity, digest.data(), sizeof identity);
    return identity;
}

Bounds boundsOf(const std::vector<SurveyPart>& parts) {
    Bounds all = parts.front().bounds;
    for (const SurveyPart& part : parts)
        all = {min(all.min, part.bounds.min), max(all.max, part.bounds.max)};
    return all;
}

std::uint64_t pointsOfLargest(const std::vector<SurveyPart>& parts) {
    std::uint64_t points = 0;
    for (const SurveyPart& part : parts)
        points = std::max(points, part.points);
    return points;
}

const SurveyAttributes& SurveySource::attributes() const {
    static const SurveyAttributes none;
    return none;
}

} // namespace scanloupe
