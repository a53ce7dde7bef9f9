// Says why results are not whole.
#include "gui/models/partial_result.h"

#include <QCoreApplication>

namespace scanloupe::gui {

bool isPart(const Snapshot& snapshot) {
    return snapshot.preview || (snapshot.cloud && snapshot.cloud->subsampledFrom > 0);
}

QString noteOfPart(const Snapshot& snapshot, bool reads, bool runs) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("PartialResult", text); };
    if (snapshot.cloud && snapshot.cloud->isChosenForView)
        return tr("What is shown is as much of the scan as this view needs. Choose a range that fits into "
                  "memory: then all of its points are read.");
    if (snapshot.cloud && snapshot.cloud->subsampledFrom > 0)
        return reads ? tr("What is shown is a first look at some of the points. Try again when all of them "
                          "are there.")
                     : tr("What is shown is a first look at some of the points: reading the others was "
                          "stopped or "
                          "failed. Open the file again.");
    if (snapshot.preview)
        return runs ? tr("What is shown is still a preview. Try again when the whole result is there.")
                    : tr("What is shown is a preview: its run was stopped. Move a slider to run it.");
    return {};
}

} // namespace scanloupe::gui
