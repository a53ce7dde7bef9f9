// Translates the names of classes.
#include "gui/base/class_label.h"

#include "gui/base/raw_text.h"

#include <QCoreApplication>

namespace scanloupe::gui {

QString classLabel(std::string_view text) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) // a number without a name
        return shownText(text);
    const std::string name(text.substr(space + 1));
    return shownText(text.substr(0, space + 1)) + QCoreApplication::translate("classes", name.c_str());
}

} // namespace scanloupe::gui
