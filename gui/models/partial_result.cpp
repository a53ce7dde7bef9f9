// Explains why results are incomplete.
#include "gui/models/partial_result.h"

#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"

#include <QCoreApplication>

namespace scanloupe::gui {

bool isPart(const Snapshot& snapshot) {
    return snapshot.preview || (snapshot.cloud && snapshot.cloud->subsampledFrom > 0);
}

QString noteOfPart(const Snapshot& snapshot, bool reads, bool runs) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("PartialResult", text); };
    if (snapshot.cloud && snapshot.cloud->isChosenForView)
        return tr("Only the part of the scan that this view needs is shown. Choose a range that fits into "
                  "memory to read all of its points.");
    if (snapshot.cloud && snapshot.cloud->subsampledFrom > 0)
        return reads ? tr("Only some of the points are loaded so far. Try again when all are loaded.")
                     : tr("Only some of the points are loaded: reading the others was stopped or failed. "
                          "Open the file again.");
    if (snapshot.preview)
        return runs ? tr("This is still a preview. Try again when the full result is ready.")
                    : tr("This is a preview: the full run was stopped. Move a slider to start it again.");
    return {};
}

} // namespace scanloupe::gui
