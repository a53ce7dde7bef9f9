// Defines the table of brushes that change the surface.
#include "engine/edit/sculpt_brushes.h"

#include <cstddef>

namespace scanloupe {

namespace {

/// Whether there is one row for each tool, in their order: rowOf() finds a row by its place.
consteval bool isInOrder(std::span<const SculptBrush> brushes) {
    for (std::size_t i = 0; i < brushes.size(); ++i)
        if (brushes[i].tool != SculptTool(i))
            return false;
    return brushes.size() == std::size_t(kSculptTools);
}

} // namespace

std::span<const SculptBrush> sculptBrushes() {
    static constexpr SculptBrush kBrushes[] = {
        {.tool = SculptTool::fill,
         .key = "fill",
         .label = "Fill",
         .opposite = SculptTool::carve,
         .menuText = "&Fill",
         .shortcut = "V",
         .hint =
             "Drag to add material. Ctrl removes material, Shift draws a straight line, [ and ] change the "
             "radius. Esc ends.",
         .keepsDepth = true},
        {.tool = SculptTool::carve,
         .key = "carve",
         .label = "Carve",
         .opposite = SculptTool::fill,
         .menuText = "&Carve",
         .shortcut = "C",
         .hint =
             "Drag to remove material. Ctrl adds material, Shift draws a straight line, [ and ] change the "
             "radius. Esc ends.",
         .keepsDepth = true},
        {.tool = SculptTool::smooth,
         .key = "smooth",
         .label = "Smooth",
         .opposite = SculptTool::smooth,
         .menuText = "&Smooth",
         .shortcut = "U",
         .hint = "Drag over the surface to smooth it; [ and ] change the radius. Esc ends."},
        {.tool = SculptTool::flatten,
         .key = "flatten",
         .label = "Flatten",
         .opposite = SculptTool::flatten,
         .menuText = "Fl&atten and Close Holes",
         .shortcut = "T",
         .hint =
             "Drag over the surface to flatten it, or over a hole to close it, in the plane of the surface "
             "around the start of the stroke. [ and ] change the radius. Esc ends."},
        {.tool = SculptTool::raise,
         .key = "raise",
         .label = "Raise",
         .opposite = SculptTool::lower,
         .menuText = "&Raise",
         .shortcut = "N",
         .hint = "Drag over the surface to raise it along its normals; Ctrl lowers it, [ and ] change the "
                 "radius. Esc ends."},
        {.tool = SculptTool::lower, .key = "lower", .label = "Lower", .opposite = SculptTool::raise},
        {.tool = SculptTool::clone,
         .key = "clone",
         .label = "Clone",
         .opposite = SculptTool::clone,
         .menuText = "Cl&one",
         .shortcut = "Y",
         .hint =
             "Drag to copy the surface from the marked source. Ctrl+click chooses another source, [ and ] "
             "change the radius. Esc ends.",
         .needsSource = true,
         .keepsDepth = true},
        {.tool = SculptTool::smear,
         .key = "smear",
         .label = "Smear",
         .opposite = SculptTool::smear,
         .menuText = "Sm&ear",
         .shortcut = "M",
         .hint = "Drag over the surface to move it along; Shift draws a straight line, [ and ] change the "
                 "radius. Esc ends."},
    };
    static_assert(isInOrder(kBrushes));
    return kBrushes;
}

const SculptBrush& rowOf(SculptTool tool) {
    return sculptBrushes()[std::size_t(tool)];
}

} // namespace scanloupe
