#pragma once
// Declares the labels of classes.
#include <QString>
#include <string_view>

namespace scanloupe::gui {

/// The label of a class by classText() of the engine, such as "2 Ground", with the name in the window's
/// language.
QString classLabel(std::string_view text);

} // namespace scanloupe::gui
