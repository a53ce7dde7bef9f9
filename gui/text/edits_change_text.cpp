// Describes how edits differ.
#include "gui/text/edits_change_text.h"

#include "engine/edit/edits.h"
#include "gui/base/raw_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace scanloupe::gui {

namespace {

QString text(const char* words) {
    return QCoreApplication::translate("scanloupe::gui::WorkHistory", words);
}

QString layerChangeText(const EditLayer& before, const EditLayer& after) {
    const QString name = shownText(after.name);
    if (before.isHidden != after.isHidden)
        return (after.isHidden ? text("Layer hidden: %1") : text("Layer shown: %1")).arg(name);
    if (before.selection != after.selection) // a stroke was added
        return name;
    if (before.action != after.action)
        return text("Layer changed: %1").arg(name);
    return text("Layer named: %1").arg(name);
}

} // namespace

QString editsChangeText(const Edits& before, const Edits& after) {
    const EditLayers &old = before.layers, &now = after.layers;
    const auto [a, b] = std::ranges::mismatch(old, now);
    if (a == old.end() && b == now.end()) {
        if (before.named != after.named)
            return text("Selection stored");
        return after.selection.empty() ? text("Nothing selected") : text("Selection");
    }
    if (now.size() > old.size())
        return shownText((*b)->name);
    if (now.size() < old.size())
        return text("Layer removed: %1").arg(shownText((*a)->name));
    if (std::ranges::is_permutation(old, now))
        return text("Layers reordered");
    return layerChangeText(**a, **b);
}

} // namespace scanloupe::gui
