#pragma once
// Declares the table of brushes that change the surface.
#include "kernels/field/sculpt/sculpt.h"

#include <span>
#include <string_view>

namespace scanloupe {

/// Properties that all strokes of a brush share. See traitsOf() for the effect of a brush on the field.
struct SculptBrush {
    SculptTool tool;
    std::string_view key; ///< name in files; the icon of the brush is "sculpt-KEY"
    const char* label;    ///< name of the brush's layers
    SculptTool opposite;  ///< tool while Ctrl is held down; the brush itself if it has no opposite
    const char* menuText =
        nullptr; ///< text with its mnemonic; null: only offered as the opposite of another brush
    const char* shortcut = nullptr;
    const char* hint = nullptr; ///< describes what a drag does
    /// The brush copies the surface around a source, which must be chosen first with Ctrl+click.
    bool needsSource = false;
    /// A stroke keeps the depth of its first point, so that it doesn't follow the surface that it has just
    /// changed.
    bool keepsDepth = false;
};

/// Returns all brushes, in the order of SculptTool.
std::span<const SculptBrush> sculptBrushes();
const SculptBrush& rowOf(SculptTool tool);

} // namespace scanloupe
