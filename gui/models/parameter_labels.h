#pragma once
// Sentences of the engine, which name the command line's options, as the window says them.
#include <QString>

namespace scanloupe::gui {

/// Leaves out options in brackets, such as " (--voxel-size)", and calls other options of parameters by their
/// labels.
QString withParameterLabels(const QString& sentence);

} // namespace scanloupe::gui
