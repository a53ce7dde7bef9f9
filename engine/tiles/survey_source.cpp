// Sums up the parts of surveys.
#include "engine/tiles/survey_source.h"

namespace scanloupe {

Bounds boundsOf(const std::vector<SurveyPart>& parts) {
    Bounds all = parts.front().bounds;
    for (const SurveyPart& part : parts)
        all = {min(all.min, part.bounds.min), max(all.max, part.bounds.max)};
    return all;
}

} // namespace scanloupe
