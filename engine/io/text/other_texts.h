#pragma once
// Declares the rejection of texts that don't contain points of a scan.
#include "engine/io/text/text_head.h"

namespace scanloupe {

/// @throws EngineError for ESRI ASCII grids and molecules, with the program that converts or opens them
void refuseOtherTexts(const InputFile& file, const TextHead& head);

} // namespace scanloupe
