#pragma once
// Declares the parameter row of the colour map's limits.
#include "gui/panels/parameters/parameter_row.h"
#include "gui/sliders/range_control.h"
#include "gui/views/surface/colour_legend.h"

#include <memory>
#include <optional>

class QLabel;

namespace scanloupe {
struct Histogram;
struct Parameter;
} // namespace scanloupe

namespace scanloupe::gui {

/// The values at the ends of the colour map, over a histogram of the coloured values, with the map itself
/// between the handles.
class ColourLimitsRow : public ParameterRow {
    Q_OBJECT
public:
    explicit ColourLimitsRow(const Parameter& parameter, QWidget* parent = nullptr);
    /// Shows the quantity and the colour map of a legend, without its limits.
    void setLegend(const ColourLegend& legend);
    /// @param ofVolume whether the values are those of vertices, since a volume has no voxels
    void setHistogram(const std::shared_ptr<const Histogram>& histogram, bool ofVolume);
    RangeControl* control() const { return m_control; }

protected:
    void showValues(const Values& values, bool automatic) override;

private:
    /// Sets the extent of the slider: that of the histogram, and of the values where they exceed it.
    void showSpan();

    QLabel* m_quantity;
    RangeControl* m_control;
    std::shared_ptr<const Histogram> m_histogram;
};

} // namespace scanloupe::gui
