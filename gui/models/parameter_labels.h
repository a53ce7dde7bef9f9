#pragma once
// Declares the translation of the engine's messages, which name command-line options, into the window's
// terms.
#include <QString>

namespace scanloupe::gui {

/// Removes options in parentheses, such as " (--voxel-size)", and replaces other options of parameters by
/// their labels.
QString withParameterLabels(const QString& sentence);

} // namespace scanloupe::gui
