#pragma once
// Declares surveys of any size, whose points are computed from their indices.
#include "engine/survey/source/survey_source.h"
#include "tests/support/survey_point.h"

namespace scanloupe::test {

/// A survey whose parts are the blocks of an area, row by row.
class GeneratedSurvey : public SurveySource {
public:
    /// @param hasValues points have 16-bit colours, an intensity below 1, possibly negative, and classes from
    /// 0 to 5, all depending on the position
    explicit GeneratedSurvey(const SurveyArea& area, bool hasValues = false);

    const std::vector<SurveyPart>& parts() const override { return m_parts; }
    const SurveyAttributes& attributes() const override { return m_attributes; }
    std::vector<std::string> read(std::size_t part, const Use& use,
                                  const std::stop_token& stop) const override;

private:
    SurveyArea m_area;
    std::vector<SurveyPart> m_parts;
    SurveyAttributes m_attributes;
};

} // namespace scanloupe::test
