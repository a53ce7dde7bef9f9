// Lists the figures of an inspection.
#include "gui/models/inspection_properties.h"

#include "engine/inspect/reference.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/models/region_model.h"
#include "gui/text/number_text.h"

#include <QLocale>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return PropertyModel::tr(text);
}

/// The percentage rounded down, so that 100 % means all.
QString shareText(std::uint64_t part, std::uint64_t whole) {
    return tr("%1 %").arg(QLocale().toString(std::floor(1e4 * double(part) / double(whole)) / 100, 'f', 2));
}

} // namespace

Properties inspectionProperties(const Inspection& inspection, LengthUnit unit) {
    const DeviationFigures& f = inspection.figures;
    Properties all{{tr("Points"), countText(f.points)}};
    if (inspection.without > 0)
        all.push_back({tr("Excluded"), countText(inspection.without)});
    if (f.points == 0)
        return all;
    if (inspection.tolerance > 0) {
        all.push_back({tr("Within tolerance"), shareText(f.within, f.points)});
        all.push_back({tr("Above tolerance"), shareText(f.above, f.points)});
        all.push_back({tr("Below tolerance"), shareText(f.below, f.points)});
    }
    all.push_back({tr("Mean"), signedLengthText(f.mean, unit)});
    all.push_back({tr("Median"), signedLengthText(f.median, unit)});
    all.push_back({tr("Standard deviation"), lengthText(f.standardDeviation, unit)});
    all.push_back({tr("Root mean square"), lengthText(f.rms, unit)});
    all.push_back({tr("Largest deviation"), signedLengthText(f.largest, unit)});
    if (f.gauss.exists())
        all.push_back({tr("Gauss fit"), tr("%1 ± %2").arg(signedLengthText(f.gauss.mean, unit),
                                                          lengthText(f.gauss.deviation, unit))});
    return all;
}

QString referenceText(const Inspection& inspection) {
    if (!inspection.reference)
        return tr("The deviations were read from the scan's file.");
    const Reference& reference = *inspection.reference;
    const ReferenceMesh* mesh = reference.mesh();
    QStringList lines{
        mesh ? tr("%1: %2 triangles").arg(shownText(reference.name), countText(mesh->mesh.triangleCount()))
             : tr("%1: a scan of %2 points")
                   .arg(shownText(reference.name), countText(reference.scan()->points.size()))};
    for (const std::string& warning : reference.warnings)
        lines << QString::fromStdString(warning);
    if (inspection.misfit)
        lines << QString::fromStdString(inspection.misfit->sentence);
    return lines.join(QLatin1Char('\n'));
}

} // namespace scanloupe::gui
