#pragma once
// Declares the table of brushes that change the surface.
#include "kernels/field/sculpt/sculpt.h"

#include <span>
#include <string_view>

namespace scanloupe {

/// What is the same for all strokes of a brush. See traitsOf() for what it does to the field.
struct SculptBrush {
    SculptTool tool;
    std::string_view key; ///< in files; its icon is "sculpt-KEY"
    const char* label;    ///< name of its layers
    SculptTool opposite;  ///< with Ctrl held down; the brush itself if there is none
    const char* menuText =
        nullptr; ///< with its mnemonic; null: offered as the opposite of another brush only
    const char* shortcut = nullptr;
    const char* hint = nullptr; ///< what a drag does
    /// Copies the surface of a place that is clicked with Ctrl first.
    bool needsSource = false;
    /// Strokes stay at the depth of their first place, so that they don't follow what they have just made.
    bool keepsDepth = false;
};

/// All brushes, in the order of the enumeration.
std::span<const SculptBrush> sculptBrushes();
const SculptBrush& rowOf(SculptTool tool);

} // namespace scanloupe
