#pragma once
// Declares the camera that a window opens a scan with.
#include "engine/picture/view.h"

namespace scanloupe {

struct Camera;
struct Recipe;

/// The camera of cameraFor(), turned about the up axis where that shows a long subject larger: across its
/// long horizontal axis, as a street in a wide view. Unchanged where the recipe or the scan names its own
/// view.
/// @throws EngineError as cameraFor()
Camera openingCamera(const Recipe& recipe, const ViewSubject& subject);

} // namespace scanloupe
