#pragma once
// Declares the translation of the engine's messages, which name command-line options and may quote anything
// of a file, into what the window shows.
#include <QString>

namespace scanloupe::gui {

/// Removes options in parentheses, such as " (--voxel-size)", and replaces other options of parameters by
/// their labels. Shortens what is too long to be drawn, as shortenedMessage() does.
QString withParameterLabels(const QString& sentence);

} // namespace scanloupe::gui
