#pragma once
// Declares surveys of any size whose points follow from their numbers.
#include "engine/tiles/survey_source.h"
#include "tests/support/survey_point.h"

namespace scanloupe::test {

/// Part by part the blocks of an area, row by row.
class GeneratedSurvey : public SurveySource {
public:
    explicit GeneratedSurvey(const SurveyArea& area);

    const std::vector<SurveyPart>& parts() const override { return m_parts; }
    std::vector<std::string> read(std::size_t part, const Use& use,
                                  const std::stop_token& stop) const override;

private:
    SurveyArea m_area;
    std::vector<SurveyPart> m_parts;
};

} // namespace scanloupe::test
