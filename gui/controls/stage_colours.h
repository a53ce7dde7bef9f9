#pragma once
// Assigns colours to the stages of a run.
#include <QColor>
#include <string>

namespace scanloupe::gui {

/// A stage's colour in bars and history, from a palette for colour-blind readers, too: Okabe and Ito, "Color
/// Universal Design", 2008.
inline QColor stageColour(const std::string& stage) {
    if (stage == "read")
        return {0x99, 0x99, 0x99};
    if (stage == "upload")
        return {0xe6, 0x9f, 0x00};
    if (stage == "edit" || stage == "selection")
        return {0xcc, 0x79, 0xa7};
    if (stage == "voxelize")
        return {0x56, 0xb4, 0xe9};
    if (stage == "field")
        return {0x00, 0x9e, 0x73};
    if (stage == "extract")
        return {0x00, 0x72, 0xb2};
    if (stage == "section")
        return {0x88, 0x44, 0x99};
    if (stage == "clean")
        return {0xf0, 0xe4, 0x42};
    if (stage == "refine")
        return {0xb0, 0xb0, 0xb0};
    if (stage == "quality" || stage == "distances")
        return {0x66, 0x66, 0x66};
    if (stage == "download")
        return {0x33, 0x33, 0x33};
    if (stage == "rasterize")
        return {0xd5, 0x5e, 0x00};
    return {0xcc, 0x79, 0xa7};
}

} // namespace scanloupe::gui
