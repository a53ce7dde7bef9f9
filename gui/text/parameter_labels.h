#pragma once
// Declares the conversion of the engine's messages for the window: they name command-line options, and may
// quote text of a file.
#include <QString>

namespace scanloupe::gui {

/// Removes options in parentheses, such as " (--voxel-size)", and replaces other options of parameters by
/// their labels. Shortens long texts as shortenedMessage() does.
QString withParameterLabels(const QString& sentence);

} // namespace scanloupe::gui
