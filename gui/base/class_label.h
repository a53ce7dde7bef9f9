#pragma once
// Declares the labels of classes.
#include <QString>
#include <string_view>

namespace scanloupe::gui {

/// What classText() of the engine says, such as "2 Ground", with the name in the window's language.
QString classLabel(std::string_view text);

} // namespace scanloupe::gui
