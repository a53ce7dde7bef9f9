#pragma once
// Declares the table model of the worst regions of an inspection.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/deviations.h"
#include "gui/models/table_model.h"

#include <vector>

namespace scanloupe::gui {

/// Connected parts of a scan that are out of tolerance, one in each row, the worst first.
class RegionModel : public TableModel {
    Q_OBJECT
public:
    enum Column { largest, mean, points, place, columns };

    explicit RegionModel(QObject* parent = nullptr);

    void setRegions(const std::vector<DeviationRegion>& regions, LengthUnit unit);
    const std::vector<DeviationRegion>& regions() const { return m_regions; }

private:
    std::size_t rows() const override { return m_regions.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    std::vector<DeviationRegion> m_regions;
    LengthUnit m_unit = LengthUnit::metre;
};

/// "+1.25 mm", "-0.3 ft": a length with its sign.
QString signedLengthText(double length, LengthUnit unit);

} // namespace scanloupe::gui
