#pragma once
// Declares the rejection of texts that don't contain points of a scan.
#include "engine/io/text/text_head.h"

namespace scanloupe {

/// Rejects ESRI ASCII grids and molecules. @throws EngineError for such a file; the message says how to
/// convert or open it
void refuseOtherTexts(const InputFile& file, const TextHead& head);

} // namespace scanloupe
